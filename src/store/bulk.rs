//! Operations on whole investigations and whole stores, for export, import, moving and comparing.

use std::collections::HashMap;

use tokio::sync::mpsc::Sender;

use super::{Detection, InvestigationSnapshot, SnapshotPart, Store, StoreError};
use crate::domain::id::ObjectId;

impl Store {
    /// Returns the ids and revisions of up to `limit` investigations, in the order of their ids. Starts after the id
    /// `after`, or with the first investigation if `after` is `None`.
    pub async fn ids_after(&self, after: Option<ObjectId>, limit: u32) -> Result<Vec<(ObjectId, u64)>, StoreError> {
        ask!(self, ids_after(after, limit))
    }

    /// Returns a consistent snapshot of an investigation and everything that belongs to it; `None` if the investigation
    /// does not exist.
    pub async fn whole(&self, id: ObjectId) -> Result<Option<InvestigationSnapshot>, StoreError> {
        ask!(self, whole(id))
    }

    /// Returns the investigations whose words in the search index differ from the words of their content. On
    /// PostgreSQL, returns an empty list: there, [`Self::whole`] returns the indexed words for the caller to compare.
    pub async fn wrongly_indexed(&self) -> Result<Vec<ObjectId>, StoreError> {
        ask!(self, wrongly_indexed())
    }

    /// Stores an investigation and everything that belongs to it. Replaces an investigation with the same id.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if another investigation already has a link with the same key and sub-link. In that case
    /// nothing is stored. Other [`StoreError`]s if the store fails.
    pub async fn put_snapshot(&self, whole: InvestigationSnapshot) -> Result<(), StoreError> {
        ask!(self, put_snapshot(whole))
    }

    /// Works like [`Self::put_snapshot`], but only if no investigation has this id. Returns whether the investigation
    /// was stored.
    ///
    /// # Errors
    /// The errors of [`Self::put_snapshot`].
    pub async fn add_snapshot(&self, whole: InvestigationSnapshot) -> Result<bool, StoreError> {
        ask!(self, add_snapshot(whole))
    }

    /// Sends a consistent snapshot of the whole store to `to`, in parts. Investigations are sent in the order of their
    /// ids. Ends early if the receiver is dropped.
    pub async fn snapshot(&self, to: Sender<SnapshotPart>) -> Result<(), StoreError> {
        ask!(self, snapshot(to))
    }

    /// Returns up to `limit` cache entries with findings of a language model, oldest first. Starts after the entry
    /// `number`. Each store numbers its entries itself, so numbers of two stores cannot be compared.
    pub async fn detections_after(&self, number: i64, limit: u32) -> Result<Vec<Detection>, StoreError> {
        ask!(self, detections_after(number, limit))
    }

    /// Returns the cached findings for `keys`, as JSON by key. Keys without cached findings are omitted.
    pub async fn detections_of(&self, keys: Vec<String>) -> Result<HashMap<String, String>, StoreError> {
        ask!(self, detections_of(keys))
    }

    /// Caches findings of a language model in the given order. Replaces entries with the same keys, and deletes the
    /// oldest entries beyond [`MAX_DETECTIONS`](super::MAX_DETECTIONS).
    pub async fn put_detections(&self, detections: Vec<Detection>) -> Result<(), StoreError> {
        ask!(self, put_detections(detections))
    }
}
