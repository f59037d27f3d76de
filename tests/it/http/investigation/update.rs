//! `PATCH /api/investigation/{id}`

use std::time::Duration;

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::create::{complete, violations};
use crate::support::{COLLEAGUE, Caller, TEACHER, TestApp};

pub(super) async fn patched(caller: &Caller, path: &str, patch: Value) -> Value {
    let updated = caller.patch(path, patch).await;
    assert_eq!(updated.status, StatusCode::OK, "{updated}");
    updated.json()["updatedInvestigation"].clone()
}

pub(super) async fn versions(caller: &Caller, path: &str) -> usize {
    caller.get(&format!("{path}/versions")).await.data().as_array().expect("an array").len()
}

#[tokio::test]
async fn update_changes_the_given_fields_and_writes_a_version_record() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress", "grade": 5})).await;
    app.clock.advance(Duration::from_millis(1500));
    assert_snapshot!(teacher.patch(&path, json!({"grade": "6"})).await, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"grade":"6"}
    200 OK
    etag: "2"
    {
      "success": true,
      "updatedInvestigation": {
        "_id": "000000000000000000000001", "title": "Cress", "grade": "6", "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": "aaaaaaaaaaaaaaaaaaaaaaaa"}, "lastChangeWithAI": false, "contradictions": [],
        "hints": [], "dismissed": [], "version": 1, "revision": 2, "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:01.500Z"
      }
    }
    "#);
    let records = teacher.get(&format!("{path}/versions")).await.data();
    assert_snapshot!(records, @r#"[{"version":1,"kind":"update","at":"2026-11-21T08:00:01.500Z","by":"aaaaaaaaaaaaaaaaaaaaaaaa","withAI":false,"undone":false,"changes":[{"fieldPath":"grade","before":5,"after":"6"}]}]"#);
}

#[tokio::test]
async fn update_merges_objects_replaces_arrays_and_removes_fields_set_to_null() {
    let (_app, teacher, path) = TestApp::with(json!({
        "variables": {"independent": "light", "dependent": "height", "controlled": ["water", "soil"]},
        "title": "Cress", "safety": ["gloves", "goggles"], "phenomenon": "Green", "note": {"deep": {"a": 1, "b": 2}},
    }))
    .await;
    let patch = json!({
        "new": {"kept": 1, "dropped": null}, "safety": ["gloves"], "phenomenon": null, "absent": null,
        "variables": {"dependent": null, "independent": "dark"}, "note": {"deep": {"a": [null, {"b": null}]}},
    });
    let mut after = patched(&teacher, &path, patch).await;
    for system in ["status", "author", "metadata", "contradictions", "hints", "dismissed"] {
        after.as_object_mut().expect("an object").shift_remove(system);
    }
    assert_snapshot!(after, @r#"{"_id":"000000000000000000000001","variables":{"independent":"dark","controlled":["water","soil"]},"title":"Cress","safety":["gloves"],"note":{"deep":{"a":[null,{"b":null}],"b":2}},"new":{"kept":1},"lastChangeWithAI":false,"version":1,"revision":2,"clonedFrom":null,"createdAt":"2026-11-21T08:00:00.000Z","updatedAt":"2026-11-21T08:00:00.000Z"}"#);
    let stored = teacher.get(&path).await.data();
    assert_eq!((&stored["note"], &stored["new"]), (&after["note"], &after["new"]));
}

#[tokio::test]
async fn update_accepts_the_content_types_json_and_merge_patch() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    for (content_type, title) in [("application/json", "A"), ("application/merge-patch+json; charset=UTF-8", "B")] {
        let updated = teacher.patch_text(&path, content_type, &json!({"title": title}).to_string()).await;
        assert_eq!(updated.json()["updatedInvestigation"]["title"], title);
    }
    let refused = teacher.patch_text(&path, "application/json-patch+json", "{}").await;
    assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(
        refused.json()["error"],
        "Send the header Content-Type: application/json or application/merge-patch+json"
    );
    for body in ["[]", "null", "", r#"{"a":1,"a":1}"#, r#"{"a":1e999}"#] {
        assert_eq!(teacher.patch_text(&path, "application/json", body).await.status, StatusCode::BAD_REQUEST, "{body}");
    }
}

#[tokio::test]
async fn update_without_changes_writes_no_version_record() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress", "variables": {"independent": "light"}})).await;
    let before = patched(&teacher, &path, json!({"grade": 5})).await;
    app.clock.advance(Duration::from_secs(1));
    for patch in [
        json!({}),
        json!({"title": "Cress", "grade": 5}),
        json!({"variables": {}, "absent": null}),
        json!({"status": "draft_incomplete", "metadata": {"author": COLLEAGUE}}),
        before.clone(),
    ] {
        let after = teacher.patch(&path, patch).await;
        assert_eq!(after.json()["updatedInvestigation"].to_string(), before.to_string());
        assert_eq!(after.header("etag"), Some("\"2\""));
    }
    assert_eq!(versions(&teacher, &path).await, 1);
}

