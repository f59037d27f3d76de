//! Notifies listeners when there are new events. The listeners read the events from the store.
//!
//! While there are listeners, one task per process looks for new events: immediately after a change by this process,
//! and every second for changes by other copies of the service. It wakes only those listeners that wait for these
//! events. A slow listener does not delay other listeners.

use std::collections::BTreeMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::admission::{Actor, Permit, Pool, PoolError};
use crate::clock::{Clock, ExpiryClock};
use crate::domain::event::{Event, EventId};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::events::{EventPosition, ExpiredEvents};
use crate::store::{Store, StoreError};

/// Maximum wait between two checks for changes by other copies of the service.
const POLL: Duration = Duration::from_secs(1);

/// Minimum time between two checks for new events. Events that arrive in this time are read together.
const PAUSE: Duration = Duration::from_millis(50);

/// Maximum number of events that are read at a time.
pub const BATCH: u32 = 128;

/// Maximum number of new events of which the ids and investigations are read at a time, to notify listeners.
const POSITIONS: u32 = 1024;

/// Time between two searches for data that has expired or can be permanently deleted.
const SWEEPING: Duration = Duration::from_secs(60);

/// Time for which a picture that no content shows is kept.
const UNUSED_PICTURES_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// Interval at which the time of the expiry clock is stored.
const KEEPING_TIME: Duration = Duration::from_secs(300);

#[derive(Debug)]
pub struct Feed {
    /// Number that increases with every change by this process, and with every new listener.
    changes: watch::Sender<u64>,
    /// The newest known event of each investigation that somebody listens to. The key `None` has the newest of all
    /// events.
    newest: Mutex<BTreeMap<Option<ObjectId>, watch::Sender<Option<EventId>>>>,
    ended: watch::Sender<bool>,
    permits: Pool,
    streams: u32,
    retention: Duration,
    trash_kept: Duration,
    audit_kept: Duration,
    /// Names of the webhook endpoints. An event is kept until it has been delivered to all of them.
    endpoints: Vec<String>,
    time: Mutex<ExpiryTime>,
}

/// Time that decides when events and investigations in the trash expire.
#[derive(Debug, Default)]
struct ExpiryTime {
    /// `None` until the stored time of an earlier process was read.
    clock: Option<ExpiryClock>,
    /// The time of `clock` that was last stored.
    stored: Option<Timestamp>,
}

/// A reader of events, which remembers the last event that it has read.
#[derive(Debug)]
pub struct Listener {
    newest: watch::Receiver<Option<EventId>>,
    /// The investigation whose events are read; `None` for all events.
    investigation: Option<ObjectId>,
    after: EventId,
    /// Whether the store may have events that this listener has not read.
    may_be_more: bool,
}

impl Feed {
    /// Creates a feed that deletes events when they are older than `retention`, with capacity for `streams` readers.
    pub fn new(retention: Duration, streams: u32) -> Self {
        Self {
            changes: watch::Sender::new(0),
            newest: Mutex::default(),
            ended: watch::Sender::new(false),
            permits: Pool::new(streams),
            streams,
            retention,
            trash_kept: Duration::ZERO,
            audit_kept: Duration::MAX,
            endpoints: Vec::new(),
            time: Mutex::default(),
        }
    }

    /// Sets how long deleted investigations stay in the trash. The default is zero.
    #[must_use]
    pub fn with_trash(self, trash_kept: Duration) -> Self {
        Self { trash_kept, ..self }
    }

    /// Sets how long entries of the audit log are kept. By default, they are kept forever.
    #[must_use]
    pub fn with_audit(self, audit_kept: Duration) -> Self {
        Self { audit_kept, ..self }
    }

    /// Sets the names of the webhook endpoints. By default, there are none.
    #[must_use]
    pub fn with_endpoints(self, endpoints: Vec<String>) -> Self {
        Self { endpoints, ..self }
    }

