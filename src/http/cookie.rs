//! Cookies. No script can read them, and browsers send them only with requests of this site.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};

use crate::app::HttpSettings;

/// Prefix of all cookie names on a site with TLS. Browsers accept a cookie with this prefix only from the host that it
/// is sent to.
const WITH_TLS: &str = "__Host-";

/// A cookie that a browser sent. A cookie that another application on the domain has set may not be text.
pub struct Cookie<'h> {
    pub name: &'h [u8],
    pub value: &'h [u8],
}

/// Returns the cookies of a request. On a site with TLS, only those that this host itself has set.
pub fn all<'h>(http: &HttpSettings, headers: &'h HeaderMap) -> impl Iterator<Item = Cookie<'h>> + use<'h> {
    let prefix = if http.has_tls() { WITH_TLS } else { "" }.as_bytes();
    let all = headers.get_all(header::COOKIE).iter();
    let cookies = all.flat_map(|cookies| cookies.as_bytes().split(|sign| *sign == b';'));
    cookies.filter_map(move |cookie| {
        let cookie = cookie.trim_ascii().strip_prefix(prefix)?;
        let end = cookie.iter().position(|sign| *sign == b'=')?;
        Some(Cookie { name: &cookie[..end], value: &cookie[end + 1..] })
    })
}

/// Returns the value of the cookie with this name; `None` if there is no such cookie, or more than one: then another
/// site of the same domain may have set one.
pub fn only<'h>(http: &HttpSettings, headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut cookies = all(http, headers).filter(|cookie| cookie.name == name.as_bytes());
    match (cookies.next(), cookies.next()) {
        (Some(cookie), None) => std::str::from_utf8(cookie.value).ok(),
        _ => None,
    }
}

/// How long a browser keeps a cookie.
#[derive(Debug, Clone, Copy)]
pub enum Lasts {
    /// Until the browser is closed.
    Open,
    For(Duration),
}

/// Returns the header that sets a cookie.
pub fn set(http: &HttpSettings, name: &str, value: &str, lasts: Lasts) -> Option<HeaderValue> {
    let (prefix, secure) = if http.has_tls() { (WITH_TLS, "; Secure") } else { ("", "") };
    let end = match lasts {
        Lasts::Open => String::new(),
        Lasts::For(time) => format!("; Max-Age={}", time.as_secs()),
    };
    let cookie = format!("{prefix}{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{end}");
    let mut cookie = HeaderValue::try_from(cookie).ok()?;
    cookie.set_sensitive(true);
    Some(cookie)
}

/// Returns the header that deletes a cookie.
pub fn delete(http: &HttpSettings, name: &str) -> Option<HeaderValue> {
    set(http, name, "", Lasts::For(Duration::ZERO))
}
