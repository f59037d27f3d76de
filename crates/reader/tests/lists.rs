//! Lines and tables that are pasted into one list, whose field is known.

use fieldbook_reader::{Places, Source, fill, read};
use serde_json::{Value, json};

use crate::support::{FIELDS, content, left};

/// Returns the entries of a list, and the texts that are in no entry.
fn entries(source: Source<'_>, field: &str) -> (Value, Vec<String>) {
    let document = read(source).unwrap();
    let places = Places::parse(&format!("{field}:1-10000")).unwrap();
    let filled = fill(&document, &places.choices(document.blocks.len()), &FIELDS, &|_| Vec::new());
    (content(&filled)[field].clone(), left(&filled).into_iter().map(str::to_owned).collect())
}

#[test]
fn numbered_list_copied_from_word_becomes_steps() {
    let text = "1.\tPour the water (5 min)\n2.\tStir (10 min)\n3.\tObserve";
    let expected =
        json!([{"text": "Pour the water", "minutes": 5}, {"text": "Stir", "minutes": 10}, {"text": "Observe"}]);
    assert_eq!(entries(Source::Text(text), "steps"), (expected, Vec::new()));
}

#[test]
fn bullets_are_removed_from_the_names_of_materials() {
    let text = "\u{f0b7} 3 cups\n● 250 ml water\n·\t2 spoons\n➢ salt\n•\t4 lemons";
    let expected = json!([
        {"name": "cups", "quantity": 3},
        {"name": "water", "quantity": 250, "unit": "ml"},
        {"name": "spoons", "quantity": 2},
        {"name": "salt"},
        {"name": "lemons", "quantity": 4},
    ]);
    assert_eq!(entries(Source::Text(text), "materials"), (expected, Vec::new()));
}

#[test]
fn number_with_separators_or_trailing_zeros_stays_a_text() {
    let rows = [
        ("Salt\t1,000\tg", json!([{"name": "Salt", "quantity": "1,000", "unit": "g"}])),
        (
            "10.0 cm3 acid\n0.50 g zinc",
            json!([
                {"name": "acid", "quantity": "10.0", "unit": "cm3"},
                {"name": "zinc", "quantity": "0.50", "unit": "g"},
            ]),
        ),
        (
            "1.000 ml Wasser\n2.500 g Zucker",
            json!([
                {"name": "Wasser", "quantity": "1.000", "unit": "ml"},
                {"name": "Zucker", "quantity": "2.500", "unit": "g"},
            ]),
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(entries(Source::Text(text), "materials"), (expected, Vec::new()), "{text}");
    }
}

#[test]
fn extra_table_column_is_added_to_the_notes_and_a_number_column_is_dropped() {
    let steps = json!([{"text": "Pour the water", "minutes": 5}, {"text": "Stir", "minutes": 10}]);
    assert_eq!(entries(Source::Text("1\tPour the water\t5\n2\tStir\t10"), "steps"), (steps, Vec::new()));
    let text = "Item\tQuantity\tNotes\nWater\t1.5 l\tdistilled\textra column\n";
    let (found, rest) = entries(Source::Text(text), "materials");
    let expected = json!([{"name": "Water", "quantity": 1.5, "unit": "l", "notes": "distilled; extra column"}]);
    assert_eq!((found, rest), (expected, Vec::new()));
}

#[test]
fn table_cell_that_contains_a_line_break_is_read_as_one_cell() {
    let html = "<table><tr><td>Name</td><td>Quantity</td></tr><tr><td>pot<br>with lid</td><td>1</td></tr></table>";
    let expected = json!([{"name": "pot\nwith lid", "quantity": 1}]);
    assert_eq!(entries(Source::Html(html), "materials"), (expected, Vec::new()));
}

#[test]
fn assignments_of_blocks_to_fields_are_parsed() {
    let places = Places::parse("materials:2-3;safety:3,5").unwrap();
    let choices = [None, Some("materials"), Some("materials"), None, Some("safety")];
    assert_eq!(places.choices(5), choices.map(|field| field.map(str::to_owned)));
    assert_eq!(Places::parse("").unwrap().choices(1), [None]);
    for wrong in ["materials", "materials:", "materials:a", "materials:1-", "1"] {
        assert_eq!(Places::parse(wrong), None, "{wrong}");
    }
}
