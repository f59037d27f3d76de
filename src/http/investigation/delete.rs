//! `DELETE /api/investigation/{id}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::{self, ChangeContext, Failure};
use crate::domain::id::ObjectId;
use crate::http::auth::Changes;
use crate::http::envelope::{Answer, answer};
use crate::http::error::{ApiError, Wording};
use crate::http::params::{InvestigationId, Permanently};
use crate::http::preconditions::IfMatch;

/// The result of a deletion.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    investigation_id: ObjectId,
    /// Number of deleted chats.
    deleted_chats: u64,
}

/// Deletes an investigation with its versions, links and chat. If the service has a trash, the investigation can be
/// restored from there for some days.
#[utoipa::path(delete, path = "/api/investigation/{id}", operation_id = "deleteInvestigation", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("permanently" = Option<bool>, Query, description = "true deletes past the trash, so that nothing can be restored; for the author and admins"),
           ("If-Match" = Option<String>, Header, description = "Delete only this revision (its ETag)")),
    responses((status = 200, description = "Deleted", body = Answer<Deleted>),
              (status = 409, description = "Too large for the trash: nothing was deleted", body = crate::http::error::ErrorBody),
              (status = 404, description = "Nothing was deleted", body = crate::http::error::ErrorBody)))]
pub async fn delete(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
    IfMatch(expected): IfMatch,
    Permanently(permanently): Permanently,
) -> Result<Response, ApiError> {
    let context = ChangeContext { expected, ..caller.change() };
    match authoring::delete(&app, id, &context, permanently).await {
        Ok(deleted_chats) => {
            let data = Deleted { investigation_id: id, deleted_chats };
            Ok(answer(StatusCode::OK, "Investigation deleted successfully", data))
        }
        Err(Failure::InvestigationNotFound) => Err(ApiError::with_http_status(Failure::InvestigationNotFound)),
        Err(other) => Err(ApiError::per_contract(
            other,
            Wording::Fixed("Failed to delete investigation"),
            app.http.error_statuses,
        )),
    }
}
