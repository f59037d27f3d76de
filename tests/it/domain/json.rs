//! Reading JSON without silent changes.

use fieldbook::domain::json::*;
use serde_json::json;

fn refused(text: &str) -> (String, Problem) {
    let refusal = parse(text.as_bytes()).expect_err("refused");
    (refusal.path.to_string(), refusal.problem)
}

#[test]
fn what_can_be_kept_is_read_as_it_stands() {
    let text =
        r#"{"b":1,"a":[1.10,-0.5,1e2,18446744073709551615,-9223372036854775808],"s":"é\u00e9","n":null,"t":true}"#;
    assert_eq!(
        parse(text.as_bytes()),
        Ok(json!({"b":1,"a":[1.1,-0.5,100.0,u64::MAX,i64::MIN],"s":"éé","n":null,"t":true}))
    );
}

#[test]
fn a_number_that_would_be_rounded_is_refused_with_its_path() {
    for number in
        ["12345678901234567890123", "0.1234567890123456789", "1e400", "-1e400", "1e-400", "18446744073709551617"]
    {
        assert_eq!(refused(&format!(r#"{{"a":[0,{number}]}}"#)), ("a.1".into(), Problem::InexactNumber(number.into())));
    }
}

#[test]
fn a_duplicate_key_is_refused_with_the_path_of_its_object() {
    assert_eq!(refused(r#"{"a":{"b":1,"b":1}}"#), ("a".into(), Problem::DuplicateKey("b".into())));
}

#[test]
fn a_nul_is_refused_in_values_and_in_keys() {
    assert_eq!(refused(r#"{"a":"x\u0000"}"#), ("a".into(), Problem::Nul));
    assert_eq!(refused(r#"{"a":{"\u0000":1}}"#), ("a".into(), Problem::Nul));
}

#[test]
fn a_key_that_the_json_library_would_read_as_something_else_is_refused() {
    for key in ["$serde_json::private::RawValue", "$serde_json::private::Number"] {
        let text = format!(r#"{{"a":[{{"{key}":"[1]"}}]}}"#);
        assert_eq!(refused(&text), ("a.0".into(), Problem::ReservedKey(key.into())));
    }
    let escaped = r#"{"\u0024serde_json::private::RawValue":"1"}"#;
    assert!(matches!(refused(escaped).1, Problem::ReservedKey(_)));
}

#[test]
fn nesting_is_taken_to_the_limit_and_refused_beyond_it() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
    assert_eq!(refused(&nested(MAX_DEPTH + 1)).1, Problem::TooDeep);
    assert!(matches!(refused(&"[".repeat(500_000)).1, Problem::Syntax(_)));
    assert_eq!(refused(&nested(500_000)).1, Problem::TooDeep);
}

#[test]
fn what_is_not_json_is_refused() {
    for text in ["", "{", "{\"a\":}", "[1,]", "nul", "{} {}", "NaN", "01", "\"\\ud800\""] {
        assert!(matches!(refused(text).1, Problem::Syntax(_)), "{text}");
    }
    assert!(parse(b"\"\xff\"").is_err());
}
