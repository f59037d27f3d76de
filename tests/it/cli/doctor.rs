//! `fieldbook doctor`. Each test runs the program with real folders, stores and services.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

use rusqlite::Connection;
use serde_json::Value;

use super::text;
use crate::support::process::Service;
use crate::support::{TEACHER, compact, without_store_version};

/// Returns the command that an operator runs on the embedded store.
pub(super) fn on(command: &str, data: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.arg(command).arg("--data").arg(data);
    // Removes the variables of the tests, which the doctor would report.
    program.env_remove("FIELDBOOK_TEST_POSTGRES").env_remove("FIELDBOOK_TEST_STORE");
    program
}

fn run(mut program: Command, arguments: &[&str]) -> Output {
    program.args(arguments).output().expect("run")
}

/// Returns the exit code and the whole report about this folder.
pub(super) fn told(data: &Path, arguments: &[&str]) -> String {
    let output = run(on("doctor", data), arguments);
    let said =
        format!("exit {}\n{}{}", output.status.code().expect("a code"), text(&output.stdout), text(&output.stderr));
    without_store_version(&said.replace(&data.display().to_string(), "DATA"))
}

/// Returns the exit code and only the lines about these checks.
pub fn told_of(checks: &[&str], data: &Path, arguments: &[&str]) -> String {
    let all = told(data, arguments);
    let is_one = |line: &&str| checks.iter().any(|check| line.get(9..).is_some_and(|line| line.starts_with(check)));
    all.lines().take(1).chain(all.lines().filter(is_one)).collect::<Vec<_>>().join("\n")
}

/// Creates a data folder with a store and a secret that no process uses.
pub fn filled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("set");
    for (command, arguments) in [("token", vec!["--user", TEACHER]), ("migrate", vec![])] {
        assert!(run(on(command, folder.path()), &arguments).status.success());
    }
    folder
}

pub(super) fn change(folder: &Path, sql: &str) {
    let store = Connection::open(folder.join("fieldbook.sqlite3")).expect("a store");
    store.execute_batch(sql).expect("changed");
}

/// Returns the name and the bytes of each file in a folder.
fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut all: Vec<_> = entries.map(|path| (path.display().to_string(), fs::read(&path).expect("a file"))).collect();
    all.sort();
    all
}

#[test]
fn doctor_before_the_first_start_creates_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    insta::assert_snapshot!(told(&data, &[]), @"
    exit 0
    ok       settings           valid; set: data from the flag --data
    ok       schema             it and its rules can be used
    ok       data-folder        DATA does not exist yet; the first start creates it
    ok       secret             does not exist; the next start creates one, and older tokens stop working
    warning  store              SQLite in DATA has no store yet; if you expected one, check --data; the first start creates an empty store
    ok       webhooks           not set up
    ok       identity-provider  not set up
    ok       profile-service    not set up
    ok       language-model     not set up
    ");
    assert!(!data.exists());
}

