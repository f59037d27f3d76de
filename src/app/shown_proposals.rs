//! Proposals of a language model that dry runs have shown to authors. If the author then makes the same request without
//! the dry run, exactly the shown proposal is stored. Other copies of the service do not know these proposals.

use std::time::Duration;

use crate::admission::PROPOSAL_BYTES;
use crate::assistant::Outcome;
use crate::cache::{Bounds, Cache};
use crate::clock::Clock;
use crate::domain::content;

/// Maximum memory for proposals, and the time for which one is remembered.
const BOUNDS: Bounds = Bounds { bytes: PROPOSAL_BYTES, keep: Duration::from_secs(10 * 60) };

/// Shown proposals, by the question that the model was asked.
pub type ShownProposals = Cache<String, Outcome>;

pub fn shown_proposals(clock: &Clock) -> ShownProposals {
    Cache::new(BOUNDS, clock.clone(), |question: &String, outcome: &Outcome| {
        let Outcome { content, message, explanation } = outcome;
        let texts = question.len() + message.len() + explanation.as_ref().map_or(0, String::len);
        texts + content::memory(content)
    })
}
