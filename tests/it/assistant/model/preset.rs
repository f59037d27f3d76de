//! Presets for known servers and providers, and models that the service finds by asking the server.

use std::time::Duration;

use fieldbook::assistant::model::preset::Preset;
use fieldbook::assistant::model::{LocalModel, ModelChoice};
use fieldbook::clock::Clock;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use fieldbook::ids::Ids;
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{Endpoint, found, said};
use crate::support::START;

/// Returns the settings of an operator who sets a preset and an address.
fn choice(preset: &str, base_url: &str, model: Option<&str>) -> ModelChoice {
    ModelChoice {
        preset: Preset::named(preset).expect("a preset"),
        base_url: base_url.to_owned(),
        model: model.map(str::to_owned),
        api_key: Some("the-key-of-the-tests".to_owned()),
        deadline: Duration::from_secs(20),
        concurrent_calls: 4,
    }
}

/// Returns the name of the chosen model, or the reason why there is no model.
async fn chosen(choice: ModelChoice) -> Result<String, String> {
    let model = choice.model(Clock::set_to(START), Ids::counted()).await;
    model.map(|model| model.name().to_owned()).map_err(|fault| fault.to_string())
}

async fn listing(list: Value) -> MockServer {
    let server = MockServer::start().await;
    let answer = ResponseTemplate::new(200).set_body_json(list);
    Mock::given(method("GET")).and(path("/v1/models")).respond_with(answer).mount(&server).await;
    server
}

fn base(server: &MockServer) -> String {
    format!("{}/v1", server.uri())
}

fn port(server: &MockServer) -> u16 {
    server.address().port()
}

#[tokio::test]
async fn a_local_server_is_asked_for_the_first_of_its_models_that_can_chat() {
    let list = json!({"object": "list", "data": [{"id": "nomic-embed-text:latest"}, {"id": "muse:7b"}, {"id": "m"}]});
    let server = listing(list).await;
    for preset in ["ollama", "lmstudio", "llamacpp"] {
        assert_eq!(chosen(choice(preset, &base(&server), None)).await, Ok("muse:7b".to_owned()), "{preset}");
    }
    let asked_so_far = server.received_requests().await.expect("recorded").len();
    assert_eq!(chosen(choice("ollama", &base(&server), Some("mine"))).await, Ok("mine".to_owned()));
    assert_eq!(server.received_requests().await.expect("recorded").len(), asked_so_far, "who names one asks nobody");
}

#[tokio::test]
async fn a_local_server_without_a_model_or_away_is_answered_with_what_to_run() {
    for empty in [json!({"data": null}), json!({"data": []}), json!({"data": [{"id": "all-minilm"}]})] {
        let server = listing(empty).await;
        assert_eq!(
            chosen(choice("ollama", &base(&server), None)).await,
            Err("Ollama has no model that can chat; install one with ollama pull qwen3:14b".to_owned())
        );
    }
    let (none, refuses) = (listing(json!("hello")).await, MockServer::start().await);
    assert_eq!(
        chosen(choice("lmstudio", &base(&none), None)).await,
        Err(format!(
            "LM Studio at {} does not say which models it has: its answer is not a list of models; start it with lms server start, or set a model with --assistant-model",
            base(&none)
        ))
    );
    let refused = chosen(choice("llamacpp", &base(&refuses), None)).await.expect_err("a fault");
    assert!(refused.contains("does not say which models it has: it answered with status 404"), "{refused}");
    let away = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}/v1", listener.local_addr().expect("an address"))
    };
    let refused = chosen(choice("ollama", &away, None)).await.expect_err("a fault");
    assert!(refused.contains("Connection refused") && refused.contains("start it with ollama serve"), "{refused}");
}

#[tokio::test]
async fn each_preset_begins_with_what_its_models_understand() {
    // The columns are the preset, and the response format and temperature of the first request.
    for (preset, form, temperature) in [
        ("ollama", json!("json_schema"), json!(0)),
        ("mistral", json!("json_schema"), json!(0)),
        ("openai-compatible", json!("json_schema"), json!(0)),
        ("openai", json!("json_schema"), Value::Null),
        ("anthropic", Value::Null, Value::Null),
    ] {
        let endpoint = Endpoint::answering(|_| said(&found(json!([])))).await;
        let model = choice(preset, &format!("{}/v1", endpoint.0.uri()), Some("m"));
        let model = model.model(Clock::set_to(START), Ids::counted()).await.expect("a model");
        let content = serde_json::from_value(json!({"title": "Cress"})).expect("content");
        assert!(model.detect(&content, &Schema::parse(BUILT_IN).expect("a schema")).await.is_ok(), "{preset}");
        let asked = &endpoint.asked().await[0];
        assert_eq!((&asked["response_format"]["type"], &asked["temperature"]), (&form, &temperature), "{preset}");
        let roles: Vec<_> = asked["messages"].as_array().expect("a list").iter().map(|m| &m["role"]).collect();
        assert_eq!(roles, ["system", "user"], "{preset}");
        let headers = &endpoint.requests().await[0].headers;
        assert_eq!(headers["authorization"], "Bearer the-key-of-the-tests", "{preset}");
    }
}

#[tokio::test]
async fn a_model_on_this_machine_is_found_by_a_request_that_says_nothing() {
    let (no_list, no_model) = (listing(json!({"hello": 1})).await, listing(json!({"data": []})).await);
    let (first, second) =
        (listing(json!({"data": [{"id": "muse"}]})).await, listing(json!({"data": [{"id": "m"}]})).await);
    let ports = [&no_list, &no_model, &first, &second].map(port);
    let found = LocalModel::find(ports).await.expect("a model");
    let advice = found.advice("127.0.0.1:8080".parse().expect("an address"));
    let at = format!("http://127.0.0.1:{}", port(&first));
    assert_eq!(
        advice,
        format!(
            "a language model answers at {at}: add --assistant openai-compatible --assistant-base-url {at}/v1 --assistant-model \"muse\" to use it"
        )
    );
    for server in [&no_list, &no_model, &first] {
        let requests = server.received_requests().await.expect("recorded");
        assert_eq!((requests.len(), requests[0].body.len()), (1, 0));
    }
    assert_eq!(second.received_requests().await.expect("recorded").len(), 0);
    assert_eq!(LocalModel::find(ports[..2].iter().copied()).await, None);
}

#[tokio::test]
async fn who_does_not_answer_is_not_waited_for() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent = silent.local_addr().map(|address| (silent, address.port())).expect("an address");
    let server = listing(json!({"data": [{"id": "muse"}]})).await;
    assert!(LocalModel::find([silent.1, port(&server)]).await.is_some());
}
