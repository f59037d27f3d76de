//! `POST /api/investigation/{id}/presence`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::app::App;
use crate::authoring::AuthoringError;
use crate::http::auth::Reads;
use crate::http::body::JsonObject;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::names;
use crate::http::params::InvestigationId;

/// Records whether the caller has an investigation open, and returns the other users who have it open.
pub async fn presence(
    State(app): State<App>,
    Reads(caller): Reads,
    InvestigationId(id): InvestigationId,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let Some(open) = body.get("open").and_then(Value::as_bool).filter(|_| body.len() == 1) else {
        return Err(ApiError::invalid_at("open", "must be true or false, and the only member"));
    };
    app.store.state(id).await?.ok_or(AuthoringError::InvestigationNotFound)?;
    let now = app.clock.now();
    let others = match caller.principal.user {
        Some(user) => app.store.note_presence(id, user, open, now).await?,
        None => Vec::new(),
    };
    let others: Vec<_> = others.into_iter().map(Some).collect();
    let others = names::profiles(&app, &caller, &others).await;
    Ok(Answer::new("Presence noted successfully", json!({ "others": others })).into_response())
}
