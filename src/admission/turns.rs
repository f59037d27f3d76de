//! Queues of several callers, who take turns.

use std::collections::{HashMap, HashSet, VecDeque};

use super::actor::Actor;

/// Queues of items, one for each caller. The callers take turns, however many items each of them has: in each round, a
/// caller has one turn. A caller who arrives during a round still gets a turn in this round, before anybody gets a
/// second one.
#[derive(Debug)]
pub struct Turns<T> {
    /// Callers with items who have had no turn in this round; the caller whose turn is next comes first.
    order: VecDeque<Actor>,
    /// Callers with items who have had a turn in this round.
    again: VecDeque<Actor>,
    /// All callers who have had a turn in this round.
    had: HashSet<Actor>,
    items: HashMap<Actor, VecDeque<T>>,
    len: usize,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { order: VecDeque::new(), again: VecDeque::new(), had: HashSet::new(), items: HashMap::new(), len: 0 }
    }
}

impl<T> Turns<T> {
    pub fn push(&mut self, actor: Actor, item: T) {
        let items = self.items.entry(actor).or_default();
        if items.is_empty() {
            let queue = if self.had.contains(&actor) { &mut self.again } else { &mut self.order };
            queue.push_back(actor);
        }
        items.push_back(item);
        self.len += 1;
    }

    /// Takes the next item.
    pub fn pop(&mut self) -> Option<T> {
        self.pop_if(|_, _| true).map(|(_, item)| item)
    }

    /// Takes the next item of the first caller for which `may` returns true. Other callers keep their turns.
    pub fn pop_if(&mut self, mut may: impl FnMut(Actor, &T) -> bool) -> Option<(Actor, T)> {
        if self.order.is_empty() {
            std::mem::swap(&mut self.order, &mut self.again);
            self.had.clear();
        }
        let mut is_next = |actor: &Actor| {
            let item = self.items.get(actor).and_then(VecDeque::front);
            item.is_some_and(|item| may(*actor, item))
        };
        let actor = match self.order.iter().position(&mut is_next) {
            Some(place) => self.order.remove(place)?,
            None => {
                let place = self.again.iter().position(&mut is_next)?;
                self.again.remove(place)?
            }
        };
        let items = self.items.get_mut(&actor)?;
        let item = items.pop_front()?;
        self.len -= 1;
        self.had.insert(actor);
        if items.is_empty() {
            self.items.remove(&actor);
        } else {
            self.again.push_back(actor);
        }
        Some((actor, item))
    }

    /// Moves a caller who has just been served behind all other callers who wait.
    pub fn step_back(&mut self, actor: Actor) {
        let is_theirs = |other: &Actor| *other == actor;
        let place = self.order.iter().position(is_theirs);
        let left = match place {
            Some(place) => self.order.remove(place),
            None => self.again.iter().position(is_theirs).and_then(|place| self.again.remove(place)),
        };
        if left.is_some() {
            self.had.insert(actor);
            self.again.push_back(actor);
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
