//! The line of an API key.

use serde::{Deserialize, Serialize};

use crate::domain::api_key::{ApiKey, name_fault};
use crate::domain::hex;
use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::time::Timestamp;

/// Length of a SHA-256, in bytes.
const DIGEST_BYTES: usize = 32;

/// An API key, with the digest of its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiKeyLine {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    user: ObjectId,
    role: Role,
    /// SHA-256 in hexadecimal digits.
    digest: String,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
}

impl From<ApiKey> for ApiKeyLine {
    fn from(key: ApiKey) -> Self {
        let ApiKey { id, name, user, role, digest, created_at, last_used_at, revoked_at } = key;
        Self { id, name, user, role, digest: hex::digits(&digest), created_at, last_used_at, revoked_at }
    }
}

impl ApiKeyLine {
    /// Validates the key.
    ///
    /// # Errors
    /// What is wrong with the key, as a phrase that follows the line number: `cannot be imported: …`.
    pub fn key(self) -> Result<ApiKey, String> {
        let Self { id, name, user, role, digest, created_at, last_used_at, revoked_at } = self;
        let refuse = |fault: &str| Err(format!("cannot be imported: the API key {id} {fault}"));
        if name_fault(&name).is_some() {
            return refuse("has no valid name");
        }
        match hex::bytes(&digest) {
            Some(digest) if digest.len() == DIGEST_BYTES => {
                Ok(ApiKey { id, name, user, role, digest, created_at, last_used_at, revoked_at })
            }
            _ => refuse("has a digest that is not a SHA-256 in lower-case hexadecimal digits"),
        }
    }
}
