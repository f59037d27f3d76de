//! `DELETE /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::app::App;
use crate::authoring::links;
use crate::http::auth::ChangesLinks;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::params::LinkName;

/// The deleted link.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    key: String,
    sub_link: String,
}

/// Deletes a link with its visit counts. Another link can then get its address.
pub async fn delete(
    State(app): State<App>,
    ChangesLinks(caller): ChangesLinks,
    LinkName { key, sub_link }: LinkName,
) -> Result<Response, ApiError> {
    links::delete(&app, &caller.change(), key.clone(), sub_link.clone()).await?;
    Ok(Answer::new("Link deleted successfully", Deleted { key, sub_link }).into_response())
}
