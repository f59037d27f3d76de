//! Backups. A backup is one valid file of one moment, and a restored store equals the store that was backed up.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use fieldbook::domain::audit::AuditActor;
use fieldbook::store::sqlite::backup::{self, Allowed};
use fieldbook::store::{SignIn, Stamp, Store, StoreLocation};
use serde_json::json;

use super::export::without_commands;
use super::moving::{assert_same_investigations, embedded as location, fill, ids};
use crate::http::people::person;
use crate::support::process::{Service, on_no_backend, refused};
use crate::support::{Caller, TEACHER, TestApp};

const FILE: &str = "fieldbook.sqlite3";

/// Length of the line with the checksum at the end of a backup.
const LINE: usize = 90;

/// Runs a command on the embedded store of this folder, even if the tests use PostgreSQL.
fn run(command: &str, file: &Path, data: &Path, more: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.arg(command).arg(file).arg("--data").arg(data).args(more).output().expect("run")
}

fn told(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// Returns the names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().expect("a text")).collect();
    names.sort();
    names
}

async fn embedded(folder: &Path) -> TestApp {
    TestApp::start_at(location(folder)).await.0
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_made_while_the_service_runs_restores_the_same_store() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files, other] = folders.each_ref().map(|folder| folder.path());
    let app = embedded(data).await;
    let (_, teacher) = fill(&app).await;
    let file = files.join("today.backup");
    assert_eq!(
        told(&run("backup", &file, data, &[])),
        "backed up 3 investigations with 278 version records and 2 links; its pages are sound; check the rows with fieldbook doctor"
    );
    assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    assert_eq!(names(files), ["today.backup"]);
    assert_eq!(
        told(&run("restore", &file, other, &[])),
        format!(
            "restored 3 investigations with 278 version records and 2 links in the folder {}; its pages are sound; check the rows with fieldbook doctor",
            other.display()
        )
    );
    assert_same_investigations(location(data), location(other)).await;
    let exported =
        |folder: &Path| String::from_utf8(run("export", Path::new("-"), folder, &[]).stdout).expect("a text");
    assert_eq!(without_commands(&exported(data)), without_commands(&exported(other)));
    // The backup does not contain later changes.
    teacher.create(json!({"title": "New"})).await;
    assert!(refused(run("backup", &file, data, &[])).ends_with("already exists; name a new file"));
    assert_eq!(told(&run("restore", &file, other, &["--replace"])).split(' ').nth(1), Some("3"));
}

