//! What takes a language model's time: the answers that come after a change, and the proposals that come before one.

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
use crate::http::investigation::versions::listed;
use crate::support::endpoint::{Answer, Endpoint, Question, finds, proposes};
use crate::support::{Caller, Exchange, TestApp};

/// The birds and the window cannot both be: so says the model that tests play.
pub const REASON: &str = "The cress leans to the window, but the birds say otherwise.";

/// A document in which the model finds a contradiction, and rules find none.
pub fn at_odds() -> Value {
    json!({"phenomenon": "The cress leans to the window.", "assessment": "Name three birds."})
}

/// Finds the window and the birds at odds wherever both stand, and proposes nothing.
pub fn finds_birds(question: &Question) -> Answer {
    match question.kind {
        "findings" if question.holds(&["leans to the window", "three birds"]) => {
            finds(&[("phenomenon", "leans to the window", "assessment", "three birds", REASON)])
        }
        "findings" => finds(&[]),
        _ => Answer::Refuses(403),
    }
}

/// The sources of the contradictions of an investigation, each with the field where it was found.
pub fn found(investigation: &Value) -> Vec<String> {
    let found = investigation["contradictions"].as_array().expect("contradictions").iter();
    found
        .map(|f| format!("{} {}", f["source"].as_str().unwrap_or("?"), f["fieldName"].as_str().unwrap_or("?")))
        .collect()
}

/// The investigation that an update answers with.
pub fn updated(answer: &Exchange) -> Value {
    assert_eq!(answer.status.as_u16(), 200, "{answer}");
    answer.json()["updatedInvestigation"].clone()
}

/// A service whose language model answers like this, and a teacher.
pub async fn start(play: impl Fn(&Question) -> Answer + Send + Sync + 'static) -> (Endpoint, TestApp, Caller) {
    start_with(play, HttpSettings::default()).await
}

/// The same with settings of the edge.
pub async fn start_with(
    play: impl Fn(&Question) -> Answer + Send + Sync + 'static,
    http: HttpSettings,
) -> (Endpoint, TestApp, Caller) {
    let endpoint = Endpoint::start(play).await;
    let (app, teacher) = TestApp::start_with_model(endpoint.settings(), http).await;
    (endpoint, app, teacher)
}

pub async fn resolve(caller: &Caller, id: &str, field: &str) -> Exchange {
    caller.post(&format!("/api/investigation/{id}/resolve-contradiction"), json!({"fieldName": field})).await
}

pub async fn regenerate(caller: &Caller, id: &str, field: &str) -> Exchange {
    caller.post(&format!("/api/investigation/{id}/regenerate"), json!({"fieldName": field})).await
}

/// Resolves the birds by drawing the window.
pub fn draws(question: &Question) -> Answer {
    match question.kind {
        "resolve" | "regenerate" => proposes(&[("assessment", json!("Draw the window."))], "I drew it."),
        _ => finds_birds(question),
    }
}

/// The investigation and its chat, to be compared.
pub async fn everything(caller: &Caller, id: &str) -> (Value, Vec<Value>, String) {
    let investigation = caller.get(&format!("/api/investigation/{id}")).await.data();
    (investigation, entries(caller, id).await, listed(caller, id).await)
}
