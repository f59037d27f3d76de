//! Concurrent operations are linearizable: there is an order of the operations, each between its request and its
//! answer, that explains every answer. The tests use one copy of the service, and two copies on one store.

use std::sync::Arc;

use crate::caller::Caller;
use crate::histories::check::{Event, check};
use crate::histories::model::{Answer, Asked, Call, State};
use crate::histories::record::{Shared, record};
use crate::support::TestApp;

const CLIENTS: usize = 6;
const CALLS: usize = 20;

/// Records one history for each seed, all at the same time, and checks them. The clients are spread over the copies.
pub async fn are_linearizable(copies: &[&TestApp], seeds: std::ops::Range<u64>) {
    // Each client is another user, because one user may not have so many changes in progress.
    let callers = copies.iter().cycle().take(CLIENTS).zip(1..).map(|(app, user)| {
        let token = app.token(&format!("{user:024x}"));
        Caller::new(&format!("http://{}", app.address), &token).expect("a client")
    });
    let clients: Arc<Vec<Caller>> = Arc::new(callers.collect());
    let mut histories = tokio::task::JoinSet::new();
    for seed in seeds {
        let clients = clients.clone();
        histories.spawn(async move {
            let shared = Shared::create(&clients[0]).await.expect("created");
            (seed, record(&shared, &clients, CALLS, seed).await.expect("answers of the contract"))
        });
    }
    for (seed, history) in histories.join_all().await {
        assert!(history.len() > CLIENTS * CALLS / 2, "seed {seed}: most calls were answered");
        check(Shared::begin(), &history).unwrap_or_else(|reason| panic!("seed {seed}: {reason}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_update_undo_redo_and_restore_are_linearizable() {
    let (app, _, _) = TestApp::start().await;
    are_linearizable(&[&app], 0..8).await;
}

/// Returns a call that requires no revision (no `If-Match`), with its answer and the times of its beginning and end.
fn event(asked: Asked, told: Answer, begin: u64, end: u64) -> Event {
    Event { by: 0, call: Call { asked, only_on: None }, told: Some(told), begin, end }
}

fn stands(revision: u64, version: u64, value: u64) -> Answer {
    Answer::Stands { revision, version, value }
}

fn is_linearizable(events: &[Event]) -> bool {
    check(State::new(0), events).is_ok()
}

#[test]
fn linearizability_checker_accepts_a_valid_history_in_any_input_order() {
    let second = event(Asked::Update(8), stands(3, 2, 8), 0, 5);
    let first = event(Asked::Update(7), stands(2, 1, 7), 1, 4);
    let back = event(Asked::Undo, stands(4, 1, 7), 6, 7);
    let careful = Event {
        call: Call { asked: Asked::Redo, only_on: Some(1) },
        ..event(Asked::Redo, Answer::Changed { revision: 3 }, 2, 9)
    };
    assert!(is_linearizable(&[second, first, back, careful]));
}

#[test]
fn linearizability_checker_rejects_a_lost_update() {
    let one = event(Asked::Update(7), stands(2, 1, 7), 0, 2);
    let other = event(Asked::Update(8), stands(2, 1, 8), 1, 3);
    assert!(is_linearizable(&[one]) && is_linearizable(&[other]));
    let reason = check(State::new(0), &[one, other]).expect_err("both on one revision");
    assert!(reason.contains("was told Some(Stands { revision: 2, version: 1"), "{reason}");
}

#[test]
fn linearizability_checker_rejects_a_stale_read() {
    let write = event(Asked::Update(7), stands(2, 1, 7), 0, 1);
    assert!(!is_linearizable(&[write, event(Asked::Read, stands(1, 0, 0), 2, 3)]));
    // A read that began before the answer to the change may return either state.
    assert!(is_linearizable(&[
        event(Asked::Update(7), stands(2, 1, 7), 0, 2),
        event(Asked::Read, stands(1, 0, 0), 1, 3)
    ]));
}

#[test]
fn linearizability_checker_rejects_a_redo_after_a_new_change() {
    let before = [
        event(Asked::Update(7), stands(2, 1, 7), 0, 1),
        event(Asked::Undo, stands(3, 0, 0), 2, 3),
        event(Asked::Update(8), stands(4, 2, 8), 4, 5),
    ];
    let redone = |told| [&before[..], &[event(Asked::Redo, told, 6, 7)]].concat();
    assert!(is_linearizable(&redone(Answer::NothingToRedo)));
    assert!(!is_linearizable(&redone(stands(5, 1, 7))));
}

#[test]
fn linearizability_checker_rejects_an_impossible_revision() {
    let write = event(Asked::Update(7), stands(2, 1, 7), 0, 1);
    let refused =
        |told| Event { call: Call { asked: Asked::Undo, only_on: Some(1) }, ..event(Asked::Undo, told, 2, 3) };
    assert!(is_linearizable(&[write, refused(Answer::Changed { revision: 2 })]));
    assert!(!is_linearizable(&[write, refused(Answer::Changed { revision: 3 })]));
    assert!(!is_linearizable(&[write, refused(stands(3, 0, 0))]));
}

#[test]
fn linearizability_checker_accepts_an_unanswered_change_executed_once_or_never() {
    let unanswered = Event { told: None, end: u64::MAX, ..event(Asked::Update(7), Answer::Deleted, 0, 0) };
    let read = |told| event(Asked::Read, told, 1, 2);
    assert!(is_linearizable(&[unanswered, read(stands(1, 0, 0))]));
    assert!(is_linearizable(&[unanswered, read(stands(2, 1, 7))]));
    assert!(!is_linearizable(&[unanswered, read(stands(3, 2, 7))]));
    // The change cannot have happened before its request.
    let later = Event { begin: 5, ..unanswered };
    assert!(!is_linearizable(&[later, read(stands(2, 1, 7))]));
}
