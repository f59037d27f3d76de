//! Deliveries to one endpoint: one event after the other, in order. Failed ones are retried later.

use std::convert::Infallible;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::backoff::{self, Health};
use super::post::{Attempt, Endpoint};
use crate::clock::Clock;
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;
use crate::feed::Feed;
use crate::ids::Ids;
use crate::store::webhook::{Delivery, LEASE_SECONDS};
use crate::store::{Store, StoreError};

/// Interval for finding events to retry, and for trying to take over the endpoint.
const TICK: Duration = Duration::from_secs(1);

/// Maximum number of failed events to read at a time.
const BATCH: u32 = 16;

/// Time for the current delivery to finish when the service stops.
const LAST_ATTEMPT: Duration = Duration::from_secs(3);

/// Dependencies of the deliveries to an endpoint.
pub struct Deliveries<'d> {
    pub endpoint: &'d Endpoint,
    pub holder: &'d str,
    pub ids: &'d Ids,
    pub store: &'d Store,
    pub feed: &'d Feed,
    pub clock: &'d Clock,
    pub health: Health,
}

/// Why deliveries end.
#[derive(Debug)]
enum End {
    /// The endpoint wants no more events.
    Gone,
    /// The service stops.
    Stopping,
    /// Another copy of the service delivers now.
    Held,
    Store(StoreError),
}

impl From<StoreError> for End {
    fn from(error: StoreError) -> Self {
        End::Store(error)
    }
}

impl Deliveries<'_> {
    /// Delivers until the service stops or the endpoint wants no more events.
    pub async fn run(mut self) {
        loop {
            let Err(end) = self.deliver().await;
            match end {
                End::Held => {}
                End::Store(error) => {
                    tracing::warn!(webhook.host = self.endpoint.host, %error, "deliveries are waiting for the store");
                }
                End::Stopping => break,
                End::Gone => {
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
            tracing::debug!(%error, "other copies will wait before they deliver");
        }
    }

    /// Delivers as long as this copy of the service holds the endpoint.
    async fn deliver(&mut self) -> Result<Infallible, End> {
        let mut listener = self.feed.listener(self.hold().await?);
        let mut held_at = self.clock.uptime();
        loop {
            if self.clock.uptime().saturating_sub(held_at).as_secs_f64() > LEASE_SECONDS / 3.0 {
                self.hold().await?;
                held_at = self.clock.uptime();
            }
            self.send_again().await?;
            let heard = tokio::select! {
                biased;
                () = self.feed.ended() => return Err(End::Stopping),
                heard = timeout(TICK, listener.heard()), if !self.is_paused() => heard,
                () = sleep(TICK), if self.is_paused() => continue,
            };
            if heard.is_err() {
                continue;
            }
            for event in listener.read(self.store).await? {
                self.wait_for_its_rest().await?;
                self.send(&event, 0).await?;
            }
            held_at = self.clock.uptime();
        }
    }

    /// Renews the lease of the endpoint, and returns the last event that was delivered or given up.
    async fn hold(&self) -> Result<EventId, End> {
        let held = self.store.lease_endpoint(self.endpoint.name.clone(), self.holder.to_owned()).await?;
        held.ok_or(End::Held)
    }

    fn is_paused(&self) -> bool {
        self.health.is_paused(self.clock.uptime())
    }

    /// Waits until the endpoint's pause ends, keeping the lease.
    async fn wait_for_its_rest(&mut self) -> Result<(), End> {
        while self.is_paused() {
            self.hold().await?;
            tokio::select! {
                biased;
                () = self.feed.ended() => return Err(End::Stopping),
                () = sleep(TICK) => {}
            }
        }
        Ok(())
    }

    /// Retries failed events that have waited long enough.
    async fn send_again(&mut self) -> Result<(), End> {
        if self.is_paused() {
            return Ok(());
        }
        let due = self.store.due_deliveries(self.endpoint.name.clone(), self.clock.now(), BATCH).await?;
        for waiting in due {
            if self.is_paused() {
                return Ok(());
            }
            match waiting.event {
                Some(event) => self.send(&event, waiting.attempts).await?,
                None => {
                    self.log_given_up(waiting.id, "it has expired");
                    self.settle(waiting.id, None).await?;
                }
            }
        }
        Ok(())
    }

    /// Sends an event after `before` earlier attempts and stores the result.
    async fn send(&mut self, event: &Event, before: u32) -> Result<(), End> {
        let attempt = tokio::select! {
            biased;
            attempt = self.endpoint.send(event, self.clock.now()) => attempt,
            // The endpoint may have received the event; then it gets the event twice.
            () = self.moment_after_the_end() => return Err(End::Stopping),
        };
        let outcome = match &attempt {
            Attempt::Taken => "delivered",
            Attempt::Gone => "gone",
            Attempt::Failed(..) => "failed",
        };
        metrics::counter!("fieldbook_webhook_deliveries_total", "outcome" => outcome).increment(1);
        match attempt {
            Attempt::Gone => return Err(End::Gone),
            Attempt::Taken => {
                self.health.succeeded();
                self.settle(event.id, None).await?;
            }
            Attempt::Failed(reason, asked) => {
                self.health.failed(self.clock.uptime(), asked);
                self.retry_later(event.id, before.saturating_add(1), &reason, asked).await?;
            }
        }
        if self.feed.has_ended() { Err(End::Stopping) } else { Ok(()) }
    }

    /// Stores that an event failed, and when to retry it, if at all.
    async fn retry_later(&self, id: EventId, attempts: u32, reason: &str, asked: Option<Duration>) -> Result<(), End> {
        let Some(wait) = backoff::wait(attempts, self.jitter(), asked) else {
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

    async fn settle(&self, event: EventId, again: Option<(u32, Timestamp)>) -> Result<(), End> {
        let delivery = Delivery { endpoint: self.endpoint.name.clone(), event, again };
        match self.store.settle_delivery(delivery, self.holder.to_owned()).await? {
            true => Ok(()),
            false => Err(End::Held),
        }
    }

    async fn moment_after_the_end(&self) {
        self.feed.ended().await;
        sleep(LAST_ATTEMPT).await;
    }

    fn jitter(&self) -> u8 {
        self.ids.nonce().ok().and_then(|nonce| u8::from_str_radix(nonce.get(30..)?, 16).ok()).unwrap_or(0)
    }
}
