//! `fieldbook import`: takes what an export holds, each investigation as a whole or not at all, and tells what was not taken.

mod texts;

use std::fs::File;
use std::io::{BufRead, BufReader};

use clap::{Arg, ArgAction, ArgMatches, Command};

use self::texts::{Text, Texts};
use super::progress::Progress;
use crate::domain::schema::Schema;
use crate::settings::Settings;
use crate::store::line::{Counts, Entry, FORM, Line};
use crate::store::{Detection, Store, StoreError, Whole};

/// The most bytes of one line or element.
pub const MAX_TEXT: usize = 256 * 1024 * 1024;

const LONG_ABOUT: &str = "Takes what `fieldbook export` wrote, into either backend. The service may go on serving.

An investigation is taken with its versions, chat, links and visits, as a whole or not at all. One that is here already and equal is passed \
over, so that an import can be run again; one that is here and differs stays as it is, and is named. Content that breaks the \
content schema is taken as it is, and named too.";

pub fn command() -> Command {
    Command::new("import").about("Takes what an export holds").long_about(LONG_ABOUT).args([
        Arg::new("file").value_name("FILE").required(true).help("The file, or - for standard input"),
        Arg::new("dry-run")
            .long("dry-run")
            .action(ArgAction::SetTrue)
            .help("Only tells what would be taken and what would not, and why"),
    ])
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let name = matches.get_one::<String>("file").map(String::as_str).unwrap_or_default();
    let dry_run = matches.get_flag("dry-run");
    let schema = super::schema(settings.schema.as_deref())?;
    let input: Box<dyn BufRead> = if name == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(name).map_err(|e| format!("cannot read the file {name}: {e}"))?))
    };
    super::runtime()?.block_on(async {
        // What is only looked at is not made and not brought up to date.
        let store = if dry_run { super::open_store(settings).await } else { super::make_store(settings).await }?;
        let import = Import { store: &store, schema: &schema, dry_run, tally: Tally::default() };
        let outcome = import.take_all(Texts::of(input, MAX_TEXT)).await;
        store.close().await;
        outcome
    })
}

struct Import<'i> {
    store: &'i Store,
    schema: &'i Schema,
    dry_run: bool,
    tally: Tally,
}

/// What became of everything so far.
#[derive(Default)]
struct Tally {
    /// What the file held by now, whatever became of it.
    seen: Counts,
    taken: u64,
    there: u64,
    refused: u64,
    detections: u64,
}

/// Why an import ends before its file.
type Stopped = String;

