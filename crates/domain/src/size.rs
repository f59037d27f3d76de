//! Limits on what people write. Content that was imported, or stored under other limits, may be larger. Such content
//! stays readable. People may also change such content, as long as no limit is exceeded by more than before the change.

use std::fmt;

use serde_json::Value;

use super::content::{self, Content};
use super::path::FieldPath;

/// Maximum size of content that a person writes, as JSON, in bytes.
pub const MAX_CONTENT: usize = 256 * 1024;

/// Maximum number of leaves of content that a person writes. A leaf is a value that contains no other value, so an
/// empty list is a leaf as well.
pub const MAX_LEAVES: usize = 10_000;

/// Maximum nesting depth of content that a person writes. The content itself has depth 1.
pub const MAX_DEPTH: usize = 32;

/// Maximum number of entries of a list in a query or in a request about people and findings.
pub const MAX_LIST: usize = 100;

/// Maximum size of any stored content, as JSON, in bytes. Only an import can exceed [`MAX_CONTENT`]. A request body may
/// have this size too, so that a client can send large content back after a person has made it smaller.
pub const MAX_STORED: usize = 1024 * 1024;

/// Maximum nesting depth of any stored content and of a request body.
pub const MAX_STORED_DEPTH: usize = 64;

/// The limit that content exceeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SizeError {
    /// The content takes this many bytes, more than [`MAX_CONTENT`].
    Bytes(usize),
    /// The content has this many leaves, more than [`MAX_LEAVES`].
    Leaves(usize),
    /// The value at this path is nested deeper than [`MAX_DEPTH`].
    Depth(FieldPath),
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "would take {bytes} bytes; at most {MAX_CONTENT} are allowed"),
            Self::Leaves(leaves) => write!(f, "would have {leaves} values; at most {MAX_LEAVES} are allowed"),
            Self::Depth(_) => write!(f, "is nested deeper than {MAX_DEPTH} levels"),
        }
    }
}

/// Checks the size of content that a person writes in place of `before`, which is empty for a new investigation.
///
/// # Errors
/// The limit that `after` exceeds by more than `before` does.
pub fn check(before: &Content, after: &Content) -> Result<(), SizeError> {
    if let Some(bytes) = large(after).filter(|bytes| *bytes > bytes_of(before)) {
        return Err(SizeError::Bytes(bytes));
    }
    let leaves = leaves_of(after);
    if leaves > MAX_LEAVES && leaves > leaves_of(before) {
        return Err(SizeError::Leaves(leaves));
    }
    match below(after, MAX_DEPTH) {
        Some(_) => below(after, depth(before).max(MAX_DEPTH)).map_or(Ok(()), |path| Err(SizeError::Depth(path))),
        None => Ok(()),
    }
}

/// Returns the size of content as JSON, in bytes, if it exceeds [`MAX_CONTENT`].
fn large(content: &Content) -> Option<usize> {
    // In JSON, one byte becomes at most six, such as `\u001f`. Most content is so small that its exact size does not
    // matter.
    if 6 * content::bytes(content) < MAX_CONTENT {
        return None;
    }
    Some(bytes_of(content)).filter(|bytes| *bytes > MAX_CONTENT)
}

fn bytes_of(content: &Content) -> usize {
    serde_json::to_string(content).map_or(usize::MAX, |text| text.len())
}

fn leaves_of(content: &Content) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::Object(members) if !members.is_empty() => members.values().map(of).sum(),
            Value::Array(elements) if !elements.is_empty() => elements.iter().map(of).sum(),
            _ => 1,
        }
    }
    content.values().map(of).sum()
}

/// Returns the nesting depth of objects and arrays. The content itself counts as one level.
pub fn depth(content: &Content) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::Object(members) => 1 + members.values().map(of).max().unwrap_or(0),
            Value::Array(elements) => 1 + elements.iter().map(of).max().unwrap_or(0),
            _ => 0,
        }
    }
    1 + content.values().map(of).max().unwrap_or(0)
}

/// Returns the path of the first object or array at a depth of more than `levels`.
fn below(content: &Content, levels: usize) -> Option<FieldPath> {
    fn find(value: &Value, path: &mut FieldPath, left: usize) -> bool {
        if !value.is_object() && !value.is_array() {
            return false;
        }
        if left == 0 {
            return true;
        }
        let mut inside = |segment: &str, value: &Value| {
            path.push(segment);
            let found = find(value, path, left - 1);
            if !found {
                path.pop();
            }
            found
        };
        match value {
            Value::Object(members) => members.iter().any(|(key, member)| inside(key, member)),
            Value::Array(elements) => {
                elements.iter().enumerate().any(|(index, element)| inside(&index.to_string(), element))
            }
            _ => false,
        }
    }
    content.iter().find_map(|(field, value)| {
        let mut path = FieldPath::root().child(field.as_str());
        find(value, &mut path, levels.saturating_sub(1)).then_some(path)
    })
}
