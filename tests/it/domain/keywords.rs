//! The check of the keywords in a content schema. It refuses keywords that JSON Schema would silently ignore.

use fieldbook::domain::keywords::*;
use serde_json::Value;
use serde_json::json;

/// Returns the reason why a schema is refused, or "taken" if the schema is accepted.
fn said(schema: Value) -> String {
    check(&schema).err().map_or("taken".to_owned(), |error| error.to_string())
}

#[test]
fn unknown_schema_keyword_is_refused_with_its_path() {
    let nothing = "is not a known keyword and would have no effect";
    for (schema, place) in [
        (json!({"requried": ["title"]}), "/requried"),
        (json!({"x-rules-of": []}), "/x-rules-of"),
        (json!({"x-rule-off": []}), "/x-rule-off"),
        (json!({"items": {"$dynamicRef": "#a"}}), "/items/$dynamicRef"),
        (json!({"properties": {"a/b": {"items": {"minlength": 1}}}}), "/properties/a~1b/items/minlength"),
        (json!({"$defs": {"d": {"oneOf": [{}, {"additionalItems": false}]}}}), "/$defs/d/oneOf/1/additionalItems"),
    ] {
        assert_eq!(said(schema), format!("at {place}: {nothing}"));
    }
    let example = json!({"properties": {"requried": {"enum": [{"requried": 1}], "default": {"x-rulez": 1}}}});
    assert_eq!(said(example), "taken");
}

#[test]
fn schema_keyword_where_it_has_no_effect_is_refused() {
    let other_draft = json!({"$schema": "http://json-schema.org/draft-07/schema#"});
    for (schema, reason) in [
        (
            json!({"properties": {"a": {"x-rules-off": []}}}),
            "at /properties/a/x-rules-off: is allowed only at the root of the schema",
        ),
        (
            json!({"properties": {"a": {"properties": {"b": {"x-complete": true}}}}}),
            "at /properties/a/properties/b/x-complete: has an effect only on a top-level field",
        ),
        (
            json!({"properties": {"a": {"x-audience": "parent"}}}),
            "at /properties/a/x-audience: must be \"pupil\" or \"teacher\"",
        ),
        (
            json!({"properties": {"a": {"items": {"x-audience": "pupil"}}}}),
            "at /properties/a/items/x-audience: has an effect only on a top-level field",
        ),
        (json!({"properties": {"a": {"x-pupil-title": 1}}}), "at /properties/a/x-pupil-title: must be a string"),
        (json!({"properties": {"a": {"x-order": "1"}}}), "at /properties/a/x-order: must be a number"),
        (other_draft, "at /$schema: must be \"https://json-schema.org/draft/2020-12/schema\""),
        (json!({"$ref": "#/$defs/none"}), "at /$ref: leads nowhere"),
        (json!({"$ref": "#/$defs/a%20b", "$defs": {"a b": {}}}), "at /$ref: leads nowhere"),
        (
            json!({"$ref": "https://example.org/s"}),
            "at /$ref: must be a JSON Pointer into this schema, such as \"#/$defs/step\"",
        ),
        (
            json!({"$id": "https://example.org/s", "$ref": "https://example.org/s#"}),
            "at /$ref: must be a JSON Pointer into this schema, such as \"#/$defs/step\"",
        ),
    ] {
        assert_eq!(said(schema), reason);
    }
}

#[test]
fn schemas_with_common_keywords_are_accepted() {
    let tree = json!({"properties": {"text": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#"}}}});
    let kinds: Vec<Value> = (0..20)
        .map(|n| json!({"type": "object", "properties": {"kind": {"const": n}, "text": {"type": "string"}}, "required": ["kind"]}))
        .collect();
    let union =
        json!({"properties": {"blocks": {"items": {"oneOf": kinds}}, "grade": {"enum": (0..200).collect::<Vec<_>>()}}});
    let spoken = json!({
        "$id": "https://example.org/s", "$vocabulary": {}, "x-widget": "wide",
        "$defs": {"a/b": {"type": "string", "$anchor": "a", "contentMediaType": "text/html", "contentEncoding": "base64"}},
        "properties": {
            "a": {"$ref": "#/$defs/a~1b"}, "b": {"$ref": "#"},
            "c": {"contentSchema": {"type": "object"}}, "d": {"enum": (0..4000).collect::<Vec<_>>()}
        }
    });
    for schema in
        [tree, union, spoken, json!(true), serde_json::from_str(fieldbook::domain::schema::BUILT_IN).expect("JSON")]
    {
        assert_eq!(said(schema), "taken");
    }
}
