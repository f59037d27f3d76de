//! Unit tests of `src/profiles/breaker.rs`.

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp(seconds * 1000)
}

fn fail(breaker: &Arc<Breaker>, enough: u32, seconds: i64) -> Option<u64> {
    let rest = breaker.permit(at(seconds)).expect("a permit").failed(enough, at(seconds));
    rest.map(|rest| rest.as_secs())
}

#[test]
fn enough_failures_in_a_row_bring_a_rest_and_then_one_call_decides() {
    let breaker = Arc::new(Breaker::default());
    assert_eq!((fail(&breaker, 2, 0), fail(&breaker, 2, 0)), (None, Some(2)));
    assert!(breaker.permit(at(1)).is_none());
    let probe = breaker.permit(at(2)).expect("one is let through");
    assert!(breaker.permit(at(2)).is_none(), "and no second one beside it");
    probe.succeeded();
    assert_eq!(fail(&breaker, 2, 3), None, "earlier ones are forgotten");
    assert!(breaker.permit(at(3)).is_some());
}

#[test]
fn rests_grow_up_to_half_a_minute_and_are_short_again_once_it_went_well() {
    let breaker = Arc::new(Breaker::default());
    let rests: Vec<_> = (0..7).map(|n| fail(&breaker, 1, n * 100).expect("a rest")).collect();
    assert_eq!(rests, [2, 4, 8, 16, 30, 30, 30]);
    breaker.permit(at(1000)).expect("a permit").succeeded();
    assert_eq!(fail(&breaker, 1, 1001), Some(2));
}

#[test]
fn a_call_that_is_given_up_leaves_the_next_one_to_decide() {
    let breaker = Arc::new(Breaker::default());
    assert_eq!(fail(&breaker, 1, 0), Some(2));
    drop(breaker.permit(at(2)).expect("a permit"));
    breaker.permit(at(2)).expect("a permit").succeeded();
    assert!(breaker.permit(at(2)).is_some());
}

#[test]
fn a_call_from_before_the_rest_that_fails_late_does_not_make_it_longer() {
    let breaker = Arc::new(Breaker::default());
    let early = breaker.permit(at(0)).expect("a permit");
    assert_eq!(fail(&breaker, 1, 0), Some(2));
    assert_eq!(early.failed(1, at(1)), None);
    assert!(breaker.permit(at(2)).is_some());
}

#[test]
fn a_clock_that_is_put_back_ends_the_rest() {
    let breaker = Arc::new(Breaker::default());
    assert_eq!(fail(&breaker, 1, 1000), Some(2));
    assert!(breaker.permit(at(10)).is_some());
}
