//! The endpoints of the service, and their settings.

use super::backoff;
use super::delivery::Deliveries;
use super::post::Endpoint;
use super::sign::Secrets;
use crate::breaker::Breaker;
use crate::clock::Clock;
use crate::feed::Feed;
use crate::ids::Ids;
use crate::store::Store;

/// Settings of the webhooks. They contain secrets, so the type does not implement `Debug`.
#[derive(Clone)]
pub struct WebhookSettings {
    pub urls: Vec<String>,
    /// The secrets. Each secret adds a signature to every event.
    pub secrets: Secrets,
}

/// The endpoints of the service; empty if no webhooks are configured.
#[derive(Default)]
pub struct Webhooks {
    endpoints: Vec<Endpoint>,
    ids: Option<Ids>,
    /// Name under which this copy of the service holds the leases of endpoints. Only the holder of a lease delivers.
    holder: String,
}

impl Webhooks {
    pub fn none() -> Self {
        Self::default()
    }

    pub fn new(settings: &WebhookSettings, ids: Ids) -> Result<Self, String> {
        Self::of(settings, ids, Endpoint::new)
    }

    pub(super) fn of(
        settings: &WebhookSettings,
        ids: Ids,
        endpoint: impl Fn(&str, Secrets) -> Result<Endpoint, String>,
    ) -> Result<Self, String> {
        let endpoints =
            settings.urls.iter().map(|url| endpoint(url, settings.secrets.clone())).collect::<Result<_, _>>()?;
        Ok(Self { endpoints, holder: ids.nonce(), ids: Some(ids) })
    }

    pub fn count(&self) -> usize {
        self.endpoints.len()
    }

    /// Returns the names under which the store knows the endpoints.
    pub fn names(&self) -> Vec<String> {
        self.endpoints.iter().map(|endpoint| endpoint.name.clone()).collect()
    }

    /// Registers the endpoints in the store. A new endpoint receives only events that happen after its registration.
    pub async fn begin(&self, store: &Store) {
        for Endpoint { name, host, .. } in &self.endpoints {
            if let Err(error) = store.lease_endpoint(name.clone(), self.holder.clone()).await {
                tracing::warn!(webhook.host = host, %error, "a new endpoint may miss the first events");
            }
        }
    }

    /// Delivers events to the endpoint with the index `number` until the endpoint wants no more events or the service
    /// stops. On a stop, the current delivery may take three more seconds. Other events wait for the next start.
    pub async fn deliver(&self, number: usize, store: &Store, feed: &Feed, clock: &Clock) {
        let (Some(endpoint), Some(ids)) = (self.endpoints.get(number), &self.ids) else { return };
        let breaker = Breaker::new(backoff::PAUSES);
        let served = String::new();
        Deliveries { endpoint, holder: &self.holder, ids, store, feed, clock, breaker, served }.run().await;
    }
}
