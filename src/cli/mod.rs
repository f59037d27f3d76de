//! The command line. Each command has a file of its own.

/// Prints a line to standard output, see [`output::line`].
macro_rules! say {
    ($($words:tt)*) => { $crate::cli::output::line(&format!($($words)*)) };
}

/// Prints a line to standard error, see [`output::note`].
macro_rules! note {
    ($($words:tt)*) => { $crate::cli::output::note(&format!($($words)*)) };
}

mod audit;
mod backup;
mod demo;
mod doctor;
mod eval;
mod export;
mod first_admin;
mod healthcheck;
mod import;
mod keys;
mod manual;
mod migrate;
mod output;
mod person;
mod person_export;
mod restore;
mod second_service;
mod serve;
mod service_manager;
mod token;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};

pub use import::{Text, Texts};

use crate::admission::Admission;
use crate::app::{ApiKeys, App, Directory, EditLocks, Parts, Passwords, Pending, Presses, Questions, Sheets, previews};
use crate::assistant::Assistant;
use crate::assistant::model::Model;
use crate::clock::Clock;
use crate::domain::schema::{self, Schema};
use crate::feed::Feed;
use crate::ids::Ids;
use crate::limits::Limits;
use crate::profiles::Profiles;
use crate::settings::{self, Auth, SETTINGS, Settings, UnknownVariable};
use crate::store::{Backend, Store, StoreLocation};
use crate::tokens::{self, Tokens};
use crate::webhooks::Webhooks;

pub fn main() -> ExitCode {
    let matches = command().get_matches_from(joined(std::env::args_os()));
    let Some((name, matches)) = matches.subcommand() else {
        return ended(output::lines(&manual::settings()));
    };
    if ["completions", "man"].contains(&name) {
        return ended(manual::run(command(), matches));
    }
    // For a command with subcommands, the settings follow the name of the subcommand.
    let (inner, given) = matches.subcommand().unwrap_or((name, matches));
    let settings = gather(given);
    // Invalid settings are one of the doctor's findings, not an error.
    if name == "doctor" {
        return ended(doctor::run(settings, matches));
    }
    // An incomplete export or import has an exit code of its own.
    if let "export" | "import" = name {
        let run = if name == "export" { export::run } else { import::run };
        return match settings.and_then(|settings| run(&settings, matches)) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(2),
            Err(reason) => ended(Err(reason)),
        };
    }
    ended(settings.and_then(|settings| match name {
        "serve" => serve::run(&settings),
        "healthcheck" => healthcheck::run(&settings),
        "token" => token::run(&settings, matches),
        "demo" => demo::run(&settings),
        "eval" => eval::run(&settings, matches),
        "audit" => audit::run(&settings),
        "backup" => backup::run(&settings, matches),
        "restore" => restore::run(&settings, matches),
        "keys" => keys::run(&settings, inner, given),
        "person" => person::run(&settings, inner, given),
        "migrate" => migrate::run(&settings),
        other => Err(format!("the command {other} does not exist")),
    }))
}

fn ended(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            note!("fieldbook: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn command() -> Command {
    let commands = [
        serve::command(),
        token::command(),
        demo::command(),
        doctor::command(),
        healthcheck::command(),
        eval::command(),
        audit::command(),
        backup::command(),
        restore::command(),
        export::command(),
        import::command(),
        keys::command(),
        person::command(),
        migrate::command(),
    ];
    Command::new("fieldbook")
        .about("A service for authoring science investigations")
        .version(env!("CARGO_PKG_VERSION"))
        .arg_required_else_help(true)
        .arg(Arg::new("help-settings").long("help-settings").action(ArgAction::SetTrue).help("Print all settings"))
        .subcommands(commands.map(with_settings))
        .subcommands(manual::commands())
}

/// Settings that are true or false. Their flags may stand alone, which means true.
const SWITCHES: [&str; 3] = ["no-migrate", "log.requests", "auth.passwords"];

/// Joins the flag of such a setting with `true` or `false` after it. Any other word after it belongs to the command.
fn joined(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let flags = SWITCHES.map(|name| format!("--{}", settings::flag(name)));
    words.fold(Vec::new(), |mut joined, word| {
        match joined.last_mut() {
            Some(flag) if (word == "true" || word == "false") && flags.iter().any(|known| flag == known.as_str()) => {
                flag.push("=");
                flag.push(word);
            }
            _ => joined.push(word),
        }
        joined
    })
}

fn settings() -> impl Iterator<Item = Arg> {
    SETTINGS.into_iter().map(|(name, help)| {
        let flag = Arg::new(name)
            .long(settings::flag(name))
            .value_name("VALUE")
            .help(format!("{help} [{}]", settings::variable(name)))
            .help_heading("Settings");
        if SWITCHES.contains(&name) {
            flag.num_args(0..=1).require_equals(true).default_missing_value("true")
        } else {
            flag
        }
    })
}

fn with_settings(command: Command) -> Command {
    if command.has_subcommands() {
        return command.mut_subcommands(with_settings);
    }
    let config = Arg::new("config").long("config").value_name("FILE").help("A settings file (TOML)");
    // If a command has a flag with the same name as a setting, only the command's flag is offered.
    let own: Vec<_> = command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    let settings = settings().filter(|flag| !own.iter().any(|id| id == flag.get_id().as_str()));
    let settings = settings.map(|flag| flag.hide(true));
    command.arg(config).args(settings).after_help("Every setting is a flag, too: fieldbook --help-settings")
}

fn gather(matches: &ArgMatches) -> Result<Settings, String> {
    let flags = |name: &str| matches.get_one::<String>(name).cloned();
    let variables = |name: &str| std::env::var(settings::variable(name)).ok();
    let file = matches.get_one::<String>("config").map(PathBuf::from);
    Settings::gather(flags, variables, file.as_deref()).map_err(|e| e.to_string())
}

fn misspelt() -> Vec<UnknownVariable> {
    settings::unknown_variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))
}

