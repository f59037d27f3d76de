//! A language model behind an OpenAI-compatible endpoint: finds contradictions, resolves, regenerates, converses.
//!
//! What it answers is never trusted: it is validated, quotes are looked up, edits are checked and applied to a copy.
//! An answer that cannot be read is a failure, never "nothing found".

mod failure;

use std::sync::Arc;
use std::time::Duration;

pub use failure::{ModelFailure, UnusableModel};

use crate::clock::Clock;
use crate::domain::chat::ChatEntry;
use crate::domain::content::Content;
use crate::domain::finding::{Finding, Findings};
use crate::domain::schema::Schema;
use crate::ids::Ids;

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
pub struct Model(Arc<Parts>);

struct Parts {
    settings: ModelSettings,
    _clock: Clock,
    _ids: Ids,
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
        Ok(Self(Arc::new(Parts { settings, _clock: clock, _ids: ids })))
    }

    /// The name by which the endpoint knows the model.
    pub fn name(&self) -> &str {
        &self.0.settings.model
    }

    /// What findings are kept under: a hash of content, schema, prompts and model, as hexadecimal digits.
    pub fn key(&self, _content: &Content, _schema: &Schema) -> String {
        String::new()
    }

    /// What the model finds in `content`: contradictions and hints of the source `model:<name>`, each with two
    /// verbatim quotes, each contradiction judged alone.
    ///
    /// # Errors
    /// [`ModelFailure`]; then nothing is known about the content.
    pub async fn detect(&self, _content: &Content, _schema: &Schema) -> Result<Findings, ModelFailure> {
        Err(ModelFailure::Unreachable)
    }

    /// A proposal that should make `findings` go, for whoever named `field`. It edits no field but their sides.
    /// `refused` are the reasons why earlier proposals were not taken.
    ///
    /// # Errors
    /// [`ModelFailure`].
    pub async fn resolve(
        &self,
        _content: &Content,
        _schema: &Schema,
        _findings: &[Finding],
        _field: &str,
        _refused: &[String],
    ) -> Result<Proposal, ModelFailure> {
        Err(ModelFailure::Unreachable)
    }

    /// A proposal in which the other fields agree with `field`, which stays as it is, in the light of the `chat`.
    /// `refused` are the reasons why earlier proposals were not taken.
    ///
    /// # Errors
    /// [`ModelFailure`].
    pub async fn regenerate(
        &self,
        _content: &Content,
        _schema: &Schema,
        _field: &str,
        _chat: &[ChatEntry],
        _refused: &[String],
    ) -> Result<Proposal, ModelFailure> {
        Err(ModelFailure::Unreachable)
    }

    /// The answer to what a person `said` after the `chat`, with the edits that they asked for, if any.
    /// `refused` are the reasons why earlier proposals were not taken.
    ///
    /// # Errors
    /// [`ModelFailure`].
    pub async fn converse(
        &self,
        _content: &Content,
        _schema: &Schema,
        _chat: &[ChatEntry],
        _said: &str,
        _refused: &[String],
    ) -> Result<Proposal, ModelFailure> {
        Err(ModelFailure::Unreachable)
    }
}
