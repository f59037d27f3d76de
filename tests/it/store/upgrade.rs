//! A store of any earlier version is upgraded with all its data.
//!
//! `upgrade/` has the rows of each step in `migrations/`, as the program of that time wrote them. `store.jsonl` is
//! the expected export of these rows.

use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::move_store::{assert_same_investigations, named, said};
use crate::support::process::{fieldbook, refused};
use crate::support::{TEACHER, TestApp, behind, place, postgres};

const INVESTIGATIONS: &str = include_str!("upgrade/store.jsonl");
const FIRST: &str = "/api/investigation/65a000000000000000000010";

/// Returns the migration steps of the backend that the tests use, oldest first, each with its rows.
fn steps() -> Vec<(String, String)> {
    let backend = if postgres::server().is_some() { "postgres" } else { "sqlite" };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(root.join("migrations").join(backend)).expect("steps");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows = |step: usize| read(&root.join(format!("tests/it/store/upgrade/{backend}-{step}.sql")));
    files.iter().enumerate().map(|(place, file)| (read(file), rows(place + 1))).collect()
}

/// Creates the store of a folder as a program with these steps left it.
fn make(folder: &Path, steps: &[(String, String)]) {
    let sql: String = steps.iter().map(|(step, rows)| format!("{step};\n{rows};\n")).collect();
    let done = steps.len();
    let on_sqlite = format!("{sql} PRAGMA application_id = {}; PRAGMA user_version = {done}", 0x4642_6f6b);
    let on_postgres =
        format!("{sql} CREATE TABLE store_version (steps BIGINT NOT NULL); INSERT INTO store_version VALUES ({done})");
    // On PostgreSQL, `named` creates the schema of the store.
    named(folder);
    behind(folder, &on_sqlite, &on_postgres);
}

/// Runs a command that must succeed, and returns its standard output.
fn told(command: &str, folder: &Path) -> String {
    said(fieldbook(command, folder))
}

/// Returns the expected export after `done` steps. On SQLite, the findings of a language model came with the second
/// step.
fn export_of(done: usize) -> String {
    let findings = r#"{"detection":{"key":"5f0c","findings":{"contradictions":[],"hints":[]}}}"#;
    let detections = usize::from(done > 1 || postgres::server().is_some());
    let head = r#"{"fieldbook":{"form":2}}"#;
    let end = json!({"end": {"investigations": 3, "detections": detections}});
    let found = findings.repeat(detections);
    let lines = [head, INVESTIGATIONS.trim_end(), &found, &end.to_string()].map(str::to_owned);
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn import(folder: &Path, export: &str) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), export).expect("written");
    let mut import: Command = fieldbook("import", folder);
    import.arg(file.path());
    assert!(said(import).starts_with("took 3 investigations"));
}

#[test]
fn an_older_store_holds_the_same_after_it_was_brought_up_to_date_to_the_byte() {
    let steps = steps();
    for done in 1..=steps.len() {
        let (older, newer) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        make(older.path(), &steps[..done]);
        assert_eq!(told("migrate", older.path()), "the store is up to date");
        assert_eq!(told("export", older.path()), export_of(done), "from step {done}");
        // Data outside of the export must be equal too: search words, full copies and the order of rows.
        import(newer.path(), &export_of(done));
        assert_same_investigations(&named(older.path()), &named(newer.path()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_store_is_served_listed_searched_and_written_as_if_it_had_always_been_there() {
    let steps = steps();
    for done in 1..=steps.len() {
        let folder = tempfile::tempdir().expect("a folder");
        make(folder.path(), &steps[..done]);
        let (app, teacher) = TestApp::start_at(place(folder.path())).await;
        let list = teacher.get("/api/investigation?search=radish").await.json()["data"].clone();
        assert_eq!(list["pagination"]["total"], json!(2), "from step {done}");
        let groups = teacher.get("/api/investigation").await.json()["data"]["groups"].clone();
        assert_eq!(groups, json!([{"curriculum": "NGSS", "count": 2}, {"curriculum": null, "count": 1}]));
        let at_first = teacher.get(&format!("{FIRST}/versions/0")).await.data();
        assert_eq!((&at_first["title"], &at_first["a.b"]), (&json!("Größe 10"), &json!([1.5, null, {"x": 1e300}])));
        let visited = teacher.get("/api/link/cress/a1").await.data();
        assert_eq!(visited["visitCount"], json!(4));
        assert_eq!(teacher.get(&format!("{FIRST}/chat")).await.data()["history"].as_array().map(Vec::len), Some(1));
        assert_eq!(teacher.post_empty(&format!("{FIRST}/redo")).await.data()["durationMinutes"], json!(50));
        assert_eq!(
            teacher.post_empty(&format!("{FIRST}/undo")).await.data()["contradictions"][0]["fieldName"],
            "durationMinutes"
        );
        let changed = teacher.patch(FIRST, json!({"curriculum": "KS2"})).await.json();
        assert_eq!(changed["updatedInvestigation"]["version"], json!(3));
        let again = app.signed_in(TEACHER).with_header("idempotency-key", "again");
        let radish = again.post("/api/investigation", json!({"title": "Radish", "curriculum": "NGSS"})).await;
        assert_eq!(radish.status, StatusCode::CREATED);
        assert_eq!(radish.header("idempotent-replayed").is_some(), done > 2, "from step {done}");
        let groups = teacher.get("/api/investigation").await.json()["data"]["groups"].clone();
        let radishes = if done > 2 { 1 } else { 2 };
        let wanted: Value = json!([{"curriculum": "KS2", "count": 1}, {"curriculum": "NGSS", "count": radishes}, {"curriculum": null, "count": 1}]);
        assert_eq!(groups, wanted, "from step {done}");
    }
}

#[test]
fn a_store_with_a_step_that_this_program_does_not_know_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (steps, later) = (steps(), ("SELECT 1".to_owned(), String::new()));
    let known = steps.len();
    make(folder.path(), &[steps, vec![later]].concat());
    for command in ["migrate", "export", "serve"] {
        let said = refused(fieldbook(command, folder.path()).output().expect("run"));
        let wanted = format!("(store version {}, this program knows {known}); run the newer version", known + 1);
        assert!(said.ends_with(&wanted), "{command}: {said}");
    }
}
