//! A round writes to its own investigations and link, records the acknowledged writes, and checks that they are
//! stored.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::caller::{Caller, Outcome};

/// Number of investigations. Each has one task that writes to it.
const DOCUMENTS: usize = 4;
/// Number of workers that visit the link.
const VISITORS: usize = 3;
/// Number of repetitions of a word in each document, so that the store has enough pages.
const TEXT: usize = 600;
/// Maximum number of versions that the list of versions returns.
const MOST_VERSIONS: u64 = 1000;

/// Investigations and a link, and the results of writes to them.
pub struct Round {
    name: String,
    documents: Vec<String>,
    ledger: Mutex<Ledger>,
}

/// Result of a write, as far as its sender knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// The service acknowledged the write. The number is the version of an update, or the count of a visit.
    Acknowledged(u64),
    /// The write may or may not be stored.
    Unknown,
}

#[derive(Default)]
struct Ledger {
    updates: BTreeMap<(usize, u64), Ending>,
    /// Last value for each document.
    next: BTreeMap<usize, u64>,
    /// Visit counts in the responses.
    visits: BTreeSet<u64>,
    unknown_visits: u64,
    /// Ids of the investigations that were created.
    created: Vec<String>,
    unknown_creations: u64,
    wrong: Vec<String>,
}

#[derive(Default, Clone, Copy)]
pub struct Count {
    pub acknowledged: u64,
    pub lost: u64,
}

/// Tasks that send requests until they are stopped.
pub struct Workers {
    workers: JoinSet<()>,
    done: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
}

impl Round {
    /// Creates the investigations and the link.
    pub async fn begin(name: &str, caller: &Caller) -> Result<Arc<Self>, String> {
        let mut documents = Vec::new();
        for n in 0..DOCUMENTS {
            let body = json!({"title": format!("{name}: {n}"), "count": 0, "text": "cress ".repeat(TEXT)});
            let created = caller.must(Method::POST, "/api/investigation", Some(&body)).await?;
            documents.push(created["data"]["_id"].as_str().unwrap_or_default().to_owned());
        }
        let round = Self { name: name.to_owned(), documents, ledger: Mutex::default() };
        let body = json!({"key": "round", "subLink": name, "description": ""});
        let path = format!("/api/link/investigation/{}", round.documents.first().map_or("", String::as_str));
        caller.must(Method::POST, &path, Some(&body)).await?;
        Ok(Arc::new(round))
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock()
    }

    /// Returns the title of all investigations that this round creates. The checks filter the list by this title, so
    /// it must not be part of the title of another round.
    fn title(&self) -> String {
        format!("made-in-{}-here", self.name)
    }

    pub fn link(&self) -> String {
        format!("/api/link/round/{}", self.name)
    }

    /// Returns the path of the first investigation.
    pub fn first(&self) -> String {
        format!("/api/investigation/{}", self.documents.first().map_or("", String::as_str))
    }

