//! Calls a language model behind an OpenAI-compatible endpoint, to find and resolve contradictions, regenerate fields,
//! and answer messages.
//!
//! Answers of a model are never trusted: they are validated, quotes are looked up in the document, and edits are
//! checked and applied to a copy. An unreadable answer is a failure, and never counts as "nothing found".

mod answer;
mod backoff;
mod detect;
mod diagnostics;
pub mod edits;
mod endpoint;
mod error;
mod host;
mod leaves;
pub mod preset;
mod propose;
mod question;
mod settings;
mod split;
mod stream;
mod tally;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{Context, SHA256};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

pub use error::{ModelDiagnosisError, ModelError, ModelSettingsError};
pub use propose::{MAX_FINDINGS, ProposedEdits};
pub use settings::ModelSettings;

use crate::admission::{Permit, Pool};
use crate::clock::Clock;
use crate::domain::content::Content;
use crate::domain::hex;
use crate::domain::schema::Schema;
use crate::ids::Ids;
use crate::limits::Actor;
use answer::Reader;
use endpoint::{Asking, Endpoint};
use question::Question;

/// Maximum time limit of an operation. A longer limit in the settings is reduced to this one.
const MAX_DURATION: Duration = Duration::from_secs(3600);

#[derive(Clone)]
pub struct Model {
    parts: Arc<Parts>,
    /// Deadline of the operation; `None` if each question has its own deadline.
    until: Option<Instant>,
    /// Actor that asks. Each actor has a share of the concurrent calls.
    caller: Actor,
}

struct Parts {
    name: String,
    deadline: Duration,
    endpoint: Endpoint,
    ids: Ids,
    permits: Pool,
}

/// Creates the permits for concurrent calls. One actor can hold at most a quarter of the permits, but always at least
/// one.
fn calls(concurrent: usize) -> Pool {
    Pool::new(u32::try_from(concurrent).unwrap_or(u32::MAX).max(1))
}

#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// Whole content after the edits, or the old content if nothing was edited.
    pub content: Content,
    pub message: String,
}

impl Model {
    /// Creates a model at an endpoint. `clock` is used to interpret the dates in responses, and `ids` to create nonces.
    pub fn new(settings: ModelSettings, clock: Clock, ids: Ids) -> Result<Self, ModelSettingsError> {
        let endpoint = Endpoint::new(&settings, clock, ids.clone())?;
        let ModelSettings { model: name, deadline, concurrent_calls, .. } = settings;
        let permits = calls(concurrent_calls);
        let parts = Parts { name, deadline: deadline.min(MAX_DURATION), endpoint, ids, permits };
        Ok(Self { parts: Arc::new(parts), until: None, caller: Actor::Service })
    }

    /// Returns the model for one operation that starts now. All questions of the operation share one deadline.
    pub fn for_one_operation(&self, caller: Actor) -> Self {
        Self { parts: self.parts.clone(), until: Some(self.deadline()), caller }
    }

    pub fn asked_by(&self, caller: Actor) -> Self {
        Self { caller, ..self.clone() }
    }

    pub fn caller(&self) -> Actor {
        self.caller
    }

    /// Waits for a permit to ask about a document. Dropping it gives it back.
    pub async fn permit(&self) -> Result<Permit, ModelError> {
        let permit = timeout_at(self.deadline(), self.parts.permits.take(self.caller, 1)).await;
        permit.map_err(|_| ModelError::TooBusy)
    }

    pub fn longest(&self) -> Duration {
        self.parts.deadline
    }

    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// Returns the cache key of findings: the SHA-256 hash of content, schema, prompts and model, in hexadecimal.
    pub fn key(&self, content: &Content, schema: &Schema) -> String {
        let mut context = Context::new(&SHA256);
        let content = Value::Object(content.clone()).to_string();
        let schema = schema.document().to_string();
        for part in [content.as_str(), &schema, &detect::instructions(), self.name()] {
            // The length of each part comes first, so that different lists of parts have different hashes.
            context.update(&part.len().to_be_bytes());
            context.update(part.as_bytes());
        }
        hex::digits(context.finish().as_ref())
    }

    fn deadline(&self) -> Instant {
        self.until.unwrap_or_else(|| Instant::now() + self.parts.deadline)
    }

    /// Asks a question and returns the answer. If the first answer is unreadable, asks once more and reports the faults
    /// to the model.
    async fn ask<T: DeserializeOwned>(&self, question: &Question) -> Result<T, ModelError> {
        let reader = Reader::of(&question.schema)?;
        let asking = Asking { caller: self.caller, deadline: self.deadline() };
        let mut last_error = None;
        for _ in 0..2 {
            let texts = question.texts(&self.parts.ids.nonce(), last_error.as_ref());
            let answer = self.parts.endpoint.complete(&texts, &question.answer, asking).await?;
            match reader.read(&answer) {
                // The answer was validated, so parsing should succeed; otherwise the answer is unreadable.
                Ok(value) => return serde_json::from_value(value).map_err(|_| ModelError::Unreadable),
                Err(error) => {
                    tally::unreadable(self.name(), question.answer.name, error.faults.len());
                    last_error = Some(error);
                }
            }
        }
        Err(ModelError::Unreadable)
    }
}
