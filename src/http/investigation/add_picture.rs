//! `POST /api/investigation/{id}/pictures`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::app::App;
use crate::authoring::pictures;
use crate::http::body::PictureBody;
use crate::http::change::ChangeRequest;
use crate::http::envelope::{Answer, located};
use crate::http::error::ApiError;
use crate::http::messages::Messages;

const MESSAGES: Messages = Messages::text("Picture added successfully", "Failed to add picture");

/// The result of the upload.
#[derive(Debug, Serialize)]
struct Added {
    id: String,
    width: u32,
    height: u32,
    r#type: &'static str,
    bytes: usize,
}

/// Converts a PNG, JPEG, WebP or GIF file into a picture, and adds it to an investigation. The content does not change.
pub async fn add_picture(
    State(app): State<App>,
    change: ChangeRequest,
    PictureBody(file): PictureBody,
) -> Result<Response, ApiError> {
    let added = pictures::add(&app, change.id, &change.context, &file).await.map_err(MESSAGES.error(&app))?;
    let path = format!("/api/investigation/{}/pictures/{}", change.id, added.id);
    let (r#type, bytes) = (added.kind.media_type(), added.bytes.len());
    let made = Added { id: added.id, width: added.width, height: added.height, r#type, bytes };
    Ok(located(&app, &path, (StatusCode::CREATED, Answer::new(MESSAGES.done, made)).into_response()))
}
