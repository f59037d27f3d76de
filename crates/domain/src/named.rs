//! Enums whose values have names.

use strum::VariantArray;

/// An enum whose values have the names that requests, answers and stores use. The macros of `strum` and `serde` derive
/// them from the names of the variants.
pub trait Named: VariantArray + Copy + Into<&'static str> {
    /// All values, in the order of the enum.
    const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the name.
    fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the names of all values.
    fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|value| value.name()).collect()
    }
}

impl<T: VariantArray + Copy + Into<&'static str>> Named for T {}
