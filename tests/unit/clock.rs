//! Unit tests of `src/clock.rs`.

use super::*;

const DAY: i64 = 24 * 3600 * 1000;

fn day(days: i64) -> Timestamp {
    Timestamp(days * DAY)
}

fn pass(clock: &Clock, days: u64) {
    clock.advance(Duration::from_secs(days * 24 * 3600));
}

#[test]
fn expiry_clock_agrees_with_a_machine_clock_that_runs_normally() {
    let clock = Clock::set_to(day(100));
    let mut expiry = ExpiryClock::continued(None, &clock);
    for _ in 0..3 {
        assert_eq!(expiry.now(&clock), clock.now());
        pass(&clock, 20);
    }
}

#[test]
fn expiry_clock_runs_at_most_four_times_as_fast_as_real_time_after_a_jump_ahead() {
    let clock = Clock::set_to(day(100));
    let mut expiry = ExpiryClock::continued(Some(day(79)), &clock);
    assert_eq!(expiry.now(&clock), day(79));
    pass(&clock, 1);
    assert_eq!((expiry.now(&clock), expiry.now(&clock)), (day(83), day(83)));
    pass(&clock, 6);
    assert_eq!(expiry.now(&clock), clock.now(), "it has caught up after a week");
}

#[test]
fn expiry_clock_stops_while_the_machine_clock_is_behind_it() {
    let clock = Clock::set_to(day(100));
    let mut expiry = ExpiryClock::continued(Some(day(100)), &clock);
    clock.jump(40 * DAY);
    pass(&clock, 1);
    assert_eq!(expiry.now(&clock), day(104));
    clock.jump(-40 * DAY);
    assert_eq!((clock.now(), expiry.now(&clock)), (day(101), day(104)));
    pass(&clock, 4);
    assert_eq!(expiry.now(&clock), day(105));
    clock.jump(-20_000 * DAY);
    pass(&clock, 4);
    assert_eq!(expiry.now(&clock), day(105));
    clock.jump(i64::MAX);
    assert_eq!(expiry.now(&clock), day(105));
}

#[test]
fn expiry_clock_is_set_back_if_the_machine_clock_stays_far_behind_for_a_week() {
    let clock = Clock::set_to(day(4000));
    let mut expiry = ExpiryClock::continued(None, &clock);
    clock.jump(-3900 * DAY);
    for _ in 0..7 {
        assert_eq!(expiry.now(&clock), day(4000));
        pass(&clock, 1);
    }
    assert_eq!((expiry.now(&clock), clock.now()), (day(107), day(107)));
    clock.jump(-DAY);
    for _ in 0..2 {
        assert_eq!(expiry.now(&clock), day(107));
    }
    clock.jump(-DAY);
    assert_eq!(expiry.now(&clock), day(107));
    pass(&clock, 1);
    assert_eq!(expiry.now(&clock), day(107), "it is a day ahead, which is not far");
    clock.jump(-10 * DAY);
    assert_eq!(expiry.now(&clock), day(107));
    pass(&clock, 6);
    assert_eq!(expiry.now(&clock), day(107), "it waits for a week again");
    pass(&clock, 1);
    assert_eq!(expiry.now(&clock), clock.now());
}

#[test]
fn record_stored_under_a_clock_far_behind_keeps_at_least_a_quarter_of_its_lifetime() {
    let clock = Clock::set_to(day(4000));
    let mut expiry = ExpiryClock::continued(None, &clock);
    clock.jump(-300 * DAY);
    expiry.now(&clock);
    pass(&clock, 7);
    let deleted_at = expiry.now(&clock);
    assert_eq!((deleted_at, clock.now()), (day(3707), day(3707)));
    clock.jump(300 * DAY);
    for days in 1..=7 {
        pass(&clock, 1);
        assert_eq!(expiry.now(&clock).since(deleted_at), Duration::from_secs(4 * days * 24 * 3600));
    }
    pass(&clock, 93);
    assert_eq!(expiry.now(&clock), clock.now(), "it has caught up");
}
