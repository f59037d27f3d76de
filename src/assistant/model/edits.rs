//! The edits of a proposal: checked one by one, and applied to a copy, which is taken whole or not at all.
//!
//! What no edit names stays as it is, to the byte; in what one names, keys keep their order and numbers their writing.

use serde::Deserialize;
use serde_json::Value;

use super::question::beginning;
use crate::assistant::edit::{in_form_of, slot};
use crate::domain::content::{Content, is_system_field};
use crate::domain::json;
use crate::domain::path::{FieldPath, index};
use crate::domain::request::content_fault;
use crate::domain::schema::Schema;

/// So many edits are taken at once.
pub const MAX_EDITS: usize = 500;

/// A new value for a place.
#[derive(Debug, Clone, Deserialize)]
pub struct Told {
    /// Where, dotted.
    pub path: String,
    /// The whole new value; null takes a key away.
    pub value: Value,
}

/// Applies `edits` to a copy of `content`. Only top-level fields that `may` be edited are.
///
/// # Errors
/// Which edit cannot be made, and why, as a sentence.
pub fn apply(
    content: &Content,
    schema: &Schema,
    edits: Vec<Told>,
    may: impl Fn(&str) -> Result<(), &'static str>,
) -> Result<Content, String> {
    if edits.len() > MAX_EDITS {
        return Err(format!("There are more than {MAX_EDITS} edits."));
    }
    let mut copy = content.clone();
    for Told { path, value } in edits {
        let refused = |reason: &str| format!("The edit of \"{}\" {reason}.", beginning(&path, 200));
        let place = FieldPath::parse(&path);
        let field = place.field().ok_or_else(|| refused("names no field"))?;
        if is_system_field(field) {
            return Err(refused("names a field that the service keeps"));
        }
        may(field).map_err(refused)?;
        let known = content.contains_key(field) || schema.document().pointer(&pointer(field)).is_some();
        if !known {
            return Err(refused("names a field that is neither in the plan nor in its schema"));
        }
        set(&mut copy, &place, value).map_err(refused)?;
    }
    // Each value was read with care; together with its path it may still be more than can be kept.
    let text = Value::Object(copy.clone()).to_string();
    json::parse(text.as_bytes())
        .map_err(|refusal| format!("The value at \"{}\" {}.", refusal.path, refusal.problem))?;
    if content_fault(&copy).is_some() {
        return Err("The plan would be too large.".to_owned());
    }
    Ok(copy)
}

fn pointer(field: &str) -> String {
    format!("/properties/{}", field.replace('~', "~0").replace('/', "~1"))
}

fn set(content: &mut Content, place: &FieldPath, value: Value) -> Result<(), &'static str> {
    if let Some(old) = slot(content, place).filter(|_| !value.is_null()) {
        *old = in_form_of(Some(old), value);
        return Ok(());
    }
    let Some((key, holder)) = place.segments().split_last() else { return Err("names no field") };
    if holder.is_empty() {
        return set_key(content, key, value);
    }
    match slot(content, &FieldPath::from(holder.to_vec())) {
        Some(Value::Object(members)) => set_key(members, key, value),
        Some(Value::Array(elements)) if index(key) == Some(elements.len()) && !value.is_null() => {
            elements.push(value);
            Ok(())
        }
        Some(Value::Array(_)) => Err("names an element that is not there, or takes one away; give the whole array"),
        _ => Err("names a place that is not there"),
    }
}

fn set_key(members: &mut Content, key: &str, value: Value) -> Result<(), &'static str> {
    if value.is_null() {
        members.shift_remove(key).map(|_| ()).ok_or("takes away what is not there")
    } else {
        members.insert(key.to_owned(), value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::schema::BUILT_IN;
    use serde_json::json;

    fn applied(edits: Value) -> Result<String, String> {
        let content = json!({
            "title": "Cress", "durationMinutes": 40.0, "extra": {"b": 1, "a": [1.10, null]},
            "steps": [{"text": "Sow", "minutes": 5}]
        });
        let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
        let edits = serde_json::from_value(edits).expect("edits");
        let may = |field: &str| if field == "title" { Err("names a field that must stay") } else { Ok(()) };
        let content = content.as_object().expect("an object");
        apply(content, &schema, edits, may).map(|content| Value::Object(content).to_string())
    }

    #[test]
    fn an_edit_changes_its_place_and_nothing_beside_it() {
        let table = [
            (
                json!([]),
                r#"{"title":"Cress","durationMinutes":40.0,"extra":{"b":1,"a":[1.1,null]},"steps":[{"text":"Sow","minutes":5}]}"#,
            ),
            (
                json!([
                    {"path": "durationMinutes", "value": 40},
                    {"path": "extra", "value": {"a": [1.1, 2], "b": 1, "c": 3}},
                    {"path": "steps.0.minutes", "value": null},
                    {"path": "steps.1", "value": {"text": "Water"}},
                    {"path": "steps.2", "value": {"text": "Wait"}},
                    {"path": "hypothesis", "value": "It grows."}
                ]),
                r#"{"title":"Cress","durationMinutes":40.0,"extra":{"b":1,"a":[1.1,2],"c":3},"steps":[{"text":"Sow"},{"text":"Water"},{"text":"Wait"}],"hypothesis":"It grows."}"#,
            ),
        ];
        for (edits, after) in table {
            assert_eq!(applied(edits), Ok(after.to_owned()));
        }
    }

    #[test]
    fn an_edit_that_cannot_be_made_is_refused_with_its_reason() {
        let deep = format!("{}1{}", "[".repeat(63), "]".repeat(63));
        let deep: Value = serde_json::from_str(&deep).expect("JSON");
        for (path, value, reason) in [
            ("", json!(1), "The edit of \"\" names no field."),
            ("_id", json!("x"), "The edit of \"_id\" names a field that the service keeps."),
            ("status", json!("published"), "The edit of \"status\" names a field that the service keeps."),
            ("metadata.author", json!("x"), "The edit of \"metadata.author\" names a field that the service keeps."),
            ("title", json!("x"), "The edit of \"title\" names a field that must stay."),
            (
                "nowhere",
                json!(1),
                "The edit of \"nowhere\" names a field that is neither in the plan nor in its schema.",
            ),
            ("steps.7.text", json!("x"), "The edit of \"steps.7.text\" names a place that is not there."),
            (
                "steps.7",
                json!({}),
                "The edit of \"steps.7\" names an element that is not there, or takes one away; give the whole array.",
            ),
            (
                "steps.0",
                json!(null),
                "The edit of \"steps.0\" names an element that is not there, or takes one away; give the whole array.",
            ),
            ("hypothesis", json!(null), "The edit of \"hypothesis\" takes away what is not there."),
            ("durationMinutes.x", json!(1), "The edit of \"durationMinutes.x\" names a place that is not there."),
            (
                "extra.$serde_json::private::Number",
                json!("1"),
                "The value at \"extra\" has the key \"$serde_json::private::Number\", which cannot be kept; choose another.",
            ),
            ("safety", json!(["x".repeat(1024 * 1024)]), "The plan would be too large."),
            (
                "extra.deep",
                deep,
                &format!("The value at \"extra.deep{}\" is nested deeper than 64 levels.", ".0".repeat(62)),
            ),
        ] {
            assert_eq!(applied(json!([{ "path": path, "value": value }])), Err(reason.to_owned()));
        }
    }
}
