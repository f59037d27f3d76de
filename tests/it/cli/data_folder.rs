//! A data folder with a second service, and one in which a restore was killed.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use super::doctor::on;
use crate::support::process::{Service, on_no_backend, refused};

/// Starts a service with a JSON log on this folder. Returns the service and the warnings that it logs during its start.
fn started_with_warnings(folder: &Path) -> (Service, Vec<Value>) {
    let mut program = on("serve", folder);
    program.args(["--log-format", "json"]).stderr(Stdio::piped());
    let mut service = Service::of(program);
    let log = BufReader::new(service.process.stderr.take().expect("its log")).lines();
    let log = log.map(|line| serde_json::from_str::<Value>(&line.expect("a line")).expect("JSON"));
    let before: Vec<Value> = log.take_while(|line| line["message"] != "started").collect();
    (service, before.into_iter().filter(|line| line["level"] == "WARN").collect())
}

#[test]
fn second_service_on_a_data_folder_logs_a_warning_and_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut first, alone) = started_with_warnings(folder.path());
    assert!(alone.is_empty(), "{alone:?}");
    let (mut second, warned) = started_with_warnings(folder.path());
    assert_eq!(warned.len(), 1, "{warned:?}");
    assert_eq!(warned[0]["message"], "another service uses this data folder; stop one of them");
    assert_eq!(warned[0]["folder"], folder.path().display().to_string());
    // Commands other than `serve` may use the folder of a running service. A killed service leaves no lock.
    assert!(on_no_backend("demo", folder.path()).output().expect("run").status.success());
    first.kill();
    second.kill();
    let (_third, alone) = started_with_warnings(folder.path());
    assert!(alone.is_empty(), "{alone:?}");
}

#[test]
fn files_of_a_killed_restore_are_removed_unless_another_restore_is_running() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = || on_no_backend("migrate", folder.path()).output().expect("run");
    assert!(run().status.success());
    let names = || {
        let entries = folder.path().read_dir().expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().expect("a text")).collect();
        names.sort();
        names
    };
    let left = ["", "-journal", "-shm", "-wal"].map(|ending| format!("fieldbook.sqlite3.part{ending}"));
    for name in left.iter().map(String::as_str).chain(["today.backup.part"]) {
        std::fs::write(folder.path().join(name), "half a store").expect("written");
    }
    let restoring = std::fs::File::open(folder.path()).expect("the folder");
    restoring.lock().expect("locked");
    let refusal = refused(run());
    assert!(refusal.contains("a backup is being restored in the folder"), "{refusal}");
    assert!(left.iter().all(|name| names().contains(name)), "{:?}", names());
    drop(restoring);
    assert!(run().status.success());
    assert_eq!(names(), ["fieldbook.sqlite3", "today.backup.part"]);
}

#[test]
fn failed_start_does_not_replace_a_symbolic_link_to_a_missing_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("fieldbook.sqlite3");
    symlink(folder.path().join("unmounted/fieldbook.sqlite3"), &link).expect("a link");
    // If the first start removed the symbolic link, the second start would use an empty store.
    for _ in 0..2 {
        let refusal = refused(on_no_backend("migrate", folder.path()).output().expect("run"));
        assert!(refusal.contains("cannot open or create the store"), "{refusal}");
        assert!(link.is_symlink());
    }
}
