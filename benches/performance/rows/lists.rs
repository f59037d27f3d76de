//! Lists and searches of a large store, compared with a small one.

use std::path::Path;

use fieldbook::clock::Stopwatch;
use serde_json::Value;

use super::Bench;
use crate::bulk;
use crate::caller::Caller;
use crate::row::{Goal, Row};
use crate::server::Server;
use crate::texts;

/// Number of investigations in the small store.
const FEW: u64 = 10_000;
/// Factor by which the large store is larger than the small one. Without `--full`, a tenth of this factor is used.
const TIMES: u64 = 100;
/// Number of requests that are measured in one round.
const ASKED: u32 = 100;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let many = if bench.full { FEW * TIMES } else { FEW * TIMES / 10 };
    let large = bulk::store(&bench.folder, many)?;
    let small = bulk::store(&bench.folder, FEW)?;
    let (large, small) = (start(&large)?, start(&small)?);
    let (ours, theirs) = (Caller::of(&large)?, Caller::of(&small)?);
    let first = "/api/investigation?limit=20".to_owned();
    let search = format!("/api/investigation?limit=20&search={}", texts::RARE.replace(' ', "%20"));
    for (caller, of) in [(&ours, many), (&theirs, FEW)] {
        let found = caller.json("GET", &search, None)?["data"]["pagination"]["total"].as_u64();
        if found != Some(bulk::MATCHES) {
            return Err(format!("the search of {of} found {found:?} and not {}", bulk::MATCHES));
        }
    }
    let questions = [
        ("list 20", first.clone(), first.clone()),
        ("list 20 by a cursor", half_way(&ours, many)?, half_way(&theirs, FEW)?),
        ("search two words", search.clone(), search),
    ];
    let mut rows = Vec::new();
    for (what, of_large, of_small) in questions {
        let mut row = Row::new(format!("{what}, of {many}"), format!("of {FEW}"), "ms", Goal::AtMost(1.5));
        for _ in 0..bench.rounds {
            row.round(mean(&ours, &of_large)?, mean(&theirs, &of_small)?);
        }
        rows.push(row);
    }
    Ok(rows)
}

fn start(data: &Path) -> Result<Server, String> {
    Server::fieldbook(data, &[])
}

/// Returns the mean time of a response to GET `path`, in milliseconds.
pub fn mean(caller: &Caller, path: &str) -> Result<f64, String> {
    caller.text("GET", path, None)?;
    let begun = Stopwatch::start();
    for _ in 0..ASKED {
        caller.text("GET", path, None)?;
    }
    Ok(begun.elapsed().as_secs_f64() * 1e3 / f64::from(ASKED))
}

/// Returns the path of a page shortly after the middle of the list. The path has a cursor instead of an offset.
pub fn half_way(caller: &Caller, count: u64) -> Result<String, String> {
    let page: Value = caller.json("GET", &format!("/api/investigation?limit=20&offset={}", count / 2), None)?;
    let cursor = page["data"]["pagination"]["nextCursor"].as_str().ok_or("no cursor")?;
    Ok(format!("/api/investigation?limit=20&cursor={cursor}"))
}
