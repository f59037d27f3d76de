//! `POST /api/investigation/{id}/undelete`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring;
use crate::domain::representation::Document;
use crate::http::auth::Changes;
use crate::http::envelope::{Answer, InvestigationSchema, document_response};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::InvestigationId;

/// An investigation that was restored from the trash.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Undeleted {
    #[serde(flatten)]
    #[schema(value_type = InvestigationSchema)]
    document: Document,
    /// The links, as `key/subLink`, that were not restored because other links have their addresses now. Omitted if
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    links_left_out: Vec<String>,
}

/// Restores a deleted investigation with its versions, links and chat. Its revision is higher than before the deletion.
#[utoipa::path(post, path = "/api/investigation/{id}/undelete", operation_id = "undeleteInvestigation", tag = "investigation",
    security(("bearer" = [])),
    params(InvestigationId),
    responses((status = 200, description = "The investigation", body = Answer<Undeleted>),
              (status = 404, description = "It is not in the trash", body = ErrorBody),
              (status = 409, description = "An investigation with this id exists again", body = ErrorBody)))]
pub async fn undelete(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
) -> Result<Response, ApiError> {
    let (investigation, links_left_out) = authoring::undelete(&app, id, &caller.change()).await?;
    let message = "Investigation restored successfully";
    let body = |document| Answer { success: true, message, data: Undeleted { document, links_left_out } };
    Ok(document_response(&app, &caller, investigation, body).await)
}
