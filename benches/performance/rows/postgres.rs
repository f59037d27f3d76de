//! Fieldbook on PostgreSQL, compared with pgbench, which sends the same statements to the same server.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;

use fieldbook::store::postgres::statements_of_an_update;

use super::{Bench, file};
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::row::{Goal, Row, median};
use crate::server::Server;
use crate::texts;

/// Number of documents that are updated.
const DOCUMENTS: u64 = 256;
/// Number of connections that send updates.
const CONNECTIONS: u64 = 64;
/// Seconds that are added to pgbench's duration, because its time starts before its connections are open.
const CONNECTING: u32 = 2;

/// Values for the parameters of [`statements_of_an_update`]. Values such as `:revision` are columns that pgbench has
/// just read. The update gives one field a new text, which adds one word and removes another. A number in JSON has a
/// space before it, because pgbench would read `:1` as a variable.
const VALUES: [(&str, &str); 45] = [
    ("id", ":id::text"),
    ("base_revision", ":revision::bigint"),
    ("revision", "(:revision::bigint + 1)"),
    ("status", ":status::text"),
    ("author", "'aaaaaaaaaaaaaaaaaaaaaaaa'::text"),
    ("metadata_author", "NULL::text"),
    ("last_change_with_ai", "false"),
    ("version", "(:latest_version::bigint + 1)"),
    ("latest_version", "(:latest_version::bigint + 1)"),
    ("updated_at", "(:updated_at::bigint + 1)"),
    ("group_key", ":group::text"),
    ("previous_group_key", ":group::text"),
    ("curriculum_key", "'ngss'::text"),
    ("title_key", "'bean seedlings'::text"),
    ("grade_key", "'04'::text"),
    ("curriculum", "'NGSS'::text"),
    ("grade", "'4'::text"),
    ("title", "'bean seedlings'::text"),
    ("findings", ":findings::text"),
    ("content", ":content::text"),
    ("mark", ":mark::text"),
    ("expired_mark_revision", "(:revision::bigint - 999)"),
    ("dropped_words", "ARRAY['w' || :revision::text]"),
    ("added_words", "ARRAY['w' || (:revision::bigint + 1)::text]"),
    ("record_version", "(:latest_version::bigint + 1)"),
    ("record_parent", ":version::bigint"),
    ("record_kind", "'update'::text"),
    ("record_at", "(:updated_at::bigint + 1)"),
    ("record_by", "'aaaaaaaaaaaaaaaaaaaaaaaa'::text"),
    ("record_with_ai", "false"),
    (
        "record_changes",
        "'[{\"path\":\"phenomenon\",\"before\":\"Look: Light reaches the leaf. Light reaches the leaf. Light reaches the leaf.\",\
            \"after\":\"Look: Light reaches the leaf. Light reaches the leaf. Light reaches the leaf. Light reaches it.\"}]'::text",
    ),
    ("records_per_copy", "128"),
    ("record_fields", "ARRAY['=phenomenon']"),
    ("first_copy", "NULL::text"),
    ("moved_version", "NULL::bigint"),
    ("moved_undone", "NULL::boolean"),
    ("named_version", "NULL::bigint"),
    ("version_name", "NULL::text"),
    ("chat_entry", "NULL::text"),
    ("snapshot_digest", "NULL::bytea"),
    ("snapshot_length", "NULL::bigint"),
    ("snapshot_packed", "NULL::bytea"),
    ("slot", "0"),
    (
        "events",
        "ARRAY['{\"type\":\"updated\",\"by\":\"update\",\"version\": 1,\"fields\":[\"phenomenon\"],\"more\": false}']",
    ),
    ("audit", "ARRAY['{\"action\":\"update\",\"outcome\":\"done\"}']"),
];

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
        // Without TLS, because only some of the compared programs would use it by default.
        Ok(Some(Self { address: format!("{host}/bench_{name}?sslmode=disable") }))
    }

    /// Writes a pgbench script that sends the statements of an update of one of these investigations. Each connection
    /// updates its own share of the investigations, so that updates never conflict. Returns the path of the script, and
    /// the lowest `group_key` of the investigations.
    fn updates(&self, folder: &Path, ids: &[String]) -> Result<(PathBuf, String), String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
        let group = runtime.block_on(async {
            let failed = |e: tokio_postgres::Error| format!("{}: {e}", self.address);
            let connected = tokio_postgres::connect(&self.address, tokio_postgres::NoTls).await;
            let (client, connection) = connected.map_err(failed)?;
            tokio::spawn(connection);
            let named = "CREATE TABLE bench_named (n INTEGER PRIMARY KEY, id TEXT COLLATE \"C\" NOT NULL)";
            client.batch_execute(named).await.map_err(failed)?;
            let insert =
                "INSERT INTO bench_named (id, n) SELECT id, n - 1 FROM unnest($1::text[]) WITH ORDINALITY AS i (id, n)";
            client.execute(insert, &[&ids]).await.map_err(failed)?;
            let group = client.query_one("SELECT min(group_key) FROM investigation", &[]).await.map_err(failed)?;
            Ok::<_, String>(group.get::<_, String>(0))
        })?;
        let [reading, storing] = statements_of_an_update();
        let reading = reading.replace("$1", "(SELECT b.id FROM bench_named b WHERE b.n = :number)");
        // Replaces the longest names first, because `$version` is also the start of `$version_name`.
        let mut values = VALUES;
        values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let storing = values.iter().fold(storing, |sql, (name, value)| sql.replace(&format!("${name}"), value));
        if let Some(missing) = storing.split_once('$') {
            return Err(format!("no value for the parameter ${}", missing.1.chars().take(30).collect::<String>()));
        }
        let share = ids.len() as u64 / CONNECTIONS;
        let script = format!(
            "\\set number :client_id * {share} + random(0, {})\n\\set mark random(1, 9000000000000000)\n{reading} \\gset\n{storing};\n",
            share - 1
        );
        Ok((file(folder, "update.sql", &script)?, group))
    }

    /// Returns the transactions per second of a pgbench script, with 64 connections.
    fn pgbench(&self, script: &Path, seconds: u32, variables: &[(&str, String)]) -> Result<f64, String> {
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
    let one_group = |number| {
        let mut content = texts::investigation(number, 6 * 1024, false);
        content["curriculum"] = "NGSS".into();
        caller.create(&content)
    };
    let ids = (0..DOCUMENTS).map(one_group).collect::<Result<Vec<_>, _>>()?;
    let path = caller.link(&ids[0], "bench")?;
    let sub_link = path.rsplit('/').next().unwrap_or_default().to_owned();
    let link = lines(&folder.join("link"), [path])?;
    let all = lines(&folder.join("all"), paths(&ids))?;

    let mut resolve = Row::new("count a visit, PostgreSQL", "pgbench", "requests/s", Goal::AtLeast(0.70));
    let mut update = Row::new("update a field, PostgreSQL", "pgbench", "updates/s", Goal::AtLeast(0.70));
    let load = |script, arguments| Load { server: &server, connections: 64, seconds: bench.seconds, script, arguments };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get) as f64;
    let visits = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/load/visit.sql");
    let (updates, group) = database.updates(&folder, &ids)?;
    let (mut cpu, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        let ours = load("get.lua", vec![link.clone()]).run()?;
        let visit = [("sub_link", sub_link.clone())];
        resolve.round(ours.rate, database.pgbench(&visits, bench.seconds, &visit)?);
        let ours = load("patch.lua", edits(&all, 120)).run()?;
        let theirs = database.pgbench(&updates, bench.seconds, &[("group", group.clone())])?;
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
