//! Unit tests of `src/webhooks/sign.rs`.

use super::*;

#[test]
fn webhook_secret_is_accepted_only_with_its_prefix_and_24_to_64_bytes() {
    let secret = |bytes: usize| format!("whsec_{}", BASE64_STANDARD.encode(vec![7; bytes]));
    for good in [secret(24), secret(64), format!(" {}  {} ", secret(32), secret(24))] {
        assert!(Secrets::read(&good).is_some(), "{good}");
    }
    let zeros = format!("whsec_{}", BASE64_STANDARD.encode([0; 32]));
    assert!(Secrets::read(&zeros).is_none());
    let bare = secret(32).replace("whsec_", "");
    for bad in [secret(23), secret(65), bare, String::new(), "whsec_".into(), "whsec_?".into(), secret(24) + " x"] {
        assert!(Secrets::read(&bad).is_none(), "{bad}");
    }
}

#[test]
fn webhook_signatures_match_those_of_openssl() {
    // The expected signatures come from this command:
    // printf 'evt_1.1614265330.{"test": 2432232314}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:… -binary | base64
    let secrets = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX whsec_////////////////////////////////";
    let secrets = Secrets::read(secrets).expect("two secrets");
    assert_eq!(
        secrets.signatures("evt_1", 1_614_265_330, "{\"test\": 2432232314}"),
        "v1,b7Ko2A67EeyJ4FrKw8JkCjHnC63TWG57p2epC9XQlL0= v1,teRVJlkl1X6+WS0QQqtlPiZRZXnQ03wGHh6QZ8fgv2I="
    );
}
