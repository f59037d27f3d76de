//! Requests with an `Idempotency-Key`, repeated until they are answered, and visits to the links that they create.

use std::time::Duration;

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::client::{Client, EDITOR, Reply, Response};

/// Maximum number of times that a request is sent.
const ATTEMPTS: u64 = 8;

/// What a keyed request creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation {
    /// An investigation. Its field `n` is the marker, by which the checks find what the request created.
    Investigation,
    /// A clone of the investigation with this id. The marker is the id of the clone's author.
    Clone(String),
    /// A link to the investigation with this id. The marker is part of the link's key.
    Link(String),
}

/// A keyed request and its results.
#[derive(Debug)]
pub struct Keyed {
    pub creation: Creation,
    pub marker: u64,
    /// `data` of every successful response.
    pub answers: Vec<Value>,
    /// True if an attempt without an answer may have been executed.
    pub is_open: bool,
    /// True if a response said that the investigation does not exist.
    pub is_unknown: bool,
}

#[derive(Debug)]
pub struct LinkVisits {
    /// Index in `Simulation::shared` of the investigation that the link leads to.
    pub leads_to: usize,
    pub key: String,
    pub sub_link: String,
    /// Count in the response to each visit.
    pub counts: Vec<u64>,
    pub unanswered: u64,
    /// True if a response said that the link does not exist.
    pub is_unknown: bool,
}

pub async fn create(client: &Client) -> Result<(), String> {
    let marker = client.simulation.marker();
    let body = json!({ "n": marker });
    let created = keyed(client, Creation::Investigation, marker, EDITOR, "/api/investigation", Some(body)).await?;
    let Some(id) = created.as_ref().and_then(|created| created["_id"].as_str()) else { return Ok(()) };
    let path = format!("/api/investigation/{id}");
    match client.ask(EDITOR, Method::GET, &path, None, None).await {
        Reply::Answer(Response { status: StatusCode::OK, json, .. }) if Some(&json["data"]) == created.as_ref() => {
            Ok(())
        }
        Reply::Answer(answer) => Err(format!("{created:?} was created, and then was {answer:?}")),
        Reply::Refused | Reply::Unanswered => Ok(()),
    }
}

pub async fn clone(client: &Client, source: &str) -> Result<(), String> {
    let marker = client.simulation.marker();
    let creation = Creation::Clone(source.to_owned());
    let path = format!("/api/investigation/{source}/clone");
    keyed(client, creation, marker, &user(marker), &path, None).await.map(drop)
}

/// Creates a link, whose sub-link the service chooses.
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

pub fn key(marker: u64) -> String {
    format!("k{marker}")
}

/// Returns a user with a unique id.
pub fn user(marker: u64) -> String {
    format!("{marker:024x}")
}

/// Sends a request until it is answered, and possibly again after that. Returns `data` of the response.
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
        // Some clients repeat a request without waiting for its answer.
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
    /// Records the result of an attempt. `is_repeat` is true if an earlier attempt was answered.
    fn note(&mut self, reply: Reply, is_repeat: bool) -> Result<(), String> {
        match reply {
            Reply::Refused => {}
            Reply::Unanswered => self.is_open = true,
            Reply::Answer(Response { status: StatusCode::CREATED, json, is_replayed }) => {
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

/// Visits one of the newest links.
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
        Reply::Answer(Response { status: StatusCode::OK, json, .. }) => {
            link.counts.push(json["data"]["visitCount"].as_u64().unwrap_or_default());
        }
        Reply::Answer(answer) if answer.code() == Some("link_not_found") => link.is_unknown = true,
        Reply::Answer(answer) => return Err(format!("a visit was answered {answer:?}")),
    }
    Ok(())
}
