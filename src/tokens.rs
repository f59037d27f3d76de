//! Bearer tokens: JSON Web Tokens, signed and checked with a shared secret (HS256).
//!
//! The algorithm comes from the key that is set up, never from the token. Time comes in as a value.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde_json::{Map, Value, json};

use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::ids;
use crate::private;

/// The file in the data folder that holds the secret which the service made itself.
pub const SECRET_FILE: &str = "auth-hs256-secret";

/// A shared secret has at least this many bytes, as RFC 7518 asks for HS256.
pub const SHORTEST_SECRET: usize = 32;

/// Signs and checks tokens.
pub struct Tokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
}

/// Why a token does not count. The text is for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    /// No token of this service, or changed on the way.
    #[error("the token is malformed or was not signed by a key that this service knows")]
    Untrusted,
    /// `exp` is missing or no number.
    #[error("the token does not say when it expires (exp)")]
    NoExpiry,
    /// `exp` is over.
    #[error("the token has expired; get a new one")]
    Expired,
    /// `nbf` is still to come, or no number.
    #[error("the token is not valid yet (nbf)")]
    NotYet,
}

impl Tokens {
    /// Tokens signed with this secret.
    pub fn with_secret(secret: &[u8]) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        // The times are checked below, against the clock of the service; audiences are not set up.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        Self { encoding: EncodingKey::from_secret(secret), decoding: DecodingKey::from_secret(secret), validation }
    }

    /// The user of a valid token: the claim `userId`, else `sub`. `None` where that is no object identifier.
    ///
    /// # Errors
    /// [`BadToken`]
    pub fn user(&self, token: &str, now: Timestamp) -> Result<Option<ObjectId>, BadToken> {
        let claims = jsonwebtoken::decode::<Map<String, Value>>(token, &self.decoding, &self.validation)
            .map_err(|_| BadToken::Untrusted)?
            .claims;
        let now = now.0 as f64 / 1000.0;
        let expiry = claims.get("exp").and_then(Value::as_f64).ok_or(BadToken::NoExpiry)?;
        if expiry <= now {
            return Err(BadToken::Expired);
        }
        match claims.get("nbf").map(Value::as_f64) {
            None => {}
            Some(Some(start)) if start <= now => {}
            Some(_) => return Err(BadToken::NotYet),
        }
        let user = claims.get("userId").filter(|claim| !claim.is_null()).or_else(|| claims.get("sub"));
        Ok(user.and_then(Value::as_str).and_then(|id| id.parse().ok()))
    }

    /// A token for a user, valid for `ttl` from `now`.
    ///
    /// # Errors
    /// The reason of the signing library, in words.
    pub fn sign(&self, user: ObjectId, now: Timestamp, ttl: Duration) -> Result<String, String> {
        let issued = now.0 / 1000;
        let expiry = issued.saturating_add(i64::try_from(ttl.as_secs()).unwrap_or(i64::MAX));
        let claims = json!({ "userId": user, "iat": issued, "exp": expiry });
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding).map_err(|e| e.to_string())
    }
}

/// The secret in the data folder; made on the first call, readable by its owner alone.
///
/// # Errors
/// A sentence for the operator.
pub fn own_secret(folder: &Path) -> Result<Vec<u8>, String> {
    let path = folder.join(SECRET_FILE);
    let cannot = |what: &str, e: &dyn std::fmt::Display| {
        format!("cannot {what} the token secret {}: {e}; give one with --auth-hs256-secret", path.display())
    };
    private::folder(folder).map_err(|e| cannot("make the folder of", &e))?;
    let read = || std::fs::read(&path).map(|text| text.trim_ascii().to_vec());
    match read() {
        Ok(secret) if secret.len() >= SHORTEST_SECRET => return Ok(secret),
        Ok(_) => {
            return Err(cannot(
                "use",
                &format!("it has fewer than {SHORTEST_SECRET} bytes; delete the file to have a new one made"),
            ));
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        Err(e) => return Err(cannot("read", &e)),
    }
    let mut random = [0; 32];
    ids::fill(&mut random).map_err(|e| cannot("make", &e))?;
    let text = hexadecimal(&random);
    // Written whole under another name first: of two programs that start together, both read what one has linked.
    let mut suffix = [0; 8];
    ids::fill(&mut suffix).map_err(|e| cannot("make", &e))?;
    let draft = folder.join(format!(".{SECRET_FILE}-{}", hexadecimal(&suffix)));
    let written = private::new_file(&draft)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| match std::fs::hard_link(&draft, &path) {
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => Err(e),
            _ => Ok(()),
        });
    let removed = std::fs::remove_file(&draft);
    written.and(removed).map_err(|e| cannot("write", &e))?;
    read().map_err(|e| cannot("read", &e))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_219_200_000);

    fn tokens() -> Tokens {
        Tokens::with_secret(&[7; 32])
    }

    fn signed(claims: Value) -> String {
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &tokens().encoding).expect("signed")
    }

    #[test]
    fn the_user_is_user_id_else_sub_and_nobody_where_that_is_no_identifier() {
        let (a, b) = ("aaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbb");
        let user = |claims: Value| tokens().user(&signed(claims), NOW).expect("valid").map(|id| id.to_string());
        let exp = NOW.0 / 1000 + 1;
        assert_eq!(user(json!({"exp":exp,"userId":a,"sub":b})).as_deref(), Some(a));
        assert_eq!(user(json!({"exp":exp,"sub":b})).as_deref(), Some(b));
        assert_eq!(user(json!({"exp":exp,"userId":"teacher-7","sub":b})), None);
        assert_eq!(user(json!({"exp":exp,"userId":7})), None);
        assert_eq!(user(json!({"exp":exp})), None);
    }

    #[test]
    fn a_token_that_does_not_count_says_why() {
        let now = NOW.0 / 1000;
        let bad = |token: &str| tokens().user(token, NOW).expect_err("bad");
        assert_eq!(bad(&signed(json!({}))), BadToken::NoExpiry);
        assert_eq!(bad(&signed(json!({"exp":"tomorrow"}))), BadToken::NoExpiry);
        assert_eq!(bad(&signed(json!({"exp":now}))), BadToken::Expired);
        assert_eq!(bad(&signed(json!({"exp":now + 9,"nbf":now + 1}))), BadToken::NotYet);
        let other = Tokens::with_secret(&[8; 32]).sign(ObjectId::from_bytes([1; 12]), NOW, Duration::from_secs(9));
        assert_eq!(bad(&other.expect("signed")), BadToken::Untrusted);
        // {"alg":"none"} and a token that names another algorithm than the key's.
        let claims = signed(json!({"exp":now + 9})).split('.').nth(1).expect("claims").to_owned();
        assert_eq!(bad(&format!("eyJhbGciOiJub25lIn0.{claims}.")), BadToken::Untrusted);
        let hs512 = jsonwebtoken::encode(&Header::new(Algorithm::HS512), &json!({"exp":now + 9}), &tokens().encoding);
        assert_eq!(bad(&hs512.expect("signed")), BadToken::Untrusted);
        assert_eq!(bad("x"), BadToken::Untrusted);
        assert_eq!(bad(""), BadToken::Untrusted);
    }
}
