//! The rules of a schema: which of them run, what they find, and how they fix it. A rule that fails does not stop the
//! others.

use fieldbook::assistant::Assistant;
use fieldbook::assistant::facts::step_reference;
use fieldbook::assistant::fix::{Meter, Scope};
use fieldbook::assistant::rules::edit::Fix;
use fieldbook::assistant::rules::{BUILT_IN as BUILT_IN_RULES, Document, Level, Rule, RuleError, RuleFinding, Rules};
use fieldbook::domain::content::Content;
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{TestApp, rules};

fn content(value: Value) -> Content {
    value.as_object().expect("an object").clone()
}

/// Returns the ids of the rules that run under a schema, or the reason why it is refused.
fn rules_of(schema: &Value) -> Result<Vec<String>, String> {
    let schema = Schema::parse(&schema.to_string()).map_err(|error| error.to_string())?;
    let listed = Rules::of(&schema).map_err(|error| error.to_string())?.listed();
    let id = |rule: &Value| rule["id"].as_str().expect("an id").to_owned();
    Ok(listed.as_array().expect("a list").iter().map(id).collect())
}

#[test]
fn all_built_in_rules_run_under_the_built_in_schema() {
    let all = BUILT_IN_RULES.map(|rule| rule.id.to_owned());
    assert_eq!(rules_of(&serde_json::from_str(BUILT_IN).expect("JSON")), Ok(all.to_vec()));
}

#[test]
fn rule_runs_only_if_the_schema_has_the_fields_and_types_that_the_rule_needs() {
    for (properties, expected) in [
        (json!({}), vec![]),
        (json!({"steps": {"type": "array"}}), vec!["step_reference"]),
        (json!({"steps": {"type": "string"}}), vec![]),
        (
            json!({"steps": {"$ref": "#/$defs/steps"}, "durationMinutes": {"type": ["number", "null"]}}),
            vec!["duration_sum", "lesson_length", "step_reference"],
        ),
        (json!({"grade": {"type": "integer"}}), vec!["grade_name"]),
        (json!({"curriculum": {}}), vec![]),
    ] {
        let schema = json!({"properties": properties, "$defs": {"steps": {"type": "array"}}});
        assert_eq!(rules_of(&schema), Ok(expected.iter().map(|id| (*id).to_owned()).collect()), "{schema}");
    }
}

#[test]
fn schema_can_turn_off_rules_by_their_ids() {
    let off = |ids: Value| json!({"properties": {"durationMinutes": {}, "steps": {}}, "x-rules-off": ids});
    assert_eq!(
        rules_of(&off(json!(["lesson_length", "same_variable"]))),
        Ok(vec!["duration_sum".to_owned(), "step_reference".to_owned()])
    );
    let known = BUILT_IN_RULES.map(|rule| rule.id).join(", ");
    for (ids, reason) in [
        (
            json!(["duration_sum", "duration"]),
            format!("at /x-rules-off/1: \"duration\" is not a rule; the rules are {known}"),
        ),
        (json!([1]), format!("at /x-rules-off/0: 1 is not a rule; the rules are {known}")),
        (json!("duration_sum"), "at /x-rules-off: must be an array of rule ids".to_owned()),
    ] {
        assert_eq!(rules_of(&off(ids)), Err(reason));
    }
}

#[test]
fn schema_that_defines_its_own_rules_is_refused() {
    let reason = "at /x-rules: a schema cannot have rules of its own; remove x-rules, and list built-in rules that \
                  should not run in x-rules-off";
    for own in [json!([]), json!([{"id": "r", "rule": "true"}])] {
        assert_eq!(rules_of(&json!({ "x-rules": own })), Err(reason.to_owned()));
    }
}

#[test]
fn rules_that_fail_or_panic_are_reported_and_the_other_rules_run() {
    let same = Rule { level: Level::Hint, ..rules::SAME };
    let checked = Rules::from(vec![rules::FAILS, rules::PANICS, same]);
    let checked = checked.check(&content(json!({"a": "text", "b": 1, "list": []})));
    assert_eq!((checked.failed.as_slice(), checked.contradictions.len()), (["fails", "panics"].as_slice(), 0));
    assert_eq!(checked.hints[0].finding.reason, "a is not b.");
}

