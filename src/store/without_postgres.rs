//! Replaces `postgres` in a program that is built without this feature. Such a program refuses every address of a
//! database, so no value of these types exists.

use std::convert::Infallible;
use std::ops::Deref;

use super::OpenError;
use super::sqlite::Sqlite;

#[derive(Debug, Clone)]
pub struct Address(Infallible);

#[derive(Debug)]
pub struct Postgres(Infallible);

/// Why an address cannot be used, as a phrase that follows "the address of the database".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("needs PostgreSQL, which this program was built without; build it with the feature \"postgres\"")]
pub struct AddressError;

impl Address {
    pub fn parse(_: &str) -> Result<Self, AddressError> {
        Err(AddressError)
    }

    #[must_use]
    pub fn with_password(self, _: &str) -> Self {
        self
    }

    pub fn names(&self) -> Vec<&str> {
        match self.0 {}
    }
}

impl Postgres {
    pub async fn open(address: Address, _: usize, _: bool) -> Result<Self, OpenError> {
        match address.0 {}
    }
}

/// Gives this type the functions of a store.
impl Deref for Postgres {
    type Target = Sqlite;

    fn deref(&self) -> &Sqlite {
        match self.0 {}
    }
}

pub mod diagnostics {
    use super::Address;
    use crate::store::diagnostics::Diagnosis;

    pub async fn at(address: Address) -> Result<Diagnosis, String> {
        match address.0 {}
    }
}
