//! The command.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::importer::{Importer, Target, read_head};
use super::texts::{MAX_TEXT, Texts};
use crate::cli::argument::text;
use crate::cli::parts;
use crate::private_file;
use crate::settings::Settings;
use crate::store::{Backend, Store};

const LONG_ABOUT: &str = "Imports a file written by `fieldbook export` into either backend. The service may be running, unless the file has an audit log.

Each investigation is imported with its versions, chat, links and visits, completely or not at all. One that exists and is equal is \
skipped, so an import can be repeated; one that exists and differs stays as it is, and is named. Content that violates the content schema \
is imported as it is, and named as well. If anything new is imported, all sessions and sign-in links end. If something was not imported, the exit code is 2, as after a dry run that cannot read an existing store.

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

/// Runs the command. Returns false if something was not imported and the flag `--lossy` does not allow that. Also
/// returns false after a dry run that could not read an existing store.
pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<bool, String> {
    let name = text(matches, "file");
    let dry_run = matches.get_flag("dry-run");
    let schema = parts::schema(settings.schema.as_deref())?;
    let assistant = parts::rules(&schema)?;
    let mut texts = Texts::of(BufReader::new(open(name)?), MAX_TEXT);
    // A file that is no export must not leave an empty store.
    read_head(&mut texts)?;
    let is_new = |folder: &&PathBuf| !Store::is_embedded_in(folder);
    let new_folder = match &settings.store.backend {
        Backend::Embedded(folder) => Some(folder).filter(is_new),
        Backend::Postgres { .. } => None,
    };
    let mut is_unread = false;
    let rejected = parts::runtime()?.block_on(async {
        // A dry run neither creates nor migrates the store. It compares with the store if it can be read.
        let store = if dry_run {
            match parts::open_store(settings).await {
                Ok(store) => Some(store),
                Err(reason) => {
                    say!("nothing is compared with a store: {reason}")?;
                    is_unread = new_folder.is_none();
                    None
                }
            }
        } else {
            Some(parts::make_store(settings).await?)
        };
        let target = Target { store: store.as_ref(), schema: &schema, assistant: &assistant, dry_run };
        let outcome = Importer::new(target).import_all(&mut texts).await;
        if let Some(store) = &store {
            store.close().await;
        }
        if let Some(folder) = new_folder.filter(|_| outcome.is_err() && store.is_some()) {
            say!("a new store was created in the folder {}", folder.display())?;
        }
        outcome
    })?;
    if is_unread {
        note!("fieldbook: nothing was compared with the store");
        return Ok(false);
    }
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
    let file = File::open(name).map_err(|e| private_file::failed("read the file", Path::new(name), &e))?;
    Ok(Box::new(file))
}
