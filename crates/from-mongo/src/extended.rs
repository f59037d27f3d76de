//! Converts MongoDB's Extended JSON v2, both canonical and relaxed, to plain JSON.

use std::collections::BTreeMap;

use fieldbook_domain::id::ObjectId;
use fieldbook_domain::json;
use fieldbook_domain::path::FieldPath;
use fieldbook_domain::time::Timestamp;
use serde_json::{Map, Number, Value};

use crate::document::Fate;

/// Limit above which doubles cannot represent every whole number: 2^53.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

pub fn is_extended(object: &Map<String, Value>) -> bool {
    object.keys().next().is_some_and(|key| key.starts_with('$'))
}

/// Converts the value at `path` from Extended JSON to plain JSON. As in JavaScript, null replaces a value that JSON
/// cannot express. `fates` gets an entry for each such value, and for each number that becomes a text.
pub fn plain(value: Value, path: &FieldPath, fates: &mut BTreeMap<FieldPath, Fate>) -> Value {
    match value {
        Value::Object(members) if is_extended(&members) => {
            let (plain, fate) = extended(members);
            fates.extend(fate.map(|fate| (path.clone(), fate)));
            plain
        }
        Value::Object(members) => {
            let members = members.into_iter();
            members.map(|(key, value)| (key.clone(), plain(value, &path.child(key), fates))).collect()
        }
        Value::Array(elements) => {
            let elements = elements.into_iter().enumerate();
            elements.map(|(index, value)| plain(value, &path.child(index.to_string()), fates)).collect()
        }
        Value::Number(number) => Value::Number(whole(number)),
        other => other,
    }
}

/// Converts a single value. Values of other types, such as `$binary`, stay as written.
fn extended(members: Map<String, Value>) -> (Value, Option<Fate>) {
    let Some((kind, value)) = members.iter().next().filter(|_| members.len() == 1) else {
        return (Value::Object(members), None);
    };
    let text = value.as_str().unwrap_or_default();
    let plain = match kind.as_str() {
        "$oid" => text.parse::<ObjectId>().ok().map(|id| Value::from(id.to_string())),
        "$date" => parse_date(value).map(|date| Value::from(date.to_string())),
        "$numberInt" | "$numberLong" => text.parse::<i64>().ok().map(Value::from),
        "$numberDouble" => text.parse().ok().and_then(Number::from_f64).map(|number| Value::Number(whole(number))),
        "$numberDecimal" if value.is_string() => match json::parse(text.as_bytes()) {
            Ok(Value::Number(number)) => Some(Value::Number(number)),
            // No JSON number represents this decimal exactly, so it becomes a text.
            _ => return (Value::from(text), Some(Fate::Mapped)),
        },
        "$numberDecimal" => None,
        _ => return (Value::Object(members), None),
    };
    let lost = || Fate::Lost(format!("JSON has no value for this {kind}, so null takes its place"));
    let fate = plain.is_none().then(lost);
    (plain.unwrap_or(Value::Null), fate)
}

/// Reads the value of a `$date`: an RFC 3339 text, or `{"$numberLong": "…"}` with milliseconds since 1970. Returns
/// `None` if RFC 3339 cannot express the date.
fn parse_date(date: &Value) -> Option<Timestamp> {
    if let Some(text) = date.as_str() {
        return Timestamp::from_rfc3339(text);
    }
    let milliseconds = date.get("$numberLong")?.as_str()?.parse().ok()?;
    Some(Timestamp(milliseconds)).filter(|date| Timestamp::from_rfc3339(&date.to_string()) == Some(*date))
}

/// Converts a double to a whole number if possible, because JavaScript programs store whole numbers as doubles.
fn whole(number: Number) -> Number {
    let is_whole = |it: &f64| it.fract() == 0.0 && it.abs() < LARGEST_WHOLE && !(*it == 0.0 && it.is_sign_negative());
    let whole = number.as_f64().filter(|double| number.is_f64() && is_whole(double));
    whole.map_or(number, |double| Number::from(double as i64))
}
