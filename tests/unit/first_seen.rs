//! Unit tests of `src/first_seen.rs`.

use super::*;

#[test]
fn each_of_the_first_values_is_new_once() {
    let named = FirstSeen::new(3);
    let new: Vec<i32> = [1, 2, 2, 1, 3, 4, 4, 1].into_iter().filter(|value| named.is_new(*value)).collect();
    assert_eq!(new, [1, 2, 3]);
}
