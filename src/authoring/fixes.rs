//! Fixes that a language model proposes: which of them hold, and why the others do not.

use super::processing;
use crate::app::App;
use crate::assistant::fix::Scope;
use crate::assistant::model::edits::{self, Edit};
use crate::assistant::model::{MAX_FINDINGS, Model, ModelFailure, Resolution};
use crate::assistant::summary::{self, Difference};
use crate::domain::comparison::Comparison;
use crate::domain::content::{self, Content};
use crate::domain::finding::{Finding, Findings};
use crate::domain::label::label;
use crate::domain::path::FieldPath;
use serde_json::Value;

/// Maximum number of combinations of one proposal's fixes that the model reads again.
pub(super) const MAX_MODEL_CHECKS: usize = 3;

/// Maximum number of schema violations reported to the model.
const MAX_VIOLATIONS: usize = 5;

/// Maximum number of bytes of a model's words that are quoted back to it.
const MAX_WORDS: usize = 500;

/// Contradictions that are to be resolved.
pub(super) struct Case<'c> {
    pub(super) app: &'c App,
    pub(super) model: &'c Model,
    pub(super) scope: Scope<'c>,
    /// Whether the model can read the content, so that it is asked again after a fix.
    pub(super) model_reads: bool,
}

/// A content that is being resolved.
pub(super) struct State {
    pub(super) content: Content,
    /// All contradictions. Those to be resolved come last, so that among equal findings the untouched one counts as
    /// remaining.
    pub(super) all: Vec<Finding>,
    /// The contradictions that are to be resolved.
    pub(super) open: Vec<Finding>,
}

impl State {
    /// Returns the open contradictions that are gone `after` an edit.
    pub(super) fn removed_by(&self, after: &Self) -> Vec<Finding> {
        let gone = Comparison::of(&self.all, &after.all).gone;
        self.open.iter().filter(|finding| gone.contains(finding)).cloned().collect()
    }
}

pub(super) struct Fix<'f> {
    pub(super) finding: &'f Finding,
    pub(super) edits: Vec<&'f Edit>,
    /// The places that it changes; for an added or removed element, its list.
    pub(super) places: Vec<FieldPath>,
}

