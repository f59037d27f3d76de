//! `POST /api/investigation/split`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

use crate::app::App;
use crate::authoring;
use crate::domain::placement::Placed;
use crate::http::auth::Changes;
use crate::http::body::JsonObject;
use crate::http::docs::content::SplitBody;
use crate::http::envelope::{Answer, answer};
use crate::http::error::ApiError;

/// Maximum size of a text, in bytes. The language model's own limit adds 16 bytes for each line.
const MAX_TEXT: usize = 60_000;

/// Splits a pasted text into fields. Nothing is stored or invented: the language model only says which part of the text
/// belongs where. Requires a language model.
#[utoipa::path(post, path = "/api/investigation/split", operation_id = "splitText", tag = "investigation",
    security(("bearer" = [])), request_body = SplitBody,
    responses((status = 200, description = "The text in fields", body = Answer<Placed>)))]
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
    Ok(answer(StatusCode::OK, "Text split successfully", placed))
}
