//! Unit tests of `crates/domain/src/page.rs`.

use super::*;

#[test]
fn an_answer_has_room_for_one_entry_of_any_size_and_for_others_up_to_its_limit() {
    let mut room = ByteBudget::of_rows();
    assert!(room.takes(MAX_ANSWER - 1) && room.takes(1) && !room.takes(1));
    let mut room = ByteBudget::of_rows();
    assert!(room.takes(MAX_ANSWER + 1) && !room.takes(1));
}

#[test]
fn after_an_entry_that_does_not_fit_no_smaller_one_does() {
    let mut room = ByteBudget::of_rows();
    assert!(room.takes(1) && !room.takes(MAX_ANSWER) && !room.takes(1));
}
