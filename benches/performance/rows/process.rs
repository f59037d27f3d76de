//! The process: time until its first response, and its memory.

use fieldbook::clock::Stopwatch;

use super::Bench;
use crate::bulk;
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::row::{Goal, Row};
use crate::server::Server;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    Ok(vec![start(bench)?, memory(bench)?])
}

fn start(bench: &Bench) -> Result<Row, String> {
    let many = if bench.full { 1_000_000 } else { 100_000 };
    let store = bulk::store(&bench.folder, many)?;
    let mut row = Row::new(
        format!("start on a store of {many} investigations, until the first answer"),
        "alone",
        "ms",
        Goal::Within(100.0),
    );
    for _ in 0..bench.rounds {
        let server = Server::fieldbook(&store, &[])?;
        let caller = Caller::of(&server)?;
        let begun = Stopwatch::start();
        caller.text("GET", "/health/ready", None)?;
        row.ours.push((server.start + begun.elapsed()).as_secs_f64() * 1e3);
        server.stop()?;
    }
    Ok(row)
}

fn memory(bench: &Bench) -> Result<Row, String> {
    let (resolves, updates) = if bench.full { (1_000_000, 100_000) } else { (100_000, 10_000) };
    let folder = bench.fresh("memory")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    caller.text("GET", "/health/ready", None)?;
    // Waits until the background work of the first requests is done.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let (program, idle) = (server.memory_of_files(), server.memory());
    let ids = caller.create_many(256, 6 * 1024)?;
    let written = server.memory();
    let link = lines(&folder.join("link"), [caller.link(&ids[0], "bench")?])?;
    let all = lines(&folder.join("all"), paths(&ids))?;
    let mut row =
        Row::new(format!("memory after {resolves} resolves and {updates} updates"), "alone", "MiB", Goal::Within(64.0));
    for (script, arguments, wanted) in [("get.lua", vec![link], resolves), ("patch.lua", edits(&all, 120), updates)] {
        let mut done = 0.0;
        while done < f64::from(wanted) {
            let load = Load { server: &server, connections: 64, seconds: 5, script, arguments: arguments.clone() };
            done += load.run()?.rate * 5.0;
        }
    }
    row.ours.push(server.memory());
    Ok(row.limited_by(&format!(
        "{program:.0} MiB are the program itself, as the system maps it; {:.0} more are held as soon as it has started \
         (patterns, rules and the schema, compiled), {:.0} more when 256 investigations were written (what was read from \
         their texts), and the rest comes with the load",
        idle - program,
        written - idle
    )))
}
