//! All parts of the service that a request can use, assembled the same way by the program and by tests.

mod api_keys;
mod capacity;
mod edit_locks;
mod pages;

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
pub use crate::domain::permission::Editing;
use crate::domain::schema::Schema;
use crate::feed::Feed;
use crate::ids::Ids;
use crate::limits::Limits;
use crate::profiles::Profiles;
use crate::shares::Shared;
use crate::store::Store;
use crate::tokens::Tokens;
use crate::webhooks::Webhooks;
pub use api_keys::{ApiKeys, LEASE};
pub use capacity::{BODY_BYTES, CHANGES, Capacity, SMALL, VISITS};
pub use edit_locks::EditLocks;
pub use pages::Pages;

/// A handle on the parts of the service; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of the service.
pub struct Parts {
    /// The investigations, links and chats.
    pub store: Store,
    /// The content schema.
    pub schema: Schema,
    /// Detects and resolves contradictions, and regenerates fields.
    pub assistant: Assistant,
    /// The current time.
    pub clock: Clock,
    /// Makes identifiers.
    pub ids: Ids,
    /// Checks bearer tokens.
    pub tokens: Tokens,
    /// The API keys of programs.
    pub api_keys: ApiKeys,
    /// Looks up the profiles of authors.
    pub profiles: Profiles,
    /// Ensures that only one change of an investigation runs at a time.
    pub edit_locks: EditLocks,
    /// Limits of what each caller may use at once.
    pub capacity: Capacity,
    /// Questions that a language model is answering right now.
    pub questions: Questions,
    /// Investigations that the language model will read in the background.
    pub pending: Pending,
    /// Proposals of the language model that were shown but not stored.
    pub previews: Previews,
    /// Tells listeners about changes.
    pub feed: Feed,
    /// Endpoints that receive events.
    pub webhooks: Webhooks,
    /// Rate limits.
    pub limits: Limits,
    /// Concurrent heavy reads: histories, versions, filtered lists. One caller holds at most a quarter.
    pub heavy_reads: Shared,
    /// Rendered pages of links.
    pub pages: Pages,
    /// Settings of the HTTP interface.
    pub http: HttpSettings,
}

/// Settings of the HTTP interface.
#[derive(Debug, Clone, Default)]
pub struct HttpSettings {
    /// Whether investigation operations need a token.
    pub investigations: Access,
    /// Who may change investigations.
    pub editing: Editing,
    /// HTTP statuses of failures.
    pub error_statuses: ErrorStatuses,
    /// Public base URL, without a trailing slash.
    pub public_url: Option<String>,
    /// Where links lead people, instead of the page that the service renders.
    pub link_target: Option<LinkTarget>,
    /// Maximum requests per second for links from one address; 0 means no limit.
    pub resolve_rate_limit: u32,
    /// Maximum assistant requests per minute by one user; 0 means no limit.
    pub assistant_rate_limit: u32,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Origins that may call from a browser.
    pub cors_origins: Origins,
    /// Whether every request is logged, not only those that fail here.
    pub log_requests: bool,
}

/// Address of an external page, with the placeholders `{investigationId}`, `{key}` and `{subLink}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTarget(pub String);

impl LinkTarget {
    /// Returns the address for a link. Its parts need no escaping.
    pub fn of(&self, investigation: ObjectId, key: &str, sub_link: &str) -> String {
        let address = self.0.replace("{investigationId}", &investigation.to_string());
        address.replace("{key}", key).replace("{subLink}", sub_link)
    }
}

/// Origins that may call from a browser.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Origins {
    /// Only the service's own origin.
    #[default]
    None,
    /// Any origin.
    Any,
    /// Exactly these origins.
    Listed(Vec<String>),
}

/// Whether an operation needs a token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Access {
    /// A token is required.
    #[default]
    Required,
    /// No token is required; an invalid one is still refused.
    Optional,
}

/// HTTP statuses of failed operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ErrorStatuses {
    /// The statuses of the interface: nearly always 500.
    #[default]
    Contract,
    /// Standard statuses: 404 for what does not exist, 409 for conflicts, 503 for an unavailable dependency.
    Http,
}

impl App {
    /// Assembles the service.
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

/// Findings of a language model, or why there are none.
pub type Found = Result<Findings, ModelFailure>;

/// Questions that a language model is answering, so that the same question is never asked twice at the same time.
#[derive(Default)]
pub struct Questions {
    asked: std::sync::Mutex<HashMap<String, Arc<OnceCell<Found>>>>,
    given_up: watch::Sender<bool>,
}

impl Questions {
    /// Runs `ask`, or waits for the result if another task is already asking the question `key`.
    pub async fn once(&self, key: &str, ask: impl Future<Output = Found>) -> Found {
        let lock = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let question = lock().entry(key.to_owned()).or_default().clone();
        // If the first caller goes away, the next in line asks again.
        let found = question.get_or_init(|| ask).await.clone();
        lock().retain(|_, other| !Arc::ptr_eq(other, &question));
        found
    }

    /// Makes all waiting callers give up, because the service is stopping.
    pub fn give_up(&self) {
        self.given_up.send_replace(true);
    }

    /// Waits until [`Self::give_up`] was called.
    pub async fn given_up(&self) {
        // The sender lives as long as `self`.
        let _ = self.given_up.subscribe().wait_for(|given_up| *given_up).await;
    }
}

/// Investigations that this process has the language model read in the background.
pub struct Pending {
    /// How long an investigation must stay unchanged before it is read, so that several changes are read once.
    pub settle: Duration,
    ids: std::sync::Mutex<HashSet<ObjectId>>,
}

/// Reserves an investigation for one task until it is dropped.
pub struct PendingTask<'p>(&'p Pending, ObjectId);

impl Pending {
    /// Creates an empty set of pending investigations.
    pub fn new(settle: Duration) -> Self {
        Self { settle, ids: std::sync::Mutex::default() }
    }

    /// Reserves an investigation for one task; `None` if another task of this process has it.
    pub fn take(&self, id: ObjectId) -> Option<PendingTask<'_>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id).then(|| PendingTask(self, id))
    }
}

impl Drop for PendingTask<'_> {
    fn drop(&mut self) {
        self.0.ids.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// Maximum number of remembered proposals. A content has at most 1 MiB.
const MAX_PREVIEWS: usize = 64;
/// How long a proposal is remembered.
const PROPOSAL_TTL: Duration = Duration::from_secs(10 * 60);

/// Proposals of a language model that were shown but not stored. If the author accepts one, exactly that is stored.
/// Kept in this process only.
#[derive(Default)]
pub struct Previews(std::sync::Mutex<VecDeque<Preview>>);

struct Preview {
    question: String,
    /// When it was shown, by [`Clock::uptime`].
    at: Duration,
    outcome: Outcome,
}

impl Preview {
    fn is_fresh(&self, now: Duration) -> bool {
        now.saturating_sub(self.at) < PROPOSAL_TTL
    }
}

impl Previews {
    /// Remembers a proposal; it replaces an earlier one for the same question.
    pub fn keep(&self, question: String, outcome: Outcome, clock: &Clock) {
        let at = clock.uptime();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|other| other.question != question && other.is_fresh(at));
        if kept.len() == MAX_PREVIEWS {
            kept.pop_front();
        }
        kept.push_back(Preview { question, at, outcome });
    }

    /// Returns the remembered proposal for a question.
    pub fn of(&self, question: &str, clock: &Clock) -> Option<Outcome> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock.uptime();
        kept.iter().find(|kept| kept.question == question && kept.is_fresh(now)).map(|kept| kept.outcome.clone())
    }
}
