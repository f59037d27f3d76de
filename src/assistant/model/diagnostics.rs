//! Checks whether an endpoint is reachable, accepts the key, and has the model. Only requests the list of models, which
//! costs nothing.

use reqwest::StatusCode;
use reqwest::header::DATE;
use serde_json::Value;

use super::{Model, wire};
use crate::domain::time::Timestamp;
use crate::error_chain::error_chain;

/// Result of checking an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// Answer of the endpoint about the model.
    pub answer: Answer,
    /// Time of the endpoint's clock, if the response states it.
    pub date: Option<Timestamp>,
}

/// An endpoint's answer about a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The endpoint lists the model.
    Knows,
    /// The endpoint lists only other models.
    KnowsOthers,
    /// The endpoint has no readable list of models.
    NoList,
    /// The endpoint refuses the request with this HTTP status.
    Refuses(u16),
    /// The connection failed, for this reason.
    Unreachable(String),
}

impl Model {
    /// Requests the endpoint's list of models and looks for this model. Does not retry.
    pub async fn diagnose(&self) -> Diagnosis {
        let response = match self.parts.endpoint.models().await {
            Ok(response) => response,
            Err(error) => return Diagnosis { answer: Answer::Unreachable(error_chain(&error)), date: None },
        };
        let date = response.headers().get(DATE).and_then(|date| Timestamp::from_http_date(date.to_str().ok()?));
        let answer = match response.status() {
            StatusCode::OK => {
                let body = wire::body_of(response).await.unwrap_or_default();
                of_list(&serde_json::from_slice(&body).unwrap_or_default(), self.name())
            }
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED => Answer::NoList,
            status => Answer::Refuses(status.as_u16()),
        };
        Diagnosis { answer, date }
    }
}

fn of_list(list: &Value, model: &str) -> Answer {
    let Some(listed) = wire::models(list) else { return Answer::NoList };
    let is_it = |name: &String| {
        // Some endpoints list names with a tag or date that the configured name omits.
        name.strip_prefix(model).is_some_and(|rest| {
            let date = rest.strip_prefix('-').filter(|date| date.len() == 8);
            rest.is_empty() || rest == ":latest" || date.is_some_and(|date| date.bytes().all(|b| b.is_ascii_digit()))
        })
    };
    if listed.iter().any(is_it) { Answer::Knows } else { Answer::KnowsOthers }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/diagnostics.rs"]
mod tests;
