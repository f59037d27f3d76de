//! References of a content to pictures, such as in the fields `pictures` and `steps`. The bytes are stored beside it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::content::Content;

/// Maximum number of pictures that an investigation holds.
pub const MAX_PICTURES: u64 = 200;

/// Number of hexadecimal digits of an id: those of a SHA-256.
const DIGITS: usize = 64;

/// A place of a content that shows a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference<'c> {
    /// The path of the id, such as `steps.2.picture.id`.
    pub path: String,
    /// The id of the picture.
    pub id: &'c str,
}

/// Returns whether a text has the form of the id of a picture: 64 lower-case hexadecimal digits.
pub fn is_id(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns all references of a content, in their order: objects with an `id` and the text `alt`, in any field. Ids of another
/// form are left to the schema.
pub fn references(content: &Content) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    for (field, value) in content {
        collect(field, value, &mut found);
    }
    found
}

fn collect<'c>(path: &str, value: &'c Value, found: &mut Vec<Reference<'c>>) {
    match value {
        Value::Array(elements) => {
            for (place, element) in elements.iter().enumerate().filter(|(_, element)| !element.is_string()) {
                collect(&format!("{path}.{place}"), element, found);
            }
        }
        Value::Object(members) => {
            let id = members.get("id").and_then(Value::as_str).filter(|id| is_id(id));
            if let Some(id) = id.filter(|_| members.get("alt").is_some_and(Value::is_string)) {
                found.push(Reference { path: format!("{path}.id"), id });
            }
            for (name, member) in members.iter().filter(|(_, member)| member.is_array() || member.is_object()) {
                collect(&format!("{path}.{name}"), member, found);
            }
        }
        _ => {}
    }
}

/// Returns the references of the content `after` to pictures that the content `before` does not show.
pub fn introduced<'c>(before: &Content, after: &'c Content) -> Vec<Reference<'c>> {
    let known: BTreeSet<&str> = references(before).into_iter().map(|reference| reference.id).collect();
    references(after).into_iter().filter(|reference| !known.contains(reference.id)).collect()
}

/// Returns the ids that some references name, each once.
pub fn ids(references: &[Reference<'_>]) -> Vec<String> {
    let ids: BTreeSet<&str> = references.iter().map(|reference| reference.id).collect();
    ids.into_iter().map(str::to_owned).collect()
}
