//! Errors as text for the log. Libraries say what failed and leave the reason to the error's sources.

use std::error::Error;

/// Returns an error followed by all its sources, in one line.
pub fn error_chain(error: &dyn Error) -> String {
    let below = std::iter::successors(error.source(), |cause| (*cause).source());
    below.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
