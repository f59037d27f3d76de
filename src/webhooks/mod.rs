//! Webhooks: every event is sent to every endpoint at least once, signed as in Standard Webhooks.
//!
//! The progress of each endpoint is stored, so nothing is lost however the service ends. Each endpoint has its own
//! task: endpoints do not delay each other, and no request waits for them.

mod backoff;
mod delivery;
mod post;
mod sign;

use crate::clock::Clock;
use crate::feed::Feed;
use crate::ids::{Ids, NoRandomness};
use crate::store::Store;
use backoff::Health;
use delivery::Deliveries;
use post::Endpoint;
pub use post::{PostResult, Transport, UnusableEndpoint, is_endpoint, names_of};
pub use sign::Secrets;

/// Settings of an endpoint. They contain secrets, so there is no `Debug`.
#[derive(Clone)]
pub struct WebhookSettings {
    /// The addresses.
    pub urls: Vec<String>,
    /// All secrets; each of them signs.
    pub secrets: Secrets,
}

/// The endpoints of the service, if any.
#[derive(Default)]
pub struct Webhooks {
    endpoints: Vec<Endpoint>,
    ids: Option<Ids>,
    /// Identifies this copy of the service.
    holder: String,
}

/// Why webhooks cannot be set up, in a sentence.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// An endpoint.
    #[error(transparent)]
    Endpoint(#[from] UnusableEndpoint),
    /// No name for this copy.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
}

impl Webhooks {
    /// Creates an empty set of endpoints.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns these endpoints.
    ///
    /// # Errors
    /// [`Unusable`]
    pub fn new(settings: &WebhookSettings, ids: Ids) -> Result<Self, Unusable> {
        Self::of(settings, ids, Endpoint::new)
    }

    /// Returns these endpoints, reached over this transport.
    ///
    /// # Errors
    /// [`Unusable`]
    pub fn over(transport: &Transport, settings: &WebhookSettings, ids: Ids) -> Result<Self, Unusable> {
        Self::of(settings, ids, |url, secrets| Endpoint::over(transport.clone(), url, secrets))
    }

    fn of(
        settings: &WebhookSettings,
        ids: Ids,
        endpoint: impl Fn(&str, Secrets) -> Result<Endpoint, UnusableEndpoint>,
    ) -> Result<Self, Unusable> {
        let endpoints =
            settings.urls.iter().map(|url| endpoint(url, settings.secrets.clone())).collect::<Result<_, _>>()?;
        Ok(Self { endpoints, holder: ids.nonce()?, ids: Some(ids) })
    }

    /// Returns the number of endpoints.
    pub fn count(&self) -> usize {
        self.endpoints.len()
    }

    /// Returns the names of the endpoints in the store.
    pub fn names(&self) -> Vec<String> {
        self.endpoints.iter().map(|endpoint| endpoint.name.clone()).collect()
    }

    /// Makes new endpoints start with the next event.
    pub async fn begin(&self, store: &Store) {
        for Endpoint { name, host, .. } in &self.endpoints {
            if let Err(error) = store.lease_endpoint(name.clone(), self.holder.clone()).await {
                tracing::warn!(webhook.host = host, %error, "a new endpoint may miss the first events");
            }
        }
    }

    /// Delivers to endpoint `number` (from 0) until the service stops. The current delivery then gets a moment to
    /// finish; the rest waits for the next start.
    pub async fn deliver(&self, number: usize, store: &Store, feed: &Feed, clock: &Clock) {
        let (Some(endpoint), Some(ids)) = (self.endpoints.get(number), &self.ids) else { return };
        let health = Health::default();
        Deliveries { endpoint, holder: &self.holder, ids, store, feed, clock, health }.run().await;
    }
}
