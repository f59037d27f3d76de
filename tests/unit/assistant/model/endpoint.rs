//! Unit tests of `src/assistant/model/endpoint.rs`.

use super::super::preset::OPENAI_COMPATIBLE;
use super::*;
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn model_call_that_gets_no_permit_by_the_deadline_fails_as_busy() {
    let settings = ModelSettings {
        preset: &OPENAI_COMPATIBLE,
        base_url: "http://127.0.0.1:9/v1".to_owned(),
        model: "m".to_owned(),
        api_key: None,
        deadline: Duration::from_secs(1),
        concurrent_calls: 1,
    };
    let endpoint = Endpoint::new(&settings, Clock::system(), Ids::counted()).expect("an endpoint");
    let _the_only_one = endpoint.permits.take(Actor::Service, 1).await;
    let texts = Texts { system: String::new(), user: String::new() };
    let answer = AnswerSchema { name: "form", schema: json!({}), strict: true };
    let asking = Asking { caller: Actor::Service, deadline: Instant::now() + Duration::from_secs(1) };
    assert_eq!(endpoint.complete(&texts, &answer, asking).await, Err(ModelError::TooBusy));
}
