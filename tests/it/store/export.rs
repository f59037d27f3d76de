//! Export and import. An imported store equals the exported store, byte for byte. The import reports every entry that
//! it refuses, and imports no part of such an entry.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use fieldbook::store::ExportPart;
use fieldbook::store::jsonl::Line;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::moving::assert_same_investigations;
use crate::support::process::{fieldbook, on_no_backend, refused};
use crate::support::{self, TestApp};

pub fn export(folder: &Path) -> String {
    let output = fieldbook("export", folder).output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text")
}

/// Imports a text into the store of this folder. Returns the standard output and the standard error.
pub fn imported(folder: &Path, text: &str, more: &[&str]) -> (String, String) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    let output = fieldbook("import", folder).arg(file.path()).args(more).output().expect("run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Returns an export without the audit entries of backups, exports and imports, and without the count of lines.
pub fn without_commands(text: &str) -> Vec<&str> {
    let is_note = |line: &&str| {
        let is_of_command = |action| line.contains(&format!(r#""action":"{action}""#));
        line.starts_with(r#"{"end""#) || ["backup", "export", "import"].into_iter().any(is_of_command)
    };
    text.lines().filter(|line| !is_note(line)).collect()
}

/// Returns the result of an import of investigations and entries of the audit log.
pub fn import_summary(investigations: u64, audit_entries: u64, existing: u64, rejected: u64) -> String {
    format!(
        "imported {investigations} investigations, 0 in the trash, 0 people, 0 API keys, and {audit_entries} entries of the audit log; {existing} existed already, {rejected} were not imported"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn export_is_written_to_a_new_file_or_to_standard_output() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(json!({"title": "Cress"})).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all.jsonl");
    let told = fieldbook("export", app.folder()).arg(&file).output().expect("run");
    assert_eq!(String::from_utf8_lossy(&told.stdout), "");
    assert_eq!(
        String::from_utf8_lossy(&told.stderr).trim_end(),
        "exported 1 investigations, 0 in the trash, 0 people, 0 API keys, and 1 entries of the audit log"
    );
    assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    let written = std::fs::read_to_string(&file).expect("a text");
    assert_eq!(without_commands(&written), without_commands(&export(app.folder())));
    let again = refused(fieldbook("export", app.folder()).arg(&file).output().expect("run"));
    assert!(again.ends_with("name a new file"), "{again}");
    let empty = tempfile::tempdir().expect("a folder");
    let nowhere = refused(on_no_backend("export", empty.path()).output().expect("run"));
    assert_eq!(nowhere, format!("fieldbook: no store exists in the folder {}; check --data", empty.path().display()));
    assert_eq!(empty.path().read_dir().expect("a folder").count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn export_is_a_consistent_snapshot() {
    let (app, _, teacher) = TestApp::start().await;
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(teacher.create(json!({"title": n.to_string()})).await);
    }
    let (sender, mut pieces) = mpsc::channel(1);
    let store = app.app.clone();
    let reading = tokio::spawn(async move { store.store.export(sender, false).await });
    let mut next = pieces.recv().await;
    teacher.patch(&format!("/api/investigation/{}", ids[3]), json!({"title": "Changed"})).await;
    teacher.delete(&format!("/api/investigation/{}", ids[4])).await;
    teacher.create(json!({"title": "New"})).await;
    let mut titles = Vec::new();
    let mut log = 0;
    while let Some(ExportPart::Line(line)) = next {
        match line {
            Line::Investigation(entry) => titles.push(entry.document().content["title"].clone()),
            Line::Audit(_) => log += 1,
            line => panic!("{line:?}"),
        }
        next = pieces.recv().await;
    }
    assert_eq!((titles, log), (["0", "1", "2", "3", "4"].map(Value::from).to_vec(), 5));
    reading.await.expect("a task").expect("read");
}

#[tokio::test(flavor = "multi_thread")]
async fn oversized_content_is_exported_and_imported_unchanged() {
    let (mut app, _, _) = TestApp::start().await;
    let deep = (1..60).fold(json!("x"), |inner, _| json!([inner]));
    for content in [json!({"text": "x".repeat(600_000)}), json!({"list": vec![1; 20_000]}), json!({"deep": deep})] {
        app.import(content).await;
    }
    let long = app.import(json!({"title": "t".repeat(301)})).await;
    app.stop().await;
    let text = export(app.folder());
    let other = tempfile::tempdir().expect("a folder");
    let said = format!(
        "line 5: the investigation {long} is imported unchanged, and violates the content schema: title must have at most 300 characters\n{}",
        import_summary(4, 0, 0, 0)
    );
    assert_eq!(imported(other.path(), &text, &[]), (said, String::new()));
    let again = export(other.path());
    // Compares only the investigations, because the second export also has the audit entry of the import.
    let is_content = |line: &&str| line.starts_with("{\"investigation\"");
    assert!(again.lines().filter(is_content).eq(text.lines().filter(is_content)));
}

#[tokio::test(flavor = "multi_thread")]
async fn long_history_is_exported_in_several_lines_and_imported_unchanged() {
    let (app, teacher, long) = TestApp::with_id(json!({"title": "Cress"})).await;
    teacher.create(json!({"title": "Radish"})).await;
    for letter in "abcdefghijklmno".chars().map(String::from) {
        teacher.patch(&format!("/api/investigation/{long}"), json!({"text": letter.repeat(250_000)})).await;
    }
    let text = export(app.folder());
    let kinds: Vec<&str> = text.lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert_eq!(kinds, ["fieldbook", "investigation", "records", "investigation", "audit", "audit", "end"]);
    assert!(text.lines().all(|line| line.len() < 6 * 1024 * 1024), "no line grows with the history");
    let other = tempfile::tempdir().expect("a folder");
    assert_eq!(imported(other.path(), &text, &[]), (import_summary(2, 2, 0, 0), String::new()));
    assert_same_investigations(support::place(app.folder()), support::place(other.path())).await;
    assert_eq!(without_commands(&export(other.path())), without_commands(&text));
    // The import refuses an investigation if the line with its version records is missing.
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"records\"")).collect();
    let empty = tempfile::tempdir().expect("a folder");
    let (told, _) = imported(empty.path(), &format!("{}\n", lines.join("\n")), &[]);
    assert!(
        told.starts_with("line 2 cannot be imported: its history has ") && told.ends_with(&import_summary(1, 2, 0, 2)),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn investigation_that_cannot_be_exported_is_reported_and_all_others_are_exported() {
    let (app, teacher, damaged) = TestApp::with_id(json!({"title": "Cress"})).await;
    teacher.create(json!({"title": "Radish"})).await;
    app.behind(&format!("UPDATE investigation SET findings = 'nonsense' WHERE id = '{damaged}'"));
    let output = fieldbook("export", app.folder()).output().expect("run");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.starts_with(&format!("the investigation {damaged} is left out, or a part of it: ")), "{told}");
    let text = String::from_utf8(output.stdout).expect("a text");
    let other = tempfile::tempdir().expect("a folder");
    assert_eq!(imported(other.path(), &text, &[]), (import_summary(1, 2, 0, 0), String::new()));
}
