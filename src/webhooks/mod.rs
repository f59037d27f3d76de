//! Webhooks: every event is sent to every endpoint at least once, signed as Standard Webhooks specifies.
//!
//! The progress of each endpoint is stored, so no event is lost, even in a crash. Each endpoint has a separate task, so
//! endpoints do not delay each other, and no request waits for an endpoint.

mod backoff;
mod delivery;
mod endpoints;
mod post;
mod sign;

pub use endpoints::{WebhookSettings, Webhooks};
#[cfg(feature = "simulation")]
pub use post::simulated::Receiver;
pub use post::{PostResult, is_endpoint, names_of};
pub use sign::Secrets;
