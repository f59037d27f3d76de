//! The audit entries of commands that operators run.

use std::path::Path;

use serde_json::Value;

use super::doctor::{change, filled, on};
use crate::support::TEACHER;

/// Runs a command that must succeed on an embedded store, and returns its output.
fn run(command: &str, folder: &Path, arguments: &[&str]) -> String {
    let output = on(command, folder).args(arguments).output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the entries of the audit log without their times, oldest first.
fn entries(folder: &Path) -> Vec<String> {
    let mut lines: Vec<String> = run("audit", folder, &[]).lines().map(str::to_owned).collect();
    lines.reverse();
    let timeless = |line: &String| {
        let mut entry: Value = serde_json::from_str(line).expect("JSON");
        for name in ["at", "expiresAt"] {
            if let Some(at) = entry.get_mut(name) {
                assert!(at.take().is_string(), "{line}");
            }
        }
        entry.to_string()
    };
    lines.iter().map(timeless).collect()
}

#[test]
fn token_export_backup_and_import_commands_are_in_the_audit_log() {
    let folder = filled();
    let file = |name: &str| folder.path().join(name).display().to_string();
    run("token", folder.path(), &["--user", TEACHER]);
    run("token", folder.path(), &["--user", TEACHER, "--role", "reader"]);
    change(
        folder.path(),
        "INSERT INTO person (id, words, status, created_at, origin) VALUES ('bbbbbbbbbbbbbbbbbbbbbbbb', '', 'active', 0, 'here')",
    );
    run("export", folder.path(), &[&file("plain")]);
    run("export", folder.path(), &["--with-passwords", &file("all")]);
    run("backup", folder.path(), &[&file("backup")]);
    let own = [
        r#"{"at":null,"actor":{},"action":"token","user":"aaaaaaaaaaaaaaaaaaaaaaaa","expiresAt":null}"#,
        r#"{"at":null,"actor":{},"action":"token","user":"aaaaaaaaaaaaaaaaaaaaaaaa","role":"reader","expiresAt":null}"#,
        r#"{"at":null,"actor":{},"action":"export"}"#,
        r#"{"at":null,"actor":{},"action":"export","withPasswords":true}"#,
        r#"{"at":null,"actor":{},"action":"backup"}"#,
    ];
    assert_eq!(entries(folder.path()), own);
    // An import has an entry as well. If its file contains an audit log, the entry comes after the entries of the file.
    let other = tempfile::tempdir().expect("a folder");
    run("import", other.path(), &[&file("all")]);
    let import = r#"{"at":null,"actor":{},"action":"import","investigations":0,"trashed":0,"people":1,"apiKeys":0}"#;
    assert_eq!(entries(other.path()), [&own[..3], &[import]].concat());
}

#[test]
fn token_is_not_printed_if_its_audit_entry_cannot_be_stored() {
    let folder = filled();
    change(folder.path(), "DROP TABLE audit");
    let output = on("token", folder.path()).args(["--user", TEACHER]).output().expect("run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && output.stdout.is_empty(), "{said}");
    assert!(said.contains("the audit log may have no entry about this command: "), "{said}");
}
