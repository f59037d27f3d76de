//! Limited resources that callers share. One caller may use at most a quarter of a resource, so nobody can use it up
//! alone.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::Actor;

/// A resource forgets callers that use no units only if it knows at least this number of callers.
const MIN_CLEANED: usize = 256;

/// A limited resource, counted in units. One caller may use at most a quarter of the units, but always at least one.
pub struct Shared {
    all: Arc<Semaphore>,
    each: u32,
    callers: Mutex<HashMap<Actor, Weak<Semaphore>>>,
}

/// Units of a resource that a caller uses. Dropping this value releases the units.
#[derive(Debug)]
#[must_use]
pub struct Share {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    ShareUsedUp,
    Everything,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("free", &self.all.available_permits()).field("each", &self.each).finish()
    }
}

/// Returns how many of the `units` units of a resource one caller may use at most.
pub const fn share_of(units: u32) -> u32 {
    if units < 8 { 1 } else { units / 4 }
}

impl Shared {
    pub fn new(units: u32) -> Self {
        let all = Arc::new(Semaphore::new(usize::try_from(units).unwrap_or(Semaphore::MAX_PERMITS)));
        Self { all, each: share_of(units), callers: Mutex::default() }
    }

    /// Takes units without waiting. A request for more units than [`share_of`] returns always fails.
    pub fn try_take(&self, actor: Actor, units: u32) -> Result<Share, Refused> {
        let own = self.of(actor).try_acquire_many_owned(units).map_err(|_| Refused::ShareUsedUp)?;
        let of_all = self.all.clone().try_acquire_many_owned(units).map_err(|_| Refused::Everything)?;
        Ok(Share { _own: own, _of_all: of_all })
    }

    /// Waits for one unit. A caller waits first for a unit of the caller's own share, and then for a free unit of the
    /// resource. So a caller with many requests does not delay others. Both queues are first in, first out.
    pub async fn take(&self, actor: Actor) -> Option<Share> {
        // The semaphores are never closed, so the result is always `Some`.
        let own = self.of(actor).acquire_owned().await.ok()?;
        let of_all = self.all.clone().acquire_owned().await.ok()?;
        Some(Share { _own: own, _of_all: of_all })
    }

    /// Returns the semaphore for the share of a caller. The semaphore exists as long as one of the caller's requests
    /// uses a unit or waits for one.
    fn of(&self, actor: Actor) -> Arc<Semaphore> {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = callers.get(&actor).and_then(Weak::upgrade) {
            return share;
        }
        if callers.len() >= MIN_CLEANED {
            callers.retain(|_, share| share.strong_count() > 0);
        }
        let share = Arc::new(Semaphore::new(usize::try_from(self.each).unwrap_or(Semaphore::MAX_PERMITS)));
        callers.insert(actor, Arc::downgrade(&share));
        share
    }
}

#[cfg(test)]
#[path = "../tests/unit/shares.rs"]
mod tests;
