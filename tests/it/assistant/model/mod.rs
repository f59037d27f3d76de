//! The language model, played by a real HTTP server. Each test chooses the answers.

mod answer;
mod backoff;
mod converse;
mod detect;
mod endpoint;
mod endpoint_failures;
mod hostile;
mod preset;
mod real_endpoints;
mod regenerate;
mod resolve;
mod split;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use fieldbook::assistant::model::preset::OPENAI_COMPATIBLE;
use fieldbook::assistant::model::{Model, ModelSettings};
use fieldbook::clock::Clock;
use fieldbook::domain::content::Content;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use fieldbook::ids::Ids;
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::support::START;

pub struct Endpoint(MockServer);

impl Endpoint {
    /// Starts an endpoint that answers each request with `answer(body of the request)`.
    pub async fn answering(answer: impl Fn(&Value) -> ResponseTemplate + Send + Sync + 'static) -> Self {
        let server = MockServer::start().await;
        let respond = move |request: &Request| answer(&request.body_json().expect("JSON"));
        Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(respond).mount(&server).await;
        Self(server)
    }

    /// Starts an endpoint that gives these answers in order, and then a useless answer with status 418.
    pub async fn saying(answers: impl IntoIterator<Item = ResponseTemplate>) -> Self {
        let answers = Mutex::new(answers.into_iter().collect::<VecDeque<_>>());
        let next = move |_: &Value| answers.lock().expect("unharmed").pop_front();
        Self::answering(move |body| next(body).unwrap_or_else(|| ResponseTemplate::new(418))).await
    }

    pub fn model(&self) -> Model {
        self.model_with(Clock::set_to(START))
    }

    pub fn model_with(&self, clock: Clock) -> Model {
        model_with(&format!("{}/v1/", self.0.uri()), Duration::from_secs(20), clock)
    }

    pub async fn asked(&self) -> Vec<Value> {
        self.requests().await.iter().map(|request| request.body_json().expect("JSON")).collect()
    }

    pub async fn requests(&self) -> Vec<Request> {
        self.0.received_requests().await.expect("recorded")
    }
}

/// Creates a client of the model at this address, with nonces that count from 1.
pub fn model_at(base_url: &str, deadline: Duration) -> Model {
    model_with(base_url, deadline, Clock::set_to(START))
}

fn model_with(base_url: &str, deadline: Duration, clock: Clock) -> Model {
    let settings = ModelSettings {
        preset: &OPENAI_COMPATIBLE,
        base_url: base_url.to_owned(),
        model: "test-model".to_owned(),
        api_key: Some("the-key-of-the-tests".to_owned()),
        deadline,
        concurrent_calls: 16,
    };
    Model::new(settings, clock, Ids::counted()).expect("a model")
}

/// Returns an HTTP answer that holds the model's text.
pub fn said(text: &str) -> ResponseTemplate {
    ended(text, "stop")
}

/// Returns an HTTP answer that holds the model's text and the reason why the text ends.
pub fn ended(text: &str, finish_reason: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(completion(text, finish_reason))
}

/// Returns the body of an answer of `/chat/completions`.
pub fn completion(text: &str, finish_reason: &str) -> Value {
    json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": finish_reason }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 20 }
    })
}

/// Returns a model's answer with these findings. A model sorts findings by topic; these are all under the topic `time`.
pub fn found(findings: Value) -> String {
    let mut answer = json!({
        "time": [], "people_and_materials": [], "quantities": [], "variables": [], "order": [], "safety": [],
        "prediction": [], "level_and_topic": []
    });
    answer["time"] = findings;
    answer.to_string()
}

pub fn proposed(edits: Value, message: &str) -> String {
    json!({ "edits": edits, "message": message }).to_string()
}

pub fn schema() -> Schema {
    Schema::parse(BUILT_IN).expect("the built-in schema")
}

pub fn content(value: Value) -> Content {
    value.as_object().cloned().expect("an object")
}

/// A small plan in which only a model finds a contradiction, and no rule does.
pub fn cress() -> Content {
    content(json!({
        "title": "Cress in the dark", "durationMinutes": 40, "variables": { "controlled": ["20 ml of water a day"] },
        "steps": [{ "text": "Give each pot 30 ml of water.", "minutes": 5 }]
    }))
}

/// The contradiction that the model finds in [`cress`].
pub fn the_water() -> Value {
    json!({
        "pathA": "variables.controlled.0", "quoteA": "20 ml of water",
        "pathB": "steps.0.text", "quoteB": "30 ml of water",
        "reading": "", "reason": "The pots get 20 ml a day, but 30 ml in step 1.", "sure": true,
        "suggestion": "Give 20 ml in step 1.", "alsoAt": []
    })
}

/// Returns the data lines of a request, and panics if a line is not JSON.
pub fn data(body: &Value) -> Vec<Value> {
    let user = body["messages"][1]["content"].as_str().expect("a text");
    let lines = user.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
