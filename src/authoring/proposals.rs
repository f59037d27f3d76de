//! Proposals of a language model. Each is checked before it is accepted; a refused one is requested again with the
//! reason, a few times.

use serde_json::Value;

use super::{Failure, processing};
use crate::app::App;
use crate::assistant::Outcome;
use crate::assistant::mend::Scope;
use crate::assistant::model::edits::{self, Edit};
use crate::assistant::model::{MAX_FINDINGS, Model, ModelFailure, Proposal, Resolution};
use crate::assistant::summary::{self, Difference};
use crate::domain::change;
use crate::domain::chat::ChatEntry;
use crate::domain::comparison::{Comparison, shares_a_place};
use crate::domain::content::{self, Content};
use crate::domain::finding::{Finding, Findings};
use crate::domain::label::label;
use crate::domain::path::FieldPath;
use crate::limits::Asking;

/// Maximum number of proposals to check.
const MAX_TRIES: usize = 3;
/// Maximum number of combinations of one proposal's fixes that the model reads again.
const MAX_LOOKS: usize = 3;
/// Maximum number of schema violations reported to the model.
const MAX_VIOLATIONS: usize = 5;
/// Maximum number of bytes of a model's words that are quoted back to it.
const MAX_WORDS: usize = 500;

/// Resolves the contradictions in `scope` one by one: first by the rules' fixes, then by the model's proposals. The
/// message names every edit, its reason, and what could not be resolved.
pub(super) async fn resolve(app: &App, model: &Model, scope: Scope<'_>, asking: &Asking) -> Result<Outcome, Failure> {
    let mut case = Case { app, model, scope, model_reads: true };
    let (mut state, mut silence) = match case.read(scope.content).await {
        Ok(state) => (state, None),
        Err(failure) => {
            case.model_reads = false;
            (case.read(scope.content).await?, Some(failure))
        }
    };
    if state.open.is_empty() {
        if let Some(failure) = silence {
            return Err(Failure::Model(failure));
        }
        // The rules may fix their hints as well.
        let mended = case.compute(scope.content, || app.assistant.resolve(&scope)).await?;
        let message = mended.message(&scope);
        return Ok(Outcome { content: mended.content, message, explanation: None });
    }
    asking.counts(&app.limits)?;
    let mut fixed: Vec<Finding> = Vec::new();
    let mut declined: Vec<Finding> = Vec::new();
    let by_model = |finding: &&Finding| finding.source.starts_with("model:");
    // If only the model finds something, the rules can fix nothing but hints.
    let looks = if state.open.iter().all(|finding| by_model(&finding)) { 0 } else { MAX_LOOKS };
    for _ in 0..looks {
        let mended = case.compute(scope.content, || app.assistant.resolve_but(&declined, &scope)).await;
        let Ok(mut mended) = mended else { break };
        let after = match case.read(&mended.content).await {
            Ok(after) => after,
            Err(failure) => {
                // Fixes by the rules hold for the rules, whatever the model does. The model's findings stay open.
                let left: Vec<Finding> =
                    mended.left.iter().chain(state.open.iter().filter(by_model)).cloned().collect();
                let message = summary::message(scope.schema, scope.content, &mended.content, &mended.fixed, &left);
                return Ok(Outcome { content: mended.content, message, explanation: Some(failure.to_string()) });
            }
        };
        let new = Comparison::of(&state.all, &after.all).new;
        if new.is_empty() {
            fixed.extend(state.gone_in(&after));
            state = after;
            break;
        }
        // A fix is blamed for new findings at a place that its own finding shows; if no fix can be blamed, all are.
        let blamed = |fixed: &&Finding| new.iter().any(|new| shares_a_place(fixed, new));
        let mut guilty: Vec<Finding> = mended.fixed.iter().filter(blamed).cloned().collect();
        declined.append(if guilty.is_empty() { &mut mended.fixed } else { &mut guilty });
    }
    let (mut refused, mut words) = (Vec::new(), Vec::new());
    let mut tries = 0;
    while !state.open.is_empty() && tries < MAX_TRIES {
        tries += 1;
        let proposed = model.resolve(&state.content, scope.schema, &state.open, scope.field, &refused).await;
        let judged = match proposed {
            Ok(resolution) => case.judged(&state, &resolution, &mut refused).await.map(|next| (resolution, next)),
            Err(failure) => Err(failure),
        };
        match judged {
            Ok((_, None)) => {}
            Ok((resolution, Some((after, takes_all)))) => {
                fixed.extend(state.gone_in(&after));
                state = after;
                words.extend(takes_all.then_some(resolution.message));
            }
            Err(failure) => {
                silence = Some(failure);
                break;
            }
        }
    }
    if fixed.is_empty() {
        return Err(silence.map_or_else(|| not_taken(tries, refused), Failure::Model));
    }
    let message = summary::message(scope.schema, scope.content, &state.content, &fixed, &state.open);
    let explanation = (!words.is_empty()).then(|| words.join(" "));
    Ok(Outcome { content: state.content, message, explanation })
}

