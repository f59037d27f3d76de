//! Endpoints that fail, stall, redirect or refuse, and the log lines about such failures.

use std::time::Duration;

use fieldbook::assistant::model::preset::OPENAI_COMPATIBLE;
use fieldbook::assistant::model::{Model, ModelError, ModelSettings};
use fieldbook::clock::Clock;
use fieldbook::ids::Ids;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::ResponseTemplate;

use super::endpoint::{NOTHING, detected};
use super::{Endpoint, ended, found, model_at, said};
use crate::support::START;

/// Starts an endpoint that sends these bytes and then holds or closes the connection. Returns its address.
async fn raw(bytes: &'static str, hold: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = vec![0; 64 * 1024];
            let _ = socket.read(&mut request).await;
            let _ = socket.write_all(bytes.as_bytes()).await;
            if hold {
                held.push(socket);
            }
        }
    });
    format!("http://{address}")
}

#[tokio::test]
async fn next_model_call_uses_optional_features_again_if_the_endpoint_refused_requests_without_them_too() {
    let refusals = (0..3).map(|_| ResponseTemplate::new(404));
    let endpoint = Endpoint::saying(refusals.chain([said(&found(json!([])))])).await;
    let model = endpoint.model();
    assert_eq!(detected(&model).await, Err(ModelError::Refused(404)));
    assert_eq!(detected(&model).await, NOTHING);
    assert_eq!(endpoint.asked().await[3]["response_format"]["type"], "json_schema");
}

#[tokio::test]
async fn model_call_with_a_wrong_api_key_is_not_retried() {
    let endpoint = Endpoint::saying([ResponseTemplate::new(401)]).await;
    let failure = detected(&endpoint.model()).await.expect_err("refused");
    assert_eq!(failure.to_string(), "The language model refused the request with status 401. Check the API key.");
    assert_eq!(endpoint.requests().await.len(), 1);
}

#[tokio::test]
async fn redirect_by_the_model_endpoint_is_not_followed() {
    let other = Endpoint::saying([]).await;
    let there = format!("{}/v1/chat/completions", other.0.uri());
    let endpoint = Endpoint::saying([ResponseTemplate::new(307).insert_header("location", there)]).await;
    assert_eq!(detected(&endpoint.model()).await, Err(ModelError::Refused(307)));
    assert_eq!(other.requests().await.len(), 0);
}

#[tokio::test]
async fn truncated_model_answer_is_a_failure_even_if_it_is_valid_json() {
    let whole = found(json!([]));
    for (answer, failure) in [
        (ended(&whole, "length"), ModelError::CutOff),
        (ended(&whole, "content_filter"), ModelError::Declined),
        (
            ResponseTemplate::new(200).set_body_json(json!({"choices": [{"message": {"refusal": "No."}}]})),
            ModelError::Declined,
        ),
        (ResponseTemplate::new(200).set_body_string("<html>"), ModelError::Unreadable),
        (ResponseTemplate::new(200).set_body_json(json!({"choices": []})), ModelError::Unreadable),
        (ResponseTemplate::new(200).set_body_json(json!({"error": "x"})), ModelError::Unreadable),
        (ResponseTemplate::new(204), ModelError::Unreadable),
    ] {
        let endpoint = Endpoint::saying([answer]).await;
        assert_eq!(detected(&endpoint.model()).await, Err(failure));
        assert_eq!(endpoint.requests().await.len(), 1);
    }
}

#[tokio::test]
async fn model_answer_beyond_the_size_limit_is_an_error() {
    let endpoint = Endpoint::saying([said(&" ".repeat(1024 * 1024))]).await;
    assert_eq!(detected(&endpoint.model()).await, Err(ModelError::AnswerTooLarge));
}

#[tokio::test]
async fn stalled_model_answer_fails_at_the_deadline() {
    let stalled = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"choices\":";
    for base in [raw("", true).await, raw(stalled, true).await] {
        let model = model_at(&base, Duration::from_millis(200));
        assert_eq!(detected(&model).await, Err(ModelError::TimedOut));
    }
}

