//! A soak: many workers run all operations for a given time, with random faults.
//!
//! A soak consists of chapters. Each chapter has a fault and its own investigations and links. The writes of a
//! chapter are checked at the end of the chapter, and again at the end of the soak. The first half of the soak never
//! kills the service, so that the memory of the service can be observed. The second half also kills the service.

mod surroundings;
mod tally;
mod workers;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::caller::Caller;
use crate::histories::Dice;
use crate::report;
use crate::round::{Count, Round};
use crate::service::{Plan, Service};
use surroundings::{Mode, Model, Profiles};
use tally::{Memory, Tally};
use workers::Worker;

/// Duration of a chapter.
const CHAPTER: Duration = Duration::from_secs(10);
/// Minimum duration of a soak whose report is written to the documentation, in minutes.
const WHOLE: u64 = 30;
/// Number of workers that send random requests, and number of workers that record histories.
const AT_RANDOM: u64 = 4;
const RECORDERS: u64 = 2;

/// The fault that occurs in every soak.
const KILLED: &str = "`kill -9`, start";

/// State that all chapters share.
struct Stage {
    plan: Plan,
    service: Option<Service>,
    known: watch::Sender<Caller>,
    model: Model,
    profiles: Profiles,
    tally: Tally,
}

/// Runs a soak.
///
/// # Errors
/// Returns an error if a check fails.
pub async fn run(folder: &Path, minutes: u64, seed: u64) -> Result<(), String> {
    println!("a soak of {minutes} minutes with seed {seed}");
    let (model, profiles) = (Model::start().await?, Profiles::start(folder)?);
    let data = folder.join("soak");
    std::fs::create_dir(&data).map_err(|e| e.to_string())?;
    let arguments = model.arguments().into_iter().chain(profiles.arguments()).collect();
    let plan = Plan { data, arguments, ..Plan::default() };
    let service = plan.must_start().await?;
    let known = watch::Sender::new(service.caller.clone());
    let mut stage = Stage { plan, service: Some(service), known, model, profiles, tally: Tally::default() };
    let stop = Arc::new(AtomicBool::new(false));
    let workers = stage.workers(seed, &stop);

    let mut dice = Dice::new(seed, 1000);
    let (mut rounds, mut memory) = (Vec::new(), Memory::default());
    let (begin, length) = (Instant::now(), Duration::from_secs(minutes * 60));
    while begin.elapsed() < length {
        let kills = begin.elapsed() > length / 2;
        rounds.push(stage.chapter(rounds.len(), &mut dice, kills).await?);
        if !kills {
            stage.service.iter().for_each(|service| memory.look(service.id()));
        }
    }
    stop.store(true, Ordering::Relaxed);
    workers.join_all().await;

    let count = stage.count(&rounds).await?;
    if let Some(service) = stage.service.take() {
        service.stop().await?;
    }
    let text = told(&stage, minutes, seed, rounds.len(), count, &memory);
    println!("\n{text}");
    if minutes >= WHOLE {
        report::write("soak", &text)?;
    }
    let mut wrong = std::mem::take(&mut stage.tally.counts().wrong);
    wrong.extend(stage.plan.panics());
    wrong.extend(rounds.iter().flat_map(|round| round.wrong()));
    if !memory.is_flat() {
        wrong.push(format!("memory grew: {:?} MiB in the middle and at the end", memory.thirds()));
    }
    if count.lost > 0 {
        wrong.push(format!("{} acknowledged writes were lost", count.lost));
    }
    for words in wrong.iter().take(50) {
        eprintln!("wrong: {words}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} checks, with seed {seed}", wrong.len())) }
}

impl Stage {
    /// Starts the workers that run through all chapters.
    fn workers(&self, seed: u64, stop: &Arc<AtomicBool>) -> JoinSet<()> {
        let worker = Worker { service: self.known.subscribe(), tally: self.tally.clone(), stop: stop.clone() };
        let mut workers = JoinSet::new();
        for n in 0..AT_RANDOM {
            workers.spawn(worker.clone().ask_at_random(Dice::new(seed, n), n));
        }
        for n in 0..RECORDERS {
            workers.spawn(worker.clone().record(Dice::new(seed, 100 + n)));
        }
        workers.spawn(worker.break_off(Dice::new(seed, 200)));
        workers
    }

