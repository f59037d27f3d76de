//! Checks the fixes that a language model proposes, and gives the reason for each fix that is rejected.

use super::findings;
use crate::app::App;
use crate::assistant::fix::Scope;
use crate::assistant::model::edits::{self, Edit};
use crate::assistant::model::{MAX_FINDINGS, Model, ModelError, ProposedEdits};
use crate::assistant::summary::{self, Difference};
use crate::domain::comparison::Comparison;
use crate::domain::content::{self, Content};
use crate::domain::finding::{Finding, Findings};
use crate::domain::id::ObjectId;
use crate::domain::label::label;
use crate::domain::path::FieldPath;
use crate::domain::text::beginning;
use serde_json::Value;

/// Maximum number of combinations of fixes that the model checks for new contradictions. This limit applies to the
/// fixes by the rules, and separately to the fixes in each proposal of the model.
pub(super) const MAX_MODEL_CHECKS: usize = 3;

const MAX_VIOLATIONS: usize = 5;

/// Maximum number of bytes of the model's own message that are quoted back to the model.
const MAX_WORDS: usize = 500;

pub(super) struct ResolutionTask<'c> {
    pub(super) app: &'c App,
    pub(super) model: &'c Model,
    pub(super) id: ObjectId,
    pub(super) scope: Scope<'c>,
    /// Whether the model's first check of the content succeeded. If so, the model also checks the content after a fix.
    pub(super) model_reads: bool,
}

/// The content of an investigation, before or after fixes are applied, and the contradictions in it.
pub(super) struct CheckedContent {
    pub(super) content: Content,
    /// All contradictions in the content. Those in `open` come last: if an edit removes one of two contradictions of
    /// the same rule or model about the same values, `Comparison` reports the last one as removed. So the open one
    /// counts as fixed.
    pub(super) all: Vec<Finding>,
    pub(super) open: Vec<Finding>,
}

impl CheckedContent {
    /// Returns the open contradictions that no longer exist in the state `after`.
    pub(super) fn removed_by(&self, after: &Self) -> Vec<Finding> {
        let gone = Comparison::of(&self.all, &after.all).gone;
        self.open.iter().filter(|finding| gone.contains(finding)).cloned().collect()
    }
}

pub(super) struct Fix<'f> {
    pub(super) finding: &'f Finding,
    pub(super) edits: Vec<&'f Edit>,
    /// Paths that the fix changes. For an added or removed list element, the path of the list.
    pub(super) paths: Vec<FieldPath>,
}

