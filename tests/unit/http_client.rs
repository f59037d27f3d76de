//! Unit tests of `src/http_client.rs`.

use super::*;
use reqwest::header::HeaderValue;

fn asked(text: &str) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    headers.insert(RETRY_AFTER, HeaderValue::from_str(text).expect("a header"));
    // 2026-11-21T00:00:00Z
    retry_after(&headers, Timestamp(1_795_219_200_000))
}

#[test]
fn retry_after_is_in_seconds_or_a_date() {
    assert_eq!(asked("7"), Some(Duration::from_secs(7)));
    assert_eq!(asked("299.997"), Some(Duration::from_millis(299_997)));
    assert_eq!(asked("Sat, 21 Nov 2026 00:01:30 GMT"), Some(Duration::from_secs(90)));
    assert_eq!(asked("Fri, 20 Nov 2026 00:00:00 GMT"), Some(Duration::ZERO));
    for senseless in ["soon", "-1", "inf", "NaN", "99999999999999999999999", ""] {
        assert_eq!(asked(senseless), None, "{senseless}");
    }
    assert_eq!(retry_after(&HeaderMap::new(), Timestamp(0)), None);
}
