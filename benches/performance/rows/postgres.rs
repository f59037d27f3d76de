//! On PostgreSQL: beside pgbench, which sends the same statements to the same server.

use std::path::Path;
use std::process::Command;

use super::{Bench, DETECTION};
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::row::{Goal, Row};
use crate::server::Server;

/// So many documents share the updates.
const DOCUMENTS: u64 = 256;

/// A database of its own on the server that `scripts/bench` starts.
pub struct Database {
    /// `postgres://…`
    pub address: String,
}

impl Database {
    /// A new one; `None` where there is no server.
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
        Ok(Some(Self { address: format!("{host}/bench_{name}") }))
    }

    /// Transactions a second of a script for pgbench, with 64 connections.
    fn pgbench(&self, script: &str, seconds: u32, variables: &[(&str, String)]) -> Result<f64, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/load").join(script);
        let mut pgbench = Command::new("pgbench");
        pgbench.args(["--no-vacuum", "--client=64", "--jobs=1", "--protocol=prepared"]);
        pgbench.arg(format!("--time={seconds}")).arg("--file").arg(script);
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

    let beside = "the same statements by pgbench on the same server";
    let mut resolve =
        Row::new("on PostgreSQL: resolve one hot link, 64 connections", beside, "requests/s", Goal::AtLeast(0.70));
    let mut update = Row::new(
        "on PostgreSQL: update one field, 64 connections, 256 documents",
        beside,
        "updates/s",
        Goal::AtLeast(0.70),
    )
    .limited_by(DETECTION);
    let load = |script, arguments| Load { server: &server, connections: 64, seconds: bench.seconds, script, arguments };
    for _ in 0..bench.rounds {
        let ours = load("get.lua", vec![link.clone()]).run()?;
        let visit = [("sub_link", format!("'{sub_link}'"))];
        resolve.round(ours.rate, database.pgbench("visit.sql", bench.seconds, &visit)?);
        let ours = load("patch.lua", edits(&all, 120)).run()?;
        update.round(ours.rate, database.pgbench("update.sql", bench.seconds, &[])?);
    }
    Ok(vec![resolve, update])
}
