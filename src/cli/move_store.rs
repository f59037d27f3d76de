//! `fieldbook move-store`: copies a whole store to another location or backend, and compares the two stores on request.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::progress::Progress;
use crate::settings::Settings;
use crate::store::transfer;
use crate::store::{Address, Backend, Store, StoreLocation};

/// Number of database connections per store. Two suffice, because one investigation is copied at a time.
const CONNECTIONS: usize = 2;

const LONG_ABOUT: &str = "Copies a whole store to another place or backend: all investigations with their versions, chats, links and visits, \
API keys, the audit log, and what a language model found. Events, first answers of requests with an Idempotency-Key, the trash, and \
the token secret are not copied.

Stop the service first: what it writes during a copy is not copied, and needs another copy. If a copy is interrupted, run the same command again: it skips \
what is already equal and replaces investigations that are older in the target.

Nothing is deleted in the target, and nothing newer is overwritten. If the target has investigations, revisions, API keys or entries of \
the audit log that the source lacks, the command names them and copies nothing. At an investigation with links or visits that the source \
lacks it stops. This also happens if they were deleted in the source after an earlier copy: \
delete them in the target as well, or choose an empty one.";

pub fn command() -> Command {
    let place = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("PLACE").required(true).help(help)
    };
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new("move-store").about("Copies a whole store to another place or backend").long_about(LONG_ABOUT).args([
        place("from", "The source: a data folder, or a PostgreSQL as postgres://…"),
        place("to", "The target: a data folder, or a PostgreSQL as postgres://…"),
        flag("verify", "Then compares all records, and fails if any differ"),
        flag("verify-only", "Only compares all records, and fails if any differ"),
    ])
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let only = matches.get_flag("verify-only");
    super::runtime()?.block_on(async {
        if !only && Store::is_used_by_another(Path::new(text("from"))) {
            eprintln!("another process is using {}; what it writes from now on is not copied", text("from"));
        }
        let from = open("--from", text("from"), true, false).await?;
        let to = open("--to", text("to"), only, settings.store.migrate && !only).await?;
        let outcome = work(&from, &to, !only, only || matches.get_flag("verify")).await;
        from.close().await;
        to.close().await;
        outcome
    })
}

async fn work(from: &Store, to: &Store, copy: bool, verify: bool) -> Result<(), String> {
    if copy {
        let progress = Progress::of_investigations();
        let outcome = transfer::copy(from, to, |done, total| progress.show(done, Some(total))).await;
        drop(progress);
        let copied = outcome.map_err(|e| e.to_string())?;
        say!(
            "copied {}, replaced {}, {} existed already; copied {}",
            counted(copied.new, "investigation", "investigations"),
            copied.replaced,
            copied.skipped,
            beside_investigations(copied.api_keys, copied.audit_entries, copied.detections)
        );
        say!("not copied: events, first answers of requests with an Idempotency-Key, the trash, and the token secret");
    }
    if verify {
        let compared =
            transfer::compare(from, to, |difference| say!("{difference}")).await.map_err(|e| e.to_string())?;
        if compared.differences > 0 {
            return Err(format!("the two stores differ in {}", counted(compared.differences, "place", "places")));
        }
        say!(
            "compared {}, {}: all are equal",
            counted(compared.investigations, "investigation", "investigations"),
            beside_investigations(compared.api_keys, compared.audit_entries, compared.detections)
        );
    }
    Ok(())
}

/// Returns a phrase with these numbers, such as `2 API keys and 9 entries of the audit log`.
fn beside_investigations(api_keys: u64, audit_entries: u64, detections: u64) -> String {
    let keys = counted(api_keys, "API key", "API keys");
    let entries = counted(audit_entries, "entry", "entries");
    match detections {
        0 => format!("{keys} and {entries} of the audit log"),
        texts => format!(
            "{keys}, {entries} of the audit log, and what a language model found, for {}",
            counted(texts, "text", "texts")
        ),
    }
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Opens the store that a flag names. Error messages never contain the store's address, which may contain a password.
async fn open(flag: &str, text: &str, must_be_there: bool, migrate: bool) -> Result<Store, String> {
    let backend = if text.contains("://") {
        let address = Address::parse(text).map_err(|reason| format!("the address given with {flag} {reason}"))?;
        Backend::Postgres { address, connections: CONNECTIONS }
    } else {
        let folder = PathBuf::from(text);
        if must_be_there {
            super::store_in(&folder, flag)?;
        }
        Backend::Embedded(folder)
    };
    // The store's messages name the flags of the service, so this replaces them with the flag of this command.
    let with_flag = |reason: String| reason.replace("--database", flag).replace("--data", flag);
    Store::open(StoreLocation { backend, migrate }).await.map_err(|e| with_flag(e.to_string()))
}
