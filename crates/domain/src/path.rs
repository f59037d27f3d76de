//! Paths of values in a document.
//!
//! A path is written with dots (`steps.2.text`). A backslash escapes a dot or a backslash inside a key, so that parsing
//! a written path returns the same path. The only exception is the path of a single empty key, which is written like
//! the root.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The keys and array indexes from the root of the document to a value. Indexes are decimal numbers, counted from 0.
///
/// Paths share their segments, so that the paths of many leaves below a long key do not copy the key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldPath(Vec<Arc<str>>);

impl FieldPath {
    /// Returns the path of the whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// Parses a path that is written with dots. Every text is a valid path. The empty text is the root.
    pub fn parse(dotted: &str) -> Self {
        if dotted.is_empty() {
            return Self::root();
        }
        let mut segments: Vec<Arc<str>> = Vec::new();
        let mut segment = String::new();
        let mut characters = dotted.chars();
        while let Some(character) = characters.next() {
            match character {
                '.' => segments.push(std::mem::take(&mut segment).into()),
                '\\' => segment.push(characters.next().unwrap_or('\\')),
                other => segment.push(other),
            }
        }
        segments.push(segment.into());
        Self(segments)
    }

    /// Returns the keys and indexes, outermost first.
    pub fn segments(&self) -> &[Arc<str>] {
        &self.0
    }

    /// Returns the name of the top-level field that contains the value; `None` for the root.
    pub fn field(&self) -> Option<&str> {
        self.0.first().map(AsRef::as_ref)
    }

    /// Returns this path with one more segment.
    pub fn child(&self, segment: impl Into<Arc<str>>) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment.into());
        Self(segments)
    }

    /// Appends a segment to this path.
    pub fn push(&mut self, segment: impl Into<Arc<str>>) {
        self.0.push(segment.into());
    }

    /// Removes the last segment.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Returns the total size of the segments, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|segment| segment.len()).sum()
    }

    /// Returns whether this path is equal to `other` or is the path of a value that contains the value at `other`.
    pub fn is_prefix_of(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }

    /// Returns the value at this path in `document`; `None` if there is none.
    pub fn get<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(document, |value, segment| step(value, segment))
    }

    /// Works like [`Self::get`], for a document given by its top-level members. Returns `None` for the root.
    pub fn get_in<'v>(&self, document: &'v Map<String, Value>) -> Option<&'v Value> {
        let (field, rest) = self.0.split_first()?;
        rest.iter().try_fold(document.get(field.as_ref())?, |value, segment| step(value, segment))
    }
}

/// Returns the member or the element `segment` of a value; `None` if there is none.
pub fn step<'v>(value: &'v Value, segment: &str) -> Option<&'v Value> {
    match value {
        Value::Object(object) => object.get(segment),
        Value::Array(array) => index(segment).and_then(|i| array.get(i)),
        _ => None,
    }
}

/// Parses an array index: a decimal number without a sign or leading zeros. Returns `None` for any other text.
pub fn index(segment: &str) -> Option<usize> {
    let canonical = segment == "0" || (!segment.starts_with(['0', '+']));
    if canonical { segment.parse().ok() } else { None }
}

impl From<Vec<Arc<str>>> for FieldPath {
    fn from(segments: Vec<Arc<str>>) -> Self {
        Self(segments)
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str(".")?;
            }
            if segment.contains(['.', '\\']) {
                f.write_str(&segment.replace('\\', "\\\\").replace('.', "\\."))?;
            } else {
                f.write_str(segment)?;
            }
        }
        Ok(())
    }
}
