//! `fieldbook export`: writes a consistent snapshot of the whole store as JSON Lines, even while the service is
//! running.

use std::io::{BufWriter, Write};
use std::path::Path;

use clap::{Arg, ArgMatches, Command};
use tokio::sync::mpsc;

use super::import::MAX_TEXT;
use super::progress::Progress;
use crate::domain::id::ObjectId;
use crate::private_file;
use crate::settings::Settings;
use crate::store::jsonl::{Counts, FORMAT_VERSION, Header, Line};
use crate::store::{SnapshotPart, Store};

/// Maximum number of parts of the snapshot that wait to be written.
const READ_AHEAD: usize = 2;

const LONG_ABOUT: &str = "Exports everything to a file or to standard output, as JSON Lines: one investigation after the other, each with its version records, \
chat, links and daily visits. The export shows one moment; the service may be running. `fieldbook import` reads it into either backend; \
docs/integrators/export.md describes the lines. What cannot be exported is named, and the exit code is 2.";

pub fn command() -> Command {
    Command::new("export")
        .about("Exports everything to a file of JSON Lines")
        .long_about(LONG_ABOUT)
        .arg(Arg::new("file").value_name("FILE").default_value("-").help("A new file, or - for standard output"))
}

/// Runs the command. Returns whether the export is complete. If not, the omitted parts were reported.
pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<bool, String> {
    let name = matches.get_one::<String>("file").map(String::as_str).unwrap_or("-");
    super::runtime()?.block_on(async {
        let store = super::open_store(settings).await?;
        let outcome = if name == "-" {
            let output = std::io::stdout().lock();
            write(&store, BufWriter::new(output)).await.map(|(_, is_all)| is_all)
        } else {
            to_file(&store, Path::new(name)).await
        };
        store.close().await;
        outcome
    })
}

async fn to_file(store: &Store, path: &Path) -> Result<bool, String> {
    let file = private_file::new_file(path)
        .map_err(|e| format!("cannot create the file {}: {e}; name a new file", path.display()))?;
    let written = write(store, BufWriter::new(file)).await;
    let synced = written.and_then(|(file, is_all)| {
        let synced = file.sync_all().and_then(|()| private_file::sync_name(path));
        synced.map(|()| is_all).map_err(|e| unwritable(&e))
    });
    if synced.is_err() {
        // A partial export is useless. If removing the file fails, an import still notices that its last line is
        // missing.
        let _ = std::fs::remove_file(path);
    }
    synced
}

/// What the export has omitted so far.
#[derive(Default)]
struct LeftOut {
    count: u64,
    /// Id of the last investigation that was omitted.
    last: Option<ObjectId>,
}

/// Writes the whole store to `output`. Returns `output`, and whether the export is complete.
async fn write<W: Write>(store: &Store, mut output: BufWriter<W>) -> Result<(W, bool), String> {
    let (sender, mut pieces) = mpsc::channel(READ_AHEAD);
    let write_all = async move {
        let progress = Progress::of_investigations();
        let (mut counts, mut total, mut left_out) = (Counts::default(), None, LeftOut::default());
        put(&mut output, &Line::Fieldbook(Header { format_version: FORMAT_VERSION }))?;
        while let Some(piece) = pieces.recv().await {
            let line = match piece {
                SnapshotPart::Total(all) => {
                    total = Some(all);
                    continue;
                }
                SnapshotPart::Investigation(entry) => Line::Investigation(entry),
                SnapshotPart::Records(more) => Line::Records(more),
                SnapshotPart::Unreadable(id, reason) => {
                    left_out.count += 1;
                    progress.warn(format_args!("the investigation {id} is left out, or a part of it: {reason}"));
                    continue;
                }
                SnapshotPart::Detection(detection) => {
                    Line::Detection(detection.try_into().map_err(|e: crate::store::StoreError| e.to_string())?)
                }
            };
            // The records of an omitted investigation are useless, so they are omitted, too.
            if let Line::Records(more) = &line
                && left_out.last == Some(more.of)
            {
                continue;
            }
            if let Some(bytes) = put(&mut output, &line)? {
                left_out.count += 1;
                let what = match &line {
                    Line::Investigation(entry) => {
                        left_out.last = Some(entry.id());
                        format!("the investigation {}", entry.id())
                    }
                    _ => "the cached findings of a content".to_owned(),
                };
                progress.warn(format_args!(
                    "{what} is left out: a line of {bytes} bytes is more than an import reads; copy the store with fieldbook move-store"
                ));
                continue;
            }
            counts.investigations += u64::from(matches!(line, Line::Investigation(_)));
            counts.detections += u64::from(matches!(line, Line::Detection(_)));
            progress.show(counts.investigations, total);
        }
        Ok::<_, String>((output, counts, left_out.count))
    };
    let (read, written) = tokio::join!(store.snapshot(sender), write_all);
    let (mut output, counts, left_out) = written?;
    // The last line marks the export as complete, so it is written only after everything was read.
    read.map_err(|error| error.to_string())?;
    put(&mut output, &Line::End(counts))?;
    output.flush().map_err(|e| unwritable(&e))?;
    eprintln!(
        "exported {} investigations, and the cached findings of {} contents",
        counts.investigations, counts.detections
    );
    Ok((output.into_inner().map_err(|e| unwritable(e.error()))?, left_out == 0))
}

/// Writes a line. If the line is too long for an import, writes nothing and returns its length in bytes.
fn put(output: &mut impl Write, line: &Line) -> Result<Option<usize>, String> {
    let mut text = serde_json::to_vec(line).map_err(|e| format!("something cannot be written as JSON: {e}"))?;
    if text.len() > MAX_TEXT {
        return Ok(Some(text.len()));
    }
    text.push(b'\n');
    output.write_all(&text).map(|()| None).map_err(|e| unwritable(&e))
}

fn unwritable(error: &std::io::Error) -> String {
    format!("cannot write the export: {error}")
}
