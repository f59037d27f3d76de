//! Identifiers that are counted from 1, which take the place of random ones in tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Ids, Source};

/// The number of the last identifier.
#[derive(Debug, Clone, Default)]
pub struct Count(Arc<AtomicU64>);

impl Count {
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

impl Ids {
    /// Creates a source of identifiers that are counted from 1.
    pub fn counted() -> Self {
        Self(Source::Counted(Count::default()))
    }
}
