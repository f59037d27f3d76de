//! How requests are framed.

use reqwest::StatusCode;

use crate::support::{TestApp, raw::Raw};

/// The longest head that is taken, as SECURITY.md has it.
const LONGEST_HEAD: usize = 64 * 1024;

#[tokio::test]
async fn a_head_of_64_kib_is_taken_and_a_longer_one_refused() {
    let (app, _, _) = TestApp::start().await;
    let head = |length: usize| {
        let (start, end) = ("GET /health/live HTTP/1.1\r\nhost: x\r\nx-long: ", "\r\n\r\n");
        format!("{start}{}{end}", "y".repeat(length - start.len() - end.len()))
    };
    let mut raw = Raw::connect(&app).await;
    assert_eq!(raw.ask(head(LONGEST_HEAD)).await.status, StatusCode::OK);
    assert_eq!(raw.ask(head(LONGEST_HEAD)).await.status, StatusCode::OK, "the next one may be as long");
    for length in [LONGEST_HEAD + 1, 100_000, 2_000_000] {
        let mut raw = Raw::connect(&app).await;
        let refused = raw.ask(head(length)).await;
        let seen = (refused.status, refused.header("connection"));
        assert_eq!(seen, (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, Some("close")), "{length}");
        assert_eq!(raw.closed().await, "", "{length}");
    }
}
