//! Adds functions for rules to CEL: facts, and arithmetic with minutes, grades and names.

use std::sync::{Arc, OnceLock};

use cel::extractors::Arguments;
use cel::objects::{Key, Map};
use cel::{Context, DeclarationError, ExecutionError, Value as Cel};
use serde_json::Value;

use super::cel::{float_to_cel, map};
use super::quotes;
use crate::assistant::facts::{self, Fact, Facts, KINDS, ListedAmount, Values, grade, number, step_minutes};
use crate::domain::content::Content;
use crate::domain::path::FieldPath;

/// Functions that read their arguments alone, and not the document.
pub const PURE: [&str; 8] = [
    "gradeRange",
    "sameText",
    "lessonMinutes",
    "lessonSteps",
    "otherSteps",
    "wholeMinutes",
    "fitMinutes",
    "withNumber",
];

/// Returns true if rules can use a function with this name in addition to CEL's own.
pub fn is_function(name: &str) -> bool {
    PURE.contains(&name) || matches!(name, "texts" | "amountsOf") || KINDS.iter().any(|kind| kind.function == name)
}

/// Maximum length of the path of a fact, in bytes. A fact with a longer path is dropped, because every fact copies its
/// path.
const MAX_PATH: usize = 500;
/// Maximum number of texts that one call of the function `texts` returns.
const MAX_TEXTS: usize = 1000;

