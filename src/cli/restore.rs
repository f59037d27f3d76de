//! `fieldbook restore`: replaces the embedded store with a backup.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::argument::text;
use super::import::SESSIONS_ENDED;
use crate::settings::Settings;
use crate::store::Backend;
use crate::store::sqlite::backup::{self, Allowed, Contents};

/// What a backup and a restore have verified. Only the doctor reads each row.
pub const VERIFIED: &str = "its pages are sound; check the rows with fieldbook doctor";

const LONG_ABOUT: &str = "Restores a file written by `fieldbook backup`. The file is copied next to the store and verified, and then replaces it in one \
step. Stop the service first. An existing store is replaced only with --replace. A damaged file is refused: its last line is the SHA-256 of all bytes \
before that line. A backup has no sessions or sign-in links. People have the state of the backup, so disable again anyone whom you have disabled since then. With --without-checksum, a copy of the store of a stopped service is restored, too, and only its pages are checked.";

pub fn command() -> Command {
    Command::new("restore").about("Restores the embedded store from a backup").long_about(LONG_ABOUT).args([
        Arg::new("source").value_name("SOURCE").required(true).help("A file written by fieldbook backup"),
        Arg::new("replace").long("replace").action(ArgAction::SetTrue).help("Replace an existing store, which is lost"),
        Arg::new("without-checksum")
            .long("without-checksum")
            .action(ArgAction::SetTrue)
            .help("Accept a file without a checksum, such as a copy of the store of a stopped service"),
    ])
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let source = Path::new(text(matches, "source"));
    let Backend::Embedded(folder) = &settings.store.backend else {
        return Err(format!(
            "fieldbook restore works only with the embedded store. For PostgreSQL, use pg_restore with a dump by pg_dump; or restore {} to a folder, and bring that store here with fieldbook export and fieldbook import",
            source.display()
        ));
    };
    let without_checksum = matches.get_flag("without-checksum");
    let allowed = Allowed { replace: matches.get_flag("replace"), without_checksum };
    let contents = backup::restore(source, folder, allowed).map_err(|e| e.to_string())?;
    note!("fieldbook: {SESSIONS_ENDED}");
    say!("restored {} in the folder {}; {VERIFIED}", summary(contents), folder.display())
}

pub fn summary(contents: Contents) -> String {
    let Contents { investigations, records, links } = contents;
    format!("{investigations} investigations with {records} version records and {links} links")
}
