//! Unit tests of `src/breaker.rs`.

use super::*;

const PAUSES: Pauses = Pauses { first: Duration::from_secs(2), longest: Duration::from_secs(30) };

fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn fail(breaker: &Breaker, enough: u32, seconds: u64) -> Option<u64> {
    let pause = breaker.permit(at(seconds)).expect("a permit").failed(at(seconds), enough, None);
    pause.map(|pause| pause.as_secs())
}

#[test]
fn circuit_breaker_pauses_after_consecutive_failures_until_a_trial_call_succeeds() {
    let breaker = Breaker::new(PAUSES);
    assert_eq!((fail(&breaker, 2, 0), fail(&breaker, 2, 0)), (None, Some(2)));
    assert!(breaker.permit(at(1)).is_none());
    assert_eq!((breaker.pause(at(1)), breaker.pause(at(2))), (Some(at(1)), None));
    let trial = breaker.permit(at(2)).expect("one call is allowed");
    assert!(breaker.permit(at(2)).is_none(), "but not a second one beside it");
    trial.succeeded();
    assert_eq!(fail(&breaker, 2, 3), None, "earlier failures are forgotten");
    assert!(breaker.permit(at(3)).is_some());
}

#[test]
fn circuit_breaker_pauses_grow_and_are_short_again_after_a_success() {
    let breaker = Breaker::new(PAUSES);
    let pauses: Vec<_> = (0..40).map(|n| fail(&breaker, 1, n * 100).expect("a pause")).collect();
    assert_eq!(pauses[..5], [2, 4, 8, 16, 30]);
    assert!(pauses[5..].iter().all(|pause| *pause == 30));
    breaker.permit(at(9000)).expect("a permit").succeeded();
    assert_eq!(fail(&breaker, 1, 9001), Some(2));
}

#[test]
fn circuit_breaker_allows_another_trial_call_after_a_cancelled_trial() {
    let breaker = Breaker::new(PAUSES);
    assert_eq!(fail(&breaker, 1, 0), Some(2));
    drop(breaker.permit(at(2)).expect("a permit"));
    breaker.permit(at(2)).expect("a permit").succeeded();
    assert!(breaker.permit(at(2)).is_some());
}

#[test]
fn failure_of_a_call_begun_before_the_pause_does_not_extend_the_pause() {
    let breaker = Breaker::new(PAUSES);
    let early = breaker.permit(at(0)).expect("a permit");
    assert_eq!(fail(&breaker, 1, 0), Some(2));
    assert_eq!(early.failed(at(1), 1, None), None);
    assert!(breaker.permit(at(2)).is_some());
}

#[test]
fn circuit_breaker_pauses_at_once_if_the_server_asks_to_wait() {
    let breaker = Breaker::new(PAUSES);
    let fail = |seconds, asked| {
        let permit = breaker.permit(at(seconds)).expect("a permit");
        permit.failed(at(seconds), 3, Some(at(asked))).map(|pause| pause.as_secs())
    };
    assert_eq!((fail(0, 9), fail(9, 0)), (Some(9), None));
    assert_eq!((fail(9, 1), fail(11, 9), fail(20, 900)), (Some(2), Some(9), Some(30)));
}
