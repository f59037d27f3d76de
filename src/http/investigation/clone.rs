//! `POST /api/investigation/{id}/clone`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, CreateOptions, Created};
use crate::http::auth::Creates;
use crate::http::envelope::{Answer, InvestigationSchema, investigation_response, located};
use crate::http::error::{ApiError, Wording};
use crate::http::idempotency::{IdempotencyKey, marked};
use crate::http::params::InvestigationId;
use crate::http::prefer::Prefer;

/// Copies an investigation. The copy starts its own history and chat, and its contradictions are detected.
#[utoipa::path(post, path = "/api/investigation/{id}/clone", operation_id = "cloneInvestigation", tag = "investigation",
    security(("bearer" = [])), params(("id" = String, Path, description = "The investigation to copy"),
           ("Idempotency-Key" = Option<String>, Header, description = "A name for this request: sent again within a day, it gets the first answer and creates nothing"),
           ("Prefer" = Option<String>, Header, description = "respond-async: answer as soon as the change is stored, before a language model has read it (RFC 7240)")),
    responses((status = 201, description = "Cloned", body = Answer<InvestigationSchema>)))]
pub async fn clone(
    State(app): State<App>,
    Creates(caller): Creates,
    InvestigationId(id): InvestigationId,
    key: IdempotencyKey,
    prefer: Prefer,
) -> Result<Response, ApiError> {
    let idempotent = key.of(&caller, "cloneInvestigation", Some(id), None);
    let options = CreateOptions { idempotency: idempotent.as_ref(), actor: caller.actor, respond_after: prefer.0 };
    let cloned = authoring::clone(&app, id, caller.principal().into(), options).await;
    let Created { what, replayed } = cloned.map_err(|f| {
        ApiError::per_contract(f, Wording::Fixed("Failed to clone investigation"), app.http.error_statuses)
    })?;
    let (path, pending) = (format!("/api/investigation/{}", what.id), what.findings.pending);
    let response =
        investigation_response(&app, &caller, StatusCode::CREATED, "Investigation cloned successfully", what).await;
    Ok(located(&app, &path, marked(replayed, prefer.mark(pending, response))))
}
