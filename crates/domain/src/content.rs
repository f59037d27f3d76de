//! The content of an investigation: everything that the author wrote, without the system fields of the service.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::ser::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::finding::Finding;
use super::path::FieldPath;

/// Content fields by name, in the author's order.
pub type Content = Map<String, Value>;

/// Content as it is stored: one JSON text for each field. A text is parsed only on request.
#[derive(Debug, Clone, Default)]
pub struct RawContent(Vec<(String, Box<RawValue>)>);

/// Content that can be written to a response: [`Content`], which is parsed, or [`RawContent`], which is JSON text.
pub trait ContentFields {
    /// Value of a field.
    type Value: Serialize;

    /// Findings in the content: parsed for [`Content`], and JSON text for [`RawContent`].
    type Findings: fmt::Debug + Serialize + DeserializeOwned;

    /// Returns the name and the value of each field, in order.
    fn fields(&self) -> impl Iterator<Item = (&String, &Self::Value)>;

    /// Returns the approximate size of the content as JSON, in bytes.
    fn bytes(&self) -> usize;
}

impl ContentFields for Content {
    type Value = Value;
    type Findings = Vec<Finding>;

    fn fields(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.iter()
    }

    fn bytes(&self) -> usize {
        bytes(self)
    }
}

impl ContentFields for RawContent {
    type Value = Box<RawValue>;
    type Findings = Box<RawValue>;

    fn fields(&self) -> impl Iterator<Item = (&String, &Box<RawValue>)> {
        self.0.iter().map(|(field, text)| (field, text))
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|(field, text)| field.len() + text.get().len()).sum()
    }
}

impl RawContent {
    /// Returns the approximate memory of the content once it is parsed, in bytes.
    pub fn memory(&self) -> usize {
        self.0.iter().map(|(field, text)| field.len() + memory_of_text(text.get().as_bytes())).sum()
    }

    /// Parses only the fields named in `fields`.
    pub fn read(&self, fields: &[&str]) -> Result<Content, serde_json::Error> {
        let wanted = self.0.iter().filter(|(field, _)| fields.contains(&field.as_str()));
        wanted.map(|(field, text)| Ok((field.clone(), serde_json::from_str(text.get())?))).collect()
    }

    /// Parses the whole content.
    pub fn parse(&self) -> Result<Content, serde_json::Error> {
        self.0.iter().map(|(field, text)| Ok((field.clone(), serde_json::from_str(text.get())?))).collect()
    }
}

impl<'de> Deserialize<'de> for RawContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = RawContent;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<RawContent, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = access.next_entry()? {
                    fields.push(field);
                }
                // Frees unused capacity, because a cache may keep the fields for a long time.
                fields.shrink_to_fit();
                Ok(RawContent(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// Returns the approximate size of the content as JSON, in bytes.
pub fn bytes(content: &Content) -> usize {
    content.iter().map(|(key, value)| key.len() + 4 + bytes_of(value)).sum()
}

/// Returns the approximate size of a value as JSON, in bytes.
pub fn bytes_of(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(elements) => 2 + elements.iter().map(|element| bytes_of(element) + 1).sum::<usize>(),
        Value::Object(members) => 2 + bytes(members),
    }
}

/// Memory of a value in addition to its text, in bytes: the value itself, its key, and the unused capacity of their
/// containers.
const MEMORY_OF_VALUE: usize = 240;

/// Returns the approximate memory that content takes, in bytes. For many short values, the result is far higher than
/// [`bytes`].
pub fn memory(content: &Content) -> usize {
    content.iter().map(|(key, value)| key.len() + memory_of(value)).sum()
}

fn memory_of(value: &Value) -> usize {
    let held = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(elements) => elements.iter().map(memory_of).sum(),
        Value::Object(members) => memory(members),
    };
    MEMORY_OF_VALUE + held
}

/// Returns the approximate memory of a JSON text once it is parsed, in bytes. Estimates the number of values from the
/// commas and the opening brackets. These characters count inside strings as well, so the result may be too high.
pub fn memory_of_text(json: &[u8]) -> usize {
    // Counts the characters in parts of 255 bytes. The count of such a part fits into a `u8`, and the processor can add
    // many numbers of this type at once.
    let part = |part: &[u8]| part.iter().map(|byte| u8::from(matches!(byte, b',' | b'[' | b'{'))).sum::<u8>();
    let values = 1 + json.chunks(255).map(|bytes| usize::from(part(bytes))).sum::<usize>();
    MEMORY_OF_VALUE * values + json.len()
}

/// Names of the system fields in responses. Content fields cannot have these names.
pub const SYSTEM_FIELDS: [&str; 16] = [
    "_id",
    "status",
    "author",
    "editors",
    "metadata",
    "lastChangeWithAI",
    "contradictions",
    "hints",
    "dismissed",
    "contradictionsIncomplete",
    "contradictionsPending",
    "version",
    "revision",
    "clonedFrom",
    "createdAt",
    "updatedAt",
];

/// Returns whether `name` is a system field.
pub fn is_system_field(name: &str) -> bool {
    SYSTEM_FIELDS.contains(&name)
}

/// Returns whether a value is blank: null, an empty array or object, or a string that is empty or only white space.
pub fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Calls `visit` with the path and value of every string, number and boolean in some fields, in order. Skips nulls.
pub fn for_each_leaf<'c>(
    fields: impl IntoIterator<Item = (&'c String, &'c Value)>,
    visit: &mut impl FnMut(&FieldPath, &'c Value),
) {
    fn walk<'c>(path: &mut FieldPath, value: &'c Value, visit: &mut impl FnMut(&FieldPath, &'c Value)) {
        match value {
            Value::Object(members) => members.iter().for_each(|(key, member)| below(path, key.as_str(), member, visit)),
            Value::Array(elements) => {
                elements.iter().enumerate().for_each(|(index, element)| below(path, index.to_string(), element, visit))
            }
            Value::Null => {}
            leaf => visit(path, leaf),
        }
    }
    fn below<'c>(
        path: &mut FieldPath,
        segment: impl Into<Arc<str>>,
        value: &'c Value,
        visit: &mut impl FnMut(&FieldPath, &'c Value),
    ) {
        path.push(segment);
        walk(path, value, visit);
        path.pop();
    }
    let mut path = FieldPath::root();
    fields.into_iter().for_each(|(field, value)| below(&mut path, field.as_str(), value, visit));
}