#[tokio::test(flavor = "multi_thread")]
async fn backups_and_exports_have_no_sessions_and_importing_new_rows_ends_all_sessions() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files, other] = folders.each_ref().map(|folder| folder.path());
    let app = embedded(data).await;
    let (store, now) = (&app.app.store, app.clock.now());
    let stamp = Stamp { actor: AuditActor::default(), at: now };
    let ada = person(TEACHER, "Ada", None);
    let [link, session, newer] = ["a", "b", "c"].map(|digit| digit.repeat(64));
    let teacher = app.signed_in(TEACHER);
    let lesson = teacher.create_path(json!({"title": "Cress"})).await;
    store.invite_person(ada.clone(), link.clone(), stamp).await.expect("invited");
    let signed_in = store.sign_in_by_link(link.clone(), session.clone(), None, now).await.expect("signed in");
    assert!(matches!(signed_in, SignIn::Done(_)), "{signed_in:?}");
    store.make_sign_in_link(ada.id, newer.clone(), stamp).await.expect("made");
    let count = |folder: &Path| {
        let store = rusqlite::Connection::open(folder.join(FILE)).expect("a store");
        let count = "SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM sign_in_link)";
        store.query_row(count, [], |row| row.get::<_, i64>(0)).expect("a number")
    };
    let (backup, lines) = (files.join("backup"), files.join("lines"));
    told(&run("backup", &backup, data, &[]));
    assert!(run("export", &lines, data, &[]).status.success());
    for file in [&backup, &lines] {
        let bytes = std::fs::read(file).expect("a file");
        for secret in [&link, &session, &newer] {
            assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "{file:?}");
        }
    }
    told(&run("restore", &backup, other, &[]));
    assert_eq!((count(data), count(other)), (2, 0));
    // An import ends the sessions only if it adds something. This import adds nothing.
    assert!(run("import", &lines, data, &[]).status.success());
    assert_eq!(count(data), 2);
    assert_eq!(teacher.delete(&lesson).await.status, 200);
    assert!(run("import", &lines, data, &[]).status.success());
    assert_eq!(count(data), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn restore_replaces_a_store_only_with_the_replace_flag_and_while_it_is_not_in_use() {
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
async fn restore_refuses_damaged_backups_and_files_that_are_not_backups() {
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
    let mut sound = std::fs::read(&file).expect("bytes");
    sound.truncate(sound.len() - LINE);
    let not_restored = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("written");
        let said = refused(run("restore", &file, data, &["--replace"]));
        assert!(
            said.contains(&format!("{} has no checksum, so it is no backup, or its end is missing", file.display())),
            "{said}"
        );
        let said = refused(run("restore", &file, data, &["--replace", "--without-checksum"]));
        assert!(!names(data).iter().any(|name| name.contains(".part")), "{said}");
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
    assert!(
        refused(run("restore", &files.join("none"), data, &["--replace"]))
            .ends_with("none: No such file or directory (os error 2); check the path")
    );
    assert_eq!(
        std::fs::read_dir(data).expect("a folder").filter(|e| e.as_ref().is_ok_and(|e| e.file_name() == FILE)).count(),
        1
    );
}

/// The end of the message about a file without a checksum.
const WITHOUT: &str = "has no checksum, so it is no backup, or its end is missing and it is damaged; restore another backup; only if it is a copy of a store that was stopped, use --without-checksum, which does not notice all damage";

/// Creates a store with one investigation in `data` and a backup of it at `file`.
async fn backed_up(data: &Path, file: &Path) {
    let mut app = embedded(data).await;
    let path = app.signed_in(TEACHER).create_path(json!({"title": "Cress"})).await;
    app.signed_in(TEACHER).patch(&path, json!({"title": "Radish", "text": "seed ".repeat(4000)})).await;
    app.stop().await;
    told(&run("backup", file, data, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_with_any_flipped_bit_or_missing_byte_is_refused() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files, other] = folders.each_ref().map(|folder| folder.path());
    let file = files.join("today.backup");
    backed_up(data, &file).await;
    let sound = std::fs::read(&file).expect("bytes");
    let restored = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("written");
        let restored = backup::restore(&file, other, Allowed { replace: true, without_checksum: false });
        restored.map_err(|error| error.to_string())
    };
    // Flips one bit in each page, at different offsets, and in every byte of the last line.
    let pages = (sound.len() - LINE) / 4096;
    let in_pages = (0..pages).map(|page| (page * 4096 + page * 1361 % 4096, 1 << (page % 8)));
    let in_line = (sound.len() - LINE..sound.len()).map(|place| (place, 1));
    let (mut count, mut seen) = (0, 0);
    for (place, bit) in in_pages.chain(in_line) {
        let mut flipped = sound.clone();
        flipped[place] ^= bit;
        let said = restored(&flipped).expect_err("refused");
        assert!(said.starts_with(&format!("{} ", file.display())), "{said}");
        seen += usize::from(said.ends_with("is damaged: its checksum does not match; restore another backup"));
        count += 1;
    }
    assert!(pages > 50 && count == pages + LINE && seen > pages, "{pages} {count} {seen}");
    for length in (0..sound.len()).step_by(4096).chain([sound.len() - LINE]) {
        let said = restored(&sound[..length]).expect_err("refused");
        assert_eq!(said, format!("{} {WITHOUT}", file.display()));
    }
    // The last line is cut, or bytes follow it.
    for bytes in [&sound[..sound.len() - 1], &sound[..sound.len() - 60], &[&sound[..], b"\n\n"].concat()] {
        std::fs::write(&file, bytes).expect("written");
        for more in [&[][..], &["--without-checksum"]] {
            assert_eq!(
                refused(run("restore", &file, other, more)),
                format!(
                    "fieldbook: {} is damaged: its checksum does not match; restore another backup",
                    file.display()
                )
            );
        }
    }
    assert_eq!(names(other), Vec::<String>::new(), "nothing is left behind");
    assert_eq!(restored(&sound).expect("restored").investigations, 1);
    assert_same_investigations(location(data), location(other)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn checksum_of_a_backup_can_be_verified_with_standard_tools() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files] = folders.each_ref().map(|folder| folder.path());
    let file = files.join("today.backup");
    backed_up(data, &file).await;
    let by_hand = "head -c -90 today.backup | sha256sum; tail -n 1 today.backup";
    let output = Command::new("sh").args(["-c", by_hand]).current_dir(files).output().expect("run");
    let said = String::from_utf8(output.stdout).expect("a text");
    let (computed, stored) = said.split_once("  -\nfieldbook-backup sha256:").expect("two lines");
    assert_eq!(computed, stored.trim_end());
    let manual = include_str!("../../../docs/operators/backup.md");
    assert!(manual.contains("head -c -90 today.backup | sha256sum"), "the manual says how");
    // Every program that knows SQLite can read a backup.
    let store = rusqlite::Connection::open(&file).expect("a store");
    let titles: i64 = store.query_row("SELECT count(*) FROM investigation", [], |row| row.get(0)).expect("a count");
    assert_eq!(titles, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_of_the_store_file_is_restored_only_with_the_without_checksum_flag() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, other] = folders.each_ref().map(|folder| folder.path());
    backed_up(data, &other.join("unused")).await;
    let file = data.join(FILE);
    assert!(refused(run("restore", &file, other, &[])).ends_with(WITHOUT));
    assert_eq!(
        told(&run("restore", &file, other, &["--without-checksum"])),
        format!(
            "restored 1 investigations with 1 version records and 0 links in the folder {}; its pages are sound; check the rows with fieldbook doctor",
            other.display()
        )
    );
    assert_same_investigations(location(data), location(other)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn restore_refuses_a_store_file_next_to_a_write_ahead_log_and_accepts_a_backup_of_that_store() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, other, files] = folders.each_ref().map(|folder| folder.path());
    let mut service = Service::of(on_no_backend("serve", data));
    let token = told(&on_no_backend("token", data).args(["--user", TEACHER]).output().expect("run"));
    let teacher = Caller::of(service.base.clone()).bearing(&token);
    teacher.create(json!({"title": "Cress"})).await;
    service.kill();
    let (file, link) = (data.join(FILE), files.join("latest"));
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    for source in [&file, &link] {
        for more in [&[][..], &["--without-checksum"]] {
            let said = refused(run("restore", source, other, more));
            assert!(said.contains(&format!("{FILE}-wal next to the file has changes that the file lacks; ")), "{said}");
        }
    }
    assert_eq!(names(other), Vec::<String>::new());
    // This is the remedy that the message names.
    let backup = files.join("today.backup");
    told(&on_no_backend("migrate", data).output().expect("run"));
    told(&run("backup", &backup, data, &[]));
    assert!(told(&run("restore", &backup, other, &[])).starts_with("restored 1 investigations"));
    assert_same_investigations(location(data), location(other)).await;
    // A restore must not ignore a log beside the backup, and a new backup must not be created beside an old log.
    for ending in ["wal", "journal"] {
        let log = files.join(format!("today.backup-{ending}"));
        std::fs::write(&log, "changes").expect("written");
        let said = refused(run("restore", &backup, other, &["--replace"]));
        assert!(said.contains(&format!("today.backup-{ending} next to the file has changes")), "{said}");
        std::fs::remove_file(&log).expect("removed");
        std::fs::write(files.join(format!("new-{ending}")), "changes").expect("written");
        let said = refused(run("backup", &files.join("new"), data, &[]));
        assert!(said.ends_with(&format!("new-{ending} already exists; name a new file")), "{said}");
        std::fs::remove_file(files.join(format!("new-{ending}"))).expect("removed");
    }
}

#[test]
fn backup_command_on_postgresql_refers_to_the_postgresql_tools() {
    let folder = tempfile::tempdir().expect("a folder");
    let on = ["--database", "postgres://fieldbook@db/fieldbook"];
    let said = refused(run("backup", Path::new("/b"), folder.path(), &on));
    assert!(
        said.contains(
            "pg_dump --format=custom --exclude-table-data=session --exclude-table-data=sign_in_link --file=/b"
        ) && said.contains("fieldbook export"),
        "{said}"
    );
    let said = refused(run("restore", Path::new("/b"), folder.path(), &on));
    assert!(said.contains("pg_restore") && said.contains("fieldbook import"), "{said}");
    let said = refused(run("backup", Path::new("/b"), folder.path(), &[]));
    assert!(said.contains("no store exists in the folder"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_with_a_wrong_checksum_is_refused_even_with_the_without_checksum_flag() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files] = folders.each_ref().map(|folder| folder.path());
    let file = files.join("today.backup");
    backed_up(data, &file).await;
    // Changes a letter of a text, which a check of the pages does not notice.
    let mut bytes = std::fs::read(&file).expect("bytes");
    let text = bytes.windows(10).rposition(|part| part == b"seed seed ").expect("a text");
    bytes[text] = b'w';
    std::fs::write(&file, bytes).expect("written");
    let other = files.join("other");
    for more in [&[][..], &["--without-checksum"]] {
        assert_eq!(
            refused(run("restore", &file, &other, more)),
            format!("fieldbook: {} is damaged: its checksum does not match; restore another backup", file.display())
        );
    }
    assert_eq!(names(files), ["today.backup"], "a refused restore creates no folder");
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_command_on_an_unusable_store_names_the_store() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, files] = folders.each_ref().map(|folder| folder.path());
    let file = files.join("today.backup");
    backed_up(data, &file).await;
    std::fs::remove_file(&file).expect("removed");
    let store = data.join(FILE);
    let change = |statement: &str| {
        let connection = rusqlite::Connection::open(&store).expect("a store");
        connection.execute_batch(statement).expect("changed");
    };
    change("PRAGMA user_version = 99");
    assert_eq!(
        refused(run("backup", &file, data, &[])),
        format!(
            "fieldbook: the store {} was written by a newer Fieldbook (store version 99, this program knows 1); run the newer version",
            store.display()
        )
    );
    change("PRAGMA user_version = 1; DROP INDEX link_by_investigation");
    assert_eq!(
        refused(run("backup", &file, data, &[])),
        format!(
            "fieldbook: {} is not a sound store: the index link_by_investigation is missing; undo that change and try again",
            store.display()
        )
    );
    assert_eq!(names(files), [""; 0]);
}
