//! Creations that may be asked for again: the first answer is stored with what it creates, and given to every repeat.
//!
//! What is looked up before a creation is decided saves work; the unique key in the store keeps the promise.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Answered, CreateOptions, Failure, Who, processing};
use crate::app::App;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;
use crate::store::{FirstAnswer, Kept, StoreError};

/// A request to create something, as its sender names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Once {
    /// Who asks: no two of them share keys.
    pub caller: String,
    /// Their name for the request.
    pub key: String,
    /// The digest of operation, target and body, whatever the order of its members.
    pub request: String,
    /// The same of the body as it was written, which earlier versions of the service kept.
    pub as_written: String,
}

/// What a creation came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Created<T> {
    /// What was created.
    pub what: T,
    /// Whether that was done by an earlier request, to which this is a repeat.
    pub again: bool,
}

impl<T> Created<T> {
    /// Created by this request.
    pub fn now(what: T) -> Self {
        Self { what, again: false }
    }
}

impl Once {
    /// What is to be kept with this.
    pub(super) fn first<T: Serialize>(&self, what: &T, settled: bool, at: Timestamp) -> Result<FirstAnswer, Failure> {
        let Self { caller, key, request, as_written: _ } = self.clone();
        Ok(FirstAnswer { caller, key, request, answer: json(what)?, settled, at })
    }

    /// What the first request created.
    ///
    /// # Errors
    /// [`Failure::KeyReused`] where that asked for something else.
    pub(super) fn read<T: DeserializeOwned>(&self, kept: &Kept) -> Result<T, Failure> {
        if ![&self.request, &self.as_written].contains(&&kept.request) {
            return Err(Failure::KeyReused);
        }
        serde_json::from_str(&kept.answer)
            .map_err(|error| StoreError::Failed(format!("a first answer cannot be read: {error}")).into())
    }
}

/// What is kept of an earlier request, if this is a repeat.
pub(super) async fn before(app: &App, once: Option<&Once>) -> Result<Option<Kept>, Failure> {
    let Some(Once { caller, key, .. }) = once else { return Ok(None) };
    Ok(app.store.first_answer(caller.clone(), key.clone(), app.clock.now()).await?)
}

/// The investigation that an earlier request created, as that was answered. Where its processing is still under way, or
/// was cut off, this waits for it or does it.
pub(super) async fn again(
    app: &App,
    once: &Once,
    kept: &Kept,
    options: CreateOptions<'_>,
) -> Result<Created<Investigation>, Failure> {
    let first: Investigation = once.read(kept)?;
    let what =
        if kept.settled { first } else { finish(app, first, CreateOptions { once: Some(once), ..options }).await };
    Ok(Created { what, again: true })
}

/// Processes what was stored, and keeps what came of it as the answer.
pub(super) async fn finish(app: &App, stored: Investigation, options: CreateOptions<'_>) -> Investigation {
    let CreateOptions { once, caller, answered } = options;
    let is_first_answer = answered == Answered::Stored || !stored.findings.pending;
    let processed = processing::process(app, stored, &Who { caller, answered, ..Who::default() }).await;
    if let Some(Once { caller, key, .. }) = once
        && !is_first_answer
    {
        let settled = match json(&processed) {
            Ok(answer) => app.store.settle_answer(caller.clone(), key.clone(), answer).await.map_err(Failure::from),
            Err(failure) => Err(failure),
        };
        if let Err(failure) = settled {
            tracing::warn!(investigation.id = %processed.id, ?failure, "a repeat will process the investigation again");
        }
    }
    processed
}

fn json<T: Serialize>(what: &T) -> Result<String, Failure> {
    serde_json::to_string(what).map_err(|error| StoreError::Failed(error.to_string()).into())
}
