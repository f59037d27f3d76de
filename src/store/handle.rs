//! The handle to the store, on which all use cases are called.

use std::path::Path;
use std::sync::Arc;

use super::engine::Engine;
use super::location::{Backend, StoreLocation};
use super::postgres::Postgres;
use super::shown::RecentlyShown;
#[cfg(feature = "simulation")]
use super::simulated;
use super::sqlite::{FILE, Sqlite};
use super::visits::Visits;
use super::{OpenError, StoreError};
use crate::cache::SingleFlight;

/// The store. Clones share the same store.
#[derive(Debug, Clone)]
pub struct Store {
    pub(super) engine: Arc<Engine>,
    pub(super) visits: Visits,
    pub(super) shown: Arc<RecentlyShown>,
    /// Checks of readiness in progress. Concurrent callers share one check, because anybody can ask for one without an
    /// account.
    pub(super) readiness: Arc<SingleFlight<(), Result<(), StoreError>>>,
    /// Measurements of the store's size in progress, shared in the same way.
    pub(super) sizes: Arc<SingleFlight<(), Result<u64, StoreError>>>,
    #[cfg(feature = "simulation")]
    pub(super) faults: Option<Arc<dyn simulated::Faults>>,
}

impl Store {
    /// Opens a store. Creates an embedded store if it does not exist.
    pub async fn open(location: StoreLocation) -> Result<Self, OpenError> {
        let engine = match location.backend {
            Backend::Embedded(folder) => Engine::Sqlite(Sqlite::open(&folder, location.migrate)?),
            Backend::Postgres { address, connections } => {
                Engine::Postgres(Postgres::open(address, connections, location.migrate).await?)
            }
        };
        Ok(Self::on(engine))
    }

    pub(super) fn on(engine: Engine) -> Self {
        Self {
            engine: Arc::new(engine),
            visits: Visits::default(),
            shown: Arc::default(),
            readiness: Arc::default(),
            sizes: Arc::default(),
            #[cfg(feature = "simulation")]
            faults: None,
        }
    }

    pub fn is_embedded_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Checks that the store can read and write.
    pub async fn ready(&self) -> Result<(), StoreError> {
        let check = self.faulty("ready", async {
            match &*self.engine {
                Engine::Sqlite(sqlite) => sqlite.ready().await,
                Engine::Postgres(postgres) => postgres.ready().await,
            }
        });
        self.readiness.run((), check).await
    }

    /// Stops all heavy reads, such as reads of histories. Later heavy reads fail. Called before the service stops.
    pub fn stop_heavy_reads(&self) {
        match &*self.engine {
            Engine::Sqlite(sqlite) => sqlite.stop_heavy_reads(),
            Engine::Postgres(postgres) => postgres.stop_heavy_reads(),
        }
    }

    /// Stops reads, finishes queued writes, and closes the store. Later calls fail.
    pub async fn close(&self) {
        self.stop_heavy_reads();
        self.visits.finished().await;
        match &*self.engine {
            Engine::Sqlite(sqlite) => sqlite.close().await,
            Engine::Postgres(postgres) => postgres.close(),
        }
    }
}
