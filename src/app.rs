//! The parts of the service that requests use. The program and the tests assemble them in the same way.

mod api_keys;
mod background_checks;
mod directory;
mod edit_locks;
mod link_presses;
mod model_calls;
mod passwords;
mod rights;
mod sheets;
mod shown_proposals;

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use strum::EnumString;

use crate::admission::Admission;
use crate::assistant::Assistant;
use crate::clock::Clock;
use crate::domain::id::ObjectId;
pub use crate::domain::permission::Editing;
use crate::domain::permission::Role;
use crate::domain::schema::Schema;
use crate::feed::Feed;
use crate::ids::Ids;
use crate::limits::Limits;
use crate::profiles::Profiles;
use crate::store::Store;
use crate::tokens::Tokens;
use crate::webhooks::Webhooks;
pub use api_keys::{ApiKeys, KEYS_MAX_AGE};
pub use background_checks::BackgroundChecks;
pub use directory::{Directory, PEOPLE_MAX_AGE};
pub use edit_locks::{EditLock, EditLocks};
pub use link_presses::LinkPresses;
pub use model_calls::{ModelCalls, ModelFindings};
pub use passwords::{PasswordError, Passwords};
pub use rights::{Credential, CredentialError, Identity, RECHECK, Right};
pub use sheets::{MARK, SentPicture, SheetHtml, SheetKey, Sheets};
pub use shown_proposals::{ShownProposals, shown_proposals};

/// Handle to the [`Parts`] of the service. All clones share the same parts.
#[derive(Clone)]
pub struct App(Arc<Parts>);

pub struct Parts {
    pub store: Store,
    pub schema: Schema,
    pub assistant: Assistant,
    pub clock: Clock,
    pub ids: Ids,
    pub tokens: Tokens,
    pub api_keys: ApiKeys,
    pub directory: Directory,
    pub passwords: Passwords,
    pub profiles: Profiles,
    pub edit_locks: EditLocks,
    pub admission: Arc<Admission>,
    pub model_calls: ModelCalls,
    pub background_checks: BackgroundChecks,
    pub shown_proposals: ShownProposals,
    pub link_presses: LinkPresses,
    pub feed: Feed,
    pub webhooks: Webhooks,
    pub limits: Limits,
    pub sheets: Sheets,
    pub http: HttpSettings,
}

#[derive(Debug, Clone)]
pub struct HttpSettings {
    pub investigations: Access,
    pub editing: Editing,
    /// Role of callers to whom neither their credentials nor the directory give a role. Callers without a token are at
    /// most authors.
    pub default_role: Role,
    /// Whether people can sign in with a password.
    pub passwords: bool,
    /// Days for which a deleted investigation can be restored; 0 means that a deletion is final.
    pub trash_days: u32,
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
    pub cors_origins: Origins,
    /// Whether all requests are logged. If false, only requests that end with a server error are logged.
    pub log_requests: bool,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            investigations: Access::default(),
            editing: Editing::default(),
            default_role: Role::Author,
            passwords: true,
            trash_days: 0,
            error_statuses: ErrorStatuses::default(),
            public_url: None,
            link_target: None,
            resolve_rate_limit: 0,
            assistant_rate_limit: 0,
            trusted_proxies: Vec::new(),
            cors_origins: Origins::default(),
            log_requests: false,
        }
    }
}

impl HttpSettings {
    pub fn trash_kept(&self) -> Duration {
        Duration::from_secs(u64::from(self.trash_days) * 24 * 60 * 60)
    }

    /// Returns whether people reach the service with TLS.
    pub fn has_tls(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}

/// URL of an external page, with the placeholders `{investigationId}`, `{key}` and `{subLink}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTarget(pub String);

impl LinkTarget {
    /// Returns the origin of the URL, such as `https://example.org`. If the host contains placeholders, returns only
    /// the scheme, such as `https:`.
    pub fn origin(&self) -> &str {
        let scheme = self.0.find("://").map_or(0, |colon| colon + 3);
        let end = self.0[scheme..].find(['/', '?', '#']).map_or(self.0.len(), |end| scheme + end);
        if self.0[..end].contains('{') { &self.0[..scheme.saturating_sub(2)] } else { &self.0[..end] }
    }

    /// Returns the URL for a link, with its placeholders replaced. The values contain no characters that need escaping.
    pub fn of(&self, investigation: ObjectId, key: &str, sub_link: &str) -> String {
        let address = self.0.replace("{investigationId}", &investigation.to_string());
        address.replace("{key}", key).replace("{subLink}", sub_link)
    }
}

/// Origins whose pages may send requests to this service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Origins {
    #[default]
    None,
    Any,
    Listed(Vec<String>),
}

impl Origins {
    /// Returns whether the value of a header `Origin` is in the list.
    pub fn lists(&self, origin: &[u8]) -> bool {
        matches!(self, Self::Listed(origins) if origins.iter().any(|listed| listed.as_bytes() == origin))
    }
}

/// Whether investigation operations require a token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Access {
    #[default]
    Required,
    /// No token is required. An invalid token is still rejected.
    Optional,
}

/// Which HTTP statuses failed operations have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum ErrorStatuses {
    /// The statuses of the API contract, which are nearly always 500.
    #[default]
    Contract,
    /// Standard statuses: 404 if something does not exist, 409 for conflicts, 503 if a dependency is unavailable.
    Http,
}

impl App {
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
