//! A language model behind an OpenAI-compatible endpoint: finds contradictions, resolves, regenerates, converses.
//!
//! What it answers is never trusted: it is validated, quotes are looked up, edits are checked and applied to a copy.
//! An answer that cannot be read is a failure, never "nothing found".

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

/// No operation may take longer, whatever the settings say.
const LONGEST: Duration = Duration::from_secs(3600);

/// Where the model is and how much it may cost.
#[derive(Clone)]
pub struct ModelSettings {
    /// What stands before `/chat/completions`.
    pub base_url: String,
    /// The name by which the endpoint knows the model.
    pub model: String,
    /// The bearer token for the endpoint, where it asks for one.
    pub api_key: Option<String>,
    /// How long one whole operation may take: all its calls, retries and repairs.
    pub deadline: Duration,
    /// How many calls may be under way at once; at least 1.
    pub concurrent_calls: usize,
}

/// A language model; cheap to clone.
#[derive(Clone)]
pub struct Model {
    parts: Arc<Parts>,
    /// When the operation that this is for must be over; `None` where each question is one of its own.
    until: Option<Instant>,
    /// Whose share of its calls is taken.
    caller: Actor,
}

struct Parts {
    name: String,
    deadline: Duration,
    endpoint: Endpoint,
    ids: Ids,
    turns: Shared,
}

/// The calls that may be under way, of which one caller has a quarter.
fn calls(concurrent: usize) -> Shared {
    Shared::new(u32::try_from(concurrent).unwrap_or(u32::MAX).max(1))
}

/// Content as the model would have it, and what it says about that.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The whole content after the edits; the old one where nothing was edited.
    pub content: Content,
    /// What the model says, for the person.
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
        let parts = Parts { name, deadline: deadline.min(LONGEST), endpoint, ids, turns };
        Ok(Self { parts: Arc::new(parts), until: None, caller: Actor::Service })
    }

    /// The same model for one operation that begins now: all that it is asked shares one deadline.
    pub fn for_one_operation(&self, caller: Actor) -> Self {
        Self { parts: self.parts.clone(), until: Some(self.deadline()), caller }
    }

    /// The same model, asked by this caller.
    pub fn asked_by(&self, caller: Actor) -> Self {
        Self { caller, ..self.clone() }
    }

    /// Who asks.
    pub fn caller(&self) -> Actor {
        self.caller
    }

    /// Waits for a turn to ask about a document; no more are had at once than calls may be under way.
    ///
    /// # Errors
    /// [`ModelFailure::TooBusy`] when the deadline has passed.
    pub async fn turn(&self) -> Result<Share, ModelFailure> {
        match timeout_at(self.deadline(), self.parts.turns.take(self.caller)).await {
            Ok(Some(turn)) => Ok(turn),
            _ => Err(ModelFailure::TooBusy),
        }
    }

    /// How long one operation may take.
    pub fn longest(&self) -> Duration {
        self.parts.deadline
    }

    /// The name by which the endpoint knows the model.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// What findings are kept under: a hash of content, schema, prompts and model, as hexadecimal digits.
    pub fn key(&self, content: &Content, schema: &Schema) -> String {
        let mut context = Context::new(&SHA256);
        let content = Value::Object(content.clone()).to_string();
        let schema = schema.document().to_string();
        for part in [content.as_str(), &schema, &detect::instructions(), self.name()] {
            // With its length, so that no two lists of parts look the same.
            context.update(&part.len().to_be_bytes());
            context.update(part.as_bytes());
        }
        hex::digits(context.finish().as_ref())
    }

    /// What the model finds in `content`: contradictions and hints of the source `model:<name>`, each with two verbatim
    /// quotes, or one and the list that lacks what it needs. Hints are findings that the model itself doubts.
    ///
    /// # Errors
    /// [`ModelFailure`]; then nothing is known about the content.
    pub async fn detect(&self, content: &Content, schema: &Schema) -> Result<Findings, ModelFailure> {
        self.find(content, schema, self.deadline()).await
    }

    /// Edits that should make `findings` go, for whoever named `field`; of very many findings those of the first
    /// [`MAX_FINDINGS`]. Nothing is applied yet: whether an edit holds is for the caller to find out, finding by finding.
    /// `refused` are the reasons why earlier proposals were not taken.
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

    /// A proposal in which the other fields agree with `field`, which stays as it is, in the light of the `chat`.
    /// `refused` are the reasons why earlier proposals were not taken.
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

    /// The answer to what a person `said` after the `chat`, with the edits that they asked for, if any.
    /// `refused` are the reasons why earlier proposals were not taken.
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

    /// The answer to a question; asked once more, with what was wrong, where the first one could not be read.
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
