//! Cost of a long history: response times compared with a short history, and disk space for one small edit.

use fieldbook::clock::Stopwatch;
use fieldbook::store::sqlite::FILE;
use serde_json::json;
use std::fs;
use std::path::Path;

use super::Bench;
use crate::caller::Caller;
use crate::load::{Load, edits, lines};
use crate::row::{Goal, Row};
use crate::server::Server;
use crate::texts;

/// Number of versions of the long history.
const LONG: u64 = 10_000;
const SHORT: u64 = 10;
/// Number of times that each operation runs in one round.
const DONE: u32 = 100;
/// Size of a large document, in bytes.
const LARGE: usize = 32 * 1024;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let folder = bench.fresh("history")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let content = texts::investigation(3, 6 * 1024, false);
    let (long, short) = (caller.create(&content)?, caller.create(&content)?);
    for (id, versions) in [(&long, LONG), (&short, SHORT)] {
        for number in 0..versions {
            edit(&caller, id, number)?;
        }
    }
    let mut rows = Vec::new();
    for what in ["update", "undo and redo", "read", "list versions"] {
        let mut row =
            Row::new(format!("{what}, with {LONG} versions"), format!("with {SHORT}"), "ms", Goal::AtMost(1.2));
        for round in 0..u64::from(bench.rounds) {
            row.round(time(&caller, what, &long, round)?, time(&caller, what, &short, round)?);
        }
        rows.push(row);
    }
    rows.push(growth(bench)?);
    Ok(rows)
}

fn edit(caller: &Caller, id: &str, number: u64) -> Result<(), String> {
    let body = json!({"phenomenon": format!("Look at it for the {number}th time.")});
    caller.text("PATCH", &format!("/api/investigation/{id}"), Some(&body)).map(drop)
}

/// Returns the mean time of one operation in milliseconds. Only updates make the history longer.
fn time(caller: &Caller, what: &str, id: &str, round: u64) -> Result<f64, String> {
    let path = format!("/api/investigation/{id}");
    // Lists at most as many versions as the short history has, so that both histories have equally long answers.
    let versions = format!("{path}/versions?limit={SHORT}");
    let begun = Stopwatch::start();
    for count in 0..DONE {
        match what {
            "update" => edit(caller, id, (round + 1) * 1_000_000 + u64::from(count))?,
            "undo and redo" => {
                caller.text("POST", &format!("{path}/undo"), None)?;
                caller.text("POST", &format!("{path}/redo"), None)?;
            }
            "read" => drop(caller.text("GET", &path, None)?),
            _ => drop(caller.text("GET", &versions, None)?),
        }
    }
    Ok(begun.elapsed().as_secs_f64() * 1e3 / f64::from(DONE))
}

/// Measures how much the store grows with one small edit of a large document, in bytes: the mean of at least 10,000
/// edits.
fn growth(bench: &Bench) -> Result<Row, String> {
    let mut row = Row::new("disk for a small edit", "alone", "bytes", Goal::Within(1024.0));
    let folder = bench.fresh("growth")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let id = caller.create(&texts::investigation(5, LARGE, false))?;
    let path = lines(&folder.join("one"), [format!("/api/investigation/{id}")])?;
    // The first edits are not measured: they store a full copy of the document and index its words.
    for number in 0..100 {
        edit(&caller, &id, number)?;
    }
    let versions = |caller: &Caller| -> Result<f64, String> {
        let read = caller.json("GET", &format!("/api/investigation/{id}"), None)?;
        Ok(read["data"]["version"].as_f64().unwrap_or_default())
    };
    let before = versions(&caller)?;
    server.stop()?;
    let size_before = size(&folder)?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    while versions(&caller)? - before < 10_000.0 {
        let arguments = edits(&path, 24);
        Load { server: &server, connections: 8, seconds: 2, script: "patch.lua", arguments }.run()?;
    }
    let edits = versions(&caller)? - before;
    server.stop()?;
    row.ours.push((size(&folder)? - size_before) / edits);
    Ok(row)
}

/// Returns the size of a closed store in bytes. A closed store is one file, without a write-ahead log.
fn size(folder: &Path) -> Result<f64, String> {
    fs::metadata(folder.join(FILE)).map(|file| file.len() as f64).map_err(|e| e.to_string())
}
