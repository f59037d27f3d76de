//! What commands print, line by line. A line can contain text that somebody else wrote, so characters that a terminal
//! would execute are escaped, and line breaks as well.

use std::io::Write;

use crate::authoring::AuthoringError;
use crate::domain::printable::printable;
use crate::domain::schema::Violation;
use crate::http::ApiError;

/// Prints a line to standard output.
///
/// # Errors
/// A sentence if the line cannot be written, for example because the disk is full or the reader has ended.
pub fn line(text: &str) -> Result<(), String> {
    writeln!(std::io::stdout(), "{}", printable(text)).map_err(|e| unwritable(&e))
}

/// Returns the error message for a failed write to standard output.
pub fn unwritable(error: &std::io::Error) -> String {
    format!("cannot write to standard output: {error}")
}

/// Prints each line of a text that the program has put together.
pub fn lines(text: &str) -> Result<(), String> {
    text.lines().try_for_each(line)
}

/// Prints a line to standard error. Nobody can be informed if this fails.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(text));
}

/// Returns why a change failed, as a phrase for the operator.
pub fn reason(error: AuthoringError) -> String {
    match error {
        AuthoringError::Store(error) => error.to_string(),
        AuthoringError::Invalid(violations) => {
            let violations = violations.iter().map(|Violation { path, message }| format!("{path} {message}"));
            format!("it violates the content schema: {}", violations.collect::<Vec<_>>().join(", "))
        }
        other => {
            let error = ApiError::from(other);
            let said = error.body();
            said.error.as_ref().map_or_else(|| said.message.clone(), |reason| format!("{}: {reason}", said.message))
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cli/output.rs"]
mod tests;
