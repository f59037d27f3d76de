//! Properties that hold for any content and any rule. Random contents and rules are built from words that could
//! matter. `scripts/fuzz` checks the same properties with more inputs.

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

/// Generates expressions of rules. Most of them are well-formed.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "self.a",
        "self.b",
        "x",
        "it",
        "it.quote",
        "it.n",
        "1",
        "-9223372036854775808",
        "18446744073709551615u",
        "0",
        "2.5",
        "1e308",
        "'x'",
        "'é'",
        "''",
        "true",
        "null",
        "[]",
        "{}",
        "self",
        "self.steps",
        "stepReferences()",
        "lessonLengths()",
        "groupSizes()",
        "gradeNames()",
        "standardCodes()",
        "amountsOf('a')",
        "texts('steps.*.text')",
        "b'\\xff'",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 3, |inner| {
        let operator = prop::sample::select(vec!["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", "in"]);
        let call = prop::sample::select(vec![
            "size",
            "string",
            "int",
            "uint",
            "double",
            "type",
            "dyn",
            "!",
            "-",
            "lessonMinutes",
            "gradeRange",
            "texts",
        ]);
        let looped = prop::sample::select(vec!["all", "exists", "exists_one", "map", "filter"]);
        let asked = prop::sample::select(vec!["contains", "startsWith", "endsWith"]);
        prop_oneof![
            (inner.clone(), operator, inner.clone()).prop_map(|(a, operator, b)| format!("({a} {operator} {b})")),
            (call, inner.clone()).prop_map(|(call, a)| format!("{call}({a})")),
            (inner.clone(), looped, inner.clone()).prop_map(|(a, looped, b)| format!("{a}.{looped}(x, {b})")),
            (inner.clone(), asked, inner.clone()).prop_map(|(a, asked, b)| format!("{a}.{asked}({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}[{b}]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("sameText({a}, {b})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[{a}, {{{b}: {a}}}]")),
            inner.clone().prop_map(|a| format!("{a}.matches('^.x?[a-z]+\\\\d*$')")),
            inner.prop_map(|a| format!(".matches({a}, 'x')")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_stands_there_and_what_is_resolved_is_gone(text in text()) {
        let (schema, assistant) = &*PARTS;
        promises::hold_for(assistant, schema, &promises::content(text.as_bytes()).expect("a text"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn findings_do_not_depend_on_the_documents_before(from in text(), to in text(), fields in fields_in_any_order()) {
        let (schema, remembering) = &*PARTS;
        let [mut document, to] = [from, to].map(|text| promises::content(text.as_bytes()).expect("a text"));
        remembering.detect(&document);
        for field in fields {
            document.insert(field.to_owned(), to[field].clone());
            let fresh = Assistant::for_schema(schema).expect("the built-in rules");
            prop_assert_eq!(remembering.detect(&document), fresh.detect(&document), "after {}", field);
        }
    }
}

fn fields_in_any_order() -> impl Strategy<Value = Vec<&'static str>> {
    let fields =
        vec!["title", "durationMinutes", "groupSize", "grade", "hypothesis", "variables", "materials", "steps"];
    prop::sample::subsequence(fields, 4).prop_shuffle()
}

/// Generates schemas from words that mean something in a schema, such as `$ref` and `#/$defs/a`.
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
    fn a_schema_is_refused_or_reads_every_document(schema in schema()) {
        promises::schema_is_refused_or_reads(&schema.to_string());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rule_is_refused_or_runs_on_every_document(
        lines in prop::collection::vec(expression(), 1..3),
        each in any::<bool>(),
        fix in expression(),
    ) {
        let (rule, message) = (lines[0].as_str(), lines.get(1).map_or("'m'", String::as_str));
        let each = if each { "self.a" } else { "" };
        let text = format!("{rule} == {rule} && {rule} != 7\n'm' + string({message})\n{each}\nhas(self.a)\n{fix}");
        promises::rule_is_refused_or_runs(&text);
        promises::rule_is_refused_or_runs(rule);
    }
}
