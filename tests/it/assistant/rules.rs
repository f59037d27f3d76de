//! Consistency rules in an operator's own schema: what they find, how they fix it, and which rules the service
//! refuses.

use fieldbook::app::HttpSettings;
use fieldbook::assistant::Assistant;
use fieldbook::domain::schema::Schema;
use serde_json::{Value, json};

use crate::support::TestApp;

fn schema(rule: Value) -> String {
    json!({ "properties": { "title": { "x-complete": true } }, "x-rules": [rule] }).to_string()
}

/// Returns the reason why the service refuses a rule, or "taken".
fn refused(rule: Value) -> String {
    let schema = Schema::parse(&schema(rule)).expect("a schema");
    Assistant::for_schema(&schema).err().map_or_else(|| "taken".to_owned(), |error| error.to_string())
}

fn with(changes: Value) -> Value {
    let mut rule = json!({"id": "r", "fields": ["a", "b"], "rule": "true", "message": "m"});
    for (key, value) in changes.as_object().expect("an object") {
        rule[key.as_str()] = value.clone();
    }
    rule
}

#[tokio::test]
async fn a_rule_of_an_operator_finds_and_fixes_on_either_side() {
    let rule = json!({
        "id": "tally",
        "fields": ["tally", "entries"],
        "when": "has(self.tally) && has(self.entries)",
        "rule": "self.tally == size(self.entries) && self.entries.all(e, e != '')",
        "messageExpression": "string(self.tally) + ' are tallied, ' + string(size(self.entries)) + ' are there'",
        "evidence": ["tally", "entries.*"],
        "fix": { "tally": "size(self.entries)" }
    });
    let (_app, _, teacher) = TestApp::start_with(HttpSettings::default(), &schema(rule)).await;
    let id = teacher.create(json!({"title": "t", "tally": 3, "entries": ["x", "y"]})).await;
    let path = format!("/api/investigation/{id}");
    let found = teacher.get(&path).await.data();
    assert_eq!(found["status"], "draft_contradictory_complete");
    assert_eq!(
        found["contradictions"],
        json!([{
            "fieldName": "tally",
            "conflictsWith": ["entries"],
            "reason": "3 are tallied, 2 are there",
            "evidence": [
                {"fieldPath": "tally", "quote": "3"},
                {"fieldPath": "entries.0", "quote": "x"},
                {"fieldPath": "entries.1", "quote": "y"}
            ],
            "source": "rule:tally"
        }])
    );
    // Only `tally` has a fix, so resolving `entries` changes `tally`.
    let resolved = teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "entries"})).await.data();
    assert_eq!(resolved["message"], "Changed Tally from 3 to 2. 3 are tallied, 2 are there.");
    assert_eq!(resolved["investigation"]["entries"], json!(["x", "y"]));
}

#[tokio::test]
async fn a_rule_that_fails_for_a_content_is_passed_over_and_the_operation_succeeds() {
    let rule = with(json!({"when": "has(self.a)", "rule": "self.a + 1 > 0"}));
    let (_app, _, teacher) = TestApp::start_with(HttpSettings::default(), &schema(rule)).await;
    let created = teacher.post("/api/investigation", json!({"title": "t", "a": "text"})).await;
    assert_eq!(created.status, 201, "{created}");
    assert_eq!(created.data()["status"], "draft_incomplete");
    assert_eq!(created.data()["contradictionsIncomplete"], true);
}

