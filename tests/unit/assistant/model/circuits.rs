//! Unit tests of `src/assistant/model/circuits.rs`.

use super::super::backoff::PAUSE;
use super::*;

const NOW: Duration = Duration::ZERO;
const ENOUGH: usize = FAILURES as usize;

fn caller(number: u8) -> Actor {
    Actor::at([127, 0, 0, number].into())
}

/// Lets so many calls of a caller time out that their pause starts. Returns whether all calls are paused, too.
fn time_out(circuits: &Circuits, caller: Actor, now: Duration) -> bool {
    let permits: Vec<_> = (0..ENOUGH).map_while(|_| circuits.permit(caller, now)).collect();
    let pauses_all: Vec<_> = permits.into_iter().map(|permit| permit.timed_out(now)).collect();
    assert!(circuits.permit(caller, now).is_none());
    pauses_all.contains(&true)
}

#[test]
fn timeouts_of_one_caller_pause_no_other_caller_however_often_they_occur() {
    let circuits = Circuits::new();
    for number in 0..20 {
        let now = PAUSE * number;
        assert!(!time_out(&circuits, caller(1), now), "pause {number}");
        // The permit is dropped, so no success of another caller ends the series.
        assert!(circuits.permit(caller(2), now).is_some(), "pause {number}");
    }
}

#[test]
fn timeouts_of_five_callers_pause_all_calls() {
    let circuits = Circuits::new();
    let pauses_all: Vec<_> = (1..=5).map(|number| time_out(&circuits, caller(number), NOW)).collect();
    assert_eq!(pauses_all, [false, false, false, false, true]);
    assert!(circuits.permit(caller(6), NOW).is_none());
}

#[test]
fn failures_that_do_not_depend_on_the_caller_pause_all_calls() {
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
