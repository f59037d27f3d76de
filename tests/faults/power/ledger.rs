//! Records the requests to the service, and checks that everything acknowledged before some moment is stored.

use std::collections::{BTreeMap, BTreeSet};

use parking_lot::{Mutex, MutexGuard};
use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, Outcome};
use crate::report::Line;

/// All links have the key `KEY`. The link that is visited has the sub-link `VISITED`.
const KEY: &str = "power";
pub const VISITED: &str = "visited";
/// Number of repetitions of a word in each document, so that the store has enough pages.
const TEXT: usize = 300;
/// Maximum number of versions that the list of versions returns.
const MOST_VERSIONS: u64 = 1000;

/// All requests, in the order of their responses.
#[derive(Default)]
pub struct Ledger {
    deeds: Mutex<Vec<Deed>>,
}

/// A request that changes something.
#[derive(Clone)]
pub struct Deed {
    /// Header `x-request-id`, which identifies the response in the recording.
    pub request: String,
    pub answered: bool,
    what: Write,
}

#[derive(Clone)]
enum Write {
    /// Creates an investigation. The `Idempotency-Key` is also its title. The id is empty without a response.
    Create {
        key: String,
        id: String,
    },
    /// Writes a value. The version and the revision are those in the response.
    Update {
        id: String,
        value: u64,
        version: u64,
        revision: u64,
    },
    Delete {
        id: String,
    },
    Link {
        name: String,
    },
    /// Visits the link. The number is the count in the response.
    Visit {
        number: u64,
    },
}

