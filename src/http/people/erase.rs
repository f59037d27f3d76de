//! `DELETE /api/people/{id}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::errors::{last_admin, unknown};
use super::reassign::no_new_author;
use crate::app::App;
use crate::authoring;
use crate::http::auth::Administers;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::{PersonId, Reassign};
use crate::store::PersonErased;

const MESSAGES: Messages = Messages::fixed("Person erased successfully", "Failed to erase person");

/// Erases a person. Of their personal data, only the id remains, for example as the author of lessons, and nobody can
/// sign in as this person anymore. What they wrote can be reassigned. A request that failed halfway can be repeated.
pub async fn erase(
    State(app): State<App>,
    Administers(caller): Administers,
    PersonId(id): PersonId,
    Reassign(new_author): Reassign,
) -> Result<Response, ApiError> {
    match app.store.erase_person(id, new_author, app.http.default_role, caller.stamp(&app)).await? {
        PersonErased::Erased => app.directory.check_again(),
        PersonErased::ErasedBefore => {}
        PersonErased::Unknown => return Err(unknown()),
        PersonErased::LastAdmin => return Err(last_admin()),
        PersonErased::NoNewAuthor => return Err(no_new_author("reassign")),
    }
    let reassigned = match new_author {
        Some(new_author) => {
            authoring::reassign(&app, &caller.change(), id, new_author).await.map_err(MESSAGES.error(&app))?
        }
        None => 0,
    };
    Ok(Answer::new(MESSAGES.done, json!({ "id": id, "reassigned": reassigned })).into_response())
}
