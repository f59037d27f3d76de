//! Sign-in with the account of a provider: a browser goes there, and comes back with a code. `/sign-in` itself is a
//! file of the page, which says what went wrong.

mod attempt;
pub mod begin;
pub mod finish;

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use strum::IntoStaticStr;

use super::base_url::base;
use super::cookie::{self, Lasts};
use super::error::ApiError;
use crate::app::{App, HttpSettings};
use crate::domain::id::ObjectId;
use crate::proxy;
use crate::store::StoreError;
use crate::tokens::{Question, SignInFault};

/// Path at which a sign-in begins.
const BEGIN: &str = "/sign-in/provider";

/// Path to which the provider sends a browser back.
const CALLBACK: &str = "/sign-in/callback";

/// Name of the cookie of a browser in which somebody has signed out. Its value is what the provider asks next.
const SIGNED_OUT: &str = "fieldbook_signed_out";
const ASKS_ACCOUNT: &str = "1";
const ASKS_PASSWORD: &str = "login";

/// Time for which a browser keeps that cookie, also if it is closed. Providers keep people signed in for that long.
const SIGNED_OUT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Characters that stand in no header. Others than ASCII are always replaced.
const NOT_IN_HEADERS: &AsciiSet = &CONTROLS.add(b' ');

/// Why nobody was signed in. The page has a sentence for each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Failed {
    /// The attempt is unknown in this browser, or took too long.
    Attempt,
    /// The provider did not confirm who the person is.
    Refused,
    /// The provider does not answer.
    Unavailable,
    /// The provider's answer cannot be trusted, or the settings of the two do not fit.
    Untrusted,
    /// This person was disabled or erased.
    Disabled(ObjectId),
    /// The service does not know the address under which people reach it.
    Address,
    /// The store failed.
    Store,
    /// Too many people sign in at once.
    Busy,
}

impl From<SignInFault> for Failed {
    fn from(fault: SignInFault) -> Self {
        match fault {
            SignInFault::Refused => Self::Refused,
            SignInFault::Unavailable => Self::Unavailable,
            SignInFault::Untrusted => Self::Untrusted,
        }
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed during a sign-in with the provider");
        Self::Store
    }
}

/// Returns the header that lets the next sign-in ask for the account, because somebody else may sit there; `None` if
/// people do not sign in with a provider.
pub fn note_sign_out(app: &App) -> Option<HeaderValue> {
    app.tokens.sign_in_name()?;
    ask_next(&app.http, Some(Question::Account))
}

/// Returns the header after which the next sign-in asks this.
fn ask_next(http: &HttpSettings, question: Option<Question>) -> Option<HeaderValue> {
    let value = match question {
        None => return cookie::delete(http, SIGNED_OUT),
        Some(Question::Account) => ASKS_ACCOUNT,
        Some(Question::Password) => ASKS_PASSWORD,
    };
    cookie::set(http, SIGNED_OUT, value, Lasts::For(SIGNED_OUT_FOR))
}

/// Returns what a sign-in in this browser asks.
fn asked(http: &HttpSettings, headers: &HeaderMap) -> Option<Question> {
    let value = cookie::only(http, headers, SIGNED_OUT)?;
    Some(if value == ASKS_PASSWORD { Question::Password } else { Question::Account })
}

/// Returns the address to which the provider sends browsers back. Callers choose the header `Host`, also through a proxy, so
/// it counts only if it names this machine.
fn redirect_address(http: &HttpSettings, headers: &HeaderMap) -> Result<String, Failed> {
    let base = base(http, headers).map_err(|_| Failed::Address)?;
    let is_safe = http.public_url.is_some() || proxy::is_of_this_machine(&base);
    if !is_safe {
        tracing::warn!(base, "nobody can sign in with the provider at this address; set public-url");
        return Err(Failed::Address);
    }
    Ok(format!("{base}{CALLBACK}"))
}

/// Returns the path at which a sign-in begins that leads to `to`.
fn begin_at(to: &str) -> String {
    format!("{BEGIN}?to={}", utf8_percent_encode(to, NON_ALPHANUMERIC))
}

/// Returns the address of the page for sign-ins that says why nobody was signed in.
fn failure(failed: Failed, to: &str) -> String {
    let to = utf8_percent_encode(to, NON_ALPHANUMERIC);
    let person = match failed {
        // Whom an admin looks for.
        Failed::Disabled(id) => format!("&person={id}"),
        _ => String::new(),
    };
    format!("/sign-in?failed={}&to={to}{person}", <&str>::from(failed))
}

/// Leads a browser that was not admitted to the page for sign-ins. Nothing of its attempt is used up.
pub fn refused(refusal: &ApiError) -> Response {
    let failed = if refusal.is_server_error() { Failed::Busy } else { Failed::Attempt };
    lead(&failure(failed, "/"), [])
}

/// Leads a browser to an address, with these cookies.
fn lead(address: &str, cookies: impl IntoIterator<Item = Option<HeaderValue>>) -> Response {
    let address = utf8_percent_encode(address, NOT_IN_HEADERS).to_string();
    let Ok(address) = HeaderValue::try_from(address) else { return ApiError::internal().into_response() };
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response();
    for cookie in cookies.into_iter().flatten() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
