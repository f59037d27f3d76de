//! Formats errors for the log. Many libraries give the reason for an error only in the error's sources.

use std::error::Error;

/// Returns the texts of an error and of all its sources, joined with `: `.
pub fn error_chain(error: &dyn Error) -> String {
    let below = std::iter::successors(error.source(), |cause| (*cause).source());
    below.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
