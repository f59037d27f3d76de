//! Load and size of the store, for metrics.

use super::{Store, StoreError};

/// How many connections of a pool are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUsage {
    pub pool: &'static str,
    pub in_use: usize,
    pub max: usize,
}

impl Store {
    /// Returns how many operations wait for the database, and how many connections of each pool are in use.
    pub fn usage(&self) -> (usize, [PoolUsage; 2]) {
        match self {
            Store::Sqlite(store) => store.usage(),
            Store::Postgres(store) => store.usage(),
        }
    }

    /// Returns the size of the store in bytes.
    pub async fn size(&self) -> Result<u64, StoreError> {
        ask!(self, size())
    }
}
