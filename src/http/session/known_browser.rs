//! The cookie of a browser in which a person has signed in. Password attempts from this browser have a separate limit.
//! So strangers who use up the attempts for an e-mail address do not lock its owner out.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue};

use crate::app::HttpSettings;
use crate::domain::secret_token::SecretToken;
use crate::http::cookie::{self, Lasts};
use crate::http::signature;

const NAME: &str = "fieldbook_known";

const VALIDITY: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Returns the header that sets the cookie. `random` distinguishes this browser from others of the same person. The
/// cookie does not contain the e-mail address: the signature is valid only together with the address that is entered
/// again.
pub fn set(http: &HttpSettings, secret: &str, random: &SecretToken, email_key: &str) -> Option<HeaderValue> {
    let random = random.expose();
    let signature = signature::sign(secret, &signed_text(random, email_key));
    cookie::set(http, NAME, &format!("{random}.{signature}"), Lasts::For(VALIDITY))
}

/// Returns the value of the cookie; `None` if there is no cookie, or more than one.
pub fn read<'h>(http: &HttpSettings, headers: &'h HeaderMap) -> Option<&'h str> {
    cookie::only(http, headers, NAME)
}

/// Returns whether a cookie was set when the person with this e-mail address signed in.
pub fn is_of(cookie: &str, secret: &str, email_key: &str) -> bool {
    let Some((random, signature)) = cookie.split_once('.') else { return false };
    signature::is_signed(secret, &signed_text(random, email_key), signature)
}

fn signed_text(random: &str, email_key: &str) -> String {
    format!("known browser {random} {email_key}")
}
