//! `GET /api/link/investigation/{id}`, also `GET /api/investigation/{id}/links`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring::AuthoringError;
use crate::domain::page::LinkPosition;
use crate::http::auth::SignedIn;
use crate::http::envelope::page_response;
use crate::http::error::ApiError;
use crate::http::params::{InvestigationId, Paged};

/// Lists the links of an investigation, oldest first. Every signed-in caller sees all links.
pub async fn list(
    State(app): State<App>,
    _: SignedIn,
    InvestigationId(id): InvestigationId,
    pages: Paged<LinkPosition>,
) -> Result<Response, ApiError> {
    let wanted = pages.of(id, |place| place.investigation)?;
    page_response(app.store.links(id, wanted).await?.ok_or(AuthoringError::InvestigationNotFound)?)
}
