//! Labels of values in a document: "Step 3", "Material 2, quantity", "Group size".
//!
//! The words are the titles in the schema. For an element of a list, the label is the `title` of the list's `items` and
//! a number, counted from 1.

use serde_json::Value;

use super::path::{FieldPath, index};
use super::schema::Schema;

/// Maximum number of characters of a key that are used in a label, if the value has no title.
const MAX_KEY: usize = 40;

/// Maximum number of references (`$ref`) that are followed in a row. Without this limit, resolving a schema that refers
/// to itself would never end.
const MAX_REFERENCES: usize = 8;

/// Returns the label of the value at `path`, made of titles in the schema: "Material 2, quantity". If a list element
/// has only one required member, this member has the same label as the element: `steps.2.text` is "Step 3".
pub fn label(schema: &Schema, path: &FieldPath) -> String {
    let root = schema.document();
    let mut place = resolve(root, Some(root));
    let mut parts: Vec<String> = Vec::new();
    let mut in_element = false;
    for segment in path.segments() {
        let property = place.get("properties").and_then(|properties| properties.get(segment.as_ref()));
        let last = parts.last_mut();
        if let (None, Some(position), Some(last)) = (property, index(segment), last) {
            place = resolve(root, place.get("items"));
            match place.get("title").and_then(Value::as_str) {
                Some(title) if in_element => parts.push(format!("{} {}", inner(title), position + 1)),
                Some(title) => *last = format!("{title} {}", position + 1),
                None => *last = format!("{last} {}", position + 1),
            }
            in_element = true;
            continue;
        }
        let stands_for_element = in_element && is_only_required(place, segment);
        place = resolve(root, property);
        let title = place.get("title").and_then(Value::as_str).map_or_else(|| from_key(segment), str::to_owned);
        match parts.last_mut() {
            Some(_) if stands_for_element => {}
            // A title such as "Independent variable" already says that it belongs to the group "Variables".
            Some(group) if !in_element && repeats(&title, group) => *group = title,
            Some(_) => parts.push(inner(&title)),
            None => parts.push(title),
        }
        in_element = false;
    }
    parts.join(", ")
}

/// Returns the subschema for the value at `path`; `None` if the schema does not describe every key in the path.
pub fn described<'s>(schema: &'s Schema, path: &FieldPath) -> Option<&'s Value> {
    let root = schema.document();
    path.segments().iter().try_fold(resolve(root, Some(root)), |place, segment| {
        let property = place.get("properties").and_then(|properties| properties.get(segment.as_ref()));
        let is_known = property.is_some() || index(segment).is_some();
        is_known.then(|| resolve(root, property.or(place.get("items"))))
    })
}

/// Returns `schema`, or the schema to which its `$ref` leads. Returns null if `schema` is `None`.
pub(super) fn resolve<'s>(root: &'s Value, schema: Option<&'s Value>) -> &'s Value {
    let mut schema = schema.unwrap_or(&Value::Null);
    for _ in 0..MAX_REFERENCES {
        let target =
            schema.get("$ref").and_then(Value::as_str).and_then(|place| root.pointer(place.strip_prefix('#')?));
        let Some(target) = target else { break };
        schema = target;
    }
    schema
}

fn is_only_required(place: &Value, member: &str) -> bool {
    let required = place.get("required").and_then(Value::as_array).map(Vec::as_slice);
    matches!(required, Some([only]) if only == member)
}

/// Returns whether a title contains the title of its group, in the singular or plural.
fn repeats(title: &str, group: &str) -> bool {
    let group = group.to_lowercase();
    title.to_lowercase().contains(group.strip_suffix('s').unwrap_or(&group))
}

/// Returns a title for use inside a label: "Minutes" becomes "minutes"; "DNA" is unchanged.
fn inner(title: &str) -> String {
    let mut characters = title.chars();
    match characters.next() {
        Some(first) if !characters.clone().next().is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => title.to_owned(),
    }
}

/// Returns a key as words: `roomNumber` becomes "Room number".
pub(super) fn from_key(key: &str) -> String {
    let mut words = String::new();
    for character in key.chars().take(MAX_KEY) {
        match character {
            '_' | '-' => words.push(' '),
            upper if upper.is_uppercase() && words.ends_with(char::is_lowercase) => {
                words.push(' ');
                words.extend(upper.to_lowercase());
            }
            first if words.is_empty() => words.extend(first.to_uppercase()),
            other => words.push(other),
        }
    }
    words
}
