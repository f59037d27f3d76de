//! The proxy that the environment names for requests to other services.

use std::net::IpAddr;

use hyper_util::client::proxy::matcher::{Intercept, Matcher};

/// Returns the proxy in `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` for requests to `address`; `None` for addresses on
/// this machine and for those in `NO_PROXY`.
pub fn of(address: &str) -> Option<Intercept> {
    let uri = address.parse().ok()?;
    let proxy = Matcher::from_env().intercept(&uri)?;
    uri.host().is_some_and(|host| !is_on_this_machine(host)).then_some(proxy)
}

/// The error if the configured proxy for an address is not supported. Requests are then not sent directly, because they
/// might be blocked, or visible where the operator does not want them to be.
#[derive(Debug, thiserror::Error)]
#[error(
    "the proxy in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY has the scheme {0}, which is not supported here; name a proxy that \
     begins with http://, or add the host to NO_PROXY"
)]
pub struct ProxyError(String);

/// Refuses a proxy whose scheme is none of `schemes`.
pub fn check(proxy: &Intercept, schemes: &[&str]) -> Result<(), ProxyError> {
    let scheme = proxy.uri().scheme_str().unwrap_or_default();
    if schemes.contains(&scheme) { Ok(()) } else { Err(ProxyError(scheme.to_owned())) }
}

/// Returns whether a host, as in an address, is this machine itself.
pub fn is_on_this_machine(host: &str) -> bool {
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    number.map_or(host == "localhost", |number| number.is_loopback())
}

/// Returns whether a base URL, such as `http://localhost:8080`, leads to this machine itself.
pub fn is_of_this_machine(base: &str) -> bool {
    let authority = base.split_once("://").map_or(base, |(_, authority)| authority);
    let with_port = authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    is_on_this_machine(with_port.map_or(authority, |(host, _)| host))
}

#[cfg(test)]
#[path = "../tests/unit/proxy.rs"]
mod tests;
