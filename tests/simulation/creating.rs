//! Requests with an `Idempotency-Key`, sent again until they are answered, and visits of the links that come of them.

use std::time::Duration;

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::client::{Answer, Client, EDITOR, Reply};

/// A request is sent this often at most.
const ATTEMPTS: u64 = 8;

/// What a keyed request creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation {
    /// An investigation; its `n` is the marker.
    Investigation,
    /// A clone of this investigation; its author is the marker.
    Clone(String),
    /// A link to this investigation; its key is the marker.
    Link(String),
}

/// A keyed request, with all that came of it.
#[derive(Debug)]
pub struct Keyed {
    pub creation: Creation,
    pub marker: u64,
    /// `data` of every answer.
    pub answers: Vec<Value>,
    /// Whether an attempt may have been done without an answer.
    pub is_open: bool,
    /// Whether the service said that its investigation is not there.
    pub is_unknown: bool,
}

/// A link, and how it was visited.
#[derive(Debug)]
pub struct LinkVisits {
    /// Which of the shared investigations it leads to.
    pub leads_to: usize,
    pub key: String,
    pub sub_link: String,
    /// The count after each visit that was answered.
    pub counts: Vec<u64>,
    pub unanswered: u64,
    /// Whether the service said that it is not there.
    pub is_unknown: bool,
}

/// Creates an investigation of its own.
pub async fn create(client: &Client) -> Result<(), String> {
    let marker = client.simulation.marker();
    let body = json!({ "n": marker });
    let created = keyed(client, Creation::Investigation, marker, EDITOR, "/api/investigation", Some(body)).await?;
    let Some(id) = created.as_ref().and_then(|created| created["_id"].as_str()) else { return Ok(()) };
    let path = format!("/api/investigation/{id}");
    match client.ask(EDITOR, Method::GET, &path, None, None).await {
        Reply::Answer(Answer { status: StatusCode::OK, json, .. }) if Some(&json["data"]) == created.as_ref() => Ok(()),
        Reply::Answer(answer) => Err(format!("{created:?} was created, and then was {answer:?}")),
        Reply::Refused | Reply::Unanswered => Ok(()),
    }
}

/// Clones an investigation.
pub async fn clone(client: &Client, source: &str) -> Result<(), String> {
    let marker = client.simulation.marker();
    let creation = Creation::Clone(source.to_owned());
    let path = format!("/api/investigation/{source}/clone");
    keyed(client, creation, marker, &user(marker), &path, None).await.map(drop)
}

/// Creates a link; the service makes one half of its name.
pub async fn link(client: &Client, leads_to: usize, investigation: &str) -> Result<(), String> {
    let marker = client.simulation.marker();
    let creation = Creation::Link(investigation.to_owned());
    let body = json!({"key": key(marker), "description": ""});
    let path = format!("/api/link/investigation/{investigation}");
    if let Some(link) = keyed(client, creation, marker, EDITOR, &path, Some(body)).await? {
        let sub_link = link["subLink"].as_str().unwrap_or_default().to_owned();
        let link =
            LinkVisits { leads_to, key: key(marker), sub_link, counts: vec![], unanswered: 0, is_unknown: false };
        client.simulation.links.borrow_mut().push(link);
    }
    Ok(())
}

/// The key of a link.
pub fn key(marker: u64) -> String {
    format!("k{marker}")
}

/// A user that nobody else is.
pub fn user(marker: u64) -> String {
    format!("{marker:024x}")
}

/// Sends a request until it is answered, and perhaps once more. Gives `data` of the answer.
async fn keyed(
    client: &Client,
    creation: Creation,
    marker: u64,
    user: &str,
    path: &str,
    body: Option<Value>,
) -> Result<Option<Value>, String> {
    let mut keyed = Keyed { creation, marker, answers: vec![], is_open: false, is_unknown: false };
    let header = ("idempotency-key", format!("key-{marker}"));
    let ask = || client.ask(user, Method::POST, path, Some(header.clone()), body.as_ref());
    for _ in 0..ATTEMPTS {
        // Some do not wait for an answer before they send it again.
        let twice = client.throw(6) == 0;
        let replies = match twice {
            true => <[Reply; 2]>::from(tokio::join!(ask(), ask())).into(),
            false => vec![ask().await],
        };
        let was_answered = !keyed.answers.is_empty();
        for reply in replies {
            keyed.note(reply, was_answered && !twice)?;
        }
        if keyed.is_unknown || (was_answered || (!keyed.answers.is_empty() && client.throw(3) > 0)) {
            break;
        }
        sleep(Duration::from_millis(100 + client.throw(2000))).await;
    }
    let data = keyed.answers.first().cloned();
    client.simulation.keyed.borrow_mut().push(keyed);
    Ok(data)
}

impl Keyed {
    /// `is_repeat` where an earlier request was answered.
    fn note(&mut self, reply: Reply, is_repeat: bool) -> Result<(), String> {
        match reply {
            Reply::Refused => {}
            Reply::Unanswered => self.is_open = true,
            Reply::Answer(Answer { status: StatusCode::CREATED, json, is_replayed }) => {
                if is_repeat && !is_replayed {
                    return Err(format!("a repeat of an answered request is not marked as one: {json}"));
                }
                self.answers.push(json["data"].clone());
            }
            Reply::Answer(answer) if answer.code() == Some("investigation_not_found") => self.is_unknown = true,
            Reply::Answer(answer) => return Err(format!("{:?} was answered {answer:?}", self.creation)),
        }
        Ok(())
    }
}

/// Visits one of the links that are known.
pub async fn visit(client: &Client) -> Result<(), String> {
    let links = client.simulation.links.borrow().len();
    let Some(last) = links.checked_sub(1) else { return Ok(()) };
    let which = last - client.throw(links.min(3) as u64) as usize;
    let path = {
        let links = client.simulation.links.borrow();
        format!("/api/link/{}/{}", links[which].key, links[which].sub_link)
    };
    let reply = client.ask(EDITOR, Method::GET, &path, None, None).await;
    let link = &mut client.simulation.links.borrow_mut()[which];
    match reply {
        Reply::Refused => {}
        Reply::Unanswered => link.unanswered += 1,
        Reply::Answer(Answer { status: StatusCode::OK, json, .. }) => {
            link.counts.push(json["data"]["visitCount"].as_u64().unwrap_or_default());
        }
        Reply::Answer(answer) if answer.code() == Some("link_not_found") => link.is_unknown = true,
        Reply::Answer(answer) => return Err(format!("a visit was answered {answer:?}")),
    }
    Ok(())
}
