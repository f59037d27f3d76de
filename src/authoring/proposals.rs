//! Proposals of a language model. Each proposal is checked. If it is rejected, the model is asked again, with the
//! reason, up to a maximum number of attempts.

use std::ops::ControlFlow;

use super::error::AuthoringError;
use super::fixes::{CheckedContent, MAX_MODEL_CHECKS, ResolutionTask, violation};
use crate::app::App;
use crate::assistant::Outcome;
use crate::assistant::fix::Scope;
use crate::assistant::model::{Model, ModelError, Proposal};
use crate::assistant::summary;
use crate::domain::change;
use crate::domain::chat::ChatEntry;
use crate::domain::comparison::{Comparison, share_a_path};
use crate::domain::content;
use crate::domain::finding::Finding;
use crate::domain::id::ObjectId;
use crate::limits::AssistantRequest;

const MAX_TRIES: usize = 3;

/// Resolves the contradictions in `scope` one by one: first with fixes by the rules, and then with proposals of the
/// model. The message lists every edit with its reason, and what could not be resolved.
pub(super) async fn resolve(
    app: &App,
    model: &Model,
    id: ObjectId,
    scope: Scope<'_>,
    asking: &AssistantRequest,
) -> Result<Outcome, AuthoringError> {
    let mut task = ResolutionTask { app, model, id, scope, model_reads: true };
    let (state, silence) = match task.read(scope.content).await {
        Ok(state) => (state, None),
        Err(error) => {
            task.model_reads = false;
            (task.read(scope.content).await?, Some(error))
        }
    };
    if state.open.is_empty() {
        if let Some(error) = silence {
            return Err(AuthoringError::Model(error));
        }
        // There are no contradictions, but the rules may also fix the hints that the rules found.
        let resolved = task.compute(scope.content, || app.assistant.resolve(&scope)).await?;
        let message = resolved.message(&scope);
        return Ok(Outcome { content: resolved.content, message, explanation: None });
    }
    asking.count(&app.limits)?;
    let mut fixed = Vec::new();
    let state = match by_rules(&task, state, &mut fixed).await {
        ControlFlow::Continue(state) => state,
        ControlFlow::Break(outcome) => return Ok(outcome),
    };
    let (state, words, failure) = by_model(&task, state, &mut fixed, silence).await;
    if fixed.is_empty() {
        return Err(failure);
    }
    let message = summary::message(scope.schema, scope.content, &state.content, &fixed, &state.open);
    let explanation = (!words.is_empty()).then(|| words.join(" "));
    Ok(Outcome { content: state.content, message, explanation })
}

/// Fixes contradictions with the rules, and adds the fixed contradictions to `fixed`. Returns the state after the
/// fixes. If the model cannot check the fixes, ends the resolution with the outcome of the rules alone.
async fn by_rules(
    task: &ResolutionTask<'_>,
    state: CheckedContent,
    fixed: &mut Vec<Finding>,
) -> ControlFlow<Outcome, CheckedContent> {
    let ResolutionTask { app, scope, .. } = task;
    let mut declined: Vec<Finding> = Vec::new();
    // If the model found all contradictions, the rules could fix only hints, so the rules are not tried.
    let looks = if state.open.iter().all(Finding::is_by_model) { 0 } else { MAX_MODEL_CHECKS };
    for _ in 0..looks {
        let resolved = task.compute(scope.content, || app.assistant.resolve_except(&declined, scope)).await;
        let Ok(mut resolved) = resolved else { break };
        let after = match task.read(&resolved.content).await {
            Ok(after) => after,
            Err(error) => {
                // The fixes are kept, because the rules alone can confirm them. The contradictions that the model found
                // stay open.
                let by_model = state.open.iter().filter(|finding| finding.is_by_model());
                let left: Vec<Finding> = resolved.left.iter().chain(by_model).cloned().collect();
                let message = summary::message(scope.schema, scope.content, &resolved.content, &resolved.fixed, &left);
                let explanation = Some(error.to_string());
                return ControlFlow::Break(Outcome { content: resolved.content, message, explanation });
            }
        };
        let new = Comparison::of(&state.all, &after.all).new;
        if new.is_empty() {
            fixed.extend(state.removed_by(&after));
            return ControlFlow::Continue(after);
        }
        // The fixes caused new contradictions, so the next attempt omits the fixes that are probably to blame: those of
        // findings with evidence at the same path as a new contradiction. If there are none, it omits all fixes.
        let blamed = |fixed: &&Finding| new.iter().any(|new| share_a_path(fixed, new));
        let mut guilty: Vec<Finding> = resolved.fixed.iter().filter(blamed).cloned().collect();
        declined.append(if guilty.is_empty() { &mut resolved.fixed } else { &mut guilty });
    }
    ControlFlow::Continue(state)
}

