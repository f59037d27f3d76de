//! Contents of a token: its header before the key is known, and its claims after the signature was verified.

use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use serde_json::{Map, Value};

use super::{BadToken, User};
use crate::domain::time::Timestamp;

/// The claims of a token.
pub type Claims = Map<String, Value>;

/// Latest valid expiry: the end of the year 9999. A larger number is not a count of seconds.
pub const LAST_EXPIRY: i64 = 253_402_300_799;

/// Required claims besides `exp` and `nbf`.
#[derive(Debug, Default)]
pub struct Expected {
    /// `iss`, compared exactly.
    pub issuer: Option<String>,
    /// The required audience (`aud`).
    pub audience: Option<String>,
    /// Tolerated clock difference, in seconds.
    pub leeway: f64,
}

/// The header of a token. Only the name of its key is used, and only to look up the key.
///
/// # Errors
/// [`BadToken::Untrusted`] if it is not a token, requires an extension (`crit`), or is a token of another type (`typ`).
pub fn header(token: &str) -> Result<Header, BadToken> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| BadToken::Untrusted)?;
    let usual = header.typ.as_deref().is_none_or(|kind| {
        let kind = kind.to_ascii_lowercase();
        ["jwt", "at+jwt"].contains(&kind.strip_prefix("application/").unwrap_or(&kind))
    });
    if header.crit.is_some() || !usual {
        return Err(BadToken::Untrusted);
    }
    Ok(header)
}

/// The claims of a token that was signed with this key and this algorithm, whatever its header says.
///
/// # Errors
/// [`BadToken::Untrusted`]
pub fn signed(token: &str, algorithm: Algorithm, key: &DecodingKey) -> Result<Claims, BadToken> {
    let mut validation = Validation::new(algorithm);
    // The claims are checked below: times against the service's clock, others exactly.
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    jsonwebtoken::decode(token, key, &validation).map(|token| token.claims).map_err(|_| BadToken::Untrusted)
}

impl Expected {
    /// Whether these claims count at this time.
    ///
    /// # Errors
    /// [`BadToken`]
    pub fn check(&self, claims: &Claims, now: Timestamp) -> Result<(), BadToken> {
        let now = now.0 as f64 / 1000.0;
        let expiry = claims.get("exp").and_then(Value::as_f64).filter(|expiry| *expiry <= LAST_EXPIRY as f64);
        if expiry.ok_or(BadToken::NoExpiry)? + self.leeway <= now {
            return Err(BadToken::Expired);
        }
        match claims.get("nbf").map(Value::as_f64) {
            None => {}
            Some(Some(start)) if start <= now + self.leeway => {}
            Some(_) => return Err(BadToken::NotYet),
        }
        if self.issuer.is_some() && self.issuer.as_deref() != claims.get("iss").and_then(Value::as_str) {
            return Err(BadToken::OtherIssuer);
        }
        let is_meant = |audience: &String| match claims.get("aud") {
            Some(Value::String(one)) => one == audience,
            Some(Value::Array(several)) => several.iter().any(|one| one == audience),
            _ => false,
        };
        if !self.audience.as_ref().is_none_or(is_meant) {
            return Err(BadToken::OtherAudience);
        }
        Ok(())
    }
}

