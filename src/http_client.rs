//! HTTP clients that ask only the configured address: directly, or through a proxy that the environment names. They
//! follow no redirects.

use std::time::Duration;

use hyper_util::client::proxy::matcher::Intercept;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, ClientBuilder, Response, Url, redirect};

use crate::domain::time::Timestamp;
use crate::error_chain::error_chain;
use crate::proxy;

/// Schemes of the proxies that clients support.
const PROXIES: [&str; 2] = ["http", "https"];

/// Creates a client for requests to `url`, with these options. The client uses the proxies in `HTTPS_PROXY`,
/// `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, but none for addresses on this machine. It follows no redirects.
///
/// # Errors
/// A message without the URL: about a proxy that cannot be used, or from the HTTP library.
pub fn client(options: ClientBuilder, url: &Url) -> Result<Client, String> {
    let proxy = proxy::of(url.as_str(), &PROXIES).map_err(|error| error.to_string())?;
    built(options, url, proxy.as_ref())
}

fn built(options: ClientBuilder, url: &Url, proxy: Option<&Intercept>) -> Result<Client, String> {
    let client = options
        .user_agent(concat!("fieldbook/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .referer(false)
        // No connection is kept for reuse. Servers close idle ones after some seconds, and a request written at that
        // moment would be lost: the library does not repeat a request that the server may have read.
        .pool_max_idle_per_host(0);
    let client = if proxy.is_none() { client.no_proxy() } else { client };
    // Without TLS no certificates are needed, so the client also works on a machine without certificates.
    let has_tls = url.scheme() == "https" || proxy.is_some_and(|proxy| proxy.uri().scheme_str() == Some("https"));
    let client = if has_tls { client } else { client.tls_certs_only([]) };
    client.build().map_err(|error| error_chain(&error.without_url()))
}

/// Sends a GET request to `url`, an address of this machine. The answer must arrive within `limit`.
///
/// # Errors
/// A text that says why there is no answer.
pub async fn get(url: &str, limit: Duration) -> Result<Response, String> {
    let url: Url = url.parse().map_err(|error| error_chain(&error))?;
    let client = built(Client::builder().timeout(limit), &url, None)?;
    client.get(url).send().await.map_err(|error| error_chain(&error.without_url()))
}

#[derive(Debug)]
pub enum BodyError {
    ConnectionBroken(reqwest::Error),
    TooLarge,
}

/// Reads the body of a response, up to `most` bytes.
pub async fn body(mut response: Response, most: usize) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(BodyError::ConnectionBroken)? {
        if body.len() + chunk.len() > most {
            return Err(BodyError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Returns the wait that a response asks for in `Retry-After`, in seconds or as a date. A past date means no wait.
/// Returns `None` if the header is missing or invalid.
pub fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    // Some services send fractions, although the standard has only whole seconds.
    if let Ok(seconds) = text.parse() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let milliseconds = Timestamp::from_http_date(text)?.0.saturating_sub(now.0);
    Some(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

#[cfg(test)]
#[path = "../tests/unit/http_client.rs"]
mod tests;
