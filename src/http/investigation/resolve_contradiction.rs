//! `POST /api/investigation/{id}/resolve-contradiction`

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
    Messages::text("Successfully resolved contradictions", "Failed to resolve contradiction");

#[derive(Debug, Serialize)]
pub struct Resolved {
    investigation: Document,
    message: String,
    explanation: Option<String>,
}

/// Resolves the contradictions of a field one by one.
pub async fn resolve_contradiction(
    State(app): State<App>,
    mut change: ChangeRequest,
    DryRun(dry_run): DryRun,
    FieldName(field): FieldName,
) -> Result<Response, ApiError> {
    change.context.dry_run = dry_run;
    let resolved = assist(&app, change.id, &change.context, Task::Resolve(field)).await;
    let (investigation, AssistantResult { message, explanation, .. }) = resolved.map_err(MESSAGES.error(&app))?;
    let body = |investigation| Answer::new(MESSAGES.done, Resolved { investigation, message, explanation });
    Ok(change.respond_with(&app, investigation, body).await)
}
