//! `fieldbook doctor`: finds problems before users do, and changes nothing.
//!
//! This file collects diagnostics from the other parts of the program. The other files of this folder check the
//! diagnostics with pure functions.

mod clock;
mod finding;
mod folder;
mod services;
mod store;
mod webhooks;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tokio::time::timeout;

use self::clock::ClockReading;
use self::finding::{Finding, Level};
use crate::assistant::model::LocalModel;
use crate::clock::Clock;
use crate::domain::time::Timestamp;
use crate::profiles;
use crate::settings::{Auth, Settings};
use crate::store::diagnostics::Diagnosis;
use crate::store::{Backend, Store};
use crate::tokens::{self, ProviderSettings};
use crate::webhooks::names_of;

/// Time limit for one check. All checks run concurrently.
const LIMIT: Duration = Duration::from_secs(10);

/// Time limit for reading an embedded store. It is shorter than [`LIMIT`], so that a slow read does not hide the other
/// results about the store.
const READING: Duration = Duration::from_secs(6);

/// Maximum time that the program waits for an unfinished check before it exits.
const STOP_TIMEOUT: Duration = Duration::from_millis(100);

const SETTINGS: &str = "settings";
const SCHEMA: &str = "schema";

pub fn command() -> Command {
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue).help("Prints one JSON object, for programs");
    Command::new("doctor").about("Reports problems of the service with these settings, and changes nothing").arg(json)
}

pub fn run(settings: Result<Settings, String>, matches: &ArgMatches) -> Result<(), String> {
    let findings = match settings {
        Err(sentence) => vec![Finding::from_sentence(SETTINGS, &sentence, "see config.default.toml")],
        Ok(settings) => {
            let runtime = super::runtime()?;
            let findings = runtime.block_on(diagnose(settings));
            runtime.shutdown_timeout(STOP_TIMEOUT);
            findings
        }
    };
    let report = if matches.get_flag("json") {
        finding::as_json(&findings)
    } else {
        findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n")
    };
    // The reader may have closed the pipe. The exit code still tells whether there are problems.
    let _ = writeln!(std::io::stdout(), "{report}");
    match findings.iter().filter(|finding| finding.level == Level::Problem).count() {
        0 => Ok(()),
        1 => Err("there is a problem".to_owned()),
        count => Err(format!("there are {count} problems")),
    }
}

async fn diagnose(settings: Settings) -> Vec<Finding> {
    let clock = Clock::system();
    let model = check_model(&settings, &clock);
    let Settings { data, store: place, schema, auth, profiles, webhooks, collector, given, .. } = settings.clone();
    let (backend, migrates) = (place.backend.clone(), place.migrate);
    let (folder, schema, seen, provider, profiles, model, collector) = tokio::join!(
        check_folder(data, &auth, &backend),
        check_schema(schema),
        // The embedded store blocks the thread, so this check runs on a separate one.
        in_time(blocking(move || tokio::runtime::Handle::current().block_on(Store::diagnose(place, READING)))),
        check_provider(&auth, &clock),
        async {
            let Some(settings) = &profiles else { return Finding::not_set_up(services::PROFILES) };
            let look = in_time(async { Some(profiles::diagnose(settings, clock.clone()).await) }).await;
            look.map_or_else(|| timed_out(services::PROFILES), |look| services::of_profiles(&look))
        },
        model,
        async {
            let Some(collector) = &collector else { return Finding::not_set_up(services::COLLECTOR) };
            let reached = in_time(async { Some(collector.reach().await) }).await;
            reached.map_or_else(|| timed_out(services::COLLECTOR), |reached| services::of_collector(&reached))
        },
    );
    let ((folder, secret), (provider, its_time), (model, model_time)) = (folder, provider, model);
    let newest = seen.as_ref().and_then(|seen: &Result<Diagnosis, String>| seen.as_ref().ok()?.newest);
    let went_back = seen.as_ref().and_then(|seen| seen.as_ref().ok()?.went_back);
    let readings: Vec<ClockReading> = its_time.into_iter().chain(model_time).collect();
    let mut findings = vec![of_settings(&given)];
    findings.extend(super::misspelt().into_iter().map(|(variable, similar)| {
        let message = format!("the environment variable {variable} is no setting and has no effect");
        Finding::warning(SETTINGS, message, format!("rename it, perhaps to {similar}, or remove it"))
    }));
    findings.extend(folder);
    let endpoints = webhooks.map(|webhooks| webhooks.urls).unwrap_or_default();
    let endpoints: Vec<_> = endpoints.iter().filter_map(|url| names_of(url)).collect();
    let known = seen.as_ref().and_then(|seen| seen.as_ref().ok()?.webhooks.as_deref());
    let webhooks = webhooks::of_webhooks(&endpoints, known, clock.now());
    findings.extend(seen.map_or_else(|| vec![timed_out("store")], |seen| store::of_store(&backend, migrates, &seen)));
    findings.push(clock::of_clock(clock.now(), newest, went_back, &readings));
    findings.extend([schema, secret, provider, profiles, model]);
    findings.extend(webhooks);
    findings.push(collector);
    findings
}

