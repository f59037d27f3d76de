//! Requests to a language model that are in progress.

use tokio::sync::watch;

use crate::assistant::model::ModelError;
use crate::cache::SingleFlight;
use crate::domain::finding::Findings;

/// Findings of a language model, or the reason why the model returned no findings.
pub type ModelFindings = Result<Findings, ModelError>;

#[derive(Default)]
pub struct ModelCalls {
    in_progress: SingleFlight<String, ModelFindings>,
    cancelled: watch::Sender<bool>,
}

impl ModelCalls {
    /// Runs `ask` and returns its result. If another task is asking the question `key`, returns that task's result.
    pub async fn once(&self, key: &str, ask: impl Future<Output = ModelFindings>) -> ModelFindings {
        self.in_progress.run(key.to_owned(), ask).await
    }

    /// Stops all waits for a language model. Called when the service stops.
    pub fn cancel(&self) {
        self.cancelled.send_replace(true);
    }

    pub async fn cancelled(&self) {
        // This cannot fail, because the sender lives as long as `self`.
        let _ = self.cancelled.subscribe().wait_for(|cancelled| *cancelled).await;
    }
}
