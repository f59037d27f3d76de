//! `GET /api/investigation/{id}/pictures/{pictureId}`

use axum::extract::State;
use axum::http::header;
use axum::response::Response;

use crate::app::App;
use crate::authoring::AuthoringError;
use crate::http::auth::Reads;
use crate::http::error::ApiError;
use crate::http::headers::picture_response;
use crate::http::params::{InvestigationId, PictureId};

/// Returns the bytes of a picture. They never change, because their digest is their address.
pub async fn picture(
    State(app): State<App>,
    _: Reads,
    InvestigationId(id): InvestigationId,
    PictureId(picture): PictureId,
) -> Result<Response, ApiError> {
    let found = app.store.picture(id, picture).await?.ok_or(AuthoringError::PictureNotFound)?;
    let mut response = picture_response(found.kind.media_type(), found.bytes.into());
    let kept = header::HeaderValue::from_static("private, max-age=31536000, immutable");
    response.headers_mut().insert(header::CACHE_CONTROL, kept);
    Ok(response)
}
