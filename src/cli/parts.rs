//! Creates the parts of the service from the settings.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use crate::admission::Admission;
use crate::app::{
    ApiKeys, App, BackgroundChecks, Directory, EditLocks, LinkPresses, ModelCalls, Parts, Passwords, Sheets,
    shown_proposals,
};
use crate::assistant::Assistant;
use crate::assistant::model::Model;
use crate::clock::Clock;
use crate::domain::schema::{self, Schema};
use crate::feed::Feed;
use crate::ids::Ids;
use crate::limits::Limits;
use crate::profiles::Profiles;
use crate::settings::{self, Auth, Settings, UnknownVariable};
use crate::store::{Backend, Store, StoreLocation};
use crate::tokens::{self, Tokens};
use crate::webhooks::Webhooks;

pub fn misspelt() -> Vec<UnknownVariable> {
    settings::unknown_variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))
}

pub async fn app(settings: &Settings) -> Result<App, String> {
    let schema = schema(settings.schema.as_deref())?;
    let assistant = assistant(settings, &schema)?;
    let clock = Clock::system();
    let store = make_store(settings).await?;
    let webhooks = webhooks(settings)?;
    Ok(App::new(Parts {
        admission: Arc::new(
            Admission::default().with_streams(settings.event_streams).with_heavy_connections(store.heavy_connections()),
        ),
        sheets: Sheets::default(),
        store,
        schema,
        assistant,
        tokens: tokens(settings, clock.clone())?,
        api_keys: ApiKeys::default(),
        directory: Directory::default(),
        passwords: Passwords::default(),
        ids: Ids::random(),
        profiles: profiles(settings)?,
        edit_locks: EditLocks::default(),
        model_calls: ModelCalls::default(),
        background_checks: BackgroundChecks::new(settings.settle),
        shown_proposals: shown_proposals(&clock),
        link_presses: LinkPresses::new(&clock),
        feed: Feed::new(settings.events_kept, settings.event_streams)
            .with_trash(settings.http.trash_kept())
            .with_audit(settings.audit_kept)
            .with_endpoints(webhooks.names()),
        webhooks,
        limits: Limits::new(settings.http.resolve_rate_limit, settings.http.assistant_rate_limit, &clock),
        http: settings.http.clone(),
        clock,
    }))
}

/// Opens a store that exists, without migrating it.
pub async fn open_store(settings: &Settings) -> Result<Store, String> {
    if let Backend::Embedded(folder) = &settings.store.backend {
        check_store_in(folder)?;
    }
    Store::open(StoreLocation { migrate: false, ..settings.store.clone() }).await.map_err(|e| e.to_string())
}

pub fn check_store_in(folder: &Path) -> Result<(), String> {
    match Store::is_embedded_in(folder) {
        true => Ok(()),
        false => Err(format!("no store exists in the folder {}; check --data", folder.display())),
    }
}

/// Opens the store, and creates it if it is missing. Migrates it if the settings allow that.
pub async fn make_store(settings: &Settings) -> Result<Store, String> {
    Store::open(settings.store.clone()).await.map_err(|e| e.to_string())
}

pub fn rules(schema: &Schema) -> Result<Assistant, String> {
    Assistant::for_schema(schema).map_err(|e| format!("the schema cannot be used: {e}"))
}

pub fn assistant(settings: &Settings, schema: &Schema) -> Result<Assistant, String> {
    let assistant = rules(schema)?;
    let Some(model) = settings.model.clone() else { return Ok(assistant) };
    let model = Model::new(model, Clock::system(), Ids::random());
    Ok(assistant.with_model(Some(model.map_err(|e| format!("the language model cannot be asked: {e}"))?)))
}

fn profiles(settings: &Settings) -> Result<Profiles, String> {
    let Some(profiles) = settings.profiles.clone() else { return Ok(Profiles::none()) };
    Profiles::new(profiles, Clock::system()).map_err(|e| format!("the profile service cannot be asked: {e}"))
}

pub fn webhooks(settings: &Settings) -> Result<Webhooks, String> {
    let Some(webhooks) = &settings.webhooks else { return Ok(Webhooks::none()) };
    Webhooks::new(webhooks, Ids::random()).map_err(|e| format!("webhooks cannot be sent: {e}"))
}

pub fn schema(file: Option<&Path>) -> Result<Schema, String> {
    let Some(path) = file else { return Schema::parse(schema::BUILT_IN).map_err(|e| e.to_string()) };
    let text = std::fs::read_to_string(path)
        .map_err(|e| format!("cannot read the schema {}: {e}; check --schema", path.display()))?;
    Schema::parse(&text).map_err(|e| format!("the schema {} cannot be used: {e}", path.display()))
}

pub fn tokens(settings: &Settings, clock: Clock) -> Result<Tokens, String> {
    let tokens = match &settings.auth {
        Auth::OwnSecret => Tokens::with_secret(&tokens::own_secret(&settings.data)?),
        Auth::Secret(secret) => Tokens::with_secret(secret.as_bytes()),
        Auth::Provider(provider) => Tokens::of_provider(provider, clock)
            .map_err(|reason| format!("tokens cannot be checked with the keys of the provider: {reason}"))?,
    };
    Ok(tokens.with_rules(settings.claims.clone()))
}

/// Maximum number of threads for blocking work, as (threads per core, additional threads). The allocator keeps memory
/// for each thread, so the default of 512 is too high. The following can run at the same time: eight store reads, two
/// password checks, and per core one CPU job (`block_in_place`) and the thread that takes over its tasks.
const BLOCKING_THREADS: (usize, usize) = (2, 12);

pub fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = BLOCKING_THREADS.0 * cores + BLOCKING_THREADS.1;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(threads).build();
    runtime.map_err(|e| format!("cannot start the runtime: {e}"))
}
