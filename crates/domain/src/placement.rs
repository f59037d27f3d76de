//! Sorts a pasted text into fields as a language model proposes. Keeps only values that occur in the text, in the words
//! of the text. Also returns every sentence that is not completely in fields.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::content::{Content, is_system_field};
use super::label::described;
use super::pasted_text::{PastedText, Run};
use super::path::{FieldPath, index};
use super::schema::Schema;

/// Texts of at most this number of words, such as units, must share a line with the rest of their list element.
const MAX_SHORT: usize = 2;

/// Maximum number of words that are compared to find the places of all values. Values beyond it are not placed.
const MAX_WORK: usize = 20_000_000;

/// A pasted text that was sorted into fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Placed {
    /// Content that satisfies the schema. Each string and number in this content occurs in the pasted text.
    pub content: Content,
    /// Lines or sentences of the text that are not completely in fields, in order.
    pub unplaced: Vec<String>,
}

/// Sorts `text` into fields. Keeps only the values of `proposed` that occur in `text`. Each word and number is in at
/// most one value. `unplaced` omits a heading in `headings` if a word below or after it is in a field.
pub fn place(text: &str, proposed: Content, headings: &[String], schema: &Schema) -> Placed {
    let mut content: Content = proposed.into_iter().filter(|(field, _)| !is_system_field(field)).collect();
    let mut work = MAX_WORK;
    loop {
        let mut placing = Placing { text: PastedText::new(text, work), schema };
        content = placing.members(&FieldPath::root(), content).0;
        // Values that are removed give their words back, so everything else is placed again.
        if !remove_invalid(&mut content, schema) {
            return Placed { content, unplaced: placing.text.unplaced(headings, schema.document()) };
        }
        work = placing.text.work_left();
    }
}

/// Removes invalid values, each together with the list element or top-level field that contains it, until the content
/// satisfies the schema or is empty. Returns whether something was removed.
fn remove_invalid(content: &mut Content, schema: &Schema) -> bool {
    let mut is_changed = false;
    loop {
        let violations = schema.violations(content);
        if violations.is_empty() || content.is_empty() {
            return is_changed;
        }
        is_changed = true;
        let mut invalid: BTreeSet<(String, Option<usize>)> = BTreeSet::new();
        for violation in violations {
            let path = FieldPath::parse(&violation.path);
            let Some(field) = path.field().filter(|field| content.contains_key(*field)) else {
                // A required field is missing. Removing other fields would not help, so everything is removed.
                content.clear();
                return true;
            };
            invalid.insert((field.to_owned(), path.segments().get(1).and_then(|segment| index(segment))));
        }
        // Removes the last elements first, because removing one changes the places of those behind it.
        for (field, element) in invalid.into_iter().rev() {
            match (content.get_mut(&field), element) {
                (Some(Value::Array(elements)), Some(place)) if place < elements.len() && elements.len() > 1 => {
                    elements.remove(place);
                }
                _ => drop(content.shift_remove(&field)),
            }
        }
    }
}

struct Placing<'t> {
    text: PastedText<'t>,
    schema: &'t Schema,
}

impl Placing<'_> {
    /// Returns the part of a proposed value that occurs in the text, and the place that was found first. Short texts
    /// and numbers must share a line with `beside`, the place that was found first for the same object.
    fn value(&mut self, path: &FieldPath, value: Value, beside: Option<&Run>) -> Option<(Value, Run)> {
        match value {
            Value::Object(members) => {
                let (members, run) = self.members(path, members);
                Some((Value::Object(members), run?))
            }
            Value::Array(elements) => {
                let taken = elements.into_iter().map(|element| self.value(&path.child("0"), element, None));
                let (elements, runs): (Vec<_>, Vec<_>) = taken.flatten().unzip();
                Some((Value::Array(elements), runs.into_iter().next()?))
            }
            Value::Bool(_) | Value::Null => None,
            leaf => self.leaf(path, &leaf, beside),
        }
    }

    /// Finds the members of an object in the text: first lists and objects, then texts (the longest first), then
    /// numbers. Except at the root, short texts and numbers must share a line with the member that was found first.
    fn members(&mut self, path: &FieldPath, members: Content) -> (Content, Option<Run>) {
        let mut order: Vec<(usize, (String, Value))> = members.into_iter().enumerate().collect();
        order.sort_by_key(|(_, (_, value))| match value {
            Value::Array(_) | Value::Object(_) => (0, Reverse(0)),
            Value::String(text) => (1, Reverse(text.len())),
            _ => (2, Reverse(0)),
        });
        let (mut taken, mut anchor) = (Vec::new(), None);
        for (place, (key, member)) in order {
            let beside = anchor.clone().filter(|_| path.field().is_some());
            let Some((member, run)) = self.value(&path.child(key.as_str()), member, beside.as_ref()) else { continue };
            anchor = anchor.or(Some(run));
            taken.push((place, (key, member)));
        }
        taken.sort_by_key(|(place, _)| *place);
        (taken.into_iter().map(|(_, member)| member).collect(), anchor)
    }

    fn leaf(&mut self, path: &FieldPath, leaf: &Value, beside: Option<&Run>) -> Option<(Value, Run)> {
        let described = described(self.schema, path)?;
        let words = leaf.as_str().map_or_else(|| leaf.to_string(), str::to_owned);
        let wanted = PastedText::new(&words, 0);
        let number = leaf.as_number().cloned().or_else(|| wanted.number(&wanted.all()));
        let mut runs = number.as_ref().map_or_else(|| self.text.runs(&wanted), |number| self.text.numbers(number));
        let must_be_near = number.is_some() || wanted.all().len() <= MAX_SHORT;
        let run = match beside {
            Some(beside) => {
                let distance = |run: &Run| self.text.distance(run, beside);
                runs.retain(|run| !must_be_near || distance(run).is_some());
                runs.into_iter().min_by_key(|run| distance(run).unwrap_or(usize::MAX))
            }
            // The number of a list element that has no text belongs to nothing in the text.
            None if number.is_some() && path.segments().iter().any(|segment| index(segment).is_some()) => None,
            None if number.is_some() => runs.into_iter().min_by_key(|run| self.text.left_in_line(run)),
            None => runs.into_iter().next(),
        }?;
        let is_numeric = described.get("type").is_some_and(|kind| kind == "integer" || kind == "number");
        let value = match self.text.number(&run).filter(|_| number.is_some() && (leaf.is_number() || is_numeric)) {
            Some(number) => Value::Number(number),
            None => self.text.written(&run, &words).into(),
        };
        self.text.take(&run);
        Some((value, run))
    }
}