impl Ledger {
    fn deeds(&self) -> MutexGuard<'_, Vec<Deed>> {
        self.deeds.lock()
    }

    /// Returns the number of requests that succeeded.
    pub fn acknowledged(&self) -> usize {
        self.deeds().iter().filter(|deed| deed.answered).count()
    }

    /// Returns the keys of creations that have no response.
    pub fn unanswered_keys(&self) -> Vec<String> {
        let mut open = BTreeSet::new();
        for deed in self.deeds().iter() {
            if let Write::Create { key, .. } = &deed.what {
                if deed.answered {
                    open.remove(key)
                } else {
                    open.insert(key.clone())
                };
            }
        }
        open.into_iter().collect()
    }

    /// Sends a request and records it with its response. Returns the response if the request succeeded.
    async fn ask(
        &self,
        caller: &Caller,
        (method, path, body): (Method, &str, Option<Value>),
        headers: &[(&str, &str)],
        what: impl Fn(&Value) -> Write,
    ) -> Option<Value> {
        static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let request = format!("power-{}", NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        let headers = [headers, &[("x-request-id", request.as_str())]].concat();
        let outcome = caller.ask_with(method, path, body.as_ref(), &headers).await;
        let told = if let Outcome::Done(told) = outcome { Some(told) } else { None };
        let what = what(told.as_ref().unwrap_or(&Value::Null));
        self.deeds().push(Deed { request, answered: told.is_some(), what });
        told
    }

    /// Creates an investigation with this idempotency key. Returns its id if the request succeeded.
    pub async fn create(&self, caller: &Caller, key: &str) -> Option<String> {
        let id = |told: &Value| told["data"]["_id"].as_str().unwrap_or_default().to_owned();
        let what = |told: &Value| Write::Create { key: key.to_owned(), id: id(told) };
        let asked = (Method::POST, "/api/investigation", Some(creation(key)));
        self.ask(caller, asked, &[("idempotency-key", key)], what).await.map(|told| id(&told))
    }

    pub async fn update(&self, caller: &Caller, id: &str, value: u64) -> Option<Value> {
        let what = |told: &Value| {
            let number = |name: &str| told["updatedInvestigation"][name].as_u64().unwrap_or_default();
            Write::Update { id: id.to_owned(), value, version: number("version"), revision: number("revision") }
        };
        let path = format!("/api/investigation/{id}");
        self.ask(caller, (Method::PATCH, &path, Some(json!({ "count": value }))), &[], what).await
    }

    pub async fn delete(&self, caller: &Caller, id: &str) -> Option<Value> {
        let path = format!("/api/investigation/{id}");
        self.ask(caller, (Method::DELETE, &path, None), &[], |_| Write::Delete { id: id.to_owned() }).await
    }

    pub async fn link(&self, caller: &Caller, id: &str, name: &str) -> Option<Value> {
        let (path, body) =
            (format!("/api/link/investigation/{id}"), json!({"key": KEY, "subLink": name, "description": ""}));
        self.ask(caller, (Method::POST, &path, Some(body)), &[], |_| Write::Link { name: name.to_owned() }).await
    }

    pub async fn visit(&self, caller: &Caller) -> Option<Value> {
        let what = |told: &Value| Write::Visit { number: told["data"]["visitCount"].as_u64().unwrap_or_default() };
        self.ask(caller, (Method::GET, &format!("/api/link/{KEY}/{VISITED}"), None), &[], what).await
    }

    /// Checks that everything acknowledged is stored completely and once, and that everything stored was requested.
    pub async fn check(
        &self,
        caller: &Caller,
        acknowledged: impl Fn(&Deed) -> bool,
        line: &mut Line,
    ) -> Result<(), String> {
        let deeds: Vec<(Deed, bool)> = self.deeds().iter().map(|deed| (deed.clone(), acknowledged(deed))).collect();
        line.count.acknowledged += deeds.iter().filter(|(_, acknowledged)| *acknowledged).count() as u64;
        let mut visits = (0, 0, 0);
        // Deletions that were requested, by investigation. The value is true if the deletion was acknowledged.
        let mut deleted: BTreeMap<&str, bool> = BTreeMap::new();
        for (deed, acknowledged) in &deeds {
            match &deed.what {
                Write::Visit { number } if *acknowledged => {
                    visits = (visits.0 + 1, visits.1 + 1, *number.max(&visits.2))
                }
                Write::Visit { .. } => visits.0 += 1,
                Write::Delete { id } => *deleted.entry(id).or_default() |= acknowledged,
                _ => {}
            }
        }
        for (deed, _) in deeds.iter().filter(|(_, acknowledged)| *acknowledged) {
            match &deed.what {
                Write::Create { key, id } => created(caller, key, id, deleted.contains_key(id.as_str()), line).await,
                Write::Delete { id } => {
                    let there = caller.get(&format!("/api/investigation/{id}")).await;
                    lost(line, !is_missing(&there), || format!("{id} was deleted: {there:?}"));
                }
                Write::Link { name } if name == VISITED => counted(caller, visits, line).await,
                Write::Link { name } => {
                    let there = caller.get(&format!("/api/link/{KEY}/{name}/visits")).await;
                    lost(line, !matches!(there, Outcome::Done(_)), || format!("the link {name}: {there:?}"));
                }
                Write::Update { .. } | Write::Visit { .. } => {}
            }
        }
        let ids: BTreeSet<&str> = deeds.iter().filter_map(|(deed, _)| deed.updates()).collect();
        for id in ids {
            // If an investigation is missing, the checks above have already reported it.
            if let Outcome::Done(told) = caller.get(&format!("/api/investigation/{id}")).await {
                of_document(caller, id, &told["data"], &deeds, line).await?;
            }
        }
        Ok(())
    }
}

impl Deed {
    /// Returns the id of the investigation, if this is an update.
    fn updates(&self) -> Option<&str> {
        if let Write::Update { id, .. } = &self.what { Some(id) } else { None }
    }

    /// Returns true if this request causes an event.
    pub fn is_event(&self) -> bool {
        matches!(self.what, Write::Create { .. } | Write::Update { .. } | Write::Delete { .. })
    }
}

impl Ledger {
    /// Returns the number of events that the acknowledged requests caused. A repeated creation causes only one event.
    pub fn events(&self, acknowledged: impl Fn(&Deed) -> bool) -> usize {
        let deeds = self.deeds();
        let mut keys = BTreeSet::new();
        let made = deeds.iter().filter(|deed| deed.is_event() && acknowledged(deed)).filter(|deed| match &deed.what {
            Write::Create { key, .. } => keys.insert(key.clone()),
            _ => true,
        });
        made.count()
    }
}

