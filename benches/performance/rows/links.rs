//! Resolving links: each visit is counted exactly and on disk before its answer.

use super::{Bench, file};
use crate::caller::Caller;
use crate::load::{Load, lines};
use crate::raw::Raw;
use crate::row::{Goal, Row};
use crate::server::Server;
use crate::texts;

const WORK: &str = "the processor: an answer takes more of it than a bare one, for the layers of the router, what is counted of \
    requests, and the way to the writer and back";
const PAGES: &str = "pages: each visit of another link writes that of its row and that of its day";

/// So many links share the visits of the second row.
const MANY: usize = 10_000;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let folder = bench.fresh("links")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let investigation = caller.create(&texts::investigation(1, 1024, false))?;
    let paths: Vec<String> = (0..MANY).map(|_| caller.link(&investigation, "bench")).collect::<Result<_, String>>()?;
    let hot = lines(&folder.join("hot"), paths.first().cloned())?;
    let many = lines(&folder.join("many"), paths.iter().cloned())?;
    let answer = caller.text("GET", &paths[0], None)?;
    let bare = Server::bare(&file(&folder, "answer", &answer)?)?;

    let mut rows = Vec::new();
    for (what, file, limit) in [("one hot link", &hot, WORK), ("10,000 links", &many, PAGES)] {
        let beside = "a bare axum handler that answers with the same bytes";
        let row = Row::new(
            format!("resolve, exact and on disk, 64 connections, {what}"),
            beside,
            "requests/s",
            Goal::AtLeast(0.70),
        )
        .limited_by(limit);
        let load = |server| {
            let arguments = vec![file.clone()];
            Load { server, connections: 64, seconds: bench.seconds, script: "get.lua", arguments }
        };
        rows.push(row.beside(bench.rounds, &load(&server), &load(&bare))?);
    }

    let raw_folder = bench.fresh("links-raw")?;
    let raw_server = Server::fieldbook(&raw_folder, &[])?;
    let raw_caller = Caller::of(&raw_server)?;
    let investigation = raw_caller.create(&texts::investigation(1, 1024, false))?;
    raw_caller.link(&investigation, "bench")?;
    raw_server.stop()?;
    let raw = Raw::open(&raw_folder)?;
    let mut row = Row::new("resolve, 1 connection", "one SQLite commit (synchronous=FULL)", "ms", Goal::AtMost(1.5));
    for _ in 0..bench.rounds {
        let arguments = vec![hot.clone()];
        let load = Load { server: &server, connections: 1, seconds: bench.seconds, script: "get.lua", arguments };
        row.round(load.run()?.mean, raw.visit(bench.time())?);
    }
    rows.push(row);
    Ok(rows)
}
