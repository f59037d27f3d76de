//! The page gives places in a document the same names as the service.

use fieldbook::domain::label::label;
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use serde_json::json;

use crate::support::browser::{Page, WIDE};

#[tokio::test]
async fn page_describes_each_field_path_with_the_same_words_as_the_service() {
    let operators = json!({
        "$defs": {"room": {"title": "Room", "properties": {"DNA": {"title": "DNA sample"}}}},
        "properties": {
            "plan": {"title": "Plan", "items": {"properties": {"text": {}}}},
            "rooms": {"items": {"$ref": "#/$defs/room"}},
            "grid": {"title": "Grid", "items": {"title": "Row", "items": {"title": "Cell"}}},
            "contact": {"title": "Contact", "properties": {"name": {"title": "Name"}, "0": {"title": "Zero"}}},
        }
    });
    let built_in = "title steps steps.2 steps.2.text steps.2.minutes materials.1.name materials.1.quantity variables \
                    variables.independent variables.controlled variables.controlled.0 safety.0 vocabulary.0.definition";
    let own = "plan.2 plan.2.text rooms.0.DNA grid.1.2 contact.name contact.0";
    let (page, _) = Page::of_service(WIDE).await;
    for (schema, paths) in [(BUILT_IN, built_in), (&operators.to_string(), own)] {
        let paths: Vec<&str> = paths.split_whitespace().collect();
        let script = format!(
            "return Promise.all([import('/ui/history/changes.js'), import('/ui/text/values.js')])
                .then(([{{ placeName }}, {{ steps }}]) => {}.map((path) => placeName(steps(path), {schema})))",
            json!(paths)
        );
        let parsed = Schema::parse(schema).expect("a schema");
        let names: Vec<String> = paths.iter().map(|path| label(&parsed, &FieldPath::parse(path))).collect();
        assert_eq!(page.js(&script).await, json!(names));
    }
}
