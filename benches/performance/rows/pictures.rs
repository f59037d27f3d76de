//! Pictures: reading one through the page of a link, and the memory that many uploads take.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use super::Bench;
use crate::caller::Caller;
use crate::load::{Load, lines};
use crate::row::{Goal, Row};
use crate::server::Server;
use crate::texts;

/// Number of uploads.
const UPLOADS: u64 = 1_000;

/// Maximum number of uploads at the same time.
const AT_ONCE: usize = 8;
/// Every hundredth upload has the most pixels that the service accepts.
const LARGE: u64 = 100;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    Ok(vec![served(bench)?, memory(bench)?])
}

fn served(bench: &Bench) -> Result<Row, String> {
    let folder = bench.fresh("pictures")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let lesson = caller.create(&texts::investigation(1, 1024, false))?;
    let path = format!("/api/investigation/{lesson}");
    let picture = caller.add_picture(&path, texts::photograph(1, 1600, 1200))?;
    caller.json("PATCH", &path, Some(&json!({ "pictures": [{ "id": picture, "alt": "A tray" }] })))?;
    let link = caller.link(&lesson, "bench")?;
    caller.json("PATCH", &link, Some(&json!({ "shows": "handout" })))?;
    let shown = format!("{}/{picture}", link.replace("/api/link/", "/l/"));
    let file = folder.join("answer");
    let bytes = caller.bytes("GET", &shown, None)?;
    std::fs::write(&file, &bytes).map_err(|e| format!("{file:?}: {e}"))?;
    let bare = Server::bare(&file)?;
    let shown = lines(&folder.join("shown"), [shown])?;
    let work = format!("send a picture of {} KiB by a link", bytes.len() / 1024);
    let row = Row::new(work, "bare axum", "requests/s", Goal::AtLeast(0.70));
    let load = |server| {
        let arguments = vec![shown.clone()];
        Load { server, connections: 64, seconds: bench.seconds, script: "get.lua", arguments }
    };
    Ok(row.beside(bench.rounds, &load(&server), &load(&bare))?.limited_by_processor())
}

fn memory(bench: &Bench) -> Result<Row, String> {
    let server = Server::fieldbook(&bench.fresh("uploads")?, &[])?;
    let large = texts::photograph(0, 6000, 4000);
    let next = AtomicU64::new(0);
    // Each thread uploads to a lesson of its own, because the number of pictures in a lesson is limited.
    let upload = || -> Result<(), String> {
        let caller = Caller::of(&server)?;
        let lesson = caller.create(&texts::investigation(1, 1024, false))?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= UPLOADS {
                return Ok(());
            }
            let file = if number.is_multiple_of(LARGE) { large.clone() } else { texts::photograph(number, 800, 600) };
            caller.add_picture(&format!("/api/investigation/{lesson}"), file)?;
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(upload)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread panicked".to_owned())?)
    })?;
    let work = format!("peak memory of {UPLOADS} uploads, {AT_ONCE} at once");
    let mut row = Row::new(work, "alone", "MiB", Goal::Within(512.0));
    row.ours.push(server.peak_memory());
    Ok(row)
}
