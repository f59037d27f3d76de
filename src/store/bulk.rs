//! Operations on whole investigations and whole stores, for export and import.

use tokio::sync::mpsc::Sender;

use super::{InvestigationSnapshot, SnapshotPart, Store, StoreError};
use crate::domain::id::ObjectId;

impl Store {
    /// Returns a consistent snapshot of an investigation and everything that belongs to it; `None` if the investigation
    /// does not exist.
    pub async fn whole(&self, id: ObjectId) -> Result<Option<InvestigationSnapshot>, StoreError> {
        ask!(self, whole(id))
    }

    /// Stores an investigation and everything that belongs to it, unless an investigation has this id. Returns whether
    /// the investigation was stored.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if another investigation already has a link with the same key and sub-link. In that case
    /// nothing is stored. Other [`StoreError`]s if the store fails.
    pub async fn add_snapshot(&self, whole: InvestigationSnapshot) -> Result<bool, StoreError> {
        ask!(self, add_snapshot(whole))
    }

    /// Sends a consistent snapshot of the whole store to `to`, in parts. Omits what lasts for days only: events, answers
    /// to requests with an idempotency key, the progress of webhooks, presence; and cached findings of language models.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails, or if the receiver is dropped.
    pub async fn snapshot(&self, to: Sender<SnapshotPart>) -> Result<(), StoreError> {
        ask!(self, snapshot(to))
    }
}
