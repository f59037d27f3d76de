//! The prompt (`prompt` parameter) that the provider should show at the next sign-in. The browser keeps it in a cookie.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue};

use crate::app::{App, HttpSettings};
use crate::http::cookie::{self, Lasts};
use crate::tokens::Question;

/// Name of the cookie of a browser in which somebody has signed out. Its value is what the provider asks next.
const SIGNED_OUT: &str = "fieldbook_signed_out";
const ASKS_ACCOUNT: &str = "1";
const ASKS_PASSWORD: &str = "login";

/// Time for which a browser keeps that cookie, also if it is closed. Providers keep people signed in for that long.
const SIGNED_OUT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Returns the header that makes the next sign-in ask for the account, because somebody else may use the browser then;
/// `None` if people do not sign in with a provider.
pub fn note_sign_out(app: &App) -> Option<HeaderValue> {
    app.tokens.sign_in_name()?;
    ask_next(&app.http, Some(Question::Account))
}

/// Returns the header after which the next sign-in asks this.
pub fn ask_next(http: &HttpSettings, question: Option<Question>) -> Option<HeaderValue> {
    let value = match question {
        None => return cookie::delete(http, SIGNED_OUT),
        Some(Question::Account) => ASKS_ACCOUNT,
        Some(Question::Password) => ASKS_PASSWORD,
    };
    cookie::set(http, SIGNED_OUT, value, Lasts::For(SIGNED_OUT_FOR))
}

/// Returns what a sign-in in this browser asks.
pub fn asked(http: &HttpSettings, headers: &HeaderMap) -> Option<Question> {
    let value = cookie::only(http, headers, SIGNED_OUT)?;
    Some(if value == ASKS_PASSWORD { Question::Password } else { Question::Account })
}
