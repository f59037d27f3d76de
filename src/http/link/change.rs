//! `PATCH /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::links;
use crate::domain::event;
use crate::domain::link::Link;
use crate::domain::link_request::LinkChange;
use crate::http::auth::ChangesLinks;
use crate::http::body::MergePatch;
use crate::http::docs::content::LinkPatch;
use crate::http::envelope::{Answer, answer};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::LinkName;

/// Changes the properties of a link. The body is a JSON Merge Patch (RFC 7396). Key and sub-link cannot change.
#[utoipa::path(patch, path = "/api/link/{key}/{subLink}", operation_id = "changeLink", tag = "link",
    security(("bearer" = [])),
    request_body(content((LinkPatch = "application/json"), (LinkPatch = "application/merge-patch+json"))),
    params(LinkName),
    responses((status = 200, description = "The link as it is now", body = Answer<Link>),
              (status = 404, description = "No such link", body = ErrorBody)))]
pub async fn change(
    State(app): State<App>,
    ChangesLinks(caller): ChangesLinks,
    LinkName { key, sub_link }: LinkName,
    MergePatch(body): MergePatch,
) -> Result<Response, ApiError> {
    let change = LinkChange::read(&body).map_err(ApiError::invalid)?;
    let name = event::LinkName { key, sub_link };
    let link = links::change(&app, &caller.change(), name, change).await?;
    Ok(answer(StatusCode::OK, "Link updated successfully", link))
}
