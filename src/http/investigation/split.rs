//! `POST /api/investigation/split`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::app::App;
use crate::authoring;
use crate::http::auth::Changes;
use crate::http::body::JsonObject;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;

/// Maximum size of a text, in bytes. The language model's own limit adds 16 bytes for each line.
const MAX_TEXT: usize = 60_000;

pub async fn split(
    State(app): State<App>,
    Changes(caller): Changes,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let text = body.get("text").and_then(Value::as_str).filter(|text| !text.trim().is_empty() && body.len() == 1);
    let text = text.filter(|text| text.len() <= MAX_TEXT).ok_or_else(|| {
        ApiError::invalid_at("text", "must be the only member: a text that is not blank, with at most 60000 bytes")
    })?;
    let placed = authoring::split(&app, caller.actor, text).await?;
    Ok(Answer::new("Text split successfully", placed).into_response())
}
