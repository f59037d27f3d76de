//! `fieldbook import`: imports a file, and reports what was not imported. Each investigation is imported completely or
//! not at all.

mod export_lines;
mod texts;

use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, Read};

use clap::{Arg, ArgAction, ArgMatches, Command};

pub use self::texts::{Text, Texts};
use crate::assistant::Assistant;
use crate::domain::id::ObjectId;
use crate::domain::link::Link;
use crate::domain::schema::Schema;
use crate::settings::Settings;
use crate::store::{InvestigationSnapshot, Store, StoreError};

/// Maximum size of one line of an imported file, in bytes.
pub const MAX_TEXT: usize = 256 * 1024 * 1024;

const LONG_ABOUT: &str = "Imports a file written by `fieldbook export` into either backend. The service may be running, unless the file has an audit log.

Each investigation is imported with its versions, chat, links and visits, completely or not at all. One that exists and is equal is \
skipped, so an import can be repeated; one that exists and differs stays as it is, and is named. Content that violates the content schema \
is imported as it is, and named as well. If something was not imported, the exit code is 2.

`fieldbook-from-mongo` makes such a file from collections of MongoDB.";

pub fn command() -> Command {
    Command::new("import").about("Imports an export of Fieldbook").long_about(LONG_ABOUT).args([
        Arg::new("file").value_name("FILE").required(true).help("The file, or - for standard input"),
        Arg::new("dry-run")
            .long("dry-run")
            .action(ArgAction::SetTrue)
            .help("Only reports what would be imported, what would not, and why; needs no store"),
        Arg::new("lossy").long("lossy").action(ArgAction::SetTrue).help("Succeeds even if something was left out"),
    ])
}

/// Runs the command. Returns false if something was not imported, unless the flag `--lossy` allows that.
pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<bool, String> {
    let name = matches.get_one::<String>("file").map(String::as_str).unwrap_or_default();
    let dry_run = matches.get_flag("dry-run");
    let schema = super::schema(settings.schema.as_deref())?;
    let assistant = super::rules(&schema)?;
    let mut texts = Texts::of(BufReader::new(open(name)?), MAX_TEXT);
    let incomplete = super::runtime()?.block_on(async {
        // A dry run neither creates nor migrates the store. It compares with the store if it can be read.
        let store = if dry_run {
            let opened = super::open_store(settings).await;
            opened.inspect_err(|reason| say!("nothing is compared with a store: {reason}")).ok()
        } else {
            Some(super::make_store(settings).await?)
        };
        let import = Import { store: store.as_ref(), schema: &schema, assistant: &assistant, dry_run };
        let outcome = export_lines::LineImport::of(import).import_all(&mut texts).await;
        if let Some(store) = &store {
            store.close().await;
        }
        outcome
    })?;
    let Some(reason) = incomplete.filter(|_| !matches.get_flag("lossy")) else { return Ok(true) };
    eprintln!("fieldbook: {reason}");
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

#[derive(Clone, Copy)]
struct Import<'i> {
    /// The store; `None` in a dry run that could not open a store. Such a dry run treats everything in the file as new.
    store: Option<&'i Store>,
    schema: &'i Schema,
    assistant: &'i Assistant,
    dry_run: bool,
}

/// Message of an error that ends an import early.
type Stopped = String;

impl Import<'_> {
    fn verb(&self) -> &'static str {
        if self.dry_run { "would take" } else { "took" }
    }

    async fn snapshot(&self, line: impl Display, id: ObjectId) -> Result<Option<InvestigationSnapshot>, Stopped> {
        let Some(store) = self.store else { return Ok(None) };
        store.whole(id).await.map_err(|error| stopped(line, &error))
    }

    /// Returns the stored link with the same address as `link`.
    async fn link(&self, line: impl Display, link: &Link) -> Result<Option<Link>, Stopped> {
        let Some(store) = self.store else { return Ok(None) };
        store.link(link.key.clone(), link.sub_link.clone()).await.map_err(|error| stopped(line, &error))
    }

    /// Adds an investigation that does not exist in the store. Returns the reason if the investigation was rejected.
    async fn add(&self, line: impl Display, whole: InvestigationSnapshot) -> Result<Option<String>, Stopped> {
        let id = whole.id();
        let violations = self.schema.violations(&whole.row.investigation.content);
        for visited in &whole.links {
            if let Some(other) = self.link(&line, &visited.link).await? {
                return Ok(Some(format!(
                    "cannot be imported: the link {} leads to the investigation {} here",
                    other.address(),
                    other.investigation_id
                )));
            }
        }
        if let Some(store) = self.store.filter(|_| !self.dry_run) {
            match store.add_snapshot(whole).await {
                Ok(true) => {}
                Ok(false) => {
                    return Ok(Some(format!("cannot be imported: the investigation {id} was created here meanwhile")));
                }
                Err(StoreError::Failed(reason)) => return Ok(Some(format!("cannot be imported: {reason}"))),
                Err(error) => return Err(stopped(line, &error)),
            }
        }
        if let Some(first) = violations.first() {
            let more = match violations.len() {
                1 => String::new(),
                several => format!(", and {} more", several - 1),
            };
            say!(
                "line {line}: the investigation {id} is imported unchanged, and violates the content schema: {} {}{more}",
                first.path,
                first.message
            );
        }
        Ok(None)
    }
}

/// Creates the error of an import that ends early, because the store failed and would fail for the next lines, too.
fn stopped(line: impl Display, error: &StoreError) -> Stopped {
    format!("line {line}: {error}; what was imported before stays, and the same import continues from there")
}
