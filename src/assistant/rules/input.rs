//! The values of a document on which a rule depends.

/// Something that an expression of a rule reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// The value of a top-level field.
    Field(String),
    /// The facts that a function returns, such as `groupSizes`.
    Facts(String),
    /// The amounts that texts state of the things in a list, such as `materials`.
    Amounts(String),
}
