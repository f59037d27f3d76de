//! Who listens to what happens is woken when something did, and reads it from the store.
//!
//! One watch in a process looks for new events while somebody listens: at once when this process stored a change, and
//! every second, as other copies of the service store changes too. Whoever reads slowly holds up nobody and holds nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::clock::{Clock, Steady};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;
use crate::limits::Actor;
use crate::shares::{Refused, Share, Shared};
use crate::store::events::Outdated;
use crate::store::{Store, StoreError};

/// The longest wait before it is looked for changes of other copies of the service.
const POLL: Duration = Duration::from_secs(1);

/// The shortest time between two looks: what happens meanwhile is read together.
const PAUSE: Duration = Duration::from_millis(50);

/// So many events are read at once.
const AT_ONCE: u32 = 128;

/// The most event streams that can be read at once.
pub const STREAMS: u32 = 256;

/// After so many changes those events are let go that are over.
const CHANGES_PER_CLEARING: u64 = 16;

/// What happens, and who listens.
#[derive(Debug)]
pub struct Feed {
    /// Grows with every change that this process stored, and with every new listener.
    changes: watch::Sender<u64>,
    /// The last event that is known to be there.
    newest: watch::Sender<Option<EventId>>,
    ended: watch::Sender<bool>,
    places: Shared,
    kept: Duration,
    /// What events are old by, and whether it knows when the newest of an earlier time happened.
    time: Mutex<(Steady, bool)>,
}

/// Somebody who listens from some event on.
#[derive(Debug)]
pub struct Listener {
    newest: watch::Receiver<Option<EventId>>,
    after: EventId,
    /// Whether there may be more than was heard of.
    may_be_more: bool,
}

impl Feed {
    /// Events are kept for so long.
    pub fn new(kept: Duration) -> Self {
        let (changes, newest, ended) = (watch::Sender::new(0), watch::Sender::new(None), watch::Sender::new(false));
        Self { changes, newest, ended, places: Shared::new(STREAMS), kept, time: Mutex::default() }
    }

    /// A change was stored.
    pub fn changed(&self) {
        self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    /// Somebody who listens to all that comes after this event.
    pub fn listener(&self, after: EventId) -> Listener {
        let listener = Listener { newest: self.newest.subscribe(), after, may_be_more: true };
        self.changed();
        listener
    }

    /// A place for an event stream, until it is dropped.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn place(&self, actor: Actor) -> Result<Share, Refused> {
        self.places.try_take(actor, 1)
    }

    /// Nobody is to listen any more: the service stops.
    pub fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Whether nobody is to listen any more.
    pub fn has_ended(&self) -> bool {
        *self.ended.borrow()
    }

    /// Waits until nobody is to listen any more.
    pub async fn ended(&self) {
        // The sender lives as long as this does.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// Looks for new events until the service stops, and lets go of old ones, but not of those that these endpoints are still to be sent.
    pub async fn watch(&self, store: &Store, clock: &Clock, endpoints: &[String]) {
        tokio::select! {
            biased;
            () = self.ended() => {}
            () = self.look_on(store, clock, endpoints) => {}
        }
    }

    async fn look_on(&self, store: &Store, clock: &Clock, endpoints: &[String]) {
        let mut changes = self.changes.subscribe();
        let (mut wait, mut cleared) = (PAUSE, *changes.borrow());
        loop {
            self.note_time(store, clock).await;
            let seen = *changes.borrow_and_update();
            if seen.wrapping_sub(cleared) >= CHANGES_PER_CLEARING {
                cleared = seen;
                self.clear(store, clock, endpoints).await;
            }
            let is_heard = self.newest.receiver_count() > 0;
            if is_heard {
                self.diagnose(store).await;
            }
            sleep(PAUSE).await;
            // A change that was stored may come to light a little later: first it is looked again soon.
            let changed = timeout(wait, changes.changed()).await.is_ok();
            wait = if changed { PAUSE } else { (wait * 2).min(POLL) };
        }
    }

    async fn diagnose(&self, store: &Store) {
        match store.newest_event().await {
            Ok(newest) => {
                self.newest.send_if_modified(|known| std::mem::replace(known, newest) != newest);
            }
            Err(error) => tracing::debug!(%error, "it could not be read what happened"),
        }
    }

    /// Notes what time it is, and says so where the clock of the machine has jumped.
    async fn note_time(&self, store: &Store, clock: &Clock) {
        let (jump, knows) = {
            let (steady, knows) = &mut *self.time();
            (steady.observe(clock), *knows)
        };
        if let Some(jump) = jump {
            tracing::warn!(
                seconds = jump / 1000,
                "the clock of this machine jumped; what is stored meanwhile has wrong times, and no event is lost"
            );
        }
        if knows {
            return;
        }
        match store.newest_event().await {
            Ok(newest) => {
                let (steady, knows) = &mut *self.time();
                newest.iter().for_each(|newest| steady.note(newest.at, clock));
                *knows = true;
            }
            Err(error) => tracing::debug!(%error, "it could not be read when the last event happened"),
        }
    }

    fn time(&self) -> MutexGuard<'_, (Steady, bool)> {
        self.time.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets go of events that are over. A jump of the machine's clock makes none older.
    pub async fn clear(&self, store: &Store, clock: &Clock, endpoints: &[String]) {
        self.note_time(store, clock).await;
        let now = {
            let (steady, knows) = &*self.time();
            steady.now(clock).filter(|_| *knows)
        };
        let Some(now) = now else { return };
        let kept = i64::try_from(self.kept.as_millis()).unwrap_or(i64::MAX);
        let before = Timestamp(now.0.saturating_sub(kept));
        if let Err(error) = store.forget_events(Outdated { before, now, endpoints: endpoints.to_vec() }).await {
            tracing::warn!(%error, "events that are over were not cleared away");
        }
    }
}

impl Listener {
    /// The next events, as soon as there are any.
    ///
    /// # Errors
    /// [`StoreError`] where they could not be read; asked again, this goes on where it was.
    pub async fn next(&mut self, store: &Store) -> Result<Vec<Event>, StoreError> {
        loop {
            self.heard().await;
            let events = self.read(store).await?;
            if !events.is_empty() {
                return Ok(events);
            }
        }
    }

    /// Waits until there may be events to read. Whoever waits with a limit waits here, and reads without one: a read that is
    /// dropped is done again from its beginning, and never to its end where the store takes longer than the limit.
    pub async fn heard(&mut self) {
        while !self.may_be_more {
            if self.newest.changed().await.is_err() {
                // Nobody looks for events any more.
                std::future::pending::<()>().await;
            }
            self.may_be_more = self.newest.borrow_and_update().is_some_and(|newest| newest > self.after);
        }
    }

    /// The next events, if there are any now.
    ///
    /// # Errors
    /// Those of [`Self::next`].
    pub async fn read(&mut self, store: &Store) -> Result<Vec<Event>, StoreError> {
        let events = store.events_after(self.after, AT_ONCE).await?;
        self.may_be_more = !events.is_empty();
        self.after = events.last().map_or(self.after, |last| last.id);
        Ok(events)
    }
}
