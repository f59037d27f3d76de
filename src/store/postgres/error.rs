//! Classifies failures of statements by PostgreSQL's error codes.

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::error_chain::error_chain;
use crate::store::{FixableError, StoreError};

/// What to do after a failed attempt.
#[derive(Debug)]
pub enum AttemptError {
    /// The attempt had no effect because of a conflict with another transaction, so it may be made again.
    Again,
    /// The connection is unusable: it broke, or its server is stopping or read-only. It is unknown whether the attempt
    /// had an effect.
    Lost,
    /// The attempt had no effect, and another one would not help.
    Fail(StoreError),
    /// The attempt had no effect because a concurrent write came first: a unique key is already taken, a row that the
    /// new row refers to is missing, or a statement changed or returned a different number of rows than expected.
    LostRace,
}

/// Classifies a failure.
pub fn of_attempt(error: &Error) -> AttemptError {
    let refused = || AttemptError::Fail(StoreError::Failed(words(error)));
    let fixable = |kind| AttemptError::Fail(StoreError::Fixable { kind, reason: words(error) });
    let Some(state) = error.code() else {
        return if error.is_closed() || is_of_the_connection(error) { AttemptError::Lost } else { refused() };
    };
    let state_text = state.code();
    // A statement that must affect a certain number of rows divides by zero if it affects another number: see
    // `Joined::statement`.
    if [SqlState::UNIQUE_VIOLATION, SqlState::FOREIGN_KEY_VIOLATION, SqlState::DIVISION_BY_ZERO].contains(state) {
        AttemptError::LostRace
    } else if *state == SqlState::DISK_FULL {
        fixable(FixableError::DiskFull)
    } else if *state == SqlState::INSUFFICIENT_PRIVILEGE {
        fixable(FixableError::ReadOnly)
    } else if state_text.starts_with("XX00") && *state != SqlState::INTERNAL_ERROR {
        fixable(FixableError::Damaged)
    } else if *state == SqlState::IO_ERROR {
        fixable(FixableError::Files)
    } else if [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(state) {
        AttemptError::Again
    } else if [SqlState::READ_ONLY_SQL_TRANSACTION, SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT].contains(state)
        || state_text.starts_with("08")
        || state_text.starts_with("57P")
    {
        AttemptError::Lost
    } else if *state == SqlState::QUERY_CANCELED {
        AttemptError::Fail(StoreError::Deadline)
    } else if state_text.starts_with("53") || state_text.starts_with("55") {
        // The server has run out of a resource, such as memory or connections.
        AttemptError::Fail(StoreError::Busy)
    } else {
        refused()
    }
}

fn is_of_the_connection(error: &Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<std::io::Error>())
}

/// Returns whether a later attempt to connect may succeed, because the server is unreachable, starting or stopping, or
/// has too many connections.
pub fn may_pass(error: &Error) -> bool {
    match error.code() {
        None => true,
        Some(state) => ["08", "53", "57", "25"].iter().any(|class| state.code().starts_with(class)),
    }
}

/// Returns the message of the server or of the driver, without the address.
pub fn words(error: &Error) -> String {
    match error.as_db_error() {
        Some(db_error) => db_error.message().to_owned(),
        None => error_chain(error),
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        StoreError::Failed(words(&error))
    }
}
