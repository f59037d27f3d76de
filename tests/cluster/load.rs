//! The load: tasks that send requests to both copies. No two workers write the same value.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::caller::Caller;
use crate::histories::record::request;
use crate::phase::{COPIES, Ending, Phase};
use crate::walk::Walk;

/// Number of workers on each copy that write fields.
const WRITERS: usize = 6;
/// Number of workers on each copy that visit links.
const VISITORS: usize = 3;
/// Number of workers that write fields, on all copies. Each has its own field in every document.
pub const ALL_WRITERS: usize = WRITERS * COPIES;
/// Maximum number of entries in an answer with the history of a field. Each worker writes fewer values into a document,
/// so one answer contains all of them.
pub const MOST_VALUES: u64 = 1000;

/// Wait of a worker after a request that was not acknowledged.
const BREATH: Duration = Duration::from_millis(200);

pub struct Load {
    workers: JoinSet<()>,
    stop: Arc<AtomicBool>,
}

#[derive(Clone)]
struct Worker {
    phase: Arc<Phase>,
    copy: usize,
    caller: Caller,
    stop: Arc<AtomicBool>,
}

impl Load {
    pub fn begin(phase: &Arc<Phase>, callers: &[Caller]) -> Self {
        let mut workers = JoinSet::new();
        let stop = Arc::new(AtomicBool::new(false));
        for (copy, caller) in callers.iter().enumerate() {
            let worker = Worker { phase: phase.clone(), copy, caller: caller.clone(), stop: stop.clone() };
            for n in 0..WRITERS {
                workers.spawn(worker.clone().write_fields(copy * WRITERS + n));
            }
            for n in 0..VISITORS {
                workers.spawn(worker.clone().visit(n));
            }
            workers.spawn(worker.clone().create());
            workers.spawn(worker.clone().turn_back_and_forth());
            workers.spawn(worker.clone().walk());
            workers.spawn(worker.look());
        }
        Self { workers, stop }
    }

    /// Stops the workers after their current requests, and waits for them.
    pub async fn end(mut self) -> Result<(), String> {
        self.stop.store(true, Ordering::Relaxed);
        while let Some(worker) = self.workers.join_next().await {
            worker.map_err(|e| format!("a hand failed: {e}"))?;
        }
        Ok(())
    }
}

impl Worker {
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    async fn write(&self, method: Method, path: &str, body: Option<&Value>) -> (Ending, Value) {
        let (ending, told) = self.phase.write(self.copy, &self.caller, method, path, body).await;
        if !matches!(ending, Ending::Acknowledged(_)) {
            tokio::time::sleep(BREATH).await;
        }
        (ending, told)
    }

    /// Writes one value after another into its own field of the shared investigations.
    async fn write_fields(self, worker: usize) {
        for value in 1..MOST_VALUES {
            for (n, id) in self.phase.documents.iter().enumerate() {
                if !self.goes_on() {
                    return;
                }
                let body = json!({ field(worker): value });
                let path = format!("/api/investigation/{id}");
                let (mut ending, told) = self.write(Method::PATCH, &path, Some(&body)).await;
                if let Ending::Acknowledged(_) = ending {
                    ending = Ending::Acknowledged(told["updatedInvestigation"]["version"].as_u64().unwrap_or_default());
                }
                self.phase.ledger().updates.insert((n, worker, value), ending);
            }
        }
    }

    /// Visits the links in turn.
    async fn visit(self, first: usize) {
        let links = self.phase.links.len();
        for n in (0..links).cycle().skip(first) {
            if !self.goes_on() {
                return;
            }
            let Some(link) = self.phase.links.get(n) else { return };
            let path = format!("/api/link/phase{}/{link}", self.phase.number);
            let (ending, told) = self.write(Method::GET, &path, None).await;
            let mut ledger = self.phase.ledger();
            let (numbers, unknown) = ledger.visits.entry(n).or_default();
            match ending {
                Ending::Acknowledged(_) => numbers.push(told["data"]["visitCount"].as_u64().unwrap_or_default()),
                Ending::Unknown => *unknown += 1,
                Ending::Refused => {}
            }
        }
    }

    async fn create(self) {
        for n in 0.. {
            if !self.goes_on() {
                return;
            }
            let title = format!("{}copy {} number {n}", made(self.phase.number), self.copy);
            let curriculum = ["NGSS", "Common Core"].get(n % 3);
            let body = json!({"title": title, "curriculum": curriculum.copied().unwrap_or_default()});
            let (ending, _) = self.write(Method::POST, "/api/investigation", Some(&body)).await;
            self.phase.ledger().created.insert(title, ending);
        }
    }

    /// Undoes and redoes the changes of other workers.
    async fn turn_back_and_forth(self) {
        for (id, what) in self.phase.documents.iter().cycle().zip(["undo", "redo", "undo"].iter().cycle()) {
            if !self.goes_on() {
                return;
            }
            self.write(Method::POST, &format!("/api/investigation/{id}/{what}"), None).await;
            tokio::time::sleep(BREATH).await;
        }
    }

    /// Updates, undoes and redoes in an investigation of its own, and checks that the state in responses is possible.
    async fn walk(self) {
        let body = json!({"title": format!("alone {} {}", self.phase.number, self.copy), "n": 0});
        let created = self.write(Method::POST, "/api/investigation", Some(&body)).await;
        let (Ending::Acknowledged(_), told) = created else { return };
        let id = told["data"]["_id"].as_str().unwrap_or_default().to_owned();
        let mut walk = Walk::default();
        while self.goes_on() {
            let asked = walk.next();
            let (method, path, body) = request(&id, asked);
            let (ending, told) = self.write(method, &path, body.as_ref()).await;
            let stands = if told["data"].is_null() { &told["updatedInvestigation"] } else { &told["data"] };
            let stands = (stands["version"].as_u64(), stands["n"].as_u64());
            if let Err(fault) = walk.was_answered(asked, ending, stands) {
                self.phase.ledger().faults.push(format!("copy {}, {id}: {fault}", self.copy + 1));
                return;
            }
            // Waits until the copy is ready again, because every lost answer doubles the number of possible states.
            while ending == Ending::Unknown && self.goes_on() && !self.caller.is_ready().await {
                tokio::time::sleep(BREATH).await;
            }
        }
    }

    /// Records whether the copy ever reports that it is not ready.
    async fn look(self) {
        while self.goes_on() {
            if !self.caller.is_ready().await
                && let Some(was_red) = self.phase.ledger().was_red.get_mut(self.copy)
            {
                *was_red = true;
            }
            tokio::time::sleep(BREATH).await;
        }
    }
}

pub fn field(worker: usize) -> String {
    format!("hand{worker}")
}

/// Returns the prefix of the titles of all investigations that are created in a phase.
pub fn made(phase: usize) -> String {
    format!("made in {phase} by ")
}
