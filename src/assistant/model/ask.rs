//! Asks a model questions, within the deadline of an operation and with its permits.

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

use super::answer::Reader;
use super::endpoint::{Asking, Endpoint, calls};
use super::error::{ModelError, ModelSettingsError};
use super::question::Question;
use super::settings::ModelSettings;
use super::tally;
use crate::admission::{Actor, Permit, Pool};
use crate::clock::Clock;
use crate::ids::Ids;

/// Maximum time limit of an operation. A longer limit in the settings is reduced to this one.
const MAX_DURATION: Duration = Duration::from_secs(3600);

#[derive(Clone)]
pub struct Model {
    pub(super) parts: Arc<Parts>,
    /// Deadline of the operation; `None` if each question has its own deadline.
    until: Option<Instant>,
    /// Actor that asks. Each actor has a share of the concurrent calls.
    caller: Actor,
}

pub(super) struct Parts {
    name: String,
    deadline: Duration,
    pub(super) endpoint: Endpoint,
    pub(super) ids: Ids,
    permits: Pool,
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

    /// Waits for a permit to ask about a document. Dropping the permit returns it.
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

    fn deadline(&self) -> Instant {
        self.until.unwrap_or_else(|| Instant::now() + self.parts.deadline)
    }

    /// Asks a question and returns the answer. If the first answer is unreadable, asks once more and reports the faults
    /// to the model.
    pub(super) async fn ask<T: DeserializeOwned>(&self, question: &Question) -> Result<T, ModelError> {
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
