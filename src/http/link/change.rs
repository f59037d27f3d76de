//! `PATCH /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::authoring::links;
use crate::domain::link_request::LinkChange;
use crate::http::auth::ChangesLinks;
use crate::http::body::MergePatch;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::params::LinkName;

/// Changes the properties of a link. The body is a JSON Merge Patch (RFC 7396). Key and sub-link cannot change.
pub async fn change(
    State(app): State<App>,
    ChangesLinks(caller): ChangesLinks,
    name: LinkName,
    MergePatch(body): MergePatch,
) -> Result<Response, ApiError> {
    let change = LinkChange::read(&body).map_err(ApiError::invalid)?;
    let link = links::change(&app, &caller.change(), name, change).await?;
    Ok(Answer::new("Link updated successfully", link).into_response())
}
