//! `POST /api/investigation/{id}/dismissals`

use std::time::Duration;

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::undo::complete;
use super::versions::listed;
use crate::support::stream::Stream;
use crate::support::{COLLEAGUE, Caller, TestApp};

/// Returns the finding that the steps take longer than the lesson. [`complete`] with more than ten minutes has no
/// other contradiction.
pub fn too_long() -> Value {
    json!({"fieldName": "durationMinutes", "conflictsWith": ["steps"]})
}

pub async fn dismissed(caller: &Caller, path: &str, finding: Value) -> Value {
    let answer = caller.post(&format!("{path}/dismissals"), finding).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer}");
    answer.data()
}

/// Returns the numbers of contradictions, hints and dismissed findings, and the status.
pub fn counts(investigation: &Value) -> (usize, usize, usize, &str) {
    let count = |field: &str| investigation[field].as_array().expect("an array").len();
    (count("contradictions"), count("hints"), count("dismissed"), investigation["status"].as_str().expect("a status"))
}

const HIDDEN: (usize, usize, usize, &str) = (0, 0, 1, "draft_non_contradictory_complete");
const SHOWN: (usize, usize, usize, &str) = (1, 0, 0, "draft_contradictory_complete");

#[tokio::test]
async fn dismissed_contradiction_is_hidden_and_does_not_affect_the_status() {
    let (app, teacher, path) = TestApp::with(complete(20)).await;
    app.clock.advance(Duration::from_secs(5));
    let mut finding = too_long();
    finding["reason"] = json!("Sowing goes on at home.");
    let answer = app.signed_in(COLLEAGUE).post(&format!("{path}/dismissals"), finding).await;
    assert_snapshot!(answer, @r#"
    POST /api/investigation/000000000000000000000001/dismissals
    {"fieldName":"durationMinutes","conflictsWith":["steps"],"reason":"Sowing goes on at home."}
    201 Created
    etag: "2"
    location: /api/investigation/000000000000000000000001/dismissals/000000000000000000000003
    {
      "success": true, "message": "Finding dismissed successfully",
      "data": {
        "_id": "000000000000000000000001", "title": "Cress", "grade": 5, "curriculum": "Biology",
        "drivingQuestion": "?", "objectives": ["Sow"], "materials": [{"name": "Seeds"}], "durationMinutes": 10,
        "assessment": "Quiz", "steps": [{"text": "Sow", "minutes": 20}],
        "status": "draft_non_contradictory_complete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": null}, "lastChangeWithAI": false, "contradictions": [], "hints": [],
        "dismissed": [
          {
            "id": "000000000000000000000003", "fieldName": "durationMinutes", "conflictsWith": ["steps"],
            "evidence": [
              {"fieldPath": "durationMinutes", "quote": "10"},
              {"fieldPath": "steps.0.minutes", "quote": "20"}
            ],
            "suggestion": "Set the duration to 20 minutes, or shorten the steps.", "source": "rule:duration_sum",
            "findingReason": "The steps take 20 minutes, but the lesson lasts 10.",
            "by": "bbbbbbbbbbbbbbbbbbbbbbbb", "at": "2026-11-21T08:00:05.000Z",
            "reason": "Sowing goes on at home."
          }
        ],
        "version": 0, "revision": 2, "clonedFrom": null, "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:05.000Z"
      }
    }
    "#);
    assert_eq!(teacher.get(&path).await.data(), answer.data());
    assert_eq!(teacher.get("/api/investigation").await.json()["data"]["items"][0], answer.data());
    assert_eq!(listed(&teacher, &path).await, "");
}

