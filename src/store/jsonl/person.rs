//! The line of a person.

use serde::{Deserialize, Serialize};

use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::person::{Origin, Person, PersonStatus};
use crate::domain::time::Timestamp;

/// A person in the directory, including data that the API does not return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PersonLine {
    id: ObjectId,
    name: Option<String>,
    email: Option<String>,
    role: Option<Role>,
    /// Omitted for people who have no role from the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider_role: Option<Role>,
    status: PersonStatus,
    created_at: Timestamp,
    last_sign_in_at: Option<Timestamp>,
    /// Omitted for people who were added in Fieldbook.
    #[serde(default, skip_serializing_if = "Origin::is_here")]
    origin: Origin,
}

impl From<Person> for PersonLine {
    fn from(person: Person) -> Self {
        let Person { id, name, email, role, provider_role, status, created_at, last_sign_in_at, origin } = person;
        Self { id, name, email, role, provider_role, status, created_at, last_sign_in_at, origin }
    }
}

impl PersonLine {
    /// Validates the person.
    ///
    /// # Errors
    /// What is wrong with the person, as a phrase that follows the line number: `cannot be imported: …`.
    pub fn person(self) -> Result<Person, String> {
        let Self { id, name, email, role, provider_role, status, created_at, last_sign_in_at, origin } = self;
        let person = Person { id, name, email, role, provider_role, status, created_at, last_sign_in_at, origin };
        match person.fault() {
            None => Ok(person),
            Some(fault) => Err(format!("cannot be imported: the person {id} {fault}")),
        }
    }
}
