//! Describes edits in sentences that use field labels: "Changed Duration in minutes from 30 to 45."
//!
//! List elements are aligned first, so that removing an element from the middle is described as one removal.

use serde_json::{Map, Value};

use crate::domain::change::same;
use crate::domain::content::Content;
use crate::domain::finding::Finding;
use crate::domain::label::label;
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;

/// Maximum number of edits that a message describes in full. The message only names the fields of further edits.
const MAX_EDITS: usize = 20;

/// Maximum number of reasons that a message gives in full. Further reasons are only counted.
const MAX_REASONS: usize = 5;

/// Maximum length of a value in a message, in characters. Longer values are cut off.
const MAX_VALUE: usize = 300;

/// Maximum number of element pairs that are compared to align two lists. Larger lists are compared index by index.
const MAX_PAIRS: usize = 40_000;

/// One difference between two versions of a document. A list index in its path is a position in the list before the
/// edit. Only the index of an added element is a position in the list after the edit.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference<'v> {
    Changed(FieldPath, &'v Value, &'v Value),
    Removed(FieldPath, &'v Value),
    Added(FieldPath, &'v Value),
}

impl Difference<'_> {
    pub fn path(&self) -> &FieldPath {
        match self {
            Self::Changed(path, ..) | Self::Removed(path, _) | Self::Added(path, _) => path,
        }
    }

    fn sentence(&self, schema: &Schema) -> String {
        let name = label(schema, self.path());
        let value = |value| shown(schema, self.path(), value);
        let sentence = match self {
            Self::Changed(_, before, after) => format!("Changed {name} from {} to {}", value(before), value(after)),
            Self::Removed(_, before) => format!("Removed {name}: {}", value(before)),
            Self::Added(_, after) => format!("Added {name}: {}", value(after)),
        };
        if [".\"", "!\"", "?\""].iter().any(|end| sentence.ends_with(end)) { sentence } else { sentence + "." }
    }
}

/// Returns a message for the author: each edit, the reasons of the `fixed` findings, and the findings that are `left`.
pub fn message(schema: &Schema, before: &Content, after: &Content, fixed: &[Finding], left: &[Finding]) -> String {
    let differences = differences(before, after);
    let mut sentences: Vec<String> = differences.iter().take(MAX_EDITS).map(|it| it.sentence(schema)).collect();
    if let Some(more) = differences.get(MAX_EDITS..).filter(|more| !more.is_empty()) {
        let mut fields: Vec<String> =
            more.iter().filter_map(|it| it.path().field()).map(|f| named(schema, f)).collect();
        fields.dedup();
        sentences.push(format!("And {} more changes in {}.", more.len(), fields.join(", ")));
    }
    sentences.extend(reasons(fixed));
    sentences.extend(still_open(left));
    sentences.join(" ")
}

/// Returns a sentence with the reasons of findings that could not be resolved, or `None` if `left` is empty.
pub fn still_open(left: &[Finding]) -> Option<String> {
    reasons(left).map(|reasons| format!("Could not be resolved: {reasons}"))
}

/// Returns the reasons of findings without duplicates, or `None` if `findings` is empty. Counts the reasons after the
/// first `MAX_REASONS` instead of giving them.
pub fn reasons(findings: &[Finding]) -> Option<String> {
    let mut reasons: Vec<&str> = Vec::new();
    findings.iter().for_each(|finding| {
        if !reasons.contains(&finding.reason.as_str()) {
            reasons.push(&finding.reason);
        }
    });
    let ended = |reason: &&str| match reason.trim_end() {
        open if open.ends_with(char::is_alphanumeric) => format!("{open}."),
        sentence => sentence.to_owned(),
    };
    let text = reasons.iter().take(MAX_REASONS).map(ended).collect::<Vec<_>>().join(" ");
    let more = reasons.len().saturating_sub(MAX_REASONS);
    (!text.is_empty()).then(|| if more == 0 { text } else { format!("{text} And {more} more like this.") })
}

pub fn named(schema: &Schema, field: &str) -> String {
    label(schema, &FieldPath::root().child(field))
}

