//! `fieldbook backup`: copies the embedded store to one file, even while the service is running.

use std::path::Path;

use clap::{Arg, ArgMatches, Command};

use super::argument::text;
use super::with_store::with_store;
use super::{audit, parts, restore};
use crate::domain::audit::AuditAction;
use crate::settings::{Auth, Settings};
use crate::store::Backend;
use crate::store::sqlite::backup;
use crate::tokens::SECRET_FILE;

const LONG_ABOUT: &str = "Copies the embedded store, as of one moment, to a new SQLite file and verifies it. The service may be running. Only the owner can read \
the file, and it gets its name only when it is complete and on disk. Its last line is a checksum, which `fieldbook restore` verifies.

The secret that signs tokens, sessions and sign-in links are not included, so a backup lets nobody sign in. `fieldbook restore` restores a backup.";

pub fn command() -> Command {
    Command::new("backup")
        .about("Backs up the embedded store to one file while it is in use")
        .long_about(LONG_ABOUT)
        .arg(Arg::new("dest").value_name("DEST").required(true).help("A new file"))
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let target = Path::new(text(matches, "dest"));
    let Backend::Embedded(folder) = &settings.store.backend else {
        return Err(format!(
            "fieldbook backup copies the embedded store; for PostgreSQL, use its own tools: pg_dump --format=custom --exclude-table-data=session --exclude-table-data=sign_in_link --file={} with its address, or fieldbook export for a file that either backend takes",
            target.display()
        ));
    };
    parts::check_store_in(folder)?;
    let contents = backup::back_up(folder, target).map_err(|e| e.to_string())?;
    // A backup is most valuable when the store can no longer be written, so a missing audit entry is only reported.
    note_backup(settings).unwrap_or_else(|reason| note!("fieldbook: {reason}"));
    say!("backed up {}; {}", restore::summary(contents), restore::VERIFIED)?;
    let secret = settings.data.join(SECRET_FILE);
    if matches!(settings.auth, Auth::OwnSecret) && secret.exists() {
        say!(
            "the secret {} is not included: keep a separate copy, or tokens stop working without it",
            secret.display()
        )?;
    }
    Ok(())
}

fn note_backup(settings: &Settings) -> Result<(), String> {
    with_store(settings, async |store| audit::note(store, AuditAction::BackedUp).await)
}
