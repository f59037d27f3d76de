//! Checks a store without changing it: whether the store exists, and whether it is undamaged, up to date and writable.

use std::time::Duration;

use super::{Backend, Store, StoreLocation, postgres, sqlite};
use crate::domain::time::Timestamp;

/// Diagnostics of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// Names and states of the PostgreSQL servers, in the order of the database address; empty for the embedded store.
    pub servers: Vec<(String, Server)>,
    /// Version of the store's schema.
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
    /// Names of PostgreSQL settings, such as `fsync`, that are off. A crash can then lose acknowledged writes.
    pub risky_settings: Vec<String>,
    /// Age and description of the oldest open write transaction on the PostgreSQL server, if any. Nobody receives
    /// events of later transactions until this transaction ends.
    pub oldest_transaction: Option<(Duration, String)>,
    /// Largest backward jump of the clock: the time of an event, and the earlier time of the event stored directly
    /// after it. `None` if no jump is longer than a minute.
    pub went_back: Option<(Timestamp, Timestamp)>,
    /// Progress of the deliveries to each webhook endpoint; `None` if it cannot be read.
    pub webhooks: Option<Vec<Webhook>>,
}

/// Progress of the deliveries to a webhook endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The name of the endpoint.
    pub endpoint: String,
    /// Time of the last event that was sent to the endpoint, even if its delivery failed. Before the first delivery,
    /// the time of the newest event when the endpoint was added; 0 if there was no event.
    pub last: Timestamp,
    /// Number of events that wait for their first delivery to the endpoint, and the earliest time of such an event.
    pub unsent: (i64, Option<Timestamp>),
    /// Number of events whose delivery will be retried, and the time of the next retry.
    pub to_retry: (i64, Option<Timestamp>),
    /// Highest number of attempts so far for an event that will be retried; 0 if there is no such event.
    pub attempts: i64,
    /// Whether a copy of the service has the lease of the endpoint: the right to deliver. `None` for the embedded
    /// store, because it needs no leases.
    pub is_leased: Option<bool>,
}

/// Version of the store's schema: the number of applied migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationState {
    /// The store does not exist, or has no tables of Fieldbook.
    Missing,
    /// The store exists. It needs a migration if `done` is less than `known`, and a newer program if `done` is greater.
    Steps {
        /// Version of the store.
        done: usize,
        /// Newest version that this program supports.
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
