//! What somebody sees of a store who changes nothing in it: whether it is there, sound, up to date, and takes writes.

use std::time::Duration;

use super::{Backend, Place, Store, postgres, sqlite};
use crate::domain::time::Timestamp;

/// What was seen of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The servers of a PostgreSQL in the order of their address; none for the embedded store.
    pub servers: Vec<(String, Server)>,
    /// Its form.
    pub form: Form,
    /// Whether what it holds can be read.
    pub sound: Sound,
    /// Whether it takes writes, or why not.
    pub writes: Result<(), String>,
    /// Who uses it at this moment.
    pub others: Others,
    /// When the newest investigation was made.
    pub newest: Option<Timestamp>,
    /// Settings of a PostgreSQL that let it lose what it has acknowledged when it fails.
    pub careless: Vec<String>,
    /// The transaction of the whole server that writes and has been under way for longest: no event after it is shown.
    pub oldest_transaction: Option<(Duration, String)>,
    /// The times of two events of which the second was stored after the first and says that it is earlier: the two that differ most, if
    /// by more than a minute.
    pub went_back: Option<(Timestamp, Timestamp)>,
    /// How far webhooks are; `None` where the store does not say.
    pub webhooks: Option<Vec<Webhook>>,
}

/// How far deliveries to an endpoint are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The name of the endpoint.
    pub endpoint: String,
    /// When that happened which was dealt with last; before everything where nothing was.
    pub last: Timestamp,
    /// How many events were not sent yet, and when the oldest of them happened.
    pub unsent: (i64, Option<Timestamp>),
    /// How many events were not taken and are sent again, and when the next one is.
    pub again: (i64, Option<Timestamp>),
    /// How often that one of them was sent which was sent most often.
    pub attempts: i64,
    /// Whether a copy of the service delivers at this moment, where there can be several.
    pub held: Option<bool>,
}

/// The form of a store: how many steps of migration it has had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// There is no store yet.
    Missing,
    /// It had so many steps; this program knows so many.
    Steps {
        /// Those that it had.
        done: usize,
        /// Those that there are.
        known: usize,
    },
}

/// Whether what a store holds can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sound {
    /// It can.
    Yes,
    /// It is damaged, in the words of the engine.
    Damaged(String),
    /// Its schema is not that of Fieldbook, in words that say where.
    Changed(String),
    /// Reading all of it would have taken too long.
    Unread,
    /// A server that keeps check sums of its pages met a damaged one so many times, and when last.
    Met(i64, Option<Timestamp>),
    /// The database looks after that itself.
    NotAsked,
}

/// What a server of a PostgreSQL does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Server {
    /// It takes writes.
    Writes,
    /// It only reads.
    ReadsOnly,
    /// It lets nobody in, in a sentence that names it.
    Away(String),
}

/// Who else uses a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Nobody that could be seen.
    Nobody,
    /// Another process on this machine.
    Process,
    /// So many connections of Fieldbook.
    Connections(i64),
}

impl Diagnosis {
    /// There is no store yet; whether one can be made.
    pub(super) fn missing(writes: Result<(), String>) -> Self {
        let (form, sound, others) = (Form::Missing, Sound::NotAsked, Others::Nobody);
        Self {
            servers: Vec::new(),
            form,
            sound,
            writes,
            others,
            newest: None,
            careless: Vec::new(),
            oldest_transaction: None,
            went_back: None,
            webhooks: None,
        }
    }
}

impl Store {
    /// Looks at the store of this place, without making, migrating or changing anything. Reading all of an embedded one is
    /// given up after `patience`. Blocks the thread for the embedded store.
    ///
    /// # Errors
    /// Why it cannot be looked at, in a sentence for the operator.
    pub async fn diagnose(place: Place, patience: Duration) -> Result<Diagnosis, String> {
        match place.backend {
            Backend::Embedded(folder) => sqlite::diagnostics::at(&folder, patience),
            Backend::Postgres { address, .. } => postgres::diagnostics::at(address).await,
        }
    }
}
