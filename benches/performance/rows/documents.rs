//! Reading an investigation, and updating one field of it.

use super::{Bench, DETECTION, file};
use crate::caller::Caller;
use crate::load::{Load, lines};
use crate::raw::Raw;
use crate::row::{Goal, Row, median};
use crate::server::Server;
use crate::texts;

/// A document as long as this, in bytes.
const BYTES: usize = 6 * 1024;
/// So many of them share the updates.
const DOCUMENTS: u64 = 256;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let folder = bench.fresh("documents")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let create = |number| caller.create(&texts::investigation(number, BYTES, false));
    let ids: Vec<String> = (0..DOCUMENTS).map(create).collect::<Result<_, String>>()?;
    let paths: Vec<String> = ids.iter().map(|id| format!("/api/investigation/{id}")).collect();
    let one = lines(&folder.join("one"), paths.first().cloned())?;
    let all = lines(&folder.join("all"), paths.iter().cloned())?;
    let answer = caller.text("GET", &paths[0], None)?;
    let bare = Server::bare(&file(&folder, "answer", &answer)?)?;

    let mut read = Row::new(
        "read a 6 KiB investigation, 64 connections",
        "a bare axum handler with the same bytes",
        "requests/s",
        Goal::AtLeast(0.70),
    )
    .limited_by("the processor: an answer takes more of it than a bare one, a third of that for writing the JSON");
    let (mut cpu, mut other_cpu) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        let load = |server| {
            let arguments = vec![one.clone()];
            Load { server, connections: 64, seconds: bench.seconds, script: "get.lua", arguments }
        };
        let (ours, theirs) = (load(&server).run()?, load(&bare).run()?);
        read.round(ours.rate, theirs.rate);
        cpu.push(ours.cpu);
        other_cpu.push(theirs.cpu);
    }
    read.cpu = Some((median(&cpu), median(&other_cpu)));

    let raw_folder = bench.fresh("documents-raw")?;
    let raw_server = Server::fieldbook(&raw_folder, &[])?;
    let raw_caller = Caller::of(&raw_server)?;
    for number in 0..DOCUMENTS {
        raw_caller.create(&texts::investigation(number, BYTES, false))?;
    }
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
        let arguments = vec![all.clone(), "phenomenon".to_owned(), "120".to_owned()];
        let load = Load { server: &server, connections: 64, seconds: bench.seconds, script: "patch.lua", arguments };
        let ours = load.run()?;
        cpu.push(ours.cpu);
        update.round(ours.rate, raw.update(bench.time())?);
    }
    update.cpu = Some((median(&cpu), f64::NAN));
    Ok(vec![read, update])
}
