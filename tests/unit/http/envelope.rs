//! Unit tests of `src/http/envelope.rs`.

use super::*;
use crate::domain::page::MAX_ANSWER;

#[test]
fn entries_fit_into_the_answer_and_the_first_is_always_included() {
    let (small, large) = ("x".repeat(1024 * 1024 - 2), "x".repeat(2 * MAX_ANSWER));
    let lengths = |entries: &[&String]| {
        take_fitting(entries, ByteBudget::of_answer(MAX_ANSWER)).map(|taken| taken.len()).unwrap_or(0)
    };
    assert_eq!((lengths(&[&small; 9]), lengths(&[&large, &small]), lengths(&[&small, &large, &small])), (7, 1, 1));
}
