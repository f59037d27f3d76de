//! The process: time until its first response, and its memory.

use std::path::Path;

use fieldbook::clock::Stopwatch;

use super::Bench;
use crate::bulk;
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::row::{Goal, Row};
use crate::server::Server;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let many = if bench.full { 1_000_000 } else { 100_000 };
    let store = bulk::store(&bench.folder, many)?;
    let work = format!("start, with {many} investigations");
    let [at_start, after_load] = memory(bench)?;
    Ok(vec![start(bench, &store, work)?, at_start, after_load])
}

/// Measures the time from the start of the service on a store until its first answer.
pub fn start(bench: &Bench, store: &Path, work: String) -> Result<Row, String> {
    let mut row = Row::new(work, "alone", "ms", Goal::Within(100.0));
    for _ in 0..bench.rounds {
        let server = Server::fieldbook(store, &[])?;
        let caller = Caller::of(&server)?;
        let begun = Stopwatch::start();
        caller.text("GET", "/health/ready", None)?;
        row.ours.push((server.start + begun.elapsed()).as_secs_f64() * 1e3);
        server.stop()?;
    }
    Ok(row)
}

/// Measures the memory after the start, and after a load.
fn memory(bench: &Bench) -> Result<[Row; 2], String> {
    let (resolves, updates) = if bench.full { (1_000_000, 100_000) } else { (100_000, 10_000) };
    let folder = bench.fresh("memory")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    caller.text("GET", "/health/ready", None)?;
    // Waits until the background work of the first requests is done.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let (program, idle) = (server.memory_of_files(), server.memory());
    let mut at_start = Row::new("memory after the start", "alone", "MiB", Goal::Within(32.0));
    at_start.ours.push(idle);
    let at_start = at_start.limited_by(&format!("{program:.0} MiB are pages of the program itself"));
    let ids = caller.create_many(256, 6 * 1024)?;
    let written = server.memory();
    let link = lines(&folder.join("link"), [caller.link(&ids[0], "bench")?])?;
    let all = lines(&folder.join("all"), paths(&ids))?;
    let mut row =
        Row::new(format!("memory after {resolves} visits and {updates} updates"), "alone", "MiB", Goal::Within(48.0));
    for (script, arguments, wanted) in [("get.lua", vec![link], resolves), ("patch.lua", edits(&all, 120), updates)] {
        let mut done = 0.0;
        while done < f64::from(wanted) {
            let load = Load { server: &server, connections: 64, seconds: 5, script, arguments: arguments.clone() };
            done += load.run()?.rate * 5.0;
        }
    }
    row.ours.push(server.memory());
    let row = row.limited_by(&format!(
        "{idle:.0} MiB at the start, and {:.0} more after 256 investigations were written",
        written - idle
    ));
    Ok([at_start, row])
}
