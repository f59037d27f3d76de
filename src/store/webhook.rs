//! Stored progress of webhook deliveries.

use super::{Store, StoreError};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

/// Duration of a lease in seconds, unless it is renewed: longer than one attempt.
pub const LEASE_SECONDS: f64 = 30.0;

/// No event waits for longer, in milliseconds: one that is due later was put off while a clock was ahead, and is due now.
pub const LONGEST_WAIT: i64 = 2 * 24 * 3600 * 1000;

/// An event that an endpoint did not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Id of the event.
    pub id: EventId,
    /// The event; `None` if it was deleted.
    pub event: Option<Event>,
    /// Number of attempts.
    pub attempts: u32,
}

/// Result of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The name of the endpoint.
    pub endpoint: String,
    /// The event.
    pub event: EventId,
    /// Number of attempts, and the time of the next one; `None` if there will be none.
    pub again: Option<(u32, Timestamp)>,
}

impl Store {
    /// Takes or renews the lease of an endpoint for this copy of the service, `holder`, and returns the event after
    /// which it continues; `None` while another copy has the lease. A new endpoint starts with the next event.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn lease_endpoint(&self, endpoint: String, holder: String) -> Result<Option<EventId>, StoreError> {
        ask!(self, lease_endpoint(endpoint, holder))
    }

    /// Lets other copies of the service deliver to an endpoint, if `holder` does.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn release_endpoint(&self, endpoint: String, holder: String) -> Result<(), StoreError> {
        ask!(self, release_endpoint(endpoint, holder))
    }

    /// Returns up to `limit` events to retry for an endpoint now, the longest overdue first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn due_deliveries(
        &self,
        endpoint: String,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<Waiting>, StoreError> {
        ask!(self, due_deliveries(endpoint, now, limit))
    }

    /// Notes how a delivery ended, if `holder` delivers to its endpoint; whether that is so.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn settle_delivery(&self, delivery: Delivery, holder: String) -> Result<bool, StoreError> {
        ask!(self, settle_delivery(delivery, holder))
    }
}