/// Formats a value for authors: texts in quotation marks, members of an object with their labels.
fn shown(schema: &Schema, path: &FieldPath, value: &Value) -> String {
    let text = match value {
        Value::String(text) => return format!("\"{}\"", shortened(text)),
        Value::Null => "nothing".to_owned(),
        Value::Array(elements) if !elements.is_empty() => {
            let at = |(index, element)| shown(schema, &path.child(format!("{index}")), element);
            elements.iter().enumerate().map(at).collect::<Vec<_>>().join("; ")
        }
        Value::Object(members) if !members.is_empty() => {
            let own = label(schema, path);
            let member = |(key, member): (&String, &Value)| {
                let (place, text) = (path.child(key.as_str()), shown(schema, &path.child(key.as_str()), member));
                let name = label(schema, &place);
                let name = name.strip_prefix(&own).map_or(name.as_str(), |name| name.trim_start_matches(", "));
                if name.is_empty() { text } else { format!("{name} {text}") }
            };
            members.iter().map(member).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    };
    shortened(&text)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

pub fn differences<'v>(before: &'v Content, after: &'v Content) -> Vec<Difference<'v>> {
    let mut differences = Vec::new();
    members(&FieldPath::root(), before, after, &mut differences);
    differences
}

fn compare<'v>(path: FieldPath, before: &'v Value, after: &'v Value, found: &mut Vec<Difference<'v>>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => members(&path, before, after, found),
        (Value::Array(before), Value::Array(after)) => elements(&path, before, after, found),
        _ if same(before, after) => {}
        _ => found.push(Difference::Changed(path, before, after)),
    }
}

fn members<'v>(
    path: &FieldPath,
    before: &'v Map<String, Value>,
    after: &'v Map<String, Value>,
    found: &mut Vec<Difference<'v>>,
) {
    for (key, old) in before {
        match after.get(key) {
            Some(new) => compare(path.child(key.as_str()), old, new, found),
            None => found.push(Difference::Removed(path.child(key.as_str()), old)),
        }
    }
    let added = after.iter().filter(|(key, _)| !before.contains_key(*key));
    found.extend(added.map(|(key, new)| Difference::Added(path.child(key.as_str()), new)));
}

fn elements<'v>(path: &FieldPath, before: &'v [Value], after: &'v [Value], found: &mut Vec<Difference<'v>>) {
    let alike = |(one, other): &(&Value, &Value)| same(one, other);
    let start = before.iter().zip(after).take_while(alike).count();
    let (old, new) = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let end = old.iter().rev().zip(new.iter().rev()).take_while(alike).count();
    let (old, new) = (old.get(..old.len() - end).unwrap_or_default(), new.get(..new.len() - end).unwrap_or_default());
    let at = |index: usize| path.child((start + index).to_string());
    let (mut i, mut j) = (0, 0);
    for (paired_old, paired_new) in aligned(old, new).into_iter().chain([(old.len(), new.len())]) {
        let removed = old.iter().enumerate().take(paired_old).skip(i);
        found.extend(removed.map(|(index, value)| Difference::Removed(at(index), value)));
        let added = new.iter().enumerate().take(paired_new).skip(j);
        found.extend(added.map(|(index, value)| Difference::Added(at(index), value)));
        if let (Some(one), Some(other)) = (old.get(paired_old), new.get(paired_new)) {
            compare(at(paired_old), one, other, found);
        }
        (i, j) = (paired_old + 1, paired_new + 1);
    }
}

/// Pairs the elements of two lists so that the sum of similarities is highest. Returns pairs of indexes, in ascending
/// order. Pairs equal indexes if the lists are too long to compare.
fn aligned(old: &[Value], new: &[Value]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MAX_PAIRS {
        return (0..old.len().min(new.len())).map(|index| (index, index)).collect();
    }
    let width = new.len() + 1;
    // Highest total similarity of the remaining elements, for each pair of start positions in the two lists.
    let mut best = vec![0_u32; (old.len() + 1) * width];
    let sum = |best: &[u32], i: usize, j: usize| best.get(i * width + j).copied().unwrap_or_default();
    let likenesses: Vec<u32> = old.iter().flat_map(|one| new.iter().map(|other| similarity(one, other))).collect();
    let alike = |i: usize, j: usize| likenesses.get(i * new.len() + j).copied().unwrap_or_default();
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let paired = sum(&best, i + 1, j + 1) + alike(i, j);
            let most = paired.max(sum(&best, i + 1, j)).max(sum(&best, i, j + 1));
            if let Some(slot) = best.get_mut(i * width + j) {
                *slot = most;
            }
        }
    }
    let (mut pairs, mut i, mut j) = (Vec::new(), 0, 0);
    while i < old.len() && j < new.len() {
        if sum(&best, i, j) == sum(&best, i + 1, j + 1) + alike(i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if sum(&best, i, j) == sum(&best, i + 1, j) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Returns the similarity of two elements: 4 if they are equal, 3 if one is probably an edited version of the other,
/// and otherwise 1.
fn similarity(one: &Value, other: &Value) -> u32 {
    let is_edited = match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.iter().any(|(key, value)| value.is_string() && other.get(key) == Some(value))
        }
        (Value::String(one), Value::String(other)) => {
            let (shared, words) =
                (one.split_whitespace().filter(|word| other.contains(word)).count(), one.split_whitespace().count());
            shared * 2 >= words
        }
        _ => false,
    };
    if same(one, other) { 4 } else { 1 + 2 * u32::from(is_edited) }
}
