//! `fieldbook export`: everything as JSON Lines, as it was at one moment, while the service serves.

use std::io::{BufWriter, Write};
use std::path::Path;

use clap::{Arg, ArgMatches, Command};
use tokio::sync::mpsc;

use super::import::MAX_TEXT;
use super::progress::Progress;
use crate::private;
use crate::settings::Settings;
use crate::store::line::{Counts, FORM, Head, Line};
use crate::store::{Piece, Store};

/// So many investigations are read ahead at most.
const AHEAD: usize = 2;

const LONG_ABOUT: &str = "Writes everything that is kept into a file, or to standard output, as JSON Lines: a line for each \
investigation with its version records, chat, links and visits per day. It is all as it was at one moment, and the service \
may go on serving. `fieldbook import` reads it back, into either backend; docs/export.md says what stands in a line.";

pub fn command() -> Command {
    Command::new("export").about("Writes everything into a file of JSON Lines").long_about(LONG_ABOUT).arg(
        Arg::new("file")
            .value_name("FILE")
            .default_value("-")
            .help("A file that is not there yet, or - for standard output"),
    )
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let name = matches.get_one::<String>("file").map(String::as_str).unwrap_or("-");
    super::runtime()?.block_on(async {
        let store = super::open_store(settings).await?;
        let outcome = if name == "-" {
            let output = std::io::stdout().lock();
            write(&store, BufWriter::new(output)).await.map(drop)
        } else {
            to_file(&store, Path::new(name)).await
        };
        store.close().await;
        outcome
    })
}

async fn to_file(store: &Store, path: &Path) -> Result<(), String> {
    let file = private::new_file(path)
        .map_err(|e| format!("cannot make the file {}: {e}; name one that is not there yet", path.display()))?;
    let written = write(store, BufWriter::new(file)).await;
    let synced =
        written.and_then(|file| file.sync_all().and_then(|()| private::sync_name(path)).map_err(|e| unwritable(&e)));
    if synced.is_err() {
        // A part of an export is no use to anybody; where it cannot be removed, it has no last line.
        let _ = std::fs::remove_file(path);
    }
    synced
}

/// Writes everything, and gives back what it was written to.
async fn write<W: Write>(store: &Store, mut output: BufWriter<W>) -> Result<W, String> {
    let (sender, mut pieces) = mpsc::channel(AHEAD);
    let write_all = async move {
        let progress = Progress::of_investigations();
        let (mut counts, mut total) = (Counts::default(), None);
        put(&mut output, &Line::Fieldbook(Head { form: FORM }))?;
        while let Some(piece) = pieces.recv().await {
            let line = match piece {
                Piece::Total(all) => {
                    total = Some(all);
                    continue;
                }
                Piece::Whole(whole) => {
                    counts.investigations += 1;
                    Line::Investigation(Box::new((*whole).into()))
                }
                Piece::Detection(detection) => {
                    counts.detections += 1;
                    Line::Detection(detection.try_into().map_err(|e: crate::store::StoreError| e.to_string())?)
                }
            };
            put(&mut output, &line)?;
            progress.show(counts.investigations, total);
        }
        Ok::<_, String>((output, counts))
    };
    let (read, written) = tokio::join!(store.snapshot(sender), write_all);
    let (mut output, counts) = written?;
    // Only what was read to its end has a last line.
    read.map_err(|error| error.to_string())?;
    put(&mut output, &Line::End(counts))?;
    output.flush().map_err(|e| unwritable(&e))?;
    eprintln!(
        "exported {} investigations, and what a language model found in {} contents",
        counts.investigations, counts.detections
    );
    output.into_inner().map_err(|e| unwritable(e.error()))
}

fn put(output: &mut impl Write, line: &Line) -> Result<(), String> {
    let mut text = serde_json::to_vec(line).map_err(|e| format!("something cannot be written as JSON: {e}"))?;
    if text.len() > MAX_TEXT {
        return Err(format!(
            "an investigation with its history takes {} bytes, more than an import reads at once; copy the store with fieldbook move-store",
            text.len()
        ));
    }
    text.push(b'\n');
    output.write_all(&text).map_err(|e| unwritable(&e))
}

fn unwritable(error: &std::io::Error) -> String {
    format!("cannot write the export: {error}")
}
