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
    let name = name(http);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (Some(value), None) => Opaque::read(value),
        _ => None,
    }
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
