//! What is kept of deliveries to webhooks.

use super::{Store, StoreError};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

/// For so many seconds a copy of the service holds an endpoint, unless it is heard of again: longer than one attempt takes.
pub const HELD_FOR: f64 = 30.0;

/// No event waits for longer, in milliseconds: one that is due later was put off while a clock was ahead, and is due now.
pub const LONGEST_WAIT: i64 = 2 * 24 * 3600 * 1000;

/// An event that an endpoint did not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its name.
    pub id: EventId,
    /// The event; `None` where it is not kept any more.
    pub event: Option<Event>,
    /// How often it was sent.
    pub attempts: u32,
}

/// How a delivery ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The name of the endpoint.
    pub endpoint: String,
    /// The event.
    pub event: EventId,
    /// How often it was sent, and when it is sent again; `None` where it is not.
    pub again: Option<(u32, Timestamp)>,
}

impl Store {
    /// Has this copy of the service, `holder`, deliver to an endpoint from now on, or for longer, and says after which event it goes
    /// on; `None` while another copy does. An endpoint that is new begins after what has happened so far.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn hold_endpoint(&self, endpoint: String, holder: String) -> Result<Option<EventId>, StoreError> {
        ask!(self, hold_endpoint(endpoint, holder))
    }

    /// Lets other copies of the service deliver to an endpoint, if `holder` does.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn let_go_of_endpoint(&self, endpoint: String, holder: String) -> Result<(), StoreError> {
        ask!(self, let_go_of_endpoint(endpoint, holder))
    }

    /// What is to be sent to an endpoint again by now, the longest due first, at most `limit`.
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