/// Makes the other fields agree with the field of `scope`, which stays byte for byte. An empty field changes nothing.
/// The explanation is the model's own.
pub(super) async fn regenerate(
    app: &App,
    model: &Model,
    scope: Scope<'_>,
    chat: &[ChatEntry],
    asking: &Asking,
) -> Result<Outcome, Failure> {
    let Scope { content, field, schema, .. } = scope;
    let name = summary::named(schema, field);
    let Some(kept) = content.get(field).filter(|value| !content::is_blank(value)) else {
        let explanation = Some(format!("{name} is empty, so that nothing follows from it."));
        return Ok(Outcome { content: content.clone(), message: String::new(), explanation });
    };
    asking.counts(&app.limits)?;
    let mut refused = Vec::new();
    while refused.len() < MAX_TRIES {
        let proposed = applied(model.regenerate(content, schema, field, chat, &refused).await)?;
        let checked = proposed.and_then(|proposal| {
            let stays = proposal.content.get(field).is_some_and(|value| change::same(value, kept));
            if stays { valid(scope, proposal) } else { Err(format!("{name} must stay as it is.")) }
        });
        match checked {
            Ok(Proposal { content, message }) => {
                return Ok(Outcome { content, message: String::new(), explanation: Some(message) });
            }
            Err(reason) => refused.push(reason),
        }
    }
    Err(not_taken(refused.len(), refused))
}

/// Answers a person's message and changes the fields that they asked to change.
pub(super) async fn converse(
    model: &Model,
    scope: Scope<'_>,
    chat: &[ChatEntry],
    said: &str,
) -> Result<Outcome, Failure> {
    let mut refused = Vec::new();
    while refused.len() < MAX_TRIES {
        let proposed = applied(model.converse(scope.content, scope.schema, chat, said, &refused).await)?;
        match proposed.and_then(|proposal| valid(scope, proposal)) {
            Ok(Proposal { content, message }) => return Ok(Outcome { content, message, explanation: None }),
            Err(reason) => refused.push(reason),
        }
    }
    Err(not_taken(refused.len(), refused))
}

/// Contradictions that are to be resolved.
struct Case<'c> {
    app: &'c App,
    model: &'c Model,
    scope: Scope<'c>,
    /// Whether the model can read the content, so that it is asked again after a fix.
    model_reads: bool,
}

/// A content on its way to be resolved.
struct State {
    content: Content,
    /// All contradictions. Those to be resolved come last, so that among equal findings the untouched one counts as
    /// remaining.
    all: Vec<Finding>,
    /// The contradictions that are to be resolved.
    open: Vec<Finding>,
}

impl State {
    /// The open contradictions that are gone `after` an edit.
    fn gone_in(&self, after: &Self) -> Vec<Finding> {
        let gone = Comparison::of(&self.all, &after.all).gone;
        self.open.iter().filter(|finding| gone.contains(finding)).cloned().collect()
    }
}

/// The fix of one contradiction.
struct Fix<'f> {
    finding: &'f Finding,
    edits: Vec<&'f Edit>,
    /// The places that it changes; for an added or removed element, its list.
    places: Vec<FieldPath>,
}

