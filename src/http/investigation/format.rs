//! `GET /api/investigation/format`

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::http::auth::Reads;
use crate::http::messages::Messages;

/// A successful response of this operation contains no message.
pub const MESSAGES: Messages = Messages::fixed("", "Failed to fetch investigation schema format");

/// Returns the content schema: the fields of an investigation, which of them a complete investigation needs, and the
/// consistency rules. The schema stays the same until the service restarts.
pub async fn format(State(app): State<App>, _: Reads) -> Json<Value> {
    let mut format = app.schema.document().clone();
    if let Some(keywords) = format.as_object_mut() {
        keywords.insert("x-rules".to_owned(), app.assistant.rules().listed());
    }
    Json(json!({ "format": format }))
}
