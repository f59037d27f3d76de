//! The parts of the service that requests use. The program and the tests assemble them in the same way.

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

/// Handle to the [`Parts`] of the service. All clones share the same parts.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// Everything that a request uses, such as the store and the assistant.
pub struct Parts {
    /// Stores the investigations, links, chats, events and API keys.
    pub store: Store,
    /// The content schema.
    pub schema: Schema,
    /// Detects and resolves contradictions, and regenerates fields.
    pub assistant: Assistant,
    /// Source of the current time.
    pub clock: Clock,
    /// Source of identifiers.
    pub ids: Ids,
    /// Verifies bearer tokens.
    pub tokens: Tokens,
    /// Cache of the API keys.
    pub api_keys: ApiKeys,
    /// Looks up the profiles of authors.
    pub profiles: Profiles,
    /// Locks that let this process make only one change of an investigation at a time.
    pub edit_locks: EditLocks,
    /// Limits on the changes, visits, request bodies and CPU time that one caller may use at once.
    pub capacity: Capacity,
    /// Requests to the language model that are in progress.
    pub questions: Questions,
    /// Investigations that a background task has reserved, in order to ask the language model about them.
    pub pending: Pending,
    /// Proposals of the language model that dry runs have shown to authors. They are not stored.
    pub previews: Previews,
    /// Notifies listeners about new events.
    pub feed: Feed,
    /// Endpoints that receive events.
    pub webhooks: Webhooks,
    /// Rate limits.
    pub limits: Limits,
    /// Permits for expensive reads: histories, versions and filtered lists. One caller may have at most a quarter of
    /// the permits.
    pub heavy_reads: Shared,
    /// Cache of the HTML pages that short links open.
    pub pages: Pages,
    /// Settings of the HTTP layer.
    pub http: HttpSettings,
}

/// Settings of the HTTP layer.
#[derive(Debug, Clone, Default)]
pub struct HttpSettings {
    /// Whether investigation operations need a token.
    pub investigations: Access,
    /// Who may change investigations.
    pub editing: Editing,
    /// Days for which a deleted investigation can be restored; 0 means that a deletion is final.
    pub trash_days: u32,
    /// Which HTTP statuses failed operations have.
    pub error_statuses: ErrorStatuses,
    /// Public base URL, without a slash at the end; `None` if it is not configured.
    pub public_url: Option<String>,
    /// External page to which the service redirects visitors of links; `None` to show the service's own page.
    pub link_target: Option<LinkTarget>,
    /// Maximum number of requests for links per second and client address; 0 means no limit.
    pub resolve_rate_limit: u32,
    /// Maximum number of requests to the assistant per minute and user; 0 means no limit.
    pub assistant_rate_limit: u32,
    /// Addresses of proxies whose header `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Origins whose pages may send requests to this service.
    pub cors_origins: Origins,
    /// Whether all requests are logged. If false, only requests that end with a server error are logged.
    pub log_requests: bool,
}

impl HttpSettings {
    /// Returns how long a deleted investigation can be restored: `trash_days` as a duration.
    pub fn trash_kept(&self) -> Duration {
        Duration::from_secs(u64::from(self.trash_days) * 24 * 60 * 60)
    }
}

/// URL of an external page, with the placeholders `{investigationId}`, `{key}` and `{subLink}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTarget(pub String);

impl LinkTarget {
    /// Returns the URL for a link, with its placeholders replaced. The values contain no characters that need escaping.
    pub fn of(&self, investigation: ObjectId, key: &str, sub_link: &str) -> String {
        let address = self.0.replace("{investigationId}", &investigation.to_string());
        address.replace("{key}", key).replace("{subLink}", sub_link)
    }
}

/// Origins whose pages may send requests to this service.
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

/// Whether investigation operations require a token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Access {
    /// A token is required.
    #[default]
    Required,
    /// No token is required. An invalid token is still rejected.
    Optional,
}

/// Which HTTP statuses failed operations have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ErrorStatuses {
    /// The statuses of the API contract, which are nearly always 500.
    #[default]
    Contract,
    /// Standard statuses: 404 if something does not exist, 409 for conflicts, 503 if a dependency is unavailable.
    Http,
}

