//! Webhooks of several copies on one PostgreSQL. Only one copy at a time delivers to an endpoint.

use std::collections::BTreeSet;
use std::path::Path;

use fieldbook::domain::event::EventId;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::Store;
use fieldbook::store::webhook::Delivery;
use reqwest::Method;
use tokio::task::JoinSet;

use crate::support::process::Service;
use crate::support::receiver::{Receiver, Sent, secret};
use crate::support::stream::Stream;
use crate::support::{Caller, TestApp, postgres};

async fn hold(store: &Store, holder: &str) -> bool {
    store.lease_endpoint("a".into(), holder.into()).await.expect("an answer").is_some()
}

async fn settle(store: &Store, holder: &str) -> bool {
    let event = EventId { transaction: 1, number: 1, at: Timestamp(1) };
    let delivery = Delivery { endpoint: "a".into(), event, retry: Some((1, Timestamp(1))) };
    store.settle_delivery(delivery, holder.into()).await.expect("an answer")
}

#[tokio::test]
async fn webhook_endpoint_is_leased_by_one_copy_until_released_or_expired() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = postgres::place_through(folder.path(), &postgres::host_and_port(), 2);
    let (app, _) = TestApp::start_at(place).await;
    let store = &app.app.store;
    assert!(hold(store, "one").await && hold(store, "one").await);
    assert!(!hold(store, "other").await);
    assert!(!settle(store, "other").await, "what is noted by another is not taken");
    assert_eq!(store.due_deliveries("a".into(), Timestamp(9), 9).await.expect("read"), []);

    store.release_endpoint("a".into(), "other".into()).await.expect("an answer");
    assert!(!hold(store, "other").await, "nobody lets go for another");
    store.release_endpoint("a".into(), "one".into()).await.expect("an answer");
    assert!(hold(store, "other").await && !hold(store, "one").await);

    let server = postgres::address().expect("a server");
    postgres::execute_in(folder.path(), &server, "UPDATE webhook SET held_until = 0");
    assert!(hold(store, "one").await);
    assert!(!settle(store, "other").await && settle(store, "one").await);
}

struct Copy {
    service: Service,
    teacher: Caller,
}

impl Copy {
    fn start(folder: &Path, endpoint: &str) -> Self {
        let database = postgres::store_of(folder, &postgres::address().expect("a server"));
        let secret = secret();
        let arguments = ["--database", &database, "--webhook-urls", endpoint, "--webhook-secret", &secret];
        let service = Service::start_with(folder, &arguments);
        let teacher = service.teacher(folder);
        Self { service, teacher }
    }

    /// Returns the number of events that this copy has delivered.
    async fn delivered(&self) -> usize {
        let name = "fieldbook_webhook_deliveries_total{outcome=\"delivered\"} ";
        let said = self.teacher.get("/metrics").await.text;
        said.lines().find_map(|line| line.strip_prefix(name)).map_or(0, |count| count.parse().expect("a count"))
    }
}

/// Creates this many investigations, or fewer if the service ends meanwhile. Returns their ids.
async fn create(teacher: Caller, count: usize) -> Vec<String> {
    let mut created = Vec::new();
    for _ in 0..count {
        let body = Some(("application/json", "{}"));
        let Ok(answer) = teacher.attempt(Method::POST, "/api/investigation", body).await else { break };
        assert_eq!(answer.status, 201, "{answer}");
        created.push(answer.data()["_id"].as_str().expect("an id").to_owned());
    }
    created
}

/// Returns the events in the order of their first delivery, and the number of repeated deliveries. Panics if an event
/// came before an older event.
fn in_order(sent: &[Sent]) -> (Vec<EventId>, usize) {
    let ids = sent.iter().map(|sent| sent.id.parse::<EventId>().expect("the id of an event"));
    let (mut known, mut first) = (BTreeSet::new(), Vec::new());
    ids.for_each(|id| {
        if known.insert(id) {
            first.push(id)
        }
    });
    assert!(first.is_sorted(), "out of order: {first:?}");
    let again = sent.len() - first.len();
    (first, again)
}

/// Returns the ids of all events in the stream, up to the event about this investigation.
async fn all_up_to(teacher: &Caller, investigation: &str) -> Vec<EventId> {
    let mut stream = Stream::open(teacher, "/api/events?after=0").await;
    let mut all = Vec::new();
    loop {
        let (id, _, data) = stream.event().await;
        all.push(id.parse().expect("the id of an event"));
        if data["investigationId"] == investigation {
            return all;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_copy_sends_all_webhook_events_and_another_copy_takes_over_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let receiver = Receiver::start(Vec::new()).await;
    let copies = [Copy::start(folder.path(), &receiver.url()), Copy::start(folder.path(), &receiver.url())];
    let hands = copies.iter().flat_map(|copy| [create(copy.teacher.clone(), 20), create(copy.teacher.clone(), 20)]);
    hands.collect::<JoinSet<_>>().join_all().await;
    let sent = receiver.sent(80).await;
    let (events, again) = in_order(&sent);
    assert_eq!((events.len(), again), (80, 0), "each event is posted once");
    // A copy records a delivery shortly after the receiver has accepted it.
    let delivered = loop {
        let delivered = [copies[0].delivered().await, copies[1].delivered().await];
        if delivered[0] + delivered[1] == 80 {
            break delivered;
        }
    };
    assert!(delivered.contains(&0), "one copy delivers: {delivered:?}");
    let [one, other] = copies;
    let (mut one, other) = if delivered[0] > 0 { (one, other) } else { (other, one) };

    // The copy that delivers is killed while both copies get writes.
    let hands = [create(one.teacher.clone(), usize::MAX), create(other.teacher.clone(), 200)];
    let hands = hands.into_iter().collect::<JoinSet<_>>();
    receiver.sent(120).await;
    one.service.kill();
    let acknowledged: Vec<String> = hands.join_all().await.into_iter().flatten().collect();
    // The killed copy would hold the endpoint for half a minute. The test ends this time at once.
    let server = postgres::address().expect("a server");
    postgres::execute_in(folder.path(), &server, "UPDATE webhook SET held_until = 0");
    let last = create(other.teacher.clone(), 1).await.remove(0);
    let is_about = |sent: &Sent, id: &str| sent.payload["data"]["investigationId"] == id;
    let sent = receiver.until(|all| all.iter().any(|sent| is_about(sent, &last))).await;
    let (events, again) = in_order(&sent);
    assert!(again <= 1, "no more than the one that was under way comes again: {again}");
    assert_eq!(events, all_up_to(&other.teacher, &last).await);
    assert!(acknowledged.iter().all(|id| sent.iter().any(|sent| is_about(sent, id))));

    // After its restart, the copy leaves the deliveries to the other copy.
    let one = Copy::start(folder.path(), &receiver.url());
    create(one.teacher.clone(), 20).await;
    let (events, still) = in_order(&receiver.sent(sent.len() + 20).await);
    assert_eq!((events.len() + still, still), (sent.len() + 20, again));
    assert_eq!(one.delivered().await, 0);
}
