//! `POST /api/session`

use std::time::Duration;

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::{cookie, known_browser};
use crate::app::App;
use crate::domain::password::attempt_fault;
use crate::domain::permission::{PermissionError, Principal};
use crate::domain::person::{self, GrantedRole, Person, email_fault};
use crate::domain::secret_token::SecretToken;
use crate::domain::session::SignedInBy;
use crate::http::body::JsonObject;
use crate::http::client_address::client_actor;
use crate::http::cross_site::FromPage;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::http::limits;
use crate::http::me::Me;
use crate::http::params::DryRun;
use crate::http::passwords;
use crate::store::SignIn;

/// Maximum wait for the secret that signs the cookie of a known browser. If this time is exceeded, the sign-in succeeds
/// without the cookie.
const KNOWN_WAIT: Duration = Duration::from_secs(1);

/// The credentials of a sign-in.
enum SignInBody {
    /// The code of a sign-in link; `None` if it has the wrong form.
    Code(Option<SecretToken>),
    Password {
        email: String,
        password: String,
    },
}

/// Signs in with the code of a sign-in link or with a password: begins a session, and ends the session whose cookie the
/// browser sent. A dry run returns the person whom a code would sign in.
pub async fn create(
    State(app): State<App>,
    _: FromPage,
    DryRun(dry_run): DryRun,
    head: Parts,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let replaced = cookie::read(&app.http, &head.headers).map(|text| text.digest());
    let ends_another = replaced.is_some();
    let text = app.ids.secret_token();
    let (by, signed_in) = match read(&app, &body)? {
        SignInBody::Code(code) => {
            let refused = || limits::count_sign_in(&app, client_actor(&head, &app)).err().unwrap_or_else(not_valid);
            let Some(code) = code else { return Err(refused()) };
            let now = app.clock.now();
            // Checks the code with a read first, so that strangers with wrong codes cause no writes.
            let Some(person) = app.store.person_of_link(code.digest(), now).await? else { return Err(refused()) };
            if dry_run {
                return Ok(Answer::without_message(json!({ "id": person.id, "name": person.name })).into_response());
            }
            let signed_in = app.store.sign_in_by_link(code.digest(), text.digest(), replaced, now).await?;
            (SignedInBy::Link, done(signed_in)?.ok_or_else(refused)?)
        }
        SignInBody::Password { .. } if dry_run => {
            return Err(ApiError::invalid_at("code", "is required for a dry run"));
        }
        SignInBody::Password { email, password } => {
            let signed_in = by_password(&app, &head, &email, password, &text, replaced).await?;
            (SignedInBy::Password, done(signed_in)?.ok_or_else(wrong)?)
        }
    };
    // From here on, the code is used up. Nothing may fail from here on, because the person could not use the code
    // again.
    if ends_another {
        app.directory.check_again();
    }
    let known = known(&app, signed_in.email.as_deref()).await;
    let mut response = Answer::new("Signed in successfully", me(&app, signed_in, by)).into_response();
    let cookies = [cookie::set(&app.http, &text), known];
    response.headers_mut().extend(cookies.into_iter().flatten().map(|set| (header::SET_COOKIE, set)));
    Ok(response)
}

/// Returns the header with the cookie of a known browser for a person with this e-mail address; `None` if the person
/// has no e-mail address, or if the secret of the store cannot be read.
async fn known(app: &App, email: Option<&str>) -> Option<HeaderValue> {
    let email_key = person::email_key(email?);
    // The code is used up now, so the browser must get its response before it gives up waiting for a slow store.
    let secret = timeout(KNOWN_WAIT, app.store.secret(|| app.ids.nonce())).await.ok()?.ok()?;
    known_browser::set(&app.http, &secret, &app.ids.secret_token(), &email_key)
}

/// Checks a password, and begins a session whose cookie will contain `text`. The response does not reveal whether the
/// e-mail address is known.
async fn by_password(
    app: &App,
    head: &Parts,
    email: &str,
    password: String,
    text: &SecretToken,
    replaced: Option<String>,
) -> Result<SignIn, ApiError> {
    let (address, email_key) = (client_actor(head, app), person::email_key(email));
    limits::count_sign_in(app, address)?;
    let whose = attempts_of(app, head, &email_key).await?;
    passwords::count_attempt(app, &whose)?;
    let found = app.store.person_with_email(&email_key).await?;
    let hash = found.as_ref().and_then(|found| found.hash.clone());
    if !passwords::accepts(app, address, &whose, password, hash).await? {
        if let Some(found) = found {
            passwords::note_failure(app, &email_key, found.person.id);
        }
        return Ok(SignIn::NotValid);
    }
    let Some(found) = found else { return Ok(SignIn::NotValid) };
    Ok(app.store.sign_in_by_password(found, text.digest(), replaced, app.clock.now()).await?)
}

/// Returns the name under which an attempt for an e-mail address is counted. The attempts of a known browser are
/// counted separately.
async fn attempts_of(app: &App, head: &Parts, email_key: &str) -> Result<String, ApiError> {
    if let Some(known) = known_browser::read(&app.http, &head.headers) {
        let secret = app.store.secret(|| app.ids.nonce()).await?;
        if known_browser::is_of(known, &secret, email_key) {
            return Ok(known.to_owned());
        }
    }
    Ok(email_key.to_owned())
}

/// Returns the person who has signed in; `None` if the credentials were wrong.
fn done(signed_in: SignIn) -> Result<Option<Person>, ApiError> {
    match signed_in {
        SignIn::Done(person) => Ok(Some(person)),
        SignIn::NotValid => Ok(None),
        SignIn::Disabled => Err(ApiError::denied(PermissionError::Disabled)),
    }
}

fn me(app: &App, person: Person, by: SignedInBy) -> Me {
    let role = person::role(GrantedRole::Unsaid, Some(&person), app.http.default_role).unwrap_or_default();
    let principal = Principal { user: Some(person.id), role, key: None };
    Me::new(app, principal, by, person.name, person.email)
}

fn read(app: &App, body: &Map<String, Value>) -> Result<SignInBody, ApiError> {
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    match (body.len(), text("code"), text("email"), text("password")) {
        (1, Some(code), ..) => Ok(SignInBody::Code(SecretToken::read(code))),
        (2, _, Some(email), Some(password)) => {
            if !app.http.passwords {
                return Err(ApiError::invalid_at("password", "cannot be used to sign in here; see auth.passwords"));
            }
            if let Some(fault) = email_fault(email) {
                return Err(ApiError::invalid_at("email", fault));
            }
            if let Some(fault) = attempt_fault(password) {
                return Err(ApiError::invalid_at("password", fault));
            }
            Ok(SignInBody::Password { email: email.to_owned(), password: password.to_owned() })
        }
        _ => Err(ApiError::invalid_at(
            "code",
            "must be a string and the only member, unless email and password are given",
        )),
    }
}

fn not_valid() -> ApiError {
    refused("this link was used, or is no longer valid; ask for a new one")
}

fn wrong() -> ApiError {
    refused("the e-mail address or the password is wrong")
}

fn refused(reason: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::WrongCredentials, "Not signed in").with_reason(reason)
}
