//! Prints the output of commands line by line. A line can contain text of other people, so line breaks and characters
//! that control a terminal are escaped.

use std::io::Write;

use crate::authoring::AuthoringError;
use crate::domain::printable::printable;
use crate::domain::schema::Violation;
use crate::http::ApiError;

/// Prints a line to standard output.
///
/// # Errors
/// A sentence if the line cannot be written, for example because the disk is full, or because the program that
/// reads the output has ended.
pub fn line(text: &str) -> Result<(), String> {
    writeln!(std::io::stdout(), "{}", printable(text)).map_err(|e| unwritable(&e))
}

/// Returns the error message for a failed write to standard output.
pub fn unwritable(error: &std::io::Error) -> String {
    format!("cannot write to standard output: {error}")
}

/// Prints a text of several lines.
pub fn lines(text: &str) -> Result<(), String> {
    text.lines().try_for_each(line)
}

/// Prints a line to standard error. Ignores a failure, because it could not be reported anywhere.
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
