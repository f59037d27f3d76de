//! Contradiction processing by a language model. It is slow: it comes after the change, outside of its transaction
//! and turn, and is applied only to the content that it was made from. Whatever goes wrong, the change stands.

use tracing::Instrument;

use super::{Decided, Failure, Loaded, Needs, change, settle};
use crate::app::{App, Found};
use crate::assistant::model::Model;
use crate::domain::change::same_content;
use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::history::Step;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Expected, Investigation};
use crate::traces;

/// The investigation with what the model found in this very content earlier, beside what the rules found.
pub(super) async fn with_kept(app: &App, investigation: Investigation) -> Investigation {
    let Some(model) = app.assistant.model() else { return investigation };
    let Some(kept) = kept(app, &model.key(&investigation.content, &app.schema)).await else { return investigation };
    let findings = investigation.findings.clone().joined(kept);
    investigation.with_findings(findings, &app.schema)
}

/// What is kept under this key. What cannot be read is as good as not kept: no change fails over that.
async fn kept(app: &App, key: &str) -> Option<Findings> {
    app.store.detection(key.to_owned()).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "what the model found earlier could not be read");
        None
    })
}

/// What the model finds in this content: as it is kept, or else asked for and kept.
/// Whoever asks meanwhile waits for the same answer.
pub(super) async fn found(app: &App, model: &Model, content: &Content) -> Found {
    let key = model.key(content, &app.schema);
    let ask = async {
        if let Some(kept) = kept(app, &key).await {
            return Ok(kept);
        }
        let findings = model.detect(content, &app.schema).await?;
        if let Err(error) = app.store.keep_detection(key.clone(), findings.clone()).await {
            tracing::warn!(%error, "what the model found could not be kept");
        }
        Ok(findings)
    };
    app.questions.once(&key, ask).await
}

/// Asks the model about an investigation that has just been stored, and applies what it finds without a version record.
/// Gives the investigation as it stands afterwards. This runs to its end even where the caller hangs up.
pub(super) async fn process(app: &App, changed: Investigation) -> Investigation {
    let Some(model) = app.assistant.model() else { return changed };
    let model = model.for_one_operation();
    let (id, content, asking) = (changed.id, changed.content.clone(), app.clone());
    let processed = to_its_end(async move { ask_and_settle(&asking, &model, id, &content).await });
    let processed = tokio::select! {
        processed = processed => processed,
        // The change is stored: whoever waits for its answer shall have it before the service stops.
        () = app.questions.given_up() => return changed,
    };
    match processed {
        Ok(investigation) => investigation,
        // Deleted meanwhile. The change was made all the same, and that is what was asked for.
        Err(Failure::InvestigationNotFound) => changed,
        Err(failure) => {
            tracing::warn!(investigation.id = %id, ?failure, "the rules' findings stand alone");
            // Others may have changed it while the model was waited for.
            app.store.load(id).await.ok().flatten().unwrap_or(changed)
        }
    }
}

async fn ask_and_settle(app: &App, model: &Model, id: ObjectId, content: &Content) -> Result<Investigation, Failure> {
    if kept(app, &model.key(content, &app.schema)).await.is_none() {
        let _turn = model.turn().await?;
        let now = app.store.load(id).await?.ok_or(Failure::InvestigationNotFound)?;
        if !same_content(&now.content, content) {
            // Whoever brought the newer content asks about that; about this nobody wants to know any more.
            return Ok(now);
        }
        found(app, model, content).await?;
    }
    // Whatever content stands there now gets what is kept for it: for content that came meanwhile, that is not this.
    let decide = |Loaded { before, .. }: &Loaded| {
        let after = settle(app, before, &Step::Stay, before.content.clone());
        Ok(Decided { after, step: Step::Stay, said: None, told: () })
    };
    change(app, id, &Expected::Any, Needs::Nothing, decide).await.map(|(investigation, ())| investigation)
}

/// Does the work on a task of its own, so that a caller who hangs up does not lose what the model is paid for.
pub(super) async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    tokio::spawn(traces::carried(work.in_current_span())).await.unwrap_or_else(|error| {
        tracing::error!(%error, "work for the language model ended early");
        Err(Failure::Damaged)
    })
}
