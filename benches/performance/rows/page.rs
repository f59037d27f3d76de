//! Opening the page of a link. The service counts the visit as it does for a JSON response, and renders the page once
//! per revision.

use serde_json::json;

use super::Bench;
use crate::caller::{Caller, paths};
use crate::load::{Load, lines};
use crate::row::{Goal, Row};
use crate::server::Server;

/// Size of the document, in bytes.
const BYTES: usize = 6 * 1024;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let folder = bench.fresh("page")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let ids = caller.create_many(1, BYTES)?;
    let read = paths(&ids).remove(0);
    let link = caller.link(&ids[0], "bench")?;
    let (key, sub_link) =
        link.trim_start_matches("/api/link/").split_once('/').ok_or(format!("{link} has no sub-link"))?;
    caller.json("PATCH", &link, Some(&json!({ "shows": "lesson" })))?;
    let page = lines(&folder.join("page"), [format!("/l/{key}/{sub_link}")])?;
    let read = lines(&folder.join("read"), [read])?;
    let row = Row::new("open a lesson by its link", "reading it as JSON", "requests/s", Goal::AtLeast(0.70));
    let load = |file: &String| Load {
        server: &server,
        connections: 64,
        seconds: bench.seconds,
        script: "get.lua",
        arguments: vec![file.clone()],
    };
    Ok(vec![row.beside(bench.rounds, &load(&page), &load(&read))?.limited_by_processor()])
}
