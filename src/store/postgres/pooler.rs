//! Detects poolers such as PgBouncer that give each transaction another session of the server. Prepared statements
//! would then meet statements of the same name in another session.

use tokio_postgres::{Client, Error, SimpleQueryMessage};

/// Number of transactions within which such a pooler changes the session.
const ROUNDS: usize = 4;

/// The message for the operator.
pub const REFUSAL: &str = "the database is reached through a pooler that gives each transaction another session (PgBouncer \
     with pool_mode = transaction or statement), in which statements would be mixed up; name the server itself, or set pool_mode = session";

/// Returns whether a session of one client is given to the other between two transactions.
///
/// # Errors
/// Those of the driver.
pub async fn shares_sessions(one: &Client, other: &Client) -> Result<bool, Error> {
    let first = session_of(one).await?;
    for _ in 0..ROUNDS {
        // Occupies its session, so that the pooler has to give the first client another one if it pools by transaction.
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

/// Process id of the session, asked without a prepared statement.
async fn session_of(client: &Client) -> Result<Option<String>, Error> {
    let answer = client.simple_query("SELECT pg_backend_pid()").await?;
    Ok(answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
