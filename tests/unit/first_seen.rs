//! Unit tests of `src/first_seen.rs`.

use super::*;

#[test]
fn each_of_the_first_values_is_new_once() {
    let named = FirstSeen::new();
    for value in 0..MOST {
        assert!(named.is_new(value) && !named.is_new(value), "{value}");
    }
    assert!(!named.is_new(MOST));
}
