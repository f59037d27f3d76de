//! The embedded store with injected faults, for simulations. Like a call to a server over the network, every call may
//! be delayed, fail before it has any effect, or lose its answer after it took effect.

use std::fmt::Debug;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use super::engine::Engine;
use super::sqlite::Sqlite;
use super::{OpenError, Store, StoreError};

/// An action before or after a call. The action may wait. If it returns an error, the caller of the store gets this
/// error.
pub type Fault<'f> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'f>>;

/// Decides which calls are delayed or fail. A call is identified by the name of its write, or by `read`.
pub trait Faults: Debug + Send + Sync {
    /// Runs before a call. If it returns an error, the store is not called.
    fn before(&self, call: &'static str) -> Fault<'_>;

    /// Runs after a successful call. If it returns an error, the answer of the call is lost.
    fn after(&self, call: &'static str) -> Fault<'_>;
}

impl Store {
    /// Opens an embedded store without threads and with faults, for simulations, which schedule all work themselves.
    /// Reads run on the caller's thread, and writes run when the returned future is polled.
    pub fn simulated(
        folder: &Path,
        faults: Arc<dyn Faults>,
    ) -> Result<(Self, impl Future<Output = ()> + use<>), OpenError> {
        let (sqlite, run) = Sqlite::on_task(folder)?;
        Ok((Self { faults: Some(faults), ..Self::on(Engine::Sqlite(sqlite)) }, run))
    }
}
