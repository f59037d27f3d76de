//! A simulated receiver of webhooks, which takes the place of the network.

use std::pin::Pin;
use std::sync::Arc;

use reqwest::Request;

use super::{Endpoint, NO_ADDRESS, PostResult, Transport, address};
use crate::ids::Ids;
use crate::webhooks::{WebhookSettings, Webhooks};

/// A function that returns the response to a request.
pub type Receiver = Arc<dyn Fn(Request) -> Pin<Box<dyn Future<Output = PostResult> + Send>> + Send + Sync>;

impl Webhooks {
    /// Creates the webhooks in the settings, with requests to this receiver.
    pub fn simulated(receiver: &Receiver, settings: &WebhookSettings, ids: Ids) -> Result<Self, String> {
        Self::of(settings, ids, |url, secrets| {
            let url = address(url).ok_or(NO_ADDRESS)?;
            Ok(Endpoint::over(Transport::Simulated(receiver.clone()), url, secrets))
        })
    }
}
