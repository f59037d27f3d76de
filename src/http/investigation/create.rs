//! `POST /api/investigation`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, ChangeContext};
use crate::http::auth::Creates;
use crate::http::body::JsonObject;
use crate::http::envelope::created_response;
use crate::http::error::ApiError;
use crate::http::idempotency::IdempotencyKey;
use crate::http::messages::Messages;
use crate::http::prefer::Prefer;

pub const MESSAGES: Messages = Messages::fixed("Investigation created successfully", "Failed to create investigation");

/// Creates an investigation and its chat, and detects its contradictions.
pub async fn create(
    State(app): State<App>,
    Creates(caller): Creates,
    key: IdempotencyKey,
    prefer: Prefer,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let idempotent = key.of(&caller, "createInvestigation", None, Some(&body));
    let context = ChangeContext { respond_after: prefer.0, ..caller.change() };
    let created = authoring::create_once(&app, &context, body, idempotent.as_ref()).await;
    let created = created.map_err(MESSAGES.error(&app))?;
    Ok(created_response(&app, &caller, prefer, MESSAGES.done, created).await)
}
