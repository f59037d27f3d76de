//! Unit tests of `src/webhooks/backoff.rs`.

use super::*;
use crate::breaker::Breaker;

#[test]
fn webhook_event_is_tried_ten_times_in_about_three_days_and_then_dropped() {
    let seconds = |attempts| wait(attempts, 0, None).map(|wait| wait.as_secs());
    let all: Vec<u64> = (1..).map_while(seconds).collect();
    assert_eq!(all, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    assert_eq!(wait(0, 0, None), None);
    assert_eq!(wait(u32::MAX, 0, None), None);
}

#[test]
fn waits_between_webhook_deliveries_are_random_and_never_shorter_than_requested() {
    assert_eq!(wait(2, 255, None), Some(Duration::from_secs(360)));
    assert_eq!(wait(1, 0, Some(Duration::from_secs(90))), Some(Duration::from_secs(90)));
    assert_eq!(wait(2, 0, Some(Duration::from_secs(90))), Some(Duration::from_secs(300)));
    assert_eq!(wait(1, 0, Some(Duration::MAX)), Some(MAX_WAIT));
}

#[test]
fn pauses_of_a_failing_webhook_endpoint_grow_up_to_five_minutes() {
    let breaker = Breaker::new(PAUSES);
    let mut now = Duration::ZERO;
    let mut fail = |asked| {
        let pause = breaker.permit(now).expect("no pause").failed(now, FAILURES, asked).unwrap_or_default();
        now += pause;
        pause.as_secs()
    };
    let pauses: Vec<u64> = (0..12).map(|_| fail(None)).collect();
    assert_eq!(pauses, [0, 0, 5, 10, 20, 40, 80, 160, 300, 300, 300, 300]);
    breaker.permit(Duration::MAX).expect("no pause").succeeded();
    let asks = |seconds| Some(Duration::from_secs(seconds));
    let permit = |now| breaker.permit(Duration::from_secs(now)).expect("no pause");
    assert_eq!(permit(0).failed(Duration::ZERO, FAILURES, asks(60)), asks(60));
    assert_eq!(permit(60).failed(Duration::ZERO, FAILURES, asks(3600)), asks(300));
}
