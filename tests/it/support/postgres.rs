//! PostgreSQL for tests. Each data folder has its own schema, so every test has its own store.
//!
//! With `FIELDBOOK_TEST_STORE=postgres`, all tests use the server in `FIELDBOOK_TEST_POSTGRES`.

use std::path::Path;

use fieldbook::store::{Address, Backend, StoreLocation};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// Returns the server, if the tests use PostgreSQL as their store.
pub fn server() -> Option<String> {
    match std::env::var("FIELDBOOK_TEST_STORE").as_deref() {
        Ok("postgres") => Some(address().expect("FIELDBOOK_TEST_POSTGRES names the server")),
        _ => None,
    }
}

/// Returns the server for tests that are about PostgreSQL, if there is one.
pub fn address() -> Option<String> {
    std::env::var("FIELDBOOK_TEST_POSTGRES").ok().filter(|address| !address.is_empty())
}

/// Returns the server's `host:port`.
pub fn host_and_port() -> String {
    let address = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let rest = address.split_once('@').expect("a user").1;
    rest.split(['/', '?']).next().expect("a host").to_owned()
}

/// Returns the store of a data folder, reached through this `host:port`, for example of a proxy.
pub fn place_through(folder: &Path, host_and_port: &str, connections: usize) -> StoreLocation {
    let address = store_of(folder, &address().expect("FIELDBOOK_TEST_POSTGRES names the server"));
    let address = address.replacen(&self::host_and_port(), host_and_port, 1);
    let address = Address::parse(&address).expect("an address");
    StoreLocation { backend: Backend::Postgres { address, connections }, migrate: true }
}

/// Returns the address of the store that belongs to a data folder. Creates its schema if it does not exist.
pub fn store_of(folder: &Path, server: &str) -> String {
    let schema = schema(folder);
    execute(server, &format!("CREATE SCHEMA IF NOT EXISTS {schema}"));
    let sign = if server.contains('?') { '&' } else { '?' };
    format!("{server}{sign}application_name={schema}&options=-csearch_path%3D{schema}")
}

/// Runs statements directly in the store of a folder, without the service's knowledge.
pub fn execute_in(folder: &Path, server: &str, sql: &str) {
    execute(server, &format!("SET search_path TO {}; {sql}", schema(folder)));
}

/// Ends all connections to the store of a folder, as an administrator can.
pub fn end_connections(folder: &Path, server: &str) {
    let name = schema(folder);
    let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'");
    execute(server, &end);
}

fn schema(folder: &Path) -> String {
    let name = folder.file_name().expect("a name").to_string_lossy().to_lowercase();
    let letters = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    // Schema names are in lower case, but names of folders can differ only in case.
    let cases = name_of_cases(&folder.file_name().expect("a name").to_string_lossy());
    format!("test_{letters}_{cases:x}")
}

fn name_of_cases(name: &str) -> u64 {
    name.chars().fold(0, |bits, letter| bits << 1 | u64::from(letter.is_uppercase()))
}

/// A transaction that holds a lock, so that other sessions wait.
pub struct Holder {
    client: Client,
    connection: JoinHandle<Result<(), tokio_postgres::Error>>,
}

impl Holder {
    /// Starts a transaction in a store and runs these statements in it, to take locks.
    pub async fn of(store: &str, sql: &str) -> Self {
        let (client, connection) = tokio_postgres::connect(store, NoTls).await.expect("the server of tests");
        let connection = tokio::spawn(connection);
        client.batch_execute(&format!("BEGIN; {sql}")).await.expect("a lock");
        Self { client, connection }
    }

    /// Returns true if another session waits for a lock of this transaction.
    pub async fn is_in_the_way(&self) -> bool {
        let sql =
            "SELECT count(*) FROM pg_locks l WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))";
        self.client.query_one(sql, &[]).await.expect("an answer").get::<_, i64>(0) > 0
    }

    /// Rolls the transaction back.
    pub async fn let_go(self) {
        self.end("ROLLBACK").await;
    }

    /// Commits the transaction.
    pub async fn carry_out(self) {
        self.end("COMMIT").await;
    }

    async fn end(self, how: &str) {
        self.client.batch_execute(how).await.expect("an end");
        drop(self.client);
        self.connection.await.expect("no panic").expect("a clean end");
    }
}

/// Runs statements. Uses a thread of its own, so it also works inside an async runtime.
pub fn execute(server: &str, sql: &str) {
    query(server, sql);
}

/// Runs statements like [`execute`], and returns the number in the first row.
fn query(server: &str, sql: &str) -> Option<i64> {
    let (server, sql) = (server.to_owned(), sql.to_owned());
    let work = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&server, NoTls).await.expect("the server of tests");
            let connection = tokio::spawn(connection);
            let found = client.simple_query(&sql).await.expect("the statements run");
            drop(client);
            connection.await.expect("no panic").expect("a clean end");
            found.iter().find_map(|message| match message {
                SimpleQueryMessage::Row(row) => row.get(0)?.parse().ok(),
                _ => None,
            })
        })
    };
    std::thread::spawn(work).join().expect("the statements ran")
}

/// Returns the number that a query returns.
pub fn number_in(folder: &Path, server: &str, sql: &str) -> i64 {
    query(server, &format!("SET search_path TO {}; {sql}", schema(folder))).expect("a number")
}
