//! `POST /api/investigation/{id}/clone`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, ChangeContext};
use crate::http::auth::Creates;
use crate::http::envelope::created_response;
use crate::http::error::ApiError;
use crate::http::idempotency::IdempotencyKey;
use crate::http::messages::Messages;
use crate::http::params::InvestigationId;
use crate::http::prefer::Prefer;

pub const MESSAGES: Messages = Messages::fixed("Investigation cloned successfully", "Failed to clone investigation");

/// Copies an investigation. The copy starts its own history and chat, and its contradictions are detected.
pub async fn clone(
    State(app): State<App>,
    Creates(caller): Creates,
    InvestigationId(id): InvestigationId,
    key: IdempotencyKey,
    prefer: Prefer,
) -> Result<Response, ApiError> {
    let idempotent = key.of(&caller, "cloneInvestigation", Some(id), None);
    let context = ChangeContext { respond_after: prefer.0, ..caller.change() };
    let cloned = authoring::clone(&app, id, &context, idempotent.as_ref()).await;
    let cloned = cloned.map_err(MESSAGES.error(&app))?;
    Ok(created_response(&app, &caller, prefer, MESSAGES.done, cloned).await)
}
