//! Events are stored with their change, and are deleted after some days.

use std::time::Duration;

use fieldbook::authoring;
use fieldbook::clock::Clock;
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::event::{Event, EventId, EventKind};
use fieldbook::domain::history::Step;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::time::Timestamp;
use fieldbook::feed::Feed;
use fieldbook::store::{Commit, Reports, Stamp};
use serde_json::json;

use crate::support::{EVENTS_KEPT, START, TestApp, as_service};

const NOW: Stamp = Stamp { actor: AuditActor { user: None, key: None }, at: START };

fn names(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.what.name()).collect()
}

async fn created(app: &TestApp) -> fieldbook::domain::investigation::Investigation {
    let content = json!({"title": "Cress"}).as_object().cloned().expect("an object");
    authoring::create(&app.app, None, content).await.expect("created")
}

#[tokio::test]
async fn events_are_stored_in_order_and_only_with_a_change_that_is_stored() {
    let (app, _, _) = TestApp::start().await;
    assert_eq!(app.app.store.newest_event().await.expect("read"), None);
    let before = created(&app).await;
    let commit = async |base_revision| {
        let mut after = before.clone();
        after.revision += 1;
        let told = [
            EventKind::Deleted { permanently: false },
            EventKind::Created { cloned_from: None },
            EventKind::ContradictionsFound { count: 1, total: 2 },
        ];
        let commit = Commit {
            base_revision,
            investigation: after.into(),
            step: Step::Stay,
            content_before: before.content.clone(),
            chat_entry: None,
            pictures: Vec::new(),
            reports: Reports::of(Stamp { actor: AuditActor::default(), at: START }, before.id, told.to_vec()),
        };
        app.app.store.commit(app.app.store.prepare(commit).expect("ready")).await.expect("an answer")
    };
    assert!(!commit(9).await);
    assert_eq!(names(&app.events(1).await), ["investigation.created"]);
    assert!(commit(1).await);
    let events = app.events(4).await;
    assert_eq!(
        names(&events)[1..],
        ["investigation.deleted", "investigation.created", "investigation.contradictions_found"]
    );
    assert!(events.is_sorted_by(|one, other| one.id < other.id), "{events:?}");
    assert!(events.iter().all(|event| event.investigation_id == before.id && event.id.at == START));
    assert_eq!(events.iter().map(|event| event.revision).collect::<Vec<_>>(), [1, 2, 2, 2]);
    assert_eq!(events[3].what, EventKind::ContradictionsFound { count: 1, total: 2 });
}

#[tokio::test]
async fn events_after_any_event_can_be_read_even_after_a_restart() {
    let (app, _, _) = TestApp::start().await;
    for _ in 0..5 {
        created(&app).await;
    }
    let app = app.restart().await;
    let events = app.events(5).await;
    assert_eq!(events.len(), 5);
    assert_eq!(app.app.store.newest_event().await.expect("read"), Some(events[4].id));
    for (place, event) in events.iter().enumerate() {
        let rest = app.app.store.events_after(event.id, None, 2).await.expect("read");
        assert_eq!(rest, events[place + 1..].iter().take(2).cloned().collect::<Vec<_>>());
        assert!(app.app.store.has_event(event.id).await.expect("read"));
        let other = EventId { at: Timestamp(event.id.at.0 + 1), ..event.id };
        assert!(!app.app.store.has_event(other).await.expect("read"));
    }
    assert!(!app.app.store.has_event(EventId::BEGINNING).await.expect("read"));
}

#[tokio::test]
async fn deletion_event_has_the_last_revision_and_the_time_of_the_deletion() {
    let (app, _, _) = TestApp::start().await;
    let id = created(&app).await.id;
    app.clock.advance(Duration::from_secs(5));
    authoring::delete(&app.app, id, &as_service(), false).await.expect("deleted");
    let events = app.events(2).await;
    assert_eq!(names(&events), ["investigation.created", "investigation.deleted"]);
    assert_eq!((events[1].revision, events[1].id.at), (1, Timestamp(START.0 + 5000)));
}

#[tokio::test]
async fn imported_investigation_emits_no_event() {
    let (app, _, _) = TestApp::start().await;
    let id = created(&app).await.id;
    let entry = app.app.store.exported(id).await.expect("read").expect("an investigation");
    let whole = entry.whole().expect("sound");
    assert!(!app.app.store.import_whole(whole.clone()).await.expect("an answer"));
    assert_eq!(app.events(1).await.len(), 1);
    let (other, _, _) = TestApp::start().await;
    assert!(other.app.store.import_whole(whole).await.expect("stored"));
    assert_eq!(other.app.store.newest_event().await.expect("read"), None);
}

