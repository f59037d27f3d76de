//! A receiver of webhooks that all copies are to send what happens, and whether they did.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};

use crate::copies::Caller;
use crate::wait::until;

/// What has not come by then is taken for lost: a copy that is gone holds an endpoint for half a minute, and what has gathered
/// is sent one by one.
const PATIENCE: Duration = Duration::from_secs(180);

/// A receiver that takes everything, until the command ends.
pub struct Receiver {
    address: SocketAddr,
    /// The names of events, as they came.
    received: Arc<Mutex<Vec<String>>>,
}

/// What came of all events.
pub struct Delivered {
    pub events: usize,
    /// How often something came again.
    pub again: usize,
    /// What should not be.
    pub wrong: Vec<String>,
}

impl Receiver {
    /// On a port of its own.
    pub async fn start() -> Result<Self, String> {
        let received = Arc::new(Mutex::new(Vec::new()));
        let noted = received.clone();
        let take = async move |headers: HeaderMap| {
            let id = headers.get("webhook-id").and_then(|id| id.to_str().ok()).unwrap_or_default().to_owned();
            noted.lock().unwrap_or_else(PoisonError::into_inner).push(id);
            StatusCode::NO_CONTENT
        };
        let router = Router::new().route("/", post(take));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|e| e.to_string())?;
        let address = listener.local_addr().map_err(|e| e.to_string())?;
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, received })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    fn received(&self) -> Vec<String> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether all that happened until now was received, each for the first time in its order.
    ///
    /// # Errors
    /// Where the service does not say what happened.
    pub async fn check(&self, caller: &Caller) -> Result<Delivered, String> {
        let last = caller.must(caller.post("/api/investigation", &json!({"title": "the last word"}))).await?;
        let events = caller.events_about(last["data"]["_id"].as_str().unwrap_or_default()).await?;
        let last = events.last().cloned().unwrap_or_default();
        let has_come = async || self.received().contains(&last).then_some(());
        let mut wrong: Vec<String> =
            until("that the last event came", PATIENCE, has_come).await.err().into_iter().collect();
        let received = self.received();
        let mut known = BTreeSet::new();
        let first: Vec<&String> = received.iter().filter(|id| known.insert(*id)).collect();
        let missing = events.iter().filter(|id| !known.contains(id)).count();
        if missing > 0 {
            wrong.push(format!("{missing} of {} events never came", events.len()));
        } else if first.len() != events.len() {
            wrong.push(format!("{} came that never happened", first.len().abs_diff(events.len())));
        } else if let Some((came, due)) = first.into_iter().zip(&events).find(|(came, due)| came != due) {
            wrong.push(format!("{came} came before {due}"));
        }
        Ok(Delivered { events: events.len(), again: received.len() - known.len(), wrong })
    }
}

/// The name of the event in a piece of the stream, and the investigation that it is about; `None` where it is no event.
pub fn event(block: &str) -> Option<(String, String)> {
    let told: Value = serde_json::from_str(block.lines().find_map(|line| line.strip_prefix("data: "))?).ok()?;
    Some((told["id"].as_str()?.to_owned(), told["investigationId"].as_str()?.to_owned()))
}
