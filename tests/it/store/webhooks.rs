//! The store keeps the progress of deliveries to endpoints.

use fieldbook::authoring;
use fieldbook::domain::event::EventId;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::events::ExpiredEvents;
use fieldbook::store::webhook::Delivery;
use serde_json::json;

use crate::support::{COLLEAGUE, TEACHER, TestApp};

/// Creates investigations until there are `count` events. Returns the ids of the events as soon as all are visible.
async fn happen(app: &TestApp, before: usize, count: usize) -> Vec<EventId> {
    for _ in before..count {
        authoring::create(&app.app, None, serde_json::Map::new()).await.expect("created");
    }
    let events = app.events(count).await;
    assert_eq!(events.len(), count);
    events.iter().map(|event| event.id).collect()
}

async fn hold(app: &TestApp, endpoint: &str) -> Option<EventId> {
    app.app.store.lease_endpoint(endpoint.into(), "one".into()).await.expect("an answer")
}

async fn queue(app: &TestApp, last: EventId) {
    assert!(app.app.store.queue_deliveries("a".into(), last, "one".into()).await.expect("an answer"));
}

/// Endpoints get the events of one user after another. Returns the user whose turn comes after `actor`, and the first
/// events of that user.
async fn next(app: &TestApp, actor: &str, limit: u32) -> (String, Vec<EventId>) {
    let (actor, queued) = app.app.store.next_deliveries("a".into(), actor.into(), limit).await.expect("read");
    (actor.unwrap_or_default(), queued.into_iter().map(|queued| queued.id).collect())
}

async fn settle(app: &TestApp, event: EventId, retry: Option<(u32, Timestamp)>) -> bool {
    let delivery = Delivery { endpoint: "a".into(), event, retry };
    app.app.store.settle_delivery(delivery, "one".into()).await.expect("an answer")
}

async fn due(app: &TestApp, endpoint: &str, now: i64) -> Vec<(EventId, u32)> {
    let due = app.app.store.due_deliveries(endpoint.into(), Timestamp(now), 9).await.expect("read");
    assert!(due.iter().all(|waiting| waiting.event.as_ref().is_none_or(|event| event.id == waiting.id)));
    due.into_iter().map(|waiting| (waiting.id, waiting.attempts)).collect()
}

#[tokio::test]
async fn new_webhook_endpoint_starts_after_past_events_and_keeps_its_position() {
    let (app, _, _) = TestApp::start().await;
    assert_eq!(hold(&app, "first").await, Some(EventId::BEGINNING));
    let before = happen(&app, 0, 2).await;
    assert_eq!(hold(&app, "a").await, Some(before[1]));
    let after = happen(&app, 2, 4).await;
    assert_eq!(hold(&app, "a").await, Some(before[1]), "also when more has happened");
    queue(&app, after[2]).await;
    assert_eq!(next(&app, "", 9).await.1, after[2..3], "past events are not queued");
    queue(&app, after[3]).await;
    assert_eq!(next(&app, "", 9).await.1, after[2..], "each event is queued once");
    let app = app.restart().await;
    assert_eq!(hold(&app, "a").await, Some(after[3]));
    assert_eq!(next(&app, "", 9).await.1, after[2..]);
    assert!(settle(&app, after[2], None).await);
    assert_eq!(next(&app, "", 9).await.1, after[3..]);
    assert_eq!(hold(&app, "first").await, Some(EventId::BEGINNING));
}

#[tokio::test]
async fn users_take_turns_with_the_events_that_are_queued_for_a_webhook() {
    let (app, _, _) = TestApp::start().await;
    let (one, other) = (app.signed_in(TEACHER), app.signed_in(COLLEAGUE));
    hold(&app, "a").await;
    for _ in 0..3 {
        one.create(json!({})).await;
    }
    other.create(json!({})).await;
    one.create(json!({})).await;
    let events = happen(&app, 5, 6).await;
    queue(&app, events[5]).await;
    let mut turns = Vec::new();
    let mut actor = String::new();
    for _ in 0..4 {
        let (served, ids) = next(&app, &actor, 2).await;
        for id in &ids {
            assert!(settle(&app, *id, None).await);
        }
        turns.push((served.clone(), ids));
        actor = served;
    }
    let of = |actor: &str, ids: &[usize]| (actor.to_owned(), ids.iter().map(|id| events[*id]).collect::<Vec<_>>());
    let mut users = [of(TEACHER, &[0, 1]), of(COLLEAGUE, &[3])];
    users.sort();
    let [first, second] = users;
    assert_eq!(turns, [first, second, of("", &[5]), of(TEACHER, &[2, 4])]);
    assert_eq!(next(&app, &actor, 2).await.1, []);
}