#[tokio::test]
async fn system_fields_in_a_patch_are_ignored() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let before = patched(&teacher, &path, json!({"grade": 5})).await;
    let patch = json!({
        "_id": "x", "author": COLLEAGUE, "lastChangeWithAI": true, "contradictions": null, "hints": [1], "dismissed": "x", "version": 9,
        "revision": 9, "clonedFrom": COLLEAGUE, "createdAt": null, "updatedAt": "x", "metadata": {"colour": "red"},
    });
    assert_eq!(patched(&teacher, &path, patch).await, before);
}

#[tokio::test]
async fn author_in_the_metadata_is_set_by_the_first_update_and_never_changes() {
    let (app, _, teacher) = TestApp::start().await;
    for (given, kept) in [
        (json!({"author": COLLEAGUE}), COLLEAGUE),
        (json!({"author": format!("\t{} ", COLLEAGUE.to_uppercase())}), COLLEAGUE),
        (json!({"author": "nobody"}), TEACHER),
        (json!({"author": 7}), TEACHER),
        (json!({"colour": "red"}), TEACHER),
        (Value::Null, TEACHER),
    ] {
        let path = teacher.create_path(json!({})).await;
        let after = patched(&teacher, &path, json!({"title": "Cress", "metadata": given})).await;
        assert_eq!(after["metadata"], json!({"author": kept}), "{given}");
        let other = json!({"metadata": {"author": "cccccccccccccccccccccccc"}});
        let after = patched(&app.signed_in(COLLEAGUE), &path, other).await;
        assert_eq!(after["metadata"], json!({"author": kept}), "it stays");
    }
    let path = teacher.create_path(json!({"metadata": {"author": COLLEAGUE}})).await;
    assert_eq!(patched(&teacher, &path, json!({"title": "Cress"})).await["metadata"]["author"], COLLEAGUE);
    // Updates by other people do not change the author of the investigation.
    let path = teacher.create_path(json!({})).await;
    let after = patched(&app.signed_in(COLLEAGUE), &path, json!({"title": "Cress"})).await;
    assert_eq!((&after["author"]["id"], &after["metadata"]["author"]), (&json!(TEACHER), &json!(COLLEAGUE)));
}

#[tokio::test]
async fn first_user_who_updates_an_investigation_without_an_author_becomes_its_author() {
    let (app, anon, teacher) = TestApp::start_with_optional_tokens().await;
    for (patch, author) in [
        (json!({"title": "Cress"}), TEACHER),
        (json!({}), TEACHER),
        (json!({"metadata": {"author": COLLEAGUE}}), COLLEAGUE),
    ] {
        let path = anon.create_path(json!({})).await;
        let nobody = patched(&anon, &path, json!({"grade": 5, "metadata": {"author": "nobody"}})).await;
        assert_eq!(nobody["author"]["id"], Value::Null);
        let after = patched(&teacher, &path, patch.clone()).await;
        assert_eq!((&after["author"]["id"], &after["metadata"]["author"]), (&json!(author), &json!(author)), "{patch}");
        // The author is stored: a later update and the list show the same author.
        let later = patched(&app.signed_in(COLLEAGUE), &path, json!({"grade": 6})).await;
        assert_eq!(later["author"]["id"], author);
        assert_eq!(
            teacher.get(&format!("/api/investigation?author={author}")).await.json()["data"]["items"][0]["_id"],
            later["_id"]
        );
    }
}

#[tokio::test]
async fn computed_status_follows_the_content() {
    let (_app, teacher, path) = TestApp::with(complete()).await;
    for (patch, status) in [
        (json!({"durationMinutes": 5}), "draft_contradictory_complete"),
        (json!({"assessment": " "}), "draft_incomplete"),
        (json!({"assessment": "Quiz"}), "draft_contradictory_complete"),
        (json!({"steps": [{"text": "Sow", "minutes": 5}]}), "draft_non_contradictory_complete"),
        (json!({"title": null}), "draft_incomplete"),
    ] {
        let after = patched(&teacher, &path, patch.clone()).await;
        assert_eq!(after["status"], status, "{patch}");
        assert_eq!(teacher.get(&path).await.data(), after);
    }
}

