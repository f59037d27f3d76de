//! Presets for known servers and providers.

use std::time::Duration;

use fieldbook::assistant::model::preset::Preset;
use fieldbook::assistant::model::{Model, ModelSettings};
use fieldbook::clock::Clock;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use fieldbook::ids::Ids;
use serde_json::{Value, json};

use super::{Endpoint, found, said};
use crate::support::START;

#[tokio::test]
async fn first_request_of_each_model_preset_has_the_options_its_models_support() {
    // The columns are the preset, and the response format and temperature of the first request.
    for (preset, form, temperature) in [
        ("ollama", json!("json_schema"), json!(0)),
        ("mistral", json!("json_schema"), json!(0)),
        ("openai-compatible", json!("json_schema"), json!(0)),
        ("openai", json!("json_schema"), Value::Null),
        ("anthropic", Value::Null, Value::Null),
    ] {
        let endpoint = Endpoint::answering(|_| said(&found(json!([])))).await;
        let settings = ModelSettings {
            preset: Preset::named(preset).expect("a preset"),
            base_url: format!("{}/v1", endpoint.0.uri()),
            model: "m".to_owned(),
            api_key: Some("the-key-of-the-tests".to_owned()),
            deadline: Duration::from_secs(20),
            concurrent_calls: 4,
        };
        let model = Model::new(settings, Clock::set_to(START), Ids::counted()).expect("a model");
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