async fn app(settings: &Settings) -> Result<App, String> {
    let schema = schema(settings.schema.as_deref())?;
    let assistant = assistant(settings, &schema)?;
    let clock = Clock::system();
    let store = make_store(settings).await?;
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
        questions: Questions::default(),
        pending: Pending::new(settings.settle),
        previews: previews(&clock),
        presses: Presses::new(&clock),
        feed: Feed::new(settings.events_kept, settings.event_streams)
            .with_trash(settings.http.trash_kept())
            .with_audit(settings.audit_kept),
        webhooks: webhooks(settings)?,
        limits: Limits::new(settings.http.resolve_rate_limit, settings.http.assistant_rate_limit, &clock),
        http: settings.http.clone(),
        clock,
    }))
}

/// Opens a store that exists, without migrating it.
async fn open_store(settings: &Settings) -> Result<Store, String> {
    if let Backend::Embedded(folder) = &settings.store.backend {
        check_store_in(folder)?;
    }
    Store::open(StoreLocation { migrate: false, ..settings.store.clone() }).await.map_err(|e| e.to_string())
}

fn check_store_in(folder: &Path) -> Result<(), String> {
    match Store::is_embedded_in(folder) {
        true => Ok(()),
        false => Err(format!("no store exists in the folder {}; check --data", folder.display())),
    }
}

/// Opens the store, and creates it if it is missing. Migrates it if the settings allow that.
async fn make_store(settings: &Settings) -> Result<Store, String> {
    Store::open(settings.store.clone()).await.map_err(|e| e.to_string())
}

fn rules(schema: &Schema) -> Result<Assistant, String> {
    Assistant::for_schema(schema).map_err(|e| format!("the schema cannot be used: {e}"))
}

fn assistant(settings: &Settings, schema: &Schema) -> Result<Assistant, String> {
    let assistant = rules(schema)?;
    let Some(model) = settings.model.clone() else { return Ok(assistant) };
    let model = Model::new(model, Clock::system(), Ids::random());
    Ok(assistant.with_model(Some(model.map_err(|e| format!("the language model cannot be asked: {e}"))?)))
}

fn profiles(settings: &Settings) -> Result<Profiles, String> {
    let Some(profiles) = settings.profiles.clone() else { return Ok(Profiles::none()) };
    Profiles::new(profiles, Clock::system()).map_err(|e| format!("the profile service cannot be asked: {e}"))
}

fn webhooks(settings: &Settings) -> Result<Webhooks, String> {
    let Some(webhooks) = &settings.webhooks else { return Ok(Webhooks::none()) };
    Webhooks::new(webhooks, Ids::random()).map_err(|e| format!("webhooks cannot be sent: {e}"))
}

fn schema(file: Option<&Path>) -> Result<Schema, String> {
    let Some(path) = file else { return Schema::parse(schema::BUILT_IN).map_err(|e| e.to_string()) };
    let text = std::fs::read_to_string(path)
        .map_err(|e| format!("cannot read the schema {}: {e}; check --schema", path.display()))?;
    Schema::parse(&text).map_err(|e| format!("the schema {} cannot be used: {e}", path.display()))
}

fn tokens(settings: &Settings, clock: Clock) -> Result<Tokens, String> {
    let tokens = match &settings.auth {
        Auth::OwnSecret => Tokens::with_secret(&tokens::own_secret(&settings.data)?),
        Auth::Secret(secret) => Tokens::with_secret(secret.as_bytes()),
        Auth::Provider(provider) => Tokens::of_provider(provider, clock)
            .map_err(|reason| format!("tokens cannot be checked with the keys of the provider: {reason}"))?,
    };
    Ok(tokens.with_rules(settings.claims.clone()))
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Runtime::new().map_err(|e| format!("cannot start the runtime: {e}"))
}
