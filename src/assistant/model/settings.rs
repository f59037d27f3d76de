//! Settings of the language model.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::Url;

use super::preset::Preset;

#[derive(Clone)]
pub struct ModelSettings {
    pub preset: &'static Preset,
    /// Base URL, without `/chat/completions`.
    pub base_url: String,
    /// Name of the model at the endpoint.
    pub model: String,
    pub api_key: Option<String>,
    /// Time limit of one operation, including all its calls and retries.
    pub deadline: Duration,
    /// Maximum number of concurrent calls, at least 1.
    pub concurrent_calls: usize,
}

impl ModelSettings {
    /// Returns true if the base URL is the address on which the service itself listens.
    pub fn is_at(&self, listen: SocketAddr) -> bool {
        let Ok(url) = Url::parse(&self.base_url) else { return false };
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let (ip, any) = (listen.ip(), listen.ip().is_unspecified());
        let same_host = match host.parse::<IpAddr>() {
            Ok(host) => host == ip || host.is_loopback() && any,
            Err(_) => host == "localhost" && (ip.is_loopback() || any),
        };
        same_host && url.port_or_known_default() == Some(listen.port())
    }
}
