//! Resolving links: each visit is counted and on disk before the response.

use super::{Bench, file};
use crate::caller::Caller;
use crate::load::{Load, lines};
use crate::raw::{GROUP, Raw};
use crate::report::short;
use crate::row::{Goal, Row, median};
use crate::server::Server;
use crate::texts;

/// Number of links in the second row.
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
    for (what, file) in [("one hot link", &hot), ("10,000 links", &many)] {
        let beside = "a bare axum handler that answers with the same bytes";
        let row = Row::new(
            format!("resolve, exact and on disk, 64 connections, {what}"),
            beside,
            "requests/s",
            Goal::AtLeast(0.70),
        );
        let load = |server| {
            let arguments = vec![file.clone()];
            Load { server, connections: 64, seconds: bench.seconds, script: "get.lua", arguments }
        };
        rows.push(row.beside(bench.rounds, &load(&server), &load(&bare))?.limited_by_processor());
    }

    let raw_folder = bench.fresh("links-raw")?;
    let raw_server = Server::fieldbook(&raw_folder, &[])?;
    let raw_caller = Caller::of(&raw_server)?;
    let investigation = raw_caller.create(&texts::investigation(1, 1024, false))?;
    for _ in 0..MANY {
        raw_caller.link(&investigation, "bench")?;
    }
    raw_server.stop()?;
    let raw = Raw::open(&raw_folder)?;
    let counted = (0..bench.rounds).map(|_| raw.visits(MANY as u64, bench.time())).collect::<Result<Vec<_>, _>>()?;
    if let Some(of_many) = rows.pop() {
        rows.push(of_many.limited_by(&format!(
            "pages: each visit of another link writes that of its row and that of its day. Raw rusqlite counts {} such \
             visits a second, {GROUP} to a transaction, in one process that does nothing else",
            short(median(&counted)),
        )));
    }
    let mut row = Row::new("resolve, 1 connection", "one SQLite commit (synchronous=FULL)", "ms", Goal::AtMost(1.5));
    let mut answered = Vec::new();
    for _ in 0..bench.rounds {
        let load = |server| {
            let arguments = vec![hot.clone()];
            Load { server, connections: 1, seconds: bench.seconds, script: "get.lua", arguments }
        };
        row.round(load(&server).run()?.mean, raw.visit(bench.time())?);
        answered.push(load(&bare).run()?.mean);
    }
    rows.push(row.limited_by(&format!(
        "the ways: an answer of the bare handler, without any commit, takes {} ms; a visit goes from there to the thread \
         that writes and back as well, two wake-ups beside the commit, which count where the disk is that quick",
        short(median(&answered)),
    )));
    Ok(rows)
}
