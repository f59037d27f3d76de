//! Stores, lists and revokes API keys.

use super::{Store, StoreError};
use crate::domain::api_key::ApiKey;
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

impl Store {
    /// Stores a new key and an entry in the audit log.
    pub async fn add_api_key(&self, key: ApiKey) -> Result<(), StoreError> {
        ask!(self, add_api_key(key))
    }

    /// Stores a key of another store, unless a key has this id. Writes nothing to the audit log. Returns whether the key
    /// was stored.
    pub async fn put_api_key(&self, key: ApiKey) -> Result<bool, StoreError> {
        ask!(self, put_api_key(key))
    }

    /// Returns all keys, oldest first, including revoked keys.
    pub async fn api_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        ask!(self, api_keys())
    }

    /// Revokes a key and stores an entry in the audit log. Returns whether the key exists. A key that is already
    /// revoked keeps its original revocation time.
    pub async fn revoke_api_key(&self, id: ObjectId, at: Timestamp) -> Result<bool, StoreError> {
        ask!(self, revoke_api_key(id, at))
    }

    /// Sets the time of the last use of a key, unless a later time is stored.
    pub async fn note_api_key_use(&self, id: ObjectId, at: Timestamp) -> Result<(), StoreError> {
        ask!(self, note_api_key_use(id, at))
    }
}
