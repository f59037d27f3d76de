//! Settings from every source, and the messages about wrong settings.

use fieldbook::app::HttpSettings;
use fieldbook::app::{Access, ErrorStatuses, Origins};
use fieldbook::domain::permission::Role;
use fieldbook::domain::token_user::{ClaimRules, RoleNames, UserIds};
use fieldbook::settings::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;

pub fn gather(flags: &[(&str, &str)], variables: &[(&str, &str)], file: Option<&str>) -> Result<Settings, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.toml");
    if let Some(text) = file {
        std::fs::write(&path, text).expect("written");
    }
    let find = |given: &[(&str, &str)], name: &str| {
        given.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    };
    Settings::gather(|name| find(flags, name), |name| find(variables, name), file.map(|_| path.as_path()))
        .map_err(|e| e.to_string().replace(&path.display().to_string(), "own.toml"))
}

pub fn refused(gathered: Result<Settings, String>) -> String {
    gathered.err().expect("a refusal")
}

#[test]
fn flag_overrides_environment_variable_which_overrides_settings_file_which_overrides_default() {
    let file = Some("listen = \"1.1.1.1:1\"\ndata = \"file\"\nerror-statuses = \"http\"");
    let settings =
        gather(&[("listen", "3.3.3.3:3")], &[("listen", "2.2.2.2:2"), ("data", "variable")], file).expect("settings");
    assert_eq!(settings.listen.to_string(), "3.3.3.3:3");
    assert_eq!(settings.data, PathBuf::from("variable"));
    assert_eq!(settings.http.error_statuses, ErrorStatuses::Http);
    assert_eq!(settings.http.investigations, Access::Required);
    assert_eq!(settings.http.trash_days, 30);
    assert_eq!(settings.event_streams, 1024);
}

#[test]
fn settings_reference_has_every_setting() {
    let mut group = String::new();
    let mut named = Vec::new();
    for line in REFERENCE.lines() {
        if let Some(name) = line.strip_prefix('[') {
            group = format!("{}.", name.trim_end_matches(']'));
        } else if let Some((name, _)) = line.trim_start_matches("# ").split_once(" = ") {
            named.push(format!("{group}{name}"));
        }
    }
    assert_eq!(named, SETTINGS.map(|(name, _)| name.to_owned()));
}

