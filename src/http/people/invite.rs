//! `POST /api/people`

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::errors::email_taken;
use super::link::{Linked, link_with};
use crate::app::App;
use crate::domain::person::Invitation;
use crate::http::auth::Administers;
use crate::http::body::JsonObject;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::store::{PersonAdded, StoreError};

/// Invites a person: adds them to the directory, and returns the link with which they sign in.
pub async fn invite(
    State(app): State<App>,
    Administers(caller): Administers,
    headers: HeaderMap,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let invitation = Invitation::read(&body).map_err(ApiError::invalid)?;
    let (code, stamp) = (app.ids.secret_token(), caller.stamp(&app));
    let person = invitation.person(app.ids.object_id(stamp.at), stamp.at);
    let sign_in_link = link_with(&app, &headers, &code)?;
    match app.store.invite_person(person.clone(), code.digest(), stamp).await? {
        PersonAdded::Added => {
            app.directory.check_again();
            let linked = Linked { person, sign_in_link };
            Ok((StatusCode::CREATED, Answer::new("Person invited successfully", linked)).into_response())
        }
        PersonAdded::EmailTaken => Err(email_taken()),
        PersonAdded::IdTaken => Err(StoreError::Failed(format!("the new id {} is taken", person.id)).into()),
    }
}
