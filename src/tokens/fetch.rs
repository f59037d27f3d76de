//! Fetches a provider's keys, from a key set or through an OIDC issuer's discovery document.
//!
//! A fetch has a deadline and a size limit, follows no redirects, uses no proxy, and requires TLS except on this
//! machine.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::header::{ACCEPT, DATE, HeaderMap, HeaderValue};
use reqwest::{Client, Url};
use serde_json::Value;

use super::jwks::Keys;
use super::settings::ProviderSettings;
use crate::domain::time::Timestamp;
use crate::error_chain::error_chain;
use crate::http_client;

/// Time limit of a fetch, including discovery.
pub const FETCH_DEADLINE: Duration = Duration::from_secs(5);

/// Maximum bytes of a response.
const MAX_ANSWER: usize = 256 * 1024;

/// Path of the discovery document below an issuer (OpenID Connect Discovery 1.0).
const DISCOVERY: &str = "/.well-known/openid-configuration";

/// Where to find a provider's keys.
pub struct Source {
    client: Client,
    place: Place,
    deadline: Duration,
}

/// The response of the provider: its usable keys, and the number of all.
pub struct Fetched {
    /// The usable keys.
    pub keys: Keys,
    /// Total number of keys in the set.
    pub listed: usize,
    /// The provider's time.
    pub date: Option<Timestamp>,
}

enum Place {
    KeySet(Url),
    Issuer { name: String, description: Url },
}

/// Settings of a provider that cannot be used, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusableProvider {
    /// The address is invalid.
    #[error(
        "neither auth.issuer nor auth.jwks-url is an address that begins with https://, or http:// on this machine"
    )]
    Address,
    /// The HTTP client could not be built.
    #[error("{0}")]
    Client(String),
}

/// Why there are no keys, for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchFault {
    /// Not within the deadline.
    #[error("it did not answer in time")]
    TimedOut,
    /// No connection, or a broken one.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// The provider answered with this status.
    #[error("it answered with status {0}")]
    Status(u16),
    /// The answer is too large.
    #[error("its answer has more than {MAX_ANSWER} bytes")]
    TooLarge,
    /// The response is not JSON.
    #[error("its answer is not JSON")]
    NotJson,
    /// The discovery document belongs to another issuer.
    #[error("its issuer differs from auth.issuer; they must be identical")]
    OtherIssuer,
    /// The discovery document has no address of keys, or one that must not be used.
    #[error("its jwks_uri is missing, or is not an address that begins with https://, or http:// on this machine")]
    NoAddress,
    /// No key can verify signatures.
    #[error("it has no key for RS256, ES256 or EdDSA")]
    NoKeys,
}

/// Returns whether keys may be fetched from this address.
pub fn is_key_address(text: &str) -> bool {
    address(text).is_some()
}

/// Returns whether this may be the name of an issuer: an address without a query.
pub fn is_issuer(text: &str) -> bool {
    address(text).is_some_and(|url| url.query().is_none())
}

fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (plain && (url.scheme() == "https" || is_on_this_machine(&url))).then_some(url)
}

fn is_on_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    url.scheme() == "http" && number.map_or(host == "localhost", |number| number.is_loopback())
}

impl Source {
    /// Creates a fetcher for the address in the settings; a key set is stronger than an issuer.
    ///
    /// # Errors
    /// [`UnusableProvider`]
    pub fn new(settings: &ProviderSettings) -> Result<Self, UnusableProvider> {
        let place = match (&settings.jwks_url, &settings.issuer) {
            (Some(url), _) => address(url).map(Place::KeySet),
            (None, Some(issuer)) if is_issuer(issuer) => {
                let description = Url::parse(&format!("{}{DISCOVERY}", issuer.trim_end_matches('/'))).ok();
                description.map(|description| Place::Issuer { name: issuer.clone(), description })
            }
            _ => None,
        };
        let place = place.ok_or(UnusableProvider::Address)?;
        let first = match &place {
            Place::KeySet(url) | Place::Issuer { description: url, .. } => url,
        };
        let json = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let client = http_client::client(Client::builder().default_headers(json), first);
        let client = client.map_err(|error| UnusableProvider::Client(error_chain(&error)))?;
        Ok(Self { client, place, deadline: settings.deadline })
    }

    /// Fetches the current keys.
    ///
    /// # Errors
    /// [`FetchFault`]
    pub async fn fetch(&self) -> Result<Keys, FetchFault> {
        Ok(self.diagnose().await?.keys)
    }

    /// Fetches the keys, with further contents of the response.
    ///
    /// # Errors
    /// [`FetchFault`]
    pub async fn diagnose(&self) -> Result<Fetched, FetchFault> {
        tokio::time::timeout(self.deadline, self.fetch_all()).await.unwrap_or(Err(FetchFault::TimedOut))
    }

    async fn fetch_all(&self) -> Result<Fetched, FetchFault> {
        let (set, date) = match &self.place {
            Place::KeySet(url) => self.json(url.clone()).await?,
            Place::Issuer { name, description } => {
                let (said, _) = self.json(description.clone()).await?;
                if said.get("issuer").and_then(Value::as_str) != Some(name) {
                    return Err(FetchFault::OtherIssuer);
                }
                let keys = said.get("jwks_uri").and_then(Value::as_str).and_then(address);
                // An address that was found over TLS must use TLS as well.
                let keys = keys.filter(|keys| keys.scheme() == "https" || description.scheme() == "http");
                self.json(keys.ok_or(FetchFault::NoAddress)?).await?
            }
        };
        let keys = Keys::read(&set).ok_or(FetchFault::NoKeys)?;
        let listed = set.get("keys").and_then(Value::as_array).map_or(0, Vec::len);
        Ok(Fetched { keys, listed, date })
    }

    /// Returns the JSON at this address, and the server's time.
    async fn json(&self, url: Url) -> Result<(Value, Option<Timestamp>), FetchFault> {
        let unreachable = |error: reqwest::Error| FetchFault::Unreachable(error_chain(&error.without_url()));
        let mut response = self.client.get(url).send().await.map_err(unreachable)?;
        if response.status() != reqwest::StatusCode::OK {
            return Err(FetchFault::Status(response.status().as_u16()));
        }
        let date = response.headers().get(DATE).and_then(|date| Timestamp::from_http_date(date.to_str().ok()?));
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > MAX_ANSWER {
                return Err(FetchFault::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok((serde_json::from_slice(&body).map_err(|_| FetchFault::NotJson)?, date))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/tokens/fetch.rs"]
mod tests;
