//! Deliveries to one endpoint. Events are sent one at a time, but failed events are retried later.
//!
//! New events are queued in the store. Users take turns: in each turn, a few events of one user are sent, in order. So
//! a user who makes many changes delays the events of others by one turn only, plus retries.

use std::convert::Infallible;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::backoff::{self, FAILURES};
use super::post::{Attempt, Endpoint};
use crate::breaker::{Breaker, Permit};
use crate::clock::Clock;
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;
use crate::feed::{Feed, Listener};
use crate::ids::Ids;
use crate::store::webhook::{Delivery, LEASE, QueuedDelivery};
use crate::store::{Store, StoreError};

/// Time between two checks for failed events to retry, and between two attempts to get the lease of the endpoint.
const TICK: Duration = Duration::from_secs(1);

/// Maximum number of events of one user that are sent in a turn.
const TURN: u32 = 8;

/// Maximum number of failed events that are sent again between two turns.
const RETRIES: u32 = 8;

/// Maximum number of reads of new events between two turns. Each read queues up to 128 events, more than a turn sends,
/// so new events are queued even while many queued events still wait to be sent.
const READS: u32 = 8;

/// Time limit for finishing the current delivery when the service stops.
const LAST_ATTEMPT: Duration = Duration::from_secs(3);

/// The deliveries to an endpoint, and the parts of the service that they use.
pub struct Deliveries<'d> {
    pub endpoint: &'d Endpoint,
    pub holder: &'d str,
    pub ids: &'d Ids,
    pub store: &'d Store,
    pub feed: &'d Feed,
    pub clock: &'d Clock,
    pub breaker: Breaker,
    /// The user of the last turn.
    pub served: String,
}

#[derive(Debug)]
enum DeliveryError {
    /// The endpoint does not want any more events (status 410).
    Gone,
    Stopping,
    /// Another copy of the service has the lease of the endpoint, so it delivers the events.
    LeaseLost,
    /// The endpoint failed several times, and is left alone for a while.
    Paused,
    /// The store was replaced by an older state of itself, in which new events may have lower ids. Deliveries continue
    /// after the last event that was queued according to this older state.
    Outdated,
    Store(StoreError),
}

impl From<StoreError> for DeliveryError {
    fn from(error: StoreError) -> Self {
        DeliveryError::Store(error)
    }
}

