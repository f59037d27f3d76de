//! Read-only diagnostics of a store: whether it exists, is sound, up to date and writable.

use std::time::Duration;

use super::{Backend, Place, Store, postgres, sqlite};
use crate::domain::time::Timestamp;

/// Diagnostics of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// PostgreSQL servers in the order of the database address; empty for the embedded store.
    pub servers: Vec<(String, Server)>,
    /// Version of the store.
    pub migrations: MigrationState,
    /// Result of the integrity check.
    pub sound: Integrity,
    /// `Ok` if the store accepts writes, otherwise the reason why not.
    pub writes: Result<(), String>,
    /// Other users of the store.
    pub others: OtherUsers,
    /// When the newest investigation was created.
    pub newest: Option<Timestamp>,
    /// PostgreSQL settings that can lose acknowledged data in a crash.
    pub careless: Vec<String>,
    /// The oldest write transaction on the server. Events after it are not visible yet.
    pub oldest_transaction: Option<(Duration, String)>,
    /// The two events whose times are most out of order, if the difference exceeds a minute. The later event has the
    /// earlier time, so a clock went back.
    pub went_back: Option<(Timestamp, Timestamp)>,
    /// Progress of webhooks; `None` if it is unknown.
    pub webhooks: Option<Vec<Webhook>>,
}

/// Progress of the deliveries to an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The name of the endpoint.
    pub endpoint: String,
    /// Time of the last delivered event; 0 if there is none.
    pub last: Timestamp,
    /// Number of events that were not sent yet, and the time of the oldest.
    pub unsent: (i64, Option<Timestamp>),
    /// Number of failed events to retry, and the time of the next retry.
    pub again: (i64, Option<Timestamp>),
    /// The highest number of attempts of any of them.
    pub attempts: i64,
    /// Whether a copy of the service holds the delivery lease now; `None` if there is only one copy.
    pub held: Option<bool>,
}

/// Version of a store: the number of applied migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationState {
    /// The store does not exist.
    Missing,
    /// The store has version `done`; this program knows versions up to `known`.
    Steps {
        /// Version of the store.
        done: usize,
        /// Versions that this program knows.
        known: usize,
    },
}

/// Whether the data of a store can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Integrity {
    /// All data is readable.
    Yes,
    /// The store is damaged. Contains the message of the database engine.
    Damaged(String),
    /// The database schema differs from the one Fieldbook creates. Contains the first difference.
    Changed(String),
    /// The check was stopped because it took too long.
    Unread,
    /// Number of checksum failures that the server reports, and the time of the last failure.
    Met(i64, Option<Timestamp>),
    /// Not checked: the store is missing, or the server reports no checksum failures.
    NotAsked,
}

/// State of a PostgreSQL server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Server {
    /// The server accepts writes.
    Writes,
    /// The server is read-only.
    ReadsOnly,
    /// The server cannot be reached or refuses connections. Contains a sentence that names the server.
    Away(String),
}

/// Other users of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherUsers {
    /// No other user was found.
    Nobody,
    /// Another process on this machine.
    Process,
    /// This many other connections of Fieldbook.
    Connections(i64),
}

impl Diagnosis {
    /// Creates the diagnosis of a store that does not exist, with whether it can be created.
    pub(super) fn missing(writes: Result<(), String>) -> Self {
        let (migrations, sound, others) = (MigrationState::Missing, Integrity::NotAsked, OtherUsers::Nobody);
        Self {
            servers: Vec::new(),
            migrations,
            sound,
            writes,
            others,
            newest: None,
            careless: Vec::new(),
            oldest_transaction: None,
            went_back: None,
            webhooks: None,
        }
    }
}

impl Store {
    /// Diagnoses a store without creating, migrating or changing anything. Reading all of an embedded one stops after
    /// `patience`. Blocks the thread for the embedded store.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn diagnose(place: Place, patience: Duration) -> Result<Diagnosis, String> {
        match place.backend {
            Backend::Embedded(folder) => sqlite::diagnostics::at(&folder, patience),
            Backend::Postgres { address, .. } => postgres::diagnostics::at(address).await,
        }
    }
}
