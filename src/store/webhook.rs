//! Stored progress of webhook deliveries.

use super::{Store, StoreError};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

/// Duration of a lease in seconds, unless it is renewed: longer than one attempt.
pub const LEASE_SECONDS: f64 = 30.0;

/// Maximum wait before a retry, in milliseconds. An event with a later due time was scheduled while a clock was ahead,
/// so it is due now.
pub const LONGEST_WAIT: i64 = 2 * 24 * 3600 * 1000;

/// An event that an endpoint did not accept.
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
    /// Number of attempts and time of the next one; `None` if there will be no further attempt.
    pub again: Option<(u32, Timestamp)>,
}

impl Store {
    /// Acquires or renews the lease of an endpoint for `holder`, a copy of the service. Returns the event after which
    /// delivery continues, or `None` while another copy has the lease. A new endpoint starts with the next event.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn lease_endpoint(&self, endpoint: String, holder: String) -> Result<Option<EventId>, StoreError> {
        ask!(self, lease_endpoint(endpoint, holder))
    }

    /// Releases the lease of an endpoint if `holder` has it, so that another copy can deliver.
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

    /// Stores the result of a delivery if `holder` has the lease of the endpoint. Returns whether it has.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn settle_delivery(&self, delivery: Delivery, holder: String) -> Result<bool, StoreError> {
        ask!(self, settle_delivery(delivery, holder))
    }
}
