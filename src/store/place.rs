//! Where a store is.

use std::path::PathBuf;

use super::Address;

/// Where a store is, and how it is opened.
#[derive(Debug, Clone)]
pub struct Place {
    /// Which backend, and where.
    pub backend: Backend,
    /// Whether a store of an older form is brought up to date; otherwise it is refused.
    pub migrate: bool,
}

/// Which backend, and where.
#[derive(Debug, Clone)]
pub enum Backend {
    /// The embedded one, in this folder.
    Embedded(PathBuf),
    /// A PostgreSQL.
    Postgres {
        /// Its servers.
        address: Address,
        /// The most connections that are kept.
        connections: usize,
    },
}
