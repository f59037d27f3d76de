//! The cookie of a session.

use axum::http::{HeaderMap, HeaderValue};

use crate::app::HttpSettings;
use crate::domain::secret_token::SecretToken;
use crate::http::cookie::{self, Lasts};

const NAME: &str = "fieldbook_session";

/// Returns the text in the cookie; `None` if there is no cookie, or more than one.
pub fn read(http: &HttpSettings, headers: &HeaderMap) -> Option<SecretToken> {
    cookie::only(http, headers, NAME).and_then(SecretToken::read)
}

/// Returns whether the browser has a cookie of this name, even an invalid one.
pub fn is_there(http: &HttpSettings, headers: &HeaderMap) -> bool {
    cookie::all(http, headers).any(|cookie| cookie.name == NAME.as_bytes())
}

/// Returns the header that sets the cookie.
pub fn set(http: &HttpSettings, text: &SecretToken) -> Option<HeaderValue> {
    cookie::set(http, NAME, text.expose(), Lasts::Open)
}

/// Returns the header that deletes the cookie.
pub fn delete(http: &HttpSettings) -> Option<HeaderValue> {
    cookie::delete(http, NAME)
}

#[cfg(test)]
#[path = "../../../tests/unit/http/cookie.rs"]
mod tests;
