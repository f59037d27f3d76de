//! `DELETE /api/investigation/{id}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::{self, Failure};
use crate::domain::id::ObjectId;
use crate::http::change::ChangeRequest;
use crate::http::envelope::{Answer, answer};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::{InvestigationId, Permanently};
use crate::http::preconditions::IfMatch;
use crate::http::words::Words;

pub const WORDS: Words = Words::fixed("Investigation deleted successfully", "Failed to delete investigation");

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
    params(InvestigationId, Permanently, IfMatch),
    responses((status = 200, description = "Deleted", body = Answer<Deleted>),
              (status = 409, description = "Too large for the trash: nothing was deleted", body = ErrorBody),
              (status = 404, description = "Nothing was deleted", body = ErrorBody)))]
pub async fn delete(
    State(app): State<App>,
    ChangeRequest { id, context, .. }: ChangeRequest,
    Permanently(permanently): Permanently,
) -> Result<Response, ApiError> {
    let deleted = authoring::delete(&app, id, &context, permanently).await.map_err(|failure| match failure {
        Failure::InvestigationNotFound => failure.into(),
        failure => WORDS.failure(&app)(failure),
    });
    let data = Deleted { investigation_id: id, deleted_chats: deleted? };
    Ok(answer(StatusCode::OK, WORDS.done, data))
}
