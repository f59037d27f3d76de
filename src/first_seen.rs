//! Remembers which values were logged, so that each is logged only once. Callers can send any number of different
//! values, so only the first ones are remembered and logged.

use std::collections::BTreeSet;

use parking_lot::Mutex;

#[derive(Debug)]
pub struct FirstSeen<T> {
    known: Mutex<BTreeSet<T>>,
    most: usize,
}

impl<T: Ord> FirstSeen<T> {
    /// Creates an instance that remembers at most `most` values.
    pub const fn new(most: usize) -> Self {
        Self { known: Mutex::new(BTreeSet::new()), most }
    }

    /// Returns whether `value` is new. Once `most` values are remembered, returns false for every other value.
    pub fn is_new(&self, value: T) -> bool {
        let mut known = self.known.lock();
        known.len() < self.most && known.insert(value)
    }
}

#[cfg(test)]
#[path = "../tests/unit/first_seen.rs"]
mod tests;
