//! Fieldbook on PostgreSQL, compared with pgbench, which makes the same changes on the same server.

use std::num::NonZero;
use std::path::Path;
use std::process::Command;

use super::Bench;
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::row::{Goal, Row, median};
use crate::server::Server;

/// Number of documents that are updated.
const DOCUMENTS: u64 = 256;
/// Number of connections that send updates.
const CONNECTIONS: u64 = 64;
/// Seconds that are added to pgbench's duration, because its time starts before its connections are open.
const CONNECTING: u32 = 2;

/// A separate database on the server that `scripts/bench` starts.
pub struct Database {
    /// Address of the database, `postgres://…`.
    pub address: String,
}

impl Database {
    /// Creates a new database. Returns `None` if there is no server.
    pub fn new(name: &str) -> Result<Option<Self>, String> {
        let Ok(server) = std::env::var("FIELDBOOK_TEST_POSTGRES") else {
            eprintln!("no PostgreSQL: run scripts/bench, or set FIELDBOOK_TEST_POSTGRES");
            return Ok(None);
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
        runtime.block_on(async {
            let failed = |e: tokio_postgres::Error| format!("{server}: {e}");
            let (client, connection) = tokio_postgres::connect(&server, tokio_postgres::NoTls).await.map_err(failed)?;
            tokio::spawn(connection);
            client.batch_execute(&format!("DROP DATABASE IF EXISTS bench_{name}")).await.map_err(failed)?;
            client.batch_execute(&format!("CREATE DATABASE bench_{name}")).await.map_err(failed)
        })?;
        let host = server.rsplit_once('/').map_or(server.as_str(), |(host, _)| host);
        // The connections do not use TLS, because only some of the compared programs would use TLS by default.
        Ok(Some(Self { address: format!("{host}/bench_{name}?sslmode=disable") }))
    }

    /// Returns the transactions per second of a pgbench script in `benches/load`, with 64 connections.
    fn pgbench(&self, script: &str, seconds: u32, variables: &[(&str, String)]) -> Result<f64, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/load").join(script);
        let mut pgbench = Command::new("pgbench");
        pgbench.arg(format!("--client={CONNECTIONS}")).args(["--no-vacuum", "--jobs=1", "--protocol=prepared"]);
        pgbench.arg(format!("--time={}", seconds + CONNECTING)).arg("--file").arg(script);
        for (name, value) in variables {
            pgbench.arg(format!("--define={name}={value}"));
        }
        let output = pgbench.arg(&self.address).output().map_err(|e| format!("pgbench cannot be run: {e}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let rate = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split_whitespace().next()?.parse().ok());
        rate.ok_or_else(|| format!("pgbench said: {text}{}", String::from_utf8_lossy(&output.stderr)))
    }
}

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let Some(database) = Database::new("postgres")? else { return Ok(Vec::new()) };
    let folder = bench.fresh("postgres")?;
    let server = Server::fieldbook(&folder, &["--database", &database.address])?;
    let caller = Caller::of(&server)?;
    let ids = caller.create_many(DOCUMENTS, 6 * 1024)?;
    let path = caller.link(&ids[0], "bench")?;
    let sub_link = path.rsplit('/').next().unwrap_or_default().to_owned();
    let link = lines(&folder.join("link"), [path])?;
    let all = lines(&folder.join("all"), paths(&ids))?;

    let mut resolve = Row::new("count a visit, PostgreSQL", "pgbench", "requests/s", Goal::AtLeast(0.70));
    let mut update = Row::new("update a field, PostgreSQL", "pgbench", "updates/s", Goal::AtLeast(0.70));
    let load = |script, arguments| Load { server: &server, connections: 64, seconds: bench.seconds, script, arguments };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get) as f64;
    // Each connection updates its own share of the documents, so that updates never conflict.
    let visited = [("sub_link", sub_link)];
    let updated = [("share", (DOCUMENTS / CONNECTIONS).to_string())];
    let (mut cpu, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        let ours = load("get.lua", vec![link.clone()]).run()?;
        resolve.round(ours.rate, database.pgbench("visit.sql", bench.seconds, &visited)?);
        let ours = load("patch.lua", edits(&all, 120)).run()?;
        let theirs = database.pgbench("update.sql", bench.seconds, &updated)?;
        update.round(ours.rate, theirs);
        cpu.push(ours.cpu);
        bare.push(cores / theirs * 1e6);
    }
    let update = update.limited_by(&format!(
        "PostgreSQL and pgbench need {:.0} µs of CPU, and the service {:.0} more",
        median(&bare),
        median(&cpu)
    ));
    Ok(vec![resolve, update])
}
