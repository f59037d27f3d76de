//! Unit tests of `src/assistant/model/circuits.rs`.

use super::super::backoff::PAUSE;
use super::*;

const NOW: Duration = Duration::ZERO;
const ENOUGH: usize = FAILURES as usize;

fn caller(number: u8) -> Actor {
    Actor::at([127, 0, 0, number].into())
}

/// Makes calls of a caller fail until the calls of this caller are paused.
fn fail(circuits: &Circuits, caller: Actor, now: Duration) {
    for number in 1.. {
        let Some(permit) = circuits.permit(caller, now) else { break };
        assert!(number <= FAILURES, "no pause");
        permit.failed(now);
    }
}

#[test]
fn repeated_failures_of_one_caller_do_not_pause_model_calls_of_other_callers() {
    let circuits = Circuits::new();
    for number in 0..20 {
        let now = PAUSE * number;
        fail(&circuits, caller(1), now);
        // The test drops this permit unused. A recorded success would end the series of failures.
        assert!(circuits.permit(caller(2), now).is_some(), "pause {number}");
    }
}

#[test]
fn failures_of_five_callers_pause_all_model_calls() {
    let circuits = Circuits::new();
    for number in 1..=5 {
        assert!(circuits.permit(caller(6), NOW).is_some(), "caller {number}");
        fail(&circuits, caller(number), NOW);
    }
    assert!(circuits.permit(caller(6), NOW).is_none());
}

#[test]
fn after_a_pause_of_all_calls_failures_of_one_caller_pause_only_that_caller() {
    let circuits = Circuits::new();
    for number in 1..=5 {
        fail(&circuits, caller(number), NOW);
    }
    assert!(circuits.permit(caller(6), NOW).is_none());
    fail(&circuits, caller(1), PAUSE);
    assert!(circuits.permit(caller(6), PAUSE).is_some());
}

#[test]
fn success_of_a_caller_ends_their_series_of_failures() {
    let circuits = Circuits::new();
    for _ in 1..ENOUGH {
        let permit = circuits.permit(caller(1), NOW).expect("no pause");
        assert!(!permit.failed(NOW));
    }
    circuits.permit(caller(1), NOW).expect("no pause").succeeded();
    for _ in 1..ENOUGH {
        let permit = circuits.permit(caller(1), NOW).expect("no pause");
        assert!(!permit.failed(NOW));
    }
    assert!(circuits.permit(caller(1), NOW).is_some());
}
