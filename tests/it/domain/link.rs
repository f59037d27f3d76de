//! The names, descriptions and dates that a link may have.

use fieldbook::domain::link::*;
use fieldbook::domain::link_request::LinkRequest;
use serde_json::{Value, json};

/// Returns the fields of a request that are refused.
fn refused(body: Value) -> Vec<String> {
    let body = body.as_object().cloned().expect("an object");
    let violations = LinkRequest::read(&body).err().unwrap_or_default();
    violations.into_iter().map(|violation| violation.path.to_string()).collect()
}

#[test]
fn a_name_has_1_to_64_characters_that_need_no_escaping_in_an_address() {
    for name in ["a", "Z9_-", &"x".repeat(64)] {
        assert_eq!(name_fault(name), None, "{name}");
    }
    for name in ["", "a b", "a.b", "a/b", "é", &"x".repeat(65)] {
        assert!(name_fault(name).is_some(), "{name}");
    }
}

#[test]
fn a_description_is_as_long_as_its_characters() {
    let described = |length: usize| refused(json!({"key": "k", "description": "é".repeat(length)}));
    assert!(described(0).is_empty());
    assert!(described(500).is_empty());
    assert_eq!(described(501), ["description"]);
}

#[test]
fn a_day_is_written_with_ten_characters_and_is_in_the_calendar() {
    assert!(is_day("2028-02-29"));
    for text in ["2026-02-29", "2026-2-09", "02026-02-09", "2026-02-09Z", ""] {
        assert!(!is_day(text), "{text}");
    }
}