#[tokio::test]
async fn creation_succeeds_and_is_marked_incomplete_if_a_rule_fails_on_the_content() {
    let schema = r#"{"properties": {"title": {"x-complete": true}}}"#;
    let (_app, teacher) = TestApp::start_with_rules(schema, &[rules::FAILS]).await;
    let created = teacher.post("/api/investigation", json!({"title": "t", "a": "text"})).await;
    assert_eq!(created.status, 201, "{created}");
    assert_eq!(created.data()["status"], "draft_incomplete");
    assert_eq!(created.data()["contradictionsIncomplete"], true);
}

/// A document that an earlier schema accepted can have a text in a field that is a number today.
#[test]
fn built_in_rule_fails_on_a_field_whose_value_has_an_unexpected_type() {
    let schema = Schema::parse(BUILT_IN).expect("a schema");
    let rules = Rules::of(&schema).expect("rules");
    let checked = rules.check(&content(json!({"durationMinutes": "45 min", "steps": null, "materials": "cress"})));
    assert_eq!(checked.failed, ["duration_sum", "lesson_length", "material_amount"]);
}

#[tokio::test]
async fn rule_fix_that_breaks_the_schema_or_adds_a_contradiction_is_rejected() {
    let breaking = Rule {
        find: |document| match rules::value(document, "a") {
            a if a == 1 => Ok(Vec::new()),
            _ => Ok(vec![rules::fixable("m", "a", json!("one"))]),
        },
        ..rules::SILENT
    };
    let one = Rule {
        id: "one",
        find: |document| {
            Ok(Vec::from_iter((rules::value(document, "a") == 1).then(|| rules::fixable("not one", "a", json!(2)))))
        },
        ..rules::SILENT
    };
    let two = Rule {
        id: "two",
        find: |document| {
            Ok(Vec::from_iter((rules::value(document, "a") == 2).then(|| rules::fixable("not two", "a", json!(1)))))
        },
        ..rules::SILENT
    };
    let schema = r#"{"properties":{"a":{"type":"integer"}}}"#;
    for (rules, a) in [(vec![breaking], 5), (vec![one, two], 1)] {
        let (_app, teacher) = TestApp::start_with_rules(schema, &rules).await;
        let id = teacher.create(json!({ "a": a })).await;
        let path = format!("/api/investigation/{id}");
        let before = teacher.get(&path).await.text;
        let failed = teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "a"})).await;
        assert_eq!(failed.status, 500, "{failed}");
        assert!(failed.json()["message"].as_str().is_some_and(|m| m.starts_with("No safe way to resolve")), "{failed}");
        assert_eq!(failed.json()["code"], "not_resolved");
        assert_eq!(teacher.get(&path).await.text, before);
        let regenerated = teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "other"})).await;
        assert_eq!(regenerated.data()["hasChanges"], false);
    }
}

#[tokio::test]
async fn regenerate_rejects_a_rule_fix_that_does_not_remove_its_finding() {
    let rule = Rule { find: |_| Ok(vec![rules::fixable("m", "b", json!(5))]), ..rules::SAME };
    let (_app, teacher) = TestApp::start_with_rules("{}", &[rule]).await;
    let path = teacher.create_path(json!({"title": "t", "a": 20, "b": 1})).await;
    let regenerated = teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "a"})).await;
    assert_eq!(regenerated.data()["hasChanges"], false);
    assert_eq!(regenerated.data()["investigation"]["b"], 1);
}

#[tokio::test]
async fn rule_fix_is_rejected_if_the_rule_fails_on_the_fixed_document() {
    let rule = Rule {
        find: |document| match document.number("a")? {
            Some(_) => Ok(vec![rules::fixable("m", "a", json!("text"))]),
            None => Ok(Vec::new()),
        },
        ..rules::SILENT
    };
    let (_app, teacher) = TestApp::start_with_rules("{}", &[rule]).await;
    let path = teacher.create_path(json!({"a": 1})).await;
    let failed = teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "a"})).await;
    assert_eq!((failed.status.as_u16(), &failed.json()["code"]), (500, &json!("not_resolved")), "{failed}");
}

/// Finds references to step numbers above `most`, and proposes the number of steps instead.
fn far_steps(document: &Document<'_>, most: i64) -> Result<Vec<RuleFinding>, RuleError> {
    let count = document.list("steps")?.map_or(0, Vec::len) as i64;
    let facts = document.facts(&step_reference::WORDS, step_reference::read);
    let found = facts.into_iter().filter(|fact| fact.value > most.min(count.max(most))).map(|fact| RuleFinding {
        reason: "m".to_owned(),
        fixes: vec![Fix::of_number(&fact, count)],
        ..RuleFinding::about(&fact, document.quoted(&FieldPath::parse("steps")))
    });
    Ok(found.collect())
}

