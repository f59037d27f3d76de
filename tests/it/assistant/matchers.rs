//! Matchers: what they find in texts is shown, decides the status, and is mended like what the rules find.

use fieldbook::assistant::Assistant;
use fieldbook::domain::schema::Schema;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::TestApp;

fn lesson() -> Value {
    json!({"title": "Cress", "grade": 3, "steps": [{"text": "Work in pairs. Sow the cress."}], "groupSize": 4})
}

#[tokio::test]
async fn what_two_texts_say_is_shown_with_both_quotes_and_resolved_on_the_side_that_is_named() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(lesson()).await;
    let path = format!("/api/investigation/{id}");
    let found = teacher.get(&path).await.data();
    assert_snapshot!(format!("{:#}", found["contradictions"]), @r#"
    [
      {
        "fieldName": "steps",
        "conflictsWith": [
          "groupSize"
        ],
        "reason": "The groups are of 4, but the text says \"in pairs\".",
        "evidence": [
          {
            "fieldPath": "steps.0.text",
            "quote": "Work in pairs."
          },
          {
            "fieldPath": "groupSize",
            "quote": "4"
          }
        ],
        "suggestion": "Set the group size to 2, or form groups of 4 here.",
        "source": "text:group_size"
      }
    ]
    "#);
    let before = teacher.get(&path).await.data();
    let resolve = format!("{path}/resolve-contradiction");
    let resolved = teacher.post(&resolve, json!({"fieldName": "groupSize"})).await;
    assert_eq!(resolved.data()["investigation"]["groupSize"], 2, "{resolved}");
    assert_eq!(resolved.data()["investigation"]["contradictions"], json!([]));
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    for field in ["groupSize", "steps", "contradictions", "status"] {
        assert_eq!(undone[field], before[field], "{field}");
    }
}

#[tokio::test]
async fn a_schema_without_matchers_reads_no_texts() {
    let schema = json!({"properties": {"title": {"x-complete": true}}}).to_string();
    let (_app, _, teacher) = TestApp::start_with(fieldbook::app::Edge::default(), &schema).await;
    let id = teacher.create(lesson()).await;
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.data()["contradictions"], json!([]));
}

#[test]
fn a_matcher_that_is_not_known_stops_the_start_with_its_place() {
    let refused = |matchers: Value| {
        let schema = Schema::parse(&json!({"x-matchers": matchers}).to_string()).expect("a schema");
        Assistant::for_schema(&schema).err().map_or_else(|| "taken".to_owned(), |error| error.to_string())
    };
    assert_eq!(refused(json!(["group_size"])), "taken");
    assert_eq!(refused(json!("all")), "taken");
    assert!(refused(json!(["group_size", "mood"])).starts_with("at /x-matchers/1: is none of curriculum_grade, "));
    assert_eq!(refused(json!({"all": true})), "at /x-matchers: must be \"all\" or an array of names");
}

#[tokio::test]
async fn of_the_examples_two_contradict_themselves_on_purpose() {
    let (_app, _, teacher) = TestApp::start().await;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = Vec::new();
    for file in std::fs::read_dir(folder).expect("the examples") {
        let path = file.expect("a file").path();
        let content = serde_json::from_slice(&std::fs::read(&path).expect("a text")).expect("JSON");
        let id = teacher.create(content).await;
        let shown = teacher.get(&format!("/api/investigation/{id}")).await.data();
        for finding in shown["contradictions"].as_array().expect("a list") {
            found.push(format!("{} {}", path.file_name().expect("a name").display(), finding["source"]));
        }
    }
    found.sort();
    assert_eq!(found, ["bread-mould.json \"rule:duration_sum\"", "pulley-crane.json \"rule:step_reference\""],);
}
