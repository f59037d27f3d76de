//! Stored progress of webhook deliveries. A lease is the right of one copy of the service to deliver to an endpoint.

use super::{Store, StoreError};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

/// Seconds after which an unrenewed lease (the right to deliver to an endpoint) expires. Longer than a delivery
/// attempt.
pub const LEASE_SECONDS: f64 = 30.0;

/// Maximum wait before a retry, in milliseconds: two days. A retry that is due even later was scheduled while the clock
/// was ahead, so it is treated as due now.
pub const LONGEST_WAIT: i64 = 2 * 24 * 3600 * 1000;

/// An event whose delivery to an endpoint failed and is to be retried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    pub id: EventId,
    /// The event; `None` if it was deleted.
    pub event: Option<Event>,
    pub attempts: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub endpoint: String,
    pub event: EventId,
    /// Number of attempts so far, and time of the next attempt; `None` if there will be no next attempt.
    pub retry: Option<(u32, Timestamp)>,
}

impl Store {
    /// Acquires or renews the lease of an endpoint for `holder`, a copy of the service. Returns the event after which
    /// deliveries continue: for a new endpoint, the newest event. Returns `None` if another copy has the lease.
    pub async fn lease_endpoint(&self, endpoint: String, holder: String) -> Result<Option<EventId>, StoreError> {
        ask!(self, lease_endpoint(endpoint, holder))
    }

    /// Releases the lease of an endpoint if `holder` has it, so that another copy can deliver.
    pub async fn release_endpoint(&self, endpoint: String, holder: String) -> Result<(), StoreError> {
        ask!(self, release_endpoint(endpoint, holder))
    }

    /// Returns up to `limit` events whose delivery to an endpoint is due for a retry now, the longest overdue first.
    pub async fn due_deliveries(
        &self,
        endpoint: String,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        ask!(self, due_deliveries(endpoint, now, limit))
    }

    /// If `holder` has the lease of the endpoint, stores the result of a delivery attempt and returns true. Otherwise
    /// returns false.
    pub async fn settle_delivery(&self, delivery: Delivery, holder: String) -> Result<bool, StoreError> {
        ask!(self, settle_delivery(delivery, holder))
    }
}
