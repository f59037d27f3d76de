//! Checks whether a history is linearizable: searches for an order of the operations that explains all answers. The
//! search is the algorithm of Wing and Gong, and remembers the states that it has seen, as Lowe's version does.
//!
//! An operation without an answer may have happened at any time after its request, or never.

use std::collections::HashSet;

use super::model::{Answer, Call, State};

/// An operation, as its client saw it. Times are values of one counter that all clients share.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// Number of the client.
    pub by: usize,
    pub call: Call,
    /// The answer, or `None` if there was no answer.
    pub told: Option<Answer>,
    /// Time of the request.
    pub begin: u64,
    /// Time of the answer, or [`u64::MAX`] if there was no answer.
    pub end: u64,
}

/// Number of states after which the search gives up. A linearizable history needs a few states for each operation.
const MAX_STATES: usize = 2_000_000;

/// The operations that have happened, with one bit for each operation.
type Happened = Vec<u64>;

/// A state of the search: the operations that have happened, the resulting investigation, and the operations to try.
struct Node {
    happened: Happened,
    state: State,
    next: std::vec::IntoIter<usize>,
}

/// Searches for an order of the operations that explains all answers.
pub fn check(begin: State, events: &[Event]) -> Result<(), String> {
    let mut events = events.to_vec();
    events.sort_by_key(|event| event.begin);
    let none_happened = vec![0; events.len().div_ceil(64)];
    let mut seen = HashSet::new();
    let mut furthest = (0, begin.clone(), none_happened.clone());
    let mut path = vec![Node { next: may_be_next(&events, &none_happened), happened: none_happened, state: begin }];
    while let Some(node) = path.last_mut() {
        if !has_answer_to_explain(&events, &node.happened) {
            return Ok(());
        }
        let Some(index) = node.next.next() else {
            path.pop();
            continue;
        };
        let Some(event) = events.get(index) else { continue };
        let (mut state, mut happened) = (node.state.clone(), node.happened.clone());
        let answer = state.ask(event.call);
        if event.told.is_some_and(|told| told != answer) {
            continue;
        }
        mark_happened(&mut happened, index);
        if !seen.insert((happened.clone(), state.clone())) {
            continue;
        }
        if seen.len() > MAX_STATES {
            return Err(format!("given up after {MAX_STATES} states; nothing is known"));
        }
        let count = happened.iter().map(|bits| bits.count_ones()).sum::<u32>();
        if count > furthest.0 {
            furthest = (count, state.clone(), happened.clone());
        }
        path.push(Node { next: may_be_next(&events, &happened), happened, state });
    }
    Err(unexplained(&events, furthest))
}

/// Returns the operations that can happen next. Of all operations that have not happened yet, these are the ones that
/// began before the first of them ended.
fn may_be_next(events: &[Event], happened: &Happened) -> std::vec::IntoIter<usize> {
    let waiting = || events.iter().enumerate().filter(|(index, _)| !has_happened(happened, *index));
    let first_end = waiting().map(|(_, event)| event.end).min().unwrap_or_default();
    // Operations without an answer are tried last, because most of them were never executed.
    let (answered, unanswered): (Vec<_>, Vec<_>) =
        waiting().filter(|(_, event)| event.begin < first_end).partition(|(_, event)| event.told.is_some());
    let order: Vec<usize> = answered.into_iter().chain(unanswered).map(|(index, _)| index).collect();
    order.into_iter()
}

fn has_answer_to_explain(events: &[Event], happened: &Happened) -> bool {
    events.iter().enumerate().any(|(index, event)| event.told.is_some() && !has_happened(happened, index))
}

fn has_happened(happened: &Happened, index: usize) -> bool {
    happened.get(index / 64).is_some_and(|bits| bits >> (index % 64) & 1 == 1)
}

fn mark_happened(happened: &mut Happened, index: usize) {
    if let Some(bits) = happened.get_mut(index / 64) {
        *bits |= 1 << (index % 64);
    }
}

fn unexplained(events: &[Event], (count, state, happened): (u32, State, Happened)) -> String {
    let mut words =
        format!("no order explains all {} answers; {count} come out, and then stands {state:?}, but:", events.len());
    for index in may_be_next(events, &happened) {
        let Some(event) = events.get(index) else { continue };
        let would_be = state.clone().ask(event.call);
        words.push_str(&format!(
            "\n  client {} asked {:?} and was told {:?}, not {would_be:?}",
            event.by, event.call, event.told
        ));
    }
    words
}
