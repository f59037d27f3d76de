//! A language model behind an OpenAI-compatible endpoint: finds contradictions, resolves, regenerates, converses.
//!
//! Its answers are never trusted: they are validated, quotes are looked up, and edits are checked and applied to a
//! copy. An unreadable answer is a failure, never "nothing found".

mod answer;
mod backoff;
mod breaker;
mod choice;
mod detect;
mod diagnostics;
pub mod edits;
mod endpoint;
mod failure;
mod host;
mod leaves;
mod local;
pub mod preset;
mod propose;
mod question;
mod tally;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{Context, SHA256};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

pub use choice::ModelChoice;
pub use diagnostics::{Answer, Diagnosis};
pub use failure::{ModelFailure, UnusableModel};
pub use local::LocalModel;
pub use propose::{MAX_FINDINGS, Resolution};

use crate::clock::Clock;
use crate::domain::chat::ChatEntry;
use crate::domain::content::Content;
use crate::domain::finding::{Finding, Findings};
use crate::domain::hex;
use crate::domain::schema::Schema;
use crate::ids::Ids;
use crate::limits::Actor;
use crate::shares::{Share, Shared};
use answer::Reader;
use endpoint::Endpoint;
use preset::Preset;
use question::Question;

/// Maximum duration of an operation, whatever the settings say.
const MAX_DURATION: Duration = Duration::from_secs(3600);

/// Settings of the model.
#[derive(Clone)]
pub struct ModelSettings {
    /// Base URL, without `/chat/completions`.
    pub base_url: String,
    /// The name by which the endpoint knows the model.
    pub model: String,
    /// The bearer token for the endpoint, if it needs one.
    pub api_key: Option<String>,
    /// Time limit of one whole operation: all its calls, retries and repairs.
    pub deadline: Duration,
    /// Maximum number of concurrent calls; at least 1.
    pub concurrent_calls: usize,
}

/// A language model; cheap to clone.
#[derive(Clone)]
pub struct Model {
    parts: Arc<Parts>,
    /// Deadline of the operation; `None` if each question has its own.
    until: Option<Instant>,
    /// The actor whose share of calls is used.
    caller: Actor,
}

struct Parts {
    name: String,
    deadline: Duration,
    endpoint: Endpoint,
    ids: Ids,
    turns: Shared,
}

/// Concurrent calls. One actor has a quarter of them.
fn calls(concurrent: usize) -> Shared {
    Shared::new(u32::try_from(concurrent).unwrap_or(u32::MAX).max(1))
}

/// Content changed by the model, and its message.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The whole content after the edits, or the old one if nothing was edited.
    pub content: Content,
    /// The model's message to the person.
    pub message: String,
}

impl Model {
    /// A model at an endpoint. `clock` reads dates in answers, `ids` gives nonces.
    ///
    /// # Errors
    /// [`UnusableModel`] for settings that cannot be used.
    pub fn new(settings: ModelSettings, clock: Clock, ids: Ids) -> Result<Self, UnusableModel> {
        Self::of(&preset::OPENAI_COMPATIBLE, settings, clock, ids)
    }

    /// A model of a server that is known by name.
    ///
    /// # Errors
    /// [`UnusableModel`] for settings that cannot be used.
    pub fn of(preset: &'static Preset, settings: ModelSettings, clock: Clock, ids: Ids) -> Result<Self, UnusableModel> {
        let endpoint = Endpoint::new(preset, &settings, clock, ids.clone())?;
        let ModelSettings { model: name, deadline, concurrent_calls, .. } = settings;
        let turns = calls(concurrent_calls);
        let parts = Parts { name, deadline: deadline.min(MAX_DURATION), endpoint, ids, turns };
        Ok(Self { parts: Arc::new(parts), until: None, caller: Actor::Service })
    }

    /// The same model for one operation that starts now: all its questions share one deadline.
    pub fn for_one_operation(&self, caller: Actor) -> Self {
        Self { parts: self.parts.clone(), until: Some(self.deadline()), caller }
    }

    /// The same model on behalf of this actor.
    pub fn asked_by(&self, caller: Actor) -> Self {
        Self { caller, ..self.clone() }
    }

    /// The actor.
    pub fn caller(&self) -> Actor {
        self.caller
    }

