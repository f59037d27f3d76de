//! Detects a second service that uses the same data folder.

use std::fs::{File, TryLockError};

use crate::private_file;
use crate::store::Backend;

/// Name of the file in the data folder that a service locks while it runs.
const LOCK_FILE: &str = "service.lock";

/// Locks a file in the folder of the embedded store until the returned file is closed. Warns if another service has
/// locked it. Both then work correctly, but each has its own limits and its own connections to the store.
pub fn lock(backend: &Backend) -> Option<File> {
    let Backend::Embedded(folder) = backend else { return None };
    let file = private_file::file(&folder.join(LOCK_FILE)).ok()?;
    match file.try_lock() {
        Ok(()) => Some(file),
        Err(TryLockError::WouldBlock) => {
            tracing::warn!(folder = %folder.display(), "another service uses this data folder; stop one of them");
            None
        }
        // Not every file system has locks.
        Err(TryLockError::Error(_)) => None,
    }
}