#[tokio::test]
async fn failed_webhook_delivery_is_due_again_until_it_succeeds() {
    let (app, _, _) = TestApp::start().await;
    hold(&app, "a").await;
    hold(&app, "b").await;
    let events = happen(&app, 0, 3).await;
    queue(&app, events[2]).await;
    assert!(settle(&app, events[0], Some((1, Timestamp(300)))).await);
    assert!(settle(&app, events[1], Some((1, Timestamp(200)))).await);
    assert_eq!(next(&app, "", 9).await.1, events[2..]);
    assert_eq!(due(&app, "a", 199).await, []);
    assert_eq!(due(&app, "a", 200).await, [(events[1], 1)]);
    assert_eq!(due(&app, "a", 300).await, [(events[1], 1), (events[0], 1)]);
    assert_eq!(due(&app, "b", 300).await, []);
    let app = app.restart().await;
    hold(&app, "a").await;
    assert!(settle(&app, events[1], Some((2, Timestamp(400)))).await);
    assert!(settle(&app, events[0], None).await);
    assert_eq!(due(&app, "a", 300).await, []);
    assert_eq!(due(&app, "a", 400).await, [(events[1], 2)]);
}

#[tokio::test]
async fn webhook_delivery_of_an_expired_event_has_only_the_event_id() {
    let (app, _, _) = TestApp::start().await;
    hold(&app, "a").await;
    let events = happen(&app, 0, 2).await;
    queue(&app, events[1]).await;
    assert!(settle(&app, events[0], Some((1, Timestamp(5)))).await);
    app.behind("DELETE FROM event");
    let due = app.app.store.due_deliveries("a".into(), Timestamp(5), 9).await.expect("read");
    assert_eq!((due[0].id, &due[0].event), (events[0], &None));
    assert_eq!(next(&app, "", 9).await.1, events[1..]);
}

#[tokio::test]
async fn events_not_yet_delivered_to_a_webhook_are_kept_regardless_of_age() {
    let (app, _, _) = TestApp::start().await;
    hold(&app, "a").await;
    let events = happen(&app, 0, 6).await;
    let forget = async |endpoints: &[&str]| {
        let endpoints = endpoints.iter().map(|name| (*name).to_owned()).collect();
        let outdated = ExpiredEvents { before: Timestamp(i64::MAX), now: Timestamp(i64::MAX), endpoints };
        let oldest = app.events(1).await[0].id;
        let may_be_more = app.app.store.forget_events(outdated).await.expect("an answer");
        let left = app.events(1).await;
        assert_eq!(may_be_more, left[0].id != oldest, "nothing more to do if nothing could be deleted");
        left.iter().map(|event| event.id).collect::<Vec<_>>()
    };
    assert_eq!(forget(&["a"]).await, events);
    queue(&app, events[2]).await;
    assert_eq!(forget(&["a"]).await, events);
    assert!(settle(&app, events[0], None).await);
    assert!(settle(&app, events[1], Some((1, Timestamp(300)))).await);
    assert!(settle(&app, events[2], None).await);
    assert_eq!(forget(&["a"]).await, events[1..], "it waits to be sent again");
    assert!(settle(&app, events[1], None).await);
    assert_eq!(forget(&["a"]).await, events[3..]);
    queue(&app, events[4]).await;
    assert!(settle(&app, events[3], None).await);
    assert_eq!(forget(&["a"]).await, events[4..]);
    assert!(settle(&app, events[4], None).await);
    assert_eq!(forget(&["a"]).await, events[5..]);
}

#[tokio::test]
async fn delivery_scheduled_by_a_clock_that_was_ahead_is_due_after_the_clock_is_corrected() {
    let (app, _, _) = TestApp::start().await;
    hold(&app, "a").await;
    let events = happen(&app, 0, 1).await;
    queue(&app, events[0]).await;
    let week = 7 * 24 * 3600 * 1000;
    assert!(settle(&app, events[0], Some((1, Timestamp(week)))).await);
    assert_eq!(due(&app, "a", 300).await, [(events[0], 1)]);
    assert_eq!(due(&app, "a", week - 1000).await, []);
}