#[tokio::test]
async fn dismissed_finding_is_shown_when_its_value_changes_and_hidden_again_by_undo() {
    let (_app, teacher, id) = TestApp::with_id(complete(20)).await;
    let path = format!("/api/investigation/{id}");
    dismissed(&teacher, &path, too_long()).await;
    let other = teacher.patch(&path, json!({"title": "Cress again"})).await.json();
    assert_eq!(counts(&other["updatedInvestigation"]), HIDDEN, "no value that was read");
    let shorter = teacher.patch(&path, json!({"durationMinutes": 9})).await.json();
    assert_eq!(counts(&shorter["updatedInvestigation"]), SHOWN);
    assert_eq!(counts(&teacher.post_empty(&format!("{path}/undo")).await.data()), HIDDEN);
    assert_eq!(counts(&teacher.post_empty(&format!("{path}/redo")).await.data()), SHOWN);
    assert_eq!(counts(&teacher.post_empty(&format!("{path}/versions/1/restore")).await.data()), HIDDEN);
    let foreseen = teacher.patch(&format!("{path}?dryRun=true"), json!({"durationMinutes": 8})).await.json();
    assert_eq!(counts(&foreseen["updatedInvestigation"]), SHOWN);
    let by_hand = teacher.patch(&path, json!({"durationMinutes": 8})).await.json();
    assert_eq!(counts(&by_hand["updatedInvestigation"]), SHOWN);
    let twice = dismissed(&teacher, &path, too_long()).await;
    assert_eq!(counts(&twice), HIDDEN, "one of two dismissals applies");
    let first = teacher.patch(&path, json!({"durationMinutes": 10})).await.json();
    assert_eq!(counts(&first["updatedInvestigation"]), HIDDEN);
    assert_ne!(first["updatedInvestigation"]["dismissed"][0]["id"], twice["dismissed"][0]["id"]);
}

#[tokio::test]
async fn dismissal_keeps_a_lesson_published_and_marked_as_changed_with_ai() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut content = complete(20);
    content["status"] = json!("published");
    content["steps"][0]["text"] = json!("Sow as in step 3.");
    let path = teacher.create_path(content).await;
    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "durationMinutes"})).await;
    let after = dismissed(&teacher, &path, json!({"fieldName": "steps", "conflictsWith": ["steps"]})).await;
    assert_eq!(counts(&after), (0, 0, 1, "published"));
    assert_eq!(
        (&after["version"], &after["revision"], &after["lastChangeWithAI"]),
        (&json!(1), &json!(3), &json!(true))
    );
    assert_eq!(listed(&teacher, &path).await, "1");
}