#[test]
fn doctor_leaves_a_healthy_store_unchanged_to_the_byte() {
    let folder = filled();
    let before = bytes(folder.path());
    insta::assert_snapshot!(told(folder.path(), &[]), @"
    exit 0
    ok       settings           valid; set: data from the flag --data
    ok       schema             it and its rules can be used
    ok       data-folder        DATA exists, and only its owner can read it
    ok       disk               more than 1 GiB is free
    ok       secret             exists, is long enough, and only its owner can read it
    ok       store              SQLite in DATA
    ok       store-version      is up to date (store version N)
    ok       store-integrity    all of it is readable
    ok       store-writes       it accepts writes
    ok       webhooks           not set up
    ok       identity-provider  not set up
    ok       profile-service    not set up
    ok       language-model     not set up
    ");
    assert_eq!(bytes(folder.path()), before);
}

#[test]
fn doctor_checks_a_store_in_use_without_changing_its_write_ahead_log() {
    let folder = filled();
    let mut service = Service::of(on("serve", folder.path()));
    let report = told_of(&["store"], folder.path(), &[]);
    insta::assert_snapshot!(report, @"
    exit 0
    ok       store              SQLite in DATA
    ok       store-version      is up to date (store version N)
    ok       store-integrity    all of it is readable
    ok       store-writes       it accepts writes
    ");
    // The killed service leaves a write-ahead log for its next start. The doctor must change neither log nor store.
    service.kill();
    let before = bytes(folder.path());
    assert_eq!(told_of(&["store"], folder.path(), &[]), report);
    let without_memory = |all: Vec<(String, Vec<u8>)>| -> Vec<_> {
        all.into_iter().filter(|(name, _)| !name.ends_with("-shm")).collect()
    };
    assert_eq!(without_memory(bytes(folder.path())), without_memory(before));
}

#[test]
fn doctor_reports_a_damaged_store_as_a_problem() {
    let folder = filled();
    let path = folder.path().join("fieldbook.sqlite3");
    let mut store = fs::read(&path).expect("a store");
    store[8192..40960].fill(7);
    fs::write(&path, store).expect("written");
    let said = told_of(&["store-integrity"], folder.path(), &[]);
    assert!(said.starts_with("exit 1\nproblem  store-integrity    it is damaged: "), "{said}");
    assert!(said.ends_with("; stop the service, keep the files, and restore a backup with fieldbook restore"));
}

#[test]
fn doctor_warns_of_files_readable_by_others_and_of_a_short_secret() {
    let folder = filled();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    let secret = folder.path().join(fieldbook::tokens::SECRET_FILE);
    mode(folder.path(), 0o755);
    mode(&secret, 0o644);
    insta::assert_snapshot!(told_of(&["data-folder", "secret"], folder.path(), &[]), @"
    exit 0
    warning  data-folder        DATA can be read by other users (mode 755); run: chmod 700 DATA
    warning  secret             the file auth-hs256-secret can be read by other users (mode 644); the next start restricts its permissions; if somebody may have read it, delete it, which invalidates all tokens
    ");
    fs::write(&secret, "short").expect("written");
    insta::assert_snapshot!(told_of(&["secret"], folder.path(), &[]), @"
    exit 1
    problem  secret             the file auth-hs256-secret cannot be used: it has fewer than 32 bytes; delete the file so that a new one is created, or set --auth-hs256-secret
    ");
    insta::assert_snapshot!(told_of(&["data-folder", "store", "secret"], &secret, &[]), @"
    exit 1
    problem  data-folder        DATA cannot be used: it is not a folder; choose another with --data
    problem  secret             the file auth-hs256-secret cannot be read: Not a directory (os error 20); make the service's user its owner, or run this command as that user
    problem  store              cannot check the store DATA/fieldbook.sqlite3: Not a directory (os error 20); check --data
    ");
}

#[test]
fn doctor_reports_an_unwritable_folder_with_a_remedy() {
    let folder = filled();
    let path = folder.path();
    fs::set_permissions(path, fs::Permissions::from_mode(0o500)).expect("set");
    // Root may read and write everything, so the doctor runs as `nobody`, if `nobody` can run the program.
    let mut program = on("doctor", path);
    if path.metadata().expect("a folder").uid() == 0 {
        let nobody = 65534;
        for file in path.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()) {
            chown(file, Some(nobody), None).expect("given");
        }
        chown(path, Some(nobody), None).expect("given");
        program.uid(nobody);
    }
    let output = program.output();
    // Without write access, the folder cannot be removed.
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).expect("set");
    let Ok(output) = output else { return };
    let said = text(&output.stdout).replace(&path.display().to_string(), "DATA");
    let of_rights = |line: &&str| line.starts_with("problem");
    insta::assert_snapshot!(said.lines().filter(of_rights).collect::<Vec<_>>().join("\n"), @"
    problem  data-folder        DATA is not writable for this user; make the service's user its owner, or run this command as that user
    problem  store              this user may not write the store DATA/fieldbook.sqlite3 and its folder; run this command as the service's user, or change their owner
    ");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn doctor_reports_an_invalid_setting_and_an_invalid_schema() {
    let folder = filled();
    insta::assert_snapshot!(told(folder.path(), &["--listen", "here"]), @r#"
    exit 1
    problem  settings           the setting listen from the flag --listen cannot be "here"; give an IP address and a port, such as 127.0.0.1:8080
    fieldbook: there is a problem
    "#);
    let schema = folder.path().join("schema.json");
    fs::write(&schema, r#"{"type": "nothing"}"#).expect("written");
    let schema = schema.display().to_string();
    insta::assert_snapshot!(told_of(&["schema"], folder.path(), &["--schema", &schema]), @"
    exit 1
    problem  schema             the schema DATA/schema.json cannot be used: at /type: value is not valid under any of the schemas listed in the 'anyOf' keyword; correct it, or omit --schema
    ");
}

#[test]
fn doctor_warns_if_people_sign_in_without_tls() {
    let folder = filled();
    let told = told_of(&["settings"], folder.path(), &["--public-url", "http://book.school.example"]);
    insta::assert_snapshot!(told, @"
    exit 0
    ok       settings           valid; set: data from the flag --data, public-url from the flag --public-url
    warning  settings           public-url begins with http://, so others in the network can read passwords, sign-in codes and cookies; put a proxy with TLS in front of the service, and set public-url to its address, with https://
    ");
}

#[test]
fn json_output_of_doctor_has_every_check_under_a_stable_name() {
    let folder = filled();
    let output = run(on("doctor", folder.path()), &["--json", "--profiles-url", "http://127.0.0.1:1"]);
    let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), &said["level"]), (Some(1), &Value::from("problem")));
    let names: Vec<&str> =
        said["findings"].as_array().expect("a list").iter().filter_map(|f| f["check"].as_str()).collect();
    insta::assert_snapshot!(names.join(" "), @"settings schema data-folder disk secret store store-version store-integrity store-writes webhooks identity-provider profile-service language-model");
    let profiles = said["findings"].as_array().expect("a list").iter().find(|f| f["check"] == "profile-service");
    insta::assert_snapshot!(compact(profiles.expect("a finding")), @r#"
    {
      "check": "profile-service", "level": "problem",
      "message": "authors will have no names: it cannot be reached: transport error: tcp connect error: tcp connect error: Connection refused (os error 111)",
      "remedy": "check profiles-url and the service at that address"
    }
    "#);
}
