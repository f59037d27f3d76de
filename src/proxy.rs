//! The proxy that the environment names for requests to other services.

use std::net::IpAddr;

use hyper_util::client::proxy::matcher::{Intercept, Matcher};

use crate::once_each::OnceEach;

/// Returns the proxy in `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` for requests to `address`; `None` for addresses on
/// this machine and for those in `NO_PROXY`.
pub fn of(address: &str) -> Option<Intercept> {
    let uri = address.parse().ok()?;
    let proxy = Matcher::from_env().intercept(&uri)?;
    uri.host().is_some_and(|host| !is_on_this_machine(host)).then_some(proxy)
}

/// Returns whether the scheme of `proxy` is one of `schemes`. If not, logs once that requests go directly: they may be
/// blocked then, or seen where the operator does not want them.
pub fn is_usable(proxy: &Intercept, schemes: &[&str]) -> bool {
    static UNUSABLE: OnceEach<String> = OnceEach::new();
    let scheme = proxy.uri().scheme_str().unwrap_or_default();
    let is_usable = schemes.contains(&scheme);
    if !is_usable && UNUSABLE.is_new(scheme.to_owned()) {
        tracing::warn!(
            scheme,
            usable = schemes.join(", "),
            "the environment names a proxy with a scheme that is not supported, so requests go directly"
        );
    }
    is_usable
}

/// Returns whether a host, as in an address, is this machine itself.
pub fn is_on_this_machine(host: &str) -> bool {
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    number.map_or(host == "localhost", |number| number.is_loopback())
}

#[cfg(test)]
#[path = "../tests/unit/proxy.rs"]
mod tests;
