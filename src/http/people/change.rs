//! `PATCH /api/people/{id}`

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};

use super::errors::{disabled, email_taken, last_admin, unknown};
use super::password;
use crate::app::App;
use crate::domain::password::PasswordChange;
use crate::domain::permission::PermissionError;
use crate::domain::person::PersonChange;
use crate::http::auth::Authenticated;
use crate::http::body::MergePatch;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::params::PersonId;
use crate::store::PersonStored;

/// Changes a person. Admins change name, e-mail, role and status; everybody else changes their own name. With a
/// session, everybody can set their own password.
pub async fn change(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    PersonId(id): PersonId,
    head: Parts,
    MergePatch(body): MergePatch,
) -> Result<Response, ApiError> {
    if PasswordChange::is_in(&body) {
        let person = password::set(&app, &head, &caller, id, &body).await?;
        return Ok(Answer::new("Password changed successfully", person).into_response());
    }
    let principal = caller.principal;
    if !principal.is_admin() && principal.user != Some(id) {
        return Err(ApiError::denied(PermissionError::AdminsOnly));
    }
    let change = PersonChange::read(&body, principal.is_admin()).map_err(ApiError::invalid)?;
    match app.store.change_person(id, change, caller.stamp(&app)).await? {
        PersonStored::Stored(person) => {
            app.directory.check_again();
            Ok(Answer::new("Person updated successfully", person).into_response())
        }
        PersonStored::SameRights(person) => {
            app.directory.rename(&person);
            Ok(Answer::new("Person updated successfully", person).into_response())
        }
        PersonStored::Unknown => Err(unknown()),
        PersonStored::Erased => Err(disabled()),
        PersonStored::EmailTaken => Err(email_taken()),
        PersonStored::LastAdmin => Err(last_admin()),
    }
}
