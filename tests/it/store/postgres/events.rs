//! Events on PostgreSQL only: concurrent transactions, and a database that comes from another server.

use fieldbook::app::RECHECK;
use fieldbook::domain::event::EventId;
use serde_json::json;

use crate::http::permissions::add_key;
use crate::support::postgres::Holder;
use crate::support::stream::{Block, Stream};
use crate::support::{START, TestApp, postgres};

/// SQL that stores an event directly, for a transaction that stays open.
const TELL: &str = "INSERT INTO event (at, investigation, revision, what)
     VALUES (1, 'eeeeeeeeeeeeeeeeeeeeeeee', 1, '{\"type\":\"deleted\"}')";

#[tokio::test(flavor = "multi_thread")]
async fn event_of_a_transaction_that_commits_late_is_not_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = || postgres::place_through(folder.path(), &postgres::host_and_port(), 4);
    let (app, teacher) = TestApp::start_at(place()).await;
    let store = &app.app.store;
    let first = teacher.create(json!({})).await;
    let mut stream = Stream::open(&teacher, "/api/events?after=0").await;
    assert_eq!(stream.event().await.2["investigationId"], json!(first));

    let address = postgres::store_of(folder.path(), &postgres::address().expect("a server"));
    let late = Holder::of(&address, TELL).await;
    let second = teacher.create(json!({})).await;
    let shown = store.events_after(EventId::BEGINNING, None, 9).await.expect("read");
    assert_eq!(shown.len(), 1, "what is younger than an open transaction waits for it: {shown:?}");
    assert_eq!(store.newest_event().await.expect("read"), Some(shown[0].id));
    late.carry_out().await;

    // The late event has the lower number, so the stream sends it first.
    assert_eq!(stream.event().await.2["investigationId"], json!("eeeeeeeeeeeeeeeeeeeeeeee"));
    assert_eq!(stream.event().await.2["investigationId"], json!(second));
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_on_one_copy_gets_events_of_another_copy() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = || postgres::place_through(folder.path(), &postgres::host_and_port(), 4);
    let ((_one, first), (_other, second)) = (TestApp::start_at(place()).await, TestApp::start_at(place()).await);
    let mut stream = Stream::open(&second, "/api/events").await;
    let id = first.create(json!({})).await;
    assert_eq!(stream.event().await.2["investigationId"], json!(id));
}

#[tokio::test(flavor = "multi_thread")]
async fn investigation_stream_has_changes_made_on_the_other_copy() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = || postgres::place_through(folder.path(), &postgres::host_and_port(), 4);
    let ((_one, first), (_other, second)) = (TestApp::start_at(place()).await, TestApp::start_at(place()).await);
    let (id, path) = (first.create(json!({})).await, first.create_path(json!({})).await);
    let mut stream = Stream::open(&second, &format!("/api/events?investigation={id}&after=0")).await;
    assert_eq!(stream.event().await.1, "investigation.created");
    first.patch(&path, json!({"title": "Peas"})).await;
    first.patch(&format!("/api/investigation/{id}"), json!({"title": "Cress"})).await;
    let (_, kind, data) = stream.event().await;
    assert_eq!((kind.as_str(), &data["investigationId"]), ("investigation.updated", &json!(id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn key_revoked_on_one_copy_ends_its_streams_on_another_copy() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = || postgres::place_through(folder.path(), &postgres::host_and_port(), 4);
    let ((one, _), (other, _)) = (TestApp::start_at(place()).await, TestApp::start_at(place()).await);
    let key = add_key(&one, 1, "author").await;
    let mut stream = Stream::open(&other.anon().bearing(key.expose()), "/api/events").await;
    one.app.store.revoke_api_key(key.id().expect("an id"), START).await.expect("revoked");
    other.clock.advance(RECHECK);
    while let Some(block) = stream.next().await {
        assert_ne!(block, Block::Aside(":".to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_in_a_restored_postgresql_dump_sort_before_new_events() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = || postgres::place_through(folder.path(), &postgres::host_and_port(), 4);
    let (mut app, _) = TestApp::start_at(place()).await;
    app.stop().await;
    let told = TELL.replace("(at,", "(xact, at,").replace("(1,", "(9000000000000000, 1,");
    postgres::execute_in(folder.path(), &postgres::address().expect("a server"), &told);
    let (app, teacher) = TestApp::start_at(place()).await;
    teacher.create(json!({})).await;
    let events = app.events(2).await;
    let names: Vec<&str> = events.iter().map(|event| event.what.name()).collect();
    assert_eq!(names, ["investigation.deleted", "investigation.created"]);
}
