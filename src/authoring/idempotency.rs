//! Idempotent creations. The answer to the first request is stored together with the record that the request creates,
//! and every repetition of the request gets this answer.
//!
//! The lookup before a creation only avoids wasted work. The unique key in the store guarantees that only one request
//! creates a record.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::{ChangeContext, RespondAfter};
use super::error::AuthoringError;
use super::processing;
use crate::app::App;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;
use crate::store::{IdempotentAnswer, StoreError};

/// A creation request that its client may repeat safely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// Text that identifies the caller. Different callers may use the same key for different requests.
    pub caller: String,
    pub key: String,
    /// Digest of operation, target and body, independent of the order of object members.
    pub request: String,
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
    ) -> Result<IdempotentAnswer, AuthoringError> {
        let Self { caller, key, request } = self.clone();
        Ok(IdempotentAnswer { caller, key, request, answer: json(what)?, is_final, at })
    }

    /// Returns the investigation or link in the stored answer to the first request.
    ///
    /// # Errors
    /// [`AuthoringError::KeyReused`] if the first request was different; [`AuthoringError::Store`] if its answer cannot
    /// be read.
    pub(super) fn read<T: DeserializeOwned>(&self, stored: &IdempotentAnswer) -> Result<T, AuthoringError> {
        if stored.request != self.request {
            return Err(AuthoringError::KeyReused);
        }
        serde_json::from_str(&stored.answer).map_err(|error| {
            StoreError::Failed(format!("the stored answer to the first request cannot be read: {error}")).into()
        })
    }
}

/// Returns the stored answer to an earlier request with the same key; `None` if there was no such request.
pub(super) async fn stored_answer(
    app: &App,
    IdempotentRequest { caller, key, .. }: &IdempotentRequest,
) -> Result<Option<IdempotentAnswer>, AuthoringError> {
    Ok(app.store.stored_answer(caller.clone(), key.clone(), app.clock.now()).await?)
}

/// Returns the investigation that an earlier request with the same key created; `None` if there was no such request. If
/// its answer was stored before the language model had checked the investigation, asks the model again: before or after
/// the response, as the caller wants.
pub(super) async fn replay(
    app: &App,
    context: &ChangeContext,
    request: Option<&IdempotentRequest>,
) -> Result<Option<Created<Investigation>>, AuthoringError> {
    let Some(request) = request else { return Ok(None) };
    let Some(stored) = stored_answer(app, request).await? else { return Ok(None) };
    let first: Investigation = request.read(&stored)?;
    let what = if stored.is_final { first } else { finish(app, first, context, Some(request)).await };
    Ok(Some(Created { what, replayed: true }))
}

/// Asks the language model to check a stored investigation. Stores the result as the answer to repetitions of the
/// request.
pub(super) async fn finish(
    app: &App,
    stored: Investigation,
    context: &ChangeContext,
    request: Option<&IdempotentRequest>,
) -> Investigation {
    let is_final = is_final(context, &stored);
    let processed = processing::process(app, stored, context).await;
    if let Some(request) = request.filter(|_| !is_final)
        && let Err(error) = finalize(app, request, &processed).await
    {
        tracing::warn!(investigation.id = %processed.id, failure = ?error, "a repeat will process the investigation again");
    }
    processed
}

/// Returns whether the answer to the request that created the investigation is final. It is not final if the answer
/// still has to wait for the language model.
pub(super) fn is_final(context: &ChangeContext, stored: &Investigation) -> bool {
    context.respond_after == RespondAfter::Stored || !stored.findings.pending
}

async fn finalize(app: &App, request: &IdempotentRequest, processed: &Investigation) -> Result<(), AuthoringError> {
    let IdempotentRequest { caller, key, .. } = request.clone();
    Ok(app.store.finalize_answer(caller, key, json(processed)?).await?)
}

fn json<T: Serialize>(what: &T) -> Result<String, AuthoringError> {
    serde_json::to_string(what).map_err(|error| StoreError::Failed(error.to_string()).into())
}