impl Import<'_> {
    async fn take_all<R: BufRead>(mut self, mut texts: Texts<R>) -> Result<(), String> {
        let outcome = self.take_lines(&mut texts).await;
        let Tally { taken, there, refused, detections, .. } = self.tally;
        let word = if self.dry_run { "would take" } else { "took" };
        println!(
            "{word} {taken} investigations, {there} were there already, {refused} were not taken; {word} what a language model found in {detections} contents"
        );
        outcome?;
        if refused > 0 { Err(format!("{refused} lines were not taken")) } else { Ok(()) }
    }

    async fn take_lines<R: BufRead>(&mut self, texts: &mut Texts<R>) -> Result<(), Stopped> {
        let mut progress = Progress::new();
        let mut ended = false;
        let mut begun = false;
        while let Some(Text { line, bytes }) = texts.next().map_err(|e| e.to_string())? {
            let read = match bytes {
                Some(bytes) => Line::read(&bytes),
                None => Err(format!("has more than {MAX_TEXT} bytes")),
            };
            let fault = match read {
                Ok(_) if ended => Some("comes after the last line of an export".to_owned()),
                Ok(Line::Fieldbook(head)) if head.form != FORM => {
                    return Err(format!(
                        "line {line} begins an export of the form {}, and this program reads {FORM}; use the program that wrote it, or a newer one",
                        head.form
                    ));
                }
                Ok(Line::Fieldbook(_)) => {
                    begun = true;
                    None
                }
                Ok(_) if !begun => return Err(format!("line {line} is not the first line of an export")),
                Ok(Line::Investigation(entry)) => {
                    self.tally.seen.investigations += 1;
                    self.take(line, *entry).await?
                }
                Ok(Line::Detection(found)) => {
                    self.tally.seen.detections += 1;
                    let detection = found.try_into().map_err(|e: StoreError| format!("line {line}: {e}"))?;
                    self.take_detection(line, detection).await?;
                    None
                }
                Ok(Line::End(counts)) => {
                    ended = true;
                    let seen = self.tally.seen;
                    (counts != seen).then(|| {
                        format!(
                            "says that {} investigations and {} findings come before it, and {} and {} did: lines are missing, or cannot be read",
                            counts.investigations, counts.detections, seen.investigations, seen.detections
                        )
                    })
                }
                Err(fault) => Some(fault),
            };
            if let Some(fault) = fault {
                self.tally.refused += 1;
                println!("line {line} {fault}");
            }
            progress.show(self.tally.taken + self.tally.there, None);
        }
        if ended { Ok(()) } else { Err("the file ends before its last line: it was cut off".to_owned()) }
    }

    /// Takes an investigation; gives why it was not taken.
    async fn take(&mut self, line: u64, entry: Entry) -> Result<Option<String>, Stopped> {
        let whole = match entry.whole() {
            Ok(whole) => whole,
            Err(fault) => return Ok(Some(fault)),
        };
        let id = whole.id();
        let stopped = |error: StoreError| stopped(line, &error);
        if let Some(here) = self.store.whole(id).await.map_err(stopped)? {
            return Ok(self.compare(&here, &whole));
        }
        let violations = self.schema.violations(&whole.row.investigation.content);
        for visited in &whole.links {
            let (key, sub_link) = (visited.link.key.clone(), visited.link.sub_link.clone());
            if let Some(other) = self.store.link(key, sub_link).await.map_err(stopped)? {
                return Ok(Some(format!(
                    "cannot be taken: the link {}/{} leads to the investigation {} here",
                    other.key, other.sub_link, other.investigation_id
                )));
            }
        }
        if !self.dry_run {
            match self.store.add_whole(whole).await {
                Ok(true) => {}
                Ok(false) => return Ok(Some(format!("cannot be taken: the investigation {id} came here meanwhile"))),
                Err(StoreError::Failed(reason)) => return Ok(Some(format!("cannot be taken: {reason}"))),
                Err(error) => return Err(stopped(error)),
            }
        }
        self.tally.taken += 1;
        if let Some(first) = violations.first() {
            let more = match violations.len() {
                1 => String::new(),
                several => format!(", and {} more", several - 1),
            };
            println!(
                "line {line}: the investigation {id} is taken as it is, and breaks the content schema: {} {}{more}",
                first.path, first.message
            );
        }
        Ok(None)
    }

    fn compare(&mut self, here: &Whole, whole: &Whole) -> Option<String> {
        let id = whole.id();
        let differences = here.differences(whole);
        if differences.is_empty() {
            self.tally.there += 1;
            return None;
        }
        let (here, there) = (here.revision(), whole.revision());
        Some(format!(
            "is not taken: the investigation {id} is here already (revision {here} here, {there} in the file) and differs: {}; delete it here to have it taken",
            differences.join(", ")
        ))
    }

    async fn take_detection(&mut self, line: u64, detection: Detection) -> Result<(), Stopped> {
        let key = detection.key.clone();
        let known = self.store.detections_of(vec![key.clone()]).await.map_err(|error| stopped(line, &error))?;
        if known.contains_key(&key) {
            return Ok(());
        }
        if !self.dry_run {
            self.store.put_detections(vec![detection]).await.map_err(|error| stopped(line, &error))?;
        }
        self.tally.detections += 1;
        Ok(())
    }
}

/// The store does not answer: what comes after would fare no better.
fn stopped(line: u64, error: &StoreError) -> Stopped {
    format!("line {line}: {error}; what was taken before stands, and the same import goes on from there")
}
