//! `POST /api/investigation/{id}/dismissals`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::{ChangeContext, Failure, dismissals};
use crate::domain::dismissal::DismissalRequest;
use crate::http::auth::Changes;
use crate::http::body::JsonObject;
use crate::http::envelope::{Answer, InvestigationSchema, investigation_response, located};
use crate::http::error::{ApiError, Wording};
use crate::http::params::InvestigationId;
use crate::http::preconditions::IfMatch;

/// The body of a dismissal. It identifies a current contradiction or hint.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes what `DismissalRequest` reads")]
pub struct DismissalBody {
    /// The finding's `fieldName`.
    #[schema(example = "durationMinutes")]
    field_name: String,
    /// The finding's `conflictsWith`. If the list has only one field, this field and `fieldName` may be swapped.
    #[schema(min_items = 1, example = json!(["steps"]))]
    conflicts_with: Vec<String>,
    /// Every `fieldPath` of the finding's evidence, to distinguish findings between the same fields. If omitted, the
    /// first finding between these fields is dismissed.
    evidence: Option<Vec<String>>,
    /// Why the finding is not a real conflict.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

/// Dismisses a finding. Until a value in its evidence changes, the finding is hidden and does not affect the status.
#[utoipa::path(post, path = "/api/investigation/{id}/dismissals", operation_id = "dismissFinding", tag = "investigation",
    security(("bearer" = [])), request_body = DismissalBody,
    params(("id" = String, Path, description = "The investigation"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)")),
    responses((status = 201, description = "The investigation afterwards", body = Answer<InvestigationSchema>),
              (status = 404, description = "No such finding", body = crate::http::error::ErrorBody)))]
pub async fn dismiss(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
    IfMatch(expected): IfMatch,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let failed = |f| ApiError::per_contract(f, Wording::Text("Failed to dismiss finding"), app.http.error_statuses);
    let asked = DismissalRequest::read(&body).map_err(|violations| failed(Failure::Invalid(violations)))?;
    let context = ChangeContext { expected, ..caller.change() };
    let investigation = dismissals::dismiss(&app, id, &context, &asked).await.map_err(failed)?;
    // The newest dismissal is the last.
    let dismissal = investigation.dismissals.last().map(|dismissal| dismissal.id);
    let path = dismissal.map(|dismissal| format!("/api/investigation/{id}/dismissals/{dismissal}"));
    let done = "Finding dismissed successfully";
    let response = investigation_response(&app, &caller, StatusCode::CREATED, done, investigation).await;
    Ok(located(&app, &path.unwrap_or_default(), response))
}
