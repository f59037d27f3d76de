//! The content of an investigation: everything the author wrote, without what the service keeps beside it.

use serde_json::{Map, Value};

use super::path::FieldPath;

/// Content fields by name, in the order in which the author gave them.
pub type Content = Map<String, Value>;

/// The fields that the service keeps; no content field bears one of these names.
pub const SYSTEM_FIELDS: [&str; 12] = [
    "_id",
    "status",
    "author",
    "metadata",
    "lastChangeWithAI",
    "contradictions",
    "hints",
    "version",
    "revision",
    "clonedFrom",
    "createdAt",
    "updatedAt",
];

/// Whether `name` is kept by the service and so is no content.
pub fn is_system_field(name: &str) -> bool {
    SYSTEM_FIELDS.contains(&name)
}

/// Blank is an empty or white string, an empty array or object, or null.
pub fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Calls `visit` with every string, number and boolean of the content and its path, in reading order.
pub fn for_each_leaf<'c>(content: &'c Content, visit: &mut impl FnMut(&FieldPath, &'c Value)) {
    fn walk<'c>(path: &FieldPath, value: &'c Value, visit: &mut impl FnMut(&FieldPath, &'c Value)) {
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(key, member)| walk(&path.child(key.as_str()), member, visit))
            }
            Value::Array(elements) => {
                elements
                    .iter()
                    .enumerate()
                    .for_each(|(index, element)| walk(&path.child(index.to_string()), element, visit));
            }
            Value::Null => {}
            leaf => visit(path, leaf),
        }
    }
    content.iter().for_each(|(field, value)| walk(&FieldPath::root().child(field.as_str()), value, visit));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn blank_is_what_says_nothing() {
        for blank in [json!(null), json!(""), json!(" \t\n\u{a0}"), json!([]), json!({})] {
            assert!(is_blank(&blank), "{blank}");
        }
        for said in [json!("x"), json!(0), json!(false), json!([""]), json!({"a":null})] {
            assert!(!is_blank(&said), "{said}");
        }
    }
}
