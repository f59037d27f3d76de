//! `POST /api/investigation/{id}/regenerate`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use crate::app::App;
use crate::authoring::assist::{AssistantResult, Task, assist};
use crate::domain::representation::Document;
use crate::http::body::FieldName;
use crate::http::change::ChangeRequest;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::DryRun;

pub const MESSAGES: Messages =
    Messages::text("Other fields regenerated successfully", "Failed to regenerate other fields");
const NO_CHANGES: &str = "Regeneration completed with no changes";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Regenerated {
    investigation: Document,
    message: String,
    explanation: Option<String>,
    has_changes: bool,
    changed_fields: Vec<String>,
}

/// Changes other fields to agree with one field, which stays unchanged.
pub async fn regenerate(
    State(app): State<App>,
    mut change: ChangeRequest,
    DryRun(dry_run): DryRun,
    FieldName(field): FieldName,
) -> Result<Response, ApiError> {
    change.context.dry_run = dry_run;
    let regenerated = assist(&app, change.id, &change.context, Task::Regenerate(field)).await;
    let (investigation, AssistantResult { message, explanation, changed_fields }) =
        regenerated.map_err(MESSAGES.error(&app))?;
    let has_changes = !changed_fields.is_empty();
    let done = if has_changes { MESSAGES.done } else { NO_CHANGES };
    let body = |investigation| {
        let data = Regenerated { investigation, message, explanation, has_changes, changed_fields };
        Answer::new(done, data)
    };
    Ok(change.respond_with(&app, investigation, body).await)
}
