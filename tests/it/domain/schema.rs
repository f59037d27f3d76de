//! The content schema: JSON Schema 2020-12, with the additional keywords of Fieldbook.

use fieldbook::domain::content::Content;
use fieldbook::domain::schema::*;
use serde_json::Value;
use serde_json::json;

fn content(value: Value) -> Content {
    value.as_object().cloned().expect("an object")
}

fn brought(schema: &Schema, before: Value, after: Value) -> Vec<String> {
    let found = schema.violations_introduced(&content(before), &mut content(after));
    found.into_iter().map(|v| format!("{}: {}", v.path, v.message)).collect()
}

#[test]
fn existing_schema_violation_does_not_block_an_update_of_other_fields() {
    let schema =
        Schema::parse(r#"{"required":["b"],"properties":{"a":{"type":"string"},"b":{}},"additionalProperties":false}"#)
            .expect("a schema");
    let stale = json!({"a":1,"old":true});
    let none: [&str; 0] = [];
    assert_eq!(
        brought(&schema, stale.clone(), json!({"a":1,"old":true,"new":2})),
        ["new: is not a field of the schema"]
    );
    assert_eq!(brought(&schema, stale.clone(), json!({"a":1})), none);
    assert_eq!(brought(&schema, stale.clone(), json!({"a":2,"old":true})), ["a: must be a string"]);
    assert_eq!(brought(&schema, stale, json!({"a":"x","old":false})), ["old: is not a field of the schema"]);
    let of_the_whole = Schema::parse(r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#).expect("a schema");
    assert_eq!(brought(&of_the_whole, json!({"grade":4}), json!({"grade":5})), none);
}

#[test]
fn unusable_schema_is_refused_with_the_path_and_the_reason() {
    for (text, reason) in [
        ("[]", "at /: the schema must be an object"),
        (r#"{"properties":{"_id":{}}}"#, "at /properties/_id: this name is reserved for the service; rename the field"),
        (r#"{"properties":{"a":{"x-complete":"yes"}}}"#, "at /properties/a/x-complete: must be true or false"),
    ] {
        assert_eq!(Schema::parse(text).expect_err(text).to_string(), reason);
    }
    assert!(Schema::parse(r#"{"type":"strnig"}"#).is_err());
    for ordinary in ["^.{1,200}$", r"^[\p{L} ]{1,80}$"] {
        Schema::parse(&json!({"properties": {"a": {"pattern": ordinary}}}).to_string()).expect(ordinary);
    }
    for pattern in ["(", "(?=a)b", "((a{100}){100}){100}"] {
        let schema = json!({"properties": {"a": {"pattern": pattern}}}).to_string();
        assert_eq!(
            Schema::parse(&schema).expect_err(pattern).to_string(),
            "at /properties/a/pattern: is not a regular expression, uses lookaround or a backreference, or is too large"
        );
    }
    let said = Schema::parse(r#"{"properties":{"a":{"format":"dat"}}}"#).expect_err("no format").to_string();
    assert!(said.starts_with("at /properties/a/"), "{said}");
}

#[test]
fn content_with_too_many_values_to_check_is_refused_with_its_first_violation() {
    let choices = vec![json!({"type": "string"}); 20];
    let schema = json!({"properties": {"a": {"items": {"anyOf": choices}}, "b": {"type": "string"}}});
    let schema = Schema::parse(&schema.to_string()).expect("a schema");
    let (many, other) = (json!({"a": vec![1; 125_000], "b": "x"}), json!({"a": vec![1; 125_000], "b": 1}));
    let said = brought(&schema, json!({}), many.clone());
    assert!(said[0].starts_with("a.0: "), "{said:?}");
    assert_eq!(said[1..], [": has more values than can be checked at once; the first violation is named"]);
    // A violation that existed before the change is still not reported.
    assert_eq!(brought(&schema, many, other), [""; 0]);
    assert_eq!(brought(&schema, json!({"a": ["x"]}), json!({"a": vec!["y"; 125_000]})), [""; 0]);
}

#[test]
fn format_keyword_of_the_schema_is_enforced() {
    let schema = Schema::parse(r#"{"properties":{"day":{"format":"date"}}}"#).expect("a schema");
    assert_eq!(brought(&schema, json!({}), json!({"day": "tomorrow"})), ["day: must be in the form of date"]);
    assert_eq!(brought(&schema, json!({}), json!({"day": "2026-11-21"})), [""; 0]);
}

/// A circular reference adds no work: the validator checks each value against each schema only once.
#[test]
fn schema_with_a_circular_reference_is_checked_without_an_endless_loop() {
    let to_a = || json!({"$ref": "#/$defs/a"});
    let loops = [
        json!({"$ref": "#"}),
        to_a(),
        json!({"$ref": "#/$defs/b"}),
        json!({"allOf": [to_a()]}),
        json!({"allOf": [to_a(), to_a()], "unevaluatedProperties": false}),
        json!({"anyOf": [to_a(), {"type": "string"}]}),
        json!({"oneOf": [to_a(), to_a()]}),
        json!({"not": to_a()}),
        json!({"if": to_a(), "then": to_a(), "else": to_a()}),
        json!({"dependentSchemas": {"title": to_a()}}),
    ];
    for a in loops {
        let definitions = json!({"a": a, "b": to_a()});
        let root = json!({"allOf": [to_a()], "properties": {"title": {"type": "string"}}, "$defs": definitions});
        let property = json!({"properties": {"title": {"type": "string"}, "b": to_a()}, "$defs": definitions});
        for document in [root, property] {
            let schema = Schema::parse(&document.to_string()).expect("a schema");
            let found = brought(&schema, json!({}), json!({"title": 1, "b": {"title": 1}, "c": [vec![1; 60_000]]}));
            assert!(found.contains(&"title: must be a string".to_owned()), "{document}: {found:?}");
            fieldbook::domain::label::label(&schema, &fieldbook::domain::path::FieldPath::parse("b.title"));
            let named = fieldbook::domain::client_schema::named_schemas(schema.document());
            assert!(named.contains_key("Content"), "{document}: {named:?}");
        }
    }
}

#[test]
fn null_values_of_schema_properties_are_removed_even_if_defined_by_a_ref() {
    let id = "0".repeat(64);
    let mut sent = content(json!({
        "title": null, "other": null, "pictures": [{"id": id, "alt": "A pan", "caption": null}],
        "steps": [{"text": "Stir", "minutes": null, "picture": {"id": id, "alt": "", "caption": null, "size": null}}],
    }));
    Schema::parse(BUILT_IN).expect("a schema").remove_nulls(&mut sent);
    let kept = json!({
        "other": null, "pictures": [{"id": id, "alt": "A pan"}],
        "steps": [{"text": "Stir", "picture": {"id": id, "alt": "", "size": null}}],
    });
    assert_eq!(Value::Object(sent), kept);
}
