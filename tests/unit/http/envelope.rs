//! Unit tests of `src/http/envelope.rs`.

use super::*;
use crate::domain::page::MAX_ANSWER;

#[test]
fn first_entry_of_a_list_page_may_exceed_the_size_limit_and_later_entries_may_not() {
    let (small, large) = ("x".repeat(1024 * 1024 - 2), "x".repeat(2 * MAX_ANSWER));
    let lengths = |entries: &[&String]| {
        take_fitting(entries, ByteBudget::of_answer(MAX_ANSWER)).map(|taken| taken.len()).unwrap_or(0)
    };
    assert_eq!((lengths(&[&small; 9]), lengths(&[&large, &small]), lengths(&[&small, &large, &small])), (7, 1, 1));
}
