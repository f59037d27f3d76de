//! Fetches a provider's keys from a key set. The address of the key set is configured, or is read from the discovery
//! document of an OIDC issuer.
//!
//! A fetch has a deadline and a size limit, and does not follow redirects. It requires TLS unless the address is on this
//! machine.

use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::{Client, Url};
use serde_json::Value;

use super::jwks::Keys;
use super::settings::ProviderSettings;
use crate::error_chain::error_chain;
use crate::http_client::{self, BodyError};
use crate::proxy;

/// Time limit for fetching a provider's keys, including discovery.
pub const FETCH_DEADLINE: Duration = Duration::from_secs(5);

/// Maximum size of a response, in bytes.
const MAX_ANSWER: usize = 256 * 1024;

/// Path of the discovery document below an issuer (OpenID Connect Discovery 1.0).
const DISCOVERY: &str = "/.well-known/openid-configuration";

pub struct Source {
    client: Client,
    key_source: KeySource,
    deadline: Duration,
}

enum KeySource {
    KeySet(Url),
    Issuer { name: String, description: Url },
}

/// Why no keys could be fetched: a phrase about "it", the provider.
type Fault = String;

/// Returns whether a text is an address for fetching keys: `https://…`, or `http://…` on this machine.
pub fn is_key_address(text: &str) -> bool {
    address(text).is_some()
}

/// Returns whether a text may be the name of an issuer: an address as in [`is_key_address`], without a query.
pub fn is_issuer(text: &str) -> bool {
    address(text).is_some_and(|url| url.query().is_none())
}

fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (plain && (url.scheme() == "https" || is_plain_on_this_machine(&url))).then_some(url)
}

fn is_plain_on_this_machine(url: &Url) -> bool {
    url.scheme() == "http" && url.host_str().is_some_and(proxy::is_on_this_machine)
}

impl Source {
    /// Creates a source for the address in the settings. If both a key set and an issuer are given, the key set is
    /// used.
    pub fn new(settings: &ProviderSettings) -> Result<Self, String> {
        let key_source = match (&settings.jwks_url, &settings.issuer) {
            (Some(url), _) => address(url).map(KeySource::KeySet),
            (None, Some(issuer)) if is_issuer(issuer) => {
                let description = Url::parse(&format!("{}{DISCOVERY}", issuer.trim_end_matches('/'))).ok();
                description.map(|description| KeySource::Issuer { name: issuer.clone(), description })
            }
            _ => None,
        };
        let key_source = key_source.ok_or(
            "neither auth.issuer nor auth.jwks-url is an address that begins with https://, or http:// on this machine",
        )?;
        let first = match &key_source {
            KeySource::KeySet(url) | KeySource::Issuer { description: url, .. } => url,
        };
        let json = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let client = http_client::client(Client::builder().default_headers(json), first);
        let client = client.map_err(|error| error_chain(&error))?;
        Ok(Self { client, key_source, deadline: settings.deadline })
    }

    pub async fn fetch(&self) -> Result<Keys, Fault> {
        let fetched = tokio::time::timeout(self.deadline, self.fetch_all()).await;
        fetched.unwrap_or_else(|_| Err("it did not answer in time".to_owned()))
    }

    async fn fetch_all(&self) -> Result<Keys, Fault> {
        let set = match &self.key_source {
            KeySource::KeySet(url) => self.json(url.clone()).await?,
            KeySource::Issuer { name, description } => {
                let said = self.json(description.clone()).await?;
                if said.get("issuer").and_then(Value::as_str) != Some(name) {
                    return Err("its issuer differs from auth.issuer; they must be identical".to_owned());
                }
                let keys = said.get("jwks_uri").and_then(Value::as_str).and_then(address);
                // If the issuer's address uses TLS, the address of the keys must use TLS as well.
                let keys = keys.filter(|keys| keys.scheme() == "https" || description.scheme() == "http");
                let keys = keys.ok_or(
                    "its jwks_uri is missing, or is not an address that begins with https://, or http:// on this machine",
                )?;
                self.json(keys).await?
            }
        };
        Keys::read(&set).ok_or_else(|| "it has no key for RS256, ES256 or EdDSA".to_owned())
    }

    async fn json(&self, url: Url) -> Result<Value, Fault> {
        let unreachable =
            |error: reqwest::Error| format!("it cannot be reached: {}", error_chain(&error.without_url()));
        let response = self.client.get(url).send().await.map_err(unreachable)?;
        if response.status() != reqwest::StatusCode::OK {
            return Err(format!("it answered with status {}", response.status().as_u16()));
        }
        let body = http_client::body(response, MAX_ANSWER).await.map_err(|error| match error {
            BodyError::ConnectionBroken(error) => unreachable(error),
            BodyError::TooLarge => format!("its answer has more than {MAX_ANSWER} bytes"),
        })?;
        serde_json::from_slice(&body).map_err(|_| "its answer is not JSON".to_owned())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/tokens/fetch.rs"]
mod tests;
