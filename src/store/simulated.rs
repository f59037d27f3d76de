//! The embedded store with injected faults, for simulations. Like a call to a server over the network, every call may
//! be delayed, fail before it has any effect, or lose its answer after it took effect.

use std::fmt::Debug;
use std::pin::Pin;

use super::StoreError;
use super::sqlite::Sqlite;

/// An action before or after a call. The action may wait. If it returns an error, the caller of the store gets this
/// error.
pub type Fault<'f> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'f>>;

/// Decides which calls are delayed or fail. A call is identified by the name of its function in
/// [`Store`](super::Store).
pub trait Faults: Debug + Send + Sync {
    /// Runs before a call. If it returns an error, the store is not called.
    fn before(&self, call: &'static str) -> Fault<'_>;

    /// Runs after a successful call. If it returns an error, the answer of the call is lost.
    fn after(&self, call: &'static str) -> Fault<'_>;
}

impl Sqlite {
    pub(super) async fn with_faults<T>(
        &self,
        call: &'static str,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let Some(faults) = &self.faults else { return work.await };
        let work = Box::pin(work);
        faults.before(call).await?;
        let answer = work.await?;
        faults.after(call).await?;
        Ok(answer)
    }
}
