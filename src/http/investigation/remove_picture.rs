//! `DELETE /api/investigation/{id}/pictures/{pictureId}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::app::App;
use crate::authoring::pictures;
use crate::http::change::ChangeRequest;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::PictureId;

const MESSAGES: Messages = Messages::text("Picture removed successfully", "Failed to remove picture");

/// Removes a picture at once, also from all versions. Only the author and admins may do this.
pub async fn remove_picture(
    State(app): State<App>,
    change: ChangeRequest,
    PictureId(picture): PictureId,
) -> Result<Response, ApiError> {
    let removed = pictures::remove(&app, change.id, &change.context, picture.clone()).await;
    removed.map_err(MESSAGES.error(&app))?;
    let data = json!({ "investigationId": change.id, "pictureId": picture });
    Ok(Answer::new(MESSAGES.done, data).into_response())
}
