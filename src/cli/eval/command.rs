//! The command, and the scores that it prints.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::labelled::Labelled;
use super::measure::measure;
use super::score::{KindScore, Score};
use crate::cli::argument::text;
use crate::cli::parts;
use crate::private_file;
use crate::settings::Settings;

pub fn command() -> Command {
    let file =
        Arg::new("file").value_name("FILE").required(true).help("Labelled documents in the format of eval/README.md");
    let fail_under = Arg::new("fail-under")
        .long("fail-under")
        .value_name("F1")
        .value_parser(clap::value_parser!(f64))
        .help("Fail if F1 is below this, from 0 to 1");
    let verbose = Arg::new("verbose")
        .long("verbose")
        .action(ArgAction::SetTrue)
        .help("List missed contradictions and false alarms");
    Command::new("eval")
        .about("Measures how well the configured assistant finds contradictions in labelled documents")
        .args([file, fail_under, verbose])
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let name = text(matches, "file");
    let text = std::fs::read_to_string(name).map_err(|e| private_file::failed("read", Path::new(name), &e))?;
    let documents = Labelled::read(&text).map_err(|e| format!("{name} has no labelled documents: {e}"))?;
    let verbose = matches.get_flag("verbose");
    let schema = parts::schema(settings.schema.as_deref())?;
    let scores = parts::runtime()?.block_on(async {
        let assistant = parts::assistant(settings, &schema)?;
        measure(&assistant, &schema, &documents, verbose).await
    })?;
    scores.iter().try_for_each(|(finder, score)| print(finder, score, documents.len()))?;
    let f1 = scores.last().map_or(0.0, |(_, score)| score.f1());
    match matches.get_one::<f64>("fail-under") {
        Some(least) if f1 < *least => Err(format!("F1 is {f1:.3}, which is less than {least}")),
        _ => Ok(()),
    }
}

fn print(finder: &str, score: &Score, documents: usize) -> Result<(), String> {
    let labels = score.labels();
    let Score { right, wrong, clean, false_alarms, .. } = score;
    say!(
        "{finder}: {documents} documents with {labels} contradictions; {clean} clean documents, including clean versions"
    )?;
    say!("  precision                         {:.3}  ({right} of {})", score.precision(), right + wrong)?;
    say!("  recall                            {:.3}", score.recall())?;
    say!("  F1                                {:.3}", score.f1())?;
    say!("  false alarms for a clean document {:.3}  ({false_alarms})", score.alarms_per_clean())?;
    say!("  recall by kind")?;
    for (kind, KindScore { labels, found }) in &score.kinds {
        say!("    {kind:<40} {:.2}  ({found} of {labels})", *found as f64 / *labels as f64)?;
    }
    Ok(())
}
