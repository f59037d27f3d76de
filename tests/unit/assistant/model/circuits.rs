//! Unit tests of `src/assistant/model/circuits.rs`.

use super::super::backoff::PAUSE;
use super::*;

const NOW: Duration = Duration::ZERO;
const ENOUGH: usize = FAILURES as usize;

fn caller(number: u8) -> Actor {
    Actor::at([127, 0, 0, number].into())
}

/// Makes calls of a caller time out until the calls of this caller are paused.
fn time_out(circuits: &Circuits, caller: Actor, now: Duration) {
    for number in 1.. {
        let Some(permit) = circuits.permit(caller, now) else { break };
        assert!(number <= FAILURES, "no pause");
        permit.timed_out(now);
    }
}

#[test]
fn repeated_timeouts_of_one_caller_do_not_pause_model_calls_of_other_callers() {
    let circuits = Circuits::new();
    for number in 0..20 {
        let now = PAUSE * number;
        time_out(&circuits, caller(1), now);
        // The permit is dropped, so no success of another caller ends the series.
        assert!(circuits.permit(caller(2), now).is_some(), "pause {number}");
    }
}

#[test]
fn timeouts_of_five_callers_pause_all_model_calls() {
    let circuits = Circuits::new();
    for number in 1..=5 {
        assert!(circuits.permit(caller(6), NOW).is_some(), "caller {number}");
        time_out(&circuits, caller(number), NOW);
    }
    assert!(circuits.permit(caller(6), NOW).is_none());
}

#[test]
fn after_a_pause_of_all_calls_timeouts_of_one_caller_pause_only_that_caller() {
    let circuits = Circuits::new();
    let permits: Vec<_> = (0..ENOUGH).filter_map(|_| circuits.permit(caller(1), NOW)).collect();
    let pauses = permits.into_iter().map(|permit| permit.failed(NOW)).filter(|pauses| *pauses).count();
    assert!(pauses == 1 && circuits.permit(caller(2), NOW).is_none());
    time_out(&circuits, caller(1), PAUSE);
    assert!(circuits.permit(caller(2), PAUSE).is_some());
}

#[test]
fn model_failures_that_do_not_depend_on_the_caller_pause_all_calls() {
    let circuits = Circuits::new();
    let permits: Vec<_> = (0..ENOUGH).filter_map(|_| circuits.permit(caller(1), NOW)).collect();
    let pauses: Vec<_> = permits.into_iter().map(|permit| permit.failed(NOW)).collect();
    assert_eq!(pauses, [false, false, false, false, true]);
    assert!(circuits.permit(caller(2), NOW).is_none());
}

#[test]
fn success_of_a_caller_ends_their_series_of_timeouts() {
    let circuits = Circuits::new();
    for _ in 1..ENOUGH {
        let permit = circuits.permit(caller(1), NOW).expect("no pause");
        assert!(!permit.timed_out(NOW));
    }
    circuits.permit(caller(1), NOW).expect("no pause").succeeded();
    for _ in 1..ENOUGH {
        let permit = circuits.permit(caller(1), NOW).expect("no pause");
        assert!(!permit.timed_out(NOW));
    }
    assert!(circuits.permit(caller(1), NOW).is_some());
}
