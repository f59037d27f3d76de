//! Connects to a writable server, for a pool of connections. A connection that was idle for a while is checked before
//! it is used again.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deadpool::managed::{Manager, Metrics, RecycleError, RecycleResult};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::{Address, Server};
use super::statements::Prepared;
use super::{error, tls};
use crate::store::OpenError;

/// Time limit after which the server itself ends a statement, even if the client has disconnected.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// Time after which the server ends a transaction whose client sends nothing. An open transaction delays events, and
/// may hold locks.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(2);

/// Time to wait for a connection before the next server is tried as well.
const HEAD_START: Duration = Duration::from_millis(200);

/// Maximum time to wait at the start until one of several servers becomes writable.
const MAX_STARTUP_WAIT: Duration = Duration::from_secs(20);

/// Pause between connection attempts while waiting at the start.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// Idle time after which a connection is checked before use.
const CHECK_AFTER_IDLE: Duration = Duration::from_secs(1);

/// Time limit for checking an idle connection, and for cancelling a statement.
const CHECK: Duration = Duration::from_secs(1);

/// Maximum number of prepared statements of a connection, which the server keeps in memory.
const MAX_PREPARED: usize = 256;

/// Why connecting failed, as a sentence for the operator. It does not contain the password.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}")]
pub struct ConnectError {
    pub reason: String,
    /// Whether a later attempt may succeed.
    pub may_pass: bool,
}

pub struct Connector {
    address: Address,
    tls: MakeRustlsConnect,
    /// Index of the server that was writable most recently. This server is tried first.
    good: AtomicUsize,
}

/// A connection and its prepared statements.
pub struct Connection {
    client: Client,
    tls: MakeRustlsConnect,
    task: JoinHandle<()>,
    statements: Mutex<HashMap<String, Arc<Prepared>>>,
}

impl Connector {
    /// Creates a connector for the servers of this address.
    ///
    /// # Errors
    /// [`OpenError`] if TLS cannot be set up.
    pub fn new(address: Address) -> Result<Self, OpenError> {
        Ok(Self { tls: tls::connector(&address)?, address, good: AtomicUsize::new(0) })
    }

    /// Returns the first connection. If the address names several servers, waits up to [`MAX_STARTUP_WAIT`] until one
    /// of them is writable. If the address names a single server, fails immediately.
    ///
    /// # Errors
    /// [`ConnectError`] with the last error of each server.
    pub async fn connect_first(&self) -> Result<Connection, ConnectError> {
        let begin = Instant::now();
        loop {
            match self.connect().await {
                Err(error)
                    if error.may_pass && self.address.servers.len() > 1 && begin.elapsed() < MAX_STARTUP_WAIT =>
                {
                    tracing::warn!(reason = error.reason, "waiting for a writable database server");
                    sleep(RETRY_PAUSE).await;
                }
                outcome => return outcome,
            }
        }
    }

    /// Connects to a writable server. Tries the server that was writable most recently first. While there is no
    /// connection, tries one more server after each [`HEAD_START`], because a server may not respond at all.
    ///
    /// # Errors
    /// [`ConnectError`] with the error of each server.
    pub async fn connect(&self) -> Result<Connection, ConnectError> {
        let count = self.address.servers.len();
        let first = self.good.load(Ordering::Relaxed);
        // Dropping the set cancels the remaining attempts.
        let mut attempts = JoinSet::new();
        for (index, server) in self.address.servers.iter().enumerate() {
            let wait = HEAD_START * u32::try_from((index + count - first) % count).unwrap_or_default();
            let (server, tls, limit) = (server.clone(), self.tls.clone(), self.address.connect_timeout);
            attempts.spawn(async move {
                sleep(wait).await;
                let outcome = timeout(limit, connect_to(&server, tls)).await.unwrap_or_else(|_| {
                    let reason =
                        format!("the database server {} did not respond within {} s", server.name, limit.as_secs());
                    Err(ConnectError { reason, may_pass: true })
                });
                (index, outcome)
            });
        }
        let mut failed = BTreeMap::new();
        while let Some(attempt) = attempts.join_next().await {
            match attempt {
                Ok((index, Ok(connection))) => {
                    self.good.store(index, Ordering::Relaxed);
                    return Ok(connection);
                }
                Ok((index, Err(error))) => drop(failed.insert(index, error)),
                Err(error) => tracing::error!(%error, "connecting to the database failed"),
            }
        }
        Err(ConnectError {
            may_pass: failed.values().any(|error| error.may_pass),
            reason: failed.into_values().map(|error| error.reason).collect::<Vec<_>>().join("; "),
        })
    }
}

