//! What takes a language model's time: the answers that come after a change, and the proposals that come before one.

mod conversation;
mod processing;
mod proposals;

use serde_json::{Value, json};

use crate::support::Exchange;
use crate::support::endpoint::{Answer, Question, agrees, finds};

/// The birds and the window cannot both be: so says the model that tests play.
pub const REASON: &str = "The cress leans to the window, but the birds say otherwise.";

/// A document in which the model finds a contradiction, and rules find none.
pub fn at_odds() -> Value {
    json!({"phenomenon": "The cress leans to the window.", "assessment": "Name three birds."})
}

/// Finds the window and the birds at odds wherever both stand, and proposes nothing.
pub fn finds_birds(question: &Question) -> Answer {
    match question.kind {
        "verdict" => agrees(),
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
