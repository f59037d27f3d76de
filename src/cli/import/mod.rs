//! `fieldbook import`: imports a file, and reports what was not imported. Each investigation is imported completely or
//! not at all.

mod collection;
mod extended;
mod mongo;
mod own;
mod texts;

use std::fmt::Arguments;
use std::fs::{File, Metadata};
use std::io::{BufReader, Read};

use clap::{Arg, ArgAction, ArgMatches, Command};

pub use self::mongo::{Document, Reader};
pub use self::texts::{Text, Texts, Unreadable};
use super::progress::Progress;
use crate::assistant::Assistant;
use crate::domain::json;
use crate::domain::schema::Schema;
use crate::ids::Ids;
use crate::settings::Settings;
use crate::store::{InvestigationSnapshot, Store, StoreError};

/// Maximum size of a line or an array element, in bytes.
pub const MAX_TEXT: usize = 256 * 1024 * 1024;

const LONG_ABOUT: &str = "Imports a file written by `fieldbook export`, or MongoDB documents written by mongoexport, into either backend. The service may be \
running.

Each investigation is imported with its versions, chat, links and visits, completely or not at all. One that exists and is equal is \
skipped, so an import can be repeated; one that exists and differs stays as it is, and is named. Content that violates the content schema \
is imported as it is, and named as well.

From MongoDB it imports collections of investigations, chats and links, each from its own file, investigations first: JSON Lines or one \
array, in canonical or relaxed form. docs/integrators/export.md describes how they are read.";

pub fn command() -> Command {
    Command::new("import").about("Imports an export of Fieldbook or MongoDB").long_about(LONG_ABOUT).args([
        Arg::new("file").value_name("FILE").required(true).help("The file, or - for standard input"),
        Arg::new("from")
            .long("from")
            .value_name("FORM")
            .value_parser(["fieldbook", "mongoexport"])
            .help("The program that wrote the file; without it, detected from the file"),
        Arg::new("dry-run")
            .long("dry-run")
            .action(ArgAction::SetTrue)
            .help("Only reports what would be imported, what would not, and why"),
    ])
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let name = matches.get_one::<String>("file").map(String::as_str).unwrap_or_default();
    let dry_run = matches.get_flag("dry-run");
    let schema = super::schema(settings.schema.as_deref())?;
    let assistant = super::rules(&schema)?;
    let (input, size): (Box<dyn Read>, _) = if name == "-" {
        (Box::new(std::io::stdin().lock()), None)
    } else {
        let file = File::open(name).map_err(|e| format!("cannot read the file {name}: {e}"))?;
        let size = file.metadata().ok().filter(Metadata::is_file).map(|about| about.len());
        (Box::new(file), size)
    };
    let progress = Progress::of_bytes(size);
    let mut texts = Texts::of(BufReader::new(progress.reading(input)), MAX_TEXT);
    let first = texts.next_text().map_err(|e| e.to_string())?;
    let own = match matches.get_one::<String>("from").map(String::as_str) {
        Some(form) => form == "fieldbook",
        None => first.as_ref().is_none_or(|first| !is_document(first)),
    };
    let ids = super::ids()?;
    super::runtime()?.block_on(async {
        // A dry run must neither create nor migrate the store.
        let store = if dry_run { super::open_store(settings).await } else { super::make_store(settings).await }?;
        let import =
            Import { store: &store, schema: &schema, assistant: &assistant, ids: &ids, progress: &progress, dry_run };
        let outcome = if own {
            own::Lines::of(import).take_all(first, &mut texts).await
        } else {
            collection::Documents::of(import).take_all(first, &mut texts).await
        };
        store.close().await;
        outcome
    })
}

/// Returns whether a text is a MongoDB document. Only documents have an `_id`; lines of an export do not.
fn is_document(first: &Text) -> bool {
    let value = first.bytes.as_deref().and_then(|bytes| json::parse_to_depth(bytes, json::MAX_DEPTH + 8).ok());
    value.is_some_and(|value| value.get("_id").is_some())
}

/// Parts of the program that an import uses.
#[derive(Clone, Copy)]
struct Import<'i> {
    store: &'i Store,
    schema: &'i Schema,
    assistant: &'i Assistant,
    ids: &'i Ids,
    progress: &'i Progress,
    dry_run: bool,
}

/// Message of an error that ends an import early.
type Stopped = String;

impl Import<'_> {
    /// Prints a message while the import is running.
    fn say(&self, words: Arguments<'_>) {
        self.progress.say(words);
    }

    fn word(&self) -> &'static str {
        if self.dry_run { "would take" } else { "took" }
    }

    /// Adds an investigation that does not exist in the store. Returns the reason if the investigation was rejected.
    async fn add(&self, line: u64, whole: InvestigationSnapshot) -> Result<Option<String>, Stopped> {
        let id = whole.id();
        let violations = self.schema.violations(&whole.row.investigation.content);
        for visited in &whole.links {
            let (key, sub_link) = (visited.link.key.clone(), visited.link.sub_link.clone());
            if let Some(other) = self.store.link(key, sub_link).await.map_err(|error| stopped(line, &error))? {
                return Ok(Some(format!(
                    "cannot be imported: the link {}/{} leads to the investigation {} here",
                    other.key, other.sub_link, other.investigation_id
                )));
            }
        }
        if !self.dry_run {
            match self.store.add_snapshot(whole).await {
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
            self.say(format_args!(
                "line {line}: the investigation {id} is imported unchanged, and violates the content schema: {} {}{more}",
                first.path, first.message
            ));
        }
        Ok(None)
    }
}

/// Creates the error that ends an import because the store failed. The next lines would fail, too.
fn stopped(line: u64, error: &StoreError) -> Stopped {
    format!("line {line}: {error}; what was imported before stays, and the same import continues from there")
}

/// Returns the result of an import: an error if any lines were rejected.
fn ended(refused: u64) -> Result<(), String> {
    if refused > 0 { Err(format!("{refused} lines were not imported")) } else { Ok(()) }
}
