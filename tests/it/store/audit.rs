//! Entries of the audit log expire.

use std::time::Duration;

use fieldbook::domain::audit::{AuditAction, AuditEntry};
use fieldbook::domain::page::PageRequest;
use fieldbook::domain::time::Timestamp;

use crate::support::{AUDIT_KEPT, START, TestApp};

const SECOND: Duration = Duration::from_secs(1);

/// Adds an audit entry, made `second` seconds after the start. To be recognized later, it says that `second`
/// investigations were imported.
async fn note(app: &TestApp, second: u64) {
    let at = START.later_by(SECOND * u32::try_from(second).expect("small"));
    let action = AuditAction::Imported { investigations: second, trashed: 0, people: 0, api_keys: 0 };
    app.app.store.add_audit_entry(AuditEntry::of_operator(at, action)).await.expect("stored");
}

/// Returns the seconds of the entries, newest entry first.
async fn noted(app: &TestApp) -> Vec<u64> {
    let page = app.app.store.audit(None, PageRequest::first(1000)).await.expect("read");
    let second = |entry: AuditEntry| match entry.action {
        AuditAction::Imported { investigations, .. } => investigations,
        other => panic!("{other:?}"),
    };
    page.entries.into_iter().map(|(_, entry)| second(entry)).collect()
}

#[tokio::test]
async fn audit_entries_are_deleted_only_after_they_expire() {
    let (app, ..) = TestApp::start().await;
    for second in [1, 3, 2] {
        note(&app, second).await;
    }
    app.clock.advance(AUDIT_KEPT + SECOND);
    app.sweep().await;
    assert_eq!(noted(&app).await, [2, 3, 1]);
    app.clock.advance(SECOND);
    app.sweep().await;
    assert_eq!(noted(&app).await, [2, 3]);
    app.clock.advance(2 * SECOND);
    app.sweep().await;
    assert_eq!(noted(&app).await, [0; 0]);
}

#[tokio::test]
async fn expired_audit_entries_are_deleted_in_small_batches_oldest_first() {
    let (app, ..) = TestApp::start().await;
    for second in 0..300 {
        note(&app, second).await;
    }
    let store = &app.app.store;
    let before = START.later_by(SECOND * 200);
    let mut left = 300;
    while store.forget_audit(before).await.expect("deleted") {
        let now = app.rows("audit");
        assert!(now < left && left - now <= 128, "{left} {now}");
        left = now;
        assert_eq!(noted(&app).await.first(), Some(&299));
    }
    assert_eq!(noted(&app).await, (200..300).rev().collect::<Vec<_>>());
    assert!(!store.forget_audit(Timestamp(0)).await.expect("nothing to delete"));
}

#[tokio::test]
async fn number_of_a_deleted_audit_entry_is_never_reused() {
    let (app, ..) = TestApp::start().await;
    let newest = async || {
        let page = app.app.store.audit(None, PageRequest::first(1)).await.expect("read");
        page.entries[0].0.number
    };
    note(&app, 1).await;
    let gone = newest().await;
    assert!(app.app.store.forget_audit(START.later_by(2 * SECOND)).await.expect("deleted"));
    note(&app, 3).await;
    assert!(newest().await > gone);
}
