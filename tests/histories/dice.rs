//! Random numbers from a seed.

/// Random numbers. The same seed gives the same numbers.
pub struct Dice(u64);

impl Dice {
    /// Creates the random numbers of one participant, for one seed.
    pub fn new(seed: u64, client: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ client);
        dice.throw(1);
        dice
    }

    /// Returns a number below `sides`, which must be at least 1. The algorithm is SplitMix64.
    pub fn throw(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides.max(1)
    }
}
