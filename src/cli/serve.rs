//! `fieldbook serve`: runs the service.

use std::io::IsTerminal;

use clap::Command;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::first_admin::{FirstAdmin, first_admin};
use super::{parts, second_service, service_manager};
use crate::http::{Server, prepare_page};
use crate::settings::{OWN_SECRETS, PLAIN_SIGN_INS, Settings, UnknownVariable};
use crate::telemetry;

/// Maximum time for which the program waits, at its end, for work that cannot be cancelled.
const STOP_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(1);

pub fn command() -> Command {
    Command::new("serve").about("Runs the service until SIGTERM, SIGINT or SIGHUP, then finishes open requests")
}

pub fn run(settings: &Settings) -> Result<(), String> {
    log_to_stderr(settings);
    for UnknownVariable { variable, similar } in parts::misspelt() {
        tracing::warn!(variable, similar, "this environment variable is not a setting and has no effect");
    }
    raise_file_limit();
    settings.model_is_elsewhere().map_err(|e| e.to_string())?;
    let runtime = parts::runtime()?;
    let outcome = runtime.block_on(async {
        if let Some(collector) = &settings.collector {
            telemetry::begin(collector).map_err(|reason| format!("tracing is not possible: {reason}"))?;
        }
        let app = parts::app(settings).await?;
        let _lock = second_service::lock(&settings.store.backend);
        if settings.auth.differs_between_copies(&settings.store.backend) {
            tracing::warn!("{}; {}", OWN_SECRETS.message, OWN_SECRETS.remedy);
        }
        if settings.has_plain_sign_ins() {
            tracing::warn!("{}; {}", PLAIN_SIGN_INS.message, PLAIN_SIGN_INS.remedy);
        }
        let stop = stop_signal()?;
        let server = Server::bind(settings.listen).map_err(|e| e.to_string())?;
        // The service keeps running even if nobody reads its output.
        let _ = say!("listening on http://{}", server.address());
        match first_admin(settings, &app, server.address()).await {
            // Standard output is for programs, so the link for a person goes to standard error.
            Ok(Some(FirstAdmin::Link(link))) => note!("sign in, once, at {link}"),
            Ok(Some(FirstAdmin::Unlinked(id))) => {
                tracing::info!("nobody has signed in yet; for a link, run with the --config of the service: fieldbook person link {id}");
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "there is no link to sign in with"),
        }
        let store = &settings.store.backend;
        tracing::info!(version = env!("CARGO_PKG_VERSION"), %store, address = %server.address(), "started");
        service_manager::ready();
        tokio::task::spawn_blocking(prepare_page);
        let served = server
            .serve(app.clone(), async {
                stop.await;
                service_manager::stopping();
            })
            .await;
        app.store.close().await;
        telemetry::end().await;
        served.map_err(|e| e.to_string())
    });
    // No caller waits for work that is still running now, so it may be abandoned.
    runtime.shutdown_timeout(STOP_TIMEOUT);
    outcome
}

/// Raises the limit of open files as far as this process may. A shell starts programs with 1024, which is fewer than
/// the connections of all event streams.
fn raise_file_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(%error, "could not raise the limit on open files");
    }
}

/// Returns a future that resolves when SIGTERM, SIGINT or SIGHUP arrives. A signal that arrives after this call is
/// never lost.
fn stop_signal() -> Result<impl Future<Output = ()>, String> {
    let failed = |e: std::io::Error| format!("cannot wait for signals: {e}");
    let mut terminated = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupted = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut hung_up = if ignores_hangup() { None } else { Some(signal(SignalKind::hangup()).map_err(failed)?) };
    Ok(async move {
        let hangup = async {
            match &mut hung_up {
                Some(hung_up) => drop(hung_up.recv().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
            () = hangup => {}
        }
        tracing::info!("stopping");
    })
}

/// Returns whether this process has ignored SIGHUP since it was started. For example, `nohup` starts a program in this
/// way, so that the program keeps running after its terminal is closed.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or_default();
    // SIGHUP is signal 1, so it has the lowest bit.
    ignored & 1 == 1
}

fn log_to_stderr(settings: &Settings) {
    let logs = tracing_subscriber::fmt().with_max_level(settings.log_level).with_writer(std::io::stderr);
    // The log omits the MCP library, which logs several lines for each message, some with its text.
    let shown = Targets::new().with_default(settings.log_level).with_target("rmcp", LevelFilter::OFF);
    // Starting the log fails only if it was started before, which is not a reason to stop.
    let _ = if settings.log_json {
        logs.json().flatten_event(true).with_current_span(true).with_span_list(false).finish().with(shown).try_init()
    } else {
        logs.with_target(false).with_ansi(std::io::stderr().is_terminal()).finish().with(shown).try_init()
    };
}
