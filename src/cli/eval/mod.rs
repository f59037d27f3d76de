//! `fieldbook eval FILE`: measures how well the configured assistant finds contradictions in labelled documents.

mod labelled;
mod score;

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::assistant::Assistant;
use crate::domain::content::Content;
use crate::domain::finding::{Finding, Findings};
use crate::domain::schema::Schema;
use crate::settings::Settings;
use labelled::Labelled;
use score::{KindScore, Level, Score};

pub fn command() -> Command {
    let file =
        Arg::new("file").value_name("FILE").required(true).help("Labelled documents in the format of eval/README.md");
    let level = Arg::new("level")
        .long("level")
        .value_name("LEVEL")
        .value_parser(["fields", "strict"])
        .default_value("fields")
        .help("Compare pairs of top-level fields, or whole paths");
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
        .args([file, level, fail_under, verbose])
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let name = matches.get_one::<String>("file").map(String::as_str).unwrap_or_default();
    let text = std::fs::read_to_string(name).map_err(|e| format!("cannot read {name}: {e}"))?;
    let documents = Labelled::read(&text).map_err(|e| format!("{name} has no labelled documents: {e}"))?;
    let strict = matches.get_one::<String>("level").is_some_and(|level| level == "strict");
    let level = if strict { Level::Strict } else { Level::Fields };
    let verbose = matches.get_flag("verbose");
    let schema = super::schema(settings.schema.as_deref())?;
    let scores = super::runtime()?.block_on(async {
        let assistant = super::assistant(settings, &schema)?;
        measure(&assistant, &schema, &documents, level, verbose).await
    })?;
    scores.iter().try_for_each(|(finder, score)| print(finder, score, documents.len()))?;
    let f1 = scores.last().map_or(0.0, |(_, score)| score.f1());
    match matches.get_one::<f64>("fail-under") {
        Some(least) if f1 < *least => Err(format!("F1 is {f1:.3}, which is less than {least}")),
        _ => Ok(()),
    }
}

/// Measures the rules. With a language model, also measures the model alone, and the rules and the model together.
async fn measure(
    assistant: &Assistant,
    schema: &Schema,
    documents: &[Labelled],
    level: Level,
    verbose: bool,
) -> Result<Vec<(&'static str, Score)>, String> {
    let finders: &[&str] = if assistant.model().is_some() { &["rules", "model", "both"] } else { &["rules"] };
    let mut scores: Vec<_> = finders.iter().map(|finder| (*finder, Score::default())).collect();
    for document in documents {
        let found = found(assistant, schema, &document.doc).await?;
        let clean = match document.clean_version()? {
            Some(content) => self::found(assistant, schema, &content).await?,
            None => Vec::new(),
        };
        for (index, (_, score)) in scores.iter_mut().enumerate() {
            let is_last = verbose && index + 1 == finders.len();
            if let Some(Findings { contradictions, hints, .. }) = found.get(index) {
                let differences = score.add(contradictions, &document.labels, level);
                if is_last {
                    differences.wrong.iter().try_for_each(|finding| print_finding("wrong", &document.id, finding))?;
                    for label in &differences.missed {
                        say!("missed {} {} {}", document.id, label.kind, label.fields.join(" | "))?;
                    }
                    hints.iter().try_for_each(|finding| print_finding("hint", &document.id, finding))?;
                }
            }
            if let Some(findings) = clean.get(index) {
                let wrong = score.add_clean_version(&findings.contradictions, level);
                if is_last {
                    let print_wrong = |finding| print_finding("wrong in the twin of", &document.id, finding);
                    wrong.iter().try_for_each(|finding| print_wrong(finding))?;
                }
            }
        }
    }
    Ok(scores)
}

/// Returns the findings by the rules. With a language model, also returns its findings, and the merged findings. If the
/// model fails, the measurement ends, because scores for only some documents would be meaningless.
async fn found(assistant: &Assistant, schema: &Schema, content: &Content) -> Result<Vec<Findings>, String> {
    let by_rules = assistant.detect(content);
    let Some(model) = assistant.model() else { return Ok(vec![by_rules]) };
    let by_model = model.detect(content, schema).await.map_err(|e| format!("the model failed: {e}"))?;
    let both = by_rules.clone().merged_with(by_model.clone());
    Ok(vec![by_rules, by_model, both])
}

fn print_finding(what: &str, id: &str, finding: &Finding) -> Result<(), String> {
    say!("{what} {id} {} {}", finding.source, finding.reason)?;
    for evidence in &finding.evidence {
        say!("    {}: {}", evidence.field_path, evidence.quote.as_deref().unwrap_or("(missing)"))?;
    }
    Ok(())
}

fn print(finder: &str, score: &Score, documents: usize) -> Result<(), String> {
    let labels = score.labels();
    let Score { right, wrong, clean, false_alarms, .. } = score;
    say!("{finder}: {documents} documents with {labels} contradictions; {clean} clean, twins included")?;
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
