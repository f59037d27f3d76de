//! The prompt (`prompt` parameter) that the provider should show at the next sign-in. The browser keeps it in a cookie.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue};

use crate::app::{App, HttpSettings};
use crate::http::cookie::{self, Lasts};
use crate::tokens::Prompt;

/// Name of the cookie that is set when somebody signs out. Its value is the prompt for the next sign-in.
const SIGNED_OUT: &str = "fieldbook_signed_out";
const ASKS_ACCOUNT: &str = "1";
const ASKS_PASSWORD: &str = "login";

/// Time for which a browser keeps the cookie [`SIGNED_OUT`], even if the browser is closed. Providers keep people
/// signed in for about as long.
const SIGNED_OUT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Returns the header that makes the next sign-in ask for the account, because somebody else may use the browser then;
/// `None` if people do not sign in with a provider.
pub fn note_sign_out(app: &App) -> Option<HeaderValue> {
    app.tokens.sign_in_name()?;
    ask_next(&app.http, Some(Prompt::Account))
}

/// Returns the header that sets the prompt for the next sign-in, or removes it if `prompt` is `None`.
pub fn ask_next(http: &HttpSettings, prompt: Option<Prompt>) -> Option<HeaderValue> {
    let value = match prompt {
        None => return cookie::delete(http, SIGNED_OUT),
        Some(Prompt::Account) => ASKS_ACCOUNT,
        Some(Prompt::Password) => ASKS_PASSWORD,
    };
    cookie::set(http, SIGNED_OUT, value, Lasts::For(SIGNED_OUT_FOR))
}

/// Returns the prompt for a sign-in in this browser, if any.
pub fn asked(http: &HttpSettings, headers: &HeaderMap) -> Option<Prompt> {
    let value = cookie::only(http, headers, SIGNED_OUT)?;
    Some(if value == ASKS_PASSWORD { Prompt::Password } else { Prompt::Account })
}