    /// Waits for a permit to ask about a document.
    ///
    /// # Errors
    /// [`ModelFailure::TooBusy`] if the deadline passes first.
    pub async fn turn(&self) -> Result<Share, ModelFailure> {
        match timeout_at(self.deadline(), self.parts.turns.take(self.caller)).await {
            Ok(Some(turn)) => Ok(turn),
            _ => Err(ModelFailure::TooBusy),
        }
    }

    /// Time limit of one operation.
    pub fn longest(&self) -> Duration {
        self.parts.deadline
    }

    /// The name by which the endpoint knows the model.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// Cache key of findings: a hash of content, schema, prompts and model, in hexadecimal.
    pub fn key(&self, content: &Content, schema: &Schema) -> String {
        let mut context = Context::new(&SHA256);
        let content = Value::Object(content.clone()).to_string();
        let schema = schema.document().to_string();
        for part in [content.as_str(), &schema, &detect::instructions(), self.name()] {
            // The length separates the parts, so that different lists of parts have different hashes.
            context.update(&part.len().to_be_bytes());
            context.update(part.as_bytes());
        }
        hex::digits(context.finish().as_ref())
    }

    /// The model's findings in `content`: contradictions and hints with the source `model:<name>`, each with two
    /// verbatim quotes, or with one and the list that lacks something. Hints are findings that the model doubts.
    ///
    /// # Errors
    /// [`ModelFailure`]; then nothing is known about the content.
    pub async fn detect(&self, content: &Content, schema: &Schema) -> Result<Findings, ModelFailure> {
        self.find(content, schema, self.deadline()).await
    }

    /// Edits to remove `findings` for the author who named `field`; of very many, the first [`MAX_FINDINGS`]. Nothing
    /// is applied yet: the caller checks whether each edit helps. `refused` has the reasons why earlier proposals were
    /// refused.
    ///
    /// # Errors
    /// [`ModelFailure`].
    pub async fn resolve(
        &self,
        content: &Content,
        schema: &Schema,
        findings: &[Finding],
        field: &str,
        refused: &[String],
    ) -> Result<Resolution, ModelFailure> {
        self.propose_resolution(content, schema, (findings, field), refused, self.deadline()).await
    }

    /// A proposal that makes the other fields agree with `field`, which stays as it is, considering the `chat`.
    /// `refused` has the reasons why earlier proposals were refused.
    ///
    /// # Errors
    /// [`ModelFailure`].
    pub async fn regenerate(
        &self,
        content: &Content,
        schema: &Schema,
        field: &str,
        chat: &[ChatEntry],
        refused: &[String],
    ) -> Result<Proposal, ModelFailure> {
        self.propose_others(content, schema, (field, chat), refused, self.deadline()).await
    }

    /// The answer to the message `said` after the `chat`, with requested edits, if any. `refused` has the reasons why
    /// earlier proposals were refused.
    ///
    /// # Errors
    /// [`ModelFailure`].
    pub async fn converse(
        &self,
        content: &Content,
        schema: &Schema,
        chat: &[ChatEntry],
        said: &str,
        refused: &[String],
    ) -> Result<Proposal, ModelFailure> {
        self.answer(content, schema, (chat, said), refused, self.deadline()).await
    }

    fn deadline(&self) -> Instant {
        self.until.unwrap_or_else(|| Instant::now() + self.parts.deadline)
    }

    /// The answer to a question. If the first one is unreadable, it asks once more and says why.
    async fn ask(&self, question: &Question, deadline: Instant) -> Result<Value, ModelFailure> {
        let reader = Reader::of(&question.schema)?;
        let mut unusable = None;
        for _ in 0..2 {
            let nonce = self.parts.ids.nonce().map_err(|error| ModelFailure::Internal(error.to_string()))?;
            let texts = question.texts(&nonce, unusable.as_ref());
            let answer = self.parts.endpoint.complete(&texts, &question.form, (self.caller, deadline)).await?;
            match reader.read(&answer) {
                Ok(value) => return Ok(value),
                Err(fault) => {
                    tally::unreadable(self.name(), question.form.name, fault.faults.len());
                    unusable = Some(fault);
                }
            }
        }
        Err(ModelFailure::Unreadable)
    }
}
