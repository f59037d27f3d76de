//! The embedded store with injected faults, for simulations: every call may be delayed, fail before anything is done, or lose its
//! answer after everything is done, as calls to a server on the network do.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::StoreError;
use super::sqlite::Sqlite;

/// Action before or after a call: it may wait, and it may replace the answer.
pub type Fault<'f> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'f>>;

/// Decides what fails. Calls have the names of the functions of [`Store`](super::Store).
pub trait Faults: Debug + Send + Sync {
    /// Runs before the call; on an error the store is not called.
    fn before(&self, call: &'static str) -> Fault<'_>;

    /// Runs after a call that succeeded; with an error its answer is lost.
    fn after(&self, call: &'static str) -> Fault<'_>;
}

/// An embedded store whose calls pass through [`Faults`].
#[derive(Debug)]
pub struct Simulated {
    pub(super) inner: Sqlite,
    faults: Arc<dyn Faults>,
}

impl Simulated {
    /// This store with these faults.
    pub fn new(inner: Sqlite, faults: Arc<dyn Faults>) -> Self {
        Self { inner, faults }
    }

    pub(super) async fn run<T>(
        &self,
        call: &'static str,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let work = Box::pin(work);
        self.faults.before(call).await?;
        let done = work.await?;
        self.faults.after(call).await?;
        Ok(done)
    }
}
