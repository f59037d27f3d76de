//! A shared secret (HS256), which the operator provides, or which is generated and stored in the data folder.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use aws_lc_rs::hmac;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::json;

use super::claims::{self, Claims, Expected, LAST_EXPIRY};
use super::error::InvalidTokenError;
use crate::domain::hex;
use crate::domain::id::ObjectId;
use crate::domain::named::Named;
use crate::domain::permission::Role;
use crate::domain::time::Timestamp;
use crate::ids::random_bytes;
use crate::private_file;

/// Name of the file with the generated secret in the data folder.
pub const SECRET_FILE: &str = "auth-hs256-secret";

/// Minimum length of a shared secret, in bytes, as RFC 7518 requires for HS256.
pub const SHORTEST_SECRET: usize = 32;

pub struct SharedSecret {
    encoding: EncodingKey,
    verifying: hmac::Key,
}

/// A claim that names a role.
pub struct RoleClaim<'r> {
    pub name: &'r str,
    pub role: Role,
}

impl SharedSecret {
    pub fn new(secret: &[u8]) -> Self {
        Self { encoding: EncodingKey::from_secret(secret), verifying: hmac::Key::new(hmac::HMAC_SHA256, secret) }
    }

    pub fn check(&self, token: &str, now: Timestamp) -> Result<Claims, InvalidTokenError> {
        if claims::header(token)?.alg != Algorithm::HS256 {
            return Err(InvalidTokenError::Untrusted);
        }
        let claims = claims::signed(token, |text, signature| self.verifies(text, signature))?;
        // With a shared secret, no difference between the clocks is tolerated.
        Expected::default().check(&claims, now)?;
        Ok(claims)
    }

    /// Verifies a signature. The library `jsonwebtoken` is not used for this, because its function would prepare the
    /// key again for each token.
    fn verifies(&self, text: &[u8], signature: &str) -> bool {
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature);
        signature.is_ok_and(|signature| hmac::verify(&self.verifying, text, &signature).is_ok())
    }

    /// # Errors
    /// A text that says why no token can be signed, for example because the token would expire after the year 9999.
    pub fn sign(
        &self,
        user: ObjectId,
        role: Option<RoleClaim<'_>>,
        now: Timestamp,
        ttl: Duration,
    ) -> Result<String, String> {
        let issued = now.0 / 1000;
        let expiry = i64::try_from(ttl.as_secs()).ok().and_then(|ttl| issued.checked_add(ttl));
        let expiry = expiry.filter(|expiry| *expiry <= LAST_EXPIRY);
        let expiry = expiry.ok_or("the token would expire after the year 9999; use a shorter --ttl")?;
        let mut claims = json!({ "userId": user, "iat": issued, "exp": expiry });
        if let Some(RoleClaim { name, role }) = role {
            claims[name] = json!([role.name()]);
        }
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding).map_err(|e| e.to_string())
    }
}

/// Returns why a secret cannot be used, such as "it contains NUL bytes"; `None` if the secret can be used.
pub fn fault(secret: &[u8]) -> Option<&'static str> {
    if secret.contains(&0) {
        // A crash can leave a file of zeros, and such a secret would be known to everybody.
        Some("it contains NUL bytes")
    } else if secret.len() < SHORTEST_SECRET {
        Some("it has fewer than 32 bytes")
    } else {
        None
    }
}

/// Returns the secret in the data folder. If there is none, generates one in a file that only its owner can read.
pub fn own_secret(folder: &Path) -> Result<Vec<u8>, String> {
    let path = folder.join(SECRET_FILE);
    let cannot = |what: &str, e: &dyn std::fmt::Display| {
        format!("cannot {what} the token secret {}: {e}; give one with --auth-hs256-secret", path.display())
    };
    private_file::folder(folder).map_err(|e| cannot("make the folder of", &e))?;
    let read = || std::fs::read(&path).map(|text| text.trim_ascii().to_vec());
    match read() {
        Ok(secret) => {
            if let Some(fault) = fault(&secret) {
                return Err(cannot("use", &format!("{fault}; delete the file so that a new one is created")));
            }
            if private_file::make_private(&path).map_err(|e| cannot("close to others", &e))? {
                let file = path.display();
                tracing::warn!(%file, "other users could read the token secret; if somebody may have read it, delete the file, which invalidates all tokens");
            }
            return Ok(secret);
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        Err(e) => return Err(cannot("read", &e)),
    }
    let text = hex::digits(&random_bytes::<32>());
    // The file is first written under another name and then linked. If two programs start at the same time, both read
    // the same complete file.
    let draft = folder.join(format!(".{SECRET_FILE}-{}", hex::digits(&random_bytes::<8>())));
    let written = private_file::new_file(&draft)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| match std::fs::hard_link(&draft, &path) {
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => Err(e),
            _ => Ok(()),
        });
    let removed = std::fs::remove_file(&draft);
    // Tokens can be verified only with this secret, so it must survive a power loss before a token is signed.
    written.and(removed).and_then(|()| private_file::sync_name(&path)).map_err(|e| cannot("write", &e))?;
    read().map_err(|e| cannot("read", &e))
}

#[cfg(test)]
#[path = "../../tests/unit/tokens/secret.rs"]
mod tests;
