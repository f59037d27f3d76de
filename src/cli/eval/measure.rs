//! Measures how well the rules and the model find the contradictions in labelled documents, and lists what they miss.

use super::labelled::Labelled;
use super::score::Score;
use crate::assistant::Assistant;
use crate::domain::content::Content;
use crate::domain::finding::{Finding, Findings};
use crate::domain::schema::Schema;

/// Measures the rules. With a language model, also measures the model alone, and the rules and the model together.
pub async fn measure(
    assistant: &Assistant,
    schema: &Schema,
    documents: &[Labelled],
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
                let differences = score.add(contradictions, &document.labels);
                if is_last {
                    differences.wrong.iter().try_for_each(|finding| print_finding("wrong", &document.id, finding))?;
                    for label in &differences.missed {
                        say!("missed {} {} {}", document.id, label.kind, label.fields.join(" | "))?;
                    }
                    hints.iter().try_for_each(|finding| print_finding("hint", &document.id, finding))?;
                }
            }
            if let Some(findings) = clean.get(index) {
                let wrong = score.add_clean_version(&findings.contradictions);
                if is_last {
                    let print_wrong =
                        |finding| print_finding("false alarm in the clean version of", &document.id, finding);
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
