//! `POST /api/investigation/{id}/undelete`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use crate::app::App;
use crate::authoring;
use crate::domain::representation::Document;
use crate::http::auth::Changes;
use crate::http::envelope::{Answer, document_response};
use crate::http::error::ApiError;
use crate::http::params::InvestigationId;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Undeleted {
    #[serde(flatten)]
    document: Document,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links_left_out: Vec<String>,
}

/// Restores a deleted investigation with its versions and links, and an empty chat. Its revision is higher than before
/// the deletion.
pub async fn undelete(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
) -> Result<Response, ApiError> {
    let (investigation, links_left_out) = authoring::undelete(&app, id, &caller.change()).await?;
    let message = "Investigation restored successfully";
    let body = |document| Answer::new(message, Undeleted { document, links_left_out });
    Ok(document_response(&app, &caller, investigation, body).await)
}
