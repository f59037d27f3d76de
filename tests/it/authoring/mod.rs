//! Operations that wait for a language model: answers that come after a change, and proposals before a change.

mod conversation;
mod dismissals;
mod incomplete;
mod pending;
mod processing;
mod proposals;
mod regeneration;
mod resolution;
mod resolution_in_part;

use fieldbook::app::HttpSettings;
use serde_json::{Value, json};

use crate::http::investigation::chat::entries;
pub use crate::http::investigation::regenerate::regenerate;
pub use crate::http::investigation::resolve_contradiction::resolve;
use crate::http::investigation::versions::listed;
use crate::support::endpoint::{Answer, Endpoint, Question, finds, proposes};
use crate::support::{Caller, Exchange, TestApp};

/// The reason that the fake model gives: the window and the birds contradict each other.
pub const REASON: &str = "The cress leans to the window, but the birds say otherwise.";

/// A document in which the model finds a contradiction and the rules find none.
pub fn at_odds() -> Value {
    json!({"phenomenon": "The cress leans to the window.", "assessment": "Name three birds."})
}

/// Plays a model that reports the window and the birds as a contradiction if the document has both, and proposes
/// nothing.
pub fn finds_birds(question: &Question) -> Answer {
    match question.kind {
        "findings" if question.holds(&["leans to the window", "three birds"]) => {
            finds(&[("phenomenon", "leans to the window", "assessment", "three birds", REASON)])
        }
        "findings" => finds(&[]),
        _ => Answer::Refuses(403),
    }
}

/// Returns the source and the field of each contradiction of an investigation.
pub fn found(investigation: &Value) -> Vec<String> {
    let found = investigation["contradictions"].as_array().expect("contradictions").iter();
    found
        .map(|f| format!("{} {}", f["source"].as_str().unwrap_or("?"), f["fieldName"].as_str().unwrap_or("?")))
        .collect()
}

pub fn updated(answer: &Exchange) -> Value {
    assert_eq!(answer.status.as_u16(), 200, "{answer}");
    answer.json()["updatedInvestigation"].clone()
}

/// Starts a service whose language model answers with `play`, and signs in a teacher.
pub async fn start(play: impl Fn(&Question) -> Answer + Send + Sync + 'static) -> (Endpoint, TestApp, Caller) {
    start_with(play, HttpSettings::default()).await
}

/// Like [`start`], but also creates the investigation of [`at_odds`] and returns its path.
pub async fn start_at_odds(
    play: impl Fn(&Question) -> Answer + Send + Sync + 'static,
) -> (Endpoint, TestApp, Caller, String) {
    let (endpoint, app, teacher) = start(play).await;
    let path = teacher.create_path(at_odds()).await;
    (endpoint, app, teacher, path)
}

/// Like [`start`], but with these HTTP settings.
pub async fn start_with(
    play: impl Fn(&Question) -> Answer + Send + Sync + 'static,
    http: HttpSettings,
) -> (Endpoint, TestApp, Caller) {
    let endpoint = Endpoint::start(play).await;
    let (app, teacher) = TestApp::start_with_model(endpoint.settings(), http).await;
    (endpoint, app, teacher)
}

/// Plays a model that resolves the contradiction about the birds by changing the assessment to "Draw the window."
pub fn draws(question: &Question) -> Answer {
    match question.kind {
        "resolve" | "regenerate" => proposes(&[("assessment", json!("Draw the window."))], "I drew it."),
        _ => finds_birds(question),
    }
}

/// Returns the investigation, its chat and its list of versions, for comparison.
pub async fn everything(caller: &Caller, path: &str) -> (Value, Vec<Value>, String) {
    let investigation = caller.get(path).await.data();
    (investigation, entries(caller, path).await, listed(caller, path).await)
}
