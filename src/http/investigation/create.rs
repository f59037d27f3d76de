//! `POST /api/investigation`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, CreateOptions, Created};
use crate::http::auth::Creates;
use crate::http::body::JsonObject;
use crate::http::docs::content::InvestigationBody;
use crate::http::envelope::{Answer, InvestigationSchema, investigation_response, located};
use crate::http::error::{ApiError, Wording};
use crate::http::idempotency::{IdempotencyKey, marked};
use crate::http::prefer::Prefer;

/// Creates an investigation and its chat, and detects its contradictions. Refuses content that breaks the content
/// schema, with all violations.
#[utoipa::path(post, path = "/api/investigation", operation_id = "createInvestigation", tag = "investigation",
    security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A name for this request: sent again within a day, it gets the first answer and creates nothing"),
           ("Prefer" = Option<String>, Header, description = "respond-async: answer as soon as the change is stored, before a language model has read it (RFC 7240)")),
    request_body = InvestigationBody,
    responses((status = 201, description = "Created", body = Answer<InvestigationSchema>)))]
pub async fn create(
    State(app): State<App>,
    Creates(caller): Creates,
    key: IdempotencyKey,
    prefer: Prefer,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let idempotent = key.of(&caller, "createInvestigation", None, Some(&body));
    let options = CreateOptions { idempotency: idempotent.as_ref(), actor: caller.actor, respond_after: prefer.0 };
    let created = authoring::create_with(&app, caller.principal().into(), body, options).await;
    let Created { what, replayed } = created.map_err(|f| {
        ApiError::per_contract(f, Wording::Fixed("Failed to create investigation"), app.http.error_statuses)
    })?;
    let (path, pending) = (format!("/api/investigation/{}", what.id), what.findings.pending);
    let response =
        investigation_response(&app, &caller, StatusCode::CREATED, "Investigation created successfully", what).await;
    Ok(located(&app, &path, marked(replayed, prefer.mark(pending, response))))
}
