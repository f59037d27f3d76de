//! Checks whether a history is linearizable: searches for an order of the operations that explains all answers. The
//! search is the algorithm of Wing and Gong, and remembers the states that it has seen, as Lowe's version does.
//!
//! An operation without an answer may have happened at any time after its request, or never.

use std::collections::HashSet;

use super::model::{Call, EventView, State};

/// An operation, as its client saw it. Times are values of one counter that all clients share.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// Number of the client.
    pub by: usize,
    pub call: Call,
    /// The answer, or `None` if there was no answer.
    pub told: Option<EventView>,
    /// Time of the request.
    pub begin: u64,
    /// Time of the answer, or [`u64::MAX`] if there was no answer.
    pub end: u64,
    /// `begin` of the operation that must happen before this one, if one request counts as two operations.
    pub after: Option<u64>,
}

/// Number of states after which the search gives up. A linearizable history needs a few states for each operation.
const MOST_PLACES: usize = 2_000_000;

/// The operations that have happened, with one bit for each operation.
type Turns = Vec<u64>;

/// A state of the search: the operations that have happened, the resulting investigation, and the operations to try
/// next.
struct Place {
    had: Turns,
    state: State,
    next: std::vec::IntoIter<usize>,
}

/// Searches for an order of the operations that explains all answers.
///
/// # Errors
/// Returns a text that says how far the best order comes, and which answers cannot follow there.
pub fn check(begin: State, events: &[Event]) -> Result<(), String> {
    let mut events = events.to_vec();
    events.sort_by_key(|event| event.begin);
    let none_had = vec![0; events.len().div_ceil(64)];
    let mut seen = HashSet::new();
    let mut furthest = (0, begin.clone(), none_had.clone());
    let mut way = vec![Place { next: may_be_next(&events, &none_had), had: none_had, state: begin }];
    while let Some(place) = way.last_mut() {
        if !waits_for_a_turn(&events, &place.had) {
            return Ok(());
        }
        let Some(event) = place.next.next() else {
            way.pop();
            continue;
        };
        let Some(told) = events.get(event).map(|event| event.told) else { continue };
        let (mut state, mut had) = (place.state.clone(), place.had.clone());
        let answer = events.get(event).map(|event| state.answer(event.call, told));
        if told.is_some_and(|told| !answer.is_some_and(|answer| answer.is_said_by(told))) {
            continue;
        }
        take_turn(&mut had, event);
        if !seen.insert((had.clone(), state.clone())) {
            continue;
        }
        if seen.len() > MOST_PLACES {
            return Err(format!("given up after {MOST_PLACES} places; nothing is known"));
        }
        let count = had.iter().map(|bits| bits.count_ones()).sum::<u32>();
        if count > furthest.0 {
            furthest = (count, state.clone(), had.clone());
        }
        way.push(Place { next: may_be_next(&events, &had), had, state });
    }
    Err(unexplained(&events, furthest))
}

/// Returns the operations that can happen next: those that began before the first waiting operation ended.
fn may_be_next(events: &[Event], had: &Turns) -> std::vec::IntoIter<usize> {
    let waiting = || events.iter().enumerate().filter(|(place, _)| !has_had(had, *place));
    let first_end = waiting().map(|(_, event)| event.end).min().unwrap_or_default();
    let is_open = |event: &Event| {
        let before = event.after.and_then(|begin| events.binary_search_by_key(&begin, |event| event.begin).ok());
        event.begin < first_end && before.is_none_or(|place| has_had(had, place))
    };
    // Operations without an answer are tried last, because most of them were never executed.
    let (answered, unanswered): (Vec<_>, Vec<_>) =
        waiting().filter(|(_, event)| is_open(event)).partition(|(_, event)| event.told.is_some());
    let order: Vec<usize> = answered.into_iter().chain(unanswered).map(|(place, _)| place).collect();
    order.into_iter()
}

fn waits_for_a_turn(events: &[Event], had: &Turns) -> bool {
    events.iter().enumerate().any(|(place, event)| event.told.is_some() && !has_had(had, place))
}

fn has_had(had: &Turns, place: usize) -> bool {
    had.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
}

fn take_turn(had: &mut Turns, place: usize) {
    if let Some(bits) = had.get_mut(place / 64) {
        *bits |= 1 << (place % 64);
    }
}

fn unexplained(events: &[Event], (count, state, had): (u32, State, Turns)) -> String {
    let mut words =
        format!("no order explains all {} answers; {count} come out, and then stands {state:?}, but:", events.len());
    for place in may_be_next(events, &had) {
        let Some(event) = events.get(place) else { continue };
        let would_be = state.clone().ask(event.call);
        words.push_str(&format!(
            "\n  hand {} asked {:?} and was told {:?}, not {would_be:?}",
            event.by, event.call, event.told
        ));
    }
    words
}
