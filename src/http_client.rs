//! HTTP clients that connect only where the operator said, without proxies or redirects.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, ClientBuilder, Url, redirect};

use crate::domain::time::Timestamp;

/// A client for the host of this URL, built from `wishes`, without a proxy from the environment and without redirects.
///
/// # Errors
/// The library's error, without the URL.
pub fn client(wishes: ClientBuilder, url: &Url) -> Result<Client, reqwest::Error> {
    let client = wishes
        .user_agent(concat!("fieldbook/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .referer(false)
        .no_proxy();
    // Without TLS no certificates are needed, so a machine that has none can connect.
    let client = if url.scheme() == "http" { client.tls_certs_only([]) } else { client };
    client.build().map_err(reqwest::Error::without_url)
}

/// The wait that `Retry-After` asks for, in seconds or as a date; `None` if it is missing or invalid.
pub fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let milliseconds = Timestamp::from_http_date(text)?.0.saturating_sub(now.0);
    Some(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn asked(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_str(text).expect("a header"));
        // 2026-11-21T00:00:00Z
        retry_after(&headers, Timestamp(1_795_219_200_000))
    }

    #[test]
    fn patience_is_asked_for_in_seconds_or_with_a_date() {
        assert_eq!(asked("7"), Some(Duration::from_secs(7)));
        assert_eq!(asked("Sat, 21 Nov 2026 00:01:30 GMT"), Some(Duration::from_secs(90)));
        assert_eq!(asked("Fri, 20 Nov 2026 00:00:00 GMT"), Some(Duration::ZERO));
        for senseless in ["soon", "-1", "1.5", "99999999999999999999999", ""] {
            assert_eq!(asked(senseless), None, "{senseless}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), Timestamp(0)), None);
    }
}
