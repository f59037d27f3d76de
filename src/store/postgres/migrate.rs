//! Migrations, which upgrade a database to the version that this program needs. All missing migrations run in one
//! transaction.

use std::cmp::Ordering;

use tokio_postgres::Client;

use super::connect::Connection;
use super::error;
use crate::store::OpenError;

/// The migrations in order. The table `store_version` stores the number of migrations that were applied.
const STEPS: &[&str] = &[include_str!("../../../migrations/postgres/0001_initial.sql")];

/// Number of the advisory lock ("FBok" in ASCII). The lock makes copies of the service migrate one after the other.
const LOCK: i64 = 0x4642_6f6b;

/// Runs the missing migrations.
pub async fn run(connection: &mut Connection) -> Result<(), OpenError> {
    run_steps(connection, STEPS).await
}

async fn run_steps(connection: &mut Connection, steps: &[&str]) -> Result<(), OpenError> {
    let failed = |e: tokio_postgres::Error| {
        OpenError(format!("cannot migrate the database: {}; check the permissions of its user", error::words(&e)))
    };
    let transaction = connection.client_mut().transaction().await.map_err(failed)?;
    // Turns off the time limit of statements, because a migration may take longer.
    transaction.batch_execute("SET LOCAL statement_timeout = 0").await.map_err(failed)?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(failed)?;
    let done = steps_done(transaction.client()).await.map_err(failed)?;
    let missing = steps.get(done..).ok_or_else(|| newer(done))?;
    if missing.is_empty() {
        return Ok(());
    }
    may_create_tables(transaction.client())
        .await
        .map_err(failed)?
        .map_err(|sentence| OpenError(format!("cannot migrate the database: {sentence}")))?;
    if done == 0 {
        transaction
            .batch_execute("CREATE TABLE store_version (steps BIGINT NOT NULL); INSERT INTO store_version VALUES (0)")
            .await
            .map_err(failed)?;
    }
    for step in missing {
        transaction.batch_execute(step).await.map_err(failed)?;
    }
    transaction.execute("UPDATE store_version SET steps = $1", &[&(steps.len() as i64)]).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

/// Query that returns whether the user may create tables, and a sentence that says what to do otherwise. Since
/// PostgreSQL 15, by default only the owner of a database may create tables in its schema "public".
const CREATES_TABLES: &str = "SELECT coalesce(has_schema_privilege(s, 'CREATE'), false),
         format('the user %I may not create tables in the database %I; let the owner of its tables run fieldbook migrate, or run: ', u, d)
         || CASE WHEN coalesce(s, 'public') = 'public' THEN format('ALTER DATABASE %I OWNER TO %I', d, u)
             ELSE format('GRANT CREATE ON SCHEMA %I TO %I', s, u) END
     FROM (SELECT current_schema()::text AS s, current_user::text AS u, current_database()::text AS d) AS names";

/// Checks that the user may create tables. The inner error is a sentence for the operator.
///
/// # Errors
/// The errors of the driver.
pub async fn may_create_tables(client: &Client) -> Result<Result<(), String>, tokio_postgres::Error> {
    let row = client.query_one(CREATES_TABLES, &[]).await?;
    Ok(if row.try_get(0)? { Ok(()) } else { Err(row.try_get(1)?) })
}

/// Checks that no migration is missing.
///
/// # Errors
/// [`OpenError`] that names the command to run.
pub async fn check(connection: &Connection) -> Result<(), OpenError> {
    check_steps(connection, STEPS.len()).await
}

async fn check_steps(connection: &Connection, needed: usize) -> Result<(), OpenError> {
    let done = steps_done(connection.client())
        .await
        .map_err(|e| OpenError(format!("cannot read the database: {}", error::words(&e))))?;
    match done.cmp(&needed) {
        Ordering::Less => Err(OpenError(format!(
            "the database has store version {done}, this program needs {needed}; run fieldbook migrate with the same --database, or start without --no-migrate"
        ))),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(newer(done)),
    }
}

fn newer(done: usize) -> OpenError {
    OpenError(format!(
        "the database was written by a newer Fieldbook (store version {done}, this program knows {}); run the newer version",
        STEPS.len()
    ))
}

pub fn known_steps() -> usize {
    STEPS.len()
}

/// Returns the number of migrations that were applied to this database; 0 if the database contains no store.
pub async fn steps_done(client: &Client) -> Result<usize, tokio_postgres::Error> {
    let table = client.query_one("SELECT to_regclass('store_version') IS NOT NULL", &[]).await?;
    if !table.try_get::<_, bool>(0)? {
        return Ok(0);
    }
    let row = client.query_one("SELECT steps FROM store_version", &[]).await?;
    Ok(usize::try_from(row.try_get::<_, i64>(0)?).unwrap_or(usize::MAX))
}

#[cfg(test)]
#[path = "../../../tests/unit/store/postgres/migrate.rs"]
mod tests;
