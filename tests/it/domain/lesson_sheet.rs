//! The parts of an investigation that readers of a link see.

use fieldbook::domain::lesson_sheet::*;
use fieldbook::domain::link::Shows;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use fieldbook::http::lesson_page::html;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

#[test]
fn entries_are_said_as_people_say_them() {
    let schema = Schema::parse(BUILT_IN).expect("a schema");
    let content = object(json!({
        "vocabulary": [{"term": "germinate", "definition": "begin to grow"}],
        "steps": [{"text": "Sow.\n\nWater.", "minutes": 10, "place": "outside"}, {"text": " "}],
        "materials": [
            {"name": "water", "quantity": 300, "unit": "ml", "notes": "cold"}, {"name": "saucer", "quantity": 2},
            {"name": "salt", "unit": "pinch"}, {"name": "seeds"}, {"name": ""},
        ],
        "title": "Cress", "assessment": "First.\n\n  Second.  ",
        "variables": {"independent": "Light", "controlled": ["water", ""], "dependent": ""},
        "own": {"room": 5, "open": true, "empty": []},
    }));
    let shown = sections(&schema, &content, Shows::Lesson);
    let names: Vec<(&str, &str)> = shown.iter().map(|part| (part.field.as_str(), part.label.as_str())).collect();
    assert_eq!(
        names,
        [
            ("variables", "Variables"),
            ("materials", "Materials"),
            ("steps", "Steps"),
            ("assessment", "Assessment"),
            ("vocabulary", "Vocabulary"),
            ("own", "Own")
        ]
    );
    let entry = |kind, lead: &str, minutes: Option<&str>, notes: &[&str]| Entry {
        lead: lead.to_owned(),
        kind,
        minutes: minutes.map(str::to_owned),
        notes: notes.iter().map(|note| (*note).to_owned()).collect(),
    };
    let blocks: Vec<&Block> = shown.iter().map(|part| &part.block).collect();
    let text = |text: &str| Block::Text(vec![text.to_owned()]);
    assert_eq!(
        blocks[0],
        &Block::Members(vec![
            ("Independent variable".into(), text("Light")),
            ("Controlled variables".into(), Block::Entries(vec![entry(EntryKind::Plain, "water", None, &[])])),
        ])
    );
    assert_eq!(
        blocks[1],
        &Block::Entries(vec![
            entry(EntryKind::Material, "300 ml water", None, &["cold"]),
            entry(EntryKind::Material, "2 × saucer", None, &[]),
            entry(EntryKind::Material, "salt (pinch)", None, &[]),
            entry(EntryKind::Material, "seeds", None, &[]),
        ])
    );
    assert_eq!(blocks[2], &Block::Entries(vec![entry(EntryKind::Step, "Sow.\n\nWater.", Some("10"), &["outside"])]));
    assert_eq!(blocks[3], &Block::Text(vec!["First.".into(), "Second.".into()]));
    assert_eq!(blocks[4], &Block::Entries(vec![entry(EntryKind::Term, "germinate", None, &["begin to grow"])]));
    assert_eq!(blocks[5], &Block::Members(vec![("Room".into(), text("5")), ("Open".into(), text("yes"))]));
}

#[test]
fn pupils_read_safety_before_the_steps_and_headings_for_them() {
    let schema = Schema::parse(BUILT_IN).expect("a schema");
    let content = object(json!({
        "phenomenon": "It grows.", "drivingQuestion": "Why?", "steps": [{"text": "Sow."}],
        "safety": ["Wash."], "vocabulary": [{"term": "rot", "definition": "fall apart"}],
    }));
    let labels = |shows| sections(&schema, &content, shows).into_iter().map(|part| part.label).collect::<Vec<_>>();
    assert_eq!(labels(Shows::Handout), ["What we see", "Our question", "Safety", "Steps", "Vocabulary"]);
    assert_eq!(labels(Shows::Lesson), ["Phenomenon", "Driving question", "Safety", "Steps", "Vocabulary"]);
}

fn marked(marker: String) -> impl Strategy<Value = Value> {
    let text = Just(json!(marker.clone()));
    text.prop_recursive(4, 16, 4, move |inner| {
        let names = prop::sample::select(vec!["name", "text", "term", "definition", "minutes", "notes", "x", "title"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|elements| json!(elements)),
            prop::collection::hash_map(names.prop_map(str::to_owned), inner, 0..4).prop_map(|members| json!(members)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_page_contains_nothing_that_the_audience_excludes(
        fields in prop::collection::vec(prop::sample::select(vec!["pupil", "teacher", "none", "unknown"]), 1..8)
            .prop_flat_map(|audiences| {
                let values: Vec<_> = (0..audiences.len()).map(|n| marked(format!("marker{n}."))).collect();
                (Just(audiences), values)
            }),
    ) {
        let (audiences, values) = fields;
        // One field is the title, which the page shows outside of the sections.
        let name = |n: usize| if n == 0 { "title".to_owned() } else { format!("field{n}") };
        let mut properties = Map::new();
        for (n, audience) in audiences.iter().enumerate() {
            match *audience {
                "unknown" => None,
                "none" => properties.insert(name(n), json!({})),
                audience => properties.insert(name(n), json!({"x-audience": audience})),
            };
        }
        let schema = Schema::parse(&json!({ "properties": properties }).to_string()).expect("a schema");
        let content: Map<String, Value> = values.into_iter().enumerate().map(|(n, value)| (name(n), value)).collect();
        for shows in Shows::ALL {
            let page = html::lesson(title(&schema, &content, shows), sections(&schema, &content, shows));
            let shown = String::from_utf8_lossy(&page);
            for (n, audience) in audiences.iter().enumerate() {
                let may_show = shows == Shows::Lesson || shows == Shows::Handout && *audience == "pupil";
                prop_assert!(may_show || !shown.contains(&format!("marker{n}.")), "{shows:?} {n} {audience}: {shown}");
            }
        }
    }
}
