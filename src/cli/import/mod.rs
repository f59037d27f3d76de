//! `fieldbook import`: imports a file, and reports what was not imported. Each investigation is imported completely or
//! not at all.

mod chats;
mod collection;
mod export_lines;
mod extended;
mod field_map;
mod links;
mod members;
mod mongo;
mod texts;
mod values;
mod versions;

use std::fmt::{Arguments, Display};
use std::fs::{File, Metadata};
use std::io::{BufReader, Read};

use clap::{Arg, ArgAction, ArgMatches, Command};

pub use self::field_map::FieldMap;
pub use self::mongo::{Document, Kind, Reader};
pub use self::texts::{Text, Texts, Unreadable};
use super::progress::Progress;
use crate::domain::id::ObjectId;
use crate::domain::json;
use crate::domain::link::Link;
use crate::domain::schema::Schema;
use crate::ids::Ids;
use crate::settings::Settings;
use crate::store::{InvestigationSnapshot, Store, StoreError};

/// Maximum size of one line, or of one element of an array, in an imported file, in bytes.
pub const MAX_TEXT: usize = 256 * 1024 * 1024;

const LONG_ABOUT: &str = "Imports a file written by `fieldbook export`, or MongoDB documents written by mongoexport, into either backend. The service may be \
running.

Each investigation is imported with its versions, chat, links and visits, completely or not at all. One that exists and is equal is \
skipped, so an import can be repeated; one that exists and differs stays as it is, and is named. Content that violates the content schema \
is imported as it is, and named as well.

From MongoDB it imports collections of investigations, chats and links, each from its is_export file, investigations first: JSON Lines or one \
array, in canonical or relaxed form. Everything in a file is imported or reported; if something was left out, the exit code is 2. \
docs/integrators/import.md describes how documents are read.";

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
            .help("Only reports what would be imported, what would not, and why; needs no store"),
        Arg::new("as")
            .long("as")
            .value_name("KIND")
            .value_parser(Kind::NAMES.map(|(name, _)| name))
            .help("What the MongoDB documents are; without it, each document shows it"),
        Arg::new("versions")
            .long("versions")
            .value_name("FILE")
            .help("A MongoDB collection with earlier versions of the investigations in FILE"),
        Arg::new("map")
            .long("map")
            .value_name("FILE")
            .help("Where members of MongoDB documents go: paths in TOML or JSON"),
        Arg::new("lossy").long("lossy").action(ArgAction::SetTrue).help("Succeeds even if something was left out"),
    ])
}

/// Runs the command. Returns false if something was not imported, unless the flag `--lossy` allows that.
pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<bool, String> {
    let given = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let dry_run = matches.get_flag("dry-run");
    let schema = super::schema(settings.schema.as_deref())?;
    let assistant = super::rules(&schema)?;
    let (input, size) = open(given("file").unwrap_or_default())?;
    let progress = Progress::of_bytes(size);
    let mut texts = Texts::of(BufReader::new(progress.reading(input)), MAX_TEXT);
    let first = texts.next_text().map_err(|e| e.to_string())?;
    let of_documents = ["as", "map", "versions"].into_iter().any(|name| given(name).is_some());
    let is_export = match given("from") {
        Some(form) => form == "fieldbook",
        None => !of_documents && first.as_ref().is_none_or(|first| !is_document(first)),
    };
    if is_export && of_documents {
        return Err("--as, --map and --versions are for documents of MongoDB".to_owned());
    }
    let map = given("map").map(|name| {
        let text = std::fs::read_to_string(name).map_err(|e| format!("cannot read the file {name}: {e}"))?;
        FieldMap::parse(&text).map_err(|e| format!("the map {name} cannot be used: {e}"))
    });
    let map = map.transpose()?.unwrap_or_default();
    let kind = given("as").and_then(|given| Kind::NAMES.into_iter().find(|(name, _)| *name == given));
    let reader = Reader { schema: &schema, assistant: &assistant, map: &map, kind: kind.map(|(_, kind)| kind) };
    let versions = given("versions").map(open).transpose()?;
    let ids = super::ids()?;
    let incomplete = super::runtime()?.block_on(async {
        // A dry run neither creates nor migrates the store. It compares with the store if it can be read.
        let store = if dry_run {
            let opened = super::open_store(settings).await;
            opened.inspect_err(|reason| progress.say(format_args!("nothing is compared with a store: {reason}"))).ok()
        } else {
            Some(super::make_store(settings).await?)
        };
        let (store_in_use, schema, ids, progress) = (store.as_ref(), &schema, &ids, &progress);
        let import = Import { store: store_in_use, schema, ids, progress, dry_run };
        let outcome = if is_export {
            export_lines::LineImport::of(import).import_all(first, &mut texts).await
        } else {
            let documents = collection::DocumentImport::of(import, reader);
            let documents = match versions {
                Some((input, _)) => documents.with_versions(Texts::of(BufReader::new(input), MAX_TEXT)),
                None => Ok(documents),
            };
            match documents {
                Ok(documents) => documents.import_all(first, &mut texts).await,
                Err(reason) => Err(reason),
            }
        };
        if let Some(store) = &store {
            store.close().await;
        }
        outcome
    })?;
    let Some(reason) = incomplete.filter(|_| !matches.get_flag("lossy")) else { return Ok(true) };
    progress.warn(format_args!("fieldbook: {reason}"));
    Ok(false)
}

/// Opens a file and returns its size, if known. The name `-` means standard input.
fn open(name: &str) -> Result<(Box<dyn Read>, Option<u64>), String> {
    if name == "-" {
        return Ok((Box::new(std::io::stdin()), None));
    }
    let file = File::open(name).map_err(|e| format!("cannot read the file {name}: {e}"))?;
    let size = file.metadata().ok().filter(Metadata::is_file).map(|about| about.len());
    Ok((Box::new(file), size))
}

/// Returns whether a text is a MongoDB document. Only documents have an `_id`; lines of an export do not.
fn is_document(first: &Text) -> bool {
    let value = first.bytes.as_deref().and_then(|bytes| json::parse_to_depth(bytes, json::MAX_DEPTH + 8).ok());
    value.is_some_and(|value| value.get("_id").is_some())
}

/// Parts of the program that an import uses.
#[derive(Clone, Copy)]
struct Import<'i> {
    /// The store; `None` in a dry run that could not open a store. Such a dry run treats everything in the file as new.
    store: Option<&'i Store>,
    schema: &'i Schema,
    ids: &'i Ids,
    progress: &'i Progress,
    dry_run: bool,
}

/// Message of an error that ends an import early.
type Stopped = String;

impl Import<'_> {
    fn say(&self, words: Arguments<'_>) {
        self.progress.say(words);
    }

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
            self.say(format_args!(
                "line {line}: the investigation {id} is imported unchanged, and violates the content schema: {} {}{more}",
                first.path, first.message
            ));
        }
        Ok(None)
    }
}

/// Creates the error of an import that ends early, because the store failed and would fail for the next lines, too.
fn stopped(line: impl Display, error: &StoreError) -> Stopped {
    format!("line {line}: {error}; what was imported before stays, and the same import continues from there")
}
