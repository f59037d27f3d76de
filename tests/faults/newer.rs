//! A store that was written by a newer version of the program.

use std::path::Path;

use rusqlite::Connection;

use crate::folder::shorten;
use crate::report::Line;
use crate::world::{Backend, World, begin, close, execute};

pub async fn store_of_a_newer_version(world: &World, backend: Backend) -> Result<Line, String> {
    let mut line = Line::new("store of a newer version", backend.name());
    line.done = "the number of its last migration raised by one; then put back".into();
    let plan = world.store("newer", backend).await?;
    let (service, round) = begin(&plan, "newer", 60).await?;
    service.stop().await?;
    let file = plan.data.join("fieldbook.sqlite3");
    let database = plan.database.clone().unwrap_or_default();
    let step = async |by: i64| match backend {
        Backend::Sqlite => raise(&file, by),
        Backend::Postgres => execute(&database, &format!("UPDATE store_version SET steps = steps + {by}")).await,
    };
    step(1).await?;
    let before = std::fs::read(&file).unwrap_or_default();
    match plan.start().await {
        Ok(_) => line.wrong.push("it serves from a store that it does not know".into()),
        Err(said) => line.hear("at the start", shorten(&said, world)),
    }
    if std::fs::read(&file).unwrap_or_default() != before {
        line.wrong.push("the store was changed".into());
    }
    step(-1).await?;
    let service = plan.must_start().await?;
    round.work(&service.caller, 20).await?;
    close(&mut line, &plan, &round, service).await?;
    line.back = Some("no: run the newer program".into());
    Ok(line)
}

fn raise(file: &Path, by: i64) -> Result<(), String> {
    let failed = |e: rusqlite::Error| format!("{file:?}: {e}");
    let store = Connection::open(file).map_err(failed)?;
    let number: i64 = store.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
    store.pragma_update(None, "user_version", number + by).map_err(failed)
}
