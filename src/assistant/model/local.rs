//! Looks for a language model on this machine if none is configured. Sends nothing but requests for lists of models.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::timeout;

use super::host::Host;
use super::preset::{OPENAI_COMPATIBLE, Preset};

/// Time limit for the server at one port to list its models.
const LIMIT: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalModel {
    port: u16,
    name: String,
}

impl LocalModel {
    /// Tries these ports of 127.0.0.1 in order, and returns the first listed model that can chat. Returns `None` if no
    /// port has such a model.
    pub async fn find(ports: impl IntoIterator<Item = u16>) -> Option<Self> {
        for port in ports {
            let Ok(host) = Host::new(&format!("http://127.0.0.1:{port}/v1"), None) else {
                continue;
            };
            let listed = timeout(LIMIT, host.chat_models()).await;
            if let Some(name) = listed.ok().and_then(Result::ok).and_then(|models| models.into_iter().next()) {
                return Some(Self { port, name });
            }
        }
        None
    }

    /// Returns a line for the log: the address of the model, and the command-line flags with which the service uses it.
    /// `listen` is the address of the service. A service on the model's port gets a flag for another port.
    pub fn advice(&self, listen: SocketAddr) -> String {
        let Self { port, name } = self;
        let (title, mut flags) = match Preset::at_port(*port) {
            Some(preset) => (format!(" ({})", preset.title), format!("--assistant {}", preset.name)),
            None => {
                let other = OPENAI_COMPATIBLE.name;
                let flags = format!(
                    "--assistant {other} --assistant-base-url http://127.0.0.1:{port}/v1 --assistant-model \"{name}\""
                );
                (String::new(), flags)
            }
        };
        if *port == listen.port() {
            flags.push_str(&format!(" --listen {}:{}", listen.ip(), port.wrapping_add(1)));
        }
        format!("a language model answers at http://127.0.0.1:{port}{title}: add {flags} to use it")
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/local.rs"]
mod tests;
