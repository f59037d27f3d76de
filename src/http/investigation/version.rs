//! `GET /api/investigation/{id}/versions/{version}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::authoring::{self, AuthoringError};
use crate::domain::content::{self, Content};
use crate::domain::id::ObjectId;
use crate::http::auth::Reads;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::{InvestigationId, Version};

const MESSAGES: Messages =
    Messages::fixed("Investigation version retrieved successfully", "Failed to fetch investigation version");

/// Returns the content of an investigation at a version. Version 0 is the initial content.
pub async fn version(
    State(app): State<App>,
    reader: Reads,
    InvestigationId(id): InvestigationId,
    Version(version): Version,
) -> Result<Response, ApiError> {
    let content = load(&app, id, version).await.map_err(MESSAGES.error(&app))?;
    let bytes = content::bytes(&content);
    let mut data = Map::from_iter([("_id".to_owned(), json!(id)), ("version".to_owned(), json!(version))]);
    data.extend(content);
    let show = || Answer::new(MESSAGES.done, Value::Object(data)).into_response();
    Ok(app.admission.core(reader.0.actor, bytes).await.run(show))
}

async fn load(app: &App, id: ObjectId, version: u64) -> Result<Content, AuthoringError> {
    match app.store.content_at(id, version).await? {
        Some(content) => Ok(content),
        None => Err(authoring::missing(app, id, AuthoringError::VersionNotFound(version)).await),
    }
}