#[test]
fn error_for_an_invalid_setting_names_the_setting_its_value_and_a_remedy() {
    let wrong = |name: &str, value: &str| refused(gather(&[(name, value)], &[], None));
    assert_eq!(
        wrong("listen", "localhost"),
        "the setting listen from the flag --listen cannot be \"localhost\"; give an IP address and a port, such as 127.0.0.1:8080"
    );
    assert_eq!(
        refused(gather(&[], &[("auth.investigations", "maybe")], None)),
        "the setting auth.investigations from the variable FIELDBOOK_AUTH_INVESTIGATIONS cannot be \"maybe\"; give required or optional"
    );
    assert_eq!(
        refused(gather(&[], &[], Some("[log]\nformat = \"xml\""))),
        "the setting log.format from the file own.toml cannot be \"xml\"; give human or json"
    );
    assert_eq!(
        wrong("auth.hs256-secret", "hunter2"),
        "the setting auth.hs256-secret from the flag --auth-hs256-secret cannot be a text of 7 bytes; give at least 32 bytes, none of them NUL, such as the output of: openssl rand -hex 32"
    );
    assert_eq!(
        wrong("public-url", "https://school.example.org/fieldbook"),
        "the setting public-url from the flag --public-url cannot be \"https://school.example.org/fieldbook\"; give http:// or https:// with a host and optionally a port, such as https://fieldbook.example.org, without a path: the service needs its own host name"
    );
    for address in ["ftp://x", "x", "https://", "https://x/?", "https://x?a", "https://x#a", "https://me@x"] {
        assert!(wrong("public-url", address).ends_with("its own host name"), "{address}");
    }
    for address in ["https://me@x/{key}", "https://x;y", "https://x,y/", "https://'self'", "x/{key}"] {
        assert!(wrong("link-target", address).ends_with("in its host"), "{address}");
    }
    for address in ["https://x/me@y;,'", "https://{key}.example.org", "http://x?a;b"] {
        assert!(gather(&[("link-target", address)], &[], None).is_ok(), "{address}");
    }
    for (address, origin) in [
        ("https://x", "https://x"),
        ("https://x/", "https://x"),
        ("http://x.example.org:8443", "http://x.example.org:8443"),
        ("https://Fieldbook.School.example:443/", "https://fieldbook.school.example"),
        ("http://x:80", "http://x"),
        ("http://x:443", "http://x:443"),
    ] {
        let settings = gather(&[("public-url", address)], &[], None).expect("settings");
        assert_eq!(settings.http.public_url.as_deref(), Some(origin));
    }
    assert!(wrong("data", "").ends_with("give a folder"));
    assert!(wrong("assistant", "gpt").ends_with(
        "cannot be \"gpt\"; give rules, ollama, lmstudio, llamacpp, openai, anthropic, mistral, openai-compatible"
    ));
    assert!(wrong("assistant-deadline-seconds", "0").ends_with("give 1 to 3600"));
    assert!(wrong("assistant-concurrent-calls", "many").ends_with("give 1 to 1000"));
    assert_eq!(
        wrong("assistant-api-key", "  "),
        "the setting assistant-api-key from the flag --assistant-api-key cannot be a text of 2 bytes; give the key, or omit the setting"
    );
    assert_eq!(
        wrong("profiles-url", "profiles:8081"),
        "the setting profiles-url from the flag --profiles-url cannot be \"profiles:8081\"; give http:// or https:// with a host and optionally a port, such as http://127.0.0.1:8081"
    );
    for wrong_one in ["collector:4317", "http://", "http://me@collector", "http://collector/v1/traces"] {
        assert!(wrong("otlp-endpoint", wrong_one).ends_with("such as http://127.0.0.1:4317"), "{wrong_one}");
    }
    assert!(wrong("profiles-deadline-milliseconds", "0").ends_with("give 1 to 10000"));
    assert!(wrong("profiles-cache-seconds", "-1").ends_with("give 0 to 3600"));
    assert!(wrong("events-retention-days", "0").ends_with("give 1 to 365"));
    assert!(wrong("trash-days", "366").ends_with("give 0 to 365"));
    assert!(wrong("event-streams", "0").ends_with("give 1 to 100000"));
    assert!(wrong("log.level", "loud").ends_with("give error, warn, info, debug or trace"));
    assert!(wrong("error-statuses", "500").ends_with("give contract or http"));
}

#[test]
fn settings_accept_a_token_secret_or_a_token_provider_but_not_both() {
    let auth = |given: &[(&str, &str)]| gather(given, &[], None).map(|settings| settings.auth);
    assert!(matches!(auth(&[]), Ok(Auth::OwnSecret)));
    let secret = ("auth.hs256-secret", "0123456789abcdef0123456789abcdef");
    assert!(matches!(auth(&[secret]), Ok(Auth::Secret(_))));
    let Ok(Auth::Provider(provider)) = auth(&[("auth.issuer", "https://id.example.org/"), ("auth.audience", "us")])
    else {
        panic!("a provider")
    };
    // The slash stays, because issuers are compared exactly.
    assert_eq!(provider.issuer.as_deref(), Some("https://id.example.org/"));
    assert_eq!((provider.jwks_url, provider.audience.as_deref()), (None, Some("us")));
    let wrong = |given: &[(&str, &str)]| auth(given).err().expect("a refusal");
    assert_eq!(
        wrong(&[secret, ("auth.jwks-url", "https://id.example.org/keys")]),
        "the setting auth.hs256-secret cannot be combined with auth.jwks-url; tokens come from a secret or from a provider: omit one"
    );
    assert_eq!(
        wrong(&[("auth.audience", "us")]),
        "the setting auth.audience needs a provider of tokens; set auth.issuer or auth.jwks-url, or omit it"
    );
    assert_eq!(
        wrong(&[("auth.jwks-url", "http://id.example.org/keys")]),
        "the setting auth.jwks-url from the flag --auth-jwks-url cannot be \"http://id.example.org/keys\"; expected an address that begins with https://, or http:// on this machine"
    );
    assert!(wrong(&[("auth.issuer", "id.example.org")]).ends_with(
        "expected an address that begins with https://, or http:// on this machine, exactly as in the iss claim of the tokens"
    ));
    assert!(
        wrong(&[("auth.issuer", "https://id.example.org"), ("auth.audience", "")])
            .ends_with("give the name of this service at the provider")
    );
}

