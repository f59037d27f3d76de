//! The command line. Each test runs the real program.

mod audit;
mod data_folder;
mod disks;
mod doctor;
mod doctor_services;
mod doctor_store;
mod healthcheck;
mod help;
#[cfg(target_os = "linux")]
mod memory;
mod output;
mod owners;
mod permissions;
mod person;
mod secrets;
mod service_manager;
mod variables;

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use fieldbook::tokens::SECRET_FILE;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

use crate::authoring::{at_odds, finds_birds, found};
use crate::support::endpoint::Endpoint;
use crate::support::process::{Service, fieldbook, refused};
use crate::support::provider::{Key, Provider};
use crate::support::{Caller, TEACHER};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test]
async fn token_is_accepted_only_by_the_service_of_its_data_folder() {
    let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (mine, others) = (Service::start(folder.path()), Service::start(other.path()));
    let list = async |service: &Service| service.teacher(folder.path()).get("/api/investigation").await.json();
    assert_eq!(list(&mine).await["data"]["pagination"]["total"], 0);
    assert_eq!(list(&others).await["code"], "invalid_token");
}

#[test]
fn token_command_warns_if_a_folder_with_a_store_has_no_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    fieldbook("demo", folder.path()).output().expect("run");
    std::fs::remove_file(folder.path().join(SECRET_FILE)).expect("removed");
    let said = || text(&fieldbook("token", folder.path()).args(["--user", TEACHER]).output().expect("run").stderr);
    assert!(said().contains("has a store but no token secret"));
    assert_eq!(said(), "");
}

#[test]
fn generated_secret_file_is_readable_only_by_its_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    fieldbook("token", folder.path()).args(["--user", TEACHER]).output().expect("run");
    let secret = folder.path().join(SECRET_FILE);
    assert_eq!(secret.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    let names: Vec<_> = folder.path().read_dir().expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(names, [SECRET_FILE]);
}

#[test]
fn demo_command_adds_its_examples_only_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let last_line = || {
        let output = fieldbook("demo", folder.path()).output().expect("run");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).lines().last().expect("a line").to_owned()
    };
    assert_eq!(last_line(), "13 created, 0 existed already");
    assert_eq!(last_line(), "0 created, 13 existed already");
}

#[tokio::test]
async fn demo_examples_have_the_expected_statuses_and_contradictions() {
    let folder = tempfile::tempdir().expect("a folder");
    fieldbook("demo", folder.path()).output().expect("run");
    let service = Service::start(folder.path());
    let page = service.teacher(folder.path()).get("/api/investigation?limit=100&groupBy=none").await.data();
    let items = page["items"].as_array().expect("items").clone();
    let count = |status: &str| items.iter().filter(|item| item["status"] == status).count();
    assert_eq!(count("draft_incomplete"), 2, "a draft, and one that belongs to no curriculum");
    assert_eq!(count("draft_contradictory_complete"), 2, "one that takes too long, one that points to no step");
    assert_eq!(count("draft_non_contradictory_complete"), 9);
    let found: Vec<&Value> = items.iter().flat_map(|item| item["contradictions"].as_array().expect("a list")).collect();
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn serve_refuses_unusable_settings_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let serve = |arguments: &[&str]| refused(fieldbook("serve", folder.path()).args(arguments).output().expect("run"));
    assert_eq!(
        serve(&["--listen", "here"]),
        "fieldbook: the setting listen from the flag --listen cannot be \"here\"; give an IP address and a port, such as 127.0.0.1:8080"
    );
    assert!(serve(&["--schema", "/nowhere.json"]).starts_with("fieldbook: cannot read the schema /nowhere.json: "));
    assert!(serve(&["--config", "/nowhere.toml"]).ends_with("check --config"));
    assert!(serve(&["--assistant", "openai-compatible"]).ends_with("with --assistant-base-url"));
    assert!(
        serve(&["--assistant", "llamacpp", "--assistant-model", "m", "--listen", "127.0.0.1:8080"])
            .ends_with("such as --listen 127.0.0.1:8081")
    );
    assert!(serve(&["--assistant", "ollama"]).ends_with("with --assistant-model"));
    let model = ["--assistant", "openai", "--assistant-model", "m", "--assistant-base-url"];
    assert!(
        serve(&[&model[..], &["http://user@here/v1"]].concat())
            .starts_with("fieldbook: the language model cannot be asked: ")
    );
    let service = Service::start(folder.path());
    let taken = service.base.trim_start_matches("http://");
    assert!(serve(&["--listen", taken]).ends_with("choose another address with --listen"));
    let token = |arguments: &[&str]| refused(fieldbook("token", folder.path()).args(arguments).output().expect("run"));
    assert_eq!(token(&["--user", "me"]), "fieldbook: --user cannot be \"me\"; give 24 hexadecimal digits");
    assert_eq!(
        token(&["--user", TEACHER, "--auth-issuer", "https://id.example.org"]),
        "fieldbook: tokens are issued by the provider in auth.issuer or auth.jwks-url, so Fieldbook cannot sign one; get a token from the provider, or omit those settings"
    );
    assert!(token(&["--user", TEACHER, "--ttl", "9999999d"]).ends_with("use a shorter --ttl"));
    assert!(
        serve(&["--auth-hs256-secret", "0123456789012345678901234567890"]).contains("cannot be a text of 31 bytes")
    );
    assert!(serve(&["--auth-jwks-url", "http://id.example.org/"]).ends_with("or http:// on this machine"));
    assert!(token(&["--user", TEACHER, "--ttl", "soon"]).ends_with("give a time such as 30s, 15m, 12h or 7d"));
}

