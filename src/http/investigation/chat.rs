//! `GET /api/investigation/{id}/chat`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::Failure;
use crate::domain::chat::Chat;
use crate::http::auth::Authoring;
use crate::http::envelope::{Answer, answer};
use crate::http::error::{ApiError, Wording};
use crate::http::params::InvestigationId;

/// Reads the chat of an investigation.
#[utoipa::path(get, path = "/api/investigation/{id}/chat", operation_id = "getInvestigationChat", tag = "investigation",
    security(("bearer" = [])), params(("id" = String, Path, description = "The investigation")),
    responses((status = 200, description = "The chat, oldest entry first", body = Answer<Chat>)))]
pub async fn chat(
    State(app): State<App>,
    _: Authoring,
    InvestigationId(id): InvestigationId,
) -> Result<Response, ApiError> {
    let chat = match app.store.chat(id).await {
        Ok(Some(chat)) => Ok(chat),
        Ok(None) => match app.store.load(id).await {
            Ok(Some(_)) => Err(Failure::ChatNotFound(id)),
            Ok(None) => Err(Failure::InvestigationNotFound),
            Err(error) => Err(error.into()),
        },
        Err(error) => Err(error.into()),
    };
    let chat = chat.map_err(|f| ApiError::of(f, Wording::Fixed("Failed to fetch chat"), app.edge.error_statuses))?;
    Ok(answer(StatusCode::OK, "Chat retrieved successfully", chat))
}
