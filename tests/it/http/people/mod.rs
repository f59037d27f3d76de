//! The directory of people.

mod change;
mod erase;
mod invite;
mod link;
mod list;
mod reassign;

use fieldbook::domain::id::ObjectId;
use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{Origin, Person, PersonStatus};
use fieldbook::store::PersonAdded;

use crate::support::{START, TestApp};

/// Returns a person who has signed in.
pub fn person(id: &str, name: &str, role: Option<Role>) -> Person {
    let id: ObjectId = id.parse().expect("an id");
    let email = Some(format!("{}@School.example", name.split(' ').next().expect("a word")));
    let name = Some(name.to_owned());
    let (status, created_at, last_sign_in_at) = (PersonStatus::Active, START, Some(START));
    Person { id, name, email, role, provider_role: None, status, created_at, last_sign_in_at, origin: Origin::Here }
}

/// Adds a person to the directory.
pub async fn add(app: &TestApp, person: Person) {
    let stored = app.app.store.add_person(person).await.expect("stored");
    assert_eq!(stored, PersonAdded::Added);
}
