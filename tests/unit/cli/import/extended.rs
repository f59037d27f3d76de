//! Unit tests of `src/cli/import/extended.rs`.

use serde_json::json;

use super::*;

fn read(value: Value) -> (Result<Value, String>, Vec<String>) {
    let mut told = Vec::new();
    let read = plain(value, &FieldPath::root().child("x"), &mut told);
    (read, told)
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
        assert_eq!(told, Vec::<String>::new());
    }
}

#[test]
fn what_plain_json_has_no_word_for_is_kept_and_told_or_refused() {
    let binary = json!({"$binary": {"base64": "AA==", "subType": "00"}});
    let (kept, told) = read(json!({"a": [binary]}));
    assert_eq!(
        (kept, told),
        (Ok(json!({"a": [binary]})), vec!["x.a.0 has a $binary, which is imported unchanged".to_owned()])
    );
    let (kept, told) = read(json!({"$numberDecimal": "0.1234567890123456789"}));
    assert_eq!((kept, told.len()), (Ok(json!("0.1234567890123456789")), 1));
    let (kept, told) = read(json!({"$regularExpression": {"pattern": "a", "options": ""}}));
    assert_eq!((kept.is_ok(), told.len()), (true, 1));
    for (extended, words) in [
        (json!({"$oid": "1"}), "x has a $oid that must be 24 hexadecimal digits"),
        (json!({"$oid": 7}), "x has a $oid that is not a text"),
        (json!({"$date": {"$numberLong": "9223372036854775807"}}), "x has a $date that is not a time"),
        (json!({"$date": "yesterday"}), "x has a $date that is not a time"),
        (json!({"$numberLong": "1.5"}), "x has a $numberLong that is not a whole number"),
        (json!({"$numberDouble": "Infinity"}), "x has a $numberDouble that JSON has no number for"),
        (json!({"$numberDouble": "NaN"}), "x has a $numberDouble that JSON has no number for"),
    ] {
        assert_eq!(read(extended).0, Err(words.to_owned()));
    }
}
