//! Reasons why a database address cannot be used.

/// Reason why an address cannot be used, as a phrase that follows "the address of the database".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(pub String);
