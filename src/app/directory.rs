//! People and sessions in memory, so that a request needs no query for its caller.
//!
//! The store has a counter, which increases when the rights or the e-mail address of somebody may have changed, and
//! when a session ends. A process reads the counter again when its value is older than [`PEOPLE_MAX_AGE`]. If the
//! counter has changed, the process no longer uses the rows that it read before. So one small query in that time is
//! enough for all callers, and changes by other copies of the service take effect here soon.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::admission::DIRECTORY_BYTES;
use crate::cache::{LruCache, RefreshedValue, Timestamped};
use crate::clock::Clock;
use crate::domain::id::ObjectId;
use crate::domain::person::Person;
use crate::domain::secret_token::SecretToken;
use crate::domain::session::{RESOLUTION, Session};
use crate::domain::time::Timestamp;
use crate::store::{Store, StoreError};

/// Time for which a process may use the counter of changes, counted from the start of its read.
pub const PEOPLE_MAX_AGE: Duration = Duration::from_secs(5);

/// The counter of changes, and the uptime at the start of its read.
#[derive(Debug, Clone, Copy)]
pub struct Checked {
    number: i64,
    pub since: Duration,
}

/// A cached row, and the counter of changes from before the row was read.
#[derive(Clone)]
struct Read<T> {
    row: T,
    number: i64,
}

/// Cache of the directory and of the sessions.
pub struct Directory {
    /// The counter of changes.
    changes: RefreshedValue<i64, StoreError>,
    /// People by id; `None` for those whom the directory does not know.
    people: LruCache<ObjectId, Read<Option<Arc<Person>>>>,
    /// Sessions by their digests. Unknown digests are not cached, because strangers could otherwise fill the cache.
    sessions: LruCache<String, Read<Arc<Session>>>,
    /// For each session, the time of the last use that this process has stored or is about to store.
    used: LruCache<String, Timestamp>,
}

impl Default for Directory {
    fn default() -> Self {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let person = move |person: &Person| size_of::<Person>() + text(&person.name) + text(&person.email);
        let person = move |_: &_, read: &Read<Option<Arc<Person>>>| read.row.as_deref().map_or(0, person);
        let session = |digest: &String, _: &_| size_of::<Session>() + 2 * digest.len();
        Self {
            changes: RefreshedValue::new(PEOPLE_MAX_AGE),
            people: LruCache::new(DIRECTORY_BYTES, person),
            sessions: LruCache::new(DIRECTORY_BYTES, session),
            used: LruCache::new(DIRECTORY_BYTES, |digest: &String, _: &_| digest.len()),
        }
    }
}

impl Directory {
    /// Returns a value that tells which cached rows are still valid.
    ///
    /// # Errors
    /// [`StoreError`] if the counter in memory is too old, and the store cannot be read.
    pub async fn checked(&self, store: &Store, clock: &Clock) -> Result<Checked, StoreError> {
        let Timestamped { value: number, since } = self.changes.get(clock, || store.people_changes()).await?;
        Ok(Checked { number, since })
    }

    /// Makes a change by this process take effect here immediately.
    pub fn check_again(&self) {
        self.changes.forget();
    }

    /// Returns the people with these ids, except those whom the directory does not know.
    pub async fn people(
        &self,
        checked: Checked,
        store: &Store,
        ids: impl IntoIterator<Item = ObjectId>,
    ) -> Result<HashMap<ObjectId, Arc<Person>>, StoreError> {
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        for id in ids {
            match self.people.get(&id).filter(|read| read.number == checked.number) {
                Some(Read { row, .. }) => found.extend(row.map(|person| (id, person))),
                None => missing.push(id),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        missing.sort_unstable();
        missing.dedup();
        // Boxed, because this future is large. Otherwise, every request would reserve memory for it, needed or not.
        let read = Box::pin(store.people(&missing)).await?;
        found.extend(read.into_iter().map(|person| (person.id, Arc::new(person))));
        for id in missing {
            self.keep(checked, id, found.get(&id).cloned());
        }
        Ok(found)
    }

    /// Returns a person; `None` if the directory does not know them.
    pub async fn person(
        &self,
        checked: Checked,
        store: &Store,
        id: ObjectId,
    ) -> Result<Option<Arc<Person>>, StoreError> {
        Ok(self.people(checked, store, [id]).await?.remove(&id))
    }

    /// Makes a new name that this process has stored take effect here immediately. Other copies show it after the next
    /// counted change. Only the name is taken, because role and status may have changed since the person was read.
    pub fn rename(&self, person: &Person) {
        if let Some(Read { row: Some(kept), number }) = self.people.get(&person.id) {
            let renamed = Person { name: person.name.clone(), ..(*kept).clone() };
            self.people.insert(person.id, Read { row: Some(Arc::new(renamed)), number });
        }
    }

    fn keep(&self, checked: Checked, id: ObjectId, row: Option<Arc<Person>>) {
        self.people.insert(id, Read { row, number: checked.number });
    }

    /// Returns the session whose cookie contains this text, and loads its person into the cache. Returns `None` if
    /// there is no such session, or if it has expired.
    pub async fn session(
        &self,
        checked: Checked,
        store: &Store,
        text: &SecretToken,
        now: Timestamp,
    ) -> Result<Option<Arc<Session>>, StoreError> {
        let digest = text.digest();
        let kept = self.kept_session(checked, &digest).map(|session| self.with_last_use(session));
        let session = match kept.filter(|session| !session.is_over(now)) {
            Some(session) => session,
            // Reads the session from the store, even if it seems to have expired: another copy of the service may have
            // stored a later use.
            None => {
                let Some(found) = Box::pin(store.session(digest.clone())).await? else { return Ok(None) };
                let (id, session) = (found.session.person, Arc::new(found.session));
                self.keep(checked, id, found.person.map(Arc::new));
                self.sessions.insert(digest, Read { row: session.clone(), number: checked.number });
                self.with_last_use(session)
            }
        };
        Ok(Some(session).filter(|session| !session.is_over(now)))
    }

    fn kept_session(&self, checked: Checked, digest: &String) -> Option<Arc<Session>> {
        let read = self.sessions.get(digest)?;
        (read.number == checked.number).then_some(read.row)
    }

    /// Returns a session with its last use, as far as this process knows.
    fn with_last_use(&self, session: Arc<Session>) -> Arc<Session> {
        let last_used_at = self.last_use(&session);
        match last_used_at > session.last_used_at {
            true => Arc::new(Session { last_used_at, ..(*session).clone() }),
            false => session,
        }
    }

    fn last_use(&self, session: &Session) -> Timestamp {
        self.used.get(&session.digest).map_or(session.last_used_at, |noted| noted.max(session.last_used_at))
    }

    /// Returns whether to store this use of a session: at most once every few minutes. Does not check whether the
    /// session still exists. Storing the use of a session that has ended does not revive it.
    pub fn notes_use(&self, session: &Session, now: Timestamp) -> bool {
        let notes = now.since(self.last_use(session)) >= RESOLUTION;
        if notes {
            self.used.insert(session.digest.clone(), now);
        }
        notes
    }
}