/// Lets the model fix the contradictions that are still open, and adds the fixed ones to `fixed`. `silence` is the
/// error of an earlier check by the model, if that check failed. Returns:
/// - the state after the fixes
/// - the model's messages about the fixes
/// - why the model could not fix more
async fn by_model(
    task: &ResolutionTask<'_>,
    mut state: CheckedContent,
    fixed: &mut Vec<Finding>,
    silence: Option<ModelError>,
) -> (CheckedContent, Vec<String>, AuthoringError) {
    let ResolutionTask { model, scope, .. } = task;
    let (mut refused, mut words, mut tries) = (Vec::new(), Vec::new(), 0);
    while !state.open.is_empty() && tries < MAX_TRIES {
        tries += 1;
        let proposal = async {
            let resolution = model.resolve(&state.content, scope.schema, &state.open, scope.field, &refused).await?;
            let accepted = task.accepted_fixes(&state, &resolution, &mut refused).await?;
            Ok::<_, ModelError>(accepted.map(|(after, takes_all)| (after, takes_all.then_some(resolution.message))))
        };
        match proposal.await {
            Ok(None) => {}
            Ok(Some((after, message))) => {
                fixed.extend(state.removed_by(&after));
                state = after;
                words.extend(message);
            }
            Err(error) => return (state, words, AuthoringError::Model(error)),
        }
    }
    let failure = silence.map_or_else(|| no_valid_proposal(tries, refused), AuthoringError::Model);
    (state, words, failure)
}

/// Makes the other fields consistent with the field `scope.field`, which must stay exactly as it is. If this field is
/// blank, nothing is changed. The model writes the explanation.
pub(super) async fn regenerate(
    app: &App,
    model: &Model,
    scope: Scope<'_>,
    chat: &[ChatEntry],
    asking: &AssistantRequest,
) -> Result<Outcome, AuthoringError> {
    let Scope { content, field, schema, .. } = scope;
    let name = summary::named(schema, field);
    let Some(kept) = content.get(field).filter(|value| !content::is_blank(value)) else {
        let explanation = Some(format!("{name} is empty, so there is nothing to adapt to it."));
        return Ok(Outcome { content: content.clone(), message: String::new(), explanation });
    };
    asking.count(&app.limits)?;
    let moves = |proposal: &Proposal| {
        let stays = proposal.content.get(field).is_some_and(|value| change::same(value, kept));
        (!stays).then(|| format!("{name} must stay as it is."))
    };
    let ask = |refused: Vec<String>| async move { model.regenerate(content, schema, field, chat, &refused).await };
    let Proposal { content, message } = first_valid(scope, ask, moves).await?;
    Ok(Outcome { content, message: String::new(), explanation: Some(message) })
}

pub(super) async fn converse(
    model: &Model,
    scope: Scope<'_>,
    chat: &[ChatEntry],
    said: &str,
) -> Result<Outcome, AuthoringError> {
    let ask =
        |refused: Vec<String>| async move { model.converse(scope.content, scope.schema, chat, said, &refused).await };
    let Proposal { content, message } = first_valid(scope, ask, |_| None).await?;
    Ok(Outcome { content, message, explanation: None })
}

/// Asks the model until a proposal has no `fault` and adds no schema violation. `ask` gets the reasons for which
/// earlier proposals were refused, so that the model can correct them.
async fn first_valid<A: Future<Output = Result<Proposal, ModelError>>>(
    scope: Scope<'_>,
    ask: impl Fn(Vec<String>) -> A,
    fault: impl Fn(&Proposal) -> Option<String>,
) -> Result<Proposal, AuthoringError> {
    let mut refused = Vec::new();
    while refused.len() < MAX_TRIES {
        let proposal = match ask(refused.clone()).await {
            Ok(proposal) => proposal,
            Err(ModelError::NotAllowed(reason)) => {
                refused.push(reason);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        match fault(&proposal).or_else(|| violation(scope, &proposal.content)) {
            Some(reason) => refused.push(reason),
            None => return Ok(proposal),
        }
    }
    Err(no_valid_proposal(refused.len(), refused))
}

fn no_valid_proposal(tries: usize, refused: Vec<String>) -> AuthoringError {
    AuthoringError::NoValidProposal { tries, reason: refused.into_iter().next_back().unwrap_or_default() }
}
