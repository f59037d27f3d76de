//! `fieldbook export`: writes a consistent snapshot of the whole store as JSON Lines, even while the service is
//! running.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tokio::sync::mpsc;

use super::argument::text;
use super::import::MAX_TEXT;
use super::with_store::with_store;
use super::{audit, output};
use crate::domain::audit::AuditAction;
use crate::domain::id::ObjectId;
use crate::private_file;
use crate::settings::Settings;
use crate::store::jsonl::{Counts, End, FORMAT_VERSION, Header, Line};
use crate::store::{ExportPart, Store};

/// Maximum number of parts of the export that wait to be written.
const READ_AHEAD: usize = 2;

const LONG_ABOUT: &str = "Exports everything to a file or to standard output, as JSON Lines: investigations with their versions, chats, links, daily \
visits and pictures, the trash, people, API keys, and the audit log; with --with-passwords also password hashes. The export is a consistent snapshot; the service may be running. Exports of equal stores are equal. \
`fieldbook import` reads it into either backend; docs/integrators/export.md describes the lines. What cannot be exported is named, and the exit \
code is 2.";

pub fn command() -> Command {
    Command::new("export")
        .about("Exports everything to a file of JSON Lines")
        .long_about(LONG_ABOUT)
        .arg(Arg::new("file").value_name("FILE").default_value("-").help("A new file, or - for standard output"))
        .arg(
            Arg::new("with-passwords")
                .long("with-passwords")
                .action(ArgAction::SetTrue)
                .help("Also export password hashes, so that people can sign in after a move"),
        )
}

/// Runs the command. Returns whether the export is complete. If not, the omitted parts were reported.
pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<bool, String> {
    let name = text(matches, "file");
    let has_passwords = matches.get_flag("with-passwords");
    with_store(settings, async |store| {
        let outcome = if name == "-" {
            let output = std::io::stdout().lock();
            let failed = |e: &io::Error| output::unwritable(e);
            write(store, has_passwords, BufWriter::new(output), &failed).await.map(|(_, is_all)| is_all)
        } else {
            to_file(store, has_passwords, Path::new(name)).await
        };
        if outcome.is_ok() {
            // A read-only server refuses the audit entry. The export continues, because the data is more important.
            let noted = audit::note(store, AuditAction::Exported { with_passwords: has_passwords }).await;
            noted.unwrap_or_else(|reason| note!("fieldbook: {reason}"));
        }
        outcome
    })
}

async fn to_file(store: &Store, has_passwords: bool, path: &Path) -> Result<bool, String> {
    let failed = |e: &io::Error| private_file::failed("write the export to", path, e);
    let file = private_file::new_file(path).map_err(|e| failed(&e))?;
    let written = write(store, has_passwords, BufWriter::new(file), &failed).await;
    let synced = written.and_then(|(file, is_all)| {
        let synced = file.sync_all().and_then(|()| private_file::sync_name(path));
        synced.map(|()| is_all).map_err(|e| failed(&e))
    });
    if synced.is_err() {
        // A partial export is useless. If removing the file fails, an import still notices that its last line is
        // missing.
        let _ = std::fs::remove_file(path);
    }
    synced
}

/// Writes the whole store to `output`. `failed` creates the error message for output that cannot be written. Returns:
/// - `output`
/// - whether the export is complete
async fn write<W: Write>(
    store: &Store,
    has_passwords: bool,
    output: BufWriter<W>,
    failed: &dyn Fn(&io::Error) -> String,
) -> Result<(W, bool), String> {
    let (sender, mut parts) = mpsc::channel(READ_AHEAD);
    let mut export = Export::begin(output, failed)?;
    let write_all = async move {
        while let Some(part) = parts.recv().await {
            export.add(part)?;
        }
        Ok::<_, String>(export)
    };
    let (read, written) = tokio::join!(store.export(sender, has_passwords), write_all);
    let export = written?;
    // The last line marks the export as complete, so it is written only after everything was read.
    read.map_err(|error| error.to_string())?;
    export.end()
}

struct Export<'f, W: Write> {
    output: BufWriter<W>,
    failed: &'f dyn Fn(&io::Error) -> String,
    counts: Counts,
    lines: u64,
    is_complete: bool,
    /// The last investigation that was omitted. Its other lines are useless, so they are omitted, too.
    omitted: Option<ObjectId>,
}

impl<'f, W: Write> Export<'f, W> {
    fn begin(output: BufWriter<W>, failed: &'f dyn Fn(&io::Error) -> String) -> Result<Self, String> {
        let mut export = Self { output, failed, counts: Counts::default(), lines: 1, is_complete: true, omitted: None };
        export.put(&Line::Fieldbook(Header { format_version: FORMAT_VERSION }))?;
        Ok(export)
    }

    fn add(&mut self, part: ExportPart) -> Result<(), String> {
        match part {
            ExportPart::Line(Line::Records(more)) if self.omitted == Some(more.of) => {}
            ExportPart::Line(Line::Picture(picture)) if self.omitted == Some(picture.of) => {}
            ExportPart::Line(line) => {
                if let Some(bytes) = self.put(&line)? {
                    let what = match &line {
                        Line::Investigation(entry) => {
                            self.omitted = Some(entry.id());
                            format!("the investigation {}", entry.id())
                        }
                        Line::Records(more) => format!("a part of the investigation {}", more.of),
                        Line::Trash(line) => {
                            self.omitted = Some(line.investigation.id());
                            format!("the investigation {} in the trash", line.investigation.id())
                        }
                        _ => "a line".to_owned(),
                    };
                    let reason = format!("a line of {bytes} bytes is more than an import reads");
                    self.omit(&what, &reason);
                    return Ok(());
                }
                self.lines += 1;
                self.counts.count(&line);
            }
            ExportPart::Unreadable { what, investigation, reason } => {
                self.omitted = investigation.or(self.omitted);
                self.omit(&what, &reason);
            }
        }
        Ok(())
    }

    fn omit(&mut self, what: &str, reason: &str) {
        self.is_complete = false;
        note!("{what} is left out, or a part of it: {reason}");
    }

    fn end(mut self) -> Result<(W, bool), String> {
        self.put(&Line::End(End { lines: self.lines }))?;
        let Self { mut output, failed, counts, is_complete, .. } = self;
        output.flush().map_err(|e| failed(&e))?;
        note!("exported {counts}");
        Ok((output.into_inner().map_err(|e| failed(e.error()))?, is_complete))
    }

    /// Writes a line. If the line is too long for an import, writes nothing and returns its length in bytes.
    fn put(&mut self, line: &Line) -> Result<Option<usize>, String> {
        let mut text = serde_json::to_vec(line).map_err(|e| format!("something cannot be written as JSON: {e}"))?;
        if text.len() > MAX_TEXT {
            return Ok(Some(text.len()));
        }
        text.push(b'\n');
        self.output.write_all(&text).map(|()| None).map_err(|e| (self.failed)(&e))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cli/export.rs"]
mod tests;
