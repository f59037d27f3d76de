//! The cache in memory never shows an old document after another process has imported a new one in its place.

use serde_json::json;

use super::move_store::said;
use crate::support::TestApp;
use crate::support::process::fieldbook;

#[tokio::test(flavor = "multi_thread")]
async fn an_investigation_that_was_deleted_and_imported_again_is_shown_as_it_was_imported() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let read = async || {
        let list = teacher.get("/api/investigation?groupBy=none").await.data();
        [teacher.get(&path).await.data()["title"].clone(), list["items"][0]["title"].clone()]
    };
    assert_eq!(read().await, ["Cress", "Cress"]);
    let file = app.folder().join("export.jsonl");
    let mut export = fieldbook("export", app.folder());
    assert!(export.arg(&file).status().expect("run").success());
    let text = std::fs::read_to_string(&file).expect("a text");
    // The imported document has other content, but the same revision and the same time, and perhaps the same row.
    std::fs::write(&file, text.replace("Cress", "Radish")).expect("written");
    assert_eq!(teacher.delete(&path).await.status, 200);
    let mut import = fieldbook("import", app.folder());
    import.arg(&file);
    assert!(said(import).starts_with("took 1 investigations"));
    assert_eq!(read().await, ["Radish", "Radish"]);
}
