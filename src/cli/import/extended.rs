//! Converts MongoDB's Extended JSON v2, both canonical and relaxed, to plain JSON. A value that has no plain equivalent
//! is reported: it is either left out, or imported unchanged or as a string.

use serde_json::{Map, Number, Value};

use super::members::{Account, Outcome, count, is_extended};
use crate::domain::id::ObjectId;
use crate::domain::json;
use crate::domain::path::FieldPath;
use crate::domain::time::Timestamp;

/// Limit above which doubles cannot represent every whole number: 2^53.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A value that has no equivalent in plain JSON: its path, and what is wrong with it.
type Fault = (FieldPath, String);

/// Converts a document to plain JSON. Leaves out fields that have no plain equivalent, and reports them.
///
/// # Errors
/// Why the whole document is rejected, as a phrase that follows the line number.
pub fn plain_document(document: Value, account: &mut Account) -> Result<Map<String, Value>, String> {
    match plain(document, &FieldPath::root(), account) {
        Ok(Value::Object(document)) => Ok(document),
        Ok(_) => Err("is not a document: it must be an object".to_owned()),
        Err((path, fault)) => Err(format!("is left out: {path} {fault}")),
    }
}

/// Converts the value at `path`. An array fails if any element fails: without this element, the later elements would
/// move. An object loses the members that fail. It fails only if all its members fail.
fn plain(value: Value, path: &FieldPath, account: &mut Account) -> Result<Value, Fault> {
    match value {
        Value::Object(members) if is_extended(&members) => extended(members, path, account),
        Value::Object(members) => object(members, path, account),
        Value::Array(elements) => {
            // If a later element fails, the whole array is reported, and the notes in `inner` are dropped.
            let mut inner = Account::default();
            let elements = elements.into_iter().enumerate();
            let elements = elements.map(|(index, e)| plain(e, &path.child(index.to_string()), &mut inner));
            let array = elements.collect::<Result<_, _>>()?;
            account.add(inner, None);
            Ok(array)
        }
        Value::Number(number) => Ok(Value::Number(whole(number))),
        other => Ok(other),
    }
}

fn object(members: Map<String, Value>, path: &FieldPath, account: &mut Account) -> Result<Value, Fault> {
    let (mut object, mut faults) = (Map::with_capacity(members.len()), Vec::new());
    for (key, value) in members {
        let size = count(&value);
        let path = path.child(key.as_str());
        match plain(value, &path, account) {
            Ok(value) => drop(object.insert(key, value)),
            Err(fault) => faults.push(((path, fault), size)),
        }
    }
    if object.is_empty()
        && let Some(((_, (at, fault)), _)) = faults.first()
    {
        return Err((at.clone(), fault.clone()));
    }
    for ((path, (at, fault)), size) in faults {
        account.reported += size;
        let what = if path == at { "it" } else { "a part of it" };
        account.note(&path, Outcome::LeftOut, format!("{what} {fault}"));
    }
    Ok(Value::Object(object))
}

fn extended(members: Map<String, Value>, path: &FieldPath, account: &mut Account) -> Result<Value, Fault> {
    let kind = members.keys().next().cloned().unwrap_or_default();
    let refuse = |words: &str| Err((path.clone(), format!("has a {kind} that {words}")));
    let alone = if members.len() == 1 { members.get(&kind) } else { None };
    match (kind.as_str(), alone) {
        ("$oid", Some(Value::String(text))) => match text.parse::<ObjectId>() {
            Ok(id) => Ok(Value::String(id.to_string())),
            Err(fault) => refuse(&fault.to_string()),
        },
        ("$date", Some(date)) => match parse_date(date) {
            Some(date) => Ok(Value::String(date.to_string())),
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
                account.note(
                    path,
                    Outcome::Altered,
                    "no number represents the $numberDecimal exactly, so it is a text",
                );
                Ok(Value::String(text.clone()))
            }
        },
        ("$oid" | "$numberInt" | "$numberLong" | "$numberDouble" | "$numberDecimal", Some(_)) => {
            refuse("is not a text")
        }
        _ => {
            account.note(path, Outcome::Altered, format!("a {kind} has no plain form, so it stays as written"));
            Ok(Value::Object(members))
        }
    }
}

/// Reads the value of a `$date`: an RFC 3339 text, a number of milliseconds since 1970, or `{"$numberLong": "…"}` with
/// this number. Returns `None` if the date is invalid.
fn parse_date(date: &Value) -> Option<Timestamp> {
    let milliseconds = match date {
        Value::String(text) => return Timestamp::from_rfc3339(text),
        Value::Object(long) if long.len() == 1 => long.get("$numberLong")?.as_str()?.parse().ok()?,
        other => other.as_i64()?,
    };
    // Rejects a date that RFC 3339 cannot express.
    Some(Timestamp(milliseconds)).filter(|date| Timestamp::from_rfc3339(&date.to_string()) == Some(*date))
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