#[tokio::test]
async fn two_rules_that_fix_numbers_in_one_sentence_keep_the_words_around_the_numbers() {
    let last = Rule { id: "last", find: |document| far_steps(document, 2), ..rules::SILENT };
    let fifty = Rule { id: "fifty", find: |document| far_steps(document, 50), ..rules::SILENT };
    let (_app, teacher) = TestApp::start_with_rules("{}", &[last, fifty]).await;
    let text = "See step 99 and go on; as in step 98.";
    let id = teacher.create(json!({"steps": [{"text": "a"}, {"text": "b"}], "safety": [text]})).await;
    let path = format!("/api/investigation/{id}/resolve-contradiction");
    let resolved = teacher.post(&path, json!({"fieldName": "a"})).await;
    assert_eq!(resolved.data()["investigation"]["safety"][0], "See step 2 and go on; as in step 2.");
}

#[test]
fn at_most_fifty_findings_of_each_rule_are_shown() {
    let schema = Schema::parse(BUILT_IN).expect("a schema");
    let assistant = Assistant::for_schema(&schema).expect("rules");
    let steps: Vec<_> =
        (0..200).map(|n| json!({"text": format!("{n}: in groups of 5 and a {}-minute lesson", n + 50)})).collect();
    let found = assistant.detect(&content(json!({"groupSize": 4, "durationMinutes": 45, "steps": steps})));
    let of = |rule: &str| found.contradictions.iter().filter(|it| it.source.ends_with(rule)).count();
    assert_eq!((of("group_size"), of("lesson_length")), (50, 50));
}

/// The work of each rule is proportional to the document. If a rule compared all statements with all texts or all
/// materials, this test would take hours.
#[test]
fn rules_can_check_documents_of_two_megabytes() {
    let schema = Schema::parse(BUILT_IN).expect("a schema");
    let assistant = Assistant::for_schema(&schema).expect("rules");
    let statements = [
        "work in groups of 4 ",
        "work in pairs, work in groups of 5 ",
        "see step 9 ",
        "steps 2, 3, 4, 5, 6, 7, 8 and 9 ",
        "our 40-minute lesson ",
        "grade 5 ",
        "5-PS1-2 ",
        "4 lemons in ",
        "meanwhile ",
        "step of step.of.step ",
    ];
    for statement in statements {
        let text = statement.repeat(700_000 / statement.len());
        let materials: Vec<_> = (0..5000).map(|n| json!({"name": format!("lemon {n}"), "quantity": 3})).collect();
        let document = json!({
            "title": text, "grade": 4, "curriculum": text, "durationMinutes": 45, "groupSize": 3,
            "materials": materials, "steps": [{"text": text, "minutes": 50}, {"text": "Sow", "minutes": 60}],
        });
        assert!(!assistant.detect(&content(document)).incomplete, "{statement}");
    }
}

/// How often [`TIRELESS`] ran.
static RUNS: AtomicUsize = AtomicUsize::new(0);

/// A rule that always finds a thousand contradictions, with fixes that do not help.
const TIRELESS: Rule = Rule {
    id: "tireless",
    fields: &[rules::A],
    find: |_| {
        RUNS.fetch_add(1, Ordering::Relaxed);
        Ok((0..1_000).map(|n| rules::fixable(&format!("{n} is wrong."), "a", json!(n + 1))).collect())
    },
    ..rules::SILENT
};

#[test]
fn all_attempted_fixes_of_one_operation_share_one_work_budget() {
    let assistant = Assistant::with_rules(vec![TIRELESS].into());
    let schema = Schema::parse("{}").expect("a schema");
    let runs = |text: usize| {
        RUNS.store(0, Ordering::Relaxed);
        let content = content(json!({"a": 0, "text": "x".repeat(text)}));
        let scope = Scope { content: &content, field: "a", schema: &schema, dismissals: &[], meter: &Meter::default() };
        let _ = assistant.resolve(&scope);
        assistant.regenerate(&scope);
        RUNS.load(Ordering::Relaxed)
    };
    // Three runs come before the first attempted fix. The number of attempts is the work budget of 2 MiB divided by the
    // size of 1,000 findings and the text.
    assert_eq!(runs(0), 3 + 8);
    assert_eq!(runs(1_000_000), 3 + 1);
}
