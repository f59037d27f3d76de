//! `GET /api/link`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::domain::link::Link;
use crate::domain::page::{OwnLinkPosition, Page};
use crate::http::auth::SignedIn;
use crate::http::envelope::{Data, Paged, page_response};
use crate::http::error::ApiError;
use crate::http::params::Paged as Pages;

/// Lists the links that the caller created, newest first. They can belong to any investigation. The list is empty for a
/// token without a user id.
#[utoipa::path(get, path = "/api/link", operation_id = "listOwnLinks", tag = "link",
    security(("bearer" = [])),
    params(Pages<OwnLinkPosition>),
    responses((status = 200, description = "The links. Where more follow, `pagination` has the cursor of the next page", body = Paged<Data<Vec<Link>>>)))]
pub async fn own(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    pages: Pages<OwnLinkPosition>,
) -> Result<Response, ApiError> {
    let links = match caller.user {
        Some(user) => app.store.links_of(user, pages.0).await?,
        None => Page { entries: Vec::new(), has_more: false },
    };
    page_response(links)
}
