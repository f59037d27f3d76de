//! `DELETE /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::links;
use crate::http::auth::ChangesLinks;
use crate::http::envelope::{Answer, answer};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::LinkName;

/// The deleted link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeletedLink)]
pub struct Deleted {
    key: String,
    sub_link: String,
}

/// Deletes a link with its visit counts. Another link can then get its address.
#[utoipa::path(delete, path = "/api/link/{key}/{subLink}", operation_id = "deleteLink", tag = "link",
    security(("bearer" = [])),
    params(LinkName),
    responses((status = 200, description = "Deleted", body = Answer<Deleted>),
              (status = 404, description = "No such link", body = ErrorBody)))]
pub async fn delete(
    State(app): State<App>,
    ChangesLinks(caller): ChangesLinks,
    LinkName { key, sub_link }: LinkName,
) -> Result<Response, ApiError> {
    links::delete(&app, &caller.change(), key.clone(), sub_link.clone()).await?;
    Ok(answer(StatusCode::OK, "Link deleted successfully", Deleted { key, sub_link }))
}
