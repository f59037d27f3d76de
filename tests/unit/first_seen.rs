//! Unit tests of `src/first_seen.rs`.

use super::*;

#[test]
fn first_seen_reports_each_value_once_up_to_its_limit() {
    let named = FirstSeen::new();
    for value in 0..MOST {
        assert!(named.is_new(value) && !named.is_new(value), "{value}");
    }
    assert!(!named.is_new(MOST));
}
