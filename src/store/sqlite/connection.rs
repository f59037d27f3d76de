//! The settings of every connection.

use std::time::Duration;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

pub fn configure(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    // Makes query plans independent of bound values. Otherwise SQLite would prepare a statement again for a new LIMIT.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}
