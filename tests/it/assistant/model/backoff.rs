//! Retries of model calls, calls that the circuit breaker prevents, and how long a caller waits in both cases.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::routing::post;
use axum::{Json, Router};
use fieldbook::admission::Actor;
use fieldbook::assistant::model::{Model, ModelError};
use fieldbook::clock::Clock;
use fieldbook::domain::finding::Findings;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use wiremock::ResponseTemplate;

use super::endpoint::{NOTHING, detected};
use super::{Endpoint, completion, content, data, found, model_at, said, schema};
use crate::support::START;

/// A failure that the client may retry at once.
fn failing(status: u16) -> ResponseTemplate {
    ResponseTemplate::new(status).insert_header("retry-after", "0")
}

#[tokio::test]
async fn temporary_failures_of_the_model_endpoint_are_retried() {
    for status in [408, 429, 500, 502, 503, 529] {
        let endpoint = Endpoint::saying([failing(status), failing(status), said(&found(json!([])))]).await;
        assert_eq!(detected(&endpoint.model()).await, NOTHING);
        assert_eq!(endpoint.requests().await.len(), 3);
    }
}

#[tokio::test]
async fn model_call_is_retried_after_a_server_error_whose_retry_after_is_missing_or_in_the_past() {
    let past = "Sat, 21 Nov 2026 07:59:59 GMT";
    for busy in [ResponseTemplate::new(500), ResponseTemplate::new(503).insert_header("retry-after", past)] {
        let endpoint = Endpoint::saying([busy, said(&found(json!([])))]).await;
        assert_eq!(detected(&endpoint.model()).await, NOTHING);
    }
}

#[tokio::test]
async fn persistent_failure_of_the_model_endpoint_ends_after_three_retries() {
    let endpoint = Endpoint::answering(|_| failing(503)).await;
    assert_eq!(detected(&endpoint.model()).await, Err(ModelError::Refused(503)));
    assert_eq!(endpoint.requests().await.len(), 4);
}

#[tokio::test]
async fn model_call_fails_at_once_if_the_model_asks_to_wait_beyond_the_deadline() {
    for (asked, seconds) in [("3600", 3600), ("Sat, 21 Nov 2026 09:00:00 GMT", 3600)] {
        let endpoint =
            Endpoint::answering(move |_| ResponseTemplate::new(429).insert_header("retry-after", asked)).await;
        let error = detected(&endpoint.model()).await.expect_err("refused");
        assert_eq!(error, ModelError::AskedToWait(Duration::from_secs(seconds)));
        assert_eq!(error.to_string(), "The language model asks to wait for 3600 seconds. Try again then.");
        assert_eq!(endpoint.requests().await.len(), 1);
    }
}

#[tokio::test]
async fn circuit_breaker_blocks_a_caller_after_five_failed_operations_until_a_trial_call_succeeds() {
    // Each operation makes four calls: the first one and three retries.
    let failures = (0..6 * 4).map(|_| failing(500));
    let endpoint = Endpoint::saying(failures.chain([said(&found(json!([]))), said(&found(json!([])))])).await;
    let clock = Clock::set_to(START);
    let model = endpoint.model_with(clock.clone());
    for _ in 0..5 {
        assert_eq!(detected(&model).await, Err(ModelError::Refused(500)));
    }
    let error = detected(&model).await.expect_err("no call");
    assert_eq!(
        error.to_string(),
        "The language model failed several times in a row and is paused for a while. Try again in a minute."
    );
    assert_eq!(endpoint.requests().await.len(), 20);

    clock.advance(Duration::from_secs(30));
    assert_eq!(detected(&model).await, Err(ModelError::Refused(500)));
    assert_eq!(detected(&model).await, Err(ModelError::CircuitOpen));
    assert_eq!(endpoint.requests().await.len(), 24);

    clock.advance(Duration::from_secs(30));
    assert_eq!(detected(&model).await, NOTHING);
    assert_eq!(detected(&model).await, NOTHING);
}

#[tokio::test]
async fn model_failures_of_one_caller_do_not_pause_the_calls_of_another() {
    let failures = (0..5 * 4).map(|_| failing(500));
    let endpoint = Endpoint::saying(failures.chain([said(&found(json!([])))])).await;
    let model = endpoint.model();
    for _ in 0..5 {
        assert_eq!(detected(&model).await, Err(ModelError::Refused(500)));
    }
    assert_eq!(detected(&model).await, Err(ModelError::CircuitOpen));
    let another = model.asked_by(Actor::at([127, 0, 0, 2].into()));
    assert_eq!(detected(&another).await, NOTHING);
}

#[tokio::test]
async fn all_model_calls_of_one_operation_share_one_deadline() {
    let endpoint = Endpoint::answering(|_| said(&found(json!([])))).await;
    let model = endpoint.model();
    let operation = model.for_one_operation(Actor::Service);
    assert_eq!(detected(&operation).await, NOTHING);
    // The clock is paused only for this jump. A clock that stays paused jumps ahead whenever all tasks wait, so every
    // model call would time out.
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(30)).await;
    tokio::time::resume();
    assert_eq!(detected(&operation).await, Err(ModelError::TimedOut));
    assert_eq!(detected(&model).await, NOTHING);
}

/// Starts an endpoint that answers requests in groups of four. Each request waits for its answer until its group is
/// full.
async fn answering_by_fours(most: Arc<AtomicUsize>) -> String {
    let (four, under_way) = (Arc::new(Barrier::new(4)), Arc::new(AtomicUsize::new(0)));
    let answer = move || async move {
        most.fetch_max(under_way.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        four.wait().await;
        under_way.fetch_sub(1, Ordering::SeqCst);
        Json(completion(&found(json!([])), "stop"))
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(axum::serve(listener, Router::new().route("/chat/completions", post(answer))).into_future());
    format!("http://{address}")
}

/// Asks the model about eight investigations at the same time, and returns its findings for each of them.
async fn eight_times(model: Model) -> Vec<Result<Findings, ModelError>> {
    let mut questions = JoinSet::new();
    for number in 0..8 {
        let model = model.clone();
        let plan = content(json!({ "title": format!("Plan {number}") }));
        questions.spawn(async move { model.detect(&plan, &schema()).await });
    }
    questions.join_all().await
}

#[tokio::test]
async fn one_caller_uses_at_most_a_quarter_of_the_concurrent_model_calls() {
    let most = Arc::new(AtomicUsize::new(0));
    let base = answering_by_fours(most.clone()).await;
    assert_eq!(eight_times(model_at(&base, Duration::from_secs(20))).await, vec![NOTHING; 8]);
    assert_eq!(most.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn rate_limited_model_endpoint_is_retried_without_opening_the_circuit_breaker() {
    let refused = Mutex::new(HashSet::new());
    let endpoint = Endpoint::answering(move |body| {
        let question = data(body).first().cloned().unwrap_or_default().to_string();
        let is_new = refused.lock().expect("unharmed").insert(question);
        if is_new { failing(429) } else { said(&found(json!([]))) }
    })
    .await;
    assert_eq!(eight_times(endpoint.model()).await, vec![NOTHING; 8]);
    assert_eq!(endpoint.requests().await.len(), 16);
}
