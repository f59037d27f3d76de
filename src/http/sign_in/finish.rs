//! `GET /sign-in/callback`

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;

use super::addresses::{begin_at, page_of, redirect_address, redirect_to};
use super::attempt::{self, AttemptCookie};
use super::error::SignInPageError;
use super::prompt::{ask_next, asked, note_sign_out};
use crate::app::{App, HttpSettings};
use crate::domain::secret_token::SecretToken;
use crate::http::error::ApiError;
use crate::http::params::parameter;
use crate::http::{passwords, session};
use crate::store::SignIn;
use crate::tokens::{Prompt, Returned};

/// Maximum lengths of the provider's error code and of its description in the log.
const MAX_ERROR: usize = 64;
const MAX_WORDS: usize = 200;

/// The query parameters with which the provider sends the browser back.
struct CallbackParameters {
    state: String,
    code: Option<String>,
    error: Option<String>,
    words: Option<String>,
    issuer: Option<String>,
}

/// Finishes a sign-in with the provider: begins a session, ends the session whose cookie the browser sent, and
/// redirects to the page where the sign-in began.
pub async fn finish(State(app): State<App>, mut head: Parts) -> Response {
    let finished = match callback(&mut head).await {
        Ok(callback) => finished(&app, &head, callback).await,
        // No provider sends parameters that cannot be read.
        Err(_) => Err(SignInPageError::Attempt),
    };
    finished.unwrap_or_else(|error| redirect_to(&page_of(error, "/"), []))
}

/// Answers a HEAD request, which a link preview may send, without using up the attempt.
pub async fn head() -> StatusCode {
    StatusCode::OK
}

async fn callback(head: &mut Parts) -> Result<CallbackParameters, ApiError> {
    Ok(CallbackParameters {
        state: parameter(head, "state").await?.unwrap_or_default(),
        code: parameter(head, "code").await?,
        error: parameter(head, "error").await?,
        words: parameter(head, "error_description").await?,
        issuer: parameter(head, "iss").await?,
    })
}

async fn finished(app: &App, head: &Parts, callback: CallbackParameters) -> Result<Response, SignInPageError> {
    let redirect = redirect_address(&app.http, &head.headers)?;
    let secret = app.store.secret(|| app.ids.nonce()).await?;
    // Somebody else's browser has no cookie for this state, so nobody can sign another person in.
    let now = app.clock.now();
    let kept = attempt::read(&app.http, &head.headers, &secret, &callback.state, now);
    let AttemptCookie { attempt, to, .. } = kept.ok_or(SignInPageError::Attempt)?;
    // A browser may keep the cookie of the attempt. Sending it again must not cause another request to the provider.
    let state = SecretToken::read(&callback.state).ok_or(SignInPageError::Attempt)?;
    if !app.store.use_attempt(state.digest(), now).await? {
        return Err(SignInPageError::Attempt);
    }
    let over = attempt::delete(&app.http, &callback.state);
    let result = async {
        let code = code(&callback)?;
        let returned = Returned { code, issuer: callback.issuer.as_deref() };
        let default = app.http.default_role;
        let claims = app.tokens.sign_in(returned, &attempt, &redirect, default, app.clock.now()).await?;
        let text = app.ids.secret_token();
        let replaced = session::cookie::read(&app.http, &head.headers).map(|text| text.digest());
        let id = claims.id;
        match app.store.sign_in_by_provider(claims, text.digest(), replaced, app.clock.now()).await? {
            SignIn::Done(_) => Ok(text),
            SignIn::NotValid => Err(SignInPageError::Store),
            SignIn::Disabled => {
                tracing::warn!(person.id = %id, "refused the sign-in of a disabled or erased person");
                passwords::note_failure(app, &id.to_string(), id);
                // Makes the end of the person's other sessions take effect now, instead of at the next periodic check.
                app.directory.check_again();
                Err(SignInPageError::Disabled(id))
            }
        }
    };
    Ok(match result.await {
        Ok(text) => {
            // Makes the cache of people check the store now, because the person may be new, or may have another e-mail
            // address.
            app.directory.check_again();
            let begun = session::cookie::set(&app.http, &text);
            redirect_to(&to, [begun, over, ask_next(&app.http, None)])
        }
        // Makes the provider ask the person to choose an account at the next sign-in. Otherwise the provider would use
        // the same disabled account again.
        Err(error @ SignInPageError::Disabled(_)) => redirect_to(&page_of(error, &to), [over, note_sign_out(app)]),
        Err(error) => match prompt_after(&app.http, head, &callback) {
            NextPrompt::Same => redirect_to(&page_of(error, &to), [over]),
            NextPrompt::Prompt(next) => redirect_to(&begin_at(&to), [over, ask_next(&app.http, Some(next))]),
            NextPrompt::Nothing => redirect_to(&page_of(error, &to), [over, ask_next(&app.http, None)]),
        },
    })
}

/// The prompt for the next sign-in with the provider.
enum NextPrompt {
    /// The same prompt as this time.
    Same,
    Prompt(Prompt),
    Nothing,
}

/// Returns the prompt for the next sign-in. If the provider does not support the requested prompt, falls back to
/// another one, because nobody could sign in with this browser otherwise. If the person cancelled, or the provider
/// failed temporarily, keeps the prompt.
fn prompt_after(http: &HttpSettings, head: &Parts, callback: &CallbackParameters) -> NextPrompt {
    let (Some(prompt), Some(error)) = (asked(http, &head.headers), callback.error.as_deref()) else {
        return NextPrompt::Same;
    };
    match (error, prompt) {
        ("access_denied" | "server_error" | "temporarily_unavailable", _) => NextPrompt::Same,
        ("invalid_request", Prompt::Account) => NextPrompt::Prompt(Prompt::Password),
        _ => NextPrompt::Nothing,
    }
}

/// Returns the code that the provider sent.
///
/// # Errors
/// Why the provider sent no code. The provider's description of the error is logged, but not shown.
fn code(callback: &CallbackParameters) -> Result<&str, SignInPageError> {
    let Some(error) = &callback.error else { return callback.code.as_deref().ok_or(SignInPageError::Untrusted) };
    let error: String = error.chars().filter(char::is_ascii_graphic).take(MAX_ERROR).collect();
    let is_printable = |c: &char| matches!(c, ' '..='~');
    let words: String =
        callback.words.iter().flat_map(|words| words.chars()).filter(is_printable).take(MAX_WORDS).collect();
    tracing::warn!(error, words, "the provider reported an error instead of signing a person in");
    Err(match error.as_str() {
        "server_error" | "temporarily_unavailable" => SignInPageError::Unavailable,
        "invalid_request" | "invalid_scope" | "unauthorized_client" | "unsupported_response_type" => {
            SignInPageError::Untrusted
        }
        _ => SignInPageError::Refused,
    })
}