#[tokio::test]
async fn dismissal_names_two_fields_in_any_order_or_selects_a_finding_by_evidence() {
    let (_app, teacher, path) = TestApp::with(complete(20)).await;
    let other_side_first = json!({"fieldName": "steps", "conflictsWith": ["durationMinutes"]});
    assert_eq!(counts(&dismissed(&teacher, &path, other_side_first).await), HIDDEN);

    let steps = json!([{"text": "Look at step 7."}, {"text": "Look at step 8."}, {"text": "Wait."}]);
    let path = teacher.create_path(json!({"steps": steps})).await;
    let second =
        json!({"fieldName": "steps", "conflictsWith": ["steps"], "evidence": ["steps.2.text", "steps.1.text"]});
    let after = dismissed(&teacher, &path, second.clone()).await;
    assert_eq!(after["dismissed"][0]["evidence"][0]["quote"], "step 8");
    assert_eq!(after["contradictions"][0]["evidence"][0]["quote"], "step 7");
    let again = teacher.post(&format!("{path}/dismissals"), second).await;
    assert_eq!(again.refusal(), r#"404 "finding_not_found" "Finding not found""#);
    let first = dismissed(&teacher, &path, json!({"fieldName": "steps", "conflictsWith": ["steps"]})).await;
    assert_eq!(counts(&first), (0, 0, 2, "draft_incomplete"));
}

#[tokio::test]
async fn clone_keeps_dismissals_and_its_edits_leave_the_source_unchanged() {
    let (_app, teacher, path) = TestApp::with(complete(20)).await;
    let source = dismissed(&teacher, &path, too_long()).await;
    let cloned = teacher.post_empty(&format!("{path}/clone")).await;
    let clone = cloned.data();
    assert_eq!((counts(&clone), &clone["dismissed"]), (HIDDEN, &source["dismissed"]));
    let edited = teacher.patch(cloned.location(), json!({"durationMinutes": 5})).await.json();
    assert_eq!(counts(&edited["updatedInvestigation"]), SHOWN);
    assert_eq!(counts(&teacher.get(&path).await.data()), HIDDEN);
}

#[tokio::test]
async fn error_for_an_invalid_dismissal_names_the_wrong_member() {
    let (_app, teacher, path) = TestApp::with(complete(20)).await;
    let with = |field: &str, value: Value| {
        let mut body = too_long();
        body[field] = value;
        body
    };
    let dismissals = format!("{path}/dismissals");
    let nothing = teacher.post(&dismissals, json!({})).await;
    assert_snapshot!(nothing.refusal(), @r#"400 "validation_failed" "Validation failed" "fieldName" "must be given, as a string"; "conflictsWith" "must be given, as an array of 1 to 100 strings""#);
    let no_sides = "must be given, as an array of 1 to 100 strings";
    let no_paths = "must be an array of at most 100 strings, the paths in the evidence of the finding";
    for (field, value, message) in [
        ("fieldName", json!(7), "must be given, as a string"),
        ("conflictsWith", json!("steps"), no_sides),
        ("conflictsWith", json!([]), no_sides),
        ("conflictsWith", json!(["steps", 1]), no_sides),
        ("conflictsWith", json!(vec!["steps"; 101]), no_sides),
        ("evidence", json!("steps"), no_paths),
        ("evidence", json!(vec!["steps"; 101]), no_paths),
        ("reason", json!("ü".repeat(501)), "must have at most 500 characters"),
        ("reason", json!(["because"]), "must be a string"),
        ("dismissedBy", json!("me"), "is not a field of a dismissal"),
    ] {
        let refused = teacher.post(&dismissals, with(field, value)).await.refusal();
        assert_eq!(refused, format!(r#"400 "validation_failed" "Validation failed" "{field}" "{message}""#));
    }
    for unknown in [
        with("conflictsWith", json!(["title"])),
        with("conflictsWith", json!(["steps", "title"])),
        with("evidence", json!(["durationMinutes"])),
    ] {
        let refused = teacher.post(&dismissals, unknown).await.refusal();
        assert_eq!(refused, r#"404 "finding_not_found" "Finding not found""#);
    }
    let after = teacher.get(&path).await;
    assert_eq!((counts(&after.data()), after.header("etag")), (SHOWN, Some("\"1\"")));
    let longest = dismissed(&teacher, &path, with("reason", json!("ü".repeat(500)))).await;
    assert_eq!(counts(&longest), HIDDEN);
}

#[tokio::test]
async fn dismissal_emits_an_event_with_the_new_status() {
    let (_app, teacher, path) = TestApp::with(complete(20)).await;
    dismissed(&teacher, &path, too_long()).await;
    teacher.delete(&format!("{path}/dismissals/000000000000000000000003")).await;
    let mut stream = Stream::open(&teacher, "/api/events?after=0").await;
    let mut told = String::new();
    for _ in 0..7 {
        let (_, _, mut event) = stream.event().await;
        for same in ["id", "at", "investigationId"] {
            event.as_object_mut().expect("an event").shift_remove(same);
        }
        told.push_str(&format!("{event}\n"));
    }
    assert_snapshot!(told, @r#"
    {"type":"investigation.created","revision":1}
    {"type":"investigation.contradictions_found","revision":1,"count":1,"total":1}
    {"type":"investigation.finding_dismissed","revision":2,"dismissalId":"000000000000000000000003"}
    {"type":"investigation.status_changed","revision":2,"from":"draft_contradictory_complete","to":"draft_non_contradictory_complete"}
    {"type":"investigation.dismissal_removed","revision":3,"dismissalId":"000000000000000000000003"}
    {"type":"investigation.status_changed","revision":3,"from":"draft_non_contradictory_complete","to":"draft_contradictory_complete"}
    {"type":"investigation.contradictions_found","revision":3,"count":1,"total":1}
    "#);
}
