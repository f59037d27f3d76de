//! The files in `deploy/` fit the program. No test builds a container; the tests compare files, the build profile,
//! the compiler version and the settings.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const DOCKERFILE: &str = include_str!("../../deploy/Dockerfile");
const COMPOSE: &str = include_str!("../../deploy/compose.yaml");
const UNIT: &str = include_str!("../../deploy/fieldbook.service");
const BACKUP_UNIT: &str = include_str!("../../deploy/fieldbook-backup.service");
const CREDENTIALS: &str = include_str!("../../deploy/fieldbook.service.d/secrets.conf");
const DEPLOYMENT: &str = include_str!("../../deploy/kubernetes/deployment.yaml");
const SETTINGS_OF_PODS: &str = include_str!("../../deploy/kubernetes/settings.env");
const CADDY: &str = include_str!("../../deploy/Caddyfile");
const NGINX: &str = include_str!("../../deploy/nginx.conf");
const IGNORED: &str = include_str!("../../.dockerignore");
const MANIFEST: &str = include_str!("../../Cargo.toml");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the part after `word` of each line that contains `word`.
fn after<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    text.lines().filter_map(|line| line.split_once(word)).map(|(_, rest)| rest.trim()).collect()
}

#[test]
fn dockerfile_copies_existing_files_and_uses_the_required_compiler() {
    let version = after(MANIFEST, "rust-version = ")[0].trim_matches('"');
    assert!(DOCKERFILE.contains(&format!("FROM docker.io/library/rust:{version}-")), "the compiler is not {version}");
    let profile = after(DOCKERFILE, "--profile ")[0].split(' ').next().expect("a profile");
    assert!(MANIFEST.contains(&format!("[profile.{profile}]")), "{profile}");
    assert!(DOCKERFILE.contains(&format!("cargo build --profile {profile} --locked")));
    let (mut taken, mut made) = (Vec::new(), Vec::new());
    for words in after(DOCKERFILE, "COPY ") {
        match words.strip_prefix("--from=build ") {
            Some(words) => made.push(words.split(' ').next().expect("a path")),
            None => taken.extend(words.split(' ').rev().skip(1)),
        }
    }
    assert_eq!(made, [&format!("/build/target/{profile}/fieldbook"), "--chown=999:999"]);
    assert!(!taken.is_empty() && taken.iter().all(|path| root().join(path).exists()), "{taken:?}");
}

#[test]
fn dockerfile_creates_a_stub_for_every_crate_before_compiling_dependencies() {
    let copies: Vec<&str> = after(DOCKERFILE, "COPY ");
    let manifests = [
        "Cargo.toml Cargo.lock ./",
        "crates/domain/Cargo.toml crates/domain/",
        "crates/from-mongo/Cargo.toml crates/from-mongo/",
    ];
    assert_eq!((&copies[..3], copies[3]), (&manifests[..], ". ."));
    let touched = after(DOCKERFILE, "RUN touch ")[0].trim_end_matches(" \\");
    let roots: Vec<&str> = touched.split(' ').collect();
    assert_eq!(roots, ["src/main.rs", "src/lib.rs", "crates/domain/src/lib.rs"]);
    assert!(roots.iter().all(|path| root().join(path).exists()));
}

#[test]
fn deployment_health_checks_use_existing_addresses_and_commands() {
    let document = std::fs::read_to_string(root().join("api/openapi.json")).expect("the document");
    let paths: Vec<&str> = after(DEPLOYMENT, "httpGet: { path: ");
    assert_eq!(paths.len(), 3);
    for path in paths {
        let path = path.split(',').next().expect("a path");
        assert!(document.contains(&format!("\"{path}\"")), "{path}");
    }
    let check = r#"["CMD", "fieldbook", "healthcheck"]"#;
    assert!(COMPOSE.contains(check) && DOCKERFILE.contains(&check.replace("\"CMD\", ", "")));
    assert!(UNIT.contains("Type=notify"));
}

#[test]
fn deployment_examples_hide_the_metrics_and_trust_no_large_network_as_a_proxy() {
    assert!(CADDY.contains("respond /metrics 404\n"));
    assert!(NGINX.contains("location = /metrics {\n            return 404;\n"));
    for text in [COMPOSE, SETTINGS_OF_PODS, fieldbook::settings::REFERENCE, CADDY] {
        assert!(text.to_lowercase().replace('_', "-").contains("trusted-proxies") && !text.contains(".0/8"));
    }
}

