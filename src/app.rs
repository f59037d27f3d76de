//! Everything that a request can reach, built the same way by the service and by its tests.

mod capacity;
mod edit_locks;

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Deref;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use tokio::sync::{OnceCell, watch};

use crate::assistant::model::ModelFailure;
use crate::assistant::{Assistant, Outcome};
use crate::clock::Clock;
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::schema::Schema;
use crate::feed::Feed;
use crate::ids::Ids;
use crate::limits::Limits;
use crate::profiles::Profiles;
use crate::shares::Shared;
use crate::store::Store;
use crate::tokens::Tokens;
use crate::webhooks::Webhooks;
pub use capacity::{BODY_BYTES, CHANGES, Capacity, SMALL, VISITS};
pub use edit_locks::EditLocks;

/// A handle on the parts of the service; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of the service.
pub struct Parts {
    /// What is kept.
    pub store: Store,
    /// What content looks like.
    pub schema: Schema,
    /// What detects, resolves and regenerates.
    pub assistant: Assistant,
    /// What time it is.
    pub clock: Clock,
    /// Where identifiers come from.
    pub ids: Ids,
    /// Who the callers are.
    pub tokens: Tokens,
    /// Who the authors are.
    pub profiles: Profiles,
    /// One change of an investigation at a time.
    pub edit_locks: EditLocks,
    /// How much each caller may use at once.
    pub capacity: Capacity,
    /// What a language model is being asked at this moment.
    pub questions: Questions,
    /// What it is to be asked beside the requests.
    pub pending: Pending,
    /// What it proposed to whoever is looking at it.
    pub previews: Previews,
    /// Who listens to what happens.
    pub feed: Feed,
    /// Whom it is sent to.
    pub webhooks: Webhooks,
    /// How often somebody may ask.
    pub limits: Limits,
    /// How many heavy reads each caller may do at once: histories, versions, lists with a filter.
    pub heavy_reads: Shared,
    /// How the service behaves at its edge.
    pub edge: Edge,
}

/// Settings of the HTTP side.
#[derive(Debug, Clone, Default)]
pub struct Edge {
    /// Whether investigation operations need a token.
    pub investigations: Access,
    /// Which statuses failures have.
    pub error_statuses: ErrorStatuses,
    /// The address under which the service is reached from outside, without a slash at the end.
    pub public_url: Option<String>,
    /// How many times a second one address may look at links; 0 is no limit.
    pub resolve_rate_limit: u32,
    /// How many times a minute one user may ask the assistant; 0 is no limit.
    pub assistant_rate_limit: u32,
    /// The proxies that are believed when they say where a request comes from.
    pub trusted_proxies: Vec<IpNet>,
    /// Whose pages may call from a browser.
    pub cors_origins: Origins,
}

/// The origins of pages that may call from a browser.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Origins {
    /// None but the service's own.
    #[default]
    None,
    /// Any.
    Any,
    /// These, to the letter.
    Listed(Vec<String>),
}

/// Whether an operation needs a token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Access {
    /// It does.
    #[default]
    Required,
    /// It goes without; a bad token is refused even then.
    Optional,
}

/// Which statuses failures inside an operation have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ErrorStatuses {
    /// Those of the interface: 500 for nearly all.
    #[default]
    Contract,
    /// 404 for what is not found, 409 for conflicts, 503 for a dependency that is not there.
    Http,
}

impl App {
    /// A service of these parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// What a language model found, or why it did not say.
pub type Found = Result<Findings, ModelFailure>;

/// The questions that a language model is being asked, so that none is asked twice at the same time.
#[derive(Default)]
pub struct Questions {
    asked: std::sync::Mutex<HashMap<String, Arc<OnceCell<Found>>>>,
    given_up: watch::Sender<bool>,
}

impl Questions {
    /// What `ask` comes to, or what it came to for whoever asked the question `key` first and is still waiting.
    pub async fn once(&self, key: &str, ask: impl Future<Output = Found>) -> Found {
        let lock = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let question = lock().entry(key.to_owned()).or_default().clone();
        // Should whoever asked first go away, the next in line asks anew.
        let found = question.get_or_init(|| ask).await.clone();
        lock().retain(|_, other| !Arc::ptr_eq(other, &question));
        found
    }

    /// Nobody is to wait any more: the service stops.
    pub fn give_up(&self) {
        self.given_up.send_replace(true);
    }

    /// Waits until nobody is to wait any more.
    pub async fn given_up(&self) {
        // The sender lives as long as this does.
        let _ = self.given_up.subscribe().wait_for(|given_up| *given_up).await;
    }
}

/// The investigations that this process has read by the language model beside the requests.
pub struct Pending {
    /// How long an investigation stays unchanged before it is read, so that several changes are read once.
    pub settle: Duration,
    ids: std::sync::Mutex<HashSet<ObjectId>>,
}

/// Holds an investigation for one task, until it is dropped.
pub struct PendingTask<'p>(&'p Pending, ObjectId);

impl Pending {
    /// Nothing is pending.
    pub fn new(settle: Duration) -> Self {
        Self { settle, ids: std::sync::Mutex::default() }
    }

    /// Takes an investigation for one task; `None` where another task of this process has it.
    pub fn take(&self, id: ObjectId) -> Option<PendingTask<'_>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id).then(|| PendingTask(self, id))
    }
}

impl Drop for PendingTask<'_> {
    fn drop(&mut self) {
        self.0.ids.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// So many proposals are kept for those who look at them. A content has at most a mebibyte.
const MAX_PREVIEWS: usize = 64;
/// So long somebody may look at one.
const LOOKED_AT: Duration = Duration::from_secs(10 * 60);

/// What a language model proposed and was only shown, so that it is what is taken. Kept in this process alone.
#[derive(Default)]
pub struct Previews(std::sync::Mutex<VecDeque<Preview>>);

struct Preview {
    question: String,
    /// In terms of [`Clock::uptime`].
    at: Duration,
    outcome: Outcome,
}

impl Preview {
    fn is_looked_at(&self, now: Duration) -> bool {
        now.saturating_sub(self.at) < LOOKED_AT
    }
}

impl Previews {
    /// Keeps what was proposed to a question, in place of an earlier proposal.
    pub fn keep(&self, question: String, outcome: Outcome, clock: &Clock) {
        let at = clock.uptime();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|other| other.question != question && other.is_looked_at(at));
        if kept.len() == MAX_PREVIEWS {
            kept.pop_front();
        }
        kept.push_back(Preview { question, at, outcome });
    }

    /// What was proposed to a question not long ago.
    pub fn of(&self, question: &str, clock: &Clock) -> Option<Outcome> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock.uptime();
        kept.iter().find(|kept| kept.question == question && kept.is_looked_at(now)).map(|kept| kept.outcome.clone())
    }
}
