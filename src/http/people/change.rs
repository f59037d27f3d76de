//! `PATCH /api/people/{id}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::domain::permission::Denial;
use crate::domain::person::PersonChange;
use crate::http::auth::Known;
use crate::http::body::MergePatch;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::http::params::PersonId;
use crate::store::{PersonStored, Stamp};

/// Changes a person. Admins change name, e-mail, role and status; everybody else changes their own name.
pub async fn change(
    State(app): State<App>,
    Known(caller): Known,
    PersonId(id): PersonId,
    MergePatch(body): MergePatch,
) -> Result<Response, ApiError> {
    let principal = caller.principal;
    if !principal.is_admin() && principal.user != Some(id) {
        return Err(ApiError::denied(Denial::AdminsOnly));
    }
    let change = PersonChange::read(&body, principal.is_admin()).map_err(ApiError::invalid)?;
    let stamp = Stamp { actor: principal.into(), at: app.clock.now() };
    match app.store.change_person(id, change, stamp).await? {
        PersonStored::Stored(person) => {
            app.directory.check_again().await;
            Ok(Answer::new("Person updated successfully", person).into_response())
        }
        PersonStored::Unknown => Err(unknown()),
        PersonStored::Erased => Err(disabled()),
        PersonStored::EmailTaken => Err(email_taken()),
        PersonStored::LastAdmin => Err(ApiError::new(StatusCode::CONFLICT, ErrorCode::LastAdmin, "Not possible")
            .with_reason("nobody else is an active admin; make somebody else one first")),
    }
}

pub fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, ErrorCode::PersonNotFound, "Person not found")
}

pub fn disabled() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, ErrorCode::PersonDisabled, "Not possible")
        .with_reason("this person was disabled or erased; set the status to active first")
}

pub fn email_taken() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, ErrorCode::EmailTaken, "Not possible")
        .with_reason("another person has this e-mail address")
}
