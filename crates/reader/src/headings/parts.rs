//! Divides a document into parts. A part is a heading and the blocks below it, which go into the same field.

use crate::document::{Block, Kind};

/// Returns how many blocks below each heading are part of it. `begins` tells for each block whether it begins a
/// separate part.
pub(super) fn below(blocks: &[Block], begins: &[bool]) -> Vec<usize> {
    let mut counts = vec![0; blocks.len()];
    // Index of the next block that begins a part and, for each level, of the next heading that is not deeper.
    let mut next = blocks.len();
    let mut next_of = [blocks.len(); u8::MAX as usize + 1];
    let places = blocks.iter().zip(begins).zip(&mut counts).enumerate().rev();
    for (at, ((block, is_beginning), count)) in places {
        if block.kind == Kind::Heading {
            let level = usize::from(block.level);
            let like = next_of.get(level).copied().unwrap_or(next);
            *count = like.min(next).saturating_sub(at + 1);
            next_of.iter_mut().skip(level).for_each(|next| *next = at);
        }
        if *is_beginning {
            next = at;
        }
    }
    counts
}
