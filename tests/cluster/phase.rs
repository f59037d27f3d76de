//! A phase: a period of load with one fault. Records which requests were acknowledged.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, Outcome, Response};

/// Number of investigations that all workers share.
const DOCUMENTS: usize = 3;
const LINKS: usize = 2;
pub const COPIES: usize = 2;

/// A period of load, with its own investigations and links.
pub struct Phase {
    pub number: usize,
    pub name: &'static str,
    pub documents: Vec<String>,
    /// Sub-links. Their key is `phase` and the phase's number.
    pub links: Vec<String>,
    begin: Instant,
    ledger: Mutex<Ledger>,
}

/// Result of a write, as far as its sender knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The write is stored exactly once. In [`Ledger::updates`], the number is the version of the update. Elsewhere,
    /// the number has no meaning.
    Acknowledged(u64),
    /// The write is not stored.
    Refused,
    /// The write is stored once or not at all.
    Unknown,
}

#[derive(Default)]
pub struct Ledger {
    /// Updates by document, worker and value.
    pub updates: BTreeMap<(usize, usize, u64), Ending>,
    /// Created investigations by title.
    pub created: BTreeMap<String, Ending>,
    /// Visits by link: the counts in the responses, and the number of visits whose result is unknown.
    pub visits: BTreeMap<usize, (Vec<u64>, u64)>,
    pub acknowledged: u64,
    pub longest_answer: Duration,
    /// Times of acknowledged writes, by copy.
    pub written: [Vec<Instant>; COPIES],
    /// For each copy: true if it has reported that it is not ready.
    pub was_red: [bool; COPIES],
    pub faults: Vec<String>,
}

impl Phase {
    /// Creates the investigations and links.
    pub async fn begin(number: usize, name: &'static str, caller: &Caller) -> Result<Self, String> {
        let (mut documents, mut links) = (Vec::new(), Vec::new());
        for n in 0..DOCUMENTS {
            let body = json!({"title": format!("shared {number} {n}"), "grade": 5});
            let created = caller.must(Method::POST, "/api/investigation", Some(&body)).await?;
            documents.push(created["data"]["_id"].as_str().unwrap_or_default().to_owned());
        }
        for n in 0..LINKS {
            let body = json!({"key": format!("phase{number}"), "subLink": format!("link{n}"), "description": ""});
            let path = format!("/api/link/investigation/{}", documents.first().map_or("", String::as_str));
            caller.must(Method::POST, &path, Some(&body)).await?;
            links.push(format!("link{n}"));
        }
        Ok(Self { number, name, documents, links, begin: Instant::now(), ledger: Mutex::default() })
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock()
    }

    /// Sends a write through a copy and records its result.
    pub async fn write(
        &self,
        copy: usize,
        caller: &Caller,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> (Ending, Value) {
        let begin = Instant::now();
        let answer = caller.send(method, path, body, &[]).await;
        let took = begin.elapsed();
        let (ending, fault) = ending(&answer);
        let mut ledger = self.ledger();
        ledger.longest_answer = ledger.longest_answer.max(took);
        ledger.faults.extend(fault.map(|fault| format!("copy {}: {fault}, after {} s", copy + 1, took.as_secs())));
        if let Ending::Acknowledged(_) = ending {
            ledger.acknowledged += 1;
            if let Some(times) = ledger.written.get_mut(copy) {
                times.push(Instant::now());
            }
        }
        (ending, answer.map_or(Value::Null, |response| response.json))
    }

    /// Counts for each copy the writes that it has acknowledged since `then`, and returns the lowest of these counts.
    pub fn written_since(&self, then: Instant) -> usize {
        let ledger = self.ledger();
        ledger.written.iter().map(|times| times.iter().filter(|time| **time > then).count()).min().unwrap_or_default()
    }

    /// Returns the longest time without an acknowledged write on this copy. The time between the two instants in
    /// `without` is not included.
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

/// Returns the result of a write, and what is wrong with the response, if anything.
fn ending(answer: &Result<Response, Outcome>) -> (Ending, Option<String>) {
    let Response { status, headers, json } = match answer {
        Ok(response) => response,
        // Without a connection, nothing was sent.
        Err(Outcome::NotConnected) => return (Ending::Refused, None),
        Err(Outcome::Wrong(fault)) => return (Ending::Unknown, Some(fault.clone())),
        Err(_) => return (Ending::Unknown, None),
    };
    match (status.as_u16(), json["code"].as_str()) {
        (200 | 201, _) => (Ending::Acknowledged(0), None),
        (503, code) => {
            let says_when = headers.contains_key("retry-after");
            let fault = (!says_when).then(|| format!("503 without Retry-After: {json}"));
            (if code == Some("busy") { Ending::Refused } else { Ending::Unknown }, fault)
        }
        // With the default setting `error-statuses = "contract"`, a failure inside an operation has status 500.
        (500, Some("store_unavailable")) => (Ending::Unknown, None),
        (409, Some("nothing_to_undo" | "nothing_to_redo" | "too_many_changes")) => (Ending::Refused, None),
        _ => (Ending::Unknown, Some(format!("{status}: {json}"))),
    }
}
