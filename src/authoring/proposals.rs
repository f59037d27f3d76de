//! Proposals of a language model. Each proposal is checked. If it is rejected, the model is asked again, with the
//! reason, up to a maximum number of attempts.

use super::failure::Failure;
use super::fixes::{MAX_MODEL_CHECKS, ResolutionTask, violation};
use crate::app::App;
use crate::assistant::Outcome;
use crate::assistant::fix::Scope;
use crate::assistant::model::{Model, ModelFailure, Proposal};
use crate::assistant::summary::{self};
use crate::domain::change;
use crate::domain::chat::ChatEntry;
use crate::domain::comparison::{Comparison, share_a_path};
use crate::domain::content::{self};
use crate::domain::finding::Finding;
use crate::limits::AssistantRequest;

const MAX_TRIES: usize = 3;

/// Resolves the contradictions in `scope` one by one: first with fixes by the rules, and then with proposals of the
/// model. The message lists every edit with its reason, and what could not be resolved.
pub(super) async fn resolve(
    app: &App,
    model: &Model,
    scope: Scope<'_>,
    asking: &AssistantRequest,
) -> Result<Outcome, Failure> {
    let mut task = ResolutionTask { app, model, scope, model_reads: true };
    let (mut state, mut silence) = match task.read(scope.content).await {
        Ok(state) => (state, None),
        Err(failure) => {
            task.model_reads = false;
            (task.read(scope.content).await?, Some(failure))
        }
    };
    if state.open.is_empty() {
        if let Some(failure) = silence {
            return Err(Failure::Model(failure));
        }
        // There are no contradictions, but the rules may also fix the hints that the rules found.
        let resolved = task.compute(scope.content, || app.assistant.resolve(&scope)).await?;
        let message = resolved.message(&scope);
        return Ok(Outcome { content: resolved.content, message, explanation: None });
    }
    asking.count(&app.limits)?;
    let mut fixed: Vec<Finding> = Vec::new();
    let mut declined: Vec<Finding> = Vec::new();
    let by_model = |finding: &&Finding| finding.source.starts_with("model:");
    // If the model found all contradictions, the rules could fix only hints, so the rules are not tried.
    let looks = if state.open.iter().all(|finding| by_model(&finding)) { 0 } else { MAX_MODEL_CHECKS };
    for _ in 0..looks {
        let resolved = task.compute(scope.content, || app.assistant.resolve_except(&declined, &scope)).await;
        let Ok(mut resolved) = resolved else { break };
        let after = match task.read(&resolved.content).await {
            Ok(after) => after,
            Err(failure) => {
                // The fixes are kept, because the rules alone can confirm them. The contradictions that the model found
                // stay open.
                let left: Vec<Finding> =
                    resolved.left.iter().chain(state.open.iter().filter(by_model)).cloned().collect();
                let message = summary::message(scope.schema, scope.content, &resolved.content, &resolved.fixed, &left);
                return Ok(Outcome { content: resolved.content, message, explanation: Some(failure.to_string()) });
            }
        };
        let new = Comparison::of(&state.all, &after.all).new;
        if new.is_empty() {
            fixed.extend(state.removed_by(&after));
            state = after;
            break;
        }
        // A fix is declined if the finding that it fixed and a new finding have evidence at a common path. If there is
        // no such fix, all fixes are declined.
        let blamed = |fixed: &&Finding| new.iter().any(|new| share_a_path(fixed, new));
        let mut guilty: Vec<Finding> = resolved.fixed.iter().filter(blamed).cloned().collect();
        declined.append(if guilty.is_empty() { &mut resolved.fixed } else { &mut guilty });
    }
    let (mut refused, mut words) = (Vec::new(), Vec::new());
    let mut tries = 0;
    while !state.open.is_empty() && tries < MAX_TRIES {
        tries += 1;
        let proposed = model.resolve(&state.content, scope.schema, &state.open, scope.field, &refused).await;
        let accepted_fixes = match proposed {
            Ok(resolution) => {
                task.accepted_fixes(&state, &resolution, &mut refused).await.map(|next| (resolution, next))
            }
            Err(failure) => Err(failure),
        };
        match accepted_fixes {
            Ok((_, None)) => {}
            Ok((resolution, Some((after, takes_all)))) => {
                fixed.extend(state.removed_by(&after));
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
        return Err(silence.map_or_else(|| no_valid_proposal(tries, refused), Failure::Model));
    }
    let message = summary::message(scope.schema, scope.content, &state.content, &fixed, &state.open);
    let explanation = (!words.is_empty()).then(|| words.join(" "));
    Ok(Outcome { content: state.content, message, explanation })
}

/// Makes the other fields consistent with the field `scope.field`, which must stay exactly as it is. If this field is
/// blank, nothing is changed. The model writes the explanation.
pub(super) async fn regenerate(
    app: &App,
    model: &Model,
    scope: Scope<'_>,
    chat: &[ChatEntry],
    asking: &AssistantRequest,
) -> Result<Outcome, Failure> {
    let Scope { content, field, schema, .. } = scope;
    let name = summary::named(schema, field);
    let Some(kept) = content.get(field).filter(|value| !content::is_blank(value)) else {
        let explanation = Some(format!("{name} is empty, so that nothing follows from it."));
        return Ok(Outcome { content: content.clone(), message: String::new(), explanation });
    };
    asking.count(&app.limits)?;
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
    Err(no_valid_proposal(refused.len(), refused))
}

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
    Err(no_valid_proposal(refused.len(), refused))
}

/// Returns the proposal. If it could not be applied, returns the reason in the inner error, so that the model can
/// correct the proposal.
fn applied(proposed: Result<Proposal, ModelFailure>) -> Result<Result<Proposal, String>, ModelFailure> {
    match proposed {
        Ok(proposal) => Ok(Ok(proposal)),
        Err(ModelFailure::NotAllowed(reason)) => Ok(Err(reason)),
        Err(failure) => Err(failure),
    }
}

/// Returns the proposal; if the proposal adds schema violations, returns these as the error.
fn valid(scope: Scope<'_>, proposal: Proposal) -> Result<Proposal, String> {
    violation(scope, &proposal.content).map_or(Ok(proposal), Err)
}

fn no_valid_proposal(tries: usize, refused: Vec<String>) -> Failure {
    Failure::NoValidProposal { tries, reason: refused.into_iter().next_back().unwrap_or_default() }
}
