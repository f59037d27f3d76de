//! Moving a store to PostgreSQL: `kill -9` during a transaction, and passwords.

use fieldbook::authoring;
use serde_json::json;

use crate::store::move_store::{NOT_COPIED, move_store, named, said};
use crate::support::postgres::Holder;
use crate::support::process::refused;
use crate::support::{TestApp, postgres};

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_killed_in_the_middle_of_a_transaction_goes_on() {
    let (app, _, _) = TestApp::start().await;
    let mut ids = Vec::new();
    for n in 0..5 {
        let content = json!({"title": n.to_string()}).as_object().cloned().expect("an object");
        ids.push(authoring::create(&app.app, None, content).await.expect("created").id);
    }
    let (source, target) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let from = source.path().display().to_string();
    said(move_store(&named(app.folder()), &from, &[]));
    let to = named(target.path());
    // The tables must exist before another transaction can write to them.
    fieldbook::store::Store::open(crate::support::place(target.path())).await.expect("a store").close().await;

    // Another transaction inserts the fourth investigation and stays open, so the copy has to wait there.
    let row = format!(
        "INSERT INTO investigation VALUES ('{}', 1, '', NULL, NULL, false, 0, 0, NULL, 0, 0, '', '', '', '', NULL, NULL, NULL, '', '')",
        ids[3]
    );
    let holder = Holder::of(&to, &row).await;
    let mut copy = move_store(&from, &to, &[]).spawn().expect("the copy starts");
    while !holder.is_in_the_way().await {
        assert!(copy.try_wait().expect("a process").is_none(), "the copy waits for the fourth");
    }
    copy.kill().expect("killed");
    copy.wait().expect("ended");
    holder.let_go().await;

    assert_eq!(
        said(move_store(&from, &to, &["--verify"])),
        format!(
            "copied 2 investigations, replaced 0, 3 existed already; copied 0 API keys and 5 entries of the audit log\n\
             {NOT_COPIED}\n\
             compared 5 investigations, 0 API keys and 5 entries of the audit log: all are equal"
        )
    );
}

#[test]
fn a_wrong_password_is_told_without_the_password() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = postgres::address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let (_, host) = server.split_once('@').expect("a user");
    let locked = format!("postgres://locked:hush@{host}");
    let told = refused(move_store(&locked, &folder.path().display().to_string(), &[]).output().expect("run"));
    assert!(told.contains("rejects the login of the user locked") && told.ends_with("password in --from"), "{told}");
    assert!(!told.contains("hush"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_this_backend_keeps_is_compared_too() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    for (tampering, told) in [
        ("DELETE FROM search_word", format!("the investigation {id} differs: the investigation itself")),
        ("UPDATE group_count SET count = 2", "the counts of the groups in the list are not the same".to_owned()),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (named(app.folder()), named(folder.path()));
        said(move_store(&from, &to, &["--verify"]));
        crate::support::behind(folder.path(), "", tampering);
        let output = move_store(&from, &to, &["--verify-only"]).output().expect("run");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), told);
        assert_eq!(output.status.code(), Some(1));
    }
}
