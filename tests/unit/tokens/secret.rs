//! Unit tests of `src/tokens/secret.rs`.

use serde_json::Value;

use super::*;

const NOW: Timestamp = Timestamp(1_795_219_200_000);

fn secret() -> SharedSecret {
    SharedSecret::new(&[7; 32])
}

fn signed(claims: Value) -> String {
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &secret().encoding).expect("signed")
}

#[test]
fn token_whose_check_is_cached_is_accepted_only_until_it_expires() {
    let secret = secret();
    let token = signed(json!({"exp": NOW.0 / 1000 + 9, "userId": "aaaaaaaaaaaaaaaaaaaaaaaa"}));
    let later = |seconds: i64| Timestamp(NOW.0 + seconds * 1000);
    let claims = secret.check(&token, NOW).expect("it counts");
    assert_eq!(secret.check(&token, later(8)), Ok(claims));
    assert_eq!(secret.check(&token, later(9)), Err(InvalidTokenError::Expired));
    let changed = format!("{}A", &token[..token.len() - 1]);
    assert_eq!(secret.check(&changed, NOW), Err(InvalidTokenError::Untrusted));
}

#[test]
fn every_token_that_the_service_signs_is_accepted_by_the_service() {
    let sign = |seconds: u64| secret().sign(ObjectId::from_bytes([1; 12]), None, NOW, Duration::from_secs(seconds));
    let longest = u64::try_from(LAST_EXPIRY - NOW.0 / 1000).expect("a time");
    let token = sign(longest).expect("signed");
    assert!(secret().check(&token, NOW).is_ok());
    for seconds in [longest + 1, u64::MAX] {
        assert!(sign(seconds).expect_err("refused").ends_with("use a shorter --ttl"));
    }
}
