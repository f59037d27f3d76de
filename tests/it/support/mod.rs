//! A complete service on a real socket and a real store, with a fixed clock and predictable ids, and callers that send
//! requests to it.

pub mod assistant;
pub mod browser;
mod caller;
mod chromedriver;
pub mod counters;
pub mod documented;
pub mod endpoint;
pub mod forward_proxy;
pub mod log;
pub mod oidc_provider;
pub mod parsers;
pub mod picture;
pub mod postgres;
pub mod process;
pub mod profile_service;
pub mod promises;
pub mod provider;
pub mod proxy;
pub mod raw;
pub mod receiver;
pub mod rules;
pub mod search_index;
pub mod stream;
pub mod token;
pub mod tree;
pub mod visitor;
pub mod word;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use fieldbook::admission::{Actor, Admission, Pool};
use fieldbook::app::{
    Access, ApiKeys, App, BackgroundChecks, Directory, EditLocks, ErrorStatuses, HttpSettings, LinkPresses, ModelCalls,
    Parts, Passwords, Sheets, shown_proposals,
};
use fieldbook::assistant::Assistant;
use fieldbook::assistant::model::{Model, ModelSettings};
use fieldbook::assistant::rules::Rule;
use fieldbook::authoring::ChangeContext;
use fieldbook::clock::Clock;
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::chat::Chat;
use fieldbook::domain::event::{Event, EventId};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::investigation::{Investigation, NewInvestigation};
use fieldbook::domain::permission::Principal;
use fieldbook::domain::person::{Origin, Person, PersonStatus};
use fieldbook::domain::schema::{self, Schema};
use fieldbook::domain::time::Timestamp;
use fieldbook::domain::token_user::ClaimRules;
use fieldbook::feed::Feed;
use fieldbook::http::{Server, ServerError};
use fieldbook::ids::Ids;
use fieldbook::limits::Limits;
use fieldbook::profiles::{Profiles, ProfilesSettings};
use fieldbook::store::jsonl::Entry;
use fieldbook::store::simulated::Faults;
use fieldbook::store::{Address, Backend, PersonAdded, Stamp, Store, StoreLocation};
use fieldbook::tokens::{ProviderSettings, Tokens};
use fieldbook::webhooks::{Secrets, WebhookSettings, Webhooks};
use serde_json::{Value, json};
use tokio::sync::oneshot;

pub use caller::{Caller, Exchange, compact};

/// Time at which the clock of every test starts: 2026-11-21T08:00:00.000Z.
pub const START: Timestamp = Timestamp(1_795_248_000_000);
/// User of the teacher's token.
pub const TEACHER: &str = "aaaaaaaaaaaaaaaaaaaaaaaa";
/// Another user.
pub const COLLEAGUE: &str = "bbbbbbbbbbbbbbbbbbbbbbbb";
pub const EVENTS_KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// How long services in tests keep entries of the audit log.
pub const AUDIT_KEPT: Duration = Duration::from_secs(365 * 24 * 3600);
/// Maximum number of event streams.
pub const STREAMS: u32 = 256;
/// Time for which an investigation must stay unchanged before the model reads it in the background.
pub const SETTLE: Duration = Duration::from_secs(2);
/// Secret that signs the tokens of tests.
pub const SECRET: &[u8] = b"a secret of the tests, which has 32 bytes and more";

pub struct TestApp {
    /// Parts of the service, for tests that do not go through HTTP.
    pub app: App,
    pub clock: Clock,
    pub address: SocketAddr,
    folder: Arc<tempfile::TempDir>,
    place: StoreLocation,
    outside: Outside,
    stop: Option<oneshot::Sender<()>>,
    task: Option<tokio::task::JoinHandle<Result<(), ServerError>>>,
}

/// External services that this service calls, and rules in place of the built-in ones.
#[derive(Clone, Default)]
struct Outside {
    model: Option<ModelSettings>,
    profiles: Option<ProfilesSettings>,
    webhooks: Option<WebhookSettings>,
    provider: Option<ProviderSettings>,
    claims: ClaimRules,
    rules: Option<Vec<Rule>>,
    faults: Option<Arc<dyn Faults>>,
}

