//! Unit tests of `src/first_seen.rs`.

use super::*;

#[test]
fn first_seen_with_room_for_three_values_reports_three_values_once_each() {
    let named = FirstSeen::new(3);
    let new: Vec<i32> = [1, 2, 2, 1, 3, 4, 4, 1].into_iter().filter(|value| named.is_new(*value)).collect();
    assert_eq!(new, [1, 2, 3]);
}
