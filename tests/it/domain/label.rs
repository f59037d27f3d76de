//! Labels: people's names for places in a document, such as "Step 3", "Material 2, quantity" and "Group size".

use fieldbook::domain::label::*;
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::schema::BUILT_IN;
use fieldbook::domain::schema::Schema;
use serde_json::json;

fn labels<const N: usize>(schema: &str, paths: [&str; N]) -> [String; N] {
    let schema = Schema::parse(schema).expect("a schema");
    paths.map(|path| label(&schema, &FieldPath::parse(path)))
}

#[test]
fn paths_of_the_built_in_schema_are_described_by_their_form_labels() {
    for (path, name) in [
        ("title", "Title"),
        ("durationMinutes", "Duration in minutes"),
        ("groupSize", "Group size"),
        ("objectives.1", "Objective 2"),
        ("steps", "Steps"),
        ("steps.2", "Step 3"),
        ("steps.2.text", "Step 3"),
        ("steps.2.minutes", "Step 3, minutes"),
        ("materials.1.name", "Material 2"),
        ("materials.1.quantity", "Material 2, quantity"),
        ("variables", "Variables"),
        ("variables.independent", "Independent variable"),
        ("variables.controlled", "Controlled variables"),
        ("variables.controlled.0", "Controlled variable 1"),
        ("safety.0", "Safety rule 1"),
        ("vocabulary.0.definition", "Vocabulary word 1, definition"),
        ("ownWords.0.a thing", "Own words 1, a thing"),
        ("", ""),
    ] {
        assert_eq!(labels(BUILT_IN, [path]), [name], "{path}");
    }
}

#[test]
fn paths_of_a_custom_schema_are_described_by_titles_or_property_names() {
    let schema = json!({
        "$defs": {"room": {"title": "Room", "properties": {"DNA": {"title": "DNA sample"}}}},
        "properties": {
            "steps": {"title": "Steps", "items": {"properties": {"text": {}}}},
            "rooms": {"items": {"$ref": "#/$defs/room"}},
            "grid": {"title": "Grid", "items": {"title": "Row", "items": {"title": "Cell"}}},
            "contact": {"title": "Contact", "properties": {"name": {"title": "Name"}, "0": {"title": "Zero"}}},
            "0": {}
        }
    });
    let paths = ["steps.2", "steps.2.text", "rooms.0.DNA", "grid.1.2", "contact.name", "contact.0", "0"];
    assert_eq!(
        labels(&schema.to_string(), paths),
        ["Steps 3", "Steps 3, text", "Room 1, DNA sample", "Row 2, cell 3", "Contact, name", "Contact, zero", "0"]
    );
}

#[test]
fn path_is_described_only_if_the_schema_defines_all_its_keys() {
    let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
    let is_described = |path: &str| described(&schema, &FieldPath::parse(path)).is_some();
    assert!(["title", "steps.2.text", "variables.controlled.0"].into_iter().all(is_described));
    assert!(!["own", "steps.0.own", "steps.text", "title.own"].into_iter().any(is_described));
}
