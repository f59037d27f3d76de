//! Load and size of the store, for metrics.

use super::engine::Engine;
use super::sql::Statement;
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
        let (waiting, pools) = match &*self.engine {
            Engine::Sqlite(sqlite) => sqlite.usage(),
            Engine::Postgres(postgres) => postgres.usage(),
        };
        (waiting + self.visits.waiting(), pools)
    }

    /// Returns how many connections serve heavy reads.
    pub fn heavy_connections(&self) -> usize {
        let [_, heavy] = self.usage().1;
        heavy.max
    }

    pub async fn size(&self) -> Result<u64, StoreError> {
        let measure = async {
            let rows = self.get(Statement::new(self.dialect().size())).await?;
            let row = rows.first().ok_or_else(|| StoreError::Failed("the size has no row".to_owned()))?;
            row.count("bytes")
        };
        self.sizes.run((), measure).await
    }
}
