//! `fieldbook move-store`: copies a whole store to another location or backend, and compares the two stores on request.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::progress::Progress;
use crate::settings::Settings;
use crate::store::transfer;
use crate::store::{Address, Backend, Place, Store};

/// Number of database connections per store. Two suffice, because one investigation is copied at a time.
const CONNECTIONS: usize = 2;

const LONG_ABOUT: &str = "Copies a whole store to another place or backend: all investigations with their versions, chats, links and visits, \
and cached findings of a language model.

Stop the service first; changes made during a copy need another copy. If a copy is interrupted, run the same command again: it skips \
what is already equal and replaces investigations that are older in the target.

Nothing is deleted in the target, and nothing newer is overwritten. If the target has investigations, revisions, links or visits that \
the source lacks, the command names them and copies nothing. This also happens if they were deleted in the source after an earlier copy: \
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
            "copied {} investigations, replaced {}, {} existed already; copied the cached findings of {} contents",
            copied.new,
            copied.replaced,
            copied.skipped,
            copied.detections
        );
    }
    if verify {
        let compared =
            transfer::compare(from, to, |difference| say!("{difference}")).await.map_err(|e| e.to_string())?;
        if compared.differences > 0 {
            return Err(format!("the two stores differ in {} places", compared.differences));
        }
        say!(
            "compared {} investigations, and the cached findings of {} contents: all are equal",
            compared.investigations,
            compared.detections
        );
    }
    Ok(())
}

/// Opens the store that a flag names. Error messages never repeat its address, which may contain a password.
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
    Store::open(Place { backend, migrate }).await.map_err(|e| with_flag(e.to_string()))
}
