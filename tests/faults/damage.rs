//! Writes noise over one page of the store's files, once while the service runs and once before it starts, and restores
//! the page.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::Connection;
use serde_json::json;

use crate::caller::{Caller, Outcome};
use crate::folder::shorten;
use crate::programs;
use crate::report::Line;
use crate::round::Round;
use crate::server::{PAGE, Server};
use crate::service::{Plan, text};
use crate::world::{Backend, World, begin, close};

pub async fn page(world: &World, backend: Backend) -> Result<Line, String> {
    let mut line = Line::new("damaged page", backend.name());
    if backend == Backend::Postgres {
        match programs::postgres() {
            Ok(_) => page_of_postgres(world, &mut line).await?,
            Err(_) => {
                line.done = "not tried: there is no PostgreSQL on this machine that could be stopped".into();
            }
        }
        return Ok(line);
    }
    line.done = "noise in the page that the table of investigations begins with, then in that of its identifiers: under the service, and before a \
                 start; then `fieldbook restore`"
        .into();
    let plan = world.store("damaged", backend).await?;
    let (service, round) = begin(&plan, "damaged", 200).await?;
    let backup = world.place("damaged.backup");
    let (well, said) = plan.run("backup", &[text(&backup)])?;
    if !well {
        return Err(format!("the backup: {said}"));
    }
    service.stop().await?;
    let store = plan.data.join("fieldbook.sqlite3");
    for root in ["investigation", "sqlite_autoindex_investigation_1"] {
        // The first requests go to the running service, which may have the page in memory.
        let service = plan.must_start().await?;
        let page = noise(&store, root)?;
        read_all(&mut line, &round.first(), service.caller.get(&round.link()).await, &service.caller).await;
        service.kill();
        // The next requests go to a service that starts on the damaged store.
        match plan.start().await {
            Ok(service) => {
                read_all(&mut line, &round.first(), service.caller.get(&round.link()).await, &service.caller).await;
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
    close(&mut line, &plan, &round, service).await?;
    line.back = Some("no: restore a backup".into());
    Ok(line)
}

/// Damages a page in the middle of the table of investigations, in a PostgreSQL with checksums.
async fn page_of_postgres(world: &World, line: &mut Line) -> Result<(), String> {
    line.done = "the server stopped, noise in a page in the middle of the table of investigations, the server started: under the service, and before \
                 a start; the others are read and updated; then the page put back. `initdb --data-checksums`"
        .into();
    let server = Server::start_new(world.place("damaged_server"))?;
    let plan = Plan { database: Some(server.address()), ..world.store("damaged_page", Backend::Sqlite).await? };
    let (service, round) = begin(&plan, "damaged", 400).await?;
    let made = "SELECT id, (ctid::text::point)[0]::bigint FROM investigation WHERE title LIKE 'made-in-%' ORDER BY 2";
    let made = server.rows(made).await?;
    let page = made.get(made.len() / 2).map(|(_, page)| *page).unwrap_or_default();
    let (inside, others): (Vec<_>, Vec<_>) = made.into_iter().partition(|(_, at)| *at == page);
    let victim = inside.first().map(|(id, _)| format!("/api/investigation/{id}")).ok_or("nothing was made")?;
    if others.first().is_none_or(|(_, at)| *at >= page) || others.last().is_none_or(|(_, at)| *at <= page) {
        return Err(format!("page {page} is not in the middle: {others:?}"));
    }
    let files = server.rows("SELECT pg_relation_filepath('investigation'), 0::bigint").await?;
    let (file, _) = files.first().ok_or("no such table")?;
    let page = page.unsigned_abs();
    server.stop()?;
    let before = server.overwrite(file, page, &noise_of(PAGE))?;
    server.start()?;
    // The first requests go to the running service, the next ones to a service that starts on the damaged store.
    suffer(line, &victim, &round, &others, &service.caller).await;
    service.kill();
    let service = plan.must_start().await?;
    suffer(line, &victim, &round, &others, &service.caller).await;
    let (_, said) = plan.run("doctor", &[])?;
    match said.lines().find_map(|line| line.strip_prefix("problem  store-integrity")) {
        Some(said) => {
            let said = said.split(" (").next().unwrap_or_default().trim();
            line.hear("by `fieldbook doctor`", format!("store-integrity    {said} (… times, last at …)"));
        }
        None => line.wrong.push(format!("the doctor did not find the noise: {said}")),
    }
    server.stop()?;
    server.overwrite(file, page, &before)?;
    server.start()?;
    for (id, _) in &others {
        let there = service.caller.get(&format!("/api/investigation/{id}")).await;
        line.count.acknowledged += 1;
        if !matches!(&there, Outcome::Done(told) if told["data"]["grade"] == 5) {
            line.count.lost += 1;
            line.wrong.push(format!("{id}: what was acknowledged beside the damage is not there: {there:?}"));
        }
    }
    close(line, &plan, &round, service).await?;
    line.back = Some("no: promote a standby, or restore a backup".into());
    Ok(())
}

/// Requests the investigation in the damaged page, which must fail, and those in other pages, which must succeed.
async fn suffer(line: &mut Line, victim: &str, round: &Round, others: &[(String, i64)], caller: &Caller) {
    // This visit is recorded as acknowledged, because no backup is restored that would remove the visit.
    read_all(line, victim, round.visit(caller).await, caller).await;
    if let Outcome::Done(told) = caller.get("/health/ready").await {
        line.hear("of its readiness", format!("200 {told}"));
    }
    if let Outcome::Done(_) = caller.get(victim).await {
        line.wrong.push(format!("{victim} was read from a damaged page"));
    }
    for (id, _) in others {
        let path = format!("/api/investigation/{id}");
        for outcome in [caller.patch(&path, &json!({"grade": 5})).await, caller.get(&path).await] {
            if !matches!(outcome, Outcome::Done(_)) {
                line.wrong.push(format!("{id} lies in another page: {outcome:?}"));
            }
        }
    }
}

/// Sends all kinds of requests. A failure must have a helpful message.
async fn read_all(line: &mut Line, investigation: &str, visit: Outcome, caller: &Caller) {
    let outcomes = [
        ("to a read", caller.get(investigation).await),
        ("to a list", caller.get("/api/investigation?limit=100").await),
        // This update is not recorded as acknowledged, because the restored backup does not contain the update.
        ("to an update", caller.patch(investigation, &json!({"grade": 5})).await),
        ("to a visit", visit),
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

/// Writes noise over the root page of a table or an index. Returns the number of the page.
fn noise(store: &Path, root: &str) -> Result<u64, String> {
    let failed = |e: rusqlite::Error| format!("{store:?}: {e}");
    let connection = Connection::open(store).map_err(failed)?;
    let number = |sql: &str, name: &str| -> Result<u64, rusqlite::Error> {
        connection.prepare(sql)?.query_row([name], |row| row.get(0))
    };
    let page = number("SELECT rootpage FROM sqlite_schema WHERE name = ?1", root).map_err(failed)?;
    let size: u64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0)).map_err(failed)?;
    drop(connection);
    let noise = noise_of(size);
    let file = File::options().write(true).open(store).map_err(|e| format!("{store:?}: {e}"))?;
    file.write_all_at(&noise, (page - 1) * size).map_err(|e| format!("{store:?}: {e}"))?;
    Ok(page)
}

fn noise_of(size: u64) -> Vec<u8> {
    (0..size).map(|n| (n.wrapping_mul(2_654_435_761) >> 7) as u8).collect()
}
