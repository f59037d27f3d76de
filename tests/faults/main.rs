//! Causes faults, one by one, around the real program (`scripts/faults`).
//!
//! Acknowledged writes must never be lost, and every failure must have a clear message. Without arguments, this target
//! does nothing, so that it does not disturb a run of all tests.

#![expect(clippy::disallowed_methods, reason = "these drive the service from outside, with real time")]

#[expect(dead_code, reason = "the cluster uses more of it")]
mod caller;
mod clock;
#[path = "../cluster/command.rs"]
mod command;
mod damage;
#[path = "../histories/dice.rs"]
mod dice;
mod disk;
mod folder;
mod handles;
mod kill;
mod newer;
mod power;
#[path = "../cluster/programs.rs"]
mod programs;
mod report;
mod round;
mod server;
mod service;
#[path = "../cluster/wait.rs"]
mod wait;
mod world;

use std::process::ExitCode;

use report::Line;
use world::{Backend, Rounds, World};

#[derive(Default)]
struct Task {
    rounds: Rounds,
    only: Option<String>,
    seed: Option<u64>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let task = match words.as_slice() {
        ["--run", rest @ ..] => faults_of(rest, Task::default()),
        // Cargo starts this program without `--run` to run or list its tests, and the program has none.
        _ => return ExitCode::SUCCESS,
    };
    let Some(task) = task else {
        eprintln!("usage: scripts/faults [--short] [--rounds N] [--only NAME] [--seed N]");
        return ExitCode::FAILURE;
    };
    command::to_the_end(run(task)).await
}

fn faults_of(words: &[&str], task: Task) -> Option<Task> {
    match words {
        [] => Some(task),
        ["--short", rest @ ..] => faults_of(rest, Task { rounds: Rounds::Few, ..task }),
        ["--rounds", rounds, rest @ ..] => {
            faults_of(rest, Task { rounds: Rounds::Exactly(rounds.parse().ok()?), ..task })
        }
        ["--only", name, rest @ ..] if NAMES.contains(name) => {
            faults_of(rest, Task { only: Some((*name).to_owned()), ..task })
        }
        ["--seed", seed, rest @ ..] => faults_of(rest, Task { seed: Some(seed.parse().ok()?), ..task }),
        _ => None,
    }
}

async fn run(task: Task) -> Result<(), String> {
    let Task { rounds, only, seed } = task;
    let mut folder = tempfile::Builder::new().prefix("fieldbook-faults").tempdir().map_err(|e| e.to_string())?;
    let outcome = faults(World::new(folder.path(), rounds, seed.unwrap_or(any_seed()))?, only.as_deref()).await;
    if outcome.is_err() {
        folder.disable_cleanup(true);
        eprintln!("logs are in {}", folder.path().display());
    }
    outcome
}

/// Returns a seed. Any number will do, because the seed is printed.
fn any_seed() -> u64 {
    u64::from(std::process::id())
}

async fn faults(world: World, only: Option<&str>) -> Result<(), String> {
    let mut lines = Vec::new();
    for number in 0.. {
        let Some(name) = NAMES.get(number) else { break };
        if only.is_some_and(|only| only != *name) {
            continue;
        }
        // The power loss is tested only on SQLite. With PostgreSQL, the database server writes and syncs the files, and
        // not the service.
        for backend in world.backends().into_iter().filter(|it| *name != POWER_LOSS || *it == Backend::Sqlite) {
            println!("{name}, {}", backend.name());
            lines.push(
                suffer(&world, number, backend)
                    .await
                    .unwrap_or_else(|reason| Line { wrong: vec![reason], ..Line::new(name, backend.name()) }),
            );
        }
    }
    println!("\n{}", report::full_table(&lines));
    let table = report::short_table(&lines);
    let wrong = report::wrong(&lines);
    if world.is_written() && only.is_some() {
        report::write_rows("faults", &table)?;
    } else if world.is_written() {
        report::write("faults", &table)?;
    }
    for words in wrong.iter().take(50) {
        eprintln!("wrong: {words}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} checks", wrong.len())) }
}

const NAMES: [&str; 8] = [
    "kill -9",
    POWER_LOSS,
    "disk full",
    "read-only",
    "clock stepping back",
    "newer store",
    "damaged page",
    "out of file handles",
];
const POWER_LOSS: &str = "power loss";

async fn suffer(world: &World, number: usize, backend: Backend) -> Result<Line, String> {
    match number {
        0 => kill::killed(world, backend).await,
        1 => power::lost_again_and_again(world).await,
        2 => disk::full(world, backend).await,
        3 => folder::read_only(world, backend).await,
        4 => clock::stepped_back(world, backend).await,
        5 => newer::store_of_a_newer_version(world, backend).await,
        6 => damage::page(world, backend).await,
        _ => handles::out_of_them(world, backend).await,
    }
}