fn creation(key: &str) -> Value {
    json!({"title": key, "count": 0, "text": "cress ".repeat(TEXT)})
}

fn is_missing(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed { code, .. } if code == "investigation_not_found")
}

/// Maximum length of the description of a loss, in characters, because responses can be long.
const LONGEST: usize = 200;

/// Records a loss, if `is_lost` is true.
pub fn lost(line: &mut Line, is_lost: bool, words: impl FnOnce() -> String) {
    if is_lost {
        line.count.lost += 1;
        line.wrong.push(words().chars().take(LONGEST).collect());
    }
}

/// Checks that a created investigation exists, and that repeating the request returns the same id.
async fn created(caller: &Caller, key: &str, id: &str, may_be_deleted: bool, line: &mut Line) {
    if may_be_deleted {
        return;
    }
    let there = caller.get(&format!("/api/investigation/{id}")).await;
    lost(line, !matches!(there, Outcome::Done(_)), || format!("{id} was created: {there:?}"));
    let path = "/api/investigation";
    let again = caller.ask_with(Method::POST, path, Some(&creation(key)), &[("idempotency-key", key)]).await;
    let same = matches!(&again, Outcome::Done(told) if told["data"]["_id"] == id);
    lost(line, !same, || format!("the first answer to {key} was {id}, and is {again:?}"));
}

/// Checks the visit count of the link. It must be at least the number of acknowledged visits and the highest count in a
/// response, and at most the number of requested visits.
async fn counted(caller: &Caller, (asked, acknowledged, greatest): (u64, u64, u64), line: &mut Line) {
    let there = caller.get(&format!("/api/link/{KEY}/{VISITED}/visits")).await;
    let counted = if let Outcome::Done(told) = &there { told["data"]["visitCount"].as_u64() } else { None };
    let least = greatest.max(acknowledged);
    lost(line, counted.is_none_or(|counted| counted < least), || format!("{least} visits were counted: {there:?}"));
    if counted > Some(asked) {
        line.wrong.push(format!("{counted:?} visits are counted, where {asked} were asked for"));
    }
}

/// Checks that the versions of an investigation contain all acknowledged updates and have no gap, and that the newest
/// one matches the document.
async fn of_document(
    caller: &Caller,
    id: &str,
    document: &Value,
    deeds: &[(Deed, bool)],
    line: &mut Line,
) -> Result<(), String> {
    let path = format!("/api/investigation/{id}/versions?limit={MOST_VERSIONS}");
    let records = caller.must(Method::GET, &path, None).await?;
    let value = |record: &Value| record["changes"][0]["after"].as_u64().unwrap_or_default();
    let records = records["data"].as_array().into_iter().flatten();
    let versions: BTreeMap<u64, u64> =
        records.map(|record| (record["version"].as_u64().unwrap_or_default(), value(record))).collect();
    let (mut asked, mut latest) = (BTreeSet::new(), 0);
    for (deed, acknowledged) in deeds {
        let Write::Update { id: of, value, version, revision } = &deed.what else { continue };
        if of != id {
            continue;
        }
        asked.insert(*value);
        if *acknowledged {
            latest = latest.max(*revision);
            let there = versions.get(version);
            lost(line, there != Some(value), || format!("{id}: {value} as version {version}, which is {there:?}"));
        }
    }
    let mut wrong = |is_wrong: bool, words: &str| line.wrong.extend(is_wrong.then(|| format!("{id}: {words}")));
    wrong(versions.values().any(|value| !asked.contains(value)), "a version that nobody asked for");
    let (version, value) = versions.last_key_value().map_or((0, 0), |(version, value)| (*version, *value));
    wrong(versions.len() as u64 != version, "a gap in the versions");
    wrong((&document["version"], &document["count"]) != (&json!(version), &json!(value)), "not its newest version");
    wrong(document["revision"].as_u64() < Some(latest), "an older revision than was acknowledged");
    Ok(())
}
