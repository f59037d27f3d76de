//! Twice the load that the service can handle: it must stay fast for the requests that it serves, and refuse the others
//! immediately.

use std::time::Duration;

use super::Bench;
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::row::{Goal, Row, median};
use crate::server::Server;

/// Pause after each round, in which the server finishes its work in progress.
const AFTERWARDS: Duration = Duration::from_secs(3);

/// Number of connections that share the load. There are enough that no connection waits for an earlier response.
const CONNECTIONS: u32 = 1024;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let folder = bench.fresh("overload")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let ids = caller.create_many(256, 6 * 1024)?;
    let all = lines(&folder.join("all"), paths(&ids))?;
    let load = |connections, script, pause: Option<f64>| {
        let mut arguments = edits(&all, 120);
        arguments.extend(pause.map(|pause| pause.to_string()));
        Load { server: &server, connections, seconds: bench.seconds.max(8), script, arguments }
    };
    let mut served = Row::new("twice the load: updates served", "64 connections", "updates/s", Goal::AtLeast(0.90));
    let mut slowest = Row::new("twice the load: 99th percentile", "64 connections", "ms", Goal::AtMost(5.0));
    let mut refused = Row::new("twice the load: refused (503)", "alone", "of all", Goal::Within(0.60));
    let mut memory = Row::new("twice the load: memory afterwards", "alone", "MiB", Goal::Within(128.0));
    let mut generator = Vec::new();
    for _ in 0..bench.rounds {
        let usual = load(64, "patch.lua", None).run()?;
        // `pause` is the time between two requests of one connection, in milliseconds. With this pause, all
        // connections together send twice the rate that was served.
        let pause = f64::from(CONNECTIONS) / (2.0 * usual.rate) * 1e3;
        let over = load(CONNECTIONS, "paced.lua", Some(pause.round())).run()?;
        generator.push(over.own);
        served.round(over.rate, usual.rate);
        slowest.round(over.p995, usual.p99);
        refused.ours.push(over.refused as f64 / (over.refused as f64 + over.rate * over.seconds));
        memory.ours.push(server.memory());
        // Waits until the server has finished the last requests, whose clients have disconnected. They would slow down
        // the next round.
        std::thread::sleep(AFTERWARDS);
    }
    let served = served.limited_by(&format!("the load generator takes {:.2} of a core", median(&generator)));
    Ok(vec![served, slowest, refused, memory])
}
