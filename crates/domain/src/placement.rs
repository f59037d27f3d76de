//! Sorts a pasted text into fields as a language model proposes. Keeps only values that occur in the text. Also returns
//! the parts of the text that are in no field.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::content::{Content, is_system_field};
use super::label::is_described;
use super::path::FieldPath;
use super::schema::Schema;

/// Maximum length of a heading, in characters. A longer line counts as a sentence.
const MAX_HEADING: usize = 60;

/// A pasted text that was sorted into fields.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SplitResult)]
pub struct Placed {
    /// Content that satisfies the schema. Each string and number in this content occurs in the text.
    #[schema(value_type = Object)]
    pub content: Content,
    /// Parts of the text that are in no field, in order.
    pub unplaced: Vec<String>,
}

/// Keeps the values of `proposed` that occur in `text`, and returns the rest of the text as unplaced. A heading or
/// label in `headings` is not unplaced if text below or after it is in a field, unless the heading is a sentence.
pub fn place(text: &str, proposed: Content, headings: &[String], schema: &Schema) -> Placed {
    let content = proposed.into_iter().filter(|(field, _)| !is_system_field(field));
    let content = content.filter_map(|(field, value)| {
        let path = FieldPath::root().child(field.as_str());
        Some((field, taken(text, schema, &path, value)?))
    });
    let mut content: Content = content.collect();
    while let Some(violation) = schema.violations(&content).first() {
        remove(&mut content, &FieldPath::parse(&violation.path));
    }
    let mut marked = text.to_owned();
    mark(&mut marked, &Value::Object(content.clone()), 0);
    Placed { content, unplaced: unplaced(&marked, headings) }
}

/// Returns the parts of a proposed value that occur in the text, if the schema describes them; `None` if none remain.
fn taken(text: &str, schema: &Schema, path: &FieldPath, value: Value) -> Option<Value> {
    match value {
        Value::String(words) => {
            let place = occurrences(text, &words).next().filter(|_| is_described(schema, path))?;
            text.get(place).map(Value::from)
        }
        Value::Number(number) => {
            occurrences(text, &number.to_string()).next().filter(|_| is_described(schema, path))?;
            Some(Value::Number(number))
        }
        Value::Array(elements) => {
            let elements = elements.into_iter().filter_map(|element| taken(text, schema, &path.child("0"), element));
            Some(Value::Array(elements.collect())).filter(|elements| elements != &Value::Array(Vec::new()))
        }
        Value::Object(members) => {
            let members = members.into_iter().filter_map(|(key, member)| {
                let path = path.child(key.as_str());
                Some((key, taken(text, schema, &path, member)?))
            });
            let members: Content = members.collect();
            (!members.is_empty()).then_some(Value::Object(members))
        }
        Value::Bool(_) | Value::Null => None,
    }
}

/// Removes an invalid value together with the list element or top-level field that contains it.
fn remove(content: &mut Content, invalid: &FieldPath) {
    let Some(field) = invalid.field() else { return content.clear() };
    let element = invalid.segments().get(1).and_then(|segment| super::path::index(segment));
    match (content.get_mut(field), element) {
        (Some(Value::Array(elements)), Some(place)) if place < elements.len() && elements.len() > 1 => {
            elements.remove(place);
        }
        (Some(_), _) => drop(content.shift_remove(field)),
        // A required field is missing. Removing other fields would not help, so everything is removed.
        (None, _) => content.clear(),
    }
}

/// Returns the byte ranges at which `words` occur in a text, as whole words and with any white space between them.
fn occurrences<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let mut words = words.split_whitespace();
    let first = words.next().unwrap_or("\n");
    let is_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    text.match_indices(first).filter_map(move |(start, first)| {
        let mut end = start + first.len();
        for word in words.clone() {
            let rest = text.get(end..)?;
            let next = rest.trim_start();
            if next.len() == rest.len() || !next.starts_with(word) {
                return None;
            }
            end += rest.len() - next.len() + word.len();
        }
        let cuts = |at: usize| {
            let (before, after) = text.split_at_checked(at).unwrap_or_default();
            is_word(before.chars().next_back()) && is_word(after.chars().next())
        };
        (!cuts(start) && !cuts(end)).then_some(start..end)
    })
}

/// Characters that replace each byte of the pasted text that is in a field: first for strings, second for numbers.
const MARKS: [&str; 2] = ["\0", "\u{1}"];

/// Replaces the strings and numbers of `value` in `text` by [`MARKS`]. Each is replaced where it occurs nearest to
/// `near`, the end of the previous one. Numbers of an object come last, so that each is found beside the object's
/// strings. Returns the end of the last replacement.
fn mark(text: &mut String, value: &Value, near: usize) -> usize {
    match value {
        Value::Array(elements) => elements.iter().fold(near, |near, element| mark(text, element, near)),
        Value::Object(members) => {
            let (numbers, others): (Vec<_>, Vec<_>) = members.values().partition(|member| member.is_number());
            others.into_iter().chain(numbers).fold(near, |near, member| mark(text, member, near))
        }
        leaf => {
            let words = leaf.as_str().map_or_else(|| leaf.to_string(), str::to_owned);
            let nearest = occurrences(text, &words).min_by_key(|place| place.start.abs_diff(near));
            let Some(place) = nearest else { return near };
            let end = place.end;
            text.replace_range(place.clone(), &MARKS[usize::from(leaf.is_number())].repeat(place.len()));
            end
        }
    }
}

/// Returns the parts of a marked text that are not marked, in order. Leaves out headings of marked text, the number of
/// a list entry (`1.`), and a single word beside a marked number (`min`).
fn unplaced(marked: &str, headings: &[String]) -> Vec<String> {
    let headings: Vec<&str> = headings.iter().map(|heading| bare(heading)).collect();
    let is_sentence = |line: &str| line.chars().count() > MAX_HEADING || line.trim_end().ends_with(['.', '!', '?']);
    let is_heading = |line: &str| !is_sentence(line) && headings.contains(&bare(line));
    let is_word = |character: char| character.is_alphanumeric();
    let [text, number] = MARKS;
    let (mut unplaced, mut placed_below) = (Vec::new(), false);
    for line in marked.lines().rev() {
        let is_open = !line.contains(text) && !line.contains(number);
        let heads_placed = is_open && placed_below && is_heading(line);
        if is_open && !line.contains(is_word) || heads_placed {
            continue;
        }
        placed_below = !is_open;
        for part in line.rsplit(text) {
            for piece in part.rsplit(number).filter(|piece| piece.contains(is_word)) {
                let mut words = piece.split(|character| !is_word(character)).filter(|word| !word.is_empty());
                let word = words.next().filter(|_| words.next().is_none());
                // The number before a list entry, such as "1.".
                let is_mark = |word: &str| word.parse::<u8>().is_ok() && piece.trim_end().ends_with(['.', ')', ':']);
                let is_label = line.starts_with(piece) && (is_heading(piece) || word.is_some_and(is_mark));
                let is_glue = is_label || word.is_some() && part.contains(number);
                if is_open || !is_glue {
                    let piece = piece.trim_start_matches(['.', ',', ';', ')', ' ']);
                    unplaced.push(piece.trim_end_matches(['(', ' ']).trim());
                }
            }
        }
    }
    unplaced.into_iter().rev().map(str::to_owned).collect()
}

/// Returns a heading without Markdown around it: `## Steps:` becomes `Steps`.
fn bare(heading: &str) -> &str {
    heading.trim_matches(|character: char| character.is_whitespace() || "#*_:-".contains(character))
}
