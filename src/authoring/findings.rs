//! The language model's findings in the content of an investigation, from the cache or from the model.

use crate::admission::Core;
use crate::app::{App, ModelFindings};
use crate::assistant::model::{Model, ModelError};
use crate::domain::content::{self, Content};
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;

/// Adds the model's cached findings for this content to a pending investigation. If there are none, it stays pending.
pub(super) async fn with_cached_findings(app: &App, core: &Core, investigation: Investigation) -> Investigation {
    let Some(model) = app.assistant.model().filter(|_| investigation.findings.pending) else { return investigation };
    let key = core.run(|| model.key(&investigation.content, &app.schema));
    let Some(cached) = cached(app, &key).await else { return investigation };
    let findings = investigation.findings.clone().merged_with(cached);
    investigation.with_findings(findings, &app.schema)
}

/// Returns the cache key for the model's findings in `content`.
pub(super) async fn key(app: &App, model: &Model, content: &Content) -> String {
    let bytes = content::bytes(content);
    app.admission.core(model.caller(), bytes).await.run(|| model.key(content, &app.schema))
}

/// Returns the cached findings with this key. An unreadable entry is treated as missing, so that the change does not
/// fail.
pub(super) async fn cached(app: &App, key: &str) -> Option<Findings> {
    app.store.detection(key.to_owned()).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the cached findings of the model could not be read");
        None
    })
}

/// Returns the model's findings for this content of the investigation `id`, from the cache or from the model.
/// Concurrent calls for the same content share one request to the model.
pub(super) async fn model_findings(app: &App, model: &Model, id: ObjectId, content: &Content) -> ModelFindings {
    let key = key(app, model, content).await;
    let ask = async {
        if let Some(cached) = cached(app, &key).await {
            return Ok(cached);
        }
        let findings = model.detect(content, &app.schema).await?;
        if let Err(error) = app.store.keep_detection(id, key.clone(), findings.clone()).await {
            tracing::warn!(%error, "the findings of the model could not be cached");
        }
        Ok(findings)
    };
    app.model_calls.once(&key, ask).await.map_err(counted)
}

pub(super) fn counted(error: ModelError) -> ModelError {
    metrics::counter!("fieldbook_contradictions_incomplete_total", "cause" => "model").increment(1);
    error
}
