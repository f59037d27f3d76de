//! The check of a content schema. The check refuses keywords that JSON Schema would silently ignore, and schemas that
//! would cost too much.

use fieldbook::domain::keywords::*;
use serde_json::Value;
use serde_json::json;

/// Returns the reason why a schema is refused, or "taken".
fn said(schema: Value) -> String {
    check(&schema).err().map_or("taken".to_owned(), |refused| format!("at {}: {}", refused.place, refused.reason))
}

#[test]
fn a_keyword_that_would_say_nothing_is_refused_with_its_place() {
    let nothing = "is not a known keyword and would have no effect";
    for (schema, place) in [
        (json!({"requried": ["title"]}), "/requried"),
        (json!({"x-rulez": []}), "/x-rulez"),
        (json!({"x-rule": []}), "/x-rule"),
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
fn what_counts_only_in_one_place_is_refused_in_another() {
    let other_draft = json!({"$schema": "http://json-schema.org/draft-07/schema#"});
    for (schema, reason) in [
        (
            json!({"properties": {"a": {"x-rules": []}}}),
            "at /properties/a/x-rules: is allowed only at the root of the schema",
        ),
        (
            json!({"properties": {"a": {"properties": {"b": {"x-complete": true}}}}}),
            "at /properties/a/properties/b/x-complete: counts only for a field of the document itself",
        ),
        (
            json!({"properties": {"a": {"x-audience": "parent"}}}),
            "at /properties/a/x-audience: must be \"pupil\" or \"teacher\"",
        ),
        (
            json!({"properties": {"a": {"items": {"x-audience": "pupil"}}}}),
            "at /properties/a/items/x-audience: counts only for a field of the document itself",
        ),
        (json!({"properties": {"a": {"x-pupil-title": 1}}}), "at /properties/a/x-pupil-title: must be a string"),
        (json!({"properties": {"a": {"x-order": "1"}}}), "at /properties/a/x-order: must be a number"),
        (other_draft, "at /$schema: must be \"https://json-schema.org/draft/2020-12/schema\""),
        (json!({"$ref": "#/$defs/none"}), "at /$ref: leads nowhere"),
        (
            json!({"default": {"s": {"properties": {"k": {"requried": []}}}}, "items": {"$ref": "#/default/s"}}),
            "at /items/$ref: refers to something that is not a schema",
        ),
        (
            json!({"$defs": {"a": {}}, "items": {"$ref": "#/$defs"}}),
            "at /items/$ref: refers to something that is not a schema",
        ),
        (json!({"$ref": "https://example.org/s"}), "at /$ref: must be a place in this schema, written \"#/…\""),
    ] {
        assert_eq!(said(schema), reason);
    }
}

#[test]
fn choices_and_references_that_multiply_are_refused() {
    let doubled = |n: usize| json!({"allOf": [{"$ref": format!("#/$defs/{n}")}, {"$ref": format!("#/$defs/{n}")}]});
    let mut defs: serde_json::Map<String, Value> = (0..12).map(|n| (n.to_string(), doubled(n + 1))).collect();
    defs.insert("12".to_owned(), json!({"type": "string"}));
    let chain = json!({"$defs": defs, "properties": {"a": {"$ref": "#/$defs/0"}}});
    let tree = json!({"properties": {"kids": {"items": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}}}});
    let wide = json!({"properties": {"a": {"anyOf": vec![json!({"type": "string"}); 500]}}});
    let listed = json!({"items": {"enum": (0..15_000).collect::<Vec<_>>()}});
    for schema in [chain, tree, wide, listed] {
        let said = said(schema);
        assert!(said.starts_with("at /: tries more than 400 subschemas on one value"), "{said}");
    }
    let itself = json!({"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}]}}});
    assert_eq!(said(itself), "at /properties/a: refers to itself without a step into the value");
    let patterns: Vec<Value> = (0..65).map(|n| json!({"pattern": n.to_string()})).collect();
    assert_eq!(said(json!({"anyOf": patterns})), "at /anyOf/64/pattern: the schema has more than 64 patterns");
}

#[test]
fn patterns_count_by_their_size_wherever_they_stand() {
    let heavy = |n: usize| format!("a[ab]{{{}}}[^ab]", 280 + n);
    let tried = "at /: tries more than 400 subschemas on one value; reduce the repetition in choices and references";
    let choices: Vec<Value> = (0..20).map(|n| json!({"pattern": heavy(n)})).collect();
    assert_eq!(said(json!({"items": {"allOf": choices}})), tried);
    let names: serde_json::Map<String, Value> = (0..20).map(|n| (heavy(n), json!({}))).collect();
    assert_eq!(said(json!({"patternProperties": names})), tried);
    let apart: serde_json::Map<String, Value> = (0..20).map(|n| (heavy(n), json!({"pattern": heavy(n)}))).collect();
    assert_eq!(said(json!({"properties": apart})), "taken");
    let large = json!({"pattern": "(a{1000}){100}"});
    assert_eq!(said(large), "at /pattern: is too large, alone or with the other patterns of the schema");
    for ordinary in ["^.{1,200}$", r"^[\p{L} ]{1,80}$", r"^[\w-]{1,64}$", r"^\w+([.-]\w+)*@\w+\.\w{2,}$"] {
        assert_eq!(said(json!({"properties": {"a": {"pattern": ordinary}}})), "taken", "{ordinary}");
    }
}

#[test]
fn schemas_as_people_write_them_are_taken() {
    let tree = json!({"properties": {"text": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#"}}}});
    let kinds: Vec<Value> = (0..20)
        .map(|n| json!({"type": "object", "properties": {"kind": {"const": n}, "text": {"type": "string"}}, "required": ["kind"]}))
        .collect();
    let union =
        json!({"properties": {"blocks": {"items": {"oneOf": kinds}}, "grade": {"enum": (0..200).collect::<Vec<_>>()}}});
    let spoken = json!({
        "$id": "https://example.org/s", "$vocabulary": {}, "x-widget": "wide",
        "$defs": {"a b": {"type": "string", "$anchor": "a", "contentMediaType": "text/html", "contentEncoding": "base64"}},
        "properties": {
            "a": {"$ref": "#/$defs/a%20b"}, "b": {"$ref": "https://example.org/s#/$defs/a%20b"},
            "c": {"contentSchema": {"type": "object"}}, "d": {"enum": (0..4000).collect::<Vec<_>>()}
        }
    });
    for schema in
        [tree, union, spoken, json!(true), serde_json::from_str(fieldbook::domain::schema::BUILT_IN).expect("JSON")]
    {
        assert_eq!(said(schema), "taken");
    }
}