#[test]
fn settings_choose_the_token_claims_for_users_and_roles() {
    let claims = |given: &[(&str, &str)]| gather(given, &[], None).map(|settings| settings.claims);
    let provider = [("auth.issuer", "https://id.example.org/"), ("auth.audience", "us")];
    let given = [
        ("auth.user-ids", "derived"),
        ("auth.user-claim", "oid"),
        ("auth.roles-claim", "realm_access.roles"),
        ("auth.roles-map", "Teachers=author, it = Admin,ou=staff=reader"),
    ];
    let expected = ClaimRules {
        user_claim: "oid".to_owned(),
        user_ids: UserIds::Derived,
        roles_claim: "realm_access.roles".to_owned(),
        role_names: RoleNames::new([("teachers", Role::Author), ("it", Role::Admin), ("ou=staff", Role::Reader)]),
    };
    assert_eq!(claims(&[&provider[..], &given].concat()), Ok(expected));
    assert_eq!(claims(&[]), Ok(ClaimRules::default()));
    let wrong = |name: &str, value: &str| claims(&[(name, value)]).expect_err("a refusal");
    for lacking in [&[][..], &provider[..1]] {
        assert_eq!(
            claims(&[lacking, &given[..1]].concat()).expect_err("a refusal"),
            "the setting auth.user-ids cannot be \"derived\" without a provider of tokens; set auth.issuer and auth.audience, too"
        );
    }
    for claim in ["email", "Email", "user.email", "preferred_username", "unique_name", "upn", "UPN"] {
        assert!(
            wrong("auth.user-claim", claim)
                .ends_with("give a claim that always means the same person, such as sub or oid")
        );
    }
    for map in ["teachers", "=admin", "teachers=king", "teachers=author,it"] {
        assert!(wrong("auth.roles-map", map).contains("such as teachers=author,it=admin"), "{map}");
    }
    assert!(wrong("auth.default-role", "king").ends_with("give admin, author, reader or none"));
}

#[test]
fn sign_in_needs_consistent_provider_settings() {
    let needed = [
        ("auth.issuer", "https://id.example.org/"),
        ("auth.client-id", "book"),
        ("auth.default-role", "none"),
        ("public-url", "https://book.example.org"),
        ("listen", "0.0.0.0:8080"),
    ];
    let with = |given: &[(&str, &str)]| gather(&[&needed[..], given].concat(), &[], None);
    let settings = with(&[]).expect("settings");
    let Auth::Provider(provider) = settings.auth else { panic!("a provider") };
    let sign_in = provider.sign_in.expect("a sign-in");
    // With a client id, the defaults are those that a sign-in needs.
    assert_eq!(
        (provider.audience.as_deref(), sign_in.client_id.as_str(), sign_in.client_secret),
        (Some("book"), "book", None)
    );
    assert_eq!((sign_in.scopes.as_str(), sign_in.name.as_str()), ("openid profile email", "your school account"));
    assert_eq!((settings.claims.user_ids, settings.http.passwords), (UserIds::Derived, false));
    let given = [("auth.audience", "api"), ("auth.user-ids", "as-given"), ("auth.passwords", "true")];
    let settings = with(&given).expect("settings");
    let Auth::Provider(provider) = settings.auth else { panic!("a provider") };
    assert_eq!(provider.audience.as_deref(), Some("api"));
    assert_eq!((settings.claims.user_ids, settings.http.passwords), (UserIds::AsGiven, true));

    let without = |name: &str| {
        let given: Vec<_> = needed.into_iter().filter(|(known, _)| *known != name).collect();
        gather(&given, &[], None)
    };
    assert_eq!(
        refused(without("auth.issuer")),
        "the setting auth.client-id needs auth.issuer: the provider whose accounts people sign in with"
    );
    assert_eq!(
        refused(without("auth.default-role")),
        "the setting auth.client-id needs auth.default-role; give none or reader if the provider has accounts of people \
         who may not change lessons, such as pupils"
    );
    assert_eq!(
        refused(without("public-url")),
        "the setting auth.client-id needs public-url, the address to which the provider sends people back"
    );
    assert!(gather(&needed[..3], &[], None).is_ok(), "a loopback address needs no public-url");
    assert_eq!(
        refused(gather(&[("auth.client-secret", "hush")], &[], None)),
        "the setting auth.client-secret needs auth.client-id"
    );
    assert_eq!(
        refused(with(&[("auth.client-secret", " ")])),
        "the setting auth.client-secret from the flag --auth-client-secret cannot be a text of 1 bytes; give the secret of this service"
    );
    assert!(refused(with(&[("auth.scopes", "profile email")])).ends_with("openid among them"));
}

