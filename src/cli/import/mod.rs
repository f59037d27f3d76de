//! `fieldbook import`: imports a file, and reports what was not imported. Each investigation is imported completely or
//! not at all.

mod importer;
mod texts;

use std::fs::File;
use std::io::{BufReader, Read};

use clap::{Arg, ArgAction, ArgMatches, Command};

use self::importer::{Importer, Target};
pub use self::texts::{Text, Texts};
use crate::settings::Settings;

/// What an operator must know after an import or a restore.
pub const SESSIONS_ENDED: &str = "all sessions and sign-in links were ended; people are as in the file, so disable again anyone you disabled since then";

/// What an import says about people without passwords.
pub const NO_PASSWORDS: &str =
    "no passwords were imported: export with --with-passwords, or make links with fieldbook person link";

/// Maximum size of one line of an imported file, in bytes.
pub const MAX_TEXT: usize = 256 * 1024 * 1024;

const LONG_ABOUT: &str = "Imports a file written by `fieldbook export` into either backend. The service may be running, unless the file has an audit log.

Each investigation is imported with its versions, chat, links and visits, completely or not at all. One that exists and is equal is \
skipped, so an import can be repeated; one that exists and differs stays as it is, and is named. Content that violates the content schema \
is imported as it is, and named as well. If anything new is imported, all sessions and sign-in links end. If something was not imported, the exit code is 2.

`fieldbook-from-mongo` makes such a file from collections of MongoDB.";

pub fn command() -> Command {
    Command::new("import").about("Imports an export of Fieldbook").long_about(LONG_ABOUT).args([
        Arg::new("file").value_name("FILE").required(true).help("The file, or - for standard input"),
        Arg::new("dry-run")
            .long("dry-run")
            .action(ArgAction::SetTrue)
            .help("Only report what would be imported, what would not, and why; needs no store"),
        Arg::new("lossy").long("lossy").action(ArgAction::SetTrue).help("Exit with 0 even if something was left out"),
    ])
}

/// Runs the command. Returns false if something was not imported, unless the flag `--lossy` allows that.
pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<bool, String> {
    let name = matches.get_one::<String>("file").map(String::as_str).unwrap_or_default();
    let dry_run = matches.get_flag("dry-run");
    let schema = super::schema(settings.schema.as_deref())?;
    let assistant = super::rules(&schema)?;
    let mut texts = Texts::of(BufReader::new(open(name)?), MAX_TEXT);
    let rejected = super::runtime()?.block_on(async {
        // A dry run neither creates nor migrates the store. It compares with the store if it can be read.
        let store = if dry_run {
            match super::open_store(settings).await {
                Ok(store) => Some(store),
                Err(reason) => {
                    say!("nothing is compared with a store: {reason}")?;
                    None
                }
            }
        } else {
            Some(super::make_store(settings).await?)
        };
        let target = Target { store: store.as_ref(), schema: &schema, assistant: &assistant, dry_run };
        let outcome = Importer::new(target).import_all(&mut texts).await;
        if let Some(store) = &store {
            store.close().await;
        }
        outcome
    })?;
    if rejected == 0 || matches.get_flag("lossy") {
        return Ok(true);
    }
    note!("fieldbook: {rejected} lines were not imported");
    Ok(false)
}

/// Opens a file. The name `-` means standard input.
fn open(name: &str) -> Result<Box<dyn Read>, String> {
    if name == "-" {
        return Ok(Box::new(std::io::stdin()));
    }
    let file = File::open(name).map_err(|e| format!("cannot read the file {name}: {e}"))?;
    Ok(Box::new(file))
}
