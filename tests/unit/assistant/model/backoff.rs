//! Unit tests of `src/assistant/model/backoff.rs`.

use super::*;

#[test]
fn each_wait_before_a_retry_is_longer_than_the_previous_wait() {
    assert_eq!(back_off(0, 0), Duration::from_millis(100));
    assert!(back_off(0, 255) < back_off(1, 0) + Duration::from_millis(1));
    assert!(back_off(0, 255) < Duration::from_millis(200));
    assert!(back_off(2, 255) < Duration::from_millis(800));
}
