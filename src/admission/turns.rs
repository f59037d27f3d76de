//! Items of several callers, who take turns.

use std::collections::{HashMap, VecDeque};

use crate::limits::Actor;

/// Queues of items, one for each caller. The callers take turns, however many items each of them has.
#[derive(Debug)]
pub struct Turns<T> {
    /// Callers with items; the caller whose turn is next comes first.
    order: VecDeque<Actor>,
    items: HashMap<Actor, VecDeque<T>>,
    len: usize,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { order: VecDeque::new(), items: HashMap::new(), len: 0 }
    }
}

impl<T> Turns<T> {
    pub fn push(&mut self, actor: Actor, item: T) {
        let items = self.items.entry(actor).or_default();
        if items.is_empty() {
            self.order.push_back(actor);
        }
        items.push_back(item);
        self.len += 1;
    }

    /// Takes the next item.
    pub fn pop(&mut self) -> Option<T> {
        self.pop_if(|_, _| true).map(|(_, item)| item)
    }

    /// Takes the item of the first caller for whose next item `may` holds. Other callers keep their turns.
    pub fn pop_if(&mut self, mut may: impl FnMut(Actor, &T) -> bool) -> Option<(Actor, T)> {
        let next = |actor: &Actor| self.items.get(actor).and_then(VecDeque::front);
        let place = self.order.iter().position(|actor| next(actor).is_some_and(|item| may(*actor, item)))?;
        let actor = self.order.remove(place)?;
        let items = self.items.get_mut(&actor)?;
        let item = items.pop_front()?;
        self.len -= 1;
        if items.is_empty() {
            self.items.remove(&actor);
        } else {
            self.order.push_back(actor);
        }
        Some((actor, item))
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
