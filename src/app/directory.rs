//! People of the directory in memory: every request asks for its caller, and answers name authors.

use std::collections::HashMap;
use std::sync::Arc;

use super::leases::Leases;
use crate::clock::Clock;
use crate::domain::id::ObjectId;
use crate::domain::person::Person;
use crate::store::{Store, StoreError};

/// Cache of the directory. It also remembers who is not in it.
#[derive(Clone)]
pub struct Directory(Leases<ObjectId, Arc<Person>>);

impl Default for Directory {
    fn default() -> Self {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        Self(Leases::new(move |person: &Arc<Person>| size_of::<Person>() + text(&person.name) + text(&person.email)))
    }
}

impl Directory {
    /// Returns those of these people whom the directory knows.
    ///
    /// # Errors
    /// [`StoreError`] if what is in memory is too old, and the store cannot be read.
    pub async fn people(
        &self,
        store: &Store,
        clock: &Clock,
        ids: impl IntoIterator<Item = ObjectId>,
    ) -> Result<HashMap<ObjectId, Arc<Person>>, StoreError> {
        let store = store.clone();
        let load = move |ids: Vec<ObjectId>| {
            let store = store.clone();
            async move {
                let people = store.people(&ids).await?;
                Ok(people.into_iter().map(|person| (person.id, Arc::new(person))).collect())
            }
        };
        self.0.get(clock, ids, load).await
    }

    /// Takes over a person whom this process has just changed.
    pub fn note(&self, clock: &Clock, person: &Person) {
        self.0.put(person.id, Some(Arc::new(person.clone())), clock.uptime());
    }
}
