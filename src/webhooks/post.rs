//! One attempt to deliver: a POST with a deadline, which follows no redirect and no proxy.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Method, Request, Response, StatusCode, Url};
use serde::Serialize;

use super::sign::Secrets;
use crate::domain::event::Event;
use crate::domain::event_view::EventView;
use crate::domain::hex;
use crate::domain::time::Timestamp;
use crate::error_chain::error_chain;
use crate::http_client;

/// Time limit of an attempt, including connecting.
pub const ATTEMPT: Duration = Duration::from_secs(15);

/// A receiver of events.
pub struct Endpoint {
    /// Name in the store: a digest, because an address may contain a secret.
    pub name: String,
    /// Host, for the log.
    pub host: String,
    transport: Transport,
    url: Url,
    secrets: Secrets,
}

/// The response to an attempt, or why there is none.
pub type PostResult = Result<Response, String>;

/// An attempt under way in a simulation.
pub type PostFuture = Pin<Box<dyn Future<Output = PostResult> + Send>>;

/// Sends requests to endpoints.
#[derive(Clone)]
pub enum Transport {
    /// HTTP.
    Http(Client),
    /// A simulation.
    Simulated(Arc<dyn Fn(Request) -> PostFuture + Send + Sync>),
}

impl Transport {
    async fn send(&self, request: Request) -> PostResult {
        match self {
            Transport::Simulated(send) => send(request).await,
            Transport::Http(client) => client.execute(request).await.map_err(|error| match error.is_timeout() {
                true => "it did not answer in time".to_owned(),
                false => error_chain(&error.without_url()),
            }),
        }
    }
}

/// An endpoint that cannot be used, in a sentence.
#[derive(Debug, thiserror::Error)]
pub enum UnusableEndpoint {
    /// No address.
    #[error("webhook-urls contains an item that is not an http:// or https:// address")]
    Address,
    /// The HTTP client could not be built.
    #[error("{0}")]
    Client(String),
}

/// Result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// Accepted.
    Taken,
    /// The endpoint never wants events again.
    Gone,
    /// Failed for this reason; the endpoint may have asked for a wait.
    Failed(String, Option<Duration>),
}

/// The form in which an event is sent.
#[derive(Serialize)]
struct Payload<'e> {
    #[serde(rename = "type")]
    kind: &'e str,
    timestamp: Timestamp,
    data: EventView,
}

/// Returns whether events can be sent to this address.
pub fn is_endpoint(text: &str) -> bool {
    address(text).is_some()
}

fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none() && url.has_host();
    (plain && matches!(url.scheme(), "http" | "https")).then_some(url)
}

/// Returns the names of the endpoint at this address for the store and for the log; `None` if the address is invalid.
pub fn names_of(text: &str) -> Option<(String, String)> {
    address(text).map(|url| names(&url))
}

fn names(url: &Url) -> (String, String) {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, url.as_str().as_bytes());
    (hex::digits(digest.as_ref()), url.host_str().unwrap_or_default().to_owned())
}

impl Endpoint {
    /// Returns the endpoint at this address.
    ///
    /// # Errors
    /// [`UnusableEndpoint`]
    pub fn new(url: &str, secrets: Secrets) -> Result<Self, UnusableEndpoint> {
        let address = address(url).ok_or(UnusableEndpoint::Address)?;
        let client = http_client::client(Client::builder().timeout(ATTEMPT), &address);
        let client = client.map_err(|error| UnusableEndpoint::Client(error_chain(&error)))?;
        Self::over(Transport::Http(client), url, secrets)
    }

    /// Returns the endpoint at this address, to be reached over this transport.
    ///
    /// # Errors
    /// [`UnusableEndpoint`]
    pub fn over(transport: Transport, url: &str, secrets: Secrets) -> Result<Self, UnusableEndpoint> {
        let url = address(url).ok_or(UnusableEndpoint::Address)?;
        let (name, host) = names(&url);
        Ok(Self { name, host, transport, url, secrets })
    }

    /// Sends an event.
    pub async fn send(&self, event: &Event, now: Timestamp) -> Attempt {
        let payload = Payload { kind: event.what.name(), timestamp: event.id.at, data: event.view() };
        let body = match serde_json::to_string(&payload) {
            Ok(body) => body,
            Err(error) => return Attempt::Failed(error.to_string(), None),
        };
        let (id, seconds) = (event.id.to_string(), now.0.div_euclid(1000));
        let mut request = Request::new(Method::POST, self.url.clone());
        let signatures = HeaderValue::try_from(self.secrets.signatures(&id, seconds, &body));
        let (Ok(signatures), Ok(id)) = (signatures, HeaderValue::try_from(id)) else {
            return Attempt::Failed("its headers are invalid".to_owned(), None);
        };
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert("webhook-signature", signatures);
        headers.insert("webhook-timestamp", seconds.into());
        headers.insert("webhook-id", id);
        *request.body_mut() = Some(body.into());
        match self.transport.send(request).await {
            Ok(response) => judged(&response, now),
            Err(reason) => Attempt::Failed(reason, None),
        }
    }
}

/// Judges a response by its head. The body is not read, because a slow one would delay the next event.
fn judged(response: &Response, now: Timestamp) -> Attempt {
    match response.status() {
        status if status.is_success() => Attempt::Taken,
        StatusCode::GONE => Attempt::Gone,
        status => Attempt::Failed(
            format!("it answered with status {}", status.as_u16()),
            http_client::retry_after(response.headers(), now),
        ),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/webhooks/post.rs"]
mod tests;