/// Returns the context of a change by the service itself, which no permission forbids.
pub fn as_service() -> ChangeContext {
    ChangeContext { caller: Principal::SERVICE, ..ChangeContext::default() }
}

/// Returns settings with which failures have standard HTTP statuses, such as 404. By default, most have status 500.
pub fn http_statuses() -> HttpSettings {
    HttpSettings { error_statuses: ErrorStatuses::Http, ..HttpSettings::default() }
}

impl TestApp {
    /// Starts a service on a new store. Returns the service, a caller without a token, and a teacher.
    pub async fn start() -> (Self, Caller, Caller) {
        Self::start_with(HttpSettings::default()).await
    }

    /// Returns all events as soon as at least `count` are visible. On PostgreSQL, an event becomes visible when all
    /// older transactions of the server have ended, those of other tests too.
    pub async fn events(&self, count: usize) -> Vec<Event> {
        loop {
            let events = self.app.store.events_after(EventId::BEGINNING, None, 1000).await.expect("read");
            if events.len() >= count {
                return events;
            }
            tokio::task::yield_now().await;
        }
    }

    pub async fn start_with(http: HttpSettings) -> (Self, Caller, Caller) {
        let app = Self::new(http, schema::BUILT_IN, Outside::default()).await;
        let (anon, teacher) = (app.anon(), app.signed_in(TEACHER));
        (app, anon, teacher)
    }

    pub async fn start_with_schema(schema: &str) -> (Self, Caller, Caller) {
        let app = Self::new(HttpSettings::default(), schema, Outside::default()).await;
        let (anon, teacher) = (app.anon(), app.signed_in(TEACHER));
        (app, anon, teacher)
    }

    /// Like [`TestApp::start`], but the service accepts requests without a token.
    pub async fn start_with_optional_tokens() -> (Self, Caller, Caller) {
        Self::start_with(HttpSettings { investigations: Access::Optional, ..HttpSettings::default() }).await
    }

    /// Starts a service with one investigation. Returns the service, a teacher, and the path of the investigation.
    pub async fn with(content: Value) -> (Self, Caller, String) {
        let (app, teacher, id) = Self::with_id(content).await;
        (app, teacher, format!("/api/investigation/{id}"))
    }

    /// Starts a service with one investigation. Returns the service, a teacher, and the id of the investigation.
    pub async fn with_id(content: Value) -> (Self, Caller, String) {
        let (app, _, teacher) = Self::start().await;
        let id = teacher.create(content).await;
        (app, teacher, id)
    }

    /// Starts a service whose trash keeps investigations for 30 days. Returns the service and a teacher.
    pub async fn start_with_trash() -> (Self, Caller) {
        let (app, _, teacher) = Self::start_with(HttpSettings { trash_days: 30, ..HttpSettings::default() }).await;
        (app, teacher)
    }

    /// Starts a service with this content schema and these rules. Returns the service and a teacher.
    pub async fn start_with_rules(schema: &str, rules: &[Rule]) -> (Self, Caller) {
        let outside = Outside { rules: Some(rules.to_vec()), ..Outside::default() };
        Self::new(HttpSettings::default(), schema, outside).await.and_a_teacher()
    }

    /// Starts a service with a language model. Returns the service and a teacher.
    pub async fn start_with_model(model: ModelSettings, http: HttpSettings) -> (Self, Caller) {
        let outside = Outside { model: Some(model), ..Outside::default() };
        Self::new(http, schema::BUILT_IN, outside).await.and_a_teacher()
    }

    /// Starts a service with a profile service, and optionally a language model. Returns the service and a teacher.
    pub async fn start_with_profiles(
        profiles: ProfilesSettings,
        model: Option<ModelSettings>,
        http: HttpSettings,
    ) -> (Self, Caller) {
        let outside = Outside { model, profiles: Some(profiles), ..Outside::default() };
        Self::new(http, schema::BUILT_IN, outside).await.and_a_teacher()
    }

