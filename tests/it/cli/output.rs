//! The output of commands: a command fails if its output cannot be written, and untrusted text reaches the terminal
//! only escaped.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use fieldbook::store::{FixableError, StoreError};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::doctor::filled;
use super::text;
use crate::support::TEACHER;
use crate::support::process::{Service, fieldbook, on_no_backend};

/// Runs a command whose standard output is a full disk. Returns its standard error.
fn on_full_disk(mut program: Command) -> String {
    let full = File::options().write(true).open("/dev/full").expect("a full disk");
    let output = program.stdout(full).output().expect("run");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    text(&output.stderr)
}

const FULL: &str = "No space left on device (os error 28)\n";

#[test]
fn every_command_fails_if_its_output_cannot_be_written() {
    let folder = filled();
    let file = folder.path().join("lines.jsonl");
    fs::write(&file, "{\"fieldbook\":{\"form\":2}}\nno line\n").expect("written");
    let lines = file.to_str().expect("a path");
    let backup = folder.path().join("a.backup").display().to_string();
    let labelled = folder.path().join("labelled.jsonl");
    fs::write(&labelled, format!("{}\n", json!({"id": "a", "labels": [], "doc": {"title": "Cress"}})))
        .expect("written");
    for (command, arguments) in [
        ("token", vec!["--user", TEACHER]),
        ("demo", vec![]),
        ("migrate", vec![]),
        ("doctor", vec![]),
        ("doctor", vec!["--json"]),
        ("eval", vec![labelled.to_str().expect("a path")]),
        ("import", vec![lines]),
        ("import", vec![lines, "--dry-run"]),
        ("backup", vec![&backup]),
        ("restore", vec![&backup, "--replace"]),
        ("export", vec![]),
    ] {
        let mut program = on_no_backend(command, folder.path());
        program.args(&arguments);
        let said = on_full_disk(program);
        assert!(said.ends_with(&format!("cannot write to standard output: {FULL}")), "{command}: {said}");
    }
    let service = Service::start(folder.path());
    let mut check = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    check.args(["healthcheck", "--listen", service.base.trim_start_matches("http://")]);
    assert!(on_full_disk(check).ends_with(FULL));
    for argument in [vec!["--help-settings"], vec!["completions", "bash"]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
        program.args(argument);
        assert!(on_full_disk(program).ends_with(FULL));
    }
}

#[test]
fn api_key_is_not_added_if_it_cannot_be_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(fieldbook("migrate", folder.path()).output().expect("run").status.success());
    let mut add = fieldbook("keys add", folder.path());
    add.arg("Export");
    assert_eq!(on_full_disk(add), format!("fieldbook: cannot write to standard output: {FULL}"));
    let keys = || text(&fieldbook("keys list", folder.path()).output().expect("run").stdout);
    assert_eq!(keys().lines().count(), 1, "{}", keys());
    assert!(on_full_disk(fieldbook("keys list", folder.path())).ends_with(FULL));
    let added = fieldbook("keys add", folder.path()).arg("Export").output().expect("run");
    assert_eq!((added.status.code(), text(&added.stdout).lines().count()), (Some(0), 1));
    assert_eq!(keys().lines().count(), 2, "{}", keys());
}

#[test]
fn service_runs_even_if_standard_output_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let full = File::options().write(true).open("/dev/full").expect("a full disk");
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--data"]).arg(folder.path());
    let process = program.stdout(full).stderr(Stdio::piped()).spawn().expect("the service");
    let mut service = Service { process, base: String::new() };
    let log = BufReader::new(service.process.stderr.take().expect("its log")).lines();
    let mut log = log.map(|line| serde_json::from_str::<Value>(&line.expect("a line")).expect("JSON"));
    let started = log.find(|line| line["message"] == "started").expect("a line");
    let address = started["address"].as_str().expect("an address");
    let check = on_no_backend("healthcheck", folder.path()).args(["--listen", address]).output().expect("run");
    assert_eq!(text(&check.stdout), "ready\n");
}

/// Returns what a command wrote to standard output and standard error. Fails if this contains control characters that a
/// terminal would execute.
fn printed(output: &Output) -> String {
    let printed = text(&output.stdout) + text(&output.stderr).as_str();
    let obeyed = printed.chars().find(|sign| sign.is_control() && !['\n', '\t'].contains(sign));
    assert_eq!(obeyed, None, "{printed:?}");
    printed
}

