//! `POST /api/people`

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::change::email_taken;
use super::link::Linked;
use crate::app::App;
use crate::domain::person::Invitation;
use crate::http::auth::Administers;
use crate::http::body::JsonObject;
use crate::http::envelope::{Answer, located};
use crate::http::error::ApiError;
use crate::store::{PersonStored, Stamp};

/// Invites a person: adds them to the directory, and returns the link with which they sign in.
pub async fn invite(
    State(app): State<App>,
    Administers(caller): Administers,
    headers: HeaderMap,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let invitation = Invitation::read(&body).map_err(ApiError::invalid)?;
    let now = app.clock.now();
    let (code, stamp) = (app.ids.opaque(), Stamp { actor: caller.principal.into(), at: now });
    let person = invitation.person(app.ids.object_id(now), now);
    match app.store.invite_person(person, code.digest(), stamp).await? {
        PersonStored::Stored(person) => {
            app.directory.note(&app.clock, &person);
            let path = format!("/api/people/{}", person.id);
            let linked = Linked::new(&app, &headers, person, &code)?;
            let response = (StatusCode::CREATED, Answer::new("Person invited successfully", linked)).into_response();
            Ok(located(&app, &path, response))
        }
        _ => Err(email_taken()),
    }
}