/// Members that a fact has in addition to path and quote, such as `minutes` of a lesson length.
type Members = Vec<(&'static str, Cel)>;

/// Adds all functions of [`is_function`] to a context. They return `facts`, and read other texts from `content`.
///
/// # Errors
/// Returns an error if CEL already has a function with the same name.
pub fn add(context: &mut Context<'_, '_>, content: &Arc<Content>, facts: &Facts) -> Result<(), DeclarationError> {
    for kind in &KINDS {
        add_fact(context, kind.function, facts.returned_by(kind.function).cloned().unwrap_or_default())?;
    }
    let document = content.clone();
    context.add_function("texts", move |Arguments(args): Arguments| texts(&document, &args))?;
    let (document, facts) = (content.clone(), facts.clone());
    context.add_function("amountsOf", move |Arguments(args): Arguments| amounts_of(&document, &facts, &args))?;
    context.add_function("gradeRange", |Arguments(args): Arguments| grade_range(&args))?;
    context.add_function("sameText", |Arguments(args): Arguments| match args.as_slice() {
        [one, other] => Ok(Cel::Bool(text(one).zip(text(other)).is_some_and(|(one, other)| same_text(one, other)))),
        _ => Err(wrong("sameText", "two texts")),
    })?;
    context.add_function("lessonMinutes", |Arguments(args): Arguments| lesson_minutes(&args))?;
    context.add_function("lessonSteps", |Arguments(args): Arguments| lesson_steps(&args))?;
    context.add_function("otherSteps", |Arguments(args): Arguments| other_steps(&args))?;
    context.add_function("wholeMinutes", |Arguments(args): Arguments| whole_minutes(&args))?;
    context.add_function("fitMinutes", |Arguments(args): Arguments| fit_minutes(&args))?;
    context.add_function("withNumber", |Arguments(args): Arguments| with_number(&args))
}

/// Adds a function that returns a list of facts. Only its first call converts the facts to CEL values.
fn add_fact(
    context: &mut Context<'_, '_>,
    function: &'static str,
    facts: Arc<Vec<Fact<Values>>>,
) -> Result<(), DeclarationError> {
    let converted = OnceLock::new();
    context.add_function(function, move || {
        let values = |fact: &Fact<Values>| fact.value.iter().map(|(name, value)| (*name, Cel::Int(*value))).collect();
        let list = converted.get_or_init(|| {
            Arc::new(facts.iter().filter_map(|fact| fact_to_cel(fact, values(fact))).collect::<Vec<_>>())
        });
        Cel::List(list.clone())
    })
}

fn fact_to_cel<T>(fact: &Fact<T>, members: Members) -> Option<Cel> {
    let Fact { path, before, quote, number, written, value: _ } = fact;
    if path.segments().iter().map(|segment| segment.len()).sum::<usize>() > MAX_PATH {
        return None;
    }
    let place = [
        ("path", Cel::from(path.to_string())),
        ("field", Cel::from(path.field().unwrap_or_default().to_owned())),
        ("before", Cel::from(before.clone())),
        ("quote", Cel::from(quote.clone())),
        ("start", Cel::Int(number.start as i64)),
        ("end", Cel::Int(number.end as i64)),
        ("written", Cel::from(written.clone())),
    ];
    Some(map(place.into_iter().chain(members)))
}

fn wrong(function: &str, expected: &str) -> ExecutionError {
    // Returns a type error, because the dry run rejects a rule with a type error, and such a call can never succeed.
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

fn text(value: &Cel) -> Option<&str> {
    match value {
        Cel::String(text) => Some(text),
        _ => None,
    }
}

/// Implements `texts(pattern)`: returns each text at a matching path, as a fact with the member `text`. In a pattern
/// such as `steps.*.text`, `*` matches every element of a list.
fn texts(content: &Content, args: &[Cel]) -> Result<Cel, ExecutionError> {
    let pattern = args.first().and_then(text).ok_or_else(|| wrong("texts", "a path"))?;
    let mut found = Vec::new();
    quotes::visit(FieldPath::parse(pattern).segments(), content, &mut |path, value| {
        if let Value::String(text) = value {
            let (before, written) = (String::new(), String::new());
            let whole = Fact { path, before, quote: text.clone(), number: 0..text.len(), written, value: () };
            found.extend(fact_to_cel(&whole, vec![("text", Cel::from(text.clone()))]));
        }
        found.len() < MAX_TEXTS
    });
    Ok(Cel::List(Arc::new(found)))
}

/// Implements `amountsOf(list)`: returns each amount in a text that has the name and unit of a list element. The amount
/// also has the quantity of the element (`listed`) and the path of the quantity (`listedPath`).
fn amounts_of(content: &Content, facts: &Facts, args: &[Cel]) -> Result<Cel, ExecutionError> {
    let list = args.first().and_then(text).ok_or_else(|| wrong("amountsOf", "the name of a list"))?;
    let members = |fact: &Fact<ListedAmount>| {
        vec![
            ("number", float_to_cel(fact.value.number)),
            ("listed", float_to_cel(fact.value.listed)),
            ("listedPath", Cel::from(fact.value.listed_path.to_string())),
        ]
    };
    let amounts = facts.amounts_of(list).cloned().unwrap_or_else(|| Arc::new(facts::amounts(content, list)));
    Ok(Cel::List(Arc::new(amounts.iter().filter_map(|fact| fact_to_cel(fact, members(fact))).collect())))
}

/// Implements `gradeRange(grade)`: returns the grades that the value of a grade field covers, as `low` and `high`.
/// Returns null if the value names no grade.
fn grade_range(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let grades = match args.first() {
        Some(Cel::String(text)) => grade::of_field(text),
        Some(Cel::Int(grade)) => grade::of_field(&grade.to_string()),
        Some(_) => None,
        None => return Err(wrong("gradeRange", "a grade")),
    };
    let range = |grades: grade::Grades| [("low", Cel::Int(grades.low)), ("high", Cel::Int(grades.high))];
    Ok(grades.map_or(Cel::Null, |grades| map(range(grades).into_iter())))
}

/// Checks whether two texts have the same words. Ignores case, punctuation, and articles at the start. A text without
/// words never matches.
fn same_text(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.skip_while(|word| matches!(*word, "the" | "a" | "an")).map(str::to_owned).collect::<Vec<_>>()
    };
    let words = [words(one), words(other)];
    !words[0].is_empty() && words[0] == words[1]
}

/// Returns the text and the minutes of each step, or `None` if `value` is not a list. A malformed step has no minutes.
fn steps(value: Option<&Cel>) -> Option<Vec<(&str, Option<f64>)>> {
    let Some(Cel::List(steps)) = value else { return None };
    let read =
        |step| (member(step, "text").and_then(text).unwrap_or_default(), member(step, "minutes").and_then(number));
    Some(steps.iter().map(read).collect())
}

/// Implements `lessonMinutes(steps)`: returns the lesson time that the steps take together, in minutes.
fn lesson_minutes(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let steps = steps(args.first()).ok_or_else(|| wrong("lessonMinutes", "a list of steps"))?;
    Ok(float_to_cel(step_minutes::lesson_minutes(&steps)))
}

/// Implements `lessonSteps(steps)`: returns the indexes of the steps whose minutes are lesson time.
fn lesson_steps(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let steps = steps(args.first()).ok_or_else(|| wrong("lessonSteps", "a list of steps"))?;
    Ok(positions(step_minutes::timed_steps(&steps).0))
}

/// Implements `otherSteps(steps)`: returns the indexes of the steps whose minutes are not lesson time.
fn other_steps(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let steps = steps(args.first()).ok_or_else(|| wrong("otherSteps", "a list of steps"))?;
    Ok(positions(step_minutes::timed_steps(&steps).1))
}

fn positions(positions: Vec<usize>) -> Cel {
    Cel::List(Arc::new(positions.into_iter().map(|position| Cel::Int(position as i64)).collect()))
}

/// Implements `wholeMinutes(n)`: rounds up to a whole number.
fn whole_minutes(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let minutes = args.first().and_then(number).ok_or_else(|| wrong("wholeMinutes", "a number"))?;
    Ok(float_to_cel(minutes.ceil()))
}

/// Implements `fitMinutes(steps, total)`: returns all steps, with minutes changed so that the lesson time is `total`.
/// Returns null if that is impossible.
fn fit_minutes(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let (Some(Cel::List(list)), Some(read), Some(total)) =
        (args.first(), steps(args.first()), args.get(1).and_then(number))
    else {
        return Err(wrong("fitMinutes", "a list of steps and a number"));
    };
    let Some(fitted) = step_minutes::fit_minutes(&read, total.floor() as i64) else {
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

/// Implements `withNumber(fact, n)`: returns an edit that replaces the number in the fact's text with `n`. The style
/// stays the same: `five` replaces `four`.
fn with_number(args: &[Cel]) -> Result<Cel, ExecutionError> {
    let wrong = || wrong("withNumber", "a fact and a whole number");
    let [fact, Cel::Int(number)] = args else { return Err(wrong()) };
    let (Some(start), Some(end)) = (member(fact, "start"), member(fact, "end")) else { return Err(wrong()) };
    let written = member(fact, "written").and_then(text).unwrap_or_default();
    let text = Cel::from(number::written_like(written, *number));
    Ok(map([("start", start.clone()), ("end", end.clone()), ("text", text)].into_iter()))
}
