//! Converts SQLite errors to errors of the store, and returns remedies for the operator.

use rusqlite::ErrorCode;

use crate::store::{FixableError, StoreError};

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error;
        let reason = error.to_string();
        let kind = match (&error, error.sqlite_error_code()) {
            // Another process, for example a backup, has held the lock for too long.
            (_, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => return StoreError::Busy,
            (_, Some(ErrorCode::DiskFull)) => FixableError::DiskFull,
            (_, Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied)) => FixableError::ReadOnly,
            (_, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)) => FixableError::Damaged,
            (_, Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen)) => FixableError::Files,
            // The row contains a value of a type that the service does not write.
            (Error::FromSqlConversionFailure(..) | Error::InvalidColumnType(..) | Error::Utf8Error(..), _) => {
                FixableError::Damaged
            }
            _ => return StoreError::Failed(reason),
        };
        StoreError::Fixable { kind, reason }
    }
}

/// Returns the remedy for an error, as text to append to its message; empty if unknown.
pub fn remedy(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen) => {
            "; check its permissions, that its file system is writable, and the limit of open files (ulimit -n)"
        }
        Some(ErrorCode::ReadOnly) => "; give the service's user write permission for it and its folder",
        Some(ErrorCode::DatabaseCorrupt) => "; check with fieldbook doctor, and restore a backup",
        Some(ErrorCode::SystemIoFailure) => "; check that its disk is sound and has free space",
        Some(ErrorCode::DiskFull) => "; free some space on its disk",
        _ => "",
    }
}
