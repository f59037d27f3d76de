//! `fieldbook healthcheck`: asks the service on this machine whether it is ready, for containers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::Command;

use super::parts;
use crate::app::HttpSettings;
use crate::http_client;
use crate::settings::Settings;

/// Time limit of the check. The service itself waits two seconds for its store.
const LIMIT: Duration = Duration::from_secs(3);

pub fn command() -> Command {
    Command::new("healthcheck").about("Exits with 0 if the service with these settings is ready, and with 1 otherwise")
}

pub fn run(settings: &Settings) -> Result<(), String> {
    let url = format!("http://{}/health/ready", reachable(settings.listen));
    let answer = parts::runtime()?.block_on(http_client::get(&url, LIMIT));
    match answer.map(|answer| answer.status().as_u16()) {
        Ok(200) => say!("ready"),
        Ok(status) => Err(format!("not ready: {url} answers with status {status}")),
        Err(reason) => Err(format!("not ready: {url} does not answer: {reason}")),
    }
}

/// Returns the base URL of the service: the public URL if one is configured, otherwise the URL at which this machine
/// reaches the service.
pub fn base_url(http: &HttpSettings, listen: SocketAddr) -> String {
    http.public_url.clone().unwrap_or_else(|| format!("http://{}", reachable(listen)))
}

/// Returns the address to connect to: `listen`, or the loopback address if the service listens on all addresses.
pub fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}
