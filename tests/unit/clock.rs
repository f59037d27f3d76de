//! Unit tests of `src/clock.rs`.

use super::*;

const DAY: i64 = 24 * 3600 * 1000;

#[test]
fn a_steady_time_passes_with_the_uptime_and_takes_no_notice_of_a_jump_ahead() {
    let clock = Clock::set_to(Timestamp(100 * DAY));
    let mut steady = SteadyClock::default();
    assert_eq!((steady.now(&clock), steady.observe(&clock)), (None, None));
    clock.advance(Duration::from_secs(60));
    assert_eq!((steady.observe(&clock), steady.now(&clock)), (None, Some(clock.now())));
    let before = clock.now();
    clock.jump(8 * DAY);
    assert_eq!((steady.observe(&clock), steady.now(&clock)), (Some(8 * DAY), Some(before)));
    clock.advance(Duration::from_secs(2));
    clock.jump(-8 * DAY);
    assert_eq!((steady.observe(&clock), steady.now(&clock)), (Some(-8 * DAY), Some(clock.now())));
}

#[test]
fn a_steady_time_that_begins_while_the_clock_is_ahead_follows_what_is_stored_and_the_clock_when_it_is_set_back() {
    let clock = Clock::set_to(Timestamp(108 * DAY));
    let mut steady = SteadyClock::default();
    steady.observe(&clock);
    steady.note(Timestamp(100 * DAY), &clock);
    assert_eq!(steady.now(&clock), Some(Timestamp(100 * DAY)));
    clock.advance(Duration::from_secs(1));
    assert_eq!(steady.now(&clock), Some(Timestamp(100 * DAY + 1000)));
    clock.jump(-9 * DAY);
    steady.observe(&clock);
    assert_eq!(steady.now(&clock), Some(Timestamp(99 * DAY + 1000)));
}
