//! Sessions in memory, so that a request with a session needs no query for it.

use std::sync::Arc;

use super::leases::Leases;
use crate::clock::Clock;
use crate::domain::opaque::Opaque;
use crate::domain::session::{RESOLUTION, Session};
use crate::store::{Store, StoreError};

/// Cache of the store's sessions. A session that another copy of the service ended counts here for some seconds.
#[derive(Clone)]
pub struct Sessions(Leases<String, Arc<Session>>);

impl Default for Sessions {
    fn default() -> Self {
        Self(Leases::new(|session: &Arc<Session>| size_of::<Session>() + 2 * session.digest.len()))
    }
}

impl Sessions {
    /// Returns the session with this text; `None` if there is none, or if it is over.
    ///
    /// # Errors
    /// [`StoreError`] if what is in memory is too old, and the store cannot be read.
    pub async fn find(&self, text: &Opaque, store: &Store, clock: &Clock) -> Result<Option<Arc<Session>>, StoreError> {
        let store = store.clone();
        let load = move |digests: Vec<String>| {
            let store = store.clone();
            async move {
                let sessions = store.sessions(digests).await?;
                Ok(sessions.into_iter().map(|session| (session.digest.clone(), Arc::new(session))).collect())
            }
        };
        let found = self.0.get(clock, [text.digest()], load).await?;
        let now = clock.now();
        Ok(found.into_values().next().filter(|session| !session.is_over(now)))
    }

    /// Returns whether to store this use of a session, and takes it over if so: at most once in some minutes.
    pub fn notes_use(&self, session: &Session, clock: &Clock) -> bool {
        let now = clock.now();
        let notes = now.since(session.last_used_at) >= RESOLUTION;
        if notes {
            let used = Session { last_used_at: now, ..session.clone() };
            self.0.put(used.digest.clone(), Some(Arc::new(used)), clock.uptime());
        }
        notes
    }

    /// Forgets a session that this process has just ended.
    pub fn end(&self, digest: String, clock: &Clock) {
        self.0.put(digest, None, clock.uptime());
    }
}