fn of_settings(given: &[(&'static str, String)]) -> Finding {
    let report = given.iter().map(|(name, origin)| format!("{name} from {origin}")).collect::<Vec<_>>().join(", ");
    let others = if report.is_empty() { "all have default values".to_owned() } else { format!("set: {report}") };
    Finding::ok(SETTINGS, format!("valid; {others}"))
}

async fn check_folder(data: PathBuf, auth: &Auth, backend: &Backend) -> (Vec<Finding>, Finding) {
    let own_secret = matches!(auth, Auth::OwnSecret);
    let path = data.clone();
    let seen = in_time(blocking(move || folder::diagnose(&path))).await;
    let of_folder = match &seen {
        _ if !own_secret && matches!(backend, Backend::Postgres { .. }) => vec![Finding::ok("data-folder", "not used")],
        None => vec![timed_out("data-folder")],
        Some((folder, _, user)) => {
            let user = if own_secret { folder::of_user(user) } else { None };
            folder::of_folder(&data, folder).into_iter().chain(user).collect()
        }
    };
    let of_secret = match (auth, &seen) {
        (Auth::Provider(_), _) => folder::no_secret(),
        (Auth::Secret(_), _) => folder::secret_of_settings(),
        (Auth::OwnSecret, None) => timed_out("secret"),
        (Auth::OwnSecret, Some((_, secret, _))) => folder::of_secret(secret, auth.differs_between_copies(backend)),
    };
    (of_folder, of_secret)
}

async fn check_schema(file: Option<PathBuf>) -> Finding {
    let which = if file.is_some() { "the given schema" } else { "the built-in schema" };
    let read = blocking(move || {
        let schema = super::schema(file.as_deref())?;
        super::rules(&schema).map(drop)
    });
    match in_time(read).await {
        None => timed_out(SCHEMA),
        Some(Ok(())) => Finding::ok(SCHEMA, format!("{which} and its rules are valid")),
        Some(Err(sentence)) => {
            Finding::from_sentence(SCHEMA, &sentence, "correct it, or omit --schema to use the built-in schema")
        }
    }
}

async fn check_provider(auth: &Auth, clock: &Clock) -> (Finding, Option<ClockReading>) {
    let Auth::Provider(settings) = auth else { return (Finding::not_set_up(services::PROVIDER), None) };
    let ProviderSettings { audience, .. } = settings;
    let Some(look) = in_time(async { Some(tokens::diagnose(settings).await) }).await else {
        return (timed_out(services::PROVIDER), None);
    };
    let date = look.as_ref().ok().and_then(|look| look.date);
    let reading = reading("identity provider", date, clock);
    (services::of_provider(&look, audience.is_some()), reading)
}

async fn check_model(settings: &Settings, clock: &Clock) -> (Finding, Option<ClockReading>) {
    let Some(choice) = settings.model.clone() else {
        let found = LocalModel::find(settings.local_ports.iter().copied()).await;
        return (services::of_no_model(found.map(|found| found.advice(settings.listen))), None);
    };
    if let Err(fault) = settings.model_is_elsewhere() {
        return (Finding::from_sentence(services::MODEL, &fault.to_string(), "check assistant-base-url"), None);
    }
    let model = async { choice.model(clock.clone(), super::ids()?).await.map_err(|e| e.to_string()) };
    let Some(model) = in_time(async { Some(model.await) }).await else { return (timed_out(services::MODEL), None) };
    let model = match model {
        Ok(model) => model,
        Err(sentence) => {
            return (Finding::from_sentence(services::MODEL, &sentence, "check the settings of assistant"), None);
        }
    };
    let Some(look) = in_time(async { Some(model.diagnose().await) }).await else {
        return (timed_out(services::MODEL), None);
    };
    (services::of_model(model.name(), &look.answer), reading("language model", look.date, clock))
}

fn reading(of: &'static str, service_time: Option<Timestamp>, clock: &Clock) -> Option<ClockReading> {
    service_time.map(|service_time| ClockReading { of, service_time, local_time: clock.now() })
}

/// Runs a check. Returns `None` if the check exceeds [`LIMIT`] or has no result.
async fn in_time<T>(check: impl Future<Output = Option<T>>) -> Option<T> {
    timeout(LIMIT, check).await.ok().flatten()
}

/// Runs blocking work on a separate thread. Returns `None` if the work panics.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

fn timed_out(check: &'static str) -> Finding {
    let says = format!("the check did not finish within {} s", LIMIT.as_secs());
    Finding::problem(check, says, "find out what blocks it, and run doctor again")
}
