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
async fn a_step_that_breaks_a_safety_rule_is_reworded_so_that_it_keeps_it() {
    let (_app, _, teacher) = TestApp::start().await;
    for (safety, step, mended) in [
        ("Do not taste anything.", "Stir. Taste the water and wait.", Some("Stir. Do not taste the water and wait.")),
        ("Only the teacher lights the burner.", "Light the burner.", Some("Let the teacher light the burner.")),
        (
            "Only adults may use the hot glue gun.",
            "Each pupil glues the sticks with the hot glue gun.",
            Some("An adult glues the sticks with the hot glue gun."),
        ),
        ("Do not taste anything.", "Everybody picks a leaf and nibbles it.", None),
    ] {
        let lesson = json!({"safety": [safety], "steps": [{"text": step}, {"text": "Write down what you see."}]});
        let id = teacher.create(lesson.clone()).await;
        let path = format!("/api/investigation/{id}");
        let resolved = teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "safety"})).await;
        let now = teacher.get(&path).await.data();
        assert_eq!(now["steps"][0]["text"], mended.unwrap_or(step), "{resolved}");
        assert_eq!((&now["safety"], &now["steps"][1]), (&lesson["safety"], &lesson["steps"][1]));
        assert_eq!(now["contradictions"] == json!([]), mended.is_some(), "{resolved}");
        assert_eq!(resolved.status.is_success(), mended.is_some(), "{resolved}");
    }
}

#[tokio::test]
async fn steps_in_an_order_that_is_hinted_at_change_places_on_request() {
    let (_app, _, teacher) = TestApp::start().await;
    let texts = ["Warm the water.", "Put the crushed leaves into the tube.", "Wait.", "Crush the leaves."];
    let steps = |order: [usize; 4]| order.map(|step| json!({"text": texts[step], "id": step})).to_vec();
    let id = teacher.create(json!({"steps": steps([0, 1, 2, 3])})).await;
    let path = format!("/api/investigation/{id}");
    assert_eq!(teacher.get(&path).await.data()["hints"][0]["suggestion"], "Let step 4 come before step 2.");
    let resolve = format!("{path}/resolve-contradiction");
    let resolved = teacher.post(&resolve, json!({"fieldName": "steps"})).await;
    assert_eq!(resolved.data()["investigation"]["steps"], json!(steps([0, 3, 1, 2])), "{resolved}");
    assert_eq!(resolved.data()["investigation"]["hints"], json!([]));
    let again = teacher.post(&resolve, json!({"fieldName": "steps"})).await;
    assert_eq!(again.json()["message"], "No contradiction was found for \"steps\"", "{again}");
    assert_eq!(teacher.post_empty(&format!("{path}/undo")).await.data()["steps"], json!(steps([0, 1, 2, 3])));

    // Where steps are named by their numbers, these would be wrong afterwards.
    let named = json!({"steps": steps([0, 1, 2, 3]), "assessment": "What happened in step 3?"});
    let id = teacher.create(named).await;
    let refused =
        teacher.post(&format!("/api/investigation/{id}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
    assert_eq!(refused.json()["message"], "No contradiction was found for \"steps\"", "{refused}");
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
        if path.is_dir() {
            continue;
        }
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
