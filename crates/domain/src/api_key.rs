//! API keys: bearer tokens for programs. The text of a key is shown only once, when the key is created. Stores contain
//! only a digest of the text.

use std::fmt;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::hex;
use super::id::ObjectId;
use super::permission::Role;
use super::time::Timestamp;

/// Prefix of every API key. Scanners for leaked secrets can recognize an API key by this prefix.
const PREFIX: &str = "fbk_";

/// Number of hexadecimal digits of an id.
const ID_DIGITS: usize = 24;

/// Maximum length of the name of a key, in characters.
pub const MAX_NAME: usize = 100;

/// An API key as it is stored and exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiKey {
    /// Id of the key. The bearer token contains this id.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// Name that says what the key is for.
    pub name: String,
    /// The user on whose behalf the key is used.
    pub user: ObjectId,
    /// Role of a caller with this key.
    pub role: Role,
    /// SHA-256 of the bearer token.
    #[serde(with = "hex")]
    pub digest: Vec<u8>,
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key was last used, accurate to about a minute; `None` if the key was never used.
    pub last_used_at: Option<Timestamp>,
    /// When the key was revoked; `None` if it was not revoked. A revoked key is never accepted again.
    pub revoked_at: Option<Timestamp>,
}

/// The text of an API key, which callers send as bearer token. `Debug` omits the secret.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyText(String);

impl KeyText {
    /// Creates the text of the key with this id and secret.
    pub fn new(id: ObjectId, secret: &[u8; 32]) -> Self {
        Self(format!("{PREFIX}{id}{}", URL_SAFE_NO_PAD.encode(secret)))
    }

    /// Returns the bearer token `token` as the text of an API key; `None` if `token` does not begin with `fbk_`.
    pub fn read(token: &str) -> Option<Self> {
        token.starts_with(PREFIX).then(|| Self(token.to_owned()))
    }

    /// Returns the id in the text; `None` if the text is malformed.
    pub fn id(&self) -> Option<ObjectId> {
        self.0.get(PREFIX.len()..PREFIX.len() + ID_DIGITS)?.parse().ok()
    }

    /// Returns the SHA-256 of the text. Stores contain only this digest, never the text.
    pub fn digest(&self) -> Vec<u8> {
        digest(&SHA256, self.0.as_bytes()).as_ref().to_vec()
    }

    /// Returns the text, which contains the secret. The text may be shown only once.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for KeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyText({:?})", self.id())
    }
}

impl ApiKey {
    /// Returns whether `text` is the text of this key and this key is not revoked.
    pub fn accepts(&self, text: &KeyText) -> bool {
        self.revoked_at.is_none() && verify_slices_are_equal(&self.digest, &text.digest()).is_ok()
    }
}

/// Returns what is wrong with the name of a key, as a phrase that follows "the name of the key"; `None` if it is valid.
pub fn name_fault(name: &str) -> Option<String> {
    let is_valid = !name.trim().is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(char::is_control);
    (!is_valid).then(|| format!("must have 1 to {MAX_NAME} characters and no control characters"))
}
