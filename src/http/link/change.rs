//! `PATCH /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::{Failure, links};
use crate::domain::event;
use crate::domain::link::{Link, Shows};
use crate::domain::link_request::LinkChange;
use crate::domain::time::Timestamp;
use crate::http::auth::ChangesLinks;
use crate::http::body::MergePatch;
use crate::http::envelope::{Answer, answer};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::LinkName;

/// The body of a change to a link: a JSON Merge Patch. Omitted members keep their values.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes what `LinkChange` reads")]
pub struct LinkPatch {
    /// What the link is for; may be empty.
    #[schema(max_length = 500)]
    #[serde(default)]
    description: String,
    /// Which parts of the investigation the page of the link shows.
    #[serde(default)]
    shows: Shows,
    /// Version of the investigation that the page shows; null for the current version.
    version: Option<u64>,
    /// Time at which the link closes; null if it never does.
    expires_at: Option<Timestamp>,
    /// Number of visits after which the link closes; null if there is no limit.
    #[schema(minimum = 1, maximum = 9007199254740991_u64)]
    max_visits: Option<u64>,
    /// True closes the link; false opens it again.
    #[serde(default)]
    archived: bool,
}

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
    let change =
        LinkChange::read(&body).map_err(|violations| ApiError::with_http_status(Failure::Invalid(violations)))?;
    let name = event::LinkName { key, sub_link };
    let link = links::change(&app, &caller.change(), name, change).await.map_err(ApiError::with_http_status)?;
    Ok(answer(StatusCode::OK, "Link updated successfully", link))
}
