//! A database that loses answers, becomes silent and comes back. Every acknowledged write is stored exactly once.

use std::path::Path;

use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::history::{self, Act, Kind};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::page::PageRequest;
use fieldbook::store::{
    Address, Backend, Commit, Deleted, IdempotentAnswer, InvestigationRow, LinkCreated, Reports, Stamp, StoreLocation,
};
use serde_json::json;

use crate::support::postgres::Holder;
use crate::support::proxy::Proxy;
use crate::support::{Caller, TestApp, postgres};

/// Starts a service that reaches its database through a proxy, over one connection.
async fn start() -> (Proxy, TestApp, Caller) {
    start_in(tempfile::tempdir().expect("a folder").path()).await
}

/// Like [`start`], but with the store of this folder.
async fn start_in(folder: &Path) -> (Proxy, TestApp, Caller) {
    let proxy = Proxy::before(&postgres::host_and_port()).await;
    let store = postgres::store_of(folder, &postgres::address().expect("a server"));
    let store = store.replacen(&postgres::host_and_port(), &proxy.address.to_string(), 1);
    // The proxy reads the answers, so they must not be encrypted.
    let address = Address::parse(&format!("{store}&sslmode=disable")).expect("an address");
    let place = StoreLocation { backend: Backend::Postgres { address, connections: 1 }, migrate: true };
    let (app, teacher) = TestApp::start_at(place).await;
    (proxy, app, teacher)
}

#[tokio::test(flavor = "multi_thread")]
async fn commit_whose_answer_is_lost_is_stored_once_and_reported_as_stored() {
    let (proxy, app, teacher) = start().await;
    let id = teacher.create(json!({"title": "Cress", "count": 0})).await;
    let path = format!("/api/investigation/{id}");
    let link = teacher.create_link(&id, "class", "cress").await;
    // The connection has prepared each statement by now, so the next answer belongs to the statement itself.
    teacher.patch(&path, json!({"count": 1})).await;
    teacher.get(&link).await;

    proxy.lose_the_next_answer();
    let updated = app.app.store.load(id.parse().expect("an id")).await.expect("read").expect("an investigation");
    assert!(proxy.has_lost_it() && updated.version == 1);

    for round in 2..8_u64 {
        let answer = lost(&proxy, &app, &teacher, &path, round).await;
        assert_eq!(answer["version"], round, "{answer}");
        proxy.lose_the_answer_to_the_next_commit();
        assert_eq!(teacher.get(&link).await.data()["visitCount"], round);
        assert!(proxy.has_lost_it());
        // The service has opened a new connection, which must prepare the statements again.
        assert_eq!(teacher.patch(&path, json!({"title": "Cress"})).await.status, 200);
    }
    let records = teacher.get(&format!("{path}/versions")).await.data();
    assert_eq!(records.as_array().expect("records").len(), 7);
    assert_eq!(teacher.get(&path).await.data()["count"], 7);

    let doomed = teacher.create(json!({"title": "Radish"})).await.parse().expect("an id");
    app.app.store.load(doomed).await.expect("read");
    proxy.lose_the_answer_to_the_next_commit();
    let stamp = Stamp { actor: AuditActor::default(), at: app.clock.now() };
    let deleted = app.app.store.delete(doomed, None, stamp).await.expect("deleted");
    assert_eq!(deleted, Deleted::Done { chats: 1 });
}

#[tokio::test(flavor = "multi_thread")]
async fn creation_whose_commit_answer_is_lost_is_not_reported_as_a_repeat() {
    let (proxy, app, teacher) = start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let keyed = |key: &str| teacher.clone().with_header("idempotency-key", key);
    let link = json!({"key": "class", "description": ""});
    let links = format!("/api/link/investigation/{id}");
    // The connection has prepared each statement by now.
    keyed("1").post("/api/investigation", json!({})).await;
    keyed("2").post(&links, link.clone()).await;
    let first = |key: &str, answer: &str| IdempotentAnswer {
        caller: "c".into(),
        key: key.into(),
        request: "r".into(),
        answer: answer.into(),
        is_final: true,
        at: app.clock.now(),
    };
    let mut made = app.app.store.load(id.parse().expect("an id")).await.expect("read").expect("an investigation");
    made.id = ObjectId::from_bytes([9; 12]);
    let (store, row) = (&app.app.store, InvestigationRow::of(made.clone()).expect("a row"));
    proxy.lose_the_answer_to_the_next_commit();
    let created = store.create(row, made.id, Some(first("a", "1")), AuditActor::default()).await.expect("created");
    assert!(proxy.has_lost_it() && created.is_none(), "{created:?}");
    let page = store.links(id.parse().expect("an id"), PageRequest::first(1)).await.expect("read").expect("links");
    let (_, mut link) = page.entries.into_iter().next().expect("a link");
    (link.id, link.sub_link) = (made.id, "b".into());
    // The service has opened a new connection, which must prepare the statement again.
    keyed("3").post(&links, json!({"key": "class", "description": ""})).await;
    proxy.lose_the_answer_to_the_next_commit();
    let created = store.create_link(link, Some(first("b", "2")), Reports::default()).await.expect("created");
    assert!(proxy.has_lost_it() && created == LinkCreated::Done, "{created:?}");
    assert_eq!(teacher.get(&links).await.data().as_array().map(Vec::len), Some(3));
}

