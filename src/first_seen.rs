//! Values that the log names once each. Callers may send as many values as they like, so only the first ones are named.

use std::collections::BTreeSet;

use parking_lot::Mutex;

#[derive(Debug)]
pub struct FirstSeen<T> {
    known: Mutex<BTreeSet<T>>,
    most: usize,
}

impl<T: Ord> FirstSeen<T> {
    /// Creates an instance that remembers, and names, at most `most` values.
    pub const fn new(most: usize) -> Self {
        Self { known: Mutex::new(BTreeSet::new()), most }
    }

    /// Returns whether `value` is new. Once `most` values are remembered, no other one counts as new.
    pub fn is_new(&self, value: T) -> bool {
        let mut known = self.known.lock();
        known.len() < self.most && known.insert(value)
    }
}

#[cfg(test)]
#[path = "../tests/unit/first_seen.rs"]
mod tests;