impl Case<'_> {
    /// Runs CPU work on a content.
    async fn compute<T>(&self, content: &Content, work: impl FnOnce() -> T) -> T {
        self.app.capacity.compute(self.model.caller(), content::bytes(content), work).await
    }

    /// The contradictions in a content, by the rules and the model.
    async fn read(&self, content: &Content) -> Result<State, ModelFailure> {
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

    /// The content after the fixes that hold, and whether these are all its edits; `None` if none holds. Reasons
    /// against the others are added to `refused`.
    async fn judged(
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
        for _ in 0..MAX_LOOKS {
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
                    new.iter().find(|new| fix.reaches(new)).map(|new| brings(new))
                };
                reason.map(|reason| refuse(fix.finding, reason)).is_none()
            });
            if fixes.len() < before {
                continue;
            }
            let Some(new) = new.first() else { return Ok(Some((after, takes_all))) };
            fixes.iter().for_each(|fix| refuse(fix.finding, brings(new)));
            return Ok(None);
        }
        fixes.iter().for_each(|fix| refuse(fix.finding, "It does not hold together with the others.".to_owned()));
        Ok(None)
    }

    /// The fix of one contradiction, or why it is refused: it must edit one of the finding's own places and nothing but
    /// its sides, and break neither the schema nor a rule.
    fn alone<'f>(&self, state: &State, finding: &'f Finding, edits: Vec<&'f Edit>) -> Result<Fix<'f>, String> {
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
            return Err(brings(new));
        }
        Ok(Fix { finding, edits, places: differences.iter().map(place).collect() })
    }

    /// The content after all these fixes, and whether they are all edits of the resolution.
    fn together(&self, state: &State, fixes: &[Fix<'_>], all: &Resolution) -> Result<(Content, bool), String> {
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
    /// Whether it changes a place that a finding shows.
    fn reaches(&self, finding: &Finding) -> bool {
        let shown = |place: &FieldPath| {
            let paths = finding.evidence.iter().map(|evidence| FieldPath::parse(&evidence.field_path));
            paths.into_iter().any(|path| path.is_prefix_of(place) || place.is_prefix_of(&path))
        };
        self.places.iter().any(shown)
    }
}

/// Whether one of these places, or something inside it, differs. An addition to a list edits the list, and none of its
/// other elements.
fn edits_one_of(places: &[FieldPath], difference: &Difference<'_>) -> bool {
    let path = difference.path();
    let is_added = matches!(difference, Difference::Added(..));
    places.iter().any(|place| place.is_prefix_of(path) || !is_added && path.is_prefix_of(place))
}

fn place(difference: &Difference<'_>) -> FieldPath {
    let mut place = difference.path().clone();
    if !matches!(difference, Difference::Changed(..)) && place.segments().len() > 1 {
        place.pop();
    }
    place
}

fn brings(new: &Finding) -> String {
    format!("It brings another contradiction: {}", new.reason)
}

/// A proposal that could be applied, or the reason why not, which the model can make use of.
fn applied(proposed: Result<Proposal, ModelFailure>) -> Result<Result<Proposal, String>, ModelFailure> {
    match proposed {
        Ok(proposal) => Ok(Ok(proposal)),
        Err(ModelFailure::NotAllowed(reason)) => Ok(Err(reason)),
        Err(failure) => Err(failure),
    }
}

/// The proposal, if it breaks the schema in no new way.
fn valid(scope: Scope<'_>, proposal: Proposal) -> Result<Proposal, String> {
    violation(scope, &proposal.content).map_or(Ok(proposal), Err)
}

/// In which new ways `after` breaks the schema.
fn violation(scope: Scope<'_>, after: &Content) -> Option<String> {
    let violations = scope.schema.violations_brought(scope.content, after);
    let name = |path: &str| label(scope.schema, &FieldPath::parse(path));
    let told: Vec<String> =
        violations.iter().take(MAX_VIOLATIONS).map(|v| format!("{} {}.", name(&v.path), v.message)).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

fn not_taken(tries: usize, refused: Vec<String>) -> Failure {
    Failure::NotTaken { tries, reason: refused.into_iter().next_back().unwrap_or_default() }
}