#[test]
fn settings_with_several_values_are_given_as_text_with_commas_or_as_a_list_in_the_settings_file() {
    let http = |given: &[(&str, &str)], file| gather(given, &[], file).map(|settings| settings.http);
    let usual = http(&[], None).expect("settings");
    assert_eq!((usual.resolve_rate_limit, usual.assistant_rate_limit), (200, 0));
    // A language model costs money, so its use has a limit by default.
    let asked = |given: &[(&str, &str)]| http(given, None).expect("settings").assistant_rate_limit;
    let (model, limit) = ([("assistant", "ollama"), ("assistant-model", "m")], ("assistant-rate-limit", "7"));
    assert_eq!((asked(&model), asked(&[&model[..], &[limit]].concat()), asked(&[limit])), (30, 7, 7));
    assert_eq!((usual.trusted_proxies.len(), usual.cors_origins), (0, Origins::None));
    let nets = |http: HttpSettings| http.trusted_proxies.iter().map(ToString::to_string).collect::<Vec<_>>();
    let proxies = http(&[("trusted-proxies", "127.0.0.1, 10.0.0.0/8 ,2001:db8::/32")], None).expect("settings");
    assert_eq!(nets(proxies), ["127.0.0.1/32", "10.0.0.0/8", "2001:db8::/32"]);
    let file =
        Some("trusted-proxies = [\"::1\"]\ncors-origins = [\"https://a.example.org\", \"http://localhost:5173\"]");
    let listed = http(&[], file).expect("settings");
    let origins = ["https://a.example.org", "http://localhost:5173"].map(str::to_owned).to_vec();
    assert_eq!((&listed.cors_origins, nets(listed.clone())), (&Origins::Listed(origins), vec!["::1/128".to_owned()]));
    assert_eq!(http(&[("cors-origins", "*")], None).expect("settings").cors_origins, Origins::Any);
    let wrong = |name: &str, value: &str| http(&[(name, value)], None).expect_err("a refusal");
    assert!(wrong("trusted-proxies", "proxy.example.org").ends_with("such as 192.0.2.0/28, separated by commas"));
    assert!(wrong("resolve-rate-limit", "many").ends_with("give 0 to 1000000"));
    assert!(wrong("assistant-rate-limit", "1000001").ends_with("give 0 to 1000000"));
    for origin in
        ["a.example.org", "https://a.example.org/", "https://A.example.org", "null", "https://", "*, https://a"]
    {
        assert!(wrong("cors-origins", origin).ends_with("or * alone, which lets pages of any origin read"), "{origin}");
    }
}

