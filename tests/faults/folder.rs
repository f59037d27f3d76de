//! A data folder without write permission, and a database that is read-only.

use crate::caller::Outcome;
use crate::report::Line;
use crate::world::{Backend, World, accepts_writes, as_nobody, begin, close, execute, set_mode};

pub async fn read_only(world: &World, backend: Backend) -> Result<Line, String> {
    match backend {
        Backend::Sqlite => folder(world).await,
        Backend::Postgres => database(world).await,
    }
}

async fn folder(world: &World) -> Result<Line, String> {
    let mut line = Line::new("read-only folder", Backend::Sqlite.name());
    line.done = "the rights to write taken from the data folder, then from the store's files, under the service and \
                 before starts; then given back"
        .into();
    let mut plan = world.store("readonly", Backend::Sqlite).await?;
    as_nobody(&mut plan)?;
    let (service, round) = begin(&plan, "readonly", 60).await?;
    // Open files stay writable, so the running service must continue.
    set_mode(&plan.data, 0o500)?;
    round.work(&service.caller, 60).await?;
    service.kill();
    for (path, mode, back) in [(plan.data.clone(), 0o500, 0o700), (plan.data.join("fieldbook.sqlite3"), 0o400, 0o600)] {
        set_mode(&path, mode)?;
        match plan.start().await {
            // SQLite can open the store if its write-ahead log exists. The service must then say why it refuses
            // updates.
            Ok(service) => {
                match round.update(&service.caller, 0, "").await {
                    Outcome::Failed { said, .. } => line.hear("to an update", said),
                    Outcome::Done(_) => {}
                    other => line.wrong.push(format!("an update came to {other:?}")),
                }
                service.stop().await?;
            }
            Err(said) => line.hear("at the start", shorten(&said, world)),
        }
        set_mode(&path, back)?;
    }
    if line.said.is_empty() {
        line.wrong.push("nothing was said".into());
    }
    let service = plan.must_start().await?;
    round.work(&service.caller, 20).await?;
    close(&mut line, &plan, &round, service).await?;
    line.back = Some("yes; a service that ended must be started".into());
    Ok(line)
}

async fn database(world: &World) -> Result<Line, String> {
    let mut line = Line::new("database that is read-only", Backend::Postgres.name());
    line.done = "`default_transaction_read_only` set and all connections ended under the service; then reset".into();
    let plan = world.store("readonly", Backend::Postgres).await?;
    let (service, round) = begin(&plan, "readonly", 60).await?;
    let database = plan.database.clone().unwrap_or_default();
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = 'readonly_postgresql' AND pid <> pg_backend_pid()";
    world.execute(&format!("ALTER DATABASE readonly_postgresql SET default_transaction_read_only = on; {end}")).await?;
    match round.update(&service.caller, 0, "").await {
        Outcome::Failed { said, .. } => line.hear("to an update", said),
        other => line.wrong.push(format!("an update came to {other:?}")),
    }
    if let Outcome::Failed { said, .. } = service.caller.get("/health/ready").await {
        line.hear("of its readiness", said);
    }
    // The session sets itself to read-write first, because new sessions of the database are read-only.
    execute(&database, "SET default_transaction_read_only = off; ALTER DATABASE readonly_postgresql RESET default_transaction_read_only").await?;
    world.execute(end).await?;
    accepts_writes(&round, &service.caller).await?;
    round.work(&service.caller, 20).await?;
    close(&mut line, &plan, &round, service).await?;
    line.back = Some("yes".into());
    Ok(line)
}

/// Removes the folder of this run from a message.
pub fn shorten(said: &str, world: &World) -> String {
    said.replace(crate::service::text(&world.place("")), "…/").replace("//", "/")
}
