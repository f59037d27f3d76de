//! Converts MongoDB's Extended JSON v2, both canonical and relaxed, to plain JSON. A value that has no plain equivalent
//! is either rejected, or imported with a message: unchanged or as a string.

use serde_json::{Map, Number, Value};

use crate::domain::id::ObjectId;
use crate::domain::json;
use crate::domain::path::FieldPath;
use crate::domain::time::Timestamp;

/// Limit above which doubles cannot represent every whole number: 2^53.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Converts the value at a path. Adds a message to `notes` for each value that has no plain equivalent.
///
/// # Errors
/// What is wrong with the value, with its path.
pub fn plain(value: Value, path: &FieldPath, notes: &mut Vec<String>) -> Result<Value, String> {
    match value {
        Value::Object(members) => object(members, path, notes),
        Value::Array(elements) => {
            let elements = elements.into_iter().enumerate();
            elements.map(|(place, element)| plain(element, &path.child(place.to_string()), notes)).collect()
        }
        Value::Number(number) => Ok(Value::Number(whole(number))),
        other => Ok(other),
    }
}

fn object(members: Map<String, Value>, path: &FieldPath, notes: &mut Vec<String>) -> Result<Value, String> {
    let Some(kind) = members.keys().next().filter(|key| key.starts_with('$')).cloned() else {
        let mut object = Map::with_capacity(members.len());
        for (key, value) in members {
            let value = plain(value, &path.child(key.as_str()), notes)?;
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
                notes.push(format!(
                    "{path} has a $numberDecimal that no number represents exactly; it is imported as a string"
                ));
                Ok(Value::String(text.clone()))
            }
        },
        ("$oid" | "$numberInt" | "$numberLong" | "$numberDouble" | "$numberDecimal", Some(_)) => {
            refuse("is not a text")
        }
        _ => {
            notes.push(format!("{path} has a {kind}, which is imported unchanged"));
            Ok(Value::Object(members))
        }
    }
}

/// Reads a date: an RFC 3339 text, or a number of milliseconds since 1970. Both may be in Extended JSON. Returns `None`
/// if the date is invalid.
fn moment(date: &Value) -> Option<Timestamp> {
    let milliseconds = match date {
        Value::String(text) => return Timestamp::from_rfc3339(text),
        Value::Object(long) if long.len() == 1 => long.get("$numberLong")?.as_str()?.parse().ok()?,
        other => other.as_i64()?,
    };
    // Rejects a date that RFC 3339 cannot express.
    Some(Timestamp(milliseconds)).filter(|moment| Timestamp::from_rfc3339(&moment.to_string()) == Some(*moment))
}

/// Converts a double to a whole number if possible, because JavaScript programs store whole numbers as doubles.
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
#[path = "../../../tests/unit/cli/import/extended.rs"]
mod tests;