#[test]
fn webhook_settings_need_a_secret_and_unique_addresses() {
    let secret = ("webhook-secret", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX");
    let webhooks = |given: &[(&str, &str)]| gather(given, &[], None).map(|settings| settings.webhooks);
    assert!(webhooks(&[]).expect("settings").is_none());
    assert!(webhooks(&[secret]).expect("settings").is_none());
    let given = webhooks(&[secret, ("webhook-urls", "https://a.example.org/hook?x=1, http://127.0.0.1:9")]);
    assert_eq!(
        given.expect("settings").expect("endpoints").urls,
        ["https://a.example.org/hook?x=1", "http://127.0.0.1:9"]
    );
    let wrong = |given: &[(&str, &str)]| webhooks(given).err().expect("a refusal");
    assert!(
        wrong(&[("webhook-urls", "http://a")]).starts_with("the setting webhook-urls needs a secret to sign with;")
    );
    assert_eq!(
        wrong(&[secret, ("webhook-urls", "http://me:word@a")]),
        "the setting webhook-urls from the flag --webhook-urls cannot be a text of 16 bytes; give up to 16 addresses that begin with http:// or https://, separated by commas, each once"
    );
    assert!(wrong(&[secret, ("webhook-urls", "http://a,http://a")]).ends_with("each once"));
    let refused = wrong(&[("webhook-secret", "hunter2")]);
    assert!(
        refused.contains("cannot be a text of 7 bytes; give whsec_ and the Base64 of 24 to 64 random bytes"),
        "{refused}"
    );
}

#[test]
fn unknown_setting_is_refused_and_the_most_similar_setting_is_suggested() {
    for (text, unknown, similar) in [
        ("[auth]\ninvestigation = \"optional\"", "auth.investigation", "auth.investigations"),
        ("trash-day = 7", "trash-day", "trash-days"),
        ("log-level = \"debug\"", "log-level", "log.level"),
        ("port = 80", "port", ""),
    ] {
        let rename = if similar.is_empty() { String::new() } else { format!("rename it, perhaps to {similar}, or ") };
        assert_eq!(
            refused(gather(&[], &[], Some(text))),
            format!("the settings file own.toml has the unknown setting {unknown}; {rename}remove it")
        );
    }
}

#[test]
fn setting_that_was_appended_below_a_section_is_refused_with_the_place_where_it_belongs() {
    assert_eq!(
        refused(gather(&[], &[], Some("[log]\nlevel = \"info\"\ndata = \"/srv/fieldbook\""))),
        "the settings file own.toml has the unknown setting log.data; write data above the line [log], or remove it"
    );
}

#[test]
fn settings_file_with_a_syntax_error_is_refused_without_quoting_its_text() {
    let start = "the settings file own.toml is not valid TOML in line ";
    for (text, line, reason) in [
        ("[auth]\nhs256-secret = \"super-secret", 2, "invalid basic string"),
        ("[auth]\nhs256-secret = super-secret", 2, "quoted"),
        ("[auth]\nhs256-secret = \"a\"\nhs256-secret = \"super-secret\"", 3, "duplicate key"),
        ("hs256-secret \"super-secret\"", 1, ""),
        ("hs256-secret = [\"super-secret\"", 1, ""),
        ("hs256-secret = \"super-secret\\q\"", 1, ""),
    ] {
        let broken = refused(gather(&[], &[], Some(text)));
        let told = broken.strip_prefix(&format!("{start}{line}: ")).unwrap_or_else(|| panic!("{text}: {broken}"));
        assert!(!told.is_empty() && told.contains(reason) && !told.contains("super"), "{text}: {broken}");
    }
}

#[test]
fn settings_file_with_secrets_that_other_users_can_read_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.toml");
    let gather = |text: &str, mode| {
        std::fs::write(&path, text).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("set");
        Settings::gather(|_| None, |_| None, Some(&path)).err().map(|e| e.to_string())
    };
    let secrets = [
        "[auth]\nhs256-secret = \"0123456789abcdef0123456789abcdef\"",
        "webhook-secret = \"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX\"",
        "assistant-api-key = \"key\"",
        "database = \"postgres://me:word@here/book\"",
        "database = \"host=here user=me password=word dbname=book\"",
        "webhook-urls = [\"https://chat.example.org/hook?token=0123\"]",
    ];
    for text in secrets {
        for mode in [0o644, 0o660, 0o604] {
            let told = gather(text, mode).expect("a refusal");
            let open = format!("is open to other users (mode {mode:o}); ");
            assert!(told.contains(&open) && told.contains("run: chmod 6"), "{text}: {told}");
            assert!(!told.contains("0123") && !told.contains("word"), "{told}");
        }
        assert!(gather(text, 0o600).is_none_or(|told| !told.contains("chmod")), "{text}");
    }
    assert_eq!(gather("listen = \"127.0.0.1:1\"\ndatabase = \"postgres://me@here/book\"", 0o644), None);
}