#[tokio::test]
async fn broken_or_refused_connection_to_the_model_is_a_failure() {
    let broken = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"choices\":";
    let nobody = {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        format!("http://{}", listener.local_addr().expect("an address"))
    };
    for base in [raw("", false).await, raw(broken, false).await, raw("nonsense\r\n\r\n", false).await, nobody] {
        let model = model_at(&base, Duration::from_secs(60));
        assert_eq!(detected(&model).await, Err(ModelError::Unreachable), "{base}");
    }
}

#[test]
fn unusable_model_settings_are_refused_with_a_message() {
    let refused = |base_url: &str, model: &str, key: &str| {
        let settings = ModelSettings {
            preset: &OPENAI_COMPATIBLE,
            base_url: base_url.to_owned(),
            model: model.to_owned(),
            api_key: Some(key.to_owned()),
            deadline: Duration::MAX,
            concurrent_calls: usize::MAX,
        };
        let model = Model::new(settings, Clock::set_to(START), Ids::counted());
        model.err().map_or_else(|| "taken".to_owned(), |error| error.to_string())
    };
    let no_url = "the base URL of the language model must look like https://host/v1, without user, query or fragment";
    for url in ["", "localhost:11434/v1", "ftp://host/v1", "http://user:pw@host/v1", "http://h/v1?x=1", "http://h/v1#x"]
    {
        assert_eq!(refused(url, "m", "k"), no_url, "{url}");
    }
    assert_eq!(refused("http://h", " ", "k"), "the language model must have a name");
    let key = "the API key of the language model contains characters that are not allowed in a header";
    assert_eq!(refused("http://h", "m", "secret\n"), key);
    assert_eq!(refused("http://h", "m", "k"), "taken");
}

#[tokio::test]
async fn texts_sent_to_the_model_and_its_api_key_are_never_logged() {
    let (log, guard) = crate::support::log::captured();
    let endpoint = Endpoint::saying([said("secret of the answer"), said(&found(json!([])))]).await;
    assert_eq!(detected(&endpoint.model()).await, NOTHING);
    drop(guard);
    let log = log.text();
    for secret in ["the-key-of-the-tests", "Cress in the dark", "secret of the answer"] {
        assert!(!log.contains(secret), "{log}");
    }
    let line = log.lines().find(|line| line.contains("asked the language model")).expect("a line");
    for part in [
        "model.name=\"test-model\"",
        "status_code=200",
        "outcome=\"answered\"",
        "prompt_tokens=100",
        "completion_tokens=20",
    ] {
        assert!(line.contains(part), "{line}");
    }
}

#[tokio::test]
async fn connection_error_of_the_model_is_logged_without_its_address() {
    let (log, guard) = crate::support::log::captured();
    let base = raw("nonsense\r\n\r\n", false).await;
    assert_eq!(detected(&model_at(&base, Duration::from_secs(60))).await, Err(ModelError::Unreachable));
    drop(guard);
    let log = log.text();
    let line = log.lines().find(|line| line.contains("asked the language model")).expect("a line");
    assert!(line.contains("invalid HTTP version parsed") && !line.contains("127.0.0.1"), "{line}");
}

#[tokio::test]
async fn error_message_of_the_model_endpoint_is_logged_without_the_api_key() {
    let (log, guard) = crate::support::log::captured();
    let message = format!("the-key-of-the-tests is wrong\n{}", "x".repeat(300));
    let error = json!({"error": {"code": "invalid_api_key", "message": message}});
    let endpoint = Endpoint::saying([ResponseTemplate::new(401).set_body_json(error)]).await;
    assert_eq!(detected(&endpoint.model()).await, Err(ModelError::Refused(401)));
    drop(guard);
    let log = log.text();
    let line = log.lines().find(|line| line.contains("asked the language model")).expect("a line");
    assert!(line.contains("error.code=\"invalid_api_key\""), "{line}");
    let shown = format!("error.message=\"… is wrong {}\"", "x".repeat(200 - "… is wrong ".chars().count()));
    assert!(line.contains(&shown), "{line}");
}