#[tokio::test]
async fn manual_statuses_stay_until_a_person_changes_them() {
    let (_app, teacher, path) = TestApp::with(complete()).await;
    for sticky in ["in_development", "published"] {
        assert_eq!(patched(&teacher, &path, json!({"status": sticky})).await["status"], sticky);
        let contradictory = patched(&teacher, &path, json!({"durationMinutes": 5})).await;
        assert_eq!((&contradictory["status"], contradictory["contradictions"][0].is_object()), (&json!(sticky), true));
        assert_eq!(patched(&teacher, &path, json!({"title": null})).await["status"], sticky);
        teacher.post_empty(&format!("{path}/undo")).await;
        assert_eq!(teacher.get(&path).await.data()["status"], sticky);
        let draft = patched(&teacher, &path, json!({"status": "draft_incomplete"})).await;
        assert_eq!(draft["status"], "draft_contradictory_complete", "a draft status is computed");
    }
}

#[tokio::test]
async fn unknown_status_is_refused_and_nothing_changes() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let refused = teacher.patch(&path, json!({"title": "Watercress", "status": "review_ready"})).await;
    assert_snapshot!(violations(&refused), @"
    400 Bad Request
    status: must be one of draft_incomplete, draft_non_contradictory_complete, draft_contradictory_complete, in_development, published
    ");
    for status in [json!(null), json!(1), json!({})] {
        assert_eq!(teacher.patch(&path, json!({"status": status})).await.status, StatusCode::BAD_REQUEST);
    }
    let stored = teacher.get(&path).await.data();
    assert_eq!((&stored["title"], &stored["revision"]), (&json!("Cress"), &json!(1)));
}

#[tokio::test]
async fn lesson_changed_by_a_person_is_no_longer_marked_as_changed_with_ai() {
    let mut content = complete();
    content["durationMinutes"] = json!(5);
    let (_app, teacher, path) = TestApp::with(content).await;
    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "durationMinutes"})).await;
    assert_eq!(teacher.get(&path).await.data()["lastChangeWithAI"], true);
    assert_eq!(patched(&teacher, &path, json!({"title": "Watercress"})).await["lastChangeWithAI"], false);
}

#[tokio::test]
async fn update_that_breaks_the_schema_is_refused_with_every_violation() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress", "steps": [{"text": "Sow"}]})).await;
    let patch =
        json!({"title": 7, "phenomenon": "Green", "steps": [{"minutes": -1}], "variables": {"independent": []}});
    assert_snapshot!(violations(&teacher.patch(&path, patch).await), @"
    400 Bad Request
    title: must be a string
    steps.0.text: is required
    steps.0.minutes: must be at least 0
    variables.independent: must be a string
    ");
    let stored = teacher.get(&path).await.data();
    assert_eq!((&stored["revision"], stored.get("phenomenon")), (&json!(1), None));
}

#[tokio::test]
async fn document_that_violates_a_new_schema_can_be_read_undone_and_changed_in_valid_fields() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress", "colour": "red", "grade": 5})).await;
    patched(&teacher, &path, json!({"title": "Watercress"})).await;
    let later = r#"{"properties":{"title":{"type":"integer"},"grade":{},"code":{"type":"string"}},
        "required":["code"],"additionalProperties":false}"#;
    let app = app.restart_with_schema(later).await;
    let teacher = app.signed_in(TEACHER);
    assert_eq!(teacher.get(&path).await.data()["title"], "Watercress");
    assert_eq!(patched(&teacher, &path, json!({"grade": 6})).await["grade"], 6);
    let refused = teacher.patch(&path, json!({"title": "Bread", "size": 1, "code": 2})).await;
    assert_snapshot!(violations(&refused), @"
    400 Bad Request
    title: must be a whole number
    code: must be a string
    size: is not a field of the schema
    ");
    assert_eq!(patched(&teacher, &path, json!({"title": 7})).await["title"], 7);
    for title in ["7", "\"Watercress\"", "\"Watercress\"", "\"Cress\""] {
        assert_eq!(teacher.get(&path).await.data()["title"].to_string(), title);
        teacher.post_empty(&format!("{path}/undo")).await;
    }
}

#[tokio::test]
async fn updating_needs_a_token_unless_tokens_are_optional() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    assert_eq!(app.anon().patch(&path, json!({"title": 7})).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(teacher.get(&path).await.data()["revision"], 1);

    let (_open, anon, _) = TestApp::start_with_optional_tokens().await;
    let path = anon.create_path(json!({"title": "Cress"})).await;
    let after = patched(&anon, &path, json!({"title": "Watercress"})).await;
    assert_eq!(after["metadata"], json!({"author": null}));
    assert_eq!(anon.get(&format!("{path}/versions")).await.data()[0]["by"], Value::Null);
    assert_eq!(
        patched(&anon, &path, json!({"metadata": {"author": COLLEAGUE}})).await["metadata"]["author"],
        COLLEAGUE
    );
    let refused = anon.bearing("nonsense").patch(&path, json!({"title": "X"})).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
}
