//! Clients that send requests for one investigation and record the answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::Dice;
use super::check::Event;
use super::model::{Answer, Asked, Call, State};
use crate::caller::{self, Caller, Response};

pub enum Outcome {
    Answer(Answer),
    /// The request changed nothing, as the response says or because no connection was made.
    Refused,
    /// The request may or may not have been executed.
    Unanswered,
}

/// Value of the field in every new investigation.
const FIRST_VALUE: u64 = 0;
/// Number of different values. Values repeat, so that some updates change nothing.
const VALUES: u64 = 5;

/// An investigation that several clients share.
pub struct Shared {
    id: String,
    moments: AtomicU64,
}

impl Shared {
    /// Creates an investigation.
    pub async fn create(caller: &Caller) -> Result<Arc<Self>, String> {
        // The investigation has an author from the start, because the first update of one without an author would also
        // set the author.
        let body = json!({"n": FIRST_VALUE, "metadata": {"author": "cccccccccccccccccccccccc"}});
        let created = caller.must(Method::POST, "/api/investigation", Some(&body)).await?;
        let id = created["data"]["_id"].as_str().ok_or_else(|| format!("not created: {created}"))?.to_owned();
        Ok(Arc::new(Self { id, moments: AtomicU64::new(0) }))
    }

    pub fn begin() -> State {
        State::new(FIRST_VALUE)
    }

    fn moment(&self) -> u64 {
        self.moments.fetch_add(1, Ordering::SeqCst)
    }
}

/// Makes all clients send `calls` requests each for one investigation, at the same time. Returns the requests with
/// their answers.
pub async fn record(shared: &Arc<Shared>, clients: &[Caller], calls: usize, seed: u64) -> Result<Vec<Event>, String> {
    let mut tasks = JoinSet::new();
    for (by, client) in clients.iter().enumerate() {
        let dice = Dice::new(seed, by as u64);
        tasks.spawn(ask_again_and_again(shared.clone(), client.clone(), by, calls, dice));
    }
    let mut events = Vec::new();
    while let Some(task) = tasks.join_next().await {
        events.extend(task.map_err(|e| format!("a client failed: {e}"))??);
    }
    Ok(events)
}

async fn ask_again_and_again(
    shared: Arc<Shared>,
    client: Caller,
    by: usize,
    calls: usize,
    mut dice: Dice,
) -> Result<Vec<Event>, String> {
    let mut events = Vec::new();
    let (mut revision, mut version) = (1, 0);
    for _ in 0..calls {
        let call = choose(&mut dice, revision, version);
        let begin = shared.moment();
        let outcome = ask(&client, &shared.id, call).await?;
        let end = shared.moment();
        match outcome {
            Outcome::Refused => {}
            Outcome::Unanswered => events.push(Event { by, call, told: None, begin, end: u64::MAX }),
            Outcome::Answer(told) => {
                events.push(Event { by, call, told: Some(told), begin, end });
                match told {
                    Answer::Stands { revision: seen, version: at, .. } => (revision, version) = (seen, version.max(at)),
                    Answer::Changed { revision: seen } => revision = seen,
                    _ => {}
                }
            }
        }
    }
    Ok(events)
}

/// Returns a random call of a client that last saw this revision, and no version above `version`.
pub fn choose(dice: &mut Dice, revision: u64, version: u64) -> Call {
    let asked = match dice.throw(100) {
        0..30 => Asked::Update(dice.throw(VALUES)),
        30..52 => Asked::Undo,
        52..70 => Asked::Redo,
        70..82 => Asked::Restore(dice.throw(version + 2)),
        82..92 => Asked::Read,
        92..99 => Asked::ReadVersion(dice.throw(version + 2)),
        // Deletions are rare, because no request succeeds after a deletion.
        _ if dice.throw(8) == 0 => Asked::Delete,
        _ => Asked::Read,
    };
    let changes = !matches!(asked, Asked::Read | Asked::ReadVersion(_));
    Call { asked, only_on: (changes && dice.throw(2) == 0).then_some(revision) }
}

async fn ask(client: &Caller, id: &str, call: Call) -> Result<Outcome, String> {
    let (method, path, body) = request(id, call.asked);
    let only_on = call.only_on.map(|revision| format!("\"{revision}\""));
    let headers: Vec<(&str, &str)> = only_on.iter().map(|revision| ("if-match", revision.as_str())).collect();
    let Response { status, json, .. } = match client.send(method, &path, body.as_ref(), &headers).await {
        Ok(response) => response,
        Err(caller::Outcome::NotConnected) => return Ok(Outcome::Refused),
        Err(_) => return Ok(Outcome::Unanswered),
    };
    read(call.asked, status.as_u16(), &json).ok_or_else(|| format!("{call:?} was answered {status} {json}"))
}

/// Returns the HTTP request for an operation.
pub fn request(id: &str, asked: Asked) -> (Method, String, Option<Value>) {
    let at = format!("/api/investigation/{id}");
    match asked {
        Asked::Read => (Method::GET, at, None),
        Asked::ReadVersion(version) => (Method::GET, format!("{at}/versions/{version}"), None),
        Asked::Update(value) => (Method::PATCH, at, Some(json!({ "n": value }))),
        Asked::Undo => (Method::POST, format!("{at}/undo"), None),
        Asked::Redo => (Method::POST, format!("{at}/redo"), None),
        Asked::Restore(version) => (Method::POST, format!("{at}/versions/{version}/restore"), None),
        Asked::Delete => (Method::DELETE, at, None),
    }
}

/// Reads a response. Returns `None` if the contract does not allow the response.
pub fn read(asked: Asked, status: u16, told: &Value) -> Option<Outcome> {
    let answer = match (status, told["code"].as_str()) {
        (200, None) => match asked {
            Asked::Delete => Answer::Deleted,
            Asked::ReadVersion(_) => Answer::Was { value: told["data"]["n"].as_u64()? },
            _ => {
                let stands = if told["data"].is_null() { &told["updatedInvestigation"] } else { &told["data"] };
                let number = |name: &str| stands[name].as_u64();
                Answer::Stands { revision: number("revision")?, version: number("version")?, value: number("n")? }
            }
        },
        (412, Some("revision_mismatch")) => Answer::Changed { revision: number_in(told["error"].as_str()?)? },
        (_, Some("nothing_to_undo")) => Answer::NothingToUndo,
        (_, Some("nothing_to_redo")) => Answer::NothingToRedo,
        (_, Some("version_not_found")) => Answer::NoSuchVersion,
        (_, Some("investigation_not_found")) => Answer::Unknown,
        (_, Some("busy" | "too_many_changes")) => return Some(Outcome::Refused),
        (_, Some("store_unavailable")) => return Some(Outcome::Unanswered),
        _ => return None,
    };
    Some(Outcome::Answer(answer))
}

fn number_in(sentence: &str) -> Option<u64> {
    let digits = sentence.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit);
    digits.collect::<String>().parse().ok()
}
