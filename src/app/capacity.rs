//! Limits on how much of the service each caller may use at once: changes, visits, queries of strangers, request bodies and
//! CPU time.

use std::num::NonZero;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

use crate::limits::Actor;
use crate::shares::{Refused, Share, Shared};

/// Maximum number of concurrent changes. More changes are rejected immediately, so that changes in progress stay fast.
pub const CHANGES: u32 = 128;

/// Maximum size, in bytes, of all request bodies in memory.
pub const BODY_BYTES: u32 = 64 * 1024 * 1024;

/// Maximum number of visits of links that wait to be counted.
pub const VISITS: u32 = 1024;

/// Maximum number of queries at the same time for callers who have not shown yet who they are.
pub const UNPROVEN: u32 = 32;

/// Size of the input of CPU work, in bytes. Work on less input is small: it takes less than a millisecond, so it runs
/// directly on the async thread.
pub const SMALL: usize = 16 * 1024;

/// Limited resources that all callers share. One caller may use at most a quarter of each resource.
pub struct Capacity {
    changes: Shared,
    visits: Shared,
    unproven: Shared,
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
            unproven: Shared::new(UNPROVEN),
            bodies: Shared::new(BODY_BYTES),
            cores: Shared::new(cores),
        }
    }

    /// Returns a permit for one change. The permit is released when it is dropped.
    pub fn change(&self, actor: Actor) -> Result<Share, Refused> {
        self.changes.try_take(actor, 1)
    }

    /// Returns a permit for one visit that waits to be counted. The permit is released when it is dropped.
    pub fn visit(&self, actor: Actor) -> Result<Share, Refused> {
        self.visits.try_take(actor, 1)
    }

    /// Waits for a permit for a query that shows who a caller is. The permit is released when it is dropped.
    pub async fn unproven(&self, address: Actor) -> Option<Share> {
        self.unproven.take(address).await
    }

    /// Returns a permit for `bytes` bytes of a request body. The permit is released when it is dropped.
    pub fn body(&self, actor: Actor, bytes: usize) -> Result<Share, Refused> {
        self.bodies.try_take(actor, u32::try_from(bytes).unwrap_or(u32::MAX))
    }

    /// Runs CPU work on an input of `bytes` bytes. At most one such job runs per core, and one caller may use at most a
    /// quarter of the cores. During the job, another thread serves the async tasks of this thread. If `bytes` is less
    /// than [`SMALL`], the work runs immediately on this thread, without these limits.
    pub async fn compute<T>(&self, actor: Actor, bytes: usize, work: impl FnOnce() -> T) -> T {
        if bytes < SMALL {
            return work();
        }
        let _core = self.cores.take(actor).await;
        match Handle::current().runtime_flavor() {
            // Only tests use this runtime. It has no second thread that could serve the tasks.
            RuntimeFlavor::CurrentThread => work(),
            _ => block_in_place(work),
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/app/capacity.rs"]
mod tests;
