//! A single attempt to deliver an event: a POST request with a deadline, which follows no redirects.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Method, Request, Response, StatusCode, Url};
use serde::Serialize;

use super::sign::Secrets;
use crate::domain::event::Event;
use crate::domain::hex;
use crate::domain::time::Timestamp;
use crate::error_chain::error_chain;
use crate::http_client;

#[cfg(feature = "simulation")]
#[path = "../../tests/simulation/seams/webhooks.rs"]
pub mod simulated;

/// Time limit for an attempt, including connecting.
pub const ATTEMPT: Duration = Duration::from_secs(15);

const NO_ADDRESS: &str = "webhook-urls contains an item that is not an http:// or https:// address";

/// An address to which events are sent.
pub struct Endpoint {
    /// Name of the endpoint in the store. The name is a digest of the address, because an address may contain a secret.
    pub name: String,
    pub host: String,
    transport: Transport,
    url: Url,
    secrets: Secrets,
}

/// The response to a request, or a text that says why there is none.
pub type PostResult = Result<Response, String>;

enum Transport {
    Http(Client),
    #[cfg(feature = "simulation")]
    Simulated(simulated::Receiver),
}

impl Transport {
    async fn send(&self, request: Request) -> PostResult {
        match self {
            #[cfg(feature = "simulation")]
            Transport::Simulated(receive) => receive(request).await,
            Transport::Http(client) => client.execute(request).await.map_err(|error| match error.is_timeout() {
                true => "it did not answer in time".to_owned(),
                false => error_chain(&error.without_url()),
            }),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    Accepted,
    /// The endpoint does not want any more events (status 410).
    Gone,
    Failed {
        reason: String,
        /// The wait that the endpoint requested, if any.
        asked: Option<Duration>,
    },
}

/// The body of a request, according to Standard Webhooks.
#[derive(Serialize)]
struct Payload<'e> {
    #[serde(rename = "type")]
    kind: &'e str,
    timestamp: Timestamp,
    data: &'e Event,
}

pub fn is_endpoint(text: &str) -> bool {
    address(text).is_some()
}

fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none() && url.has_host();
    (plain && matches!(url.scheme(), "http" | "https")).then_some(url)
}

/// Returns the name in the store (a digest of the address) and the host of the endpoint with the address `text`; `None`
/// if the address is invalid.
pub fn names_of(text: &str) -> Option<(String, String)> {
    address(text).map(|url| names(&url))
}

fn names(url: &Url) -> (String, String) {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, url.as_str().as_bytes());
    (hex::digits(digest.as_ref()), url.host_str().unwrap_or_default().to_owned())
}

impl Endpoint {
    pub fn new(url: &str, secrets: Secrets) -> Result<Self, String> {
        let url = address(url).ok_or(NO_ADDRESS)?;
        let client = http_client::client(Client::builder().timeout(ATTEMPT), &url)?;
        Ok(Self::over(Transport::Http(client), url, secrets))
    }

    fn over(transport: Transport, url: Url, secrets: Secrets) -> Self {
        let (name, host) = names(&url);
        Self { name, host, transport, url, secrets }
    }

    pub async fn send(&self, event: &Event, now: Timestamp) -> Attempt {
        let payload = Payload { kind: event.what.name(), timestamp: event.id.at, data: event };
        let body = match serde_json::to_string(&payload) {
            Ok(body) => body,
            Err(error) => return Attempt::Failed { reason: error.to_string(), asked: None },
        };
        let (id, seconds) = (event.id.to_string(), now.0.div_euclid(1000));
        let mut request = Request::new(Method::POST, self.url.clone());
        let signatures = HeaderValue::try_from(self.secrets.signatures(&id, seconds, &body));
        let (Ok(signatures), Ok(id)) = (signatures, HeaderValue::try_from(id)) else {
            return Attempt::Failed { reason: "its headers are invalid".to_owned(), asked: None };
        };
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert("webhook-signature", signatures);
        headers.insert("webhook-timestamp", seconds.into());
        headers.insert("webhook-id", id);
        *request.body_mut() = Some(body.into());
        match self.transport.send(request).await {
            Ok(response) => evaluate(&response, now),
            Err(reason) => Attempt::Failed { reason, asked: None },
        }
    }
}

/// Evaluates a response by its status and headers. Ignores the body, because reading a slow body would delay the next
/// event.
fn evaluate(response: &Response, now: Timestamp) -> Attempt {
    match response.status() {
        status if status.is_success() => Attempt::Accepted,
        StatusCode::GONE => Attempt::Gone,
        status => Attempt::Failed {
            reason: format!("it answered with status {}", status.as_u16()),
            asked: http_client::retry_after(response.headers(), now),
        },
    }
}

#[cfg(test)]
#[path = "../../tests/unit/webhooks/post.rs"]
mod tests;
