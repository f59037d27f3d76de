//! Finds out whether connections are what they seem: a pooler such as PgBouncer may give each transaction another session of the
//! server, and then statements that were prepared on one meet another's names.

use tokio_postgres::{Client, Error, SimpleQueryMessage};

/// Where a pooler gives a session to others between two transactions, it gives the same or another within these.
const ROUNDS: usize = 4;

/// What an operator is told of such a pooler.
pub const REFUSAL: &str = "the database is reached through a pooler that gives each transaction another session (PgBouncer \
     with pool_mode = transaction or statement), in which statements would be mixed up; name the server itself, or set pool_mode = session";

/// Whether a session of one client is given to the other between two transactions.
///
/// # Errors
/// Those of the driver.
pub async fn shares_sessions(one: &Client, other: &Client) -> Result<bool, Error> {
    let first = session_of(one).await?;
    for _ in 0..ROUNDS {
        // Holds its session, so that the first client has to be given another if it has none of its own.
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

/// Which process of the server answers, asked without preparing anything.
async fn session_of(client: &Client) -> Result<Option<String>, Error> {
    let answer = client.simple_query("SELECT pg_backend_pid()").await?;
    Ok(answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