    /// Runs a chapter: its first half, a fault, its second half, and a check of all writes.
    async fn chapter(&mut self, number: usize, dice: &mut Dice, kills: bool) -> Result<Arc<Round>, String> {
        let round = Round::begin(&number.to_string(), &self.caller()).await?;
        let was_killed = self.tally.counts().faults.contains_key(KILLED);
        let fault = if kills && !was_killed { 6 } else { dice.throw(if kills { 12 } else { 6 }) };
        let name = match fault {
            0 => "none",
            1 => "profile service killed, later started",
            2 => "profile service paused, later continued",
            3 => "model fails",
            4 => "model does not answer",
            5 => "model raves",
            6..10 => KILLED,
            _ => "SIGTERM, start",
        };
        *self.tally.counts().faults.entry(name).or_default() += 1;
        let workers = round.workers(&self.caller());
        tokio::time::sleep(CHAPTER / 2).await;
        match fault {
            0 => {}
            1 => self.profiles.kill(),
            2 => self.profiles.signal("STOP"),
            3 => self.model.set_mode(Mode::Fails),
            4 => self.model.set_mode(Mode::Stalls),
            5 => self.model.set_mode(Mode::Garbage),
            6..10 => self.service.take().into_iter().for_each(Service::kill),
            _ => {
                if let Some(service) = self.service.take() {
                    service.stop().await?;
                }
            }
        }
        let workers = if self.service.is_none() {
            workers.end().await;
            let service = self.plan.must_start().await?;
            self.known.send_replace(service.caller.clone());
            self.service = Some(service);
            round.workers(&self.caller())
        } else {
            workers
        };
        tokio::time::sleep(CHAPTER / 2).await;
        workers.end().await;
        self.model.set_mode(Mode::Healthy);
        match fault {
            1 => self.profiles.come_back()?,
            2 => self.profiles.signal("CONT"),
            _ => {}
        }
        round.check(&self.caller()).await?;
        println!("chapter {number}: {name}");
        Ok(round)
    }

    fn caller(&self) -> Caller {
        self.known.borrow().clone()
    }

    /// Checks the writes of all chapters once more.
    async fn count(&self, rounds: &[Arc<Round>]) -> Result<Count, String> {
        let mut all = Count::default();
        for round in rounds {
            let count = round.check(&self.caller()).await?;
            all.acknowledged += count.acknowledged;
            all.lost += count.lost;
        }
        Ok(all)
    }
}

/// Returns the results as a table.
fn told(stage: &Stage, minutes: u64, seed: u64, chapters: usize, count: Count, memory: &Memory) -> String {
    let counts = stage.tally.counts();
    let list = |entries: Vec<String>| if entries.is_empty() { "none".to_owned() } else { entries.join(", ") };
    let faults = list(counts.faults.iter().map(|(name, times)| format!("{name}: {times}")).collect());
    let failed = list(counts.failed.iter().map(|(code, times)| format!("`{code}`: {times}")).collect());
    let done: u64 = counts.done.values().sum();
    let (middle, last) = memory.thirds();
    format!(
        "A soak of {minutes} minutes with seed {seed}, in {chapters} chapters.\n\n\
         | what | seen | must be |\n|---|---|---|\n\
         | faults | {faults} | |\n\
         | updates, creations and visits that were counted: acknowledged | {} | |\n\
         | of them lost, or counted otherwise than once | {} | 0 |\n\
         | requests of other hands that went well, in {} operations | {done} | |\n\
         | failures | {failed} | each one of the contract |\n\
         | requests that found no service, or lost it | {} | |\n\
         | connections broken off or left idle | {} | |\n\
         | histories checked, with operations | {}, {} | each linearizable |\n\
         | resident memory in the first half, {} samples: middle third, last third | {middle:.0} MiB, {last:.0} MiB | \
         the last at most a tenth and 8 MiB above the middle |\n\
         | panics | {} | 0 |\n",
        count.acknowledged,
        count.lost,
        counts.done.len(),
        counts.unanswered,
        counts.aborted,
        counts.histories,
        counts.operations,
        memory.samples(),
        stage.plan.panics().len(),
    )
}
