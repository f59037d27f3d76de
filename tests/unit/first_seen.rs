//! Unit tests of `src/first_seen.rs`.

use super::*;

#[test]
fn first_seen_reports_each_value_once_up_to_its_limit() {
    let named = FirstSeen::new(3);
    let new: Vec<i32> = [1, 2, 2, 1, 3, 4, 4, 1].into_iter().filter(|value| named.is_new(*value)).collect();
    assert_eq!(new, [1, 2, 3]);
}
