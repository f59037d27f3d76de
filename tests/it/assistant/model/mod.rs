//! The language model, played by a real HTTP server that says what each test has it say.

mod answer;
mod backoff;
mod converse;
mod detect;
mod endpoint;
mod endpoint_failures;
mod hostile;
mod preset;
mod regenerate;
mod resolve;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use fieldbook::assistant::model::{Model, ModelSettings};
use fieldbook::clock::Clock;
use fieldbook::domain::content::Content;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use fieldbook::ids::Ids;
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::support::START;

/// An endpoint that plays a model.
pub struct Endpoint(MockServer);

impl Endpoint {
    /// An endpoint that answers each request as `answer` has it, given the request's body.
    pub async fn answering(answer: impl Fn(&Value) -> ResponseTemplate + Send + Sync + 'static) -> Self {
        let server = MockServer::start().await;
        let respond = move |request: &Request| answer(&request.body_json().expect("JSON"));
        Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(respond).mount(&server).await;
        Self(server)
    }

    /// An endpoint that gives these answers, one after the other, and then none that is of use.
    pub async fn saying(answers: impl IntoIterator<Item = ResponseTemplate>) -> Self {
        let answers = Mutex::new(answers.into_iter().collect::<VecDeque<_>>());
        let next = move |_: &Value| answers.lock().expect("unharmed").pop_front();
        Self::answering(move |body| next(body).unwrap_or_else(|| ResponseTemplate::new(418))).await
    }

    /// A model at this endpoint.
    pub fn model(&self) -> Model {
        model_at(&format!("{}/v1/", self.0.uri()), Duration::from_secs(20))
    }

    /// The bodies of the requests so far.
    pub async fn asked(&self) -> Vec<Value> {
        self.requests().await.iter().map(|request| request.body_json().expect("JSON")).collect()
    }

    /// The requests so far.
    pub async fn requests(&self) -> Vec<Request> {
        self.0.received_requests().await.expect("recorded")
    }
}

/// A model at some address, whose nonces count from 1.
pub fn model_at(base_url: &str, deadline: Duration) -> Model {
    let settings = ModelSettings {
        base_url: base_url.to_owned(),
        model: "test-model".to_owned(),
        api_key: Some("the-key-of-the-tests".to_owned()),
        deadline,
        concurrent_calls: 16,
    };
    Model::new(settings, Clock::set_to(START), Ids::counted()).expect("a model")
}

/// An answer of an endpoint with the model's text in it.
pub fn said(text: &str) -> ResponseTemplate {
    ended(text, "stop")
}

/// The same, with the reason why the text ends.
pub fn ended(text: &str, finish_reason: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(completion(text, finish_reason))
}

/// The body of such an answer.
pub fn completion(text: &str, finish_reason: &str) -> Value {
    json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": finish_reason }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 20 }
    })
}

/// What a model says that found these things, all in the group of time.
pub fn found(findings: Value) -> String {
    let mut answer = json!({
        "time": [], "people_and_materials": [], "quantities": [], "variables": [], "order": [], "safety": [],
        "prediction": [], "level_and_topic": []
    });
    answer["time"] = findings;
    answer.to_string()
}

/// What a model says that proposes these edits.
pub fn proposed(edits: Value, message: &str) -> String {
    json!({ "edits": edits, "message": message }).to_string()
}

/// The built-in schema.
pub fn schema() -> Schema {
    Schema::parse(BUILT_IN).expect("the built-in schema")
}

/// A JSON object as content.
pub fn content(value: Value) -> Content {
    value.as_object().cloned().expect("an object")
}

/// A small plan that contradicts itself in the eyes of a model, and in none of a rule's.
pub fn cress() -> Content {
    content(json!({
        "title": "Cress in the dark",
        "durationMinutes": 40,
        "variables": { "controlled": ["20 ml of water a day"] },
        "steps": [{ "text": "Give each pot 30 ml of water.", "minutes": 5 }]
    }))
}

/// What the model finds in it.
pub fn the_water() -> Value {
    json!({
        "pathA": "variables.controlled.0", "quoteA": "20 ml of water",
        "pathB": "steps.0.text", "quoteB": "30 ml of water",
        "reading": "", "reason": "The pots get 20 ml a day, but 30 ml in step 1.", "sure": true,
        "suggestion": "Give 20 ml in step 1.", "alsoAt": []
    })
}

/// The lines of data in a request, each of which must be JSON.
pub fn data(body: &Value) -> Vec<Value> {
    let user = body["messages"][1]["content"].as_str().expect("a text");
    let lines = user.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
