//! Chooses the model: the one in the settings, or the first one that a local server lists.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::Url;
use tokio::time::timeout;

use super::failure::UnusableModel;
use super::host::Host;
use super::preset::{Hosting, Preset};
use super::{Model, ModelSettings};
use crate::clock::Clock;
use crate::ids::Ids;

/// Time limit for a local server to list its models.
const LISTING: Duration = Duration::from_secs(5);

/// Settings of the language model. The name of the model may still be unknown.
#[derive(Clone)]
pub struct ModelChoice {
    pub preset: &'static Preset,
    /// Base URL, without `/chat/completions`.
    pub base_url: String,
    /// Name of the model; `None` to use the first one that the local server lists.
    pub model: Option<String>,
    pub api_key: Option<String>,
    /// Time limit of one operation, including all its calls and retries.
    pub deadline: Duration,
    pub concurrent_calls: usize,
}

impl ModelChoice {
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

    /// Creates the model. If the settings do not name a model, requests the list of models from the local server.
    pub async fn model(self, clock: Clock, ids: Ids) -> Result<Model, UnusableModel> {
        let model = match &self.model {
            Some(name) => name.clone(),
            None => self.first_listed().await?,
        };
        let Self { preset, base_url, model: _, api_key, deadline, concurrent_calls } = self;
        Model::of(preset, ModelSettings { base_url, model, api_key, deadline, concurrent_calls }, clock, ids)
    }

    async fn first_listed(&self) -> Result<String, UnusableModel> {
        let Self { preset, base_url, api_key, .. } = self;
        let Hosting::Local { start, load, .. } = preset.hosting else { return Err(UnusableModel::Name) };
        let host = Host::new(base_url, api_key.as_deref())?;
        let listed = timeout(LISTING, host.chat_models()).await.unwrap_or_else(|_| Err("it takes too long".to_owned()));
        let title = preset.title;
        let first = match listed {
            Ok(listed) => {
                listed.into_iter().next().ok_or(format!("{title} has no model that can chat; install one with {load}"))
            }
            Err(reason) => Err(format!(
                "{title} at {base_url} does not say which models it has: {reason}; start it with {start}, or set a model with --assistant-model"
            )),
        };
        let first = first.map_err(UnusableModel::NoneListed)?;
        tracing::info!(model.name = first, "{title} lists this model first, so it is used");
        Ok(first)
    }
}
