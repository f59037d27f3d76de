//! Compares Fieldbook's speed with the limits of this machine and with two peers: services that do the same work with
//! common frameworks. The two sides of a comparison are measured alternately.
//!
//!     scripts/bench [--full] [NAME…]
//!
//! Without names, measures everything except `scale`, and updates the docs.

mod bare;
mod bulk;
mod caller;
mod load;
mod picture;
mod raw;
mod report;
mod row;
mod rows;
mod server;
mod texts;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use rows::{Bench, MATTERS, ON_REQUEST};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let outcome = match arguments.as_slice() {
        [bare, body] if bare == "--bare" => bare::serve(Path::new(body)),
        arguments => measure(arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &[String]) -> Result<(), String> {
    let full = arguments.iter().any(|argument| argument == "--full");
    let names: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    if let Some(unknown) = names.iter().find(|name| !MATTERS.iter().any(|(known, _)| known == **name)) {
        let known: Vec<&str> = MATTERS.iter().map(|(name, _)| *name).collect();
        return Err(format!("\"{unknown}\" is not measured; choose from {}", known.join(", ")));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("target/bench");
    fs::create_dir_all(&folder).map_err(|e| format!("{folder:?}: {e}"))?;
    let (seconds, rounds) = if full { (4, 5) } else { (2, 5) };
    let bench = Bench { folder, seconds, rounds, full };
    let mut measured = Vec::new();
    for (name, matter) in MATTERS {
        if (names.is_empty() && !ON_REQUEST.contains(&name)) || names.iter().any(|chosen| *chosen == name) {
            eprintln!("measuring {name}");
            let rows = matter(&bench)?;
            print!("{}", report::table(&rows));
            measured.extend(rows);
        }
    }
    if names.is_empty() {
        write(&root.join("docs/operators"), &measured, full)?;
    }
    Ok(())
}

/// Writes the table between the two `measured` comments of `docs/operators/performance.md`, the figures as JSON, and
/// the picture.
fn write(docs: &Path, measured: &[row::Row], full: bool) -> Result<(), String> {
    let page = docs.join("performance.md");
    let text = fs::read_to_string(&page).map_err(|e| format!("{page:?}: {e}"))?;
    let (begin, end) = ("<!-- measured -->\n", "<!-- /measured -->");
    let (before, rest) = text.split_once(begin).ok_or_else(|| format!("{page:?} has no {begin}"))?;
    let (_, after) = rest.split_once(end).ok_or_else(|| format!("{page:?} has no {end}"))?;
    let form = if full { "`scripts/bench --full`" } else { "`scripts/bench`, the short form" };
    let table = report::table(measured);
    let picture = "![Each row beside its goal](performance.svg)";
    fs::write(&page, format!("{before}{begin}Written by {form}.\n\n{picture}\n\n{table}{end}{after}"))
        .map_err(|e| format!("{page:?}: {e}"))?;
    let json = serde_json::to_string_pretty(measured).map_err(|e| e.to_string())?;
    fs::write(docs.join("performance.json"), json + "\n").map_err(|e| e.to_string())?;
    fs::write(docs.join("performance.svg"), picture::draw(measured)).map_err(|e| e.to_string())
}
