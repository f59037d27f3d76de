//! Unit tests of `src/tokens/claims.rs`.

use serde_json::json;

use super::*;

const NOW: Timestamp = Timestamp(1_795_219_200_000);
const SECOND: i64 = NOW.0 / 1000;

fn checked(expected: &Expected, claims: Value) -> Result<(), InvalidTokenError> {
    let Value::Object(claims) = claims else { panic!("no object") };
    expected.check(&claims, NOW)
}

#[test]
fn token_times_are_checked_to_the_second_with_the_configured_leeway() {
    let (exact, lenient) = (Expected::default(), Expected { leeway: 30.0, ..Expected::default() });
    assert_eq!(checked(&exact, json!({"exp": SECOND})), Err(InvalidTokenError::Expired));
    assert_eq!(checked(&exact, json!({"exp": SECOND as f64 + 0.5})), Ok(()));
    assert_eq!(checked(&lenient, json!({"exp": SECOND - 29})), Ok(()));
    assert_eq!(checked(&lenient, json!({"exp": SECOND - 30})), Err(InvalidTokenError::Expired));
    assert_eq!(checked(&exact, json!({"exp": SECOND + 9, "nbf": SECOND + 1})), Err(InvalidTokenError::NotYet));
    assert_eq!(checked(&lenient, json!({"exp": SECOND + 9, "nbf": SECOND + 30})), Ok(()));
    assert_eq!(checked(&lenient, json!({"exp": SECOND + 9, "nbf": SECOND + 31})), Err(InvalidTokenError::NotYet));
    assert_eq!(checked(&exact, json!({"exp": SECOND + 9, "nbf": null})), Err(InvalidTokenError::NotYet));
}

#[test]
fn invalid_expiry_claim_counts_as_missing() {
    for expiry in [json!("tomorrow"), json!(null), json!([SECOND + 9]), json!(NOW.0 + 9), json!(1e300)] {
        assert_eq!(checked(&Expected::default(), json!({"exp": expiry})), Err(InvalidTokenError::NoExpiry), "{expiry}");
    }
    assert_eq!(checked(&Expected::default(), json!({"exp": -1e300})), Err(InvalidTokenError::Expired));
}

#[test]
fn issuer_and_audience_of_a_token_must_match_exactly() {
    let expected =
        Expected { issuer: Some("https://i/".into()), audience: Some("fieldbook".into()), ..Expected::default() };
    let check = |iss: Value, aud: Value| checked(&expected, json!({"exp": SECOND + 9, "iss": iss, "aud": aud}));
    assert_eq!(check(json!("https://i/"), json!("fieldbook")), Ok(()));
    assert_eq!(check(json!("https://i/"), json!(["other", "fieldbook"])), Ok(()));
    for iss in [json!("https://i"), json!("https://I/"), json!(["https://i/"]), json!(null)] {
        assert_eq!(check(iss, json!("fieldbook")), Err(InvalidTokenError::OtherIssuer));
    }
    for aud in [json!("Fieldbook"), json!("fieldbook "), json!([]), json!({"fieldbook": 1}), json!(null)] {
        assert_eq!(check(json!("https://i/"), aud), Err(InvalidTokenError::OtherAudience));
    }
}
