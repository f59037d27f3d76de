//! A person's own password.

use axum::http::StatusCode;
use axum::http::request::Parts;
use serde_json::{Map, Value};

use super::errors::unknown;
use crate::app::{App, Credential};
use crate::domain::id::ObjectId;
use crate::domain::password::{PasswordChange, is_easy};
use crate::domain::person::Person;
use crate::http::auth::Caller;
use crate::http::client_address::client_actor;
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::http::limits;
use crate::http::passwords;
use crate::store::NewPassword;

/// Sets the caller's own password. The old password must be correct, unless the caller has just signed in with a
/// sign-in link. This is how people choose their first password, and how they recover from a forgotten one.
pub async fn set(
    app: &App,
    head: &Parts,
    caller: &Caller,
    id: ObjectId,
    body: &Map<String, Value>,
) -> Result<Person, ApiError> {
    let PasswordChange { password, current } = PasswordChange::read(body).map_err(ApiError::invalid)?;
    let faulty = |fault: &str| ApiError::invalid_at("password", fault);
    if !app.http.passwords {
        return Err(faulty("cannot be used to sign in here; see auth.passwords"));
    }
    if caller.principal.user != Some(id) {
        return Err(faulty("can be set only by the person it belongs to"));
    }
    let Some(Credential::Session(text)) = caller.right.as_ref().map(|right| &right.credential) else {
        return Err(faulty("can be set only in a session of the page"));
    };
    let stamp = caller.stamp(app);
    let checked = app.directory.checked(&app.store, &app.clock).await?;
    let session = app.directory.session(checked, &app.store, text, stamp.at).await?.ok_or_else(ended)?;
    let person = app.store.people(&[id]).await?.pop().ok_or_else(unknown)?;
    if !person.origin.is_here() && app.tokens.sign_in_name().is_some() {
        return Err(faulty("cannot be used by people who sign in with the provider"));
    }
    if person.email.is_none() {
        return Err(faulty("needs an e-mail address to sign in with; an admin can set one"));
    }
    if is_easy(&password, [&person.name, &person.email].into_iter().flatten().map(String::as_str)) {
        return Err(faulty("is too easy to guess; use several unrelated words"));
    }
    let address = client_actor(head, app);
    let checked = if session.may_choose_password(stamp.at) {
        None
    } else {
        let missing = || {
            ApiError::invalid_at("currentPassword", "is required, unless you have just signed in with a sign-in link")
        };
        let current = current.ok_or_else(missing)?;
        // Failed sign-ins by strangers must not prevent a person from changing their password, so the attempts are
        // counted by person id.
        let whose = id.to_string();
        limits::count_sign_in(app, address)?;
        passwords::count_attempt(app, &whose)?;
        let known = app.store.password_of(id).await?;
        if !passwords::accepts(app, address, &whose, current, known.clone()).await? {
            return Err(ApiError::new(StatusCode::FORBIDDEN, ErrorCode::WrongCredentials, "Not changed")
                .with_reason("the current password is wrong; a new sign-in link lets you choose one without it"));
        }
        known
    };
    let hash = passwords::hash(app, address, password).await?;
    let new = NewPassword { hash, checked, session: text.digest() };
    if !app.store.set_password(id, new, stamp).await? {
        return Err(ended());
    }
    app.directory.check_again();
    Ok(person)
}

fn ended() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, ErrorCode::ChangedMeanwhile, "Not changed")
        .with_reason("your session has ended, or your password was changed in the meantime; sign in again")
}
