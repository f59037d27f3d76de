//! An import that is killed during a transaction.

use fieldbook::authoring;
use serde_json::json;

use crate::store::export::{export, imported, without_commands};
use crate::support::postgres::Holder;
use crate::support::process::fieldbook;
use crate::support::{TestApp, postgres};

#[tokio::test(flavor = "multi_thread")]
async fn import_killed_during_a_transaction_can_be_repeated() {
    let (app, _, _) = TestApp::start().await;
    let mut ids = Vec::new();
    for n in 0..5 {
        let content = json!({"title": n.to_string()}).as_object().cloned().expect("an object");
        ids.push(authoring::create(&app.app, None, content).await.expect("created").id);
    }
    let text = export(app.folder());
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), &text).expect("written");
    let target = tempfile::tempdir().expect("a folder");
    // The tables must exist before another transaction can write to them.
    fieldbook::store::Store::open(crate::support::place(target.path())).await.expect("a store").close().await;

    // Another transaction inserts the fourth investigation and stays open, so the import has to wait there.
    let row = format!(
        "INSERT INTO investigation VALUES (DEFAULT, '{}', 1, '', NULL, NULL, NULL, false, 0, 0, NULL, 0, 0, '', '', '', '', NULL, NULL, NULL, '', '')",
        ids[3]
    );
    let server = postgres::server().expect("a server");
    let holder = Holder::of(&postgres::store_of(target.path(), &server), &row).await;
    let mut import = fieldbook("import", target.path()).arg(file.path()).spawn().expect("the import starts");
    while !holder.is_in_the_way().await {
        assert!(import.try_wait().expect("a process").is_none(), "the import waits for the fourth");
    }
    import.kill().expect("killed");
    import.wait().expect("ended");
    holder.let_go().await;

    let (said, failed) = imported(target.path(), &text, &[]);
    assert!(said.starts_with("imported 2 investigations, "), "{said}");
    assert!(said.ends_with("; 3 existed already, 0 were not imported"), "{said}");
    assert_eq!(failed, "");
    assert_eq!(without_commands(&export(target.path())), without_commands(&text));
}
