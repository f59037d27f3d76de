//! `DELETE /api/investigation/{id}/dismissals/{dismissalId}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{ChangeContext, dismissals};
use crate::http::auth::Changes;
use crate::http::envelope::{Answer, InvestigationSchema, investigation_response};
use crate::http::error::{ApiError, Wording};
use crate::http::params::{DismissalId, InvestigationId};
use crate::http::preconditions::IfMatch;

/// Removes a dismissal. If the content still has the finding, the finding is shown again.
#[utoipa::path(delete, path = "/api/investigation/{id}/dismissals/{dismissalId}", operation_id = "removeDismissal", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("dismissalId" = String, Path, description = "The dismissal"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)")),
    responses((status = 200, description = "The investigation afterwards", body = Answer<InvestigationSchema>),
              (status = 404, description = "No such dismissal", body = crate::http::error::ErrorBody)))]
pub async fn remove_dismissal(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
    DismissalId(dismissal): DismissalId,
    IfMatch(expected): IfMatch,
) -> Result<Response, ApiError> {
    let removed = dismissals::remove(&app, id, &ChangeContext { expected, ..caller.change() }, dismissal).await;
    let investigation = removed
        .map_err(|f| ApiError::per_contract(f, Wording::Text("Failed to remove dismissal"), app.http.error_statuses))?;
    Ok(investigation_response(&app, &caller, StatusCode::OK, "Dismissal removed successfully", investigation).await)
}
