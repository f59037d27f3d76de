//! Two peers: services written with common frameworks, which do the same work with the same durability.

use std::path::Path;
use std::process::Command;

use super::Bench;
use super::postgres::Database;
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::row::{Goal, Row};
use crate::server::{Server, tokens};

/// Secret that signs the tokens for the peers.
const SECRET: &str = "a secret of the benches, long enough for it";
/// Number of documents. All of them are updated, and the list contains all of them.
const DOCUMENTS: u64 = 256;
const BYTES: usize = 6 * 1024;

/// A server with documents and a link, and the names of the files that contain their paths.
struct Prepared {
    server: Server,
    one: String,
    all: String,
    link: String,
    list: String,
}

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let embedded = bench.fresh("peers-embedded")?;
    let fieldbook = Server::fieldbook(&embedded, &[])?;
    let folder = bench.fresh("peers-fastify")?;
    let fastify = peer("fastify", &folder.display().to_string())?;
    rows.extend(beside(
        bench,
        "Fastify + better-sqlite3",
        prepared(fieldbook, &embedded)?,
        prepared(fastify, &folder)?,
    )?);

    let Some(database) = Database::new("peers")? else { return Ok(rows) };
    let replicated = bench.fresh("peers-postgres")?;
    let fieldbook = Server::fieldbook(&replicated, &["--database", &database.address])?;
    let folder = bench.fresh("peers-express")?;
    let express = peer("express", &Database::new("express")?.map(|database| database.address).unwrap_or_default())?;
    rows.extend(beside(bench, "Express + pg", prepared(fieldbook, &replicated)?, prepared(express, &folder)?)?);
    Ok(rows)
}

fn peer(name: &str, argument: &str) -> Result<Server, String> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers").join(name).join("server.js");
    let mut node = Command::new("node");
    node.arg(program).arg(argument).env("SECRET", SECRET).env("NODE_ENV", "production");
    let mut server = Server::start(node)?;
    server.tokens = tokens(&["--auth-hs256-secret", SECRET])?;
    Ok(server)
}

fn prepared(server: Server, folder: &Path) -> Result<Prepared, String> {
    let caller = Caller::of(&server)?;
    let ids = caller.create_many(DOCUMENTS, BYTES)?;
    let paths = paths(&ids);
    let one = lines(&folder.join("one"), paths.first().cloned())?;
    let all = lines(&folder.join("all"), paths)?;
    let link = lines(&folder.join("link"), [caller.link(&ids[0], "bench")?])?;
    let list = lines(&folder.join("list"), ["/api/investigation?limit=20".to_owned()])?;
    drop(caller);
    Ok(Prepared { server, one, all, link, list })
}

/// Returns the name of one of the files in [`Prepared`]. The file lists the paths that a load script requests.
type Paths = fn(&Prepared) -> &String;

impl Prepared {
    fn load<'p>(&'p self, bench: &Bench, script: &'p str, paths: Paths) -> Load<'p> {
        let paths = paths(self);
        let arguments = if script == "patch.lua" { edits(paths, 120) } else { vec![paths.clone()] };
        Load { server: &self.server, connections: 64, seconds: bench.seconds, script, arguments }
    }
}

fn beside(bench: &Bench, name: &str, ours: Prepared, theirs: Prepared) -> Result<Vec<Row>, String> {
    let works: [(&str, &str, Paths); 4] = [
        ("count a visit", "get.lua", |prepared| &prepared.link),
        ("read 6 KiB", "get.lua", |prepared| &prepared.one),
        ("update a field", "patch.lua", |prepared| &prepared.all),
        ("list 20 of 256", "get.lua", |prepared| &prepared.list),
    ];
    let mut rows = Vec::new();
    for (work, script, file) in works {
        let row = Row::new(work, name, "requests/s", Goal::AtLeast(4.0));
        let row = row.beside(bench.rounds, &ours.load(bench, script, file), &theirs.load(bench, script, file))?;
        rows.push(row.limited_by_processor());
    }
    Ok(rows)
}