const HOSTILE: &str = "\u{1b}[31m\nfake\u{9b}\u{202e}";
const ESCAPED: &str = r"\u001b[31m\u000afake\u009b\u202e";

#[test]
fn commands_escape_untrusted_text_in_their_output() {
    let folder = filled();
    let path = folder.path();
    let run = |command: &str, arguments: &[&str]| on_no_backend(command, path).args(arguments).output().expect("run");
    // A hostile line in a file to import.
    let file = path.join("lines.jsonl");
    let line = json!({ HOSTILE: 1 });
    fs::write(&file, format!("{{\"fieldbook\":{{\"form\":2}}}}\n{line}\n")).expect("written");
    let imported = printed(&run("import", &[file.to_str().expect("a path"), "--dry-run"]));
    let expected = format!("line 2 is not a line of an export: unknown variant `{ESCAPED}`");
    assert!(imported.starts_with(&expected) && imported.lines().count() == 3, "{imported}");
    // A hostile file name.
    let named = printed(&run("import", &[&format!("/nowhere/{HOSTILE}")]));
    assert!(named.contains(&format!("/nowhere/{ESCAPED}")), "{named}");
    // A hostile label in a document for `eval`.
    let document =
        json!({"id": HOSTILE, "labels": [{"type": HOSTILE, "fields": ["a", "b"]}], "doc": {"title": "Cress"}});
    fs::write(&file, document.to_string()).expect("written");
    let measured = printed(&run("eval", &[file.to_str().expect("a path"), "--verbose"]));
    assert!(measured.contains(&format!("missed {ESCAPED} {ESCAPED} a | b")), "{measured}");
    // A hostile name in a row of the store.
    assert!(run("keys add", &["Export"]).status.success());
    let store = Connection::open(path.join("fieldbook.sqlite3")).expect("a store");
    store.execute("UPDATE api_key SET name = ?1", [HOSTILE]).expect("changed");
    drop(store);
    let keys = printed(&run("keys list", &[]));
    assert!(keys.contains(&format!("\t{ESCAPED}\n")), "{keys}");
    // A hostile setting. The report must still be valid JSON.
    let report = printed(&run("doctor", &["--json", "--schema", &format!("/nowhere/{HOSTILE}")]));
    let report = report.split_once("fieldbook: ").expect("a summary").0;
    let report: Value = serde_json::from_str(report).expect("JSON");
    assert!(report.to_string().contains(r"\u001b[31m\nfake"), "{report}");
}

#[test]
fn errors_of_import_and_demo_are_worded_for_the_command_line() {
    let folder = filled();
    let path = folder.path();
    assert!(on_no_backend("demo", path).output().expect("run").status.success());
    let export = path.join("all.jsonl").display().to_string();
    assert!(on_no_backend("export", path).arg(&export).output().expect("run").status.success());
    let store = Connection::open(path.join("fieldbook.sqlite3")).expect("a store");
    store.execute("UPDATE investigation SET findings = '['", []).expect("changed");
    drop(store);
    let imported = printed(&on_no_backend("import", path).arg(&export).output().expect("run"));
    let said = imported.lines().last().expect("a sentence");
    assert!(said.starts_with("fieldbook: line 2: a part of the store is damaged: "), "{imported}");
    let remedy = "; check with fieldbook doctor and restore a backup; what was imported before is kept; repeat the import \
                 to continue";
    assert!(said.ends_with(remedy), "{imported}");
    let schema = path.join("schema.json");
    let strict = json!({"type": "object", "properties": {"title": {"type": "string", "maxLength": 3}}});
    fs::write(&schema, strict.to_string()).expect("written");
    let empty = tempfile::tempdir().expect("a folder");
    let demo =
        on_no_backend("demo", empty.path()).args(["--schema", schema.to_str().expect("a path")]).output().expect("run");
    let demo = printed(&demo);
    assert!(demo.contains(".json: it violates the content schema: title must have at most 3 characters"), "{demo}");
    for (kind, words) in [
        (FixableError::DiskFull, "the disk of the store is full: R; free some space"),
        (FixableError::ReadOnly, "the store is not writable: R; give the service's user write permission"),
        (
            FixableError::Files,
            "the files of the store can be neither read nor written now: R; check the disk and the limit of open files",
        ),
    ] {
        assert_eq!(StoreError::Fixable { kind, reason: "R".to_owned() }.to_string(), words);
    }
}
