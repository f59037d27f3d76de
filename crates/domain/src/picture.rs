//! References of a content to pictures, in the fields `pictures` and `steps`. The bytes are stored beside the content.

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

/// Returns all references of a content, in their order. Texts that are no ids are left to the schema.
pub fn references(content: &Content) -> Vec<Reference<'_>> {
    let items = |field: &str| content.get(field).and_then(Value::as_array).into_iter().flatten().enumerate();
    let listed = items("pictures").filter_map(|(n, picture)| at(format!("pictures.{n}.id"), picture));
    let of_steps = items("steps").filter_map(|(n, step)| at(format!("steps.{n}.picture.id"), step.get("picture")?));
    listed.chain(of_steps).collect()
}

fn at(path: String, picture: &Value) -> Option<Reference<'_>> {
    let id = picture.get("id")?.as_str().filter(|id| is_id(id))?;
    Some(Reference { path, id })
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
