//! Unit tests of `src/assistant/rules/passes.rs`.

use serde_json::{Value, json};

use crate::assistant::rules::{Check, Rules};
use crate::domain::content::Content;
use crate::domain::schema::{BUILT_IN, Schema};

fn lesson() -> Content {
    let lesson = json!({
        "title": "Ramps", "durationMinutes": 50, "groupSize": 3, "grade": 5, "curriculum": "NGSS 5-PS1-2",
        "materials": [{"name": "marbles", "quantity": 2}],
        "steps": [{"text": "Work in groups of three.", "minutes": 20}, {"text": "Repeat step 1.", "minutes": 20}],
    });
    lesson.as_object().expect("an object").clone()
}

/// Returns the ids of the rules that must run when `field` of the lesson becomes `value`.
fn run_again_after(field: &str, value: Value) -> Vec<String> {
    let rules = Rules::of(&Schema::parse(BUILT_IN).expect("the built-in schema")).expect("the built-in rules");
    let mut lesson = lesson();
    let checked = rules.check(&lesson, Check::Shown);
    assert!(checked.found.is_empty() && checked.hints.is_empty(), "{checked:?}");
    lesson.insert(field.to_owned(), value);
    let hashes = rules.passes.hashes(&rules.facts.read(&lesson));
    let must_run = |hash: &Option<u64>| hash.is_none_or(|hash| rules.passes.units.get(&hash).is_none());
    let run = rules.rules.iter().zip(&hashes).filter(|(_, hash)| must_run(hash));
    run.map(|(rule, _)| rule.id.clone()).collect()
}

#[test]
fn an_edit_runs_the_rules_that_read_its_field_or_the_facts_in_it() {
    for (field, value, rules) in [
        ("phenomenon", json!("A marble rolls."), vec![]),
        ("phenomenon", json!("Our 40-minute lesson is short."), vec!["lesson_length"]),
        ("phenomenon", json!("Take 5 marbles."), vec!["material_amount"]),
        ("title", json!("Ramps for Grade 5"), vec!["grade_name"]),
        ("title", json!("Work in groups of four"), vec!["group_size"]),
        ("groupSize", json!(4), vec!["group_size"]),
        ("durationMinutes", json!(45), vec!["duration_sum", "lesson_length"]),
        ("materials", json!([{"name": "rulers", "quantity": 2}]), vec![]),
        ("steps", json!([{"text": "Roll it.", "minutes": 20}]), vec!["duration_sum", "step_reference", "group_size"]),
    ] {
        assert_eq!(run_again_after(field, value.clone()), rules, "{field}: {value}");
    }
}

#[test]
fn a_remembered_rule_does_not_run() {
    let rules = Rules::of(&Schema::parse(BUILT_IN).expect("the built-in schema")).expect("the built-in rules");
    let mut lesson = lesson();
    lesson.insert("groupSize".to_owned(), json!(5));
    let hashes = rules.passes.hashes(&rules.facts.read(&lesson));
    let (index, _) =
        rules.rules.iter().enumerate().find(|(_, rule)| rule.id == "group_size").expect("a rule for groups");
    // Pretends that the rule found nothing. If it ran, it would find that groups of three are not groups of five.
    rules.passes.units.insert(hashes[index].expect("known inputs"), 1);
    assert!(rules.check(&lesson, Check::Shown).found.is_empty());
}

/// Returns the rules that this expression makes with the fields `a` and `b`.
fn rules(each: Option<&str>, rule: &str) -> Rules {
    let any = json!({"type": ["string", "integer", "number", "object", "array", "null"]});
    let mut source = json!({"id": "r", "fields": ["a"], "rule": rule, "message": "m"});
    if let Some(each) = each {
        source["each"] = json!(each);
    }
    let schema = json!({"type": "object", "properties": {"a": any, "b": any}, "x-rules": [source]});
    Rules::of(&Schema::parse(&schema.to_string()).expect("a schema")).expect("a rule")
}

/// Checks that documents in this order give the same findings as each alone.
fn same_as_alone(each: Option<&str>, rule: &str, documents: &[Value]) {
    let remembering = rules(each, rule);
    for document in documents {
        let content = document.as_object().expect("an object");
        let [together, alone] = [&remembering, &rules(each, rule)].map(|rules| {
            let checked = rules.check(content, Check::Shown);
            (checked.found.into_iter().map(|found| found.finding).collect::<Vec<_>>(), checked.skipped)
        });
        assert_eq!(together, alone, "{rule} for {document} among {documents:?}");
    }
}

#[test]
fn what_was_remembered_never_hides_a_finding() {
    // Numbers and objects whose hashes are equal in some libraries.
    let numbers = [json!({"a": -1}), json!({"a": 18_446_744_073_709_551_615_u64}), json!({"a": -1})];
    same_as_alone(None, "!has(self.a) || type(self.a) == string || self.a < 10", &numbers);
    same_as_alone(
        None,
        "!has(self.a) || self.a == 5",
        &[json!({"a": 5.0}), json!({"a": 4_617_315_517_961_601_024_u64})],
    );
    let orders = [
        r#"{"a": {"x": "groups of four", "y": "groups of five"}}"#,
        r#"{"a": {"y": "groups of five", "x": "groups of four"}}"#,
    ];
    let orders = orders.map(|text| serde_json::from_str(text).expect("JSON"));
    same_as_alone(Some("groupSizes()"), "it.low > 8", &orders);
    // A missing field and null are different.
    same_as_alone(None, "!has(self.a)", &[json!({}), json!({"a": null}), json!({})]);
    // A function called as a method reads its argument alone.
    let texts = [json!({"a": "x", "b": "x"}), json!({"a": "x", "b": "y"})];
    same_as_alone(None, "'a'.texts('b').all(t, t.text == 'x')", &texts);
    // A path that is computed, and the document as a whole.
    same_as_alone(None, "texts('a' + '').all(t, t.text == 'x') || size(texts('b')) == 0", &texts);
    same_as_alone(None, "texts(has(self.a) ? 'b' : 'a').all(t, t.text == 'x')", &texts);
    same_as_alone(None, "!('b' in self) || self['b'] == 'x'", &texts);
}

#[test]
fn facts_of_later_fields_count_up_to_the_limit() {
    let many = |n: usize| Value::from(vec!["Work in groups of four."; n]);
    let documents = [
        json!({"a": many(999), "b": many(5)}),
        json!({"a": many(1001), "b": many(5)}),
        json!({"a": many(3), "b": many(5)}),
    ];
    same_as_alone(None, "size(groupSizes()) != 8", &documents);
    same_as_alone(None, "size(groupSizes()) != 1000", &documents);
}