impl Case<'_> {
    /// Runs CPU work on the content of an investigation.
    pub(super) async fn compute<T>(&self, content: &Content, work: impl FnOnce() -> T) -> T {
        self.app.capacity.compute(self.model.caller(), content::bytes(content), work).await
    }

    /// Returns the contradictions in the content of an investigation, by the rules and the model.
    pub(super) async fn read(&self, content: &Content) -> Result<State, ModelFailure> {
        let by_rules = self.compute(content, || self.app.assistant.detect(content)).await;
        let by_model = if self.model_reads {
            processing::found(self.app, self.model, content).await?
        } else {
            Findings::default()
        };
        let mut all = [by_rules.contradictions.clone(), by_model.contradictions.clone()].concat();
        all.sort_by_key(|finding| self.scope.takes(finding));
        let mut open = by_rules.joined(by_model).contradictions;
        open.retain(|finding| self.scope.takes(finding));
        Ok(State { content: content.clone(), all, open })
    }

    /// Returns the content after the fixes that hold, and whether these are all its edits; `None` if none holds.
    /// Reasons against the others are added to `refused`.
    pub(super) async fn accepted_fixes(
        &self,
        state: &State,
        resolution: &Resolution,
        refused: &mut Vec<String>,
    ) -> Result<Option<(State, bool)>, ModelFailure> {
        let mut refuse = |finding: &Finding, reason: String| {
            refused.push(if state.open.len() == 1 { reason } else { format!("{} – {reason}", finding.reason) });
        };
        let mut fixes: Vec<Fix<'_>> = Vec::new();
        for (position, finding) in state.open.iter().take(MAX_FINDINGS).enumerate() {
            let alone = || self.alone(state, finding, resolution.edits_for(position, finding));
            match self.compute(&state.content, alone).await {
                Ok(fix) => fixes.push(fix),
                Err(_) if resolution.edits.is_empty() => {
                    let words = resolution.message.get(..resolution.message.floor_char_boundary(MAX_WORDS));
                    refuse(finding, format!("It changes nothing, and says: {}", words.unwrap_or_default()));
                }
                Err(reason) => refuse(finding, reason),
            }
        }
        for _ in 0..MAX_MODEL_CHECKS {
            if fixes.is_empty() {
                return Ok(None);
            }
            let together = self.compute(&state.content, || self.together(state, &fixes, resolution)).await;
            let (content, takes_all) = match together {
                Ok(together) => together,
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
        fixes.iter().for_each(|fix| refuse(fix.finding, "It does not hold together with the others.".to_owned()));
        Ok(None)
    }

    /// Returns the fix of one contradiction, or why it is refused: it must edit one of the finding's own places and
    /// nothing but its sides, and break neither the schema nor a rule.
    pub(super) fn alone<'f>(
        &self,
        state: &State,
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
            return Err("It edits no place that shows the contradiction.".to_owned());
        }
        violation(self.scope, &after).map_or(Ok(()), Err)?;
        let rules = |content| self.app.assistant.detect(content).contradictions;
        if let Some(new) = Comparison::of(&rules(&state.content), &rules(&after)).new.first() {
            return Err(new_contradiction(new));
        }
        Ok(Fix { finding, edits, places: differences.iter().map(place).collect() })
    }

    /// Returns the content after all these fixes, and whether they are all edits of the resolution.
    pub(super) fn together(
        &self,
        state: &State,
        fixes: &[Fix<'_>],
        all: &Resolution,
    ) -> Result<(Content, bool), String> {
        let is_taken = |edit: &&Edit| fixes.iter().any(|fix| fix.edits.iter().any(|own| std::ptr::eq(*own, *edit)));
        let mut edits: Vec<&Edit> = all.edits.iter().filter(is_taken).collect();
        let takes_all = edits.len() == all.edits.len();
        // Two contradictions may ask for the same addition.
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
    /// Returns whether the fix changes a place that a finding shows.
    pub(super) fn reaches(&self, finding: &Finding) -> bool {
        let shown = |place: &FieldPath| {
            let paths = finding.evidence.iter().map(|evidence| FieldPath::parse(&evidence.field_path));
            paths.into_iter().any(|path| path.is_prefix_of(place) || place.is_prefix_of(&path))
        };
        self.places.iter().any(shown)
    }
}

/// Returns whether one of these places, or something inside it, differs. An addition to a list edits the list, and none
/// of its other elements.
pub(super) fn edits_one_of(places: &[FieldPath], difference: &Difference<'_>) -> bool {
    let path = difference.path();
    let is_added = matches!(difference, Difference::Added(..));
    places.iter().any(|place| place.is_prefix_of(path) || !is_added && path.is_prefix_of(place))
}

pub(super) fn place(difference: &Difference<'_>) -> FieldPath {
    let mut place = difference.path().clone();
    if !matches!(difference, Difference::Changed(..)) && place.segments().len() > 1 {
        place.pop();
    }
    place
}

pub(super) fn new_contradiction(new: &Finding) -> String {
    format!("It causes another contradiction: {}", new.reason)
}

/// Returns the new schema violations of `after`, as a sentence.
pub(super) fn violation(scope: Scope<'_>, after: &Content) -> Option<String> {
    let violations = scope.schema.violations_brought(scope.content, after);
    let name = |path: &str| label(scope.schema, &FieldPath::parse(path));
    let texts: Vec<String> =
        violations.iter().take(MAX_VIOLATIONS).map(|v| format!("{} {}.", name(&v.path), v.message)).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

#[cfg(test)]
#[path = "../../tests/unit/authoring/fixes.rs"]
mod tests;
