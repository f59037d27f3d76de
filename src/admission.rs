//! Admission control: limits how many requests run at once and how much memory they take, and decides whose request is
//! next.
//!
//! A request gets a permit of its class before the service loads a document for it. All work of the request borrows
//! this permit, also in other tasks. A request never holds two permits, because requests that wait for each other would
//! deadlock. Work that turns out to be heavier gives its permit back, and waits for one of the heavier class.
//!
//! One caller gets at most a quarter of each shared resource. Waiting callers take turns, regardless of how many
//! requests each of them has.

mod actor;
mod capacity;
mod class;
mod pool;
mod turns;

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Mutex;
use tokio::task::{block_in_place, yield_now};
use tokio::time::timeout;

pub use actor::Actor;
pub use capacity::{
    ANSWER_BYTES, ASSISTANT, ATTEMPT_BYTES, BODY_BYTES, CONNECTIONS, CREDENTIALS, DIRECTORY_BYTES, HEAVY, LIGHT,
    MEMORY, MEMORY_OF_CALLER, METRICS, PICTURES, PRESS_BYTES, PROFILE_BYTES, PROPOSAL_BYTES, READ_AHEAD, SHEET_BYTES,
    SHOWN_BYTES, SIGN_INS, VISIT_BODY, VISITS,
};
pub use class::Class;
pub use pool::{Permit, Pool, PoolError, share_of};
pub use turns::Turns;

/// Maximum wait for a permit. It is shorter than the deadline of a read, so that waiting requests do not pile up.
pub const WAIT: Duration = Duration::from_secs(3);

/// Minimum size, in bytes, of an input for which CPU work needs a permit. Work on a smaller input is small: it takes
/// less than a millisecond, so it runs directly on the async thread.
pub const SMALL: usize = 16 * 1024;

/// No permit became free in time. Nothing was loaded or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusyError;

/// The shared resources of all requests.
#[derive(Debug)]
pub struct Admission {
    pub visits: Pool,
    pub sign_ins: Pool,
    pub metrics: Pool,
    pub light: Pool,
    pub heavy: Pool,
    /// One unit for each picture that may be decoded at once. A request that reads a document already holds its heavy
    /// permit when it takes a unit for a picture. While it holds a unit, it waits only for a core, so no deadlock is
    /// possible.
    pub pictures: Pool,
    pub assistant: Pool,
    pub credentials: Pool,
    pub bodies: Pool,
    pub answers: Pool,
    pub connections: Pool,
    /// One unit for each CPU-bound job that may run at once. There are at least two, so that no caller can hold all of
    /// them.
    pub cores: Pool,
}

impl Default for Admission {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            visits: Pool::new(VISITS),
            sign_ins: Pool::new(SIGN_INS),
            metrics: Pool::new(METRICS),
            light: Pool::new(LIGHT),
            heavy: Pool::new(HEAVY),
            pictures: Pool::new(PICTURES),
            assistant: Pool::new(ASSISTANT),
            credentials: Pool::new(CREDENTIALS),
            bodies: Pool::new(BODY_BYTES),
            answers: Pool::new(ANSWER_BYTES),
            connections: Pool::new(CONNECTIONS),
            cores: Pool::new(u32::try_from(cores).unwrap_or(u32::MAX).saturating_sub(1).max(2)),
        }
    }
}

impl Admission {
    /// Adds one connection for each event stream.
    #[must_use]
    pub fn with_streams(self, streams: u32) -> Self {
        Self { connections: Pool::new(CONNECTIONS.saturating_add(streams)), ..self }
    }

    /// Limits the number of heavy requests to the number of connections that the store has for heavy reads.
    #[must_use]
    pub fn with_heavy_connections(self, connections: usize) -> Self {
        Self { heavy: Pool::new(u32::try_from(connections).unwrap_or(HEAVY).min(HEAVY)), ..self }
    }

    fn of(&self, class: Class) -> &Pool {
        match class {
            Class::Visit | Class::Page => &self.visits,
            Class::SignIn => &self.sign_ins,
            Class::Metrics => &self.metrics,
            Class::Light | Class::List | Class::Document => &self.light,
            Class::Picture => &self.pictures,
            Class::Heavy => &self.heavy,
            Class::Assistant => &self.assistant,
        }
    }

    /// Waits for a permit, and reserves memory for the largest response of its class.
    ///
    /// # Errors
    /// [`BusyError`] if a permit and the memory do not become free in time.
    pub async fn admit(self: &Arc<Self>, actor: Actor, class: Class) -> Result<Admitted, BusyError> {
        let held = Arc::new(Mutex::new(Some(self.hold(actor, class, class.answer_bytes()).await?)));
        Ok(Admitted { admission: self.clone(), actor, waits: true, held })
    }

    /// Waits for a permit, as long as it takes. Then yields once, so that other requests that have arrived can queue as
    /// well. Most requests never wait. Without the yield, each would return its permit before the next one asks for
    /// one, and all requests of one caller would be served first.
    pub async fn turn(&self, actor: Actor, class: Class) -> Permit {
        let permit = self.of(class).take(actor, 1).await;
        yield_now().await;
        permit
    }

    async fn hold(&self, actor: Actor, class: Class, room: u32) -> Result<Held, BusyError> {
        let take = async { (self.of(class).take(actor, 1).await, self.answers.take(actor, room).await) };
        let (permit, answer) = timeout(WAIT, take).await.map_err(|_| BusyError)?;
        // Yields for the same reason as `turn`. The yield is outside the time limit, because most requests get their
        // permit at once and need no timer.
        yield_now().await;
        Ok(Held { class, keeps_large: false, answer, _permit: permit })
    }