    /// Notifies the feed that this process has stored a change.
    pub fn changed(&self) {
        self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    /// Returns a listener for the events after `after`: those of one investigation, or all events.
    pub fn listener(&self, after: EventId, investigation: Option<ObjectId>) -> Listener {
        let newest = {
            let mut newest = self.newest.lock();
            newest.retain(|_, sender| sender.receiver_count() > 0);
            newest.entry(investigation).or_insert_with(|| watch::Sender::new(None)).subscribe()
        };
        self.changed();
        Listener { newest, investigation, after, may_be_more: true }
    }

    pub fn permit(&self, actor: Actor) -> Result<Permit, PoolError> {
        self.permits.try_take(actor, 1)
    }

    /// Returns how many streams there can be at once.
    pub fn streams(&self) -> u32 {
        self.streams
    }

    /// Ends all streams, because the service is stopping.
    pub fn end(&self) {
        self.ended.send_replace(true);
    }

    pub fn has_ended(&self) -> bool {
        *self.ended.borrow()
    }

    pub async fn ended(&self) {
        // This cannot fail, because the sender lives as long as `self`.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// Looks for new events, until the service stops. Also [sweeps](Self::sweep) every minute.
    pub async fn watch(&self, store: &Store, clock: &Clock) {
        tokio::select! {
            biased;
            () = self.ended() => {}
            () = self.poll_loop(store, clock) => {}
        }
    }

    async fn poll_loop(&self, store: &Store, clock: &Clock) {
        let mut changes = self.changes.subscribe();
        let mut wait = PAUSE;
        let mut sweep_at = Duration::ZERO;
        // The last event that listeners were notified of; `None` while there are no listeners.
        let mut notified = None;
        loop {
            // Before each check for new events, deletes only a limited part of the expired data, so that listeners do
            // not wait long.
            if clock.uptime() >= sweep_at {
                if self.sweep(store, clock).await {
                    wait = PAUSE;
                } else {
                    sweep_at = clock.uptime() + SWEEPING;
                }
            }
            changes.mark_unchanged();
            let has_listeners = self.newest.lock().values().any(|sender| sender.receiver_count() > 0);
            notified = if has_listeners { self.notify_listeners(store, notified).await } else { None };
            sleep(PAUSE).await;
            // In PostgreSQL a stored change may become visible a little later, so the first check after a change is
            // repeated soon.
            let changed = timeout(wait, changes.changed()).await.is_ok();
            wait = if changed { PAUSE } else { (wait * 2).min(POLL) };
        }
    }

    /// Notifies the listeners that wait for the events after `notified`. Returns the last of these events; `None` if it
    /// is unknown which events the listeners have missed.
    async fn notify_listeners(&self, store: &Store, notified: Option<EventId>) -> Option<EventId> {
        let checked = match notified {
            Some(last) => self.notify_after(store, last).await,
            None => self.notify_all(store).await.map(Some),
        };
        checked.unwrap_or_else(|error| {
            tracing::debug!(%error, "the events could not be read");
            notified
        })
    }

    async fn notify_after(&self, store: &Store, mut last: EventId) -> Result<Option<EventId>, StoreError> {
        if !store.has_events_since(last).await? {
            return Ok(None);
        }
        loop {
            let new = store.event_positions_after(last, POSITIONS).await?;
            self.notify(&new);
            last = new.last().map_or(last, |newest| newest.id);
            if new.len() < POSITIONS as usize {
                return Ok(Some(last));
            }
        }
    }

    /// Notifies the listeners whom these events concern.
    fn notify(&self, new: &[EventPosition]) {
        let listeners = self.newest.lock();
        for EventPosition { id, investigation_id } in new {
            for interested in [None, Some(*investigation_id)] {
                if let Some(sender) = listeners.get(&interested) {
                    sender.send_replace(Some(*id));
                }
            }
        }
    }

    /// Notifies all listeners, because it is unknown which events they have missed.
    async fn notify_all(&self, store: &Store) -> Result<EventId, StoreError> {
        let newest = store.newest_event().await?;
        for sender in self.newest.lock().values() {
            sender.send_replace(newest);
        }
        Ok(newest.unwrap_or(EventId::BEGINNING))
    }

    /// Returns the current time for measuring ages. Stores it regularly, so that the next process continues at this
    /// time.
    async fn now(&self, store: &Store, clock: &Clock) -> Result<Timestamp, StoreError> {
        if self.time.lock().clock.is_none() {
            let left_at = store.expiry_clock().await?;
            self.time.lock().clock.get_or_insert_with(|| ExpiryClock::continued(left_at, clock));
        }
        let (now, stored) = {
            let mut time = self.time.lock();
            let now = time.clock.as_mut().map_or_else(|| clock.now(), |expiry| expiry.now(clock));
            (now, time.stored)
        };
        let went_back = stored.is_some_and(|stored| now < stored);
        if went_back || stored.is_none_or(|stored| now.since(stored) >= KEEPING_TIME) {
            store.keep_expiry_clock(now, went_back).await?;
            self.time.lock().stored = Some(now);
        }
        Ok(now)
    }

    /// Deletes an investigation whose trash period has expired, a picture that no content has shown for long, and
    /// slices of the expired events, of the expired audit log, and of what belonged to deleted investigations. Returns
    /// whether there may be more. If the machine's clock jumps ahead, nothing expires at once.
    pub async fn sweep(&self, store: &Store, clock: &Clock) -> bool {
        let mut swept = match self.now(store, clock).await {
            Ok(now) => vec![
                store.empty_trash(now.earlier_by(self.trash_kept)).await,
                store.forget_picture(now.earlier_by(UNUSED_PICTURES_KEPT)).await,
                store.forget_audit(now.earlier_by(self.audit_kept)).await,
                self.forget_events(store, now).await,
            ],
            Err(error) => vec![Err(error)],
        };
        swept.push(store.sweep().await);
        let has_more = |swept: Result<bool, StoreError>| {
            swept.unwrap_or_else(|error| {
                tracing::warn!(%error, "could not delete expired or permanently deleted records");
                false
            })
        };
        // Does not stop at the first result that has more, because `has_more` also logs the errors in the results after
        // it.
        swept.into_iter().map(has_more).filter(|has_more| *has_more).count() > 0
    }

    async fn forget_events(&self, store: &Store, now: Timestamp) -> Result<bool, StoreError> {
        let (before, endpoints) = (now.earlier_by(self.retention), self.endpoints.clone());
        store.forget_events(ExpiredEvents { before, now, endpoints }).await
    }
}

impl Listener {
    /// Waits until there may be unread events. A caller with a time limit should apply the limit to this wait, and not
    /// to [`Self::read`]: a cancelled read starts from the beginning, so it might never finish on a slow store.
    pub async fn wait_for_events(&mut self) {
        while !self.may_be_more {
            if self.newest.changed().await.is_err() {
                // The feed was dropped, so there will be no more events.
                std::future::pending::<()>().await;
            }
            self.may_be_more = self.newest.borrow_and_update().is_none_or(|newest| newest != self.after);
        }
    }

    /// Returns the next unread events, at most 128, without waiting for new events; empty if there are none. After an
    /// error, the next call continues at the same event.
    pub async fn read(&mut self, store: &Store) -> Result<Vec<Event>, StoreError> {
        let events = store.events_after(self.after, self.investigation, BATCH).await?;
        self.may_be_more = !events.is_empty();
        self.after = events.last().map_or(self.after, |last| last.id);
        Ok(events)
    }

    /// Like [`Self::read`]. Returns `None` if events may be missing, because the store has become an older copy of
    /// itself: a standby that had not received everything, or a restored dump. Then new events may have lower ids.
    /// After `None` or an error, this listener must not be used again.
    pub async fn read_unbroken(&mut self, store: &Store) -> Result<Option<Vec<Event>>, StoreError> {
        let last = self.after;
        let events = self.read(store).await?;
        // Checks after the read, because the store may become an older copy of itself just before the read. A check
        // before the read could miss this. A check after the read cannot, because the store stays an older copy.
        Ok(store.has_events_since(last).await?.then_some(events))
    }
}
