//! Converts between JSON and CEL: content becomes CEL values, and results become JSON.

use std::collections::HashMap;
use std::sync::Arc;

use cel::Value as Cel;
use cel::common::types::{CelBool, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString, CelUInt};
use cel::common::value::Val;
use cel::objects::{Key, Map};
use serde_json::{Number, Value};

/// Converts a JSON value to a CEL value without copying strings. A whole number such as `1.0` becomes an integer,
/// because CEL cannot add an integer and a floating-point number.
fn to_val(value: &Value) -> Box<dyn Val + '_> {
    match value {
        Value::Null => Box::new(CelNull),
        Value::Bool(bool) => Box::new(CelBool::from(*bool)),
        Value::String(text) => Box::new(CelString::from(text.as_str())),
        Value::Number(number) => match number_to_cel(number) {
            Cel::Int(integer) => Box::new(CelInt::from(integer)),
            Cel::UInt(integer) => Box::new(CelUInt::from(integer)),
            Cel::Float(float) => Box::new(CelDouble::from(float)),
            _ => Box::new(CelNull),
        },
        Value::Array(elements) => Box::new(CelList::from(elements.iter().map(to_val).collect::<Vec<_>>())),
        Value::Object(members) => members_to_val(members.iter()),
    }
}

/// Converts the members of a JSON object to a CEL map without copying strings.
pub fn members_to_val<'v>(members: impl Iterator<Item = (&'v String, &'v Value)>) -> Box<dyn Val + 'v> {
    let members = members.map(|(key, member)| (CelMapKey::from(key.as_str()), to_val(member)));
    Box::new(CelMap::from(members.collect::<HashMap<_, _>>()))
}

fn number_to_cel(number: &Number) -> Cel {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(integer), _, _) => Cel::Int(integer),
        (_, Some(integer), _) => Cel::UInt(integer),
        (_, _, Some(float)) => float_to_cel(float),
        _ => Cel::Null,
    }
}

/// Converts a number to CEL. Whole numbers below 9e15 become integers.
pub fn float_to_cel(float: f64) -> Cel {
    if float.fract() == 0.0 && float.abs() < 9e15 { Cel::Int(float as i64) } else { Cel::Float(float) }
}

/// Creates a CEL map with these members.
pub fn map<'k>(members: impl Iterator<Item = (&'k str, Cel)>) -> Cel {
    let members: HashMap<Key, Cel> = members.map(|(key, value)| (Key::from(key), value)).collect();
    Cel::Map(Map { map: Arc::new(members) })
}

/// Converts a CEL value to JSON. Returns `None` if JSON cannot represent the value. Keys are sorted, because CEL maps
/// have no order.
pub fn to_json(value: &dyn Val) -> Option<Value> {
    if let Some(text) = value.downcast_ref::<CelString>() {
        return Some(Value::from(text.inner()));
    }
    if let Some(list) = value.downcast_ref::<CelList>() {
        return list.inner().iter().map(|element| to_json(element.as_ref())).collect::<Option<_>>().map(Value::Array);
    }
    if let Some(map) = value.downcast_ref::<CelMap>() {
        let members = map.inner().iter().map(|(key, member)| Some((key_to_text(key)?, to_json(member.as_ref())?)));
        let mut members = members.collect::<Option<Vec<_>>>()?;
        members.sort_by(|(a, _), (b, _)| a.cmp(b));
        return Some(Value::Object(members.into_iter().collect()));
    }
    match Cel::try_from(value).ok()? {
        Cel::Null => Some(Value::Null),
        Cel::Bool(bool) => Some(Value::Bool(bool)),
        Cel::Int(integer) => Some(Value::from(integer)),
        Cel::UInt(integer) => Some(Value::from(integer)),
        Cel::Float(float) => Number::from_f64(float).map(Value::Number),
        _ => None,
    }
}

fn key_to_text(key: &CelMapKey<'_>) -> Option<String> {
    match Cel::try_from(key.inner()).ok()? {
        Cel::String(text) => Some(text.to_string()),
        Cel::Bool(bool) => Some(bool.to_string()),
        Cel::Int(integer) => Some(integer.to_string()),
        Cel::UInt(integer) => Some(integer.to_string()),
        _ => None,
    }
}
