//! Reading an investigation, and updating one field of it.

use super::{Bench, DETECTION, file};
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::raw::Raw;
use crate::row::{Goal, Row, median};
use crate::server::Server;

/// A document as long as this, in bytes.
const BYTES: usize = 6 * 1024;
/// So many of them share the updates.
const DOCUMENTS: u64 = 256;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let folder = bench.fresh("documents")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let paths = paths(&caller.create_many(DOCUMENTS, BYTES)?);
    let one = lines(&folder.join("one"), paths.first().cloned())?;
    let all = lines(&folder.join("all"), paths.iter().cloned())?;
    let answer = caller.text("GET", &paths[0], None)?;
    let bare = Server::bare(&file(&folder, "answer", &answer)?)?;

    let read = Row::new(
        "read a 6 KiB investigation, 64 connections",
        "a bare axum handler with the same bytes",
        "requests/s",
        Goal::AtLeast(0.70),
    )
    .limited_by("the processor: an answer takes more of it than a bare one, a third of that for writing the JSON");
    let load = |server| {
        let arguments = vec![one.clone()];
        Load { server, connections: 64, seconds: bench.seconds, script: "get.lua", arguments }
    };
    let read = read.beside(bench.rounds, &load(&server), &load(&bare))?;

    let raw_folder = bench.fresh("documents-raw")?;
    let raw_server = Server::fieldbook(&raw_folder, &[])?;
    let raw_caller = Caller::of(&raw_server)?;
    raw_caller.create_many(DOCUMENTS, BYTES)?;
    raw_server.stop()?;
    let raw = Raw::open(&raw_folder)?;
    let mut update = Row::new(
        "update one field of it, 64 connections, 256 documents",
        "raw rusqlite writing the same rows, 64 to a transaction",
        "updates/s",
        Goal::AtLeast(0.70),
    )
    .limited_by(DETECTION);
    let mut cpu = Vec::new();
    for _ in 0..bench.rounds {
        let arguments = edits(&all, 120);
        let load = Load { server: &server, connections: 64, seconds: bench.seconds, script: "patch.lua", arguments };
        let ours = load.run()?;
        cpu.push(ours.cpu);
        update.round(ours.rate, raw.update(bench.time())?);
    }
    update.cpu = Some((median(&cpu), f64::NAN));
    Ok(vec![read, update])
}