#[test]
fn secret_setting_may_name_a_file_that_only_its_owner_can_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("secret");
    let path = file.to_str().expect("a path");
    let with = |given: &[(&str, &str)], text: &str, mode: u32| {
        std::fs::write(&file, text).expect("written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("permissions");
        gather(given, &[], None).map_err(|told| told.replace(path, "FILE"))
    };
    let secret = "0123456789abcdef0123456789abcdef";
    let given = [("auth.hs256-secret-file", path)];
    let read = with(&given, &format!("{secret}\n"), 0o400).expect("settings");
    assert!(matches!(read.auth, Auth::Secret(read) if read == secret));
    let key = [("assistant", "openai"), ("assistant-model", "m"), ("assistant-api-key-file", path)];
    let model = with(&key, "key", 0o600).expect("settings").model.expect("a model");
    assert_eq!(model.api_key.as_deref(), Some("key"));
    let database = [("database", "postgres://ann@a,b/book"), ("database-password-file", path)];
    assert!(with(&database, "hush", 0o600).is_ok());
    let refusal = refused(with(&given, secret, 0o644));
    let remedy = match file.metadata().expect("a file").uid() {
        0 => "make the service's group its group, and run: chmod 640 FILE",
        _ => "run: chmod 600 FILE",
    };
    assert_eq!(
        refusal,
        format!("the file FILE of the setting auth.hs256-secret-file is open to other users (mode 644); {remedy}")
    );
    assert_eq!(
        refused(gather(&[("auth.client-secret-file", "/nowhere")], &[], None)),
        "the file /nowhere of the setting auth.client-secret-file cannot be read: No such file or directory (os error 2); check the path"
    );
    assert_eq!(
        refused(with(&given, "short", 0o600)),
        "the setting auth.hs256-secret from the file FILE cannot be a text of 5 bytes; give at least 32 bytes, none of them NUL, such as the output of: openssl rand -hex 32"
    );
    assert_eq!(
        refused(with(&[("auth.hs256-secret", secret), given[0]], secret, 0o600)),
        "give either the setting auth.hs256-secret or auth.hs256-secret-file, not both"
    );
    let missing = gather(&[("webhook-secret-file", "/no/such/file")], &[], None);
    assert_eq!(
        refused(missing),
        "the file /no/such/file of the setting webhook-secret-file cannot be read: No such file or directory (os error 2); check the path"
    );
}

#[test]
fn secret_file_of_nul_bytes_is_refused() {
    let nul = gather(&[("auth.hs256-secret", &"\0".repeat(64))], &[], None);
    assert!(refused(nul).contains("cannot be a text of 64 bytes; give at least 32 bytes, none of them NUL"));
}

#[test]
fn profile_service_is_not_used_unless_its_url_is_set() {
    assert!(gather(&[], &[], None).expect("settings").profiles.is_none());
    let given = gather(&[("profiles-cache-seconds", "0")], &[("profiles-url", "https://here")], None);
    let profiles = given.expect("settings").profiles.expect("a service");
    assert_eq!((profiles.deadline.as_millis(), profiles.keep.as_secs()), (1000, 0));
}

#[test]
fn settings_that_allow_sign_ins_over_a_network_without_tls_are_detected() {
    let provider = [
        ("auth.issuer", "https://id.example.org"),
        ("auth.client-id", "fieldbook"),
        ("auth.default-role", "none"),
        ("auth.passwords", "false"),
    ];
    let found = |url: &str, others: &[(&str, &str)]| {
        let flags = [&[("public-url", url)], others].concat();
        gather(&flags, &[], None).expect("settings").has_plain_sign_ins()
    };
    for (url, is_plain) in [
        ("http://book.example.org", true),
        ("http://192.168.1.5:8080", true),
        ("https://book.example.org", false),
        ("http://localhost:8080", false),
        ("http://127.0.0.1", false),
    ] {
        assert_eq!(found(url, &[]), is_plain, "{url} with passwords");
        assert_eq!(found(url, &provider), is_plain, "{url} with a provider");
        assert!(!found(url, &[("auth.passwords", "false")]), "{url} without both");
    }
    assert!(!gather(&[], &[], None).expect("settings").has_plain_sign_ins());
}
