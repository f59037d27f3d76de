//! The store. It contains all SQL, and has one function per use case: one list of plain statements for both engines.
//!
//! A write returns only after its data is on disk. Looking up something that does not exist returns `Ok(None)`, and the
//! caller decides what that means.

mod addresses;
mod answers;
mod api_keys;
mod audit;
mod chat_row;
mod chats;
mod commands;
mod commit;
mod create;
mod delete;
mod detections;
pub mod diagnostics;
mod dialect;
mod dump;
mod engine;
mod erasure;
mod error;
pub mod events;
mod expiry_clock;
mod groups;
mod history;
mod investigations;
pub mod jsonl;
mod links;
mod list;
mod location;
mod lock_order;
mod passwords;
mod people;
mod person_row;
mod pictures;
pub mod postgres;
mod presence;
mod provider_sign_in;
mod readable;
pub mod reads;
mod records;
mod reports;
mod rounds;
mod row;
mod rows;
mod secret;
mod sessions;
mod shown;
#[cfg(feature = "simulation")]
#[path = "../../tests/simulation/seams/store.rs"]
pub mod simulated;
mod snapshot;
mod sql;
pub mod sqlite;
pub mod sweep;
mod transient;
mod trash;
mod trash_item;
mod usage;
mod value;
mod visits;
pub mod webhook;
mod write;

use std::path::Path;
use std::sync::Arc;

pub use audit::Stamp;
pub use chat_row::{ChatPage, ChatPart};
pub use commands::{ANSWER_TTL, Commit, Deleted, IdempotentAnswer, LinkChanged, LinkCreated, Visited};
pub use commit::Prepared;
pub use detections::MAX_DETECTIONS;
use engine::Engine;
pub use error::{FixableError, OpenError, StoreError};
pub use list::{Page, PageEnd};
pub use location::{Backend, StoreLocation};
pub use passwords::{NewPassword, WithPassword};
pub use people::{PersonAdded, PersonStored};
pub use pictures::{ExportedPicture, PictureAdded, PictureRemoved};
use postgres::Postgres;
pub use postgres::{Address, AddressError};
use presence::InMemoryPresence;
pub use presence::PRESENCE_TTL;
pub use reports::Reports;
pub use row::Row;
pub use sessions::{FoundSession, SignIn};
use shown::RecentlyShown;
pub use shown::State;
pub use snapshot::{FullCopy, InvestigationSnapshot, RecordRow, SnapshotPart, VisitedLink};
use sqlite::Sqlite;
pub use trash::{Discarded, Trashed, Undeleted};
pub use trash_item::TrashItem;
pub use usage::PoolUsage;
use visits::Visits;

use crate::cache::SingleFlight;

/// The store. Clones share the same store.
#[derive(Debug, Clone)]
pub struct Store {
    engine: Arc<Engine>,
    visits: Visits,
    shown: Arc<RecentlyShown>,
    /// Presence entries, unless the engine shares them.
    presence: Arc<InMemoryPresence>,
    /// Checks whether the store is ready. All who ask at the same time share one, because nobody needs an account to ask.
    readiness: Arc<SingleFlight<(), Result<(), StoreError>>>,
    /// Measurements of the size, shared in the same way.
    sizes: Arc<SingleFlight<(), Result<u64, StoreError>>>,
    #[cfg(feature = "simulation")]
    faults: Option<Arc<dyn simulated::Faults>>,
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

    fn on(engine: Engine) -> Self {
        Self {
            engine: Arc::new(engine),
            visits: Visits::default(),
            shown: Arc::default(),
            presence: Arc::default(),
            readiness: Arc::default(),
            sizes: Arc::default(),
            #[cfg(feature = "simulation")]
            faults: None,
        }
    }

    pub fn is_embedded_in(folder: &Path) -> bool {
        folder.join(sqlite::FILE).is_file()
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
