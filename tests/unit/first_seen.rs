//! Unit tests of `src/first_seen.rs`.

use super::*;

#[test]
fn each_value_is_new_only_once_and_no_value_is_new_after_the_maximum_of_three_values() {
    let named = FirstSeen::new(3);
    let new: Vec<i32> = [1, 2, 2, 1, 3, 4, 4, 1].into_iter().filter(|value| named.is_new(*value)).collect();
    assert_eq!(new, [1, 2, 3]);
}
