//! What was read from texts, kept for the next document that has them: an edit changes one text, the others were read.
//!
//! It is known by the whole text and what that is for, and was made from nothing else ([`super::lesson::Text::kept`]
//! sees to it), so that it is what reading anew would give. Kept for the whole process, as long as there is room.

use std::any::{Any, TypeId};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};

use super::lesson::Role;

/// What is kept takes about so many bytes.
const MOST: u64 = 10 * 1024 * 1024;
/// Of a text and what is found in it about so many are taken, and so many more for each of its bytes.
const TEXT: u64 = 1024;
const BYTE: u64 = 12;
/// A longer text is not kept: there is no other document with the same.
const LONGEST: usize = 8 * 1024;

static TEXTS: LazyLock<Cache<Key, Arc<Kept>, Bytes>> =
    LazyLock::new(|| Cache::with_weighter(MOST as usize / 3 / TEXT as usize, MOST, Bytes));

static NEXT: AtomicU64 = AtomicU64::new(0);

/// What is kept of several texts together takes about so many bytes.
const MOST_TOGETHER: u64 = 1024 * 1024;
/// Of several texts together about so many are taken, and so many more for each of them.
const TOGETHER: u64 = 128;
const EACH: u64 = 24;

static TOGETHERS: LazyLock<Cache<Names, Anything, Bytes>> =
    LazyLock::new(|| Cache::with_weighter((MOST_TOGETHER / TOGETHER / 2) as usize, MOST_TOGETHER, Bytes));

/// Several texts in their roles, beside so many steps, and who read them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Names {
    reader: TypeId,
    steps: usize,
    texts: Vec<(u64, Role)>,
}

/// What is kept of a text.
#[derive(Debug)]
pub struct Kept {
    /// Of all that was ever kept in this process nothing else has it.
    id: u64,
    tokens: usize,
    found: RwLock<Vec<Answer>>,
}

/// What a reader found, of a type of its own; nothing where nothing was.
type Anything = Option<Arc<dyn Any + Send + Sync>>;

/// What one reader found for one number.
#[derive(Debug)]
struct Answer {
    reader: TypeId,
    number: i64,
    found: Anything,
}

/// What was found in a text.
#[derive(Debug)]
pub struct Found<T>(Option<Arc<Vec<T>>>);

impl<T> Found<T> {
    /// What was found just now.
    pub fn of(found: Vec<T>) -> Self {
        Self((!found.is_empty()).then(|| Arc::new(found)))
    }
}

impl<T> Deref for Found<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |found| found.as_slice())
    }
}

impl Kept {
    /// What tells it from all others.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// How many tokens the text has.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// What the reader `F` found for a number, or finds now by `read`. Of each reader the last answer is kept.
    pub fn get<T: Send + Sync + 'static, F: 'static>(&self, number: i64, read: impl FnOnce() -> Vec<T>) -> Found<T> {
        let reader = TypeId::of::<F>();
        // Nothing is written in part, so that a panic elsewhere leaves nothing wrong.
        let all = self.found.read().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().find(|answer| answer.reader == reader && answer.number == number);
        if let Some(known) = known {
            return Found(known.found.clone().and_then(|found| found.downcast().ok()));
        }
        drop(all);
        let mut found = read();
        found.shrink_to_fit();
        let Found(found) = Found::of(found);
        let answer = Answer { reader, number, found: found.clone().map(|found| found as Arc<dyn Any + Send + Sync>) };
        let mut all = self.found.write().unwrap_or_else(PoisonError::into_inner);
        match all.iter_mut().find(|known| known.reader == reader) {
            Some(known) => *known = answer,
            None => all.push(answer),
        }
        Found(found)
    }
}

/// What is kept of a text, by what it is for and what it says. Of one that is new `count` tells how many tokens it has;
/// where that is not known, or the text is too long, nothing is kept.
pub fn of(role: Role, text: &str, count: impl FnOnce() -> Option<usize>) -> Option<Arc<Kept>> {
    if text.len() > LONGEST || is_forgetting() {
        return None;
    }
    if let Some(kept) = TEXTS.get(&Seen(role, text)) {
        return Some(kept);
    }
    let id = NEXT.fetch_add(1, Relaxed);
    let kept = Arc::new(Kept { id, tokens: count()?, found: RwLock::default() });
    TEXTS.insert(Key(role, text.into()), kept.clone());
    Some(kept)
}

/// What the reader `F` found in these texts together, or finds now by `read`.
pub fn among<T: Send + Sync + 'static, F: 'static>(
    texts: Vec<(u64, Role)>,
    steps: usize,
    read: impl FnOnce() -> Vec<T>,
) -> Found<T> {
    let names = Names { reader: TypeId::of::<F>(), steps, texts };
    if let Some(found) = TOGETHERS.get(&names) {
        return Found(found.and_then(|found| found.downcast().ok()));
    }
    let Found(found) = Found::of(read());
    TOGETHERS.insert(names, found.clone().map(|found| found as Arc<dyn Any + Send + Sync>));
    Found(found)
}

#[cfg(not(test))]
const fn is_forgetting() -> bool {
    false
}

#[cfg(test)]
use forgetting::is_forgetting;

/// What tests need to see what would be found if nothing were kept.
#[cfg(test)]
pub mod forgetting {
    use std::cell::Cell;

    thread_local!(static FORGETTING: Cell<bool> = const { Cell::new(false) });

    pub(super) fn is_forgetting() -> bool {
        FORGETTING.get()
    }

    /// Does `work` as if nothing were known.
    pub fn all<T>(work: impl FnOnce() -> T) -> T {
        FORGETTING.set(true);
        let done = work();
        FORGETTING.set(false);
        done
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key(Role, Box<str>);

/// A key that was not copied.
#[derive(Debug, Hash)]
struct Seen<'t>(Role, &'t str);

impl Equivalent<Key> for Seen<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        (self.0, self.1) == (key.0, key.1.as_ref())
    }
}

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Names, Anything> for Bytes {
    fn weight(&self, names: &Names, found: &Anything) -> u64 {
        TOGETHER * if found.is_some() { 16 } else { 1 } + EACH * names.texts.len() as u64
    }
}

impl Weighter<Key, Arc<Kept>> for Bytes {
    fn weight(&self, Key(_, text): &Key, _: &Arc<Kept>) -> u64 {
        TEXT + BYTE * text.len() as u64
    }
}
