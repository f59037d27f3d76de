//! Whole investigations and whole stores: for export, import, moving and comparing.

use std::collections::HashMap;

use tokio::sync::mpsc::Sender;

use super::{ChatFill, Detection, InvestigationSnapshot, SnapshotPart, Store, StoreError};
use crate::domain::chat::Chat;
use crate::domain::id::ObjectId;

impl Store {
    /// Returns up to `limit` next investigations in the order of their ids, with their revisions.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn ids_after(&self, after: Option<ObjectId>, limit: u32) -> Result<Vec<(ObjectId, u64)>, StoreError> {
        ask!(self, ids_after(after, limit))
    }

    /// Returns a consistent snapshot of an investigation and everything that belongs to it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn whole(&self, id: ObjectId) -> Result<Option<InvestigationSnapshot>, StoreError> {
        ask!(self, whole(id))
    }

    /// Returns the investigations whose search words in the index differ from their content. Always empty if the
    /// backend stores the words with the investigation.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn wrongly_indexed(&self) -> Result<Vec<ObjectId>, StoreError> {
        ask!(self, wrongly_indexed())
    }

    /// Stores an investigation and everything that belongs to it. Replaces an investigation with the same id.
    ///
    /// # Errors
    /// [`StoreError`], also if another investigation here has one of its links. Then nothing was stored.
    pub async fn put_snapshot(&self, whole: InvestigationSnapshot) -> Result<(), StoreError> {
        ask!(self, put_snapshot(whole))
    }

    /// Works like [`Self::put_snapshot`], but only if no investigation has this id. Returns whether it was stored.
    ///
    /// # Errors
    /// Those of [`Self::put_snapshot`].
    pub async fn add_snapshot(&self, whole: InvestigationSnapshot) -> Result<bool, StoreError> {
        ask!(self, add_snapshot(whole))
    }

    /// Replaces the chat of an investigation if it is empty.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn fill_chat(&self, chat: Chat) -> Result<ChatFill, StoreError> {
        ask!(self, fill_chat(chat))
    }

    /// Sends a consistent snapshot of the whole store, investigations in the order of their ids. Ends early if the
    /// receiver is dropped.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn snapshot(&self, to: Sender<SnapshotPart>) -> Result<(), StoreError> {
        ask!(self, snapshot(to))
    }

    /// Returns up to `limit` next cached findings of a language model, oldest first. Each store numbers them on its
    /// own.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn detections_after(&self, number: i64, limit: u32) -> Result<Vec<Detection>, StoreError> {
        ask!(self, detections_after(number, limit))
    }

    /// Returns the cached findings under these keys, as JSON.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn detections_of(&self, keys: Vec<String>) -> Result<HashMap<String, String>, StoreError> {
        ask!(self, detections_of(keys))
    }

    /// Caches findings of a language model in this order, replacing existing ones. Beyond
    /// [`MAX_DETECTIONS`](super::MAX_DETECTIONS) the oldest are deleted.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn put_detections(&self, detections: Vec<Detection>) -> Result<(), StoreError> {
        ask!(self, put_detections(detections))
    }
}
