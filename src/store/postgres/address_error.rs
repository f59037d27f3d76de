//! Why an address of servers cannot be used.

/// The address cannot be used, in words that follow "the address of the database".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(pub String);
