//! The files of a store.

use std::path::{Path, PathBuf};

/// Name of the store's file in the data folder.
pub const FILE: &str = "fieldbook.sqlite3";

/// Returns the path of a file next to a store, such as its write-ahead log, which ends in `-wal`.
pub fn with_suffix(store: &Path, ending: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
