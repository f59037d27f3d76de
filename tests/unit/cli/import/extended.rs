//! Unit tests of `src/cli/import/extended.rs`.

use serde_json::json;

use super::*;

/// Reads a value. Returns the value or the reason why it is refused, and the report.
fn read(value: Value) -> (Result<Value, String>, String) {
    let document = json!({"_id": 1, "x": value});
    let mut account = Account::of(&document);
    let mut read = plain_document(document, &mut account).expect("a document");
    let read = read.remove("x");
    assert_eq!(account.read, 1 + account.reported + read.as_ref().map_or(0, count));
    let mut totals = Account::default();
    totals.add(account, Some("1"));
    let told = totals.to_string();
    let told = told.rsplit_once('\n').map_or("", |(told, _)| told).to_owned();
    (read.ok_or_else(|| told.clone()), told)
}

#[test]
fn canonical_and_relaxed_forms_are_read_alike() {
    let id = "0123456789abcdef01234567";
    for (extended, expected) in [
        (json!({"$oid": id.to_uppercase()}), json!(id)),
        (json!({"$date": {"$numberLong": "1795219200007"}}), json!("2026-11-21T00:00:00.007Z")),
        (json!({"$date": "2026-11-21T01:00:00.007+01:00"}), json!("2026-11-21T00:00:00.007Z")),
        (json!({"$date": 0}), json!("1970-01-01T00:00:00.000Z")),
        (json!({"$numberInt": "-7"}), json!(-7)),
        (json!({"$numberLong": "9223372036854775807"}), json!(i64::MAX)),
        (json!({"$numberDouble": "45.0"}), json!(45)),
        (json!(45.0), json!(45)),
        (json!({"$numberDouble": "-0.0"}), json!(-0.0)),
        (json!({"$numberDouble": "1E+300"}), json!(1e300)),
        (json!(0.5), json!(0.5)),
        (json!({"$numberDecimal": "1.10"}), json!(1.1)),
        (json!({"a": [{"b": {"$numberInt": "1"}}, null, true, "$oid"]}), json!({"a": [{"b": 1}, null, true, "$oid"]})),
    ] {
        let (read, told) = read(extended.clone());
        assert_eq!(read.map(|value| value.to_string()), Ok(expected.to_string()), "{extended}");
        assert_eq!(told, "");
    }
}

#[test]
fn what_plain_json_has_no_word_for_is_kept_and_told_or_refused() {
    let binary = json!({"$binary": {"base64": "AA==", "subType": "00"}});
    let (kept, told) = read(json!({"a": [binary]}));
    let words = "x.a.*: altered in 1 lines, first line 1: x.a.0: a $binary has no plain form, so it stays as written";
    assert_eq!((kept, told.as_str()), (Ok(json!({"a": [binary]})), words));
    let (kept, told) = read(json!({"$numberDecimal": "0.1234567890123456789"}));
    assert_eq!((kept, told.contains("so it is a text")), (Ok(json!("0.1234567890123456789")), true));
    let (kept, told) = read(json!({"$regularExpression": {"pattern": "a", "options": ""}}));
    assert!(kept.is_ok() && told.contains("stays as written"));
    for (extended, words) in [
        (json!({"$oid": "1"}), "has a $oid that must be 24 hexadecimal digits"),
        (json!({"$oid": 7}), "has a $oid that is not a text"),
        (json!({"$date": {"$numberLong": "9223372036854775807"}}), "has a $date that is not a time"),
        (json!({"$date": "yesterday"}), "has a $date that is not a time"),
        (json!({"$numberLong": "1.5"}), "has a $numberLong that is not a whole number"),
        (json!({"$numberDouble": "Infinity"}), "has a $numberDouble that JSON has no number for"),
        (json!({"$numberDouble": "NaN"}), "has a $numberDouble that JSON has no number for"),
    ] {
        assert_eq!(read(extended).0, Err(format!("x: left out of 1 lines, first line 1: it {words}")));
    }
}

#[test]
fn a_field_that_has_no_plain_form_is_left_out_and_a_list_only_as_a_whole() {
    let nan = json!({"$numberDouble": "NaN"});
    let (kept, told) =
        read(json!({"a": [{"b": nan, "c": 1}], "d": [1, {"e": nan, "f": 2}, nan], "g": {"h": {"i": nan}}, "j": {}}));
    assert_eq!(kept, Ok(json!({"a": [{"c": 1}], "j": {}})));
    insta::assert_snapshot!(told, @r"
    x.a.*.b: left out of 1 lines, first line 1: x.a.0.b: it has a $numberDouble that JSON has no number for
    x.d: left out of 1 lines, first line 1: a part of it has a $numberDouble that JSON has no number for
    x.g: left out of 1 lines, first line 1: a part of it has a $numberDouble that JSON has no number for
    ");
}