impl Deliveries<'_> {
    /// Delivers events until the service stops or the endpoint does not want any more events.
    pub async fn run(mut self) {
        loop {
            let Err(end) = self.deliver().await;
            match end {
                DeliveryError::LeaseLost | DeliveryError::Paused | DeliveryError::Outdated => {}
                DeliveryError::Store(error) => {
                    tracing::warn!(webhook.host = self.endpoint.host, %error, "deliveries are waiting for the store");
                }
                DeliveryError::Stopping => break,
                DeliveryError::Gone => {
                    tracing::warn!(
                        webhook.host = self.endpoint.host,
                        "the endpoint is gone (410): it receives nothing more until the service restarts"
                    );
                    break;
                }
            }
            tokio::select! {
                biased;
                () = self.feed.ended() => return,
                () = sleep(TICK) => {}
            }
        }
        let (name, holder) = (self.endpoint.name.clone(), self.holder.to_owned());
        if let Err(error) = self.store.release_endpoint(name, holder).await {
            tracing::debug!(%error, "could not release the lease; other copies will deliver only after it expires");
        }
    }

    /// Delivers events as long as the endpoint accepts events, and this copy of the service has the lease of the
    /// endpoint. Only one copy can have the lease. After a pause, deliveries continue with the events that were not
    /// sent.
    async fn deliver(&mut self) -> Result<Infallible, DeliveryError> {
        let queued = self.renew_lease().await?;
        let mut renewed_at = self.clock.uptime();
        // Nothing is read during a pause.
        self.permit()?;
        let mut listener = self.feed.listener(queued, None);
        loop {
            if self.clock.uptime().saturating_sub(renewed_at) > Duration::from_millis(LEASE / 3) {
                self.renew_lease().await?;
                renewed_at = self.clock.uptime();
            }
            let due = self.store.due_deliveries(self.endpoint.name.clone(), self.clock.now(), RETRIES).await?;
            let is_full = due.len() == RETRIES as usize;
            self.send_all(due).await?;
            let (actor, next) =
                self.store.next_deliveries(self.endpoint.name.clone(), self.served.clone(), TURN).await?;
            self.served = actor.unwrap_or_default();
            let may_be_more = !next.is_empty() || is_full;
            let wait = if may_be_more { Duration::ZERO } else { TICK };
            self.send_all(next).await?;
            let heard = tokio::select! {
                biased;
                () = self.feed.ended() => return Err(DeliveryError::Stopping),
                heard = timeout(wait, listener.wait_for_events()) => heard,
            };
            if heard.is_ok() {
                self.queue(&mut listener).await?;
            }
        }
    }

    /// Queues new events.
    async fn queue(&self, listener: &mut Listener) -> Result<(), DeliveryError> {
        for _ in 0..READS {
            let events = listener.read_unbroken(self.store).await?.ok_or(DeliveryError::Outdated)?;
            let Some(last) = events.last() else { break };
            let (name, holder) = (self.endpoint.name.clone(), self.holder.to_owned());
            if !self.store.queue_deliveries(name, last.id, holder).await? {
                return Err(DeliveryError::LeaseLost);
            }
        }
        Ok(())
    }

    /// Acquires or renews the lease of the endpoint. Returns the last event that was queued.
    async fn renew_lease(&self) -> Result<EventId, DeliveryError> {
        let held = self.store.lease_endpoint(self.endpoint.name.clone(), self.holder.to_owned()).await?;
        held.ok_or(DeliveryError::LeaseLost)
    }

    fn permit(&self) -> Result<Permit, DeliveryError> {
        self.breaker.permit(self.clock.uptime()).ok_or(DeliveryError::Paused)
    }

    async fn send_all(&self, queued: Vec<QueuedDelivery>) -> Result<(), DeliveryError> {
        for waiting in queued {
            let permit = self.permit()?;
            match waiting.event {
                Some(event) => self.send(&event, waiting.attempts, permit).await?,
                None => {
                    self.log_given_up(waiting.id, "it has expired, or cannot be read");
                    self.settle(waiting.id, None).await?;
                }
            }
        }
        Ok(())
    }

    /// Sends an event, and stores the result. `before` is the number of earlier attempts.
    async fn send(&self, event: &Event, before: u32, permit: Permit) -> Result<(), DeliveryError> {
        let attempt = tokio::select! {
            biased;
            attempt = self.endpoint.send(event, self.clock.now()) => attempt,
            // The result is not stored, so the endpoint may get the same event again after a restart.
            () = self.stop_grace_period() => return Err(DeliveryError::Stopping),
        };
        let outcome = match &attempt {
            Attempt::Accepted => "delivered",
            Attempt::Gone => "gone",
            Attempt::Failed { .. } => "failed",
        };
        metrics::counter!("fieldbook_webhook_deliveries_total", "outcome" => outcome).increment(1);
        match attempt {
            Attempt::Gone => return Err(DeliveryError::Gone),
            Attempt::Accepted => {
                permit.succeeded();
                self.settle(event.id, None).await?;
            }
            Attempt::Failed { reason, asked } => {
                permit.failed(self.clock.uptime(), FAILURES, asked);
                self.retry_later(event.id, before.saturating_add(1), &reason, asked).await?;
            }
        }
        if self.feed.has_ended() { Err(DeliveryError::Stopping) } else { Ok(()) }
    }

    /// Stores that an attempt failed, and when the next attempt is due. If there is no next attempt, the event is given
    /// up.
    async fn retry_later(
        &self,
        id: EventId,
        attempts: u32,
        reason: &str,
        asked: Option<Duration>,
    ) -> Result<(), DeliveryError> {
        let Some(wait) = backoff::wait(attempts, self.ids.jitter(), asked) else {
            self.log_given_up(id, reason);
            return self.settle(id, None).await;
        };
        tracing::info!(
            webhook.host = self.endpoint.host,
            event.id = %id,
            attempts,
            reason,
            again_in_seconds = wait.as_secs(),
            "an event was not delivered"
        );
        self.settle(id, Some((attempts, self.clock.now().later_by(wait)))).await
    }

    fn log_given_up(&self, id: EventId, reason: &str) {
        metrics::counter!("fieldbook_webhook_deliveries_total", "outcome" => "given_up").increment(1);
        tracing::warn!(webhook.host = self.endpoint.host, event.id = %id, reason, "giving up on an event");
    }

    async fn settle(&self, event: EventId, retry: Option<(u32, Timestamp)>) -> Result<(), DeliveryError> {
        let delivery = Delivery { endpoint: self.endpoint.name.clone(), event, retry };
        match self.store.settle_delivery(delivery, self.holder.to_owned()).await? {
            true => Ok(()),
            false => Err(DeliveryError::LeaseLost),
        }
    }

    async fn stop_grace_period(&self) {
        self.feed.ended().await;
        sleep(LAST_ATTEMPT).await;
    }
}
