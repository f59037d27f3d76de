//! A move copies the API keys and the audit log once, and never overwrites newer data.

use std::time::Duration;

use fieldbook::domain::api_key::ApiKey;
use fieldbook::domain::audit::{AuditAction, AuditEntry};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::page::{AuditPosition, PageRequest};
use fieldbook::store::Store;
use serde_json::json;

use super::move_store::{NOT_COPIED, differences, move_store, named, not_moved, said};
use crate::http::permissions::add_key;
use crate::support::{self, START, TestApp, place};

/// Returns the API keys and the audit log of a store, with the newest entry first.
async fn content(store: &Store) -> (Vec<ApiKey>, Vec<(AuditPosition, AuditEntry)>) {
    let log = store.audit(None, PageRequest::first(10_000)).await.expect("the log").entries;
    (store.api_keys().await.expect("keys"), log)
}

/// Returns an entry of the audit log with this number.
fn entry(number: i64) -> (AuditPosition, AuditEntry) {
    let key_id = ObjectId::from_bytes([7; 12]);
    let at = START.later_by(Duration::from_secs(number.unsigned_abs()));
    (AuditPosition { number }, AuditEntry::of_key(at, AuditAction::KeyRevoked { key_id }))
}

/// Starts a service with a used key, a revoked key and an investigation.
async fn start() -> TestApp {
    let (app, _, _) = TestApp::start().await;
    let used = add_key(&app, 1, "admin").await;
    let revoked = add_key(&app, 2, "").await.id().expect("an id");
    app.app.store.revoke_api_key(revoked, START.later_by(Duration::from_secs(5))).await.expect("revoked");
    app.anon().bearing(used.expose()).create(json!({"title": "Cress"})).await;
    // The service stores the use of a key independently of its answer, so the helper waits.
    while app.app.store.api_keys().await.expect("keys")[0].last_used_at.is_none() {
        tokio::task::yield_now().await;
    }
    app
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_and_the_audit_log_are_moved_with_all_that_is_in_them_and_go_on() {
    let app = start().await;
    let (embedded, back) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let names = [named(app.folder()), embedded.path().display().to_string(), named(back.path())];
    for pair in names.windows(2) {
        assert_eq!(
            said(move_store(&pair[0], &pair[1], &["--verify"])),
            format!(
                "copied 1 investigation, replaced 0, 0 existed already; copied 2 API keys and 4 entries of the audit log\n\
                 {NOT_COPIED}\n\
                 compared 1 investigation, 2 API keys and 4 entries of the audit log: all are equal"
            )
        );
    }
    let again = said(move_store(&names[0], &names[2], &["--verify"]));
    assert!(again.contains("; copied 0 API keys and 0 entries of the audit log\n"), "{again}");

    let (mut moved, _) = TestApp::start_at(place(back.path())).await;
    let (keys, log) = content(&app.app.store).await;
    assert_eq!(content(&moved.app.store).await, (keys.clone(), log.clone()));
    assert!(keys[0].last_used_at.is_some() && keys[1].revoked_at.is_some(), "{keys:?}");
    let program = moved.anon().bearing(add_key(&moved, 3, "admin").await.expose());
    let newest = program.get("/api/audit?limit=2").await.data();
    assert_eq!(
        (&newest[0]["keyId"], &newest[1]["action"]),
        (&json!("030303030303030303030303"), &json!("investigation.created"))
    );
    moved.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_log_of_many_pages_only_what_is_missing_is_copied() {
    let (app, _, _) = TestApp::start().await;
    // The numbers have gaps, as after transactions that were rolled back.
    let entries: Vec<_> = (1..=2500).map(|number| entry(number * 3)).collect();
    app.app.store.put_audit(entries.clone()).await.expect("stored");
    let folder = tempfile::tempdir().expect("a folder");
    let target = Store::open(place(folder.path())).await.expect("a store");
    // The target already has entries of interrupted copies, in the middle and at the end.
    target.put_audit(entries[1200..1700].to_vec()).await.expect("stored");
    target.put_audit(entries[2400..].to_vec()).await.expect("stored");
    let (from, to) = (named(app.folder()), named(folder.path()));
    let moved = said(move_store(&from, &to, &["--verify"]));
    assert!(moved.contains("copied 0 API keys and 1900 entries of the audit log\n"), "{moved}");
    assert_eq!(content(&target).await, content(&app.app.store).await);
    // The same entries are stored again, as after a lost answer.
    target.put_audit(entries[..10].to_vec()).await.expect("stored");
    assert_eq!(content(&target).await.1.len(), 2500);
    target.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_another_or_newer_in_the_target_is_named_and_nothing_is_copied() {
    let app = start().await;
    let id = "010101010101010101010101";
    for (tampering, reason) in [
        ("UPDATE api_key SET roles = 'reader', last_used_at = NULL", None),
        ("DELETE FROM api_key", None),
        ("UPDATE api_key SET digest = id::bytea", Some(format!("the API key {id} has another secret in the target"))),
        ("UPDATE api_key SET revoked_at = 1", Some(format!("the API key {id} was used or revoked later in the target"))),
        (
            "UPDATE api_key SET last_used_at = last_used_at + 60000",
            Some(format!("the API key {id} was used or revoked later in the target")),
        ),
        (
            "UPDATE api_key SET id = replace(id, '0', 'b')",
            Some("the target has API keys that the source does not have: b1b1b1b1b1b1b1b1b1b1b1b1, b2b2b2b2b2b2b2b2b2b2b2b2".to_owned()),
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (named(app.folder()), named(folder.path()));
        said(move_store(&from, &to, &[]));
        support::behind(folder.path(), &tampering.replace("id::bytea", "CAST(id AS BLOB)"), tampering);
        match reason {
            None => {
                let moved = said(move_store(&from, &to, &["--verify"]));
                assert!(moved.contains("copied 2 API keys and 0 entries"), "{tampering}: {moved}");
            }
            Some(reason) => {
                support::behind(folder.path(), "DELETE FROM investigation", "DELETE FROM investigation");
                assert_eq!(
                    not_moved(&from, &to),
                    format!("fieldbook: {reason}; copy the other way, or choose an empty target")
                );
                let target = Store::open(place(folder.path())).await.expect("a store");
                assert!(target.ids_after(None, 1).await.expect("ids").is_empty(), "nothing is copied");
                target.close().await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_that_only_the_target_has_are_not_mixed_with_those_of_the_source() {
    let app = start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (named(app.folder()), named(folder.path()));
    said(move_store(&from, &to, &[]));
    let target = Store::open(place(folder.path())).await.expect("a store");
    target.put_audit(vec![entry(9)]).await.expect("stored");
    target.close().await;
    assert_eq!(
        not_moved(&from, &to),
        "fieldbook: the audit log of the target has entries that the source does not have, the newest of 2026-11-21T08:00:09.000Z; the target has been written to since an earlier copy: copy the other way, or choose an empty target"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_difference_of_keys_and_of_the_audit_log_is_told() {
    let app = start().await;
    let (key, start) = ("the API key 010101010101010101010101", "2026-11-21T08:00:00.000Z");
    for (tampering, told) in [
        ("DELETE FROM api_key WHERE name = 'Key 1'", format!("{key} is missing in the target")),
        (
            "UPDATE api_key SET name = '', bearer = id, roles = '', created_at = 1, last_used_at = 1, revoked_at = 1 WHERE name = 'Key 1'",
            format!("{key} differs: the name, the user, the roles, the time of creation, the last use, the revocation"),
        ),
        ("UPDATE api_key SET digest = id::bytea WHERE name = 'Key 1'", format!("{key} differs: the secret")),
        (
            "DELETE FROM audit WHERE n = 2",
            format!("the entry 2 of the audit log, of {start}, is missing in the target"),
        ),
        (
            "UPDATE audit SET entry = (SELECT a.entry FROM audit a WHERE a.n = 1) WHERE n = 2",
            format!("the entry 2 of the audit log, of {start}, differs"),
        ),
        (
            "INSERT INTO audit (n, entry) SELECT 9, entry FROM audit WHERE n = 1",
            format!("the entry 9 of the audit log, of {start}, exists only in the target"),
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (named(app.folder()), named(folder.path()));
        said(move_store(&from, &to, &[]));
        support::behind(folder.path(), &tampering.replace("id::bytea", "CAST(id AS BLOB)"), tampering);
        let output = move_store(&from, &to, &["--verify-only"]).output().expect("run");
        assert_eq!(differences(&output), [told], "{tampering}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "fieldbook: the two stores differ in 1 place\n");
    }
}
