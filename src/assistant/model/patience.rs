//! How long to wait before a call is made again: what the endpoint asks for, else longer each time.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::domain::time::Timestamp;

/// A call is made again so many times.
pub const RETRIES: u32 = 3;

/// The wait before the first retry; it doubles each time.
const FIRST: Duration = Duration::from_millis(200);

/// Whether an answer with this status may be another one a little later.
pub fn passes(status: StatusCode) -> bool {
    status == StatusCode::REQUEST_TIMEOUT || status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
}

/// What `Retry-After` asks for, given in seconds or as a date; nothing where it is missing or makes no sense.
pub fn asked_for(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let milliseconds = Timestamp::from_http_date(text)?.0.saturating_sub(now.0);
    Some(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

/// The wait before retry number `retry`, counted from 0. `spread` (any number) keeps callers from coming back together.
pub fn back_off(retry: u32, spread: u8) -> Duration {
    FIRST * 2_u32.saturating_pow(retry) * (256 + u32::from(spread)) / 512
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn asked(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_str(text).expect("a header"));
        // 2026-11-21T00:00:00Z
        asked_for(&headers, Timestamp(1_795_219_200_000))
    }

    #[test]
    fn the_endpoint_asks_for_patience_in_seconds_or_with_a_date() {
        assert_eq!(asked("7"), Some(Duration::from_secs(7)));
        assert_eq!(asked("Sat, 21 Nov 2026 00:01:30 GMT"), Some(Duration::from_secs(90)));
        assert_eq!(asked("Fri, 20 Nov 2026 00:00:00 GMT"), Some(Duration::ZERO));
        for senseless in ["soon", "-1", "1.5", "99999999999999999999999", ""] {
            assert_eq!(asked(senseless), None, "{senseless}");
        }
        assert_eq!(asked_for(&HeaderMap::new(), Timestamp(0)), None);
    }

    #[test]
    fn each_wait_is_longer_than_the_one_before() {
        assert_eq!(back_off(0, 0), Duration::from_millis(100));
        assert!(back_off(0, 255) < back_off(1, 0) + Duration::from_millis(1));
        assert!(back_off(0, 255) < Duration::from_millis(200));
        assert!(back_off(2, 255) < Duration::from_millis(800));
    }
}
