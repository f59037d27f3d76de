//! `GET /api/link`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::domain::page::{OwnLinkPosition, Page};
use crate::http::auth::SignedIn;
use crate::http::envelope::page_response;
use crate::http::error::ApiError;
use crate::http::params::Paged;

/// Lists the links that the caller created, newest first.
pub async fn own(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    pages: Paged<OwnLinkPosition>,
) -> Result<Response, ApiError> {
    let links = match caller.principal.user {
        Some(user) => app.store.links_of(user, pages.0).await?,
        None => Page { entries: Vec::new(), has_more: false },
    };
    page_response(links)
}
