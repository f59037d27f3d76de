//! A webhook receiver to which all copies send their events. Checks that every event arrives.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use parking_lot::Mutex;
use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::wait::until;

/// Time after which a missing event counts as lost. It is long, because a killed copy keeps its lease of an endpoint
/// for half a minute, and waiting events are sent one by one.
const PATIENCE: Duration = Duration::from_secs(180);

/// A receiver that accepts everything until the command ends.
pub struct Receiver {
    address: SocketAddr,
    /// Ids of the events, in the order of arrival.
    received: Arc<Mutex<Vec<String>>>,
}

/// Result of all deliveries.
pub struct Delivered {
    pub events: usize,
    /// Number of deliveries that were repeated.
    pub again: usize,
    pub wrong: Vec<String>,
}

impl Receiver {
    /// Starts a receiver on a free port.
    pub async fn start() -> Result<Self, String> {
        let received = Arc::new(Mutex::new(Vec::new()));
        let noted = received.clone();
        let take = async move |headers: HeaderMap| {
            let id = headers.get("webhook-id").and_then(|id| id.to_str().ok()).unwrap_or_default().to_owned();
            noted.lock().push(id);
            StatusCode::NO_CONTENT
        };
        let router = Router::new().route("/", post(take));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|e| e.to_string())?;
        let address = listener.local_addr().map_err(|e| e.to_string())?;
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, received })
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    fn received(&self) -> Vec<String> {
        self.received.lock().clone()
    }

    /// Checks that every event so far was received, and that the first deliveries were in the order of the events.
    pub async fn check(&self, caller: &Caller) -> Result<Delivered, String> {
        let body = json!({"title": "the last word"});
        let last = caller.must(Method::POST, "/api/investigation", Some(&body)).await?;
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

/// Reads a block of the event stream. Returns the id of the event in the block, and the id of the investigation that
/// the event is about. Returns `None` if the block has no event.
pub fn event(block: &str) -> Option<(String, String)> {
    let told: Value = serde_json::from_str(block.lines().find_map(|line| line.strip_prefix("data: "))?).ok()?;
    Some((told["id"].as_str()?.to_owned(), told["investigationId"].as_str()?.to_owned()))
}
