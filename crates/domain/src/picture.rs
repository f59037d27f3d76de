//! References to pictures in the content of investigations, for example in the fields `pictures` and `steps`. The bytes
//! of pictures are stored separately.

use std::collections::BTreeSet;

use serde_json::Value;

use super::content::Content;
use super::hex;
use super::path::FieldPath;

/// Maximum number of pictures that an investigation holds.
pub const MAX_PICTURES: u64 = 200;

/// Maximum size of all pictures that an investigation holds, in bytes. A clone copies them in one write.
pub const MAX_PICTURE_BYTES: u64 = 32 * 1024 * 1024;

/// A reference to a picture in the content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference<'c> {
    /// The path of the id, such as `steps.2.picture.id`.
    pub path: String,
    /// The id of the picture.
    pub id: &'c str,
}

/// Returns whether a text has the form of the id of a picture, which is a SHA-256: 64 lower-case hexadecimal digits.
pub fn is_id(text: &str) -> bool {
    hex::is_sha256(text)
}

/// Returns all references to pictures in `content`, in any field, in the order in which they occur. A reference is an
/// object with an `id` and the text `alt`. Malformed ids are left to schema validation.
pub fn references(content: &Content) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    for (field, value) in content {
        collect(&mut FieldPath::root().child(field.as_str()), value, &mut found);
    }
    found
}

fn collect<'c>(path: &mut FieldPath, value: &'c Value, found: &mut Vec<Reference<'c>>) {
    if let Some(id) = id_in(value) {
        found.push(Reference { path: path.child("id").to_string(), id });
    }
    let mut collect_at = |segment: &str, part: &'c Value| {
        if part.is_array() || part.is_object() {
            path.push(segment);
            collect(path, part, found);
            path.pop();
        }
    };
    match value {
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(place, element)| collect_at(&place.to_string(), element));
        }
        Value::Object(members) => members.iter().for_each(|(name, member)| collect_at(name, member)),
        _ => {}
    }
}

/// Returns the id of the picture that an object refers to; `None` if the value is not a picture reference.
fn id_in(value: &Value) -> Option<&str> {
    let id = value.get("id")?.as_str().filter(|id| is_id(id))?;
    value.get("alt")?.is_string().then_some(id)
}

/// Returns the references of the content `after` to pictures that the content `before` does not show.
pub fn introduced<'c>(before: &Content, after: &'c Content) -> Vec<Reference<'c>> {
    let mut introduced = references(after);
    if !introduced.is_empty() {
        let known: BTreeSet<&str> = references(before).into_iter().map(|reference| reference.id).collect();
        introduced.retain(|reference| !known.contains(reference.id));
    }
    introduced
}

/// Returns the ids in these references, without duplicates.
pub fn ids(references: &[Reference<'_>]) -> Vec<String> {
    let ids: BTreeSet<&str> = references.iter().map(|reference| reference.id).collect();
    ids.into_iter().map(str::to_owned).collect()
}
