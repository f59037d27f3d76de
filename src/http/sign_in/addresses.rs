//! The URLs to which a sign-in redirects a browser.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

use super::error::SignInPageError;
use crate::app::HttpSettings;
use crate::domain::secret_token::SecretToken;
use crate::http::base_url::base;
use crate::http::error::ApiError;
use crate::proxy;

/// Path at which a sign-in begins.
const BEGIN: &str = "/sign-in/provider";

/// Path of the redirect URI, to which the provider sends the browser back.
pub const CALLBACK: &str = "/sign-in/callback";

/// Characters that are percent-encoded in a header. Non-ASCII characters are always encoded.
const NOT_IN_HEADERS: &AsciiSet = &CONTROLS.add(b' ');

/// Returns the sign-in link with a code. The code is in the fragment of the URL, which browsers send to no server, so
/// no log contains the code.
pub fn sign_in_link(base: &str, code: &SecretToken) -> String {
    format!("{base}/sign-in#code={}", code.expose())
}

/// Returns the address to which the provider sends browsers back. Callers can send any `Host` header, even through a
/// proxy. So the header is used only if it names this machine.
pub fn redirect_address(http: &HttpSettings, headers: &HeaderMap) -> Result<String, SignInPageError> {
    let base = base(http, headers).map_err(|_| SignInPageError::Address)?;
    let is_safe = http.public_url.is_some() || proxy::is_of_this_machine(&base);
    if !is_safe {
        tracing::warn!(base, "nobody can sign in with the provider at this address; set public-url");
        return Err(SignInPageError::Address);
    }
    Ok(format!("{base}{CALLBACK}"))
}

/// Returns the path that begins a sign-in and redirects to `to` afterwards.
pub fn begin_at(to: &str) -> String {
    format!("{BEGIN}?to={}", utf8_percent_encode(to, NON_ALPHANUMERIC))
}

/// Returns the address of the sign-in page that shows why the sign-in failed.
pub fn page_of(error: SignInPageError, to: &str) -> String {
    let to = utf8_percent_encode(to, NON_ALPHANUMERIC);
    let person = match error {
        // The sign-in page shows this id to the disabled person, and an admin can find the person by it.
        SignInPageError::Disabled(id) => format!("&person={id}"),
        _ => String::new(),
    };
    format!("/sign-in?failed={}&to={to}{person}", <&str>::from(error))
}

/// Redirects to the sign-in page if the request was not admitted. The sign-in attempt can still be used.
pub fn refused(error: &ApiError) -> Response {
    let error = if error.is_server_error() { SignInPageError::Busy } else { SignInPageError::Attempt };
    redirect_to(&page_of(error, "/"), [])
}

/// Redirects a browser to an address, and sets these cookies.
pub fn redirect_to(address: &str, cookies: impl IntoIterator<Item = Option<HeaderValue>>) -> Response {
    let address = utf8_percent_encode(address, NOT_IN_HEADERS).to_string();
    let Ok(address) = HeaderValue::try_from(address) else { return ApiError::internal().into_response() };
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response();
    for cookie in cookies.into_iter().flatten() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
