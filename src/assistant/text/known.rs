//! What matchers found, kept by what they asked of the lesson: where that is the same they find the same, since they
//! are shown nothing else.

use std::sync::{Arc, PoisonError, RwLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::Match;
use crate::assistant::facts::asked::{Digest, Parts, Told};
use crate::assistant::facts::lesson::Lesson;

/// What is kept takes about so many bytes.
const MOST: u64 = 2 * 1024 * 1024;
/// What one matcher found in one lesson takes about so many, and usually that is nothing.
const USUAL: u64 = 128;
/// So many ways in which a matcher may ask are kept apart.
const WAYS: usize = 8;

/// What matchers found, whoever they are.
#[derive(Debug)]
pub struct Known(Cache<Digest, Option<Arc<[Match]>>, Bytes>);

/// For what a matcher has asked: what it asks for next depends on what it is told.
#[derive(Debug, Default)]
pub struct Ways(RwLock<Vec<Parts>>);

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Digest, Option<Arc<[Match]>>> for Bytes {
    fn weight(&self, _: &Digest, found: &Option<Arc<[Match]>>) -> u64 {
        // What is printed takes about as much as what is kept.
        USUAL + found.as_ref().map_or(0, |found| format!("{found:?}").len() as u64)
    }
}

impl Default for Known {
    fn default() -> Self {
        Self(Cache::with_weighter((MOST / USUAL) as usize, MOST, Bytes))
    }
}

impl Known {
    /// What matcher `number` found where it asked for what it would ask here and was told the same, or finds now.
    pub fn get(
        &self,
        number: usize,
        ways: &Ways,
        lesson: &Lesson,
        told: &mut Option<Told>,
        find: impl FnOnce() -> Vec<Match>,
    ) -> Option<Arc<[Match]>> {
        let Some(told) = told else { return kept(find()) };
        // Nothing is written in part, so that a panic elsewhere leaves nothing wrong.
        let known = ways.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        for parts in &known {
            if let Some(found) = told.digest(number, *parts).and_then(|digest| self.0.get(&digest)) {
                return found;
            }
        }
        lesson.asked().take();
        let found = kept(find());
        let parts = lesson.asked().take();
        if let Some(digest) = told.digest(number, parts) {
            ways.add(parts);
            self.0.insert(digest, found.clone());
        }
        found
    }
}

fn kept(found: Vec<Match>) -> Option<Arc<[Match]>> {
    (!found.is_empty()).then(|| found.into())
}

impl Ways {
    fn add(&self, parts: Parts) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if all.contains(&parts) {
            return;
        }
        // Of very many ways the least known is given up: what was found by it is no longer seen, and found anew.
        all.truncate(WAYS - 1);
        all.insert(0, parts);
    }
}
