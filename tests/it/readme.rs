//! The README's commands are run, its list of routes is compared with the service's own, and paths that the other
//! documents name are looked for.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::process::Service;

const README: &str = include_str!("../../README.md");

/// The walks: blocks of shell commands.
fn walks() -> Vec<&'static str> {
    README.split("```sh\n").skip(1).map(|rest| rest.split_once("```").expect("its end").0).collect()
}

/// Takes a walk with this service, and compares what it prints with what the README says.
fn walk(commands: &str, service: &Service, folder: &std::path::Path) {
    let program = format!("{} ", env!("CARGO_BIN_EXE_fieldbook"));
    let run =
        commands.replace("cargo run --release --quiet -- ", &program).replace("http://127.0.0.1:8080", &service.base);
    assert!(run.contains(&program) && run.contains(&service.base), "the walk names program and address");
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &run])
        .env("FIELDBOOK_DATA", folder)
        .env("no_proxy", "127.0.0.1")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("bash");
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{printed}\n{}", String::from_utf8_lossy(&run.stderr));
    let promised: Vec<&str> = commands.lines().filter_map(|line| line.strip_prefix("# → ")).collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), promised);
}

#[test]
fn the_walks_print_what_the_readme_says() {
    let [first, names] = walks().try_into().expect("two walks");
    let folder = tempfile::tempdir().expect("a folder");
    walk(first, &Service::start(folder.path()), folder.path());

    let file = "examples/profiles/people.json";
    assert!(README.contains(&format!("    cargo run --release -- profiles --file {file}\n")));
    assert!(README.contains("    cargo run --release -- serve --profiles-url http://127.0.0.1:8081\n"));
    let file = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    let profiles = Service::profiles(file.as_ref(), &[]);
    let folder = tempfile::tempdir().expect("a folder");
    walk(names, &Service::start_with(folder.path(), &["--profiles-url", &profiles.base]), folder.path());
}

#[test]
fn the_list_of_routes_is_that_of_the_service() {
    let listed: BTreeSet<String> = README
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(route, _)| route.to_owned()))
        .collect();
    let document = serde_json::to_value(fieldbook::http::openapi()).expect("JSON");
    let mut served = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("methods").keys() {
            served.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    assert_eq!(listed, served);
}

#[test]
fn every_path_that_the_documents_name_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect("a text");
        for quoted in text.split('`').skip(1).step_by(2) {
            let starts = ["src/", "tests/", "scripts/", "schemas/", "migrations/", "api/", "examples/", "proto/"];
            if starts.iter().any(|start| quoted.starts_with(start)) {
                assert!(root.join(quoted).exists(), "{document} names {quoted}");
            }
        }
    }
}
