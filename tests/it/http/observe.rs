//! The request id.

use reqwest::StatusCode;

use crate::support::{TestApp, raw::Raw};

#[tokio::test]
async fn valid_request_id_header_is_returned_in_the_answer() {
    let (_app, anon, _) = TestApp::start().await;
    let longest = "r".repeat(128);
    for id in ["a", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "{\"a\":1}", &longest] {
        for path in ["/health/live", "/api/investigation", "/nothing", "/docs/"] {
            let answer = anon.clone().with_header("x-request-id", id).get(path).await;
            assert_eq!(answer.header("x-request-id"), Some(id), "{path}");
        }
    }
}

#[tokio::test]
async fn missing_or_invalid_request_id_is_replaced_by_a_generated_id() {
    let (app, _, _) = TestApp::start().await;
    let mut raw = Raw::connect(&app).await;
    let mut made = Vec::new();
    for header in [
        Vec::new(),
        b"x-request-id: \r\n".to_vec(),
        b"x-request-id: two words\r\n".to_vec(),
        b"x-request-id: a\tb\r\n".to_vec(),
        b"x-request-id: caf\xc3\xa9\r\n".to_vec(),
        format!("x-request-id: {}\r\n", "r".repeat(129)).into_bytes(),
    ] {
        let answer = raw.ask([b"GET /health/live HTTP/1.1\r\nhost: x\r\n", &header[..], b"\r\n"].concat()).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer}");
        let id = answer.header("x-request-id").expect("an id").to_owned();
        assert!(id.strip_prefix("req-").is_some_and(|id| id.len() == 24), "{id}");
        assert!(!made.contains(&id), "{id}");
        made.push(id);
    }
}
