//! Of several copies over one PostgreSQL one delivers to an endpoint at a time.

use fieldbook::domain::event::EventId;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::Store;
use fieldbook::store::webhook::Delivery;

use crate::support::{TestApp, postgres};

async fn hold(store: &Store, holder: &str) -> bool {
    store.hold_endpoint("a".into(), holder.into()).await.expect("an answer").is_some()
}

async fn settle(store: &Store, holder: &str) -> bool {
    let event = EventId { transaction: 1, number: 1, at: Timestamp(1) };
    let delivery = Delivery { endpoint: "a".into(), event, again: Some((1, Timestamp(1))) };
    store.settle_delivery(delivery, holder.into()).await.expect("an answer")
}

#[tokio::test]
async fn who_holds_an_endpoint_holds_it_until_it_lets_go_or_is_heard_of_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = postgres::place_through(folder.path(), &postgres::host_and_port(), 2);
    let (app, _) = TestApp::start_at(place).await;
    let store = &app.app.store;
    assert!(hold(store, "one").await && hold(store, "one").await);
    assert!(!hold(store, "other").await);
    assert!(!settle(store, "other").await, "what is noted by another is not taken");
    assert_eq!(store.due_deliveries("a".into(), Timestamp(9), 9).await.expect("read"), []);

    store.let_go_of_endpoint("a".into(), "other".into()).await.expect("an answer");
    assert!(!hold(store, "other").await, "nobody lets go for another");
    store.let_go_of_endpoint("a".into(), "one".into()).await.expect("an answer");
    assert!(hold(store, "other").await && !hold(store, "one").await);

    let server = postgres::address().expect("a server");
    postgres::execute_in(folder.path(), &server, "UPDATE webhook SET held_until = now() - interval '1 second'");
    assert!(hold(store, "one").await);
    assert!(!settle(store, "other").await && settle(store, "one").await);
}