#[tokio::test(flavor = "multi_thread")]
async fn service_uses_the_configured_language_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let endpoint = Endpoint::start(finds_birds).await;
    let base_url = endpoint.settings().base_url;
    let service = Service::start_with(
        folder.path(),
        &["--assistant", "ollama", "--assistant-model", "muse", "--assistant-base-url", &base_url],
    );
    let created = service.teacher(folder.path()).post("/api/investigation", at_odds()).await;
    assert_eq!(found(&created.data()), ["model:muse phenomenon"], "{created}");
}

#[tokio::test]
async fn public_keys_are_fetched_from_the_configured_provider() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let (issuer, far) = (provider.issuer(), 253_402_300_799);
    let service = Service::start_with(folder.path(), &["--auth-issuer", &issuer, "--auth-audience", "fieldbook"]);
    let caller = Caller::of(service.base.clone());
    let list =
        async |claims: &Value| caller.clone().bearing(&key.token("k", claims)).get("/api/investigation").await.json();
    let claims = provider.claims(TEACHER, far);
    assert_eq!(list(&claims).await["data"]["pagination"]["total"], 0);
    let mut others = claims;
    others["aud"] = "others".into();
    assert_eq!(list(&others).await["code"], "invalid_token");
    assert!(!folder.path().join(SECRET_FILE).exists(), "no secret is made that nobody asks");
}

#[tokio::test]
async fn configured_rate_limits_are_enforced_by_the_service() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start_with(folder.path(), &["--assistant-rate-limit", "1"]);
    let teacher = service.teacher(folder.path());
    let path = teacher.create_path(json!({})).await;
    let ask = async || teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "title"})).await.status;
    assert_eq!((ask().await, ask().await), (StatusCode::OK, StatusCode::TOO_MANY_REQUESTS));
}

#[tokio::test]
async fn service_warns_once_of_each_untrusted_proxy_that_sends_forwarded_headers() {
    let warnings = async |arguments: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = doctor::on("serve", folder.path());
        program.args(["--log-format", "json"]).args(arguments).stderr(Stdio::piped());
        let mut service = Service::of(program);
        let caller = Caller::of(service.base.clone());
        caller.get("/health/live").await;
        ask_as_stranger(&service).await;
        for client in ["198.51.100.7", "198.51.100.8"] {
            caller.clone().with_header("x-forwarded-for", client).get("/api/link/k/s").await;
        }
        service.kill();
        let log = BufReader::new(service.process.stderr.take().expect("its log")).lines();
        let log: Vec<Value> = log.map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON")).collect();
        log.into_iter().filter(|line| line["level"] == "WARN").collect::<Vec<_>>()
    };
    let warned = warnings(&[]).await;
    let addresses: Vec<&Value> = warned.iter().map(|line| &line["address"]).collect();
    assert_eq!(addresses, ["127.0.0.2", "127.0.0.1"], "{warned:?}");
    assert_eq!(
        warned[1]["message"],
        "requests come with X-Forwarded-For from an address that is not a trusted proxy, so all its callers share one limit; if it is your proxy, add it to trusted-proxies"
    );
    assert!(warnings(&["--trusted-proxies", "127.0.0.1,127.0.0.2"]).await.is_empty());
}