    pub fn workers(self: &Arc<Self>, caller: &Caller) -> Workers {
        let (done, stop) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicBool::new(false)));
        let mut workers = JoinSet::new();
        for kind in 0..DOCUMENTS + VISITORS + 1 {
            let (round, caller, done, stop) = (self.clone(), caller.clone(), done.clone(), stop.clone());
            workers.spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let outcome = match kind {
                        n if n < DOCUMENTS => round.update(&caller, n, "").await,
                        DOCUMENTS => round.create(&caller).await,
                        _ => round.visit(&caller).await,
                    };
                    match outcome {
                        Outcome::Done(_) => done.add_permits(1),
                        Outcome::Failed { code, .. } if code == "busy" => tokio::task::yield_now().await,
                        // The service has ended, or it refuses more requests.
                        _ => break,
                    }
                }
            });
        }
        Workers { workers, done, stop }
    }

    /// Runs workers until this many writes were acknowledged.
    pub async fn work(self: &Arc<Self>, caller: &Caller, writes: u32) -> Result<(), String> {
        let workers = self.workers(caller);
        let enough = workers.wait_for(writes).await;
        workers.end().await;
        enough
    }

    /// Writes the next value to a document, and also `text` unless it is empty.
    pub async fn update(&self, caller: &Caller, n: usize, text: &str) -> Outcome {
        let value = {
            let mut ledger = self.ledger();
            let next = ledger.next.entry(n).or_default();
            *next += 1;
            *next
        };
        let Some(id) = self.documents.get(n) else { return Outcome::NotConnected };
        if value >= MOST_VERSIONS {
            return Outcome::NotConnected;
        }
        let mut body = json!({ "count": value });
        if !text.is_empty() {
            body["text"] = json!(text);
        }
        let outcome = caller.patch(&format!("/api/investigation/{id}"), &body).await;
        let ending = self.ending(&outcome, |told| told["updatedInvestigation"]["version"].as_u64());
        self.ledger().updates.extend(ending.map(|ending| ((n, value), ending)));
        outcome
    }

    pub async fn create(&self, caller: &Caller) -> Outcome {
        let outcome = caller.post("/api/investigation", &json!({ "title": self.title() })).await;
        match &outcome {
            Outcome::Done(told) => {
                let id = told["data"]["_id"].as_str().unwrap_or_default().to_owned();
                self.ledger().created.push(id);
            }
            other if self.ending(other, |_| None).is_some() => self.ledger().unknown_creations += 1,
            _ => {}
        }
        outcome
    }

    pub async fn visit(&self, caller: &Caller) -> Outcome {
        let outcome = caller.get(&self.link()).await;
        let ending = self.ending(&outcome, |told| told["data"]["visitCount"].as_u64());
        let mut ledger = self.ledger();
        match ending {
            Some(Ending::Acknowledged(number)) => {
                let again = !ledger.visits.insert(number);
                ledger.wrong.extend(again.then(|| format!("the visit {number} was counted twice")));
            }
            Some(Ending::Unknown) => ledger.unknown_visits += 1,
            None => {}
        }
        outcome
    }

    /// Returns the result of a write, or `None` if nothing can have been written.
    fn ending(&self, outcome: &Outcome, number: impl Fn(&Value) -> Option<u64>) -> Option<Ending> {
        match outcome {
            Outcome::Done(told) => Some(Ending::Acknowledged(number(told).unwrap_or_default())),
            Outcome::NotConnected => None,
            Outcome::Failed { code, .. } if code == "busy" || code == "rate_limited" => None,
            Outcome::Failed { .. } | Outcome::Unanswered => Some(Ending::Unknown),
            Outcome::Wrong(said) => {
                self.ledger().wrong.push(said.clone());
                Some(Ending::Unknown)
            }
        }
    }

    pub fn wrong(&self) -> Vec<String> {
        self.ledger().wrong.iter().map(|words| format!("{}: {words}", self.name)).collect()
    }

    /// Checks everything that was written.
    pub async fn check(&self, caller: &Caller) -> Result<Count, String> {
        let mut count = Count::default();
        for (n, id) in self.documents.iter().enumerate() {
            self.check_document(caller, n, id, &mut count).await?;
        }
        let links = caller.must(Method::GET, &format!("{}/visits", self.link()), None).await?;
        let counted = links["data"]["visitCount"].as_u64().unwrap_or_default();
        let title = self.title();
        let listed = caller.must(Method::GET, &format!("/api/investigation?limit=1&title={title}"), None).await?;
        let listed = listed["data"]["pagination"]["total"].as_u64().unwrap_or_default();
        let created = self.ledger().created.clone();
        for id in &created {
            if !matches!(caller.get(&format!("/api/investigation/{id}")).await, Outcome::Done(_)) {
                count.lost += 1;
                self.ledger().wrong.push(format!("{id} was created and is not there"));
            }
        }
        let mut ledger = self.ledger();
        let (visited, made) = (ledger.visits.len() as u64, created.len() as u64);
        count.acknowledged += visited + made;
        let greatest = ledger.visits.last().copied().unwrap_or_default();
        count.lost += visited.max(greatest).saturating_sub(counted);
        if counted < greatest || counted > visited + ledger.unknown_visits {
            let unknown = ledger.unknown_visits;
            ledger.wrong.push(format!("{counted} visits, where {visited} were answered and {unknown} not"));
        }
        if listed < made || listed > made + ledger.unknown_creations {
            let unknown = ledger.unknown_creations;
            ledger.wrong.push(format!("{listed} are listed, where {made} were created and {unknown} not answered"));
        }
        Ok(count)
    }

    async fn check_document(&self, caller: &Caller, n: usize, id: &str, count: &mut Count) -> Result<(), String> {
        let path = format!("/api/investigation/{id}");
        let document = caller.must(Method::GET, &path, None).await?["data"].clone();
        let records = caller.must(Method::GET, &format!("{path}/versions?limit={MOST_VERSIONS}"), None).await?;
        let beginning = caller.must(Method::GET, &format!("{path}/versions/0"), None).await?;
        let mut versions = BTreeMap::new();
        for record in records["data"].as_array().into_iter().flatten() {
            let changes = record["changes"].as_array().into_iter().flatten();
            let value = changes.into_iter().find(|change| change["fieldPath"] == "count").map(|c| c["after"].as_u64());
            versions.insert(record["version"].as_u64().unwrap_or_default(), value.flatten().unwrap_or_default());
        }
        let mut ledger = self.ledger();
        if beginning["data"]["count"] != 0 {
            ledger.wrong.push(format!("{id}: version 0 is not what was created"));
        }
        let updates: Vec<_> = ledger.updates.range((n, 0)..(n + 1, 0)).map(|((_, value), e)| (*value, *e)).collect();
        for (value, ending) in &updates {
            if let Ending::Acknowledged(version) = ending {
                count.acknowledged += 1;
                if versions.get(version) != Some(value) {
                    count.lost += 1;
                    ledger.wrong.push(format!("{id}: the value {value} was acknowledged as version {version}"));
                }
            }
        }
        let known: BTreeMap<u64, Ending> = updates.into_iter().collect();
        for (version, value) in &versions {
            if !known.contains_key(value) {
                ledger
                    .wrong
                    .push(format!("{id}: version {version} holds {value}, which was not asked for, or refused"));
            }
        }
        let newest = versions.last_key_value().map_or((0, 0), |(version, value)| (*version, *value));
        if versions.len() as u64 != newest.0 {
            ledger.wrong.push(format!("{id}: {} records up to version {}", versions.len(), newest.0));
        }
        if (document["version"].as_u64(), document["count"].as_u64()) != (Some(newest.0), Some(newest.1)) {
            ledger.wrong.push(format!("{id}: the document is not what its newest version {} says", newest.0));
        }
        Ok(())
    }
}

impl Workers {
    /// Waits until this many writes were acknowledged.
    pub async fn wait_for(&self, writes: u32) -> Result<(), String> {
        let patience = std::time::Duration::from_secs(120);
        match tokio::time::timeout(patience, self.done.acquire_many(writes)).await {
            Ok(Ok(permits)) => permits.forget(),
            _ => return Err(format!("no {writes} writes were acknowledged within {} s", patience.as_secs())),
        }
        Ok(())
    }

    /// Stops the workers after their current requests, and waits for them.
    pub async fn end(mut self) {
        self.stop.store(true, Ordering::Relaxed);
        while self.workers.join_next().await.is_some() {}
    }
}
