//! Export and import. An imported store equals the exported store, byte for byte. The import names every entry that
//! it cannot take, and takes no part of such an entry.

use std::path::Path;
use std::process::{Command, Output};

use fieldbook::store::SnapshotPart;
use serde_json::json;
use tokio::sync::mpsc;

use super::move_store::{assert_same_investigations, fill, named};
use crate::support::TestApp;
use crate::support::postgres;
use crate::support::process::{fieldbook, refused};

pub(super) fn export(folder: &Path) -> String {
    let output = fieldbook("export", folder).output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text")
}

pub(super) fn import(mut program: Command, text: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("export.jsonl");
    std::fs::write(&file, text).expect("written");
    program.arg(&file).args(more).output().expect("run")
}

/// Imports a text into the store of this folder. Returns the standard output and the standard error.
pub(super) fn imported(folder: &Path, text: &str, more: &[&str]) -> (String, String) {
    let output = import(fieldbook("import", folder), text, more);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (text(&output.stdout), text(&output.stderr))
}

pub(super) fn took(taken: u64, there: u64, refused: u64, detections: u64) -> String {
    format!(
        "took {taken} investigations, {there} existed already, {refused} were not imported; took the cached findings of {detections} contents"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_was_exported_and_imported_is_the_same_on_either_backend() {
    let (app, _, _) = TestApp::start().await;
    let (ids, teacher) = fill(&app).await;
    // The export runs while the service is running.
    let text = export(app.folder());
    assert_eq!(text.lines().count(), ids.len() + 2 + 2);
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [same, embedded] = folders.each_ref().map(|folder| folder.path());
    assert_eq!(imported(same, &text, &[]), (took(3, 0, 0, 2), String::new()));
    let mut other = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    other.args(["import", "--data"]).arg(embedded);
    assert!(import(other, &text, &[]).status.success());
    for target in [named(same), embedded.display().to_string()] {
        assert_same_investigations(&named(app.folder()), &target);
    }
    assert_eq!(export(same), text);
    // The same export is imported again, and then an export with one more investigation.
    assert_eq!(imported(same, &text, &[]), (took(0, 3, 0, 0), String::new()));
    teacher.create(json!({"title": "New"})).await;
    assert_eq!(imported(same, &export(app.folder()), &[]), (took(1, 3, 0, 0), String::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sits_before_a_terminal_sees_how_far_it_has_come() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(json!({"title": "Cress"})).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all.jsonl").display().to_string();
    for (command, shown) in [("export", "of 1 investigations"), ("import", "B of "), ("backup", "copying the store")] {
        if command == "backup" && postgres::server().is_some() {
            continue;
        }
        let program = fieldbook(command, app.folder());
        let target = if command == "backup" { format!("{file}.backup") } else { file.clone() };
        let words = [program.get_program()].into_iter().chain(program.get_args());
        let words: Vec<String> = words.map(|word| format!("'{}'", word.display())).chain([target]).collect();
        // `script` runs the program in a terminal, and writes the output of the terminal to its own output.
        let mut terminal = Command::new("script");
        terminal.env("TERM", "xterm").args(["--quiet", "--return", "--command", &words.join(" "), "/dev/null"]);
        let output = terminal.output().expect("run");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(shown), "{command}: {text:?}");
        // The last text in the terminal is the result, not the progress.
        assert!(text.trim_end().ends_with(|last: char| last.is_alphanumeric()), "{command}: {text:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_goes_into_a_new_file_or_out_of_the_program() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(json!({"title": "Cress"})).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all.jsonl");
    let told = fieldbook("export", app.folder()).arg(&file).output().expect("run");
    assert_eq!(String::from_utf8_lossy(&told.stdout), "");
    assert_eq!(
        String::from_utf8_lossy(&told.stderr).trim_end(),
        "exported 1 investigations, and the cached findings of 0 contents"
    );
    assert_eq!(std::fs::read_to_string(&file).expect("a text"), export(app.folder()));
    let again = refused(fieldbook("export", app.folder()).arg(&file).output().expect("run"));
    assert!(again.ends_with("name a new file"), "{again}");
    let empty = tempfile::tempdir().expect("a folder");
    let mut nowhere = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    nowhere.args(["export", "--data"]).arg(empty.path());
    let nowhere = refused(nowhere.output().expect("run"));
    assert_eq!(nowhere, format!("fieldbook: no store exists in the folder {}; check --data", empty.path().display()));
    assert_eq!(empty.path().read_dir().expect("a folder").count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_of_one_moment() {
    let (app, _, teacher) = TestApp::start().await;
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(teacher.create(json!({"title": n.to_string()})).await);
    }
    let (sender, mut pieces) = mpsc::channel(1);
    let store = app.app.clone();
    let reading = tokio::spawn(async move { store.store.snapshot(sender).await });
    assert_eq!(pieces.recv().await, Some(SnapshotPart::Total(5)));
    teacher.patch(&format!("/api/investigation/{}", ids[3]), json!({"title": "Changed"})).await;
    teacher.delete(&format!("/api/investigation/{}", ids[4])).await;
    teacher.create(json!({"title": "New"})).await;
    let mut titles = Vec::new();
    while let Some(SnapshotPart::Investigation(entry)) = pieces.recv().await {
        titles.push(entry.document().content["title"].clone());
    }
    assert_eq!(titles, ["0", "1", "2", "3", "4"]);
    reading.await.expect("a task").expect("read");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_history_takes_several_lines_and_is_the_same_when_it_is_imported() {
    let (app, _, teacher) = TestApp::start().await;
    let long = teacher.create(json!({"title": "Cress"})).await;
    teacher.create(json!({"title": "Radish"})).await;
    for letter in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        teacher.patch(&format!("/api/investigation/{long}"), json!({"text": letter.repeat(500_000)})).await;
    }
    let text = export(app.folder());
    let kinds: Vec<&str> = text.lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert_eq!(kinds, ["fieldbook", "investigation", "records", "investigation", "end"]);
    assert!(text.lines().all(|line| line.len() < 6 * 1024 * 1024), "no line grows with the history");
    let other = tempfile::tempdir().expect("a folder");
    assert_eq!(imported(other.path(), &text, &[]), (took(2, 0, 0, 0), String::new()));
    assert_same_investigations(&named(app.folder()), &named(other.path()));
    assert_eq!(export(other.path()), text);
    // Without the line with its records, the investigation is refused.
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"records\"")).collect();
    let empty = tempfile::tempdir().expect("a folder");
    let (told, _) = imported(empty.path(), &format!("{}\n", lines.join("\n")), &[]);
    assert!(
        told.starts_with("line 2 cannot be imported: its history has ") && told.ends_with(&took(1, 0, 1, 0)),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_exported_is_named_and_the_rest_is_written() {
    let (app, _, teacher) = TestApp::start().await;
    let damaged = teacher.create(json!({"title": "Cress"})).await;
    teacher.create(json!({"title": "Radish"})).await;
    let sql = format!("UPDATE investigation SET findings = 'nonsense' WHERE id = '{damaged}'");
    app.behind(&sql, &sql);
    let output = fieldbook("export", app.folder()).output().expect("run");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.starts_with(&format!("the investigation {damaged} is left out, or a part of it: ")), "{told}");
    let text = String::from_utf8(output.stdout).expect("a text");
    let other = tempfile::tempdir().expect("a folder");
    assert_eq!(imported(other.path(), &text, &[]), (took(1, 0, 0, 0), String::new()));
    // The import also reads the earlier format, in which each investigation had one line.
    let other = tempfile::tempdir().expect("a folder");
    let older = text.replace("{\"form\":2}", "{\"form\":1}");
    assert_eq!(imported(other.path(), &older, &[]), (took(1, 0, 0, 0), String::new()));
}
