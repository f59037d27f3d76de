//! `fieldbook eval FILE`: how well the configured assistant finds contradictions in labelled documents.

mod labelled;
mod score;

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::assistant::Assistant;
use crate::clock::Stopwatch;
use crate::domain::content::Content;
use crate::domain::finding::{Finding, Findings};
use crate::domain::schema::Schema;
use crate::settings::Settings;
use labelled::Labelled;
use score::{Level, Score};

pub fn command() -> Command {
    let file = Arg::new("file").value_name("FILE").required(true).help("Labelled documents, as eval/README.md says");
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
        .help("Fail where F1 is less, from 0 to 1");
    let verbose =
        Arg::new("verbose").long("verbose").action(ArgAction::SetTrue).help("Name what is missed and what is wrong");
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
    let assistant = super::assistant(settings, &schema)?;
    let (score, milliseconds) = super::runtime()?.block_on(measure(&assistant, &schema, &documents, level, verbose))?;
    print(&score, documents.len(), milliseconds);
    match matches.get_one::<f64>("fail-under") {
        Some(least) if score.f1() < *least => Err(format!("F1 is {:.3}, which is less than {least}", score.f1())),
        _ => Ok(()),
    }
}

/// The score, and the milliseconds for each detection.
async fn measure(
    assistant: &Assistant,
    schema: &Schema,
    documents: &[Labelled],
    level: Level,
    verbose: bool,
) -> Result<(Score, f64), String> {
    let mut score = Score::default();
    let (mut detections, mut milliseconds) = (0.0, 0.0);
    let mut detect = async |content: &Content| {
        let watch = Stopwatch::start();
        let found = found(assistant, schema, content).await?;
        milliseconds += watch.elapsed().as_secs_f64() * 1000.0;
        detections += 1.0;
        Ok::<_, String>(found)
    };
    for document in documents {
        let Findings { contradictions, hints } = detect(&document.doc).await?;
        let differences = score.add(&contradictions, &document.labels, level);
        if verbose {
            differences.wrong.iter().for_each(|finding| tell("wrong", &document.id, finding));
            for label in &differences.missed {
                say!("missed {} {} {}", document.id, label.kind, label.fields.join(" | "));
            }
            hints.iter().for_each(|finding| tell("hint", &document.id, finding));
        }
        if let Some(twin) = document.clean_twin()? {
            let found = detect(&twin).await?.contradictions;
            let wrong = score.add_twin(&found, level);
            if verbose {
                wrong.iter().for_each(|finding| tell("wrong in the twin of", &document.id, finding));
            }
        }
    }
    Ok((score, if detections == 0.0 { 0.0 } else { milliseconds / detections }))
}

/// Everything that is found, by a model too where one is set up. A model that fails ends the measuring: half of its
/// answers would be no measure.
async fn found(assistant: &Assistant, schema: &Schema, content: &Content) -> Result<Findings, String> {
    let findings = assistant.detect(content);
    match assistant.model() {
        None => Ok(findings),
        Some(model) => {
            let by_model = model.detect(content, schema).await.map_err(|e| format!("the model failed: {e}"))?;
            Ok(findings.joined(by_model))
        }
    }
}

fn tell(what: &str, id: &str, finding: &Finding) {
    say!("{what} {id} {} {}", finding.source, finding.reason);
    for evidence in &finding.evidence {
        say!("    {}: {}", evidence.field_path, evidence.quote);
    }
}

fn print(score: &Score, documents: usize, milliseconds: f64) {
    let labels: usize = score.kinds.values().map(|(total, _)| total).sum();
    say!(
        "documents                         {documents}, with {labels} contradictions; {} clean, twins included",
        score.clean
    );
    say!(
        "precision                         {:.3}  ({} of {})",
        score.precision(),
        score.right,
        score.right + score.wrong
    );
    say!("recall                            {:.3}", score.recall());
    say!("F1                                {:.3}", score.f1());
    say!("false alarms for a clean document {:.3}  ({})", score.alarms_per_clean(), score.false_alarms);
    say!("milliseconds for a document       {milliseconds:.2}");
    say!("\nrecall by kind");
    for (kind, (total, found)) in &score.kinds {
        say!("  {kind:<22} {:.2}  ({found} of {total})", *found as f64 / *total as f64);
    }
}
