//! Detects connection poolers, such as PgBouncer, that may use a different server session for each transaction. Behind
//! such a pooler, executing a prepared statement could run another client's statement with the same name.

use tokio_postgres::{Client, Error, SimpleQueryMessage};

use super::connect::{Connection, Connector};
use super::error;
use crate::store::OpenError;

/// Number of rounds of the test in [`shares_sessions`]. More rounds make it less likely to miss a pooler.
const ROUNDS: usize = 4;

const REFUSAL: &str = "the database is reached through a pooler that gives each transaction another session (PgBouncer \
     with pool_mode = transaction or statement), in which statements would be mixed up; name the server itself, or set pool_mode = session";

/// Refuses a connection through a pooler that switches sessions between transactions. `first` is such a connection, if
/// there is a pooler.
///
/// # Errors
/// [`OpenError`] for the operator.
pub async fn refuse(connector: &Connector, first: &Connection) -> Result<(), OpenError> {
    // If a second connection is refused, there is only one session, so a pooler cannot mix up sessions.
    let Ok(other) = connector.connect().await else { return Ok(()) };
    match shares_sessions(first.client(), other.client()).await {
        Ok(false) => Ok(()),
        Ok(true) => Err(OpenError(REFUSAL.to_owned())),
        Err(e) => Err(OpenError(format!("cannot read the database: {}", error::words(&e)))),
    }
}

/// Returns whether a pooler switches sessions between transactions. A pooler does so if the clients `one` and `other`
/// get the same session, or if the session of `one` changes.
async fn shares_sessions(one: &Client, other: &Client) -> Result<bool, Error> {
    let first = session_of(one).await?;
    for _ in 0..ROUNDS {
        // The open transaction occupies a session. If it is the session of `one`, the pooler gives `one` a different
        // session.
        other.batch_execute("BEGIN").await?;
        let held = session_of(other).await?;
        let shared = held == first || session_of(one).await? != first;
        other.batch_execute("ROLLBACK").await?;
        if shared {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the process id of the session on the server. Uses no prepared statement: a pooler may mix up statements.
async fn session_of(client: &Client) -> Result<Option<String>, Error> {
    let answer = client.simple_query("SELECT pg_backend_pid()").await?;
    Ok(answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
