//! Unit tests of `src/once_each.rs`.

use super::*;

#[test]
fn first_values_are_each_new_once() {
    let named = OnceEach::new();
    for value in 0..MOST {
        assert!(named.is_new(value) && !named.is_new(value), "{value}");
    }
    assert!(!named.is_new(MOST));
}
