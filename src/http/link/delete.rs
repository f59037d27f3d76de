//! `DELETE /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::authoring::links;
use crate::http::auth::ChangesLinks;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::params::LinkName;

/// Deletes a link with its visit counts. Another link can then get its address.
pub async fn delete(
    State(app): State<App>,
    ChangesLinks(caller): ChangesLinks,
    name: LinkName,
) -> Result<Response, ApiError> {
    links::delete(&app, &caller.change(), name.key.clone(), name.sub_link.clone()).await?;
    Ok(Answer::new("Link deleted successfully", name).into_response())
}
