//! Unit tests of `src/webhooks/backoff.rs`.

use super::*;

#[test]
fn an_event_is_sent_ten_times_within_some_three_days_and_then_given_up() {
    let seconds = |attempts| wait(attempts, 0, None).map(|wait| wait.as_secs());
    let all: Vec<u64> = (1..).map_while(seconds).collect();
    assert_eq!(all, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    assert_eq!(wait(0, 0, None), None);
    assert_eq!(wait(u32::MAX, 0, None), None);
}

#[test]
fn waits_are_spread_and_never_shorter_than_asked_for() {
    assert_eq!(wait(2, 255, None), Some(Duration::from_secs(360)));
    assert_eq!(wait(1, 0, Some(Duration::from_secs(90))), Some(Duration::from_secs(90)));
    assert_eq!(wait(2, 0, Some(Duration::from_secs(90))), Some(Duration::from_secs(300)));
    assert_eq!(wait(1, 0, Some(Duration::MAX)), Some(MAX_WAIT));
}

#[test]
fn who_fails_again_and_again_is_left_alone_for_longer_and_longer() {
    let mut health = Health::default();
    let mut is_paused = Vec::new();
    for _ in 0..12 {
        health.failed(Duration::ZERO, None);
        is_paused.push(health.paused_until.as_secs());
    }
    assert_eq!(is_paused, [0, 0, 5, 10, 20, 40, 80, 160, 300, 300, 300, 300]);
    assert!(health.is_paused(Duration::from_secs(299)) && !health.is_paused(Duration::from_secs(300)));
    health.succeeded();
    health.failed(Duration::from_secs(9), Some(Duration::from_secs(60)));
    assert_eq!(health.paused_until, Duration::from_secs(69));
}