impl App {
    /// Creates a handle to these parts.
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

/// Findings of a language model, or the reason why the model returned no findings.
pub type ModelFindings = Result<Findings, ModelFailure>;

/// Requests to a language model that are in progress. Two tasks with the same question share one request.
#[derive(Default)]
pub struct Questions {
    in_flight: std::sync::Mutex<HashMap<String, Arc<OnceCell<ModelFindings>>>>,
    cancelled: watch::Sender<bool>,
}

impl Questions {
    /// Runs `ask` and returns its result. If another task is asking the question `key`, returns that task's result.
    pub async fn once(&self, key: &str, ask: impl Future<Output = ModelFindings>) -> ModelFindings {
        let lock = || self.in_flight.lock().unwrap_or_else(PoisonError::into_inner);
        let question = lock().entry(key.to_owned()).or_default().clone();
        // If the task that asks is cancelled, one of the waiting tasks asks instead.
        let found = question.get_or_init(|| ask).await.clone();
        lock().retain(|_, other| !Arc::ptr_eq(other, &question));
        found
    }

    /// Makes all tasks that wait for a language model give up. Called when the service stops.
    pub fn cancel(&self) {
        self.cancelled.send_replace(true);
    }

    /// Waits until [`Self::cancel`] is called.
    pub async fn cancelled(&self) {
        // This cannot fail, because the sender lives as long as `self`.
        let _ = self.cancelled.subscribe().wait_for(|cancelled| *cancelled).await;
    }
}

/// Investigations that background tasks of this process have reserved, to ask the language model about them.
pub struct Pending {
    /// Time for which an investigation must stay unchanged before the model reads it. After several quick changes, the
    /// model reads only the last content.
    pub settle: Duration,
    ids: std::sync::Mutex<HashSet<ObjectId>>,
}

/// Reservation of an investigation for one task. Dropping this value releases the investigation.
pub struct PendingTask<'p>(&'p Pending, ObjectId);

impl Pending {
    /// Creates a set without reservations. `settle` is the value of the field [`Self::settle`].
    pub fn new(settle: Duration) -> Self {
        Self { settle, ids: std::sync::Mutex::default() }
    }

    /// Reserves an investigation for one task. Returns `None` if another task of this process has reserved it.
    pub fn take(&self, id: ObjectId) -> Option<PendingTask<'_>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id).then(|| PendingTask(self, id))
    }
}

impl Drop for PendingTask<'_> {
    fn drop(&mut self) {
        self.0.ids.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// Maximum number of remembered proposals. One contains at most 1 MiB of content, so 64 contain at most 64 MiB.
const MAX_PREVIEWS: usize = 64;
/// Time for which a proposal is remembered.
const PROPOSAL_TTL: Duration = Duration::from_secs(10 * 60);

/// Proposals of a language model that dry runs have shown to authors. If the author then makes the same request without
/// the dry run, exactly the shown proposal is stored. Other copies of the service do not know these proposals.
#[derive(Default)]
pub struct Previews(std::sync::Mutex<VecDeque<Preview>>);

struct Preview {
    question: String,
    /// Value of [`Clock::uptime`] at the moment when the proposal was shown.
    at: Duration,
    outcome: Outcome,
}

impl Preview {
    fn is_fresh(&self, now: Duration) -> bool {
        now.saturating_sub(self.at) < PROPOSAL_TTL
    }
}

impl Previews {
    /// Remembers a proposal. Replaces an earlier proposal for the same question, and discards the oldest proposal if
    /// there are too many.
    pub fn insert(&self, question: String, outcome: Outcome, clock: &Clock) {
        let at = clock.uptime();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|other| other.question != question && other.is_fresh(at));
        if kept.len() == MAX_PREVIEWS {
            kept.pop_front();
        }
        kept.push_back(Preview { question, at, outcome });
    }

    /// Returns the remembered proposal for a question; `None` if there is none or it is too old.
    pub fn get(&self, question: &str, clock: &Clock) -> Option<Outcome> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock.uptime();
        kept.iter().find(|kept| kept.question == question && kept.is_fresh(now)).map(|kept| kept.outcome.clone())
    }
}
