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

/// Returns the scheme of `proxy` if it is none of `schemes`, so that the proxy cannot be used.
pub fn unusable_scheme(proxy: &Intercept, schemes: &[&str]) -> Option<String> {
    let scheme = proxy.uri().scheme_str().unwrap_or_default();
    (!schemes.contains(&scheme)).then(|| scheme.to_owned())
}

/// Returns whether the scheme of `proxy` is one of `schemes`. If not, logs once that requests go directly: they may be
/// blocked then, or seen where the operator does not want them.
pub fn is_usable(proxy: &Intercept, schemes: &[&str]) -> bool {
    static UNUSABLE: OnceEach<String> = OnceEach::new();
    let Some(scheme) = unusable_scheme(proxy, schemes) else { return true };
    if UNUSABLE.is_new(scheme.clone()) {
        tracing::warn!(
            scheme,
            usable = schemes.join(", "),
            "the environment names a proxy with a scheme that is not supported, so requests go directly"
        );
    }
    false
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
