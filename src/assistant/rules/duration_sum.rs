//! Compares the minutes of the steps with the duration of the lesson.

use serde_json::Value;

use super::document::{Document, RuleError};
use super::edit::Fix;
use super::rule::{Field, FieldKind, Level, NamedPattern, Rule, RuleFinding, written};
use crate::assistant::facts::step_minutes::{self, Plan, Step};
use crate::domain::path::FieldPath;

/// Maximum number of values that are quoted as evidence.
const MAX_EVIDENCE: usize = 50;

pub const RULE: Rule = Rule {
    id: "duration_sum",
    sentence: "The steps fit into the lesson. Steps that run in parallel or outside the lesson do not count. \
               A sum below the duration is allowed.",
    fields: &[
        Field { name: "durationMinutes", kind: FieldKind::Number },
        Field { name: "steps", kind: FieldKind::List },
    ],
    level: Level::Contradiction,
    has_fix: true,
    patterns: &[
        NamedPattern { name: "beside", text: step_minutes::BESIDE },
        NamedPattern { name: "later", text: step_minutes::LATER },
        NamedPattern { name: "first", text: step_minutes::FIRST },
        NamedPattern { name: "told", text: step_minutes::TOLD },
    ],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    let (Some(duration), Some(steps)) = (document.number("durationMinutes")?, document.list("steps")?) else {
        return Ok(Vec::new());
    };
    let most = duration.as_f64().unwrap_or(f64::INFINITY);
    // If the minutes of all steps fit into the duration, it does not matter which steps take lesson time.
    let all = steps.iter().filter_map(|step| step.get("minutes")?.as_f64()).filter(|minutes| *minutes > 0.0);
    if step_minutes::total(all) <= most {
        return Ok(Vec::new());
    }
    let plan = Plan::of(steps.iter().map(step));
    let sum = plan.lesson_minutes();
    if sum <= most {
        return Ok(Vec::new());
    }
    let beside = plan.steps_beside();
    let not_counted = match beside.as_slice() {
        [] => String::new(),
        [one] => format!(" Step {} does not count: it runs in parallel or outside the lesson.", one + 1),
        several => format!(" {} steps do not count: they run in parallel or outside the lesson.", several.len()),
    };
    let root = FieldPath::root();
    let minutes = |index: usize| root.child("steps").child(index.to_string()).child("minutes");
    let places = std::iter::once(root.child("durationMinutes")).chain(plan.lesson_steps().into_iter().map(minutes));
    let mut fixes = Vec::new();
    if sum.is_finite() {
        fixes.push(Fix::of_field("durationMinutes", whole_number(sum.ceil())));
    }
    if let Some(fitted) = plan.fitted_to(most.floor() as i64) {
        fixes.push(Fix::of_field("steps", with_minutes(steps, fitted)));
    }
    Ok(vec![RuleFinding {
        evidence: places.filter_map(|path| document.quoted(&path)).take(MAX_EVIDENCE).collect(),
        reason: format!("The steps take {sum} minutes, but the lesson lasts {}.{not_counted}", written(duration)),
        suggestion: Some(format!("Set the duration to {} minutes, or shorten the steps.", sum.ceil())),
        fixes,
        ..RuleFinding::default()
    }])
}

fn step(step: &Value) -> Step<'_> {
    Step {
        text: step.get("text").and_then(Value::as_str).unwrap_or_default(),
        minutes: step.get("minutes").and_then(Value::as_f64),
    }
}

/// Returns the steps with these minutes. Minutes that stay the same keep their notation, such as `5.0`.
fn with_minutes(steps: &[Value], minutes: Vec<Option<f64>>) -> Value {
    let changed = |(step, minutes): (&Value, Option<f64>)| {
        let mut step = step.clone();
        if let (Some(slot), Some(minutes)) = (step.get_mut("minutes"), minutes)
            && slot.as_f64() != Some(minutes)
        {
            *slot = whole_number(minutes);
        }
        step
    };
    steps.iter().zip(minutes).map(changed).collect()
}

fn whole_number(value: f64) -> Value {
    if value.abs() < 9e15 { Value::from(value as i64) } else { Value::from(value) }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/duration_sum.rs"]
mod tests;
