//! One stretch of load with one fault in it: what was asked, and what was acknowledged.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::copies::{Answered, Caller, Outcome};

/// So many investigations are shared by all hands.
const DOCUMENTS: usize = 3;
/// So many links are visited.
const LINKS: usize = 2;
/// So many copies of the service are there.
pub const COPIES: usize = 2;

/// A stretch of load, on investigations and links of its own.
pub struct Phase {
    pub number: usize,
    pub name: &'static str,
    pub documents: Vec<String>,
    /// The sub-links; their key is that of the phase.
    pub links: Vec<String>,
    begin: Instant,
    ledger: Mutex<Ledger>,
}

/// How a piece of writing ended, as far as its sender knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It is there once; an update as this version.
    Acknowledged(u64),
    /// It is not there.
    Refused,
    /// It is there once, or not.
    Unknown,
}

/// What was asked, and how it ended.
#[derive(Default)]
pub struct Ledger {
    /// By document, hand and value.
    pub updates: BTreeMap<(usize, usize, u64), Ending>,
    /// By title.
    pub created: BTreeMap<String, Ending>,
    /// By link: the numbers that were answered, and how many visits have no answer.
    pub visits: BTreeMap<usize, (Vec<u64>, u64)>,
    pub requests: u64,
    pub acknowledged: u64,
    pub longest_answer: Duration,
    /// By copy: when something was written through it.
    pub written: [Vec<Instant>; COPIES],
    /// By copy: whether it has said that it is not ready.
    pub was_red: [bool; COPIES],
    /// What should not be.
    pub faults: Vec<String>,
}

impl Phase {
    /// Makes the investigations and links.
    pub async fn begin(number: usize, name: &'static str, caller: &Caller) -> Result<Self, String> {
        let (mut documents, mut links) = (Vec::new(), Vec::new());
        for n in 0..DOCUMENTS {
            let body = json!({"title": format!("shared {number} {n}"), "grade": 5});
            let created = caller.must(caller.post("/api/investigation", &body)).await?;
            documents.push(created["data"]["_id"].as_str().unwrap_or_default().to_owned());
        }
        for n in 0..LINKS {
            let body = json!({"key": format!("phase{number}"), "subLink": format!("link{n}"), "description": ""});
            let path = format!("/api/link/investigation/{}", documents.first().map_or("", String::as_str));
            caller.must(caller.post(&path, &body)).await?;
            links.push(format!("link{n}"));
        }
        Ok(Self { number, name, documents, links, begin: Instant::now(), ledger: Mutex::default() })
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a write through a copy and notes what came of it.
    pub async fn write(&self, copy: usize, caller: &Caller, request: reqwest::RequestBuilder) -> (Ending, Value) {
        self.ledger().requests += 1;
        let Answered { outcome, took, fault } = caller.send(request).await;
        let mut ledger = self.ledger();
        ledger.longest_answer = ledger.longest_answer.max(took);
        ledger.faults.extend(fault.map(|fault| format!("copy {}: {fault}, after {} s", copy + 1, took.as_secs())));
        match outcome {
            Outcome::Done(told) => {
                ledger.acknowledged += 1;
                if let Some(times) = ledger.written.get_mut(copy) {
                    times.push(Instant::now());
                }
                (Ending::Acknowledged(0), told)
            }
            Outcome::Refused => (Ending::Refused, Value::Null),
            Outcome::Unknown => (Ending::Unknown, Value::Null),
        }
    }

    /// How many writes were acknowledged since then, of the copy where fewest were.
    pub fn written_since(&self, then: Instant) -> usize {
        let ledger = self.ledger();
        ledger.written.iter().map(|times| times.iter().filter(|time| **time > then).count()).min().unwrap_or_default()
    }

    /// The longest time without a write through this copy; what lies between the two instants does not count.
    pub fn without_service(&self, copy: usize, without: Option<(Instant, Instant)>) -> Duration {
        let ledger = self.ledger();
        let mut longest = Duration::ZERO;
        let mut last = self.begin;
        let end = Instant::now();
        for time in ledger.written.get(copy).into_iter().flatten().copied().chain([end]) {
            let gap = match without {
                Some((from, to)) if last < to && time > from => {
                    from.saturating_duration_since(last).max(time.saturating_duration_since(to))
                }
                _ => time.saturating_duration_since(last),
            };
            longest = longest.max(gap);
            last = time;
        }
        longest
    }
}
