//! Transactions, for operations with several statements. Unlike a single statement, they are not sent again.

use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::{Error, Row};

use super::failure::{self, FailureKind};
use super::session::{Session, Values};
use crate::store::StoreError;

/// Time limit of one statement. Statements in transactions may read or write much more data than other statements.
const ATTEMPT: Duration = Duration::from_secs(60);

/// A transaction. If it is dropped before its commit, it is rolled back, and its connection is closed.
pub struct Transaction(Session);

impl Transaction {
    /// Starts a transaction on this connection. `kind` is its isolation level and access mode in SQL
    /// (`ISOLATION LEVEL …`).
    pub async fn begin(session: Session, kind: &str) -> Result<Self, StoreError> {
        let transaction = Self(session);
        let limit = ATTEMPT.as_millis();
        transaction.run(&format!("BEGIN {kind}; SET LOCAL statement_timeout = {limit}")).await?;
        Ok(transaction)
    }

    /// Runs a statement and returns its rows.
    pub async fn ask(&self, sql: &str, values: &Values<'_>) -> Result<Vec<Row>, StoreError> {
        in_time(self.0.send(sql, values)).await
    }

    /// Commits the transaction. Returns [`StoreError::Unanswered`] if it is unknown whether the commit succeeded.
    pub async fn commit(self) -> Result<(), StoreError> {
        self.run("COMMIT").await.map_err(|error| match error {
            StoreError::Unavailable(reason) => StoreError::Unanswered(reason),
            error => error,
        })?;
        self.0.keep();
        Ok(())
    }

    async fn run(&self, sql: &str) -> Result<(), StoreError> {
        in_time(self.0.run(sql)).await
    }
}

async fn in_time<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, StoreError> {
    let Ok(outcome) = timeout(ATTEMPT, work).await else {
        return Err(StoreError::Unavailable("the database said nothing".into()));
    };
    outcome.map_err(|error| match failure::meaning(&error) {
        FailureKind::Gone => StoreError::Unavailable(failure::words(&error)),
        FailureKind::Again | FailureKind::Busy | FailureKind::Late => StoreError::Busy,
        FailureKind::Hindered(hindrance) => StoreError::Hindered { hindrance, reason: failure::words(&error) },
        FailureKind::ConstraintViolated | FailureKind::Refused => StoreError::Failed(failure::words(&error)),
    })
}