    /// Replaces the permit of a request with a free one of another class. Replaces its memory reservation only if that
    /// is too small.
    fn replace(&self, actor: Actor, class: Class, held: &mut Option<Held>) -> Result<(), BusyError> {
        let Some(current) = held.as_ref() else { return Err(BusyError) };
        // A request that had a heavy permit may keep a large document.
        let keeps_large = class == Class::Assistant && current.class == Class::Heavy;
        let units = if keeps_large { self.assistant_units(Class::Heavy) } else { 1 };
        let permit = self.of(class).try_take(actor, units).map_err(|_| BusyError)?;
        let larger = if current.answer.units() < u64::from(class.answer_bytes()) {
            Some(self.answers.try_take(actor, class.answer_bytes()).map_err(|_| BusyError)?)
        } else {
            None
        };
        if let Some(Held { answer, .. }) = held.take() {
            *held = Some(Held { class, keeps_large, answer: larger.unwrap_or(answer), _permit: permit });
        }
        Ok(())
    }

    /// Returns how many units of the pool `assistant` a request takes while it asks the assistant and keeps a document
    /// of the class `document` in memory.
    pub fn assistant_units(&self, document: Class) -> u32 {
        if document == Class::Heavy { self.assistant.share() } else { 1 }
    }

    /// Waits until it is the actor's turn to do CPU work on an input of `bytes` bytes. Small work needs no permit and
    /// does not wait.
    pub async fn core(&self, actor: Actor, bytes: usize) -> Core {
        if bytes < SMALL { Core(None) } else { Core(Some(self.cores.take(actor, 1).await)) }
    }

    /// Like [`Self::core`], but returns `None` instead of waiting.
    pub fn free_core(&self, actor: Actor, bytes: usize) -> Option<Core> {
        if bytes < SMALL { Some(Core(None)) } else { self.cores.try_take(actor, 1).ok().map(|core| Core(Some(core))) }
    }
}

/// The right to do CPU work. Contains a permit, unless the work is small.
#[must_use]
pub struct Core(Option<Permit>);

impl Core {
    /// Runs CPU work. Unless the work is small, another thread takes over the async tasks of this thread.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        match Handle::current().runtime_flavor() {
            // Runs the work directly: only tests use this runtime, and it has no second thread that could serve the
            // tasks.
            RuntimeFlavor::CurrentThread => work(),
            _ if self.0.is_none() => work(),
            _ => block_in_place(work),
        }
    }
}

tokio::task_local! {
    static ADMITTED: Admitted;
}

/// A request that was admitted. Clones share its permit.
#[derive(Clone)]
pub struct Admitted {
    admission: Arc<Admission>,
    actor: Actor,
    /// Whether its work may wait for a permit of another class.
    waits: bool,
    /// `None` while the request waits for a permit of another class, and if it got none.
    held: Arc<Mutex<Option<Held>>>,
}

struct Held {
    class: Class,
    /// Whether the request holds its caller's whole assistant share, so that it may load and keep a large document.
    keeps_large: bool,
    answer: Permit,
    _permit: Permit,
}

impl Held {
    fn allows(&self, class: Class) -> bool {
        self.class.includes(class) || (self.keeps_large && class == Class::Heavy)
    }

    fn room(&self) -> u32 {
        u32::try_from(self.answer.units()).unwrap_or(u32::MAX)
    }
}

impl Admitted {
    /// Returns the request for which the current task works; `None` for work of the service itself.
    pub fn current() -> Option<Self> {
        ADMITTED.try_with(Self::clone).ok()
    }

    /// Runs work that borrows the permit.
    pub async fn lend<T>(&self, work: impl Future<Output = T>) -> T {
        ADMITTED.scope(self.clone(), work).await
    }

    /// Returns the permit to the pool. The result is the memory reservation for the response.
    pub async fn finish(self) -> Option<Permit> {
        self.held.lock().await.take().map(|held| held.answer)
    }
}

/// Makes the current request hold a permit of this class, and a memory reservation for a response that is at least as
/// large as before. If the current permit is not enough, gives it back and waits for the other one. So the request must
/// not hold anything large in memory while it waits. Does nothing for work of the service itself.
///
/// # Errors
/// [`BusyError`] if no permit becomes free in time. Within [`without_waiting`], fails immediately if no permit is free,
/// and the request keeps its permit.
pub async fn hold(class: Class) -> Result<(), BusyError> {
    let Some(Admitted { admission, actor, waits, held }) = Admitted::current() else { return Ok(()) };
    let mut held = held.lock().await;
    if held.as_ref().is_some_and(|held| held.allows(class)) {
        return Ok(());
    }
    if !waits {
        return admission.replace(actor, class, &mut held);
    }
    let room = held.take().map_or(0, |held| held.room()).max(class.answer_bytes());
    *held = Some(admission.hold(actor, class, room).await?);
    Ok(())
}

/// Runs work that never waits for a permit, because it holds a lock that others wait for, or much memory.
pub async fn without_waiting<T>(work: impl Future<Output = T>) -> T {
    match Admitted::current() {
        Some(admitted) => Admitted { waits: false, ..admitted }.lend(work).await,
        None => work.await,
    }
}

/// Wraps work that will run in another task, so that it borrows the permit of the current request there.
pub fn for_another_task<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let admitted = Admitted::current();
    async move {
        match admitted {
            Some(admitted) => admitted.lend(work).await,
            None => work.await,
        }
    }
}

/// Returns the actor for whom the current task works.
pub fn actor() -> Actor {
    ADMITTED.try_with(|admitted| admitted.actor).unwrap_or_default()
}

#[cfg(test)]
#[path = "../tests/unit/admission.rs"]
mod tests;
