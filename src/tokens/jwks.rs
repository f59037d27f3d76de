//! The public keys of a provider: reads a JSON Web Key Set, and chooses the key for a token.
//!
//! The algorithm follows from the key, never from the token. Keys that cannot verify RS256, ES256 or EdDSA are ignored.
//! This excludes symmetric keys, so public data is never used as a secret.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, crypto};
use serde_json::Value;

use super::claims::{self, Claims, Header};

/// Maximum number of keys that are read from a set.
const MAX_KEYS: usize = 100;

/// Valid sizes of an RSA modulus, in bytes. Smaller keys are too weak (RFC 7518), and larger ones are too slow.
const RSA_BYTES: std::ops::RangeInclusive<usize> = 256..=1024;

/// A provider's key set, from one fetch.
pub struct Keys {
    usable: Vec<Key>,
    /// Number of all keys in the set, including unusable ones.
    listed: usize,
}

struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    decoding: DecodingKey,
}

/// Why the signature of a token was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureError {
    /// The token names none of the keys in this key set, so the right key may be missing. A newer set may contain it.
    UnknownKey,
    /// The key that the token names does not verify the signature.
    Bad,
}

impl Keys {
    /// Reads the usable keys of a key set; `None` if there are none.
    pub fn read(set: &Value) -> Option<Self> {
        let listed = set.get("keys")?.as_array()?;
        let usable: Vec<Key> = listed.iter().take(MAX_KEYS).filter_map(Key::read).collect();
        (!usable.is_empty()).then_some(Self { usable, listed: listed.len() })
    }

    pub fn usable(&self) -> usize {
        self.usable.len()
    }

    pub fn listed(&self) -> usize {
        self.listed
    }

    /// Returns whether the algorithm that the header names is accepted: RS256, ES256 or EdDSA.
    pub fn may_know(header: &Header) -> bool {
        [Algorithm::RS256, Algorithm::ES256, Algorithm::EdDSA].contains(&header.alg)
    }

    /// Verifies a token and returns its claims. Only keys with the token's algorithm can match. The id in the token's
    /// header (`kid`) chooses the key:
    /// - If a key has this id, that key is used.
    /// - If no key has this id, the key without an id is used. There must be only one.
    /// - If the header has no id, there must be only one key.
    pub fn check(&self, token: &str, header: &Header) -> Result<Claims, SignatureError> {
        let fitting = || self.usable.iter().filter(|key| key.algorithm == header.alg);
        let verified = |key: &Key| claims::signed(token, |text, signature| key.verifies(text, signature));
        let has_name = |key: &&Key| key.id.is_some() && key.id == header.kid;
        if self.usable.iter().any(|key| has_name(&key)) {
            return fitting().find(has_name).and_then(|key| verified(key).ok()).ok_or(SignatureError::Bad);
        }
        let mut nameless = fitting().filter(|key| header.kid.is_none() || key.id.is_none());
        match (nameless.next(), nameless.next()) {
            // The token does not name its key, so a newer set may contain the right one.
            (Some(key), None) => verified(key).map_err(|_| SignatureError::UnknownKey),
            _ => Err(SignatureError::UnknownKey),
        }
    }
}

impl Key {
    fn verifies(&self, text: &[u8], signature: &str) -> bool {
        crypto::verify(signature, text, &self.decoding, self.algorithm).is_ok_and(|verified| verified)
    }

    fn read(jwk: &Value) -> Option<Self> {
        let given = |name: &str| jwk.get(name).filter(|value| !value.is_null());
        let text = |name: &str| given(name).and_then(Value::as_str);
        let bytes = |name: &str| BASE64_URL_SAFE_NO_PAD.decode(text(name)?.trim_end_matches('=')).ok();
        let operations =
            given("key_ops").map(|names| names.as_array().is_some_and(|n| n.iter().any(|o| o == "verify")));
        if given("use").is_some_and(|purpose| purpose != "sig") || operations == Some(false) {
            return None;
        }
        let (algorithm, names, decoding) = match (text("kty")?, text("crv")) {
            ("RSA", _) => {
                let (n, e) = (bytes("n")?, bytes("e")?);
                let length = n.iter().skip_while(|byte| **byte == 0).count();
                let key = RSA_BYTES.contains(&length).then(|| DecodingKey::from_rsa_raw_components(&n, &e))?;
                (Algorithm::RS256, &["RS256"][..], key)
            }
            ("EC", Some("P-256")) => {
                let (x, y) = (bytes("x")?, bytes("y")?);
                let point = [&[4], x.as_slice(), y.as_slice()].concat();
                (x.len() == 32 && y.len() == 32).then_some(())?;
                (Algorithm::ES256, &["ES256"][..], DecodingKey::from_ec_der(&point))
            }
            ("OKP", Some("Ed25519")) => {
                let x = bytes("x").filter(|x| x.len() == 32)?;
                (Algorithm::EdDSA, &["EdDSA", "Ed25519"][..], DecodingKey::from_ed_der(&x))
            }
            _ => return None,
        };
        if given("alg").is_some_and(|alg| !names.iter().any(|name| alg == name)) {
            return None;
        }
        let id = match given("kid") {
            None => None,
            Some(id) => Some(id.as_str()?.to_owned()),
        };
        Some(Self { id, algorithm, decoding })
    }
}

#[cfg(test)]
#[path = "../../tests/unit/tokens/jwks.rs"]
mod tests;
