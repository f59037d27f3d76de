//! Imports the file that `fieldbook-from-mongo` creates from its test collections. Its own tests check that the file is
//! current.

use std::path::Path;

use serde_json::{Value, json};

use super::export::{export, import_summary, imported, without_commands};
use crate::support::TestApp;

/// The file that `fieldbook-from-mongo` creates.
fn file() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/from-mongo/tests/expected.jsonl");
    std::fs::read_to_string(path).expect("a file")
}

#[tokio::test(flavor = "multi_thread")]
async fn lessons_and_chats_and_links_imported_from_mongodb_keep_their_values() {
    let (app, anon, teacher) = TestApp::start().await;
    let (said, failed) = imported(app.folder(), &file(), &[]);
    assert_eq!(failed, "");
    assert!(said.ends_with(&import_summary(10, 0, 0, 0)), "{said}");
    let path = |number: u64| format!("/api/investigation/65e5a0a0{number:016x}");
    let cress = teacher.get(&path(1)).await.data();
    assert_eq!(
        (&cress["status"], &cress["durationMinutes"], &cress["createdAt"]),
        (&json!("published"), &json!(45), &json!("2024-03-04T08:30:00.250Z"))
    );
    let radish = teacher.get(&path(2)).await.data();
    assert_eq!(
        (&radish["title"], &radish["grade"], &radish["durationMinutes"], &radish["status"]),
        (&json!("Radish race"), &json!("6"), &json!(90), &json!("draft_incomplete"))
    );
    // JSON has no infinity and no NaN.
    let pendulum = teacher.get(&path(4)).await.data();
    assert_eq!(pendulum["measurements"], json!([{"length": 0.5, "period": 1.42}, {"length": 0, "period": null}]));
    assert_eq!(pendulum["cost"], json!({"amount": 12.9, "exact": "0.12345678901234567890", "currency": "EUR"}));
    let chat = |number: u64| {
        let address = format!("{}/chat", path(number));
        let teacher = &teacher;
        async move {
            let history = teacher.get(&address).await.data()["history"].clone();
            let words = |entry: &Value| {
                format!("{}|{}", entry["user"]["content"], entry["assistant"]["content"]).replace('"', "")
            };
            history.as_array().expect("entries").iter().map(words).collect::<Vec<_>>()
        }
    };
    assert_eq!(chat(1).await, ["Why 45 minutes?|The steps take 45.", "|Successfully resolved contradictions"]);
    assert_eq!(chat(2).await, Vec::<String>::new());
    assert_eq!(chat(3).await, ["first|first answer", "second|", "third|third answer"]);
    assert_eq!(chat(4).await, ["a|b", "c|d"]);
    // Closed links stay closed.
    let mut open = Vec::new();
    for number in 1..=12 {
        if anon.get(&format!("/api/link/class-5b/s{number}")).await.status == 200 {
            open.push(number);
        }
    }
    assert_eq!(open, [1, 11]);
    assert_eq!(teacher.get("/api/link/class-5b/s1").await.data()["visitCount"], 33);
    let versions = teacher.get(&format!("{}/versions", path(1))).await.json()["data"].clone();
    assert_eq!(
        (&versions[0]["withAI"], &versions[0]["by"], &versions[0]["at"]),
        (&json!(true), &json!("65e5a0b00000000000000002"), &json!("2024-03-13T08:30:00.250Z"))
    );
    assert_eq!(versions[1]["changes"][1], json!({"fieldPath": "durationMinutes", "before": 30, "after": 40}));
    let undone = teacher.post_empty(&format!("{}/undo", path(3))).await.data();
    assert_eq!((&undone["title"], &undone["grade"]), (&json!("Eggs"), &json!(3)));
    let redone = teacher.post_empty(&format!("{}/redo", path(3))).await.data();
    assert_eq!((&redone["title"], &redone["grade"]), (&json!("Floating eggs"), &json!(4)));
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_import_from_mongodb_changes_nothing() {
    let (app, _, _) = TestApp::start().await;
    imported(app.folder(), &file(), &[]);
    let before = export(app.folder());
    assert_eq!(imported(app.folder(), &file(), &[]), (import_summary(0, 0, 10, 0), String::new()));
    assert_eq!(without_commands(&export(app.folder())), without_commands(&before));
}