#[tokio::test]
async fn a_mend_that_breaks_the_schema_or_brings_a_contradiction_is_not_taken() {
    let breaking = json!({
        "properties": {"a": {"type": "integer"}},
        "x-rules": [{"id": "r", "fields": ["a"], "when": "has(self.a)", "rule": "self.a == 1", "message": "m", "fix": {"a": "'one'"}}]
    });
    let swapping = json!({"x-rules": [
        {"id": "one", "fields": ["a"], "when": "has(self.a)", "rule": "self.a != 1", "message": "not one", "fix": {"a": "2"}},
        {"id": "two", "fields": ["a"], "when": "has(self.a)", "rule": "self.a != 2", "message": "not two", "fix": {"a": "1"}}
    ]});
    for (schema, message) in [(breaking, "m"), (swapping, "not")] {
        let (_app, _, teacher) = TestApp::start_with(HttpSettings::default(), &schema.to_string()).await;
        let id = teacher.create(json!({"a": if message == "m" { 5 } else { 1 }})).await;
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
async fn a_mend_that_leaves_its_finding_is_not_taken_by_regenerate() {
    let rule = with(json!({"when": "has(self.a)", "rule": "self.a < 10", "fix": {"b": "5"}}));
    let (_app, _, teacher) = TestApp::start_with(HttpSettings::default(), &schema(rule)).await;
    let id = teacher.create(json!({"title": "t", "a": 20, "b": 1})).await;
    let regenerated = teacher.post(&format!("/api/investigation/{id}/regenerate"), json!({"fieldName": "a"})).await;
    assert_eq!(regenerated.data()["hasChanges"], false);
    assert_eq!(regenerated.data()["investigation"]["b"], 1);
}

#[tokio::test]
async fn two_rules_that_mend_the_same_words_leave_the_words_around_them_alone() {
    let rule = |id: &str, most: &str| {
        json!({"id": id, "fields": ["steps"], "each": "stepReferences()", "when": "has(self.steps)", "message": id,
               "rule": format!("it.number <= {most}"), "fix": {"it": "withNumber(it, size(self.steps))"}})
    };
    let schema = json!({"x-rules": [rule("last", "size(self.steps)"), rule("fifty", "50")]}).to_string();
    let (_app, _, teacher) = TestApp::start_with(HttpSettings::default(), &schema).await;
    let text = "See step 99 and go on; as in step 98.";
    let id = teacher.create(json!({"steps": [{"text": "a"}, {"text": "b"}], "safety": [text]})).await;
    let path = format!("/api/investigation/{id}/resolve-contradiction");
    let resolved = teacher.post(&path, json!({"fieldName": "steps"})).await;
    assert_eq!(resolved.data()["investigation"]["safety"][0], "See step 2 and go on; as in step 2.");
}

#[test]
fn a_rule_that_cannot_be_used_is_refused_with_its_place_and_the_reason() {
    assert_eq!(refused(with(json!({}))), "taken");
    let table = [
        (json!({"rule": "self.a >"}), "at /x-rules/0/rule: "),
        (json!({"rule": "document.a == 1"}), "at /x-rules/0/rule: knows no \"document\"; the document is \"self\""),
        (json!({"rule": "it.number == 1"}), "at /x-rules/0/rule: knows no \"it\"; the document is \"self\""),
        (json!({"rule": "load(self.a)"}), "at /x-rules/0/rule: knows no function \"load\""),
        (json!({"when": "self.a > 1"}), "at /x-rules/0: fails for an empty document: "),
        (json!({"rule": "1"}), "at /x-rules/0: fails for an empty document: true or false was expected, not int"),
        (json!({"rule": format!("{}1 > 0", "1+".repeat(990))}), "at /x-rules/0/rule: is nested deeper than 64 levels"),
        (json!({"rule": format!("'{}' == ''", "x".repeat(3000))}), "at /x-rules/0/rule: is longer than 2000 bytes"),
        (json!({"fix": {"c": "1"}}), "at /x-rules/0/fix/c: fixes a field that the rule does not name"),
        (json!({"fix": {"a": 1}}), "at /x-rules/0/fix/a: must be an expression"),
        (json!({"id": ""}), "at /x-rules/0: needs an id and at least one field"),
        (json!({"message": null}), "at /x-rules/0: needs either message or messageExpression"),
        (json!({"messageExpression": "'x'"}), "at /x-rules/0: needs either message or messageExpression"),
        (json!({"severity": 1}), "at /x-rules/0: unknown field `severity`"),
    ];
    for (change, reason) in table {
        let said = refused(with(change.clone()));
        assert!(said.starts_with(reason), "{change}: {said}");
    }
    let twice = json!({"x-rules": [with(json!({})), with(json!({}))]}).to_string();
    let said = Assistant::for_schema(&Schema::parse(&twice).expect("a schema")).err().expect("refused").to_string();
    assert_eq!(said, "at /x-rules/1/id: \"r\" stands twice");
}