    /// Starts a service that sends events to these webhook endpoints. Returns the service and a teacher.
    pub async fn start_with_webhooks(urls: &[String], secret: &str) -> (Self, Caller) {
        let settings = WebhookSettings { urls: urls.to_vec(), secrets: Secrets::read(secret).expect("a secret") };
        let outside = Outside { webhooks: Some(settings), ..Outside::default() };
        Self::new(HttpSettings::default(), schema::BUILT_IN, outside).await.and_a_teacher()
    }

    /// Starts a service that accepts the tokens of an identity provider.
    pub async fn start_with_provider(provider: &ProviderSettings) -> Self {
        let outside = Outside { provider: Some(provider.clone()), ..Outside::default() };
        Self::new(HttpSettings::default(), schema::BUILT_IN, outside).await
    }

    /// Starts a service on an embedded store with these faults. Returns the service and a teacher.
    pub async fn start_with_faults(faults: Arc<dyn Faults>) -> (Self, Caller) {
        let outside = Outside { faults: Some(faults), ..Outside::default() };
        Self::new(HttpSettings::default(), schema::BUILT_IN, outside).await.and_a_teacher()
    }

    /// Like [`TestApp::start_with_provider`], but with other claims.
    pub async fn start_with_claims(provider: &ProviderSettings, claims: ClaimRules, http: HttpSettings) -> Self {
        let outside = Outside { provider: Some(provider.clone()), claims, ..Outside::default() };
        Self::new(http, schema::BUILT_IN, outside).await
    }

    /// Starts another copy of this service on the same store.
    pub async fn copy(&self) -> Self {
        let (folder, http) = (self.folder.clone(), self.app.http.clone());
        Self::on(folder, self.place.clone(), http, schema::BUILT_IN, self.outside.clone()).await
    }

    /// Starts a service on an existing store. Returns the service and a teacher.
    pub async fn start_at(place: StoreLocation) -> (Self, Caller) {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        Self::on(folder, place, HttpSettings::default(), schema::BUILT_IN, Outside::default()).await.and_a_teacher()
    }

    async fn new(http: HttpSettings, schema: &str, outside: Outside) -> Self {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let place = place(folder.path());
        Self::on(folder, place, http, schema, outside).await
    }

    fn and_a_teacher(self) -> (Self, Caller) {
        let teacher = self.signed_in(TEACHER);
        (self, teacher)
    }

    /// Stops this service and starts another one on the same store.
    pub async fn restart(self) -> Self {
        self.restart_with_schema(schema::BUILT_IN).await
    }

    /// Stops this service and starts another one on the same store, without external services.
    pub async fn restart_without_model(mut self) -> Self {
        self.outside = Outside::default();
        self.restart().await
    }

    /// Stops this service and starts one with another content schema on the same store.
    pub async fn restart_with_schema(mut self, schema: &str) -> Self {
        self.stop().await;
        Self::on(
            self.folder.clone(),
            self.place.clone(),
            HttpSettings::default(),
            schema,
            std::mem::take(&mut self.outside),
        )
        .await
    }

    /// Stops this service and starts one with this content schema and these rules on the same store.
    pub async fn restart_with_rules(mut self, schema: &str, rules: &[Rule]) -> Self {
        self.outside.rules = Some(rules.to_vec());
        self.restart_with_schema(schema).await
    }

    /// Stops the service after it has finished its work in progress.
    pub async fn stop(&mut self) {
        drop(self.stop.take());
        self.ended().await.expect("all background tasks worked");
        self.app.store.close().await;
    }

    /// Waits until the service has ended.
    pub async fn ended(&mut self) -> Result<(), ServerError> {
        match self.task.take() {
            Some(task) => task.await.expect("the service ends"),
            None => Ok(()),
        }
    }

