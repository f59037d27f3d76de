//! Histories of concurrent operations on one investigation: recorded from real clients, and checked for whether some
//! order of the operations, in which each lies between its question and its answer, explains every answer.

pub mod check;
pub mod model;
pub mod record;

/// Chances that a seed decides: the same seed gives the same ones.
pub struct Dice(u64);

impl Dice {
    /// Dice for one seed, and one hand among those that play by it.
    pub fn new(seed: u64, hand: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ hand);
        dice.throw(1);
        dice
    }

    /// A number below `sides`, which is at least 1. (The mixing is that of SplitMix64.)
    pub fn throw(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides.max(1)
    }
}
