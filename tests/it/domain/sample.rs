//! Sample documents of a schema: every field that the schema describes, with a value of its type.

use fieldbook::domain::content::Content;
use fieldbook::domain::sample::*;
use serde_json::json;
use serde_json::{Map, Value};

#[test]
fn a_sample_has_every_field_of_the_schema_in_its_type() {
    let schema = json!({
        "properties": {
            "title": {"type": "string"}, "grade": {"type": ["integer", "string"], "minimum": 3}, "open": {},
            "level": {"enum": ["low", "high"]}, "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}},
            "place": {"oneOf": [{"properties": {"room": {"type": "boolean"}}}, {"type": "string"}]}
        },
        "$defs": {"step": {"properties": {"text": {"type": "string"}, "then": {"$ref": "#/$defs/step"}}}}
    });
    let mut content = sample(&schema);
    let steps = content.shift_remove("steps").expect("steps");
    assert_eq!(steps[0]["then"]["text"], "See step 1.");
    assert_eq!(
        Value::Object(content),
        json!({"title": "See step 1.", "grade": 3, "level": "low", "place": {"room": true}})
    );
}

#[test]
fn all_that_is_said_of_a_value_counts_and_null_comes_last() {
    let schema = json!({
        "properties": {
            "count": {"type": ["null", "number"]}, "most": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
            "nothing": {"type": "null"}, "level": {"enum": [null, "low"]},
            "steps": {"items": {
                "$ref": "#/$defs/text", "properties": {"minutes": {"type": "integer"}},
                "allOf": [{"properties": {"aim": {"type": "boolean"}}}, {"required": ["aim"]}]
            }}
        },
        "$defs": {"text": {"properties": {"text": {"type": "string"}}}}
    });
    let steps = json!([{"minutes": 1, "text": "See step 1.", "aim": true}]);
    let whole = json!({"count": 1, "most": 1, "nothing": null, "level": "low", "steps": steps});
    assert_eq!(Value::Object(sample(&schema)), whole);
    assert!(names(&schema, "aim") && names(&schema, "text") && !names(&schema, "type"));
}

#[test]
fn a_schema_that_refers_to_itself_has_a_sample_too() {
    assert_eq!(sample(&json!({"$ref": "#"})), Content::new());
    let wide: Map<String, Value> = (0..40).map(|n| (format!("p{n}"), json!({"$ref": "#"}))).collect();
    assert!(sample(&json!({"properties": wide})).len() <= 40);
}