/// Stores an edit whose answer the proxy loses. The read before the edit still gets its answer.
async fn lost(proxy: &Proxy, app: &TestApp, teacher: &Caller, path: &str, count: u64) -> serde_json::Value {
    let id = path.rsplit('/').next().expect("an id").parse().expect("an id");
    let before = app.app.store.load(id).await.expect("read").expect("an investigation");
    let mut after = before.clone();
    after.content.insert("count".into(), json!(count));
    let act = Act { kind: Kind::Update, by: None, at: app.clock.now() };
    let step = history::record(&before, &after.content, act);
    after = before.after(&step, after.content, before.findings.clone(), &app.app.schema, app.clock.now());
    let commit = Commit {
        base_revision: before.revision,
        investigation: after.into(),
        step,
        content_before: before.content.clone(),
        chat_entry: None,
        pictures: Vec::new(),
        reports: Reports::default(),
    };
    proxy.lose_the_answer_to_the_next_commit();
    let committed = app.app.store.commit(app.app.store.prepare(commit).expect("ready")).await.expect("stored");
    assert!(committed);
    assert!(proxy.has_lost_it());
    teacher.get(path).await.data()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_fail_in_bounded_time_while_the_database_does_not_respond() {
    let folder = tempfile::tempdir().expect("a folder");
    let (proxy, _app, teacher) = start_in(folder.path()).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;

    // A statement is waiting in the server when the proxy becomes silent.
    let store = postgres::store_of(folder.path(), &postgres::address().expect("a server"));
    let holder = Holder::of(&store, "LOCK TABLE chat").await;
    let (created, ()) = tokio::join!(teacher.post("/api/investigation", json!({"title": "Radish"})), async {
        while !holder.is_in_the_way().await {}
        proxy.fall_silent();
    });
    assert_eq!((created.status.as_u16(), &created.json()["code"]), (500, &json!("store_unavailable")), "{created}");
    let unknown = "The store is not available. It is unknown whether anything was changed; read it again in a second";
    assert_eq!(created.json()["error"], unknown);
    holder.let_go().await;

    let (read, ready) = tokio::join!(teacher.get(&path), teacher.get("/health/ready"));
    assert_eq!((read.status.as_u16(), &read.json()["code"]), (500, &json!("store_unavailable")), "{read}");
    assert_eq!(read.json()["error"], "The store is not available. Nothing was changed; try again in a second");
    assert_eq!((ready.status.as_u16(), ready.headers["retry-after"].as_bytes()), (503, b"1".as_slice()), "{ready}");
    assert_eq!(teacher.get("/health/live").await.status, 200);
    proxy.speak_again();
    assert_eq!(teacher.get("/health/ready").await.status, 200);
    assert_eq!(teacher.patch(&path, json!({"title": "Radish"})).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_queries_of_a_slow_list_are_cancelled_at_the_deadline() {
    let (proxy, _app, teacher) = start().await;
    for curriculum in ["Biology", "Physics"] {
        teacher.create(json!({"title": "Cress", "curriculum": curriculum})).await;
    }
    let first = teacher.get("/api/investigation?limit=1").await.data();
    let cursor = first["pagination"]["nextCursor"].as_str().expect("a cursor");
    proxy.be_slow();
    let list = teacher.get(&format!("/api/investigation?cursor={cursor}")).await;
    assert_eq!((list.status.as_u16(), list.header("retry-after")), (503, Some("1")), "{list}");
    assert_eq!(list.json()["message"], "The store is not available. Nothing was changed; try again in a second");
    proxy.speak_again();
    assert_eq!(teacher.get("/api/investigation").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn service_reconnects_to_a_database_that_closed_all_connections() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_proxy, app, teacher) = start_in(folder.path()).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    for n in 0..5 {
        postgres::end_connections(folder.path(), &postgres::address().expect("a server"));
        assert_eq!(teacher.patch(&path, json!({"n": n})).await.status, 200);
    }
    app.app.store.ready().await.expect("ready");
}
