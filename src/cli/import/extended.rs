//! Converts MongoDB's Extended JSON v2, canonical and relaxed, to plain JSON. A value without a plain equivalent is
//! imported unchanged and reported, or refused.

use serde_json::{Map, Number, Value};

use crate::domain::id::ObjectId;
use crate::domain::json;
use crate::domain::path::FieldPath;
use crate::domain::time::Timestamp;

/// Limit above which doubles cannot represent every whole number.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Converts the value at a path. Adds a message to `told` for each value that is imported unchanged.
///
/// # Errors
/// Returns what is wrong, with the path.
pub fn plain(value: Value, path: &FieldPath, told: &mut Vec<String>) -> Result<Value, String> {
    match value {
        Value::Object(members) => object(members, path, told),
        Value::Array(elements) => {
            let elements = elements.into_iter().enumerate();
            elements.map(|(place, element)| plain(element, &path.child(place.to_string()), told)).collect()
        }
        Value::Number(number) => Ok(Value::Number(whole(number))),
        other => Ok(other),
    }
}

fn object(members: Map<String, Value>, path: &FieldPath, told: &mut Vec<String>) -> Result<Value, String> {
    let Some(kind) = members.keys().next().filter(|key| key.starts_with('$')).cloned() else {
        let mut object = Map::with_capacity(members.len());
        for (key, value) in members {
            let value = plain(value, &path.child(key.as_str()), told)?;
            object.insert(key, value);
        }
        return Ok(Value::Object(object));
    };
    let refuse = |words: &str| Err(format!("{path} has a {kind} that {words}"));
    let alone = if members.len() == 1 { members.get(&kind) } else { None };
    match (kind.as_str(), alone) {
        ("$oid", Some(Value::String(text))) => match text.parse::<ObjectId>() {
            Ok(id) => Ok(Value::String(id.to_string())),
            Err(fault) => refuse(&fault.to_string()),
        },
        ("$date", Some(date)) => match moment(date) {
            Some(moment) => Ok(Value::String(moment.to_string())),
            None => refuse("is not a time"),
        },
        ("$numberInt" | "$numberLong", Some(Value::String(text))) => match text.parse::<i64>() {
            Ok(number) => Ok(number.into()),
            Err(_) => refuse("is not a whole number"),
        },
        ("$numberDouble", Some(Value::String(text))) => match text.parse::<f64>().ok().and_then(Number::from_f64) {
            Some(number) => Ok(Value::Number(whole(number))),
            None => refuse("JSON has no number for"),
        },
        ("$numberDecimal", Some(Value::String(text))) => match json::parse(text.as_bytes()) {
            Ok(Value::Number(number)) => Ok(Value::Number(number)),
            _ => {
                told.push(format!(
                    "{path} has a $numberDecimal that no number represents exactly; it is imported as a string"
                ));
                Ok(Value::String(text.clone()))
            }
        },
        ("$oid" | "$numberInt" | "$numberLong" | "$numberDouble" | "$numberDecimal", Some(_)) => {
            refuse("is not a text")
        }
        _ => {
            told.push(format!("{path} has a {kind}, which is imported unchanged"));
            Ok(Value::Object(members))
        }
    }
}

/// Reads a date: a text, milliseconds since 1970, or either of them in Extended JSON.
fn moment(date: &Value) -> Option<Timestamp> {
    let milliseconds = match date {
        Value::String(text) => return Timestamp::from_rfc3339(text),
        Value::Object(long) if long.len() == 1 => long.get("$numberLong")?.as_str()?.parse().ok()?,
        other => other.as_i64()?,
    };
    // Refuses a date that RFC 3339 cannot express.
    Some(Timestamp(milliseconds)).filter(|moment| Timestamp::from_rfc3339(&moment.to_string()) == Some(*moment))
}

/// Converts doubles to whole numbers where possible, because JavaScript programs store whole numbers as doubles.
fn whole(number: Number) -> Number {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(double) if double.fract() == 0.0 && double.abs() < LARGEST_WHOLE && !is_negative_zero(double) => {
            Number::from(double as i64)
        }
        _ => number,
    }
}

fn is_negative_zero(double: f64) -> bool {
    double == 0.0 && double.is_sign_negative()
}

#[cfg(test)]
mod tests {
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
            (
                json!({"a": [{"b": {"$numberInt": "1"}}, null, true, "$oid"]}),
                json!({"a": [{"b": 1}, null, true, "$oid"]}),
            ),
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
}
