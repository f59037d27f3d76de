//! Read-only diagnostics of a store: whether it exists, and whether it is undamaged, up to date and writable.

use std::time::Duration;

use super::{Backend, Store, StoreLocation, postgres, sqlite};
use crate::domain::time::Timestamp;

/// Diagnostics of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// Names and states of the PostgreSQL servers, in the order of the database address; empty for the embedded store.
    pub servers: Vec<(String, Server)>,
    /// Version of the store.
    pub migrations: MigrationState,
    /// Result of the integrity check.
    pub integrity: Integrity,
    /// `Ok` if the store accepts writes, otherwise the reason why not.
    pub writes: Result<(), String>,
    /// `Ok` if the service's database user may create tables, as upgrades do; otherwise a sentence for the operator.
    pub upgrades: Result<(), String>,
    /// Other processes that use the store.
    pub others: OtherUsers,
    /// Creation time of the newest investigation; `None` if there is none or it cannot be read.
    pub newest: Option<Timestamp>,
    /// Names of the PostgreSQL settings that are off although a crash can then lose acknowledged writes.
    pub risky_settings: Vec<String>,
    /// Age and description of the oldest open write transaction on the PostgreSQL server, if any. Events of later
    /// transactions are not visible until this transaction ends.
    pub oldest_transaction: Option<(Duration, String)>,
    /// Times of the two consecutive events that are most out of order, if they differ by more than a minute. The event
    /// stored later has the earlier time, which means that a clock was set back.
    pub went_back: Option<(Timestamp, Timestamp)>,
    /// Progress of the deliveries to each webhook endpoint; `None` if it cannot be read.
    pub webhooks: Option<Vec<Webhook>>,
}

/// Progress of the deliveries to a webhook endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The name of the endpoint.
    pub endpoint: String,
    /// Time of the last event that was delivered or is to be retried, or that existed when the endpoint was added; 0 if
    /// there is none.
    pub last: Timestamp,
    /// Number of events that were not sent yet, and the time of the oldest of these events.
    pub unsent: (i64, Option<Timestamp>),
    /// Number of events whose delivery failed and will be retried, and the time of the next retry.
    pub again: (i64, Option<Timestamp>),
    /// Highest number of attempts among the events to retry; 0 if there are none.
    pub attempts: i64,
    /// Whether a copy of the service has the lease of the endpoint now; `None` for the embedded store, which has no
    /// leases.
    pub held: Option<bool>,
}

/// Version of the store's schema: the number of applied migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationState {
    /// The store does not exist.
    Missing,
    /// The store has version `done`; this program knows versions up to `known`.
    Steps {
        /// Version of the store.
        done: usize,
        /// Newest version that this program knows.
        known: usize,
    },
}

/// Result of the integrity check of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Integrity {
    /// The check found no damage.
    Intact,
    /// The store is damaged. Contains the first message of the database engine.
    Damaged(String),
    /// The database schema differs from the one Fieldbook creates. Contains the first difference.
    SchemaChanged(String),
    /// The check was stopped because it took too long.
    TimedOut,
    /// The PostgreSQL server counts checksum failures. Contains their number, which may be 0, and the time of the last
    /// failure.
    ChecksumFailures(i64, Option<Timestamp>),
    /// Not checked: the store does not exist, or the PostgreSQL server does not count checksum failures.
    NotChecked,
}

/// State of a PostgreSQL server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Server {
    /// The server accepts writes.
    Writes,
    /// The server is read-only.
    ReadsOnly,
    /// The server cannot be reached or rejects connections. Contains a sentence for the operator that names the server.
    Unreachable(String),
}

/// Other processes that use a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherUsers {
    /// No other process was found.
    Nobody,
    /// Another process on this machine.
    Process,
    /// Other connections of Fieldbook to the PostgreSQL database. Contains their number.
    Connections(i64),
}

impl Diagnosis {
    /// Creates the diagnosis of a store that does not exist. `writes` says whether it can be created.
    pub(super) fn missing(writes: Result<(), String>) -> Self {
        let (migrations, integrity, others) = (MigrationState::Missing, Integrity::NotChecked, OtherUsers::Nobody);
        Self {
            servers: Vec::new(),
            migrations,
            integrity,
            writes,
            upgrades: Ok(()),
            others,
            newest: None,
            risky_settings: Vec::new(),
            oldest_transaction: None,
            went_back: None,
            webhooks: None,
        }
    }
}

impl Store {
    /// Diagnoses a store without creating, migrating or changing anything. The integrity check of an embedded store
    /// reads the whole store and stops after `patience`. For an embedded store, this function blocks the thread.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn diagnose(location: StoreLocation, patience: Duration) -> Result<Diagnosis, String> {
        match location.backend {
            Backend::Embedded(folder) => sqlite::diagnostics::at(&folder, patience),
            Backend::Postgres { address, .. } => postgres::diagnostics::at(address).await,
        }
    }
}
