//! How much of the service each caller may use at once: changes, visits, request bodies and CPU time.

use std::num::NonZero;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

use crate::limits::Actor;
use crate::shares::{Refused, Share, Shared};

/// Maximum concurrent changes; more are refused at once, so that those under way stay quick.
pub const CHANGES: u32 = 128;

/// Maximum bytes of request bodies in memory.
pub const BODY_BYTES: u32 = 64 * 1024 * 1024;

/// Maximum visits of links that wait to be counted.
pub const VISITS: u32 = 1024;

/// Work on fewer bytes takes less than a millisecond and runs on the async thread.
pub const SMALL: usize = 16 * 1024;

/// Resources that all callers share. One caller holds at most a quarter of each part.
pub struct Capacity {
    changes: Shared,
    visits: Shared,
    bodies: Shared,
    cores: Shared,
}

impl Default for Capacity {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self::with_cores(u32::try_from(cores).unwrap_or(u32::MAX))
    }
}

impl Capacity {
    fn with_cores(cores: u32) -> Self {
        Self {
            changes: Shared::new(CHANGES),
            visits: Shared::new(VISITS),
            bodies: Shared::new(BODY_BYTES),
            cores: Shared::new(cores),
        }
    }

    /// Returns a permit for one change, held until it is dropped.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn change(&self, actor: Actor) -> Result<Share, Refused> {
        self.changes.try_take(actor, 1)
    }

    /// Returns a permit for one visit that waits to be counted, held until it is dropped.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn visit(&self, actor: Actor) -> Result<Share, Refused> {
        self.visits.try_take(actor, 1)
    }

    /// Returns a permit for this many bytes of a request body, held until it is dropped.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn body(&self, actor: Actor, bytes: usize) -> Result<Share, Refused> {
        self.bodies.try_take(actor, u32::try_from(bytes).unwrap_or(u32::MAX))
    }

    /// Runs CPU work, at most one job per core and a quarter of these per caller. The thread leaves the async runtime
    /// for that time, and another thread serves its tasks. Work on fewer bytes than [`SMALL`] runs at once.
    pub async fn compute<T>(&self, actor: Actor, bytes: usize, work: impl FnOnce() -> T) -> T {
        if bytes < SMALL {
            return work();
        }
        let _core = self.cores.take(actor).await;
        match Handle::current().runtime_flavor() {
            // Only tests use this runtime; it has no second thread to take over.
            RuntimeFlavor::CurrentThread => work(),
            _ => block_in_place(work),
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/app/capacity.rs"]
mod tests;
