//! An endpoint that plays a language model: the test says what it answers, sees what it was asked, and can hold
//! its answers back.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use fieldbook::assistant::model::ModelSettings;
use serde_json::{Value, json};
use tokio::sync::watch;

/// What does not come within this time will never come.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running endpoint.
pub struct Endpoint {
    address: SocketAddr,
    stage: Arc<Stage>,
}

struct Stage {
    play: Box<dyn Fn(&Question) -> Answer + Send + Sync>,
    asked: watch::Sender<Vec<Question>>,
    held: watch::Sender<Option<&'static str>>,
}

/// One call of the model.
#[derive(Debug, Clone)]
pub struct Question {
    /// What is wanted: `findings`, `resolve`, `regenerate` or `converse`.
    pub kind: &'static str,
    /// Which question of this kind it is, from 1.
    pub nth: usize,
    /// The text with the data.
    pub text: String,
    /// The trace that it is part of.
    pub traceparent: Option<String>,
}

/// What the model does with a question.
pub enum Answer {
    /// It answers with this JSON.
    Says(Value),
    /// The endpoint refuses with this status.
    Refuses(u16),
    /// It asks to wait for so many seconds.
    Asks(u32),
}

impl Question {
    /// Whether all of these words stand in the data. Brackets do not: `[` and `<` are escaped.
    pub fn holds(&self, words: &[&str]) -> bool {
        words.iter().all(|words| self.text.contains(words))
    }
}

/// Finds this: the path and the words of one side, those of the other, and the reason. Without any: nothing.
pub fn finds(found: &[(&str, &str, &str, &str, &str)]) -> Answer {
    let found = found.iter().map(|(path, quote, other_path, other_quote, reason)| {
        json!({
            "pathA": path, "quoteA": quote, "pathB": other_path, "quoteB": other_quote,
            "reading": "", "reason": reason, "sure": true, "suggestion": null, "alsoAt": [],
        })
    });
    let groups =
        ["people_and_materials", "quantities", "variables", "order", "safety", "prediction", "level_and_topic"];
    let mut answer = json!({ "time": found.collect::<Vec<_>>() });
    groups.iter().for_each(|group| answer[group] = json!([]));
    Answer::Says(answer)
}

/// Proposes these edits.
pub fn proposes(edits: &[(&str, Value)], message: &str) -> Answer {
    let edits: Vec<Value> = edits.iter().map(|(path, value)| json!({"path": path, "value": value})).collect();
    Answer::Says(json!({"edits": edits, "message": message}))
}

/// Proposes these edits, each for one contradiction.
pub fn resolves(edits: &[(&str, &str, Value)], message: &str) -> Answer {
    let edit = |(name, path, value): &(&str, &str, Value)| json!({"for": [name], "path": path, "value": value});
    Answer::Says(json!({"edits": edits.iter().map(edit).collect::<Vec<_>>(), "message": message}))
}

impl Endpoint {
    /// An endpoint that answers as `play` says.
    pub async fn start(play: impl Fn(&Question) -> Answer + Send + Sync + 'static) -> Self {
        let (asked, held) = (watch::Sender::new(Vec::new()), watch::Sender::new(None));
        let stage = Arc::new(Stage { play: Box::new(play), asked, held });
        let models = async || Json(json!({"data": [{"id": "muse", "object": "model"}]}));
        let router = Router::new().route("/v1/chat/completions", post(answer)).route("/v1/models", get(models));
        let router = router.with_state(stage.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, stage }
    }

    /// The settings that lead to it.
    pub fn settings(&self) -> ModelSettings {
        ModelSettings {
            base_url: format!("http://{}/v1", self.address),
            model: "muse".into(),
            api_key: None,
            deadline: PATIENCE,
            concurrent_calls: 16,
        }
    }

    /// Holds back the answers to questions of this kind.
    pub fn hold(&self, kind: &'static str) {
        self.stage.held.send_replace(Some(kind));
    }

    /// Gives the answers that were held back.
    pub fn let_go(&self) {
        self.stage.held.send_replace(None);
    }

    /// Every question so far.
    pub fn all(&self) -> Vec<Question> {
        self.stage.asked.borrow().clone()
    }

    /// How many questions of this kind have come.
    pub fn count(&self, kind: &str) -> usize {
        count(&self.stage.asked.borrow(), kind)
    }

    /// Waits until `n` questions of this kind have come.
    pub async fn asked(&self, kind: &str, n: usize) {
        let mut asked = self.stage.asked.subscribe();
        let came = tokio::time::timeout(PATIENCE, asked.wait_for(|asked| count(asked, kind) >= n)).await;
        came.expect("the question comes").expect("the endpoint runs");
    }

    /// The last question of this kind.
    pub fn last(&self, kind: &str) -> Question {
        self.stage.asked.borrow().iter().rfind(|question| question.kind == kind).cloned().expect("a question")
    }
}

fn count(asked: &[Question], kind: &str) -> usize {
    asked.iter().filter(|question| question.kind == kind).count()
}

async fn answer(State(stage): State<Arc<Stage>>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    let form = body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default();
    let text = body["messages"][1]["content"].as_str().unwrap_or_default().to_owned();
    let kind = match form {
        "findings" => "findings",
        _ if text.contains("{\"request\":") => "converse",
        _ if text.contains("{\"keep\":") => "regenerate",
        _ => "resolve",
    };
    let traceparent = headers.get("traceparent").map(|value| value.to_str().expect("a text").to_owned());
    let mut question = Question { kind, nth: 0, text, traceparent };
    stage.asked.send_modify(|asked| {
        question.nth = count(asked, question.kind) + 1;
        asked.push(question.clone());
    });
    let _ = stage.held.subscribe().wait_for(|held| *held != Some(question.kind)).await;
    match (stage.play)(&question) {
        Answer::Says(value) => Json(json!({
            "choices": [{"message": {"role": "assistant", "content": value.to_string()}, "finish_reason": "stop"}],
        }))
        .into_response(),
        Answer::Refuses(status) => StatusCode::from_u16(status).expect("a status").into_response(),
        Answer::Asks(seconds) => {
            (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, seconds.to_string())]).into_response()
        }
    }
}