impl ResolutionTask<'_> {
    /// Runs `work`, a computation on `content`, within the caller's limit on concurrent computations.
    pub(super) async fn compute<T>(&self, content: &Content, work: impl FnOnce() -> T) -> T {
        self.app.admission.core(self.model.caller(), content::bytes(content)).await.run(work)
    }

    /// Detects the contradictions in `content` with the rules, and also with the model if `model_reads` is true.
    pub(super) async fn read(&self, content: &Content) -> Result<CheckedContent, ModelError> {
        let by_rules = self.compute(content, || self.app.assistant.detect(content)).await;
        let by_model = if self.model_reads {
            findings::model_findings(self.app, self.model, self.id, content).await?
        } else {
            Findings::default()
        };
        let mut all = [by_rules.contradictions.clone(), by_model.contradictions.clone()].concat();
        all.sort_by_key(|finding| self.scope.includes(finding));
        let mut open = by_rules.merged_with(by_model).contradictions;
        open.retain(|finding| self.scope.includes(finding));
        Ok(CheckedContent { content: content.clone(), all, open })
    }

    /// Applies the fixes in `resolution` that pass all checks. Adds a reason for each other fix to `refused`. Returns:
    /// - the resulting content, with its contradictions
    /// - whether all edits of `resolution` were applied
    ///
    /// Returns `None` if no fix passes.
    pub(super) async fn accepted_fixes(
        &self,
        state: &CheckedContent,
        resolution: &ProposedEdits,
        refused: &mut Vec<String>,
    ) -> Result<Option<(CheckedContent, bool)>, ModelError> {
        let mut refuse = |finding: &Finding, reason: String| {
            refused.push(if state.open.len() == 1 { reason } else { format!("{} – {reason}", finding.reason) });
        };
        let mut fixes: Vec<Fix<'_>> = Vec::new();
        for (position, finding) in state.open.iter().take(MAX_FINDINGS).enumerate() {
            let check = || self.check_fix(state, finding, resolution.edits_for(position, finding));
            match self.compute(&state.content, check).await {
                Ok(fix) => fixes.push(fix),
                Err(_) if resolution.edits.is_empty() => {
                    let words = beginning(&resolution.message, MAX_WORDS);
                    refuse(finding, format!("It changes nothing, and says: {words}"));
                }
                Err(reason) => refuse(finding, reason),
            }
        }
        for _ in 0..MAX_MODEL_CHECKS {
            if fixes.is_empty() {
                return Ok(None);
            }
            let combined = self.compute(&state.content, || self.combine(state, &fixes, resolution)).await;
            let (content, takes_all) = match combined {
                Ok(combined) => combined,
                Err(reason) => {
                    fixes.iter().for_each(|fix| refuse(fix.finding, reason.clone()));
                    return Ok(None);
                }
            };
            let after = self.read(&content).await?;
            let Comparison { gone, new } = Comparison::of(&state.all, &after.all);
            let before = fixes.len();
            fixes.retain(|fix| {
                let reason = if !gone.contains(&fix.finding) {
                    let name = summary::named(self.scope.schema, self.scope.field);
                    Some(format!("{name} is still contradicted: {}", fix.finding.reason))
                } else {
                    new.iter().find(|new| fix.reaches(new)).map(|new| new_contradiction(new))
                };
                reason.map(|reason| refuse(fix.finding, reason)).is_none()
            });
            if fixes.len() < before {
                continue;
            }
            let Some(new) = new.first() else { return Ok(Some((after, takes_all))) };
            fixes.iter().for_each(|fix| refuse(fix.finding, new_contradiction(new)));
            return Ok(None);
        }
        fixes
            .iter()
            .for_each(|fix| refuse(fix.finding, "It does not work in combination with the other fixes.".to_owned()));
        Ok(None)
    }

    /// Checks the fix of one contradiction alone, and returns the reason if the fix is rejected. The fix must change a
    /// value that the finding names in `evidence` or `also_at`. It must not change fields that the finding does not
    /// name. It must cause no schema violation, and no contradiction that the rules find.
    pub(super) fn check_fix<'f>(
        &self,
        state: &CheckedContent,
        finding: &'f Finding,
        edits: Vec<&'f Edit>,
    ) -> Result<Fix<'f>, String> {
        let schema = self.scope.schema;
        let after = edits::apply(&state.content, schema, edits.iter().copied(), |_| Ok(()))?;
        let differences = summary::differences(&state.content, &after);
        if differences.is_empty() {
            return Err("It changes nothing.".to_owned());
        }
        let own = finding.evidence.iter().map(|evidence| &evidence.field_path).chain(&finding.also_at);
        let own: Vec<FieldPath> = own.map(|path| FieldPath::parse(path)).collect();
        let may = |path: &&FieldPath| {
            path.field().is_some_and(|field| finding.touches(field)) || own.iter().any(|own| own.is_prefix_of(path))
        };
        if let Some(stray) = differences.iter().map(Difference::path).find(|path| !may(path)) {
            return Err(format!("{} is on neither side of the contradiction.", label(schema, stray)));
        }
        if !differences.iter().any(|difference| edits_one_of(&own, difference)) {
            return Err("It does not edit any value that shows the contradiction.".to_owned());
        }
        violation(self.scope, &after).map_or(Ok(()), Err)?;
        let before = state.all.iter().filter(|finding| !finding.is_by_model());
        if !self.scope.meter.spend(&after, state.all.len()) {
            return Err("It was not checked, since checking took too long.".to_owned());
        }
        if let Some(new) = Comparison::of(before, &self.app.assistant.detect(&after).contradictions).new.first() {
            return Err(new_contradiction(new));
        }
        Ok(Fix { finding, edits, paths: differences.iter().map(edited_path).collect() })
    }

    /// Applies all these fixes. Returns the resulting content, and whether all edits of the resolution were applied.
    pub(super) fn combine(
        &self,
        state: &CheckedContent,
        fixes: &[Fix<'_>],
        all: &ProposedEdits,
    ) -> Result<(Content, bool), String> {
        let is_taken = |edit: &&Edit| fixes.iter().any(|fix| fix.edits.iter().any(|own| std::ptr::eq(*own, *edit)));
        let mut edits: Vec<&Edit> = all.edits.iter().filter(is_taken).collect();
        let takes_all = edits.len() == all.edits.len();
        // Two fixes may propose the same addition, which is applied only once.
        let mut seen: Vec<(&str, &Value)> = Vec::new();
        edits.retain(|Edit { path, value, .. }| {
            let is_new = !seen.contains(&(path, value));
            seen.push((path, value));
            is_new
        });
        let content = edits::apply(&state.content, self.scope.schema, edits, |_| Ok(()))?;
        violation(self.scope, &content).map_or(Ok(()), Err)?;
        Ok((content, takes_all))
    }
}

impl Fix<'_> {
    /// Returns whether the fix changes a value at, inside or around a path in the evidence of `finding`.
    pub(super) fn reaches(&self, finding: &Finding) -> bool {
        let shown = |place: &FieldPath| {
            let paths = finding.evidence.iter().map(|evidence| FieldPath::parse(&evidence.field_path));
            paths.into_iter().any(|path| path.is_prefix_of(place) || place.is_prefix_of(&path))
        };
        self.paths.iter().any(shown)
    }
}

/// Returns whether `difference` changes a value at, inside or around one of the paths in `places`. For an added value,
/// returns true only if it is at or inside a path, because a new list element does not change the other elements of the
/// list.
pub(super) fn edits_one_of(places: &[FieldPath], difference: &Difference<'_>) -> bool {
    let path = difference.path();
    let is_added = matches!(difference, Difference::Added(..));
    places.iter().any(|place| place.is_prefix_of(path) || !is_added && path.is_prefix_of(place))
}

pub(super) fn edited_path(difference: &Difference<'_>) -> FieldPath {
    let mut place = difference.path().clone();
    if !matches!(difference, Difference::Changed(..)) && place.segments().len() > 1 {
        place.pop();
    }
    place
}

pub(super) fn new_contradiction(new: &Finding) -> String {
    format!("It causes another contradiction: {}", new.reason)
}

/// Returns the schema violations that `after` adds, as sentences; `None` if there are none.
pub(super) fn violation(scope: Scope<'_>, after: &Content) -> Option<String> {
    let violations = scope.schema.violations_introduced(scope.content, &mut after.clone());
    let name = |path: &str| label(scope.schema, &FieldPath::parse(path));
    let texts: Vec<String> =
        violations.iter().take(MAX_VIOLATIONS).map(|v| format!("{} {}.", name(&v.path), v.message)).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

#[cfg(test)]
#[path = "../../tests/unit/authoring/fixes.rs"]
mod tests;
