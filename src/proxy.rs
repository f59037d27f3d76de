//! The proxy that the environment names for requests to other services.

use std::ffi::OsString;
use std::net::IpAddr;

use hyper_util::client::proxy::matcher::{Intercept, Matcher};

/// Returns the proxy in `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` for requests to `address`; `None` for addresses on
/// this machine and for those in `NO_PROXY`.
///
/// # Errors
/// [`ProxyError`] if the environment variable for `address` does not contain the address of a proxy with one of the URL
/// schemes `schemes`.
pub fn of(address: &str, schemes: &[&str]) -> Result<Option<Intercept>, ProxyError> {
    chosen(address, schemes, |name| std::env::var_os(name))
}

/// The configured proxy for an address cannot be used. Requests are then not sent directly either, because they might
/// be blocked, or visible to parties whom the operator wants to exclude. Contains only the name of the variable,
/// because its value may contain a password.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the proxy in {0} cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY")]
pub struct ProxyError(String);

fn chosen(
    address: &str,
    schemes: &[&str],
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Option<Intercept>, ProxyError> {
    let Ok(uri) = address.parse() else { return Ok(None) };
    let either = |name: &str| {
        let names = [name.to_owned(), name.to_lowercase()];
        names.into_iter().find_map(|name| variable(&name).map(|value| (name, value)))
    };
    let exceptions = either("NO_PROXY").map(|(_, hosts)| hosts.to_string_lossy().into_owned()).unwrap_or_default();
    let through = |proxy: &str| Matcher::builder().all(proxy.to_owned()).no(exceptions.clone()).build().intercept(&uri);
    // Whether `NO_PROXY` excludes the address does not depend on the proxy, so this check uses a placeholder as the
    // proxy.
    let is_exception = through("http://proxy.invalid").is_none();
    if is_exception || uri.host().is_none_or(is_on_this_machine) {
        return Ok(None);
    }
    let own = if uri.scheme_str() == Some("https") { "HTTPS_PROXY" } else { "HTTP_PROXY" };
    let given = [own, "ALL_PROXY"].into_iter().filter_map(either).find(|(_, value)| !value.is_empty());
    let Some((name, value)) = given else { return Ok(None) };
    let is_known = |proxy: &Intercept| proxy.uri().scheme_str().is_some_and(|scheme| schemes.contains(&scheme));
    value.to_str().and_then(through).filter(is_known).map(Some).ok_or(ProxyError(name))
}

/// Returns whether a host, as in an address, is this machine itself.
pub fn is_on_this_machine(host: &str) -> bool {
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    number.map_or(host == "localhost", |number| number.is_loopback())
}

/// Returns whether a base URL, such as `http://localhost:8080`, is the address of this machine itself.
pub fn is_of_this_machine(base: &str) -> bool {
    let authority = base.split_once("://").map_or(base, |(_, authority)| authority);
    let with_port = authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    is_on_this_machine(with_port.map_or(authority, |(host, _)| host))
}

#[cfg(test)]
#[path = "../tests/unit/proxy.rs"]
mod tests;