    async fn on(
        folder: Arc<tempfile::TempDir>,
        place: StoreLocation,
        http: HttpSettings,
        schema: &str,
        outside: Outside,
    ) -> Self {
        let schema = Schema::parse(schema).expect("a schema");
        let clock = Clock::set_to(START);
        let Outside { model, profiles, webhooks, provider, claims, rules, faults } = outside.clone();
        let assistant = match rules {
            Some(rules) => Assistant::with_rules(rules.into()),
            None => Assistant::for_schema(&schema).expect("rules"),
        };
        let asked = model.map(|model| Model::new(model, clock.clone(), Ids::counted()).expect("a model"));
        let profiles = profiles.map(|profiles| Profiles::new(profiles, clock.clone()).expect("a profile service"));
        let tokens = match provider {
            Some(provider) => Tokens::of_provider(&provider, clock.clone()).expect("a provider"),
            None => Tokens::with_secret(SECRET),
        };
        let tokens = tokens.with_rules(claims);
        // Ids that distinguish copies on one store must also differ between tests.
        let webhooks = webhooks.map(|settings| Webhooks::new(&settings, Ids::random()).expect("endpoints"));
        let webhooks = webhooks.unwrap_or_else(Webhooks::none);
        let store = match faults {
            None => Store::open(place.clone()).await.expect("a store"),
            Some(faults) => {
                let (store, writing) = Store::simulated(folder.path(), faults).expect("a store");
                tokio::spawn(writing);
                store
            }
        };
        let app = App::new(Parts {
            // Each caller may run one CPU-bound job at a time, however many cores the machine has.
            admission: Arc::new(Admission { cores: Pool::new(2), ..Admission::default() }),
            sheets: Sheets::default(),
            store,
            schema,
            assistant: assistant.with_model(asked),
            clock: clock.clone(),
            ids: Ids::counted(),
            tokens,
            profiles: profiles.unwrap_or_else(Profiles::none),
            api_keys: ApiKeys::default(),
            directory: Directory::default(),
            passwords: Passwords::default(),
            edit_locks: EditLocks::default(),
            model_calls: ModelCalls::default(),
            background_checks: BackgroundChecks::new(SETTLE),
            shown_proposals: shown_proposals(&clock),
            link_presses: LinkPresses::new(&clock),
            feed: Feed::new(EVENTS_KEPT, STREAMS)
                .with_trash(http.trash_kept())
                .with_audit(AUDIT_KEPT)
                .with_endpoints(webhooks.names()),
            webhooks,
            limits: Limits::new(http.resolve_rate_limit, http.assistant_rate_limit, &clock),
            http,
        });
        let server = Server::bind(([127, 0, 0, 1], 0).into()).expect("a port");
        let address = server.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(server.serve(app.clone(), async move {
            let _ = stopped.await;
        }));
        Self { app, clock, address, folder, place, outside, stop: Some(stop), task: Some(task) }
    }

    /// Stores an investigation as an import does. It may be larger than the limits for requests. Returns its id.
    pub async fn import(&self, content: Value) -> String {
        let (at, schema) = (self.clock.now(), &self.app.schema);
        let id = self.app.ids.object_id(at);
        let author = TEACHER.parse().ok();
        let new = NewInvestigation { id, author, metadata_author: None, status: None, cloned_from: None, at };
        let content = content.as_object().cloned().expect("an object");
        let findings = self.app.assistant.detect(&content);
        let document = Investigation::new(new, content, findings, schema);
        let chat = Chat { id: self.app.ids.object_id(at), investigation_id: id, history: Vec::new() };
        let whole = Entry::of(document, Vec::new(), Some(chat), Vec::new()).whole().expect("valid");
        assert!(self.app.store.import_whole(whole).await.expect("stored"));
        id.to_string()
    }

    pub fn anon(&self) -> Caller {
        Caller::of(format!("http://{}", self.address))
    }

    /// Returns a caller with a token of this user, valid for an hour.
    pub fn signed_in(&self, user: &str) -> Caller {
        self.anon().bearing(&self.token(user))
    }

    /// Returns a token of this user, valid for an hour.
    pub fn token(&self, user: &str) -> String {
        let user: ObjectId = user.parse().expect("an id");
        self.app.tokens.sign(user, None, self.clock.now(), Duration::from_secs(3600)).expect("a token")
    }

