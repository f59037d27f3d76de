//! `POST /api/people/{id}/reassign`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::errors::unknown;
use crate::app::App;
use crate::authoring;
use crate::domain::audit::AuditAction;
use crate::domain::person;
use crate::http::auth::Administers;
use crate::http::body::JsonObject;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::PersonId;

const MESSAGES: Messages =
    Messages::fixed("Investigations reassigned successfully", "Failed to reassign investigations");

/// Reassigns what a person wrote to another author. The person may have any status. A request that failed halfway can
/// be repeated.
pub async fn reassign(
    State(app): State<App>,
    Administers(caller): Administers,
    PersonId(id): PersonId,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let new_author = person::read_new_author(&body).map_err(ApiError::invalid)?;
    if !authoring::can_reassign(&app, id, new_author).await? {
        return Err(no_new_author("to"));
    }
    if app.store.people(&[id]).await?.is_empty() {
        return Err(unknown());
    }
    let action = AuditAction::PersonReassigned { person_id: id, reassigned_to: new_author };
    app.store.add_audit_entry(caller.stamp(&app).entry(action)).await?;
    let reassigned = authoring::reassign(&app, &caller.change(), id, new_author).await.map_err(MESSAGES.error(&app))?;
    Ok(Answer::new(MESSAGES.done, json!({ "id": id, "reassigned": reassigned })).into_response())
}

/// Refuses a new author, who is named in the member or parameter `at` of the request.
pub fn no_new_author(at: &str) -> ApiError {
    ApiError::invalid_at(at, "must be the id of another active person who has a role")
}
