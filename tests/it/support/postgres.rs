//! The PostgreSQL of tests: a schema of its own for each data folder, so that every test has its own store.
//!
//! `FIELDBOOK_TEST_STORE=postgres` has all tests run on the server that `FIELDBOOK_TEST_POSTGRES` names.

use std::path::Path;

use fieldbook::store::{Address, Backend, Place};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

/// The server, where tests are to run on it.
pub fn server() -> Option<String> {
    match std::env::var("FIELDBOOK_TEST_STORE").as_deref() {
        Ok("postgres") => Some(address().expect("FIELDBOOK_TEST_POSTGRES names the server")),
        _ => None,
    }
}

/// The server of tests that are about PostgreSQL.
pub fn address() -> Option<String> {
    std::env::var("FIELDBOOK_TEST_POSTGRES").ok().filter(|address| !address.is_empty())
}

/// Its `host:port`.
pub fn host_and_port() -> String {
    let address = address().expect("FIELDBOOK_TEST_POSTGRES names the server");
    let rest = address.split_once('@').expect("a user").1;
    rest.split(['/', '?']).next().expect("a host").to_owned()
}

/// The place of a store in a schema of its own, reached through `host:port`.
pub fn place_through(folder: &Path, host_and_port: &str, connections: usize) -> Place {
    let address = store_of(folder, &address().expect("FIELDBOOK_TEST_POSTGRES names the server"));
    let address = address.replacen(&self::host_and_port(), host_and_port, 1);
    let address = Address::parse(&address).expect("an address");
    Place { backend: Backend::Postgres { address, connections }, migrate: true }
}

/// The store that belongs to a data folder, on this server: an address with its own schema, which is made if need be.
pub fn store_of(folder: &Path, server: &str) -> String {
    let schema = schema(folder);
    execute(server, &format!("CREATE SCHEMA IF NOT EXISTS {schema}"));
    let sign = if server.contains('?') { '&' } else { '?' };
    format!("{server}{sign}options=-csearch_path%3D{schema}")
}

/// Runs statements in the store of a folder, behind the service's back.
pub fn execute_in(folder: &Path, server: &str, sql: &str) {
    execute(server, &format!("SET search_path TO {}; {sql}", schema(folder)));
}

fn schema(folder: &Path) -> String {
    let name = folder.file_name().expect("a name").to_string_lossy().to_lowercase();
    let letters = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    // Names of folders differ in case too.
    let cases = name_of_cases(&folder.file_name().expect("a name").to_string_lossy());
    format!("test_{letters}_{cases:x}")
}

fn name_of_cases(name: &str) -> u64 {
    name.chars().fold(0, |bits, letter| bits << 1 | u64::from(letter.is_uppercase()))
}

/// A transaction that holds something which others wait for.
pub struct Holder {
    client: Client,
    connection: JoinHandle<Result<(), tokio_postgres::Error>>,
}

impl Holder {
    /// Holds what these statements lock in a store.
    pub async fn of(store: &str, sql: &str) -> Self {
        let (client, connection) = tokio_postgres::connect(store, NoTls).await.expect("the server of tests");
        let connection = tokio::spawn(connection);
        client.batch_execute(&format!("BEGIN; {sql}")).await.expect("a lock");
        Self { client, connection }
    }

    /// Whether somebody waits for it.
    pub async fn is_in_the_way(&self) -> bool {
        let sql =
            "SELECT count(*) FROM pg_locks l WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))";
        self.client.query_one(sql, &[]).await.expect("an answer").get::<_, i64>(0) > 0
    }

    /// Lets go of it.
    pub async fn let_go(self) {
        self.end("ROLLBACK").await;
    }

    /// Ends the transaction, and what it did stands.
    pub async fn carry_out(self) {
        self.end("COMMIT").await;
    }

    async fn end(self, how: &str) {
        self.client.batch_execute(how).await.expect("an end");
        drop(self.client);
        self.connection.await.expect("no panic").expect("a clean end");
    }
}

/// Runs statements, also where a runtime is busy around.
pub fn execute(server: &str, sql: &str) {
    let (server, sql) = (server.to_owned(), sql.to_owned());
    let work = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&server, NoTls).await.expect("the server of tests");
            let connection = tokio::spawn(connection);
            client.batch_execute(&sql).await.expect("the statements run");
            drop(client);
            connection.await.expect("no panic").expect("a clean end");
        });
    };
    std::thread::spawn(work).join().expect("the statements ran");
}
