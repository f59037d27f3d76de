//! A disk that is full, and later has free space again.

use std::path::{Path, PathBuf};

use crate::caller::Outcome;
use crate::dice::Dice;
use crate::report::Line;
use crate::round::Round;
use crate::service::{Plan, is_root, machine, text};
use crate::wait::until;
use crate::world::{Backend, SOON, World, accepts_writes, begin, close};

/// Size of the disk for the embedded store. A PostgreSQL database needs several MiB even when it is empty.
const SQLITE_ROOM: &str = "2M";
const POSTGRES_ROOM: &str = "16M";
/// Length of the texts that fill the disk.
const LARGE: usize = 60_000;
/// Number of large texts that certainly do not fit on the disk.
const MOST: usize = 900;

/// A small disk in memory. It is unmounted on drop.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: PathBuf, room: &str) -> Result<Self, String> {
        machine("mount", &["-t", "tmpfs", "-o", &format!("size={room},mode=755"), "none", text(&at)])?;
        Ok(Self(at))
    }

    fn grow(&self) -> Result<(), String> {
        machine("mount", &["-o", "remount,size=128m", text(&self.0)])
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = machine("umount", &["-l", text(&self.0)]);
    }
}

pub async fn full(world: &World, backend: Backend) -> Result<Line, String> {
    let mut line = Line::new("disk full", backend.name());
    if !is_root() {
        line.done = "not tried: a small disk can only be mounted by root".into();
        return Ok(line);
    }
    let plan = world.store("full", backend).await?;
    let disk = match backend {
        Backend::Sqlite => {
            line.done = format!("the store on a disk of {SQLITE_ROOM}iB, written until nothing fits; then room made");
            SmallDisk::mount(plan.data.clone(), SQLITE_ROOM)?
        }
        Backend::Postgres => {
            line.done = format!(
                "the database in a tablespace of {POSTGRES_ROOM}iB, written until nothing fits; then room made"
            );
            tablespace(world, &plan).await?
        }
    };
    let (service, round) = begin(&plan, "full", 40).await?;
    // Random text, because PostgreSQL compresses repetitions.
    let mut dice = Dice::new(1, 1);
    let large: String = (0..LARGE).filter_map(|_| char::from_digit(dice.throw(36) as u32, 36)).collect();
    let mut fits = 0;
    while fits < MOST {
        // Every text is different, so that the store cannot save space by sharing texts between rows.
        match round.update(&service.caller, fits % 4, &format!("{fits} {large}")).await {
            Outcome::Done(_) => fits += 1,
            Outcome::Failed { said, .. } => {
                line.hear("to an update", said);
                break;
            }
            other => return Err(format!("a full disk: {other:?}")),
        }
    }
    if fits == MOST {
        return Err("the disk never was full".into());
    }
    refusals(&mut line, &round, &service.caller, &large).await;
    disk.grow()?;
    accepts_writes(&round, &service.caller).await?;
    until("that it says that it is ready", SOON, async || {
        matches!(service.caller.get("/health/ready").await, Outcome::Done(_)).then_some(())
    })
    .await?;
    round.work(&service.caller, 40).await?;
    // Kills the service, to check that the acknowledged writes are on disk.
    service.kill();
    let service = plan.must_start().await?;
    close(&mut line, &plan, &round, service).await?;
    drop(plan);
    line.back = Some("yes, once there is room".into());
    if backend == Backend::Postgres {
        world.execute("DROP DATABASE full_postgresql; DROP TABLESPACE small").await?;
    }
    Ok(line)
}

/// Records the response to each kind of request while the disk is full. Reading must still work.
async fn refusals(line: &mut Line, round: &Round, caller: &crate::caller::Caller, large: &str) {
    let outcomes = [
        ("to an update", round.update(caller, 1, large).await),
        ("to a creation", round.create(caller).await),
        ("to a visit", round.visit(caller).await),
        ("of its readiness", caller.get("/health/ready").await),
    ];
    for (to, outcome) in outcomes {
        if let Outcome::Failed { said, .. } = outcome {
            if said.contains("Unknown error") {
                line.wrong.push(format!("{to} it said nothing that helps: {said}"));
            }
            line.hear(to, said);
        }
    }
    for path in [round.first(), "/api/investigation".to_owned()] {
        match caller.get(&path).await {
            Outcome::Done(_) => {}
            other => line.wrong.push(format!("reading {path} came to {other:?}")),
        }
    }
}

/// Moves the PostgreSQL database of the service to a small disk.
async fn tablespace(world: &World, plan: &Plan) -> Result<SmallDisk, String> {
    let at = world.place("small");
    std::fs::create_dir(&at).map_err(|e| format!("{at:?}: {e}"))?;
    let disk = SmallDisk::mount(at.clone(), POSTGRES_ROOM)?;
    let inner = at.join("tablespace");
    std::fs::create_dir(&inner).map_err(|e| format!("{inner:?}: {e}"))?;
    machine("chown", &["postgres", text(&inner)])?;
    world.execute(&format!("CREATE TABLESPACE small LOCATION '{}'", text(Path::new(&inner)))).await?;
    let name = plan.database.as_deref().and_then(|database| database.rsplit('/').next()).unwrap_or_default();
    world.execute(&format!("ALTER DATABASE {name} SET TABLESPACE small")).await?;
    Ok(disk)
}
