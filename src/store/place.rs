//! The location of a store.

use std::path::PathBuf;

use super::Address;

/// The location of a store, and how to open it.
#[derive(Debug, Clone)]
pub struct Place {
    /// Backend and location.
    pub backend: Backend,
    /// Whether to migrate an older store; otherwise it is refused.
    pub migrate: bool,
}

/// Backend and location.
#[derive(Debug, Clone)]
pub enum Backend {
    /// The embedded one, in this folder.
    Embedded(PathBuf),
    /// A PostgreSQL.
    Postgres {
        /// Servers of the database.
        address: Address,
        /// Maximum number of connections.
        connections: usize,
    },
}
