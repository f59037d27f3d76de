//! Resolving links: each visit is counted and on disk before the response.

use super::{Bench, file};
use crate::caller::Caller;
use crate::load::{Load, lines};
use crate::raw::{GROUP, Raw};
use crate::report::short;
use crate::row::{Goal, Row, median};
use crate::server::Server;
use crate::texts;

/// Number of links that the benchmarks with many links visit.
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
    for (work, file) in [("count a visit of one link", &hot), ("count visits of 10,000 links", &many)] {
        let row = Row::new(work, "bare axum", "requests/s", Goal::AtLeast(0.70));
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
    let mut counted = Row::new(
        "count visits of 10,000 links",
        format!("raw rusqlite, {GROUP} to a commit"),
        "requests/s",
        Goal::AtLeast(0.70),
    );
    let mut cpu = Vec::new();
    for _ in 0..bench.rounds {
        let arguments = vec![many.clone()];
        let load = Load { server: &server, connections: 64, seconds: bench.seconds, script: "get.lua", arguments };
        let ours = load.run()?;
        counted.round(ours.rate, raw.visits(MANY as u64, bench.time())?);
        cpu.push(ours.cpu);
    }
    let cpu = median(&cpu);
    counted.cpu = Some((cpu, f64::NAN));
    rows.push(counted.limited_by("raw rusqlite needs no network"));
    let mut row = Row::new("count a visit, 1 connection", "one SQLite commit", "ms", Goal::AtMost(1.5));
    let mut answered = Vec::new();
    for _ in 0..bench.rounds {
        let load = |server| {
            let arguments = vec![hot.clone()];
            Load { server, connections: 1, seconds: bench.seconds, script: "get.lua", arguments }
        };
        // A single connection waits for each answer, so the mean response time is the inverse of the rate. The mean
        // that wrk prints is not used, because it counts a stall several times.
        row.round(1e3 / load(&server).run()?.rate, raw.visit(bench.time())?);
        answered.push(1e3 / load(&bare).run()?.rate);
    }
    rows.push(row.limited_by(&format!("transaction and wake-ups; bare axum takes {} ms", short(median(&answered)),)));
    Ok(rows)
}