    /// Returns the code of a new sign-in link for this user, whom it adds to the directory.
    pub async fn code(&self, user: &str) -> String {
        let (id, at): (ObjectId, _) = (user.parse().expect("an id"), self.clock.now());
        let (status, code) = (PersonStatus::Invited, self.app.ids.secret_token());
        let (name, email, role, last_sign_in_at) = (None, None, None, None);
        let provider_role = None;
        let person = Person {
            id,
            name,
            email,
            role,
            provider_role,
            status,
            created_at: at,
            last_sign_in_at,
            origin: Origin::Here,
        };
        let added = self.app.store.add_person(person).await.expect("stored");
        assert!([PersonAdded::Added, PersonAdded::IdTaken].contains(&added), "{added:?}");
        let stamp = Stamp { actor: AuditActor::default(), at };
        let made = self.app.store.make_sign_in_link(id, code.digest(), stamp).await.expect("stored");
        assert!(made.is_some());
        code.expose().to_owned()
    }

    /// Returns the text in the cookie of a new session of this user.
    pub async fn session(&self, user: &str) -> String {
        let browser = self.anon().with_header("sec-fetch-site", "same-origin");
        let signed_in = browser.post("/api/session", json!({ "code": self.code(user).await })).await;
        let cookie = signed_in.header("set-cookie").expect("a cookie");
        let text = cookie.strip_prefix("fieldbook_session=").and_then(|rest| rest.split(';').next());
        text.expect("a session").to_owned()
    }

    /// Returns the header with the teacher's token, as a line of a raw request.
    pub fn bearer(&self) -> String {
        format!("authorization: Bearer {}\r\n", self.token(TEACHER))
    }

    /// Returns the number of open connections from this machine to the service. If a client disconnects, its connection
    /// stays open until its request ends.
    pub fn connections(&self) -> u32 {
        let (places, here) = (&self.app.admission.connections, Actor::at(self.address.ip()));
        let share = places.share();
        (0..share).find(|open| places.try_take(here, share - open).is_ok()).unwrap_or(share)
    }

    /// Runs a statement directly on the store, without the service's knowledge.
    pub fn behind(&self, sql: &str) {
        behind(self.folder(), sql);
    }

    /// Returns the number of rows of a table, which may be followed by a condition.
    pub fn rows(&self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        match postgres::server() {
            Some(server) => postgres::number_in(self.folder(), &server, &sql),
            None => {
                let store = rusqlite::Connection::open(self.folder().join("fieldbook.sqlite3")).expect("the store");
                store.query_row(&sql, [], |row| row.get(0)).expect("a number")
            }
        }
    }

    /// Runs the background cleanup until it has nothing left to delete.
    pub async fn sweep(&self) {
        while self.app.feed.sweep(&self.app.store, &self.clock).await {}
    }

    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }
}

/// Returns the store of a data folder, on the backend that the tests use.
pub fn place(folder: &std::path::Path) -> StoreLocation {
    let backend = match postgres::server() {
        None => Backend::Embedded(folder.to_owned()),
        Some(server) => Backend::Postgres {
            address: Address::parse(&postgres::store_of(folder, &server)).expect("an address"),
            connections: 4,
        },
    };
    StoreLocation { backend, migrate: true }
}

/// Runs a statement directly on the store of a data folder, on the backend that the tests use.
pub fn behind(folder: &std::path::Path, sql: &str) {
    match postgres::server() {
        Some(server) => postgres::execute_in(folder, &server, sql),
        None => {
            let store = rusqlite::Connection::open(folder.join("fieldbook.sqlite3")).expect("the store");
            store.execute_batch(sql).expect("the statement runs");
        }
    }
}

/// Replaces the number of the store version that this program needs, so that a new migration changes no expected text.
pub fn without_store_version(text: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite");
    let newest = std::fs::read_dir(folder).expect("the migrations").count();
    let words = ["store version", "knows", "needs"];
    words.iter().fold(text.to_owned(), |text, words| text.replace(&format!("{words} {newest}"), &format!("{words} N")))
}
