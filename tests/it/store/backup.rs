//! Backups. A backup is one valid file of one moment, and a restored store equals the store that was backed up.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use fieldbook::store::{Store, StoreLocation};
use serde_json::json;

use super::moving::{assert_same_investigations, embedded as location, fill, ids};
use crate::support::process::{Service, on_no_backend, refused};
use crate::support::{TEACHER, TestApp};

const FILE: &str = "fieldbook.sqlite3";

/// Runs a command on the embedded store of this folder, even if the tests use PostgreSQL.
fn run(command: &str, file: &Path, data: &Path, more: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.arg(command).arg(file).arg("--data").arg(data).args(more).output().expect("run")
}

fn told(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

async fn embedded(folder: &Path) -> TestApp {
    TestApp::start_at(location(folder)).await.0
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_was_made_while_the_service_served_is_the_same_store_when_it_is_restored() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files, other] = folders.each_ref().map(|folder| folder.path());
    let app = embedded(data).await;
    let (_, teacher) = fill(&app).await;
    let file = files.join("today.backup");
    assert_eq!(
        told(&run("backup", &file, data, &[])),
        "backed up 3 investigations with 277 version records and 2 links; all of it was read and verified"
    );
    assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    let names: Vec<_> = files.read_dir().expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(names, ["today.backup"]);
    assert_eq!(
        told(&run("restore", &file, other, &[])),
        "restored 3 investigations with 277 version records and 2 links; all of it was read and verified"
    );
    assert_same_investigations(location(data), location(other)).await;
    let exported = |folder: &Path| run("export", Path::new("-"), folder, &[]).stdout;
    assert_eq!(exported(data), exported(other));
    // The backup does not contain later changes.
    teacher.create(json!({"title": "New"})).await;
    assert!(refused(run("backup", &file, data, &[])).ends_with("already exists; name a new file"));
    assert_eq!(told(&run("restore", &file, other, &["--replace"])).split(' ').nth(1), Some("3"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_replaced_only_on_demand_and_never_under_those_who_use_it() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files] = folders.each_ref().map(|folder| folder.path());
    let file = files.join("backup");
    let mut app = embedded(data).await;
    let teacher = app.signed_in(TEACHER);
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    told(&run("backup", &file, data, &[]));
    teacher.patch(&path, json!({"title": "Radish"})).await;
    assert_eq!(
        refused(run("restore", &file, data, &["--replace"])),
        format!(
            "fieldbook: the store in the folder {} is in use; stop the service and other commands first",
            data.display()
        )
    );
    app.stop().await;
    drop(app);
    assert!(refused(run("restore", &file, data, &[])).contains("back it up, then use --replace to replace it"));

    // The killed service has left a write-ahead log beside its file. The restore must remove the log, which belongs
    // to the replaced store.
    let mut service = Service::of(on_no_backend("serve", data));
    service.kill();
    told(&run("restore", &file, data, &["--replace"]));
    let app = embedded(data).await;
    let teacher = app.signed_in(TEACHER);
    assert_eq!(teacher.get(&path).await.data()["title"], "Cress");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_sound_store_of_this_program_is_not_restored() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files] = folders.each_ref().map(|folder| folder.path());
    let file = files.join("backup");
    let mut app = embedded(data).await;
    let teacher = app.signed_in(TEACHER);
    for n in 0..50 {
        teacher.create(json!({"title": n.to_string(), "text": "x".repeat(2000)})).await;
    }
    app.stop().await;
    drop(app);
    told(&run("backup", &file, data, &[]));
    let sound = std::fs::read(&file).expect("bytes");
    let not_restored = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("written");
        let said = refused(run("restore", &file, data, &["--replace"]));
        assert!(!data.join("fieldbook.sqlite3.part").exists(), "{said}");
        said
    };
    assert!(not_restored(b"nonsense, which is long enough to be looked at").contains("file is not a database"));
    assert!(not_restored(&sound[..sound.len() / 2]).contains("is not a sound store"));
    let mut damaged = sound.clone();
    for byte in damaged.iter_mut().skip(8192).step_by(512).take(100) {
        *byte ^= 0xff;
    }
    assert!(not_restored(&damaged).contains("is not a sound store"));
    assert!(not_restored(b"").contains("is not a store of Fieldbook"));
    for (statement, words) in [
        ("PRAGMA user_version = 99", "was written by a newer Fieldbook"),
        ("PRAGMA application_id = 7", "is not a store of Fieldbook"),
        (
            "CREATE TRIGGER spy AFTER INSERT ON link BEGIN DELETE FROM chat; END",
            "is not a sound store: the trigger spy is not Fieldbook's; undo that",
        ),
        ("DROP INDEX link_by_investigation", "is not a sound store: the index link_by_investigation is missing"),
        (
            "DROP INDEX link_by_investigation; CREATE INDEX link_by_investigation ON link (n)",
            "is not a sound store: the index link_by_investigation is not as Fieldbook creates it",
        ),
        (
            "PRAGMA foreign_keys = OFF; DELETE FROM investigation WHERE body = 7",
            "some rows refer to rows that are missing",
        ),
    ] {
        let changed = files.join("changed");
        std::fs::write(&changed, &sound).expect("written");
        rusqlite::Connection::open(&changed).expect("a store").execute_batch(statement).expect("changed");
        let said = not_restored(&std::fs::read(&changed).expect("bytes"));
        assert!(said.contains(words), "{said}");
    }
    let store = Store::open(StoreLocation { migrate: false, ..location(data) }).await.expect("a store");
    assert_eq!(ids(&store).await.len(), 50, "the store is what it was");
    store.close().await;
    assert!(refused(run("restore", &files.join("none"), data, &["--replace"])).contains("cannot copy the backup"));
    assert_eq!(
        std::fs::read_dir(data).expect("a folder").filter(|e| e.as_ref().is_ok_and(|e| e.file_name() == FILE)).count(),
        1
    );
}

#[test]
fn on_postgres_the_tools_that_do_it_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let on = ["--database", "postgres://fieldbook@db/fieldbook"];
    let said = refused(run("backup", Path::new("/b"), folder.path(), &on));
    assert!(said.contains("pg_dump --format=custom --file=/b") && said.contains("fieldbook export"), "{said}");
    let said = refused(run("restore", Path::new("/b"), folder.path(), &on));
    assert!(said.contains("pg_restore") && said.contains("fieldbook import"), "{said}");
    let said = refused(run("backup", Path::new("/b"), folder.path(), &[]));
    assert!(said.contains("no store exists in the folder"), "{said}");
}
