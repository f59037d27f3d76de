//! Idempotent creations. The answer to the first request is stored together with the record that the request creates,
//! and every repetition of the request gets this answer.
//!
//! The lookup before a creation only avoids wasted work. The unique key in the store guarantees that only one request
//! creates a record.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::{ChangeContext, RespondAfter};
use super::failure::Failure;
use super::processing;
use crate::app::App;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;
use crate::limits;
use crate::store::{IdempotentAnswer, StoreError, StoredAnswer};

/// A creation request that its client may repeat safely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// Text that identifies the caller. Different callers may use the same key for different requests.
    pub caller: String,
    pub key: String,
    /// Digest of operation, target and body, independent of the order of object members.
    pub request: String,
}

/// Options of a request that creates an investigation, besides its content.
#[derive(Debug, Clone, Copy, Default)]
pub struct CreateOptions<'o> {
    /// The idempotency key and the digest of the request; `None` if the request has no header `Idempotency-Key`.
    pub idempotency: Option<&'o IdempotentRequest>,
    /// The caller whose limits the work counts against.
    pub actor: limits::Actor,
    /// When to respond, from the header `Prefer`.
    pub respond_after: RespondAfter,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Created<T> {
    pub what: T,
    /// Whether an earlier request with the same idempotency key created `what`.
    pub replayed: bool,
}

impl<T> Created<T> {
    pub fn now(what: T) -> Self {
        Self { what, replayed: false }
    }
}

impl IdempotentRequest {
    /// Returns the answer that is stored for repetitions of this request.
    pub(super) fn idempotent_answer<T: Serialize>(
        &self,
        what: &T,
        is_final: bool,
        at: Timestamp,
    ) -> Result<IdempotentAnswer, Failure> {
        let Self { caller, key, request } = self.clone();
        Ok(IdempotentAnswer { caller, key, request, answer: json(what)?, is_final, at })
    }

    /// Returns the investigation or link in the stored answer to the first request.
    ///
    /// # Errors
    /// [`Failure::KeyReused`] if the first request was different; [`Failure::Store`] if its answer cannot be read.
    pub(super) fn read<T: DeserializeOwned>(&self, stored: &StoredAnswer) -> Result<T, Failure> {
        if stored.request != self.request {
            return Err(Failure::KeyReused);
        }
        serde_json::from_str(&stored.answer)
            .map_err(|error| StoreError::Failed(format!("a first answer cannot be read: {error}")).into())
    }
}

/// Returns the stored answer to an earlier request with the same key; `None` if there was no such request.
pub(super) async fn stored_answer(
    app: &App,
    request: Option<&IdempotentRequest>,
) -> Result<Option<StoredAnswer>, Failure> {
    let Some(IdempotentRequest { caller, key, .. }) = request else { return Ok(None) };
    Ok(app.store.stored_answer(caller.clone(), key.clone(), app.clock.now()).await?)
}

/// Returns the investigation from the first answer. If this answer was stored before the language model had checked the
/// investigation, asks the model again: before or after the response, as the caller wants.
pub(super) async fn replay(
    app: &App,
    request: &IdempotentRequest,
    stored: &StoredAnswer,
    options: CreateOptions<'_>,
) -> Result<Created<Investigation>, Failure> {
    let first: Investigation = request.read(stored)?;
    let what = if stored.is_final {
        first
    } else {
        finish(app, first, CreateOptions { idempotency: Some(request), ..options }).await
    };
    Ok(Created { what, replayed: true })
}

/// Asks the language model to check a stored investigation. Stores the result as the answer to repetitions of the
/// request.
pub(super) async fn finish(app: &App, stored: Investigation, options: CreateOptions<'_>) -> Investigation {
    let CreateOptions { idempotency, actor, respond_after } = options;
    let is_final = respond_after == RespondAfter::Stored || !stored.findings.pending;
    let processed =
        processing::process(app, stored, &ChangeContext { actor, respond_after, ..ChangeContext::default() }).await;
    if let Some(IdempotentRequest { caller, key, .. }) = idempotency
        && !is_final
    {
        let finalized = match json(&processed) {
            Ok(answer) => app.store.finalize_answer(caller.clone(), key.clone(), answer).await.map_err(Failure::from),
            Err(failure) => Err(failure),
        };
        if let Err(failure) = finalized {
            tracing::warn!(investigation.id = %processed.id, ?failure, "a repeat will process the investigation again");
        }
    }
    processed
}

fn json<T: Serialize>(what: &T) -> Result<String, Failure> {
    serde_json::to_string(what).map_err(|error| StoreError::Failed(error.to_string()).into())
}