async fn connect_to(server: &Server, tls: MakeRustlsConnect) -> Result<Connection, ConnectError> {
    let refused = |error: tokio_postgres::Error| connect_error(server, &error);
    // The operator may be writing a new password at this moment, so a later attempt may succeed.
    let config = server.login().map_err(|reason| ConnectError { reason, may_pass: true })?;
    let (client, connection) = config.connect(tls.clone()).await.map_err(refused)?;
    let name = server.name.clone();
    let task = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(server = name, reason = error::words(&error), "a connection to the database ended");
        }
    });
    let connection = Connection { client, tls, task, statements: Mutex::default() };
    let limit = STATEMENT_TIMEOUT.as_millis();
    let idle = IDLE_IN_TRANSACTION.as_millis();
    let greeting = format!(
        "SET statement_timeout = {limit}; SET idle_in_transaction_session_timeout = {idle}; SHOW transaction_read_only"
    );
    let answer = connection.client.simple_query(&greeting).await.map_err(refused)?;
    if reads_only(&answer) {
        let reason = format!("the database server {} is read-only; name the primary server", server.name);
        return Err(ConnectError { reason, may_pass: true });
    }
    Ok(connection)
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

fn connect_error(server: &Server, error: &tokio_postgres::Error) -> ConnectError {
    let name = &server.name;
    let user = server.config.get_user().unwrap_or("of this program");
    let reason = match error.code() {
        Some(state) if [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION].contains(state) => {
            format!(
                "the database server {name} rejects the login of the user {user} ({}); check {}",
                error::words(error),
                match &server.password_file {
                    Some(file) => format!("the user in --database and the password in {}", file.display()),
                    None => "the user and password in --database".to_owned(),
                }
            )
        }
        Some(state) if *state == SqlState::INVALID_CATALOG_NAME => {
            let database = server.config.get_dbname().unwrap_or(user);
            format!(
                "the database server {name} has no database {database}; create it with createdb, or name another with --database"
            )
        }
        Some(_) => format!("the database server {name} refuses: {}", error::words(error)),
        None if error::words(error).contains("password missing") => {
            format!(
                "the database server {name} requires a password for the user {user}; give one with --database-password-file"
            )
        }
        None => format!("cannot reach the database server {name}: {}; check --database", error::words(error)),
    };
    ConnectError { reason, may_pass: error::may_pass(error) }
}

fn reads_only(answer: &[SimpleQueryMessage]) -> bool {
    answer.iter().any(|message| matches!(message, SimpleQueryMessage::Row(row) if row.get(0) == Some("on")))
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    pub fn client(&self) -> &Client {
        &self.client
    }

    pub fn client_mut(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Closes the connection and cancels its running statement, which would otherwise continue on the server.
    pub fn cancel(self) {
        let (token, tls) = (self.client.cancel_token(), self.tls.clone());
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                match timeout(CHECK, token.cancel_query(tls)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => tracing::debug!(reason = error::words(&error), "a statement was not cancelled"),
                    Err(_) => tracing::debug!("a statement was not cancelled in time"),
                }
            });
        }
    }

    /// Returns the prepared statement for `sql`. Prepares it on first use. Filters of lists lead to many different
    /// statements, so all prepared statements are dropped when there are too many.
    pub async fn prepared(&self, sql: &str) -> Result<Arc<Prepared>, tokio_postgres::Error> {
        let known = || self.statements.lock();
        if let Some(prepared) = known().get(sql).cloned() {
            return Ok(prepared);
        }
        let prepared = Arc::new(Prepared::on(&self.client, sql).await?);
        let mut known = known();
        if known.len() >= MAX_PREPARED {
            known.clear();
        }
        known.insert(sql.to_owned(), prepared.clone());
        Ok(prepared)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Closes the connection immediately, even if the server does not respond.
        self.task.abort();
    }
}

impl Manager for Connector {
    type Type = Connection;
    type Error = ConnectError;

    async fn create(&self) -> Result<Connection, ConnectError> {
        self.connect().await
    }

    async fn recycle(&self, connection: &mut Connection, metrics: &Metrics) -> RecycleResult<ConnectError> {
        if connection.client.is_closed() {
            return Err(RecycleError::message("closed"));
        }
        if metrics.last_used() < CHECK_AFTER_IDLE {
            return Ok(());
        }
        match timeout(CHECK, connection.client.simple_query("SHOW transaction_read_only")).await {
            Ok(Ok(answer)) if !reads_only(&answer) => Ok(()),
            _ => Err(RecycleError::message("it is closed or read-only")),
        }
    }
}
