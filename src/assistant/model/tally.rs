//! Logs and counts calls to a model and problems with its answers. Keys and texts are never logged, except the
//! beginning of an endpoint's message about its own failure.

use std::time::Duration;

use super::error::ModelError;
use super::wire::EndpointError;

#[derive(Default)]
pub struct CallStats {
    pub status: Option<u16>,
    pub prompt_tokens: Option<u64>,
    pub completion_tokens: Option<u64>,
    /// Reason why the connection failed.
    pub cause: Option<String>,
    /// Error in the response, for the log.
    pub error: Option<EndpointError>,
}

pub fn call(model: &str, seen: &CallStats, took: Duration, failed: Option<&ModelError>) {
    let CallStats { status, prompt_tokens, completion_tokens, cause, error } = seen;
    let EndpointError { code, message } = error.as_ref().cloned().unwrap_or_default();
    let outcome = failed.map_or("answered", ModelError::outcome);
    tracing::info!(
        model.name = model,
        http.response.status_code = status,
        outcome,
        cause,
        error.code = code,
        error.message = message,
        duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        prompt_tokens,
        completion_tokens,
        "asked the language model"
    );
    metrics::counter!("fieldbook_model_calls_total", "outcome" => outcome).increment(1);
    metrics::histogram!("fieldbook_model_call_seconds").record(took.as_secs_f64());
    metrics::counter!("fieldbook_model_tokens_total", "kind" => "prompt").increment(prompt_tokens.unwrap_or(0));
    metrics::counter!("fieldbook_model_tokens_total", "kind" => "completion").increment(completion_tokens.unwrap_or(0));
}

pub fn set_circuit_open(open: bool) {
    metrics::gauge!("fieldbook_model_circuit_open").set(f64::from(u8::from(open)));
}

pub fn count_refused(error: &ModelError) {
    metrics::counter!("fieldbook_model_calls_total", "outcome" => error.outcome()).increment(1);
}

/// Logs and counts an answer that could not be read. Logs only the number of problems, not the text.
pub fn unreadable(model: &str, form: &str, problems: usize) {
    tracing::warn!(model.name = model, form, problems, "could not read the answer of the language model");
    metrics::counter!("fieldbook_model_invalid_answers_total").increment(1);
}

pub fn dropped(model: &str, reason: &'static str) {
    tracing::info!(model.name = model, reason, "dropped a finding of the language model");
    metrics::counter!("fieldbook_model_findings_dropped_total", "reason" => reason).increment(1);
}
