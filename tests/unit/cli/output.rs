//! Unit tests of `src/cli/output.rs`.

use super::*;
use crate::store::StoreError;

#[test]
fn reason_for_a_failed_command_is_worded_for_the_command_line() {
    for (error, said) in [
        (AuthoringError::Store(StoreError::Busy), "the store is busy"),
        (
            AuthoringError::Invalid(vec![
                Violation::new("title", "must be a string"),
                Violation::new("a", "is required"),
            ]),
            "it violates the content schema: title must be a string, a is required",
        ),
        (AuthoringError::TooManyRaces, "Others keep changing this investigation; try again"),
        (AuthoringError::Panicked, "Internal server error: Unknown error"),
    ] {
        assert_eq!(reason(error), said);
    }
}
