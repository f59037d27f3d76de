//! Detection of contradictions with a language model.
//!
//! A model is slow, so it runs after the change, outside the transaction and the edit lock. Its findings apply only to
//! the content that it read. Until the model has read the content, the investigation is stored as pending, so that
//! another copy of the service can continue after a crash. If the model fails, the change remains stored.

use std::time::Duration;

use tracing::Instrument;

use super::change::{Decided, after_step, change};
use super::context::{ChangeContext, RespondAfter};
use super::error::AuthoringError;
use super::findings::{cached, counted, key, model_findings};
use super::load::Loaded;
use crate::admission::{self, Actor, Class};
use crate::app::App;
use crate::assistant::model::Model;
use crate::domain::change::same_content;
use crate::domain::content::{self, Content, ContentFields};
use crate::domain::finding::Findings;
use crate::domain::history::Step;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::permission::Principal;
use crate::store::StoreError;
use crate::telemetry;

/// Asks the model about an investigation that was just stored and is pending, and stores the findings without adding a
/// version record. Returns the investigation for the response.
pub(super) async fn process(app: &App, changed: Investigation, context: &ChangeContext) -> Investigation {
    if !changed.findings.pending || context.dry_run {
        return changed;
    }
    // If a caller has too many concurrent requests to the model, the response does not contain the model's findings. A
    // background task asks the model instead, because it holds no memory while it waits.
    let has_time = context.respond_after != RespondAfter::Stored;
    if !has_time || admission::without_waiting(admission::hold(Class::Assistant)).await.is_err() {
        detect_in_background(app, context.actor, changed.id);
        return changed;
    }
    let id = changed.id;
    let processed = tokio::select! {
        processed = detect_and_store(app, context.actor, id, &changed.content) => processed,
        // The service is stopping. The change is stored, so the caller still gets a response.
        () = app.model_calls.cancelled() => return changed,
    };
    match processed {
        Ok(investigation) => investigation,
        // The investigation was deleted in the meantime, but the change that the caller requested was made.
        Err(AuthoringError::InvestigationNotFound) => changed,
        Err(error) => {
            tracing::warn!(
                investigation.id = %id, failure = ?error,
                "could not finish checking for contradictions; the investigation stays pending"
            );
            // Loads the investigation again, because it may have changed while the model was reading.
            app.store.load(id).await.ok().flatten().unwrap_or(changed)
        }
    }
}

/// Asks the model about an investigation that has stayed pending, for example because a copy of the service crashed.
/// Gives that copy time to finish: does nothing until the settle time (`BackgroundChecks::settle`) and the deadline of
/// the model have passed since the last change.
pub fn resume_pending<C: ContentFields>(app: &App, investigation: &Investigation<C>) {
    let longest = app.assistant.model().map_or(Duration::ZERO, Model::longest);
    let since = app.clock.now().since(investigation.updated_at);
    if investigation.findings.pending && since > app.background_checks.settle + longest {
        detect_in_background(app, Actor::Service, investigation.id);
    }
}

/// Asks the model about an investigation in a background task. When the service stops, it does not wait for this task.
fn detect_in_background(app: &App, actor: Actor, id: ObjectId) {
    let app = app.clone();
    let work = async move {
        let read = tokio::select! {
            read = read_when_settled(&app, actor, id) => read,
            () = app.model_calls.cancelled() => Ok(()),
        };
        if let Err(error) = read {
            tracing::warn!(
                investigation.id = %id, failure = ?error,
                "could not finish checking for contradictions; the investigation stays pending"
            );
        }
    };
    tokio::spawn(telemetry::in_current_trace(work.in_current_span()));
}

/// Waits until an investigation has not changed for the time `BackgroundChecks::settle`, and asks the model about it.
/// Repeats this until the investigation is not pending. Each round reserves the investigation for this task, and
/// releases it before the next round reads it again. So no change is missed: the next round sees it, or it starts
/// another task.
async fn read_when_settled(app: &App, actor: Actor, id: ObjectId) -> Result<(), AuthoringError> {
    let mut waited_for = None;
    let mut permit = None;
    while let Some(pending) = app.store.show(id).await?.filter(|investigation| investigation.findings.pending) {
        let Some(_held) = app.background_checks.take(id) else { return Ok(()) };
        if waited_for != Some(pending.revision) {
            waited_for = Some(pending.revision);
            let since = app.clock.now().since(pending.updated_at);
            let class = Class::of_document(pending.content.bytes(), pending.content.memory());
            // Many investigations may wait at once, so no content is kept in memory while waiting.
            drop((pending, permit.take()));
            app.clock.sleep(app.background_checks.settle.saturating_sub(since)).await;
            permit = Some(app.admission.assistant.take(actor, app.admission.assistant_units(class)).await);
            continue;
        }
        let content = pending.content.parse().map_err(|error| StoreError::damaged(&error))?;
        drop(pending);
        if let Err(error) = detect_and_store(app, actor, id, &content).await {
            return if matches!(error, AuthoringError::InvestigationNotFound) { Ok(()) } else { Err(error) };
        }
    }
    drop(permit);
    Ok(())
}

/// Asks the model about `content`, and stores its findings if the investigation still has this content. Otherwise, the
/// request that stored the newer content asks the model again. Returns the current investigation.
async fn detect_and_store(
    app: &App,
    actor: Actor,
    id: ObjectId,
    content: &Content,
) -> Result<Investigation, AuthoringError> {
    let model = app.assistant.model().map(|model| model.for_one_operation(actor));
    let found = match &model {
        None => Ok(Findings::default()),
        Some(model) => match cached(app, &key(app, model, content).await).await {
            Some(cached) => Ok(cached),
            None => match model.permit().await.map_err(counted) {
                Err(error) => Err(error),
                Ok(_turn) => {
                    let now = app.store.load(id).await?.ok_or(AuthoringError::InvestigationNotFound)?;
                    if !same_content(&now.content, content) {
                        return Ok(now);
                    }
                    model_findings(app, model, id, content).await
                }
            },
        },
    };
    if let Err(error) = &found {
        tracing::warn!(investigation.id = %id, failure = %error, "the language model failed; only the rules' findings count");
    }
    let decide = |before: &Investigation, (): &()| {
        // A failure must not remove findings that another copy of the service has stored.
        let applies = same_content(&before.content, content) && (found.is_ok() || before.findings.pending);
        let after = if applies {
            let after = after_step(app, before, &Step::Stay, before.content.clone());
            let by_rules = after.findings.clone();
            let findings = match &found {
                Ok(found) => by_rules.merged_with(found.clone()),
                Err(_) => by_rules.marked_incomplete(),
            };
            after.with_findings(findings, &app.schema)
        } else {
            before.clone()
        };
        Ok(Decided::step(after, Step::Stay))
    };
    let context = ChangeContext { caller: Principal::SERVICE, actor, ..ChangeContext::default() };
    change(app, id, &context, Loaded::nothing(content::bytes(content)), decide)
        .await
        .map(|(investigation, ())| investigation)
}
