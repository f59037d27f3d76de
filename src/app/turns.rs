//! Who may use how much of the service at once: changes, visits, request bodies and CPU time.

use std::num::NonZero;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{Mutex, MutexGuard};
use tokio::task::block_in_place;

use crate::domain::id::ObjectId;
use crate::limits::Who;
use crate::shares::{Refused, Share, Shared};

/// One change of an investigation at a time, in the order of arrival, so that none decides on what another replaces;
/// and no more changes at once than can be made before their callers lose patience.
///
/// Turns save work within one process; the store's compare-and-swap keeps the promise between several.
pub struct Turns {
    of: Vec<Mutex<()>>,
    places: Shared,
    visits: Shared,
    bodies: Shared,
    cores: Shared,
}

/// Investigations share turns by their last bytes, which differ most.
const TURNS: usize = 1024;

/// The most changes that can be under way. Further ones are refused at once, so that these stay quick.
pub const CHANGES: u32 = 128;

/// The most bytes of request bodies that can be held at once.
pub const BODY_BYTES: u32 = 64 * 1024 * 1024;

/// The most visits of links that can wait to be counted.
pub const VISITS: u32 = 1024;

/// Work on fewer bytes than this takes less than a millisecond, and runs where it is.
pub const SMALL: usize = 16 * 1024;

impl Default for Turns {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self::on(u32::try_from(cores).unwrap_or(u32::MAX))
    }
}

impl Turns {
    /// Turns where this many CPU jobs run at once.
    fn on(cores: u32) -> Self {
        Self {
            of: (0..TURNS).map(|_| Mutex::new(())).collect(),
            places: Shared::new(CHANGES),
            visits: Shared::new(VISITS),
            bodies: Shared::new(BODY_BYTES),
            cores: Shared::new(cores),
        }
    }

    /// A place among the changes that are under way, until it is dropped.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn place(&self, who: Who) -> Result<Share, Refused> {
        self.places.try_take(who, 1)
    }

    /// A place among the visits that wait to be counted, until it is dropped.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn visit(&self, who: Who) -> Result<Share, Refused> {
        self.visits.try_take(who, 1)
    }

    /// Room for so many bytes of a request body, until it is dropped.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn body(&self, who: Who, bytes: usize) -> Result<Share, Refused> {
        self.bodies.try_take(who, u32::try_from(bytes).unwrap_or(u32::MAX))
    }

    /// Waits for the turn to change `id`; it lasts until the guard is dropped.
    pub async fn of(&self, id: ObjectId) -> MutexGuard<'_, ()> {
        self.of[id.low_bits() % TURNS].lock().await
    }

    /// Runs CPU work, at most one job per core, and at most a quarter of these for one caller. The thread is no async
    /// thread meanwhile: another one serves what that served. Small work, on few `bytes`, runs at once.
    pub async fn compute<T>(&self, who: Who, bytes: usize, work: impl FnOnce() -> T) -> T {
        if bytes < SMALL {
            return work();
        }
        let _core = self.cores.take(who).await;
        match Handle::current().runtime_flavor() {
            // Only tests have one, and no other thread to hand its tasks to.
            RuntimeFlavor::CurrentThread => work(),
            _ => block_in_place(work),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn work_beyond_a_callers_share_waits_and_keeps_nobody_else_waiting() {
        let turns = Arc::new(Turns::on(2));
        let at = |n| Who::at([10, 0, 0, n].into());
        let (done, wait) = mpsc::channel::<()>();
        let (begin, begun) = tokio::sync::oneshot::channel();
        let work = move || (begin.send(()), wait.recv()).1;
        let first = turns.clone();
        let first = tokio::spawn(async move { first.compute(at(1), SMALL, work).await });
        begun.await.expect("the first has begun");
        // Small work of the same caller runs at once, and large work of others beside it.
        assert_eq!(turns.compute(at(1), SMALL - 1, || 1).await, 1);
        let mut second = std::pin::pin!(turns.compute(at(1), SMALL, || 2));
        let waits = timeout(Duration::ZERO, &mut second).await.is_err();
        assert_eq!(turns.compute(at(2), SMALL, || 3).await, 3);
        done.send(()).expect("the first still waits");
        assert!(first.await.is_ok());
        assert_eq!((waits, second.await), (true, 2));
    }
}