/// Whom a token names: the claim `userId`, else `sub`.
pub fn user(claims: &Claims) -> User {
    let named = claims.get("userId").filter(|claim| !claim.is_null()).or_else(|| claims.get("sub"));
    User {
        id: named.and_then(Value::as_str).and_then(|id| id.parse().ok()),
        name: named.filter(|claim| !claim.is_null()).map(Value::to_string),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp(1_795_219_200_000);
    const SECOND: i64 = NOW.0 / 1000;

    fn checked(expected: &Expected, claims: Value) -> Result<(), BadToken> {
        let Value::Object(claims) = claims else { panic!("no object") };
        expected.check(&claims, NOW)
    }

    #[test]
    fn the_user_is_user_id_else_sub_and_nobody_where_that_is_no_identifier() {
        let (a, b) = ("aaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbb");
        let user = |claims: Value| user(claims.as_object().expect("claims")).id.map(|id| id.to_string());
        assert_eq!(user(json!({"userId":a,"sub":b})).as_deref(), Some(a));
        assert_eq!(user(json!({"userId":null,"sub":b})).as_deref(), Some(b));
        assert_eq!(user(json!({"sub":b})).as_deref(), Some(b));
        assert_eq!(user(json!({"userId":"teacher-7","sub":b})), None);
        assert_eq!(user(json!({"userId":7})), None);
        assert_eq!(user(json!({})), None);
    }

    #[test]
    fn who_is_no_identifier_has_a_name_all_the_same() {
        let name = |claims: Value| user(claims.as_object().expect("claims")).name;
        assert_eq!(name(json!({"userId": "teacher-7", "sub": "x"})).as_deref(), Some("\"teacher-7\""));
        assert_eq!(name(json!({"sub": 7})).as_deref(), Some("7"));
        assert_eq!(name(json!({"sub": null})), None);
        assert_eq!(name(json!({})), None);
    }

    #[test]
    fn times_count_to_the_second_give_or_take_the_leeway() {
        let (exact, lenient) = (Expected::default(), Expected { leeway: 30.0, ..Expected::default() });
        assert_eq!(checked(&exact, json!({"exp": SECOND})), Err(BadToken::Expired));
        assert_eq!(checked(&exact, json!({"exp": SECOND as f64 + 0.5})), Ok(()));
        assert_eq!(checked(&lenient, json!({"exp": SECOND - 29})), Ok(()));
        assert_eq!(checked(&lenient, json!({"exp": SECOND - 30})), Err(BadToken::Expired));
        assert_eq!(checked(&exact, json!({"exp": SECOND + 9, "nbf": SECOND + 1})), Err(BadToken::NotYet));
        assert_eq!(checked(&lenient, json!({"exp": SECOND + 9, "nbf": SECOND + 30})), Ok(()));
        assert_eq!(checked(&lenient, json!({"exp": SECOND + 9, "nbf": SECOND + 31})), Err(BadToken::NotYet));
        assert_eq!(checked(&exact, json!({"exp": SECOND + 9, "nbf": null})), Err(BadToken::NotYet));
    }

    #[test]
    fn an_expiry_that_is_no_count_of_seconds_is_none() {
        for expiry in [json!("tomorrow"), json!(null), json!([SECOND + 9]), json!(NOW.0 + 9), json!(1e300)] {
            assert_eq!(checked(&Expected::default(), json!({"exp": expiry})), Err(BadToken::NoExpiry), "{expiry}");
        }
        assert_eq!(checked(&Expected::default(), json!({"exp": -1e300})), Err(BadToken::Expired));
    }

    #[test]
    fn issuer_and_audience_are_those_expected_to_the_letter() {
        let expected =
            Expected { issuer: Some("https://i/".into()), audience: Some("fieldbook".into()), ..Expected::default() };
        let check = |iss: Value, aud: Value| checked(&expected, json!({"exp": SECOND + 9, "iss": iss, "aud": aud}));
        assert_eq!(check(json!("https://i/"), json!("fieldbook")), Ok(()));
        assert_eq!(check(json!("https://i/"), json!(["other", "fieldbook"])), Ok(()));
        for iss in [json!("https://i"), json!("https://I/"), json!(["https://i/"]), json!(null)] {
            assert_eq!(check(iss, json!("fieldbook")), Err(BadToken::OtherIssuer));
        }
        for aud in [json!("Fieldbook"), json!("fieldbook "), json!([]), json!({"fieldbook": 1}), json!(null)] {
            assert_eq!(check(json!("https://i/"), aud), Err(BadToken::OtherAudience));
        }
    }
}
