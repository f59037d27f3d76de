//! Properties that hold for any content and any schema. Random contents and schemas are built from words that the code
//! treats specially. `scripts/fuzz` checks the same properties with more inputs.

use std::sync::LazyLock;

use fieldbook::assistant::Assistant;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::promises;

static PARTS: LazyLock<(Schema, Assistant)> = LazyLock::new(|| {
    let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
    let assistant = Assistant::for_schema(&schema).expect("the built-in rules");
    (schema, assistant)
});

/// Generates words of lessons, and phrases that the assistant once misread.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "see step 9",
        "steps 2, 3 and 11",
        "step 1",
        "10 minutes",
        "work in pairs",
        "groups of four",
        "overnight",
        "20 cm",
        "250 mL of water",
        "three beakers",
        "never",
        "not",
        "grade 5",
        "5-PS1-2",
        "the same water",
        "goggles",
        "é",
        "ß",
        "\u{202e}",
        "½",
        "1e400",
        "-0",
        "…",
        "\"",
        "\\",
        "\t",
        ".",
        "step\u{a0}7",
        "STEP 007",
        "step 99999",
        "step ٣",
    ]);
    prop_oneof![8 => word.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from), 1 => "[0-9]{1,4}"]
}

fn text() -> impl Strategy<Value = String> {
    let line = prop::collection::vec(words(), 0..8).prop_map(|words| words.join(" "));
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rule_findings_quote_any_text_verbatim_and_disappear_when_resolved(text in text()) {
        let (schema, assistant) = &*PARTS;
        promises::hold_for(assistant, schema, &promises::content(text.as_bytes()).expect("a text"));
    }
}

/// Generates schemas from words with a meaning in JSON Schema, such as `$ref` and `#/$defs/a`.
fn schema() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        prop::sample::select(vec![
            "#",
            "#/$defs/a",
            "#/properties/a",
            "string",
            "object",
            "^(a|b)*$",
            "\\p{L}{1,90}",
            "date"
        ])
        .prop_map(|text| json!(text)),
        any::<bool>().prop_map(|truth| json!(truth)),
        (0..2000).prop_map(|number| json!(number)),
    ];
    let keyword = prop::sample::select(vec![
        "$ref",
        "$defs",
        "properties",
        "patternProperties",
        "items",
        "prefixItems",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "type",
        "enum",
        "const",
        "pattern",
        "required",
        "format",
        "uniqueItems",
        "maxLength",
        "x-complete",
    ]);
    scalar.prop_recursive(4, 40, 4, move |inner| {
        let names = prop::sample::select(vec!["a", "b", "title", "a b", "^k"]).prop_map(str::to_owned);
        prop_oneof![
            4 => prop::collection::hash_map(keyword.clone().prop_map(str::to_owned), inner.clone(), 1..4)
                .prop_map(|members| json!(members)),
            1 => prop::collection::hash_map(names, inner.clone(), 1..3).prop_map(|members| json!(members)),
            1 => prop::collection::vec(inner, 0..4).prop_map(|elements| json!(elements)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_schema_is_refused_at_the_start_or_works_for_every_document(schema in schema()) {
        promises::schema_is_refused_or_reads(&schema.to_string());
    }
}
