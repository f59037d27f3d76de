//! Unit tests of `src/tokens/jwks.rs`.

use serde_json::json;

use super::*;

fn algorithms(keys: &[Value]) -> Vec<Algorithm> {
    Keys::read(&json!({ "keys": keys })).map_or_else(Vec::new, |keys| keys.usable.iter().map(|k| k.algorithm).collect())
}

fn changed(key: &Value, name: &str, value: Value) -> Value {
    let mut key = key.clone();
    key[name] = value;
    key
}

#[test]
fn only_keys_of_a_jwks_that_can_verify_signatures_are_used() {
    let of = |length: usize| BASE64_URL_SAFE_NO_PAD.encode(vec![7; length]);
    let rsa = json!({"kty": "RSA", "n": of(256), "e": "AQAB", "kid": "r"});
    let ec = json!({"kty": "EC", "crv": "P-256", "x": of(32), "y": of(32), "use": "sig", "alg": "ES256"});
    let ed = json!({"kty": "OKP", "crv": "Ed25519", "x": of(32), "key_ops": ["verify"], "alg": "EdDSA"});
    let usual = [rsa.clone(), ec.clone(), ed.clone()];
    assert_eq!(algorithms(&usual), [Algorithm::RS256, Algorithm::ES256, Algorithm::EdDSA]);
    let taken = changed(&ed, "alg", json!("Ed25519"));
    assert_eq!(algorithms(&[json!(1), taken, json!({})]), [Algorithm::EdDSA], "the others do no harm");
    for unusable in [
        json!({"kty": "oct", "k": of(32), "alg": "HS256", "kid": "r"}),
        changed(&rsa, "use", json!("enc")),
        changed(&rsa, "key_ops", json!(["encrypt"])),
        changed(&rsa, "alg", json!("HS256")),
        changed(&rsa, "alg", json!("RS512")),
        changed(&rsa, "alg", json!("none")),
        changed(&rsa, "n", json!(of(128))),
        changed(&rsa, "n", json!(of(1025))),
        changed(&rsa, "n", json!("not base64 at all")),
        changed(&rsa, "e", json!(3)),
        changed(&rsa, "kid", json!(["r"])),
        changed(&ec, "crv", json!("P-521")),
        changed(&ec, "crv", json!("Ed25519")),
        changed(&ec, "y", json!(of(31))),
        changed(&ed, "x", json!(of(57))),
        changed(&ed, "crv", json!("X25519")),
        changed(&ed, "kty", json!("EC")),
    ] {
        assert_eq!(algorithms(std::slice::from_ref(&unusable)), [], "{unusable}");
    }
    assert!(Keys::read(&json!({"keys": {}})).is_none());
    assert!(Keys::read(&json!([])).is_none());
    assert_eq!(algorithms(&vec![rsa; 1000]).len(), MAX_KEYS);
}
