//! Checks a store without changing it: whether the store exists, and whether it is undamaged, up to date and writable.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::timeout;

use super::engine::Snapshot;
use super::{Backend, Store, StoreLocation, dump, postgres, sqlite};

/// Maximum number of damaged rows that are named.
const MAX_NAMED: usize = 5;

pub(super) const FAILED_DELIVERIES: &str =
    "SELECT endpoint, count(*) FROM webhook_delivery WHERE due IS NOT NULL GROUP BY endpoint";

const REMEDY: &str = "restore a backup; an admin can also delete an investigation that is named (DELETE with ?permanently=true), and \
                      the service does without other rows";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    pub migrations: MigrationState,
    pub integrity: Integrity,
    /// `Ok` if the store accepts writes, or can be created or upgraded; otherwise a sentence for the operator.
    pub writes: Result<(), String>,
    pub failed_deliveries: Vec<FailedDeliveries>,
    /// Copies of damaged write-ahead logs, which earlier starts found.
    pub damaged_logs: Vec<PathBuf>,
}

/// Events that a webhook endpoint did not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedDeliveries {
    /// Name of the endpoint in the store.
    pub endpoint: String,
    /// Number of events that will be sent again.
    pub events: i64,
}

/// Version of the store's schema: the number of applied migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationState {
    /// The store does not exist, or has no tables of Fieldbook.
    Missing,
    /// The store needs a migration if `done` is less than `known`, and a newer program if `done` is greater.
    Steps { done: usize, known: usize },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Integrity {
    /// The check found no damage. The text says what was checked.
    Intact(&'static str),
    /// The store is damaged, or another program changed its schema.
    Broken { reason: String, remedy: &'static str },
    /// The check was stopped because it took too long.
    TimedOut,
    /// The store does not exist, or the PostgreSQL server does not look for damage.
    NotChecked,
}

impl Diagnosis {
    /// Creates the diagnosis of a store that does not exist. `writes` says whether it can be created.
    pub(super) fn missing(writes: Result<(), String>) -> Self {
        let (migrations, integrity) = (MigrationState::Missing, Integrity::NotChecked);
        Self { migrations, integrity, writes, failed_deliveries: Vec::new(), damaged_logs: Vec::new() }
    }
}

impl Store {
    /// Diagnoses a store without creating, migrating or changing anything. Checks the pages of an embedded store, and
    /// then reads all that an export of the store contains. Both stop after `patience`.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn diagnose(location: StoreLocation, patience: Duration) -> Result<Diagnosis, String> {
        let mut diagnosis = match &location.backend {
            Backend::Embedded(folder) => {
                let folder = folder.clone();
                let check = tokio::task::spawn_blocking(move || sqlite::diagnostics::at(&folder, patience));
                check.await.unwrap_or_else(|e| Err(e.to_string()))?
            }
            Backend::Postgres { address, .. } => postgres::diagnostics::at(address.clone()).await?,
        };
        let is_current = matches!(diagnosis.migrations, MigrationState::Steps { done, known } if done == known);
        let is_sound = matches!(diagnosis.integrity, Integrity::Intact(_) | Integrity::NotChecked);
        if !is_current || !is_sound {
            return Ok(diagnosis);
        }
        let snapshot = match location.backend {
            Backend::Embedded(folder) => Snapshot::Sqlite(sqlite::diagnostics::snapshot(&folder).await?),
            Backend::Postgres { address, .. } => {
                Snapshot::Postgres(Box::new(postgres::diagnostics::snapshot(address)?))
            }
        };
        // If reading a large store takes longer than `patience`, only its pages were checked.
        if let Ok(unreadable) = timeout(patience, dump::unreadable(snapshot)).await {
            let broken = |reason| Integrity::Broken { reason, remedy: REMEDY };
            diagnosis.integrity = match unreadable.as_deref() {
                Ok([]) => Integrity::Intact("all of it is readable"),
                Ok(rows) => broken(named(rows)),
                Err(error) => broken(format!("it cannot be read: {error}")),
            };
        }
        Ok(diagnosis)
    }
}

fn named(rows: &[String]) -> String {
    let more = rows.len().saturating_sub(MAX_NAMED);
    let more = if more == 0 { String::new() } else { format!(", and {more} more, which fieldbook export names") };
    format!("rows of it cannot be read: {}{more}", rows.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", "))
}
