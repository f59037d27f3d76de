//! Values that the log names once each. Callers may send as many values as they like, so only the first ones are named.

use parking_lot::Mutex;

/// Number of values that are remembered, and named.
const MOST: usize = 16;

pub struct FirstSeen<T>(Mutex<Vec<T>>);

impl<T: PartialEq> FirstSeen<T> {
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Returns whether `value` is new. Once many values are remembered, no other one counts as new.
    pub fn is_new(&self, value: T) -> bool {
        let mut known = self.0.lock();
        let is_new = known.len() < MOST && !known.contains(&value);
        if is_new {
            known.push(value);
        }
        is_new
    }
}

impl<T: PartialEq> Default for FirstSeen<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
#[path = "../tests/unit/first_seen.rs"]
mod tests;
