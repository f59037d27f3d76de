//! Addresses of gRPC services: `http://` or `https://`, a host, and optionally a port.

use std::str::FromStr;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Intercept;
use tonic::transport::{Channel, ClientTlsConfig, Endpoint, Uri};

use crate::error_chain::error_chain;
use crate::proxy::{self, ProxyError};

/// Schemes of the proxies that channels support. A channel can connect to a proxy only without TLS.
const PROXIES: [&str; 1] = ["http"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Uri);

/// Why an address cannot be used. The text is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let unusable = || AddressError("not the address of a gRPC service".into());
        let uri: Uri = text.trim().parse().map_err(|_| unusable())?;
        let host = uri.authority().filter(|authority| {
            let (host, whole) = (authority.host(), authority.as_str());
            !host.is_empty() && !whole.contains('@') && (whole == host || authority.port().is_some())
        });
        // gRPC defines the paths of its calls, so a path in the address would be ignored.
        let plain = host.is_some() && uri.path() == "/" && uri.query().is_none() && !text.contains('#');
        if plain && matches!(uri.scheme_str(), Some("http" | "https")) { Ok(Self(uri)) } else { Err(unusable()) }
    }
}

/// Returns a channel to `endpoint`, which connects when it is first used: directly, or through a proxy that the
/// environment names. [`Address::endpoint`] has refused a proxy that cannot be used.
pub fn channel(endpoint: &Endpoint) -> Channel {
    let Ok(Some(proxy)) = proxy(endpoint.uri()) else { return endpoint.connect_lazy() };
    let mut connector = HttpConnector::new();
    connector.set_nodelay(endpoint.get_tcp_nodelay());
    connector.set_keepalive(endpoint.get_tcp_keepalive());
    let tunnel = Tunnel::new(proxy.uri().clone(), connector);
    endpoint.connect_with_connector_lazy(match proxy.basic_auth() {
        Some(auth) => tunnel.with_auth(auth.clone()),
        None => tunnel,
    })
}

/// Returns the proxy for this address; `None` without TLS, because proxies are used only to pass on TLS connections.
fn proxy(uri: &Uri) -> Result<Option<Intercept>, ProxyError> {
    if uri.scheme_str() == Some("https") { proxy::of(&uri.to_string(), &PROXIES) } else { Ok(None) }
}

impl Address {
    /// Returns an endpoint that connects when it is first used. With TLS, the endpoint trusts the certificates that are
    /// installed on this machine.
    ///
    /// # Errors
    /// [`AddressError`] if TLS is required and this machine has no certificates, or if the proxy cannot be used.
    pub fn endpoint(&self) -> Result<Endpoint, AddressError> {
        let endpoint = Endpoint::from(self.0.clone());
        if self.0.scheme_str() != Some("https") {
            return Ok(endpoint);
        }
        proxy(&self.0).map_err(|error| AddressError(error.to_string()))?;
        endpoint.tls_config(ClientTlsConfig::new().with_native_roots()).map_err(|error| {
            AddressError(format!(
                "{}; install the certificates that this machine is to trust (ca-certificates), or name a file with SSL_CERT_FILE",
                error_chain(&error)
            ))
        })
    }
}

#[cfg(test)]
#[path = "../tests/unit/grpc.rs"]
mod tests;