#[tokio::test]
async fn expired_events_are_deleted_without_a_later_change() {
    let (app, _, _) = TestApp::start().await;
    for _ in 0..150 {
        created(&app).await;
    }
    let events = app.events(150).await;
    app.clock.advance(EVENTS_KEPT + Duration::from_secs(1));
    // The task that watches for new events also deletes the expired events.
    while app.app.store.has_event(events[148].id).await.expect("read") {
        tokio::task::yield_now().await;
    }
    assert_eq!(app.events(1).await, events[149..], "the last one stays");
}

#[tokio::test]
async fn clock_that_jumps_ahead_does_not_expire_events() {
    let (app, _, _) = TestApp::start().await;
    let week = i64::try_from(EVENTS_KEPT.as_millis()).expect("a number");
    for _ in 0..3 {
        created(&app).await;
    }
    let first = app.events(3).await;
    app.sweep().await;
    app.clock.jump(week + 1000);
    for _ in 0..3 {
        created(&app).await;
    }
    app.events(6).await;
    app.sweep().await;
    app.clock.jump(-week - 1000);
    for _ in 0..3 {
        created(&app).await;
    }
    assert_eq!(app.events(9).await[..3], first, "nothing went");
    // The events that were stored with a future time do not keep the other events from expiring.
    app.clock.advance(EVENTS_KEPT - Duration::from_secs(1));
    created(&app).await;
    app.clock.advance(Duration::from_secs(1));
    app.events(10).await;
    app.sweep().await;
    assert_eq!(app.events(1).await.len(), 10, "they are kept for that long");
    app.clock.advance(Duration::from_millis(1));
    app.sweep().await;
    assert_eq!(app.events(1).await.len(), 2, "the last of those that were over stays");
}

/// The clock is wrong at one start and right at a later one. Changes are stored after each start.
#[tokio::test]
async fn events_and_trash_survive_a_temporarily_wrong_clock() {
    let days = |days: i64| days * 24 * 3600 * 1000;
    for wrong in [days(40), days(-20_000), days(3_000_000)] {
        let (app, teacher) = TestApp::start_with_trash().await;
        let store = &app.app.store;
        let started = async |at: Timestamp, passes: Duration| {
            let clock = Clock::set_to(at);
            let feed = Feed::new(EVENTS_KEPT, crate::support::STREAMS).with_trash(app.app.http.trash_kept());
            for pass in [Duration::ZERO, passes] {
                clock.advance(pass);
                while feed.sweep(store, &clock).await {}
            }
        };
        let deleted = async |at: Timestamp| {
            let id: ObjectId = teacher.create(json!({"title": "Cress"})).await.parse().expect("an id");
            let investigation = store.load(id).await.expect("read").expect("an investigation");
            store.discard(&investigation, Stamp { at, ..NOW }).await.expect("deleted");
        };
        let day = Duration::from_secs(24 * 3600);
        assert_eq!(EVENTS_KEPT, 7 * day);
        started(START, Duration::ZERO).await;
        deleted(START).await;
        deleted(Timestamp(START.0 + wrong)).await;
        for at in [wrong, wrong, 0] {
            started(Timestamp(START.0 + at), day / 2).await;
        }
        assert_eq!((app.events(4).await.len(), app.rows("trash")), (4, 2), "{wrong}");
        started(Timestamp(START.0 + days(80)), 30 * day).await;
        let left = i64::from(wrong > days(1000));
        assert_eq!(app.rows("trash"), left, "what was deleted while the clock was far ahead stays: {wrong}");
        assert_eq!(app.events(1).await.len(), if left == 1 { 2 } else { 1 }, "{wrong}");
    }
}

#[tokio::test]
async fn stored_time_for_expiry_that_is_far_ahead_of_the_machine_clock_is_reset_after_a_week() {
    let (app, _, _) = TestApp::start().await;
    let store = &app.app.store;
    let day = Duration::from_secs(24 * 3600);
    // The service reads the stored expiry clock, which measures ages, only in its first sweep. That sweep comes here,
    // before the test stores a wrong clock, so that the service never reads the wrong one.
    app.sweep().await;
    let ahead = START.later_by(4000 * day);
    store.keep_expiry_clock(ahead, false).await.expect("kept");
    let (clock, feed) = (Clock::set_to(START), Feed::new(EVENTS_KEPT, crate::support::STREAMS));
    for _ in 0..7 {
        feed.sweep(store, &clock).await;
        assert_eq!(store.expiry_clock().await.expect("read"), Some(ahead));
        clock.advance(day);
    }
    feed.sweep(store, &clock).await;
    assert_eq!(store.expiry_clock().await.expect("read"), Some(clock.now()));
}
