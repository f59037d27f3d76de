//! A fake endpoint of a language model. The test defines the answers, sees the questions, and can hold back answers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use fieldbook::assistant::model::ModelSettings;
use fieldbook::assistant::model::preset::OPENAI_COMPATIBLE;
use serde_json::{Value, json};
use tokio::sync::watch;

/// Maximum time to wait for a question. After this, the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Endpoint {
    address: SocketAddr,
    stage: Arc<Stage>,
}

struct Stage {
    play: Box<dyn Fn(&Question) -> Answer + Send + Sync>,
    asked: watch::Sender<Vec<Question>>,
    held: watch::Sender<Option<&'static str>>,
}

/// A call of the model.
#[derive(Debug, Clone)]
pub struct Question {
    /// Kind of the question: `findings`, `resolve`, `regenerate`, `converse` or `split`.
    pub kind: &'static str,
    /// Number of this question among the questions of its kind, from 1.
    pub nth: usize,
    /// User message of the prompt, which contains the data.
    pub text: String,
    /// Header `traceparent` of the call, if any.
    pub traceparent: Option<String>,
}

pub enum Answer {
    /// The model answers with this JSON.
    Says(Value),
    Refuses(u16),
    /// The endpoint refuses with status 429 and asks to wait for this many seconds.
    Asks(u32),
}

impl Question {
    /// Returns true if the data contains all of these texts. Texts with `[` or `<`, which are escaped, are never found.
    pub fn holds(&self, words: &[&str]) -> bool {
        words.iter().all(|words| self.text.contains(words))
    }
}

/// Returns an answer with these findings. Each finding has the path and quote of one side, the path and quote of the
/// other side, and the reason.
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

pub fn proposes(edits: &[(&str, Value)], message: &str) -> Answer {
    let edits: Vec<Value> = edits.iter().map(|(path, value)| json!({"path": path, "value": value})).collect();
    Answer::Says(json!({"edits": edits, "message": message}))
}

/// Returns an answer that proposes these edits. Each edit has the number of a contradiction, a path and a value.
pub fn resolves(edits: &[(&str, &str, Value)], message: &str) -> Answer {
    let edit = |(name, path, value): &(&str, &str, Value)| json!({"for": [name], "path": path, "value": value});
    Answer::Says(json!({"edits": edits.iter().map(edit).collect::<Vec<_>>(), "message": message}))
}

impl Endpoint {
    /// Starts an endpoint that answers as `play` decides.
    pub async fn start(play: impl Fn(&Question) -> Answer + Send + Sync + 'static) -> Self {
        let (asked, held) = (watch::Sender::new(Vec::new()), watch::Sender::new(None));
        let stage = Arc::new(Stage { play: Box::new(play), asked, held });
        let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(stage.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, stage }
    }

    pub fn settings(&self) -> ModelSettings {
        ModelSettings {
            preset: &OPENAI_COMPATIBLE,
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

    /// Sends the answers that were held back.
    pub fn let_go(&self) {
        self.stage.held.send_replace(None);
    }

    pub fn all(&self) -> Vec<Question> {
        self.stage.asked.borrow().clone()
    }

    pub fn count(&self, kind: &str) -> usize {
        count(&self.stage.asked.borrow(), kind)
    }

    /// Waits until `n` questions of this kind have arrived.
    pub async fn asked(&self, kind: &str, n: usize) {
        let mut asked = self.stage.asked.subscribe();
        let came = tokio::time::timeout(PATIENCE, asked.wait_for(|asked| count(asked, kind) >= n)).await;
        came.expect("the question comes").expect("the endpoint runs");
    }

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
        "split" => "split",
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
