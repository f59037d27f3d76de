//! The cookie of a session. No script can read it, and browsers send it with requests of this site alone.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::app::HttpSettings;
use crate::domain::opaque::Opaque;

const NAME: &str = "fieldbook_session";

/// Name of the cookie on a site with TLS. Browsers accept such a name from that very host alone.
const NAME_WITH_TLS: &str = "__Host-fieldbook_session";

fn name(http: &HttpSettings) -> &'static str {
    if is_secure(http) { NAME_WITH_TLS } else { NAME }
}

fn is_secure(http: &HttpSettings) -> bool {
    http.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
}

/// Returns the text in the cookie; `None` if there is no cookie, or more than one: then another site of the same domain may
/// have set one.
pub fn read(http: &HttpSettings, headers: &HeaderMap) -> Option<Opaque> {
    let mut values = values(http, headers);
    match (values.next(), values.next()) {
        (Some(value), None) => Opaque::read(std::str::from_utf8(value).ok()?),
        _ => None,
    }
}

/// Returns whether the browser has a cookie of this name, whatever is in it.
pub fn is_there(http: &HttpSettings, headers: &HeaderMap) -> bool {
    values(http, headers).next().is_some()
}

/// Returns the values of the cookies of this name. Another application on the domain may have set cookies that are no text.
fn values<'h>(http: &HttpSettings, headers: &'h HeaderMap) -> impl Iterator<Item = &'h [u8]> + use<'h> {
    let name = name(http).as_bytes();
    let all = headers.get_all(header::COOKIE).iter();
    let cookies = all.flat_map(|cookies| cookies.as_bytes().split(|sign| *sign == b';'));
    cookies.filter_map(move |cookie| cookie.trim_ascii().strip_prefix(name)?.strip_prefix(b"="))
}

/// Returns the header that sets the cookie; with `None`, the header that deletes it.
pub fn set(http: &HttpSettings, text: Option<&Opaque>) -> Option<HeaderValue> {
    let name = name(http);
    let (value, end) = text.map_or(("", "; Max-Age=0"), |text| (text.expose(), ""));
    let secure = if is_secure(http) { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{end}");
    let mut cookie = HeaderValue::try_from(cookie).ok()?;
    cookie.set_sensitive(true);
    Some(cookie)
}

#[cfg(test)]
#[path = "../../../tests/unit/http/cookie.rs"]
mod tests;
