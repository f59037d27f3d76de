//! Errors in words for the log: libraries say what failed, and leave why to what lies below.

use std::error::Error;

/// An error with all that lies below it.
pub fn error_chain(error: &dyn Error) -> String {
    let below = std::iter::successors(error.source(), |cause| (*cause).source());
    below.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}
