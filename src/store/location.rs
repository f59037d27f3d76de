//! The location of a store.

use std::fmt;
use std::path::PathBuf;

use super::Address;

/// Where a store is, and how to open it.
#[derive(Debug, Clone)]
pub struct StoreLocation {
    pub backend: Backend,
    /// Whether to run missing migrations. If false, a store with missing migrations is not opened.
    pub migrate: bool,
}

#[derive(Debug, Clone)]
pub enum Backend {
    Embedded(PathBuf),
    Postgres {
        /// Servers of the database, and how to connect to them.
        address: Address,
        connections: usize,
    },
}

impl fmt::Display for Backend {
    /// Writes the name of the backend and its location, without users or passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embedded(folder) => write!(f, "SQLite in {}", folder.display()),
            Self::Postgres { address, .. } => write!(f, "PostgreSQL on {}", address.names().join(", ")),
        }
    }
}
