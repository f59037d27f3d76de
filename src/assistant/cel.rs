//! The bridge to CEL: content goes in as CEL values, results come out as JSON, and the facts are its functions.

use std::collections::HashMap;
use std::sync::Arc;

use cel::common::types::{CelBool, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString, CelUInt};
use cel::common::value::Val;
use cel::extractors::Arguments;
use cel::objects::{Key, Map};
use cel::{Context, Env, ExecutionError, Value as Cel};
use serde_json::{Number, Value};

use super::facts::{self, StepReference};
use super::meter::{Account, METER, Meter};
use crate::domain::content::Content;

/// The functions that rules have beside CEL's own.
pub const FUNCTIONS: [&str; 5] = ["stepReferences", "lessonMinutes", "wholeMinutes", "fitMinutes", "withNumber"];

/// What a rule is run in: the content as `self`, the facts as functions, and the meter that all of it is paid from.
pub fn context<'v>(
    env: &Arc<Env>,
    content: &'v Content,
    references: &[StepReference],
    meter: Arc<Meter>,
) -> Result<Context<'v, 'v>, String> {
    let mut context = Context::with_env(env.clone());
    context.add_variable_as_val("self", members_to_val(content));
    context.add_variable_as_val(METER, Box::new(Account(meter)));

    let references = Arc::new(references.iter().filter_map(reference_to_cel).collect::<Vec<_>>());
    let added = context
        .add_function("stepReferences", move || Cel::List(references.clone()))
        .and_then(|()| context.add_function("lessonMinutes", |Arguments(args): Arguments| lesson_minutes(&args)))
        .and_then(|()| context.add_function("wholeMinutes", |Arguments(args): Arguments| whole_minutes(&args)))
        .and_then(|()| context.add_function("fitMinutes", |Arguments(args): Arguments| fit_minutes(&args)))
        .and_then(|()| context.add_function("withNumber", |Arguments(args): Arguments| with_number(&args)));
    added.map_err(|error| error.to_string())?;
    Ok(context)
}

/// A JSON value as CEL knows it; its texts stay where they are. Whole numbers become integers whatever their form,
/// so that they add up with others.
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
        Value::Object(members) => members_to_val(members),
    }
}

fn members_to_val(members: &Content) -> Box<dyn Val + '_> {
    let members = members.iter().map(|(key, member)| (CelMapKey::from(key.as_str()), to_val(member)));
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

fn float_to_cel(float: f64) -> Cel {
    if float.fract() == 0.0 && float.abs() < 9e15 { Cel::Int(float as i64) } else { Cel::Float(float) }
}

fn map<'k>(members: impl Iterator<Item = (&'k str, Cel)>) -> Cel {
    let members: HashMap<Key, Cel> = members.map(|(key, value)| (Key::from(key), value)).collect();
    Cel::Map(Map { map: Arc::new(members) })
}

/// A CEL value as JSON; `None` for what JSON cannot say. Keys come in alphabetical order: CEL keeps none.
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

/// Paths of facts are as long as the keys they are made of. Beyond so many bytes they are no words of a lesson, and
/// a copy for each fact could fill the memory.
const MAX_PATH: usize = 500;

fn reference_to_cel(reference: &StepReference) -> Option<Cel> {
    let StepReference { path, quote, number, digits, written } = reference;
    if path.segments().iter().map(|segment| segment.len()).sum::<usize>() > MAX_PATH {
        return None;
    }
    let members = [
        ("path", Cel::from(path.to_string())),
        ("quote", Cel::from(quote.clone())),
        ("number", Cel::Int(*number)),
        ("start", Cel::Int(digits.start as i64)),
        ("end", Cel::Int(digits.end as i64)),
        ("written", Cel::from(written.clone())),
    ];
    Some(map(members.into_iter()))
}

fn wrong(function: &str, expected: &str) -> ExecutionError {
    // Not for what values they have, but for their types: a rule that calls it so can never run.
    ExecutionError::UnexpectedType { got: format!("something else for {function}"), want: expected.to_owned() }
}

fn number(value: &Cel) -> Option<f64> {
    match value {
        Cel::Int(integer) => Some(*integer as f64),
        Cel::UInt(integer) => Some(*integer as f64),
        Cel::Float(float) => Some(*float),
        _ => None,
    }
}

fn member<'v>(value: &'v Cel, key: &str) -> Option<&'v Cel> {
    match value {
        Cel::Map(members) => members.map.get(&Key::from(key)),
        _ => None,
    }
}

/// The texts and minutes of a list of steps; what has another form has no minutes.
fn steps(value: Option<&Cel>) -> Option<Vec<(String, Option<f64>)>> {
    let Some(Cel::List(steps)) = value else { return None };
    let read = |step: &Cel| {
        let text = match member(step, "text") {
            Some(Cel::String(text)) => text.to_string(),
            _ => String::new(),
        };
        (text, member(step, "minutes").and_then(number))
    };
    Some(steps.iter().map(read).collect())
}

/// `lessonMinutes(steps)`: see [`facts::lesson_minutes`].
fn lesson_minutes(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let steps = steps(args.first()).ok_or_else(|| wrong("lessonMinutes", "a list of steps"))?;
    Ok(float_to_cel(facts::lesson_minutes(&steps)))
}

/// `wholeMinutes(n)`: the next whole number of minutes that is not less.
fn whole_minutes(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let minutes = args.first().and_then(number).ok_or_else(|| wrong("wholeMinutes", "a number"))?;
    Ok(float_to_cel(minutes.ceil()))
}

/// `fitMinutes(steps, total)`: the steps with minutes that add up to `total`; null where that cannot be.
fn fit_minutes(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let (Some(Cel::List(list)), Some(read), Some(total)) =
        (args.first(), steps(args.first()), args.get(1).and_then(number))
    else {
        return Err(wrong("fitMinutes", "a list of steps and a number"));
    };
    let Some(fitted) = facts::fit_minutes(&read, total.floor() as i64) else {
        return Ok(Cel::Null);
    };
    let with_minutes = |(step, minutes): (&Cel, Option<f64>)| match (step, minutes) {
        (Cel::Map(members), Some(minutes)) => {
            let mut members = (*members.map).clone();
            members.insert(Key::from("minutes"), float_to_cel(minutes));
            Cel::Map(Map { map: Arc::new(members) })
        }
        (other, _) => other.clone(),
    };
    Ok(Cel::List(Arc::new(list.iter().zip(fitted).map(with_minutes).collect())))
}

/// `withNumber(reference, n)`: puts `n` in the place of the number, in its form; the rest of the text stays.
fn with_number(args: &[Cel]) -> Result<Cel, ExecutionError> {
    match args {
        [reference, Cel::Int(number)] => match (member(reference, "start"), member(reference, "end")) {
            (Some(start), Some(end)) => {
                let text = match member(reference, "written") {
                    Some(Cel::String(written)) => facts::numbers::in_form_of(written, *number),
                    _ => None,
                };
                let text = Cel::from(text.unwrap_or_else(|| number.to_string()));
                Ok(map([("start", start.clone()), ("end", end.clone()), ("text", text)].into_iter()))
            }
            _ => Err(wrong("withNumber", "a reference and a whole number")),
        },
        _ => Err(wrong("withNumber", "a reference and a whole number")),
    }
}
