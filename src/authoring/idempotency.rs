//! Idempotent creations: the first answer is stored together with what it creates, and every repeat gets it.
//!
//! The lookup before a creation saves work. The unique key in the store guarantees that only one request creates.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{ChangeContext, CreateOptions, Failure, RespondAfter, processing};
use crate::app::App;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;
use crate::store::{FirstAnswer, StoreError, StoredAnswer};

/// A creation that its sender may repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The caller. Keys of different callers never clash.
    pub caller: String,
    /// The `Idempotency-Key`.
    pub key: String,
    /// Digest of operation, target and body, independent of the order of members.
    pub request: String,
    /// Digest of the body exactly as sent, which earlier versions of the service stored.
    pub as_written: String,
}

/// Result of a creation.
#[derive(Debug, Clone, PartialEq)]
pub struct Created<T> {
    /// The created record.
    pub what: T,
    /// Whether an earlier request created it.
    pub replayed: bool,
}

impl<T> Created<T> {
    /// Wraps what this request created.
    pub fn now(what: T) -> Self {
        Self { what, replayed: false }
    }
}

impl IdempotentRequest {
    /// Returns the answer to store for repeats.
    pub(super) fn first_answer<T: Serialize>(
        &self,
        what: &T,
        settled: bool,
        at: Timestamp,
    ) -> Result<FirstAnswer, Failure> {
        let Self { caller, key, request, as_written: _ } = self.clone();
        Ok(FirstAnswer { caller, key, request, answer: json(what)?, settled, at })
    }

    /// Reads what the first request created.
    ///
    /// # Errors
    /// [`Failure::KeyReused`] if the first request was a different one.
    pub(super) fn read<T: DeserializeOwned>(&self, stored: &StoredAnswer) -> Result<T, Failure> {
        if ![&self.request, &self.as_written].contains(&&stored.request) {
            return Err(Failure::KeyReused);
        }
        serde_json::from_str(&stored.answer)
            .map_err(|error| StoreError::Failed(format!("a first answer cannot be read: {error}")).into())
    }
}

/// Returns the answer of an earlier request with the same key.
pub(super) async fn stored_answer(
    app: &App,
    request: Option<&IdempotentRequest>,
) -> Result<Option<StoredAnswer>, Failure> {
    let Some(IdempotentRequest { caller, key, .. }) = request else { return Ok(None) };
    Ok(app.store.first_answer(caller.clone(), key.clone(), app.clock.now()).await?)
}

/// Returns the investigation that an earlier request created, as that request was answered. Finishes its processing if
/// that is still running or was interrupted.
pub(super) async fn replay(
    app: &App,
    request: &IdempotentRequest,
    stored: &StoredAnswer,
    options: CreateOptions<'_>,
) -> Result<Created<Investigation>, Failure> {
    let first: Investigation = request.read(stored)?;
    let what = if stored.settled {
        first
    } else {
        finish(app, first, CreateOptions { idempotency: Some(request), ..options }).await
    };
    Ok(Created { what, replayed: true })
}

/// Processes a stored investigation and stores the result as the answer for repeats.
pub(super) async fn finish(app: &App, stored: Investigation, options: CreateOptions<'_>) -> Investigation {
    let CreateOptions { idempotency, actor, answered } = options;
    let is_first_answer = answered == RespondAfter::Stored || !stored.findings.pending;
    let processed =
        processing::process(app, stored, &ChangeContext { actor, answered, ..ChangeContext::default() }).await;
    if let Some(IdempotentRequest { caller, key, .. }) = idempotency
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
