//! Noise in a page of the store's file, under a running service and a stopped one; then the backup put back.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::Connection;
use serde_json::json;

use crate::caller::{Caller, Outcome};
use crate::folder::shorten;
use crate::report::Line;
use crate::round::Round;
use crate::service::text;
use crate::world::{Backend, World, close};

pub async fn page(world: &World, backend: Backend) -> Result<Line, String> {
    let mut line = Line::new("damaged page", backend.name());
    if backend == Backend::Postgres {
        line.done = "not tried: PostgreSQL looks after its own pages (`initdb --data-checksums`)".into();
        return Ok(line);
    }
    line.done = "noise in the page that the table of investigations begins with, then in that of its identifiers: under the service, and before a \
                 start; then `fieldbook restore`"
        .into();
    let plan = world.store("damaged", backend).await?;
    let service = plan.must_start().await?;
    let round = Round::begin("damaged", &service.caller).await?;
    round.work(&service.caller, 200).await?;
    let backup = world.place("damaged.backup");
    let (well, said) = plan.run("backup", &[text(&backup)])?;
    if !well {
        return Err(format!("the backup: {said}"));
    }
    service.stop().await?;
    let store = plan.data.join("fieldbook.sqlite3");
    for root in ["investigation", "sqlite_autoindex_investigation_1"] {
        // Under the service, which may have the page in memory.
        let service = plan.must_start().await?;
        let page = noise(&store, root)?;
        read_all(&mut line, &round, &service.caller).await;
        service.kill();
        // And for one that starts on it.
        match plan.start().await {
            Ok(service) => {
                read_all(&mut line, &round, &service.caller).await;
                service.kill();
            }
            Err(said) => line.hear("at the start", shorten(&said, world)),
        }
        let (_, said) = plan.run("doctor", &[])?;
        let finding = said.lines().find(|line| line.starts_with("problem  store"));
        match finding.and_then(|line| line.split_once("  store").map(|(_, rest)| rest)) {
            Some(said) => line.hear("by `fieldbook doctor`", shorten(&format!("store{said}"), world)),
            None => line.wrong.push(format!("the doctor did not find the noise in page {page}")),
        }
        let (well, said) = plan.run("restore", &["--replace", text(&backup)])?;
        if !well {
            return Err(format!("the backup cannot be put back: {said}"));
        }
    }
    let service = plan.must_start().await?;
    close(&mut line, &plan, &round, &service).await?;
    service.stop().await?;
    line.back = Some("no: `fieldbook restore` puts a backup back (lost would be what came after it)".into());
    Ok(line)
}

/// Asks for everything: what is answered must be right, and what is not must say why.
async fn read_all(line: &mut Line, round: &Round, caller: &Caller) {
    let outcomes = [
        ("to a read", caller.get(&round.first()).await),
        ("to a list", caller.get("/api/investigation").await),
        // These are no part of what is counted: the backup does not have them.
        ("to an update", caller.patch(&round.first(), &json!({"grade": 5})).await),
        ("to a visit", caller.get(&round.link()).await),
        ("of its readiness", caller.get("/health/ready").await),
    ];
    for (to, outcome) in outcomes {
        match outcome {
            Outcome::Done(_) => {}
            Outcome::Failed { said, .. } => {
                if said.contains("Unknown error") || said.contains("not found") {
                    line.wrong.push(format!("{to} it said nothing that helps: {said}"));
                }
                line.hear(to, said);
            }
            other => line.wrong.push(format!("{to}: {other:?}")),
        }
    }
}

/// Writes noise over the page that a table or an index begins with. Gives its number.
fn noise(store: &Path, root: &str) -> Result<u64, String> {
    let failed = |e: rusqlite::Error| format!("{store:?}: {e}");
    let connection = Connection::open(store).map_err(failed)?;
    let number = |sql: &str, name: &str| -> Result<u64, rusqlite::Error> {
        connection.prepare(sql)?.query_row([name], |row| row.get(0))
    };
    let page = number("SELECT rootpage FROM sqlite_schema WHERE name = ?1", root).map_err(failed)?;
    let size: u64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0)).map_err(failed)?;
    drop(connection);
    let noise: Vec<u8> = (0..size).map(|n| (n.wrapping_mul(2_654_435_761) >> 7) as u8).collect();
    let file = File::options().write(true).open(store).map_err(|e| format!("{store:?}: {e}"))?;
    file.write_all_at(&noise, (page - 1) * size).map_err(|e| format!("{store:?}: {e}"))?;
    Ok(page)
}
