//! The error for a database address that cannot be used.

/// Why an address cannot be used, as a phrase that follows "the address of the database".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(pub String);