#[test]
fn systemd_unit_passes_each_credential_to_the_setting_of_the_same_name() {
    let loaded = after(CREDENTIALS, "LoadCredential=");
    let given = after(CREDENTIALS, "Environment=");
    assert_eq!((loaded.len(), given.len()), (5, 5));
    for (loaded, given) in loaded.into_iter().zip(given) {
        let (name, path) = loaded.split_once(':').expect("a path");
        assert_eq!(path, format!("/etc/fieldbook/{name}"));
        let variable = name.to_uppercase().replace('-', "_");
        assert_eq!(given, format!("FIELDBOOK_{variable}_FILE=%d/{name}"));
    }
}

#[test]
fn packaged_settings_file_is_valid_and_every_packaged_file_exists() {
    let file = root().join("deploy/fieldbook.toml");
    let settings = fieldbook::settings::Settings::gather(|_| None, |_| None, Some(&file)).expect("settings");
    assert_eq!(settings.data, Path::new("/var/lib/fieldbook"));
    assert!(settings.log_json && UNIT.contains("StateDirectory=fieldbook\n"));
    // The backup must not read the settings file: this would check every setting, and the backup cannot read the
    // service's credentials.
    assert!(BACKUP_UNIT.contains(" --data /var/lib/fieldbook'\n") && !BACKUP_UNIT.contains("--config"));
    let package = MANIFEST.split("[package.metadata.deb]").nth(1).expect("a package");
    let sources: Vec<&str> =
        package.lines().filter_map(|line| line.trim().strip_prefix("[\"")?.split('"').next()).collect();
    assert!(sources.len() > 5, "{sources:?}");
    for source in sources.into_iter().filter(|source| !source.starts_with("target/")) {
        assert!(root().join(source).exists(), "{source}");
    }
}

#[test]
fn dockerignore_excludes_no_file_that_is_compiled_into_the_program() {
    let ignored: BTreeSet<&str> = IGNORED.lines().filter(|line| !line.is_empty()).collect();
    assert!(ignored.iter().all(|path| !path.contains(['*', '!'])), "whole names alone can be compared: {ignored:?}");
    let mut needed: Vec<_> =
        ["Cargo.lock", "Cargo.toml", "crates/domain/Cargo.toml"].map(|path| root().join(path)).into();
    let mut folders = vec![root().join("src"), root().join("crates/domain/src")];
    while let Some(folder) = folders.pop() {
        for path in folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).expect("a text");
                let named = |start: &str| {
                    text.split(start)
                        .skip(1)
                        .filter_map(|rest| rest.split('"').next())
                        .map(str::to_owned)
                        .collect::<Vec<_>>()
                };
                needed.extend(named("include_str!(\"").iter().map(|name| path.parent().expect("a folder").join(name)));
                needed.extend(named("include_dir!(\"$CARGO_MANIFEST_DIR/").iter().map(|name| root().join(name)));
                needed.push(path);
            }
        }
    }
    assert!(needed.iter().any(|path| path.ends_with("ui")) && needed.len() > 100);
    for path in needed {
        let path = path.canonicalize().unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let name = path.strip_prefix(root().canonicalize().expect("a folder")).expect("a file of the project");
        assert!(name.ancestors().all(|part| !ignored.contains(part.to_str().expect("a name"))), "{name:?} is kept out");
    }
}

#[test]
fn compose_file_mounts_existing_files_and_uses_valid_setting_names() {
    let folder = root().join("deploy");
    let dockerfile = after(COMPOSE, "dockerfile: ")[0].split([' ', '}']).next().expect("a path");
    assert!(root().join(dockerfile).exists(), "{dockerfile}");
    let mounted: Vec<&str> = COMPOSE.split("\"./").skip(1).filter_map(|rest| rest.split(':').next()).collect();
    assert!(!mounted.is_empty() && mounted.iter().all(|path| folder.join(path).exists()), "{mounted:?}");
    // Operators create the secret files with the commands at the top of the Compose file.
    for secret in after(COMPOSE, "{ file: ") {
        let secret = secret.trim_end_matches([' ', '}']);
        assert!(COMPOSE.contains(&format!("> deploy/{secret}\n")), "nobody is told how to make {secret}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_fieldbook")).arg("--help-settings").output().expect("run");
    let help = String::from_utf8(help.stdout).expect("a text");
    for text in [DOCKERFILE, COMPOSE, CREDENTIALS, DEPLOYMENT, SETTINGS_OF_PODS] {
        for rest in text.split("FIELDBOOK_").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            if name != "SERVICE_HOST" {
                assert!(help.contains(&format!("[FIELDBOOK_{name}]")), "there is no setting FIELDBOOK_{name}");
            }
        }
    }
}
