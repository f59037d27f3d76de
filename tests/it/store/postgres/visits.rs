//! Visits on PostgreSQL only: other operations do not wait for a visit that is waiting.

use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::link::VisitKind;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::{Deleted, Stamp, Undeleted, Visited};
use serde_json::json;

use crate::support::postgres::Holder;
use crate::support::{START, TestApp, postgres};

const NOW: Stamp = Stamp { actor: AuditActor { user: None, key: None }, at: START };

/// Visits to several links of an investigation overlap, so that at least one is always in progress.
#[tokio::test(flavor = "multi_thread")]
async fn deletion_does_not_wait_for_concurrent_visits() {
    let folder = tempfile::tempdir().expect("a folder");
    let (app, teacher) = TestApp::start_at(postgres::place_through(folder.path(), &postgres::host_and_port(), 4)).await;
    let store = app.app.store.clone();
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = json!({"key": "class", "subLink": "cress", "description": "", "maxVisits": 1});
    assert_eq!(teacher.post(&format!("/api/link/investigation/{id}"), link).await.status, 201);
    let id: ObjectId = id.parse().expect("an id");
    let address = postgres::store_of(folder.path(), &postgres::address().expect("a server"));
    let holder = Holder::of(&address, "SELECT l.n FROM link l FOR UPDATE").await;
    let visitor = store.clone();
    let visit =
        tokio::spawn(async move { visitor.visit("class".into(), "cress".into(), VisitKind::Open, START).await });
    while !holder.is_in_the_way().await {
        tokio::task::yield_now().await;
    }
    let investigation = store.load(id).await.expect("read").expect("an investigation");
    assert_eq!(store.discard(&investigation, NOW).await.expect("an answer"), Deleted::Done { chats: 1 });
    holder.let_go().await;
    let visited = visit.await.expect("no panic").expect("an answer");
    assert!(matches!(visited, Visited::Counted(_)), "it began before the deletion: {visited:?}");
    let discarded = store.discarded(id, Timestamp(0)).await.expect("read").expect("a row");
    let restored = store.undelete(discarded, ObjectId::from_bytes([7; 12]), NOW).await.expect("an answer");
    assert_eq!(restored, Undeleted::Done { links_left_out: Vec::new() });
    let link = store.link("class".into(), "cress".into()).await.expect("read").expect("a link");
    assert_eq!(link.visit_count, 1);
    let events = app.events(4).await;
    let names: Vec<&str> = events.iter().map(|event| event.what.name()).collect();
    assert_eq!(names, ["investigation.created", "link.created", "investigation.deleted", "investigation.undeleted"]);
}