/// Sends a request with `X-Forwarded-For` from 127.0.0.2, an address of this machine that the other clients do not
/// have.
async fn ask_as_stranger(service: &Service) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.2:0".parse().expect("an address")).expect("bound");
    let address = service.base.trim_start_matches("http://").parse().expect("an address");
    let mut stream = socket.connect(address).await.expect("connected");
    let request = "GET /api/link/k/s HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 198.51.100.7\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("written");
    stream.read_to_end(&mut Vec::new()).await.expect("answered");
}

#[tokio::test]
async fn termination_signal_ends_the_service_with_exit_code_0_and_loses_no_change() {
    let folder = tempfile::tempdir().expect("a folder");
    // If the tests run under nohup, their services ignore SIGHUP.
    let signals = if ignores_hangup("self") { vec!["-TERM", "-INT"] } else { vec!["-TERM", "-INT", "-HUP"] };
    for (round, signal) in signals.into_iter().enumerate() {
        let mut service = Service::start(folder.path());
        let teacher = service.teacher(folder.path());
        assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], round);
        teacher.create(json!({})).await;
        // The client keeps its connection open, and the service must still stop.
        let id = service.process.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill").success());
        assert_eq!(service.process.wait().expect("ended").code(), Some(0), "{signal}");
    }
}

#[test]
fn service_started_with_nohup_ignores_sighup() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Command::new("nohup");
    program.arg(env!("CARGO_BIN_EXE_fieldbook")).args(["serve", "--data"]).arg(folder.path()).stderr(Stdio::null());
    let service = Service::of(program);
    assert!(ignores_hangup(&service.process.id().to_string()));
}

/// Returns whether this process ignores SIGHUP.
fn ignores_hangup(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a status");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("signals").trim();
    // The lowest bit is that of SIGHUP.
    u64::from_str_radix(ignored, 16).expect("a number") & 1 == 1
}

#[test]
fn service_raises_a_low_limit_of_open_files_at_its_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Command::new("sh");
    program.args(["-c", "ulimit -S -n 256 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_fieldbook"), "serve"]);
    program.args(["--log-level", "error", "--data"]).arg(folder.path());
    let service = Service::of(program);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", service.process.id())).expect("the limits");
    let open_files = limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("a limit");
    let numbers: Vec<&str> = open_files.split_whitespace().take(2).collect();
    assert!(numbers[0] != "256" && numbers[0] == numbers[1], "{limits}");
}

#[test]
fn eval_command_measures_the_assistant_on_labeled_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("two.jsonl");
    let planted = json!({"id": "late", "labels": [
            {"type": "duration_sum", "fields": ["durationMinutes", "steps"]},
            {"type": "grade_level", "fields": ["title", "grade"]}],
        "doc": {"durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 20}]},
        "cleanTwinPatch": [{"path": "durationMinutes", "value": 20}]});
    let clean = json!({"id": "clean", "labels": [], "doc": {"steps": [{"text": "See step 3"}]}});
    std::fs::write(&file, format!("{planted}\n{clean}\n")).expect("written");
    let run = |more: &[&str]| fieldbook("eval", folder.path()).arg(&file).args(more).output().expect("run");
    insta::assert_snapshot!(text(&run(&["--verbose"]).stdout).trim_end(), @r#"
    missed late grade_level title | grade
    wrong clean rule:step_reference "step 3" refers to step 3, but the steps go from 1 to 1.
        steps.0.text: step 3
        steps.0.text: See step 3
    rules: 2 documents with 2 contradictions; 2 clean documents, including clean versions
      precision                         0.500  (1 of 2)
      recall                            0.500
      F1                                0.500
      false alarms for a clean document 0.500  (1)
      recall by kind
        duration_sum                             1.00  (1 of 1)
        grade_level                              0.00  (0 of 1)
    "#);
    assert_eq!(run(&["--fail-under", "0.4"]).status.code(), Some(0));
    let failed = run(&["--fail-under", "0.9"]);
    assert_eq!(
        (failed.status.code(), text(&failed.stderr).trim_end()),
        (Some(1), "fieldbook: F1 is 0.500, which is less than 0.9")
    );
    std::fs::write(&file, "{\"id\": 1}").expect("written");
    assert!(
        refused(run(&[])).contains("has no labelled documents: line 1: invalid type: integer `1`, expected a string")
    );
}
