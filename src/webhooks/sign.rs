//! Signatures after Standard Webhooks: HMAC-SHA256 over id, time and body, with each of the secrets.

use aws_lc_rs::hmac::{self, Key};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A secret is written with this before it.
const PREFIX: &str = "whsec_";

/// Valid lengths of a secret in bytes, according to Standard Webhooks.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;

/// Secrets for signing; there are several while one replaces another.
#[derive(Clone)]
pub struct Secrets(Vec<Key>);

impl Secrets {
    /// Reads secrets separated by spaces; `None` unless there is at least one and all are valid.
    pub fn read(text: &str) -> Option<Self> {
        let key = |secret: &str| {
            let bytes = STANDARD.decode(secret.strip_prefix(PREFIX)?).ok()?;
            // A broken generator produces zeros.
            let is_zero = bytes.iter().all(|byte| *byte == 0);
            (LENGTHS.contains(&bytes.len()) && !is_zero).then(|| Key::new(hmac::HMAC_SHA256, &bytes))
        };
        let keys: Vec<Key> = text.split_whitespace().map(key).collect::<Option<_>>()?;
        (!keys.is_empty()).then_some(Self(keys))
    }

    /// The value of `webhook-signature` for a body that is sent at this time, in seconds since 1970.
    pub fn signatures(&self, id: &str, seconds: i64, body: &str) -> String {
        let signed = format!("{id}.{seconds}.{body}");
        let signature = |key: &Key| format!("v1,{}", STANDARD.encode(hmac::sign(key, signed.as_bytes())));
        self.0.iter().map(signature).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_its_prefix_and_24_to_64_bytes() {
        let secret = |bytes: usize| format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
        for good in [secret(24), secret(64), format!(" {}  {} ", secret(32), secret(24))] {
            assert!(Secrets::read(&good).is_some(), "{good}");
        }
        let zeros = format!("whsec_{}", STANDARD.encode([0; 32]));
        assert!(Secrets::read(&zeros).is_none());
        let bare = secret(32).replace("whsec_", "");
        for bad in [secret(23), secret(65), bare, String::new(), "whsec_".into(), "whsec_?".into(), secret(24) + " x"] {
            assert!(Secrets::read(&bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn each_secret_signs_what_was_computed_elsewhere() {
        // printf 'evt_1.1614265330.{"test": 2432232314}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:… -binary | base64
        let secrets = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX whsec_////////////////////////////////";
        let secrets = Secrets::read(secrets).expect("two secrets");
        assert_eq!(
            secrets.signatures("evt_1", 1_614_265_330, "{\"test\": 2432232314}"),
            "v1,b7Ko2A67EeyJ4FrKw8JkCjHnC63TWG57p2epC9XQlL0= v1,teRVJlkl1X6+WS0QQqtlPiZRZXnQ03wGHh6QZ8fgv2I="
        );
    }
}
