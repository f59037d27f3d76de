//! Runs the service on a replicated database and breaks one part after another under load. Run by `scripts/cluster`.
//!
//! Every phase has one fault and its own writes. The test checks that every acknowledged write is stored exactly
//! once: after the service has recovered, and again at the end, after all other faults.

#![expect(clippy::disallowed_methods, reason = "time is what is measured here")]

#[path = "../faults/caller.rs"]
#[expect(dead_code, reason = "the faults use more of it")]
mod caller;
mod checks;
mod command;
mod copies;
mod faults;
#[path = "../histories/mod.rs"]
#[expect(dead_code, reason = "the cluster needs only the model and its requests")]
mod histories;
mod load;
mod machines;
mod phase;
mod process;
mod programs;
mod proxy;
mod report;
mod wait;
mod walk;
mod webhook;

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use checks::{Found, check, walk_list};
use copies::Copy;
use faults::{Fault, World};
use load::Load;
use machines::Machines;
use phase::{COPIES, Phase};
use proxy::Knife;
use report::Line;
use webhook::{Delivered, Receiver};

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let faults: &[Fault] = match words.as_slice() {
        ["--run"] => &Fault::ALL,
        ["--run", "--short"] => &Fault::SHORT,
        // Cargo starts this program without `--run` to run or list its tests, and the program has none.
        _ => return ExitCode::SUCCESS,
    };
    command::to_the_end(run(faults)).await
}

async fn run(faults: &[Fault]) -> Result<(), String> {
    let mut folder = tempfile::Builder::new().prefix("fieldbook-cluster").tempdir().map_err(|e| e.to_string())?;
    // The folder must be readable, because PostgreSQL runs as another user.
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path(), open).map_err(|e| e.to_string())?;
    let outcome = run_in(folder.path(), faults).await;
    if outcome.is_err() {
        folder.disable_cleanup(true);
        eprintln!("logs are in {}", folder.path().display());
    }
    outcome
}

async fn run_in(folder: &Path, faults: &[Fault]) -> Result<(), String> {
    println!("starting three database nodes and two copies of the service");
    let receiver = Receiver::start().await?;
    let mut world = start(folder, &receiver).await?;
    let mut phases = Vec::new();
    for (number, fault) in faults.iter().enumerate() {
        println!("fault: {}", fault.name());
        phases.push(suffer(&mut world, number, *fault).await?);
    }
    println!("looking at everything again");
    let caller = &world.copies.first().ok_or("no copy")?.caller;
    let mut lines = Vec::new();
    for (phase, mut line) in phases {
        line.add(check(&phase, caller).await?);
        lines.push(line);
    }
    let mut found = Found::default();
    walk_list(caller, "sortBy=createdAt", &mut found).await?;
    let Delivered { events, again, wrong } = receiver.check(caller).await?;
    let of_webhook = if wrong.is_empty() { report::of_webhook(events, again) } else { String::new() };
    found.faults.extend(wrong.into_iter().map(|words| format!("webhook: {words}")));
    let table = report::table(&lines);
    println!("\n{table}\n{of_webhook}");
    if faults.len() == Fault::ALL.len() {
        report::write(&table)?;
    }
    let wrong: Vec<String> = lines.into_iter().flat_map(Line::wrong).chain(found.faults).collect();
    for fault in wrong.iter().take(50) {
        eprintln!("wrong: {fault}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} checks", wrong.len())) }
}

/// Starts the database servers and two copies of the service. The first copy connects to the servers directly. The
/// second copy connects through proxies that can interrupt its connections.
async fn start(folder: &Path, receiver: &Receiver) -> Result<World, String> {
    let machines = Machines::start(folder, &programs::postgres()?).await?;
    let servers: Vec<SocketAddr> = machines.nodes.iter().map(|node| node.address).collect();
    let knife = Knife::new();
    let mut cables = Vec::new();
    for server in &servers {
        cables.push(knife.cable(*server).await?);
    }
    let copies = vec![
        Copy::start(folder.join("copy1"), &servers, receiver.url()).await?,
        Copy::start(folder.join("copy2"), &cables, receiver.url()).await?,
    ];
    Ok(World { machines, copies, knife })
}

async fn suffer(world: &mut World, number: usize, fault: Fault) -> Result<(Arc<Phase>, Line), String> {
    let callers = world.callers();
    let first = callers.first().ok_or("no copy")?;
    let phase = Arc::new(Phase::begin(number, fault.name(), first).await?);
    let load = Load::begin(&phase, &callers);
    faults::steady(&phase).await?;
    let cut = world.suffer(fault, &phase).await?;
    let without_service = std::array::from_fn(|copy| phase.without_service(copy, cut.filter(|_| copy + 1 == COPIES)));
    load.end().await?;
    let found = check(&phase, first).await?;
    let line = Line::of(&phase, without_service, fault, found);
    println!("{line}");
    Ok((phase, line))
}
