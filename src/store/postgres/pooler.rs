//! Detects poolers, such as PgBouncer, that may use another server session for each transaction. There a prepared
//! statement could run a statement of the same name from another client.

use tokio_postgres::{Client, Error, SimpleQueryMessage};

/// Number of transactions within which such a pooler switches the session.
const ROUNDS: usize = 4;

/// Message for the operator.
pub const REFUSAL: &str = "the database is reached through a pooler that gives each transaction another session (PgBouncer \
     with pool_mode = transaction or statement), in which statements would be mixed up; name the server itself, or set pool_mode = session";

/// Returns whether both clients get the same server session in different transactions.
///
/// # Errors
/// Those of the driver.
pub async fn shares_sessions(one: &Client, other: &Client) -> Result<bool, Error> {
    let first = session_of(one).await?;
    for _ in 0..ROUNDS {
        // Occupies a session, so that a pooler of this kind must give the first client another one.
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

/// Returns the process id of the session, without a prepared statement.
async fn session_of(client: &Client) -> Result<Option<String>, Error> {
    let answer = client.simple_query("SELECT pg_backend_pid()").await?;
    Ok(answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
