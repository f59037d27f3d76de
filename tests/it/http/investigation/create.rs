//! `POST /api/investigation`

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::http::permissions::with_role;
use crate::support::{COLLEAGUE, Caller, Exchange, TEACHER, TestApp};

/// Returns content without contradictions in which every field that a complete lesson needs is filled in.
pub fn complete() -> Value {
    json!({
        "title": "Cress", "grade": 5, "curriculum": "NGSS", "drivingQuestion": "Why?", "objectives": ["See"],
        "materials": [{"name": "Seeds"}], "durationMinutes": 30, "steps": [{"text": "Sow", "minutes": 10}],
        "assessment": "Quiz",
    })
}

/// Returns the status of a refusal, and the path and message of every violation.
pub fn violations(refused: &Exchange) -> String {
    let errors = refused.json()["errors"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let lines = errors.iter().map(|e| format!("\n{}: {}", text(&e["path"]), text(&e["message"])));
    format!("{}{}", refused.status, lines.collect::<String>())
}

pub(super) async fn create(caller: &Caller, body: Value) -> Exchange {
    caller.post("/api/investigation", body).await
}

pub(super) async fn total(caller: &Caller) -> Value {
    caller.get("/api/investigation").await.data()["pagination"]["total"].clone()
}

#[tokio::test]
async fn created_investigation_has_the_caller_as_author_and_a_computed_status() {
    let (_app, _, teacher) = TestApp::start().await;
    let created = teacher.post("/api/investigation", json!({"title": "Cress", "grade": 5})).await;
    assert_snapshot!(created, @r#"
    POST /api/investigation
    {"title":"Cress","grade":5}
    201 Created
    etag: "1"
    location: /api/investigation/000000000000000000000001
    {
      "success": true, "message": "Investigation created successfully",
      "data": {
        "_id": "000000000000000000000001", "title": "Cress", "grade": 5, "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": null}, "lastChangeWithAI": false, "contradictions": [], "hints": [],
        "dismissed": [], "version": 0, "revision": 1, "clonedFrom": null, "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
}

#[tokio::test]
async fn content_keeps_nulls_numbers_and_the_order_of_keys_as_sent() {
    let (_app, _, teacher) = TestApp::start().await;
    let body =
        r#"{"zeta":{"b":null,"a":[1.5,{"y":1,"x":"é"}]},"title":"  Cress ","alpha":9007199254740993,"grade":"K"}"#;
    let created = teacher.post_text("/api/investigation", "application/json; charset=utf-8", body).await;
    let (wrote, kept) = (&body[1..body.len() - 1], &created.text);
    assert!(kept.contains(&format!(r#""data":{{"_id":"000000000000000000000001",{wrote},"status":"#)), "{kept}");
}

#[tokio::test]
async fn status_of_a_new_investigation_shows_missing_fields_and_contradictions() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut contradictory = complete();
    contradictory["durationMinutes"] = json!(5);
    assert_eq!(create(&teacher, complete()).await.data()["status"], "draft_non_contradictory_complete");
    let found = create(&teacher, contradictory.clone()).await.data();
    assert_eq!(found["status"], "draft_contradictory_complete");
    assert_eq!(found["contradictions"][0]["source"], "rule:duration_sum");
    for field in complete().as_object().expect("an object").keys() {
        let mut without = contradictory.clone();
        without.as_object_mut().expect("an object").remove(field);
        assert_eq!(create(&teacher, without).await.data()["status"], "draft_incomplete", "without {field}");
    }
    for (field, blank) in [("title", json!(" ")), ("objectives", json!([])), ("grade", json!(""))] {
        let mut content = complete();
        content[field] = blank;
        assert_eq!(create(&teacher, content).await.data()["status"], "draft_incomplete", "with a blank {field}");
    }
}

#[tokio::test]
async fn creation_keeps_a_status_that_people_set_and_replaces_a_draft_status_with_the_computed_one() {
    let (_app, _, teacher) = TestApp::start().await;
    for (given, kept) in [
        ("in_development", "in_development"),
        ("published", "published"),
        ("draft_contradictory_complete", "draft_incomplete"),
        ("draft_incomplete", "draft_incomplete"),
    ] {
        assert_eq!(create(&teacher, json!({"title": "Cress", "status": given})).await.data()["status"], kept);
    }
}

#[tokio::test]
async fn author_in_the_body_of_a_creation_overrides_the_caller() {
    let (_app, _, teacher) = TestApp::start().await;
    let profile = json!({"id": COLLEAGUE, "name": "Bo", "email": null, "avatar": null});
    for given in [json!(COLLEAGUE), json!(COLLEAGUE.to_uppercase()), profile] {
        let author = create(&teacher, json!({"author": given})).await.data()["author"].clone();
        assert_eq!(author, json!({"id": COLLEAGUE, "name": null, "email": null, "avatar": null}));
    }
    assert_eq!(create(&teacher, json!({"author": null})).await.data()["author"]["id"], TEACHER);
}

#[tokio::test]
async fn malformed_author_or_status_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = create(&teacher, json!({"title": "Cress", "author": "me", "status": "done"})).await;
    assert_snapshot!(violations(&refused), @"
    400 Bad Request
    author: must be an object identifier (24 hexadecimal digits)
    status: must be one of draft_incomplete, draft_non_contradictory_complete, draft_contradictory_complete, in_development, published
    ");
    for body in [
        json!({"author": 7}),
        json!({"author": ""}),
        json!({"author": {}}),
        json!({"author": [TEACHER]}),
        json!({"author": format!(" {TEACHER} ")}),
        json!({"status": null}),
        json!({"status": "Published"}),
        json!({"status": ["published"]}),
    ] {
        assert_eq!(create(&teacher, body.clone()).await.status, StatusCode::BAD_REQUEST, "{body}");
    }
    assert_eq!(total(&teacher).await, 0);
}

#[tokio::test]
async fn creation_without_a_user_takes_the_author_from_the_metadata() {
    let (app, anon, _) = TestApp::start_with_optional_tokens().await;
    let created = anon.post("/api/investigation", json!({"title": "Cress", "metadata": {"author": COLLEAGUE}})).await;
    assert_snapshot!(created, @r#"
    POST /api/investigation
    {"title":"Cress","metadata":{"author":"bbbbbbbbbbbbbbbbbbbbbbbb"}}
    201 Created
    etag: "1"
    location: /api/investigation/000000000000000000000001
    {
      "success": true, "message": "Investigation created successfully",
      "data": {
        "_id": "000000000000000000000001", "title": "Cress", "status": "draft_incomplete",
        "author": {"id": "bbbbbbbbbbbbbbbbbbbbbbbb", "name": null, "email": null, "avatar": null},
        "metadata": {"author": "bbbbbbbbbbbbbbbbbbbbbbbb"}, "lastChangeWithAI": false, "contradictions": [],
        "hints": [], "dismissed": [], "version": 0, "revision": 1, "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
    let path = created.location().to_owned();
    let listed = anon.get(&format!("/api/investigation?author={COLLEAGUE}")).await.data();
    assert_eq!(listed["pagination"]["total"], 1);
    let changed = app.signed_in(TEACHER).patch(&path, json!({"title": "Peas"})).await.json();
    let changed = &changed["updatedInvestigation"];
    assert_eq!((&changed["author"]["id"], &changed["metadata"]["author"]), (&json!(COLLEAGUE), &json!(COLLEAGUE)));
}

#[tokio::test]
async fn null_in_a_field_of_the_schema_counts_as_absent() {
    let (_app, _, teacher) = TestApp::start().await;
    let created = create(
        &teacher,
        json!({
            "title": null, "grade": null, "steps": [{"text": "Sow", "minutes": null, "place": null}],
            "variables": {"independent": null, "controlled": ["light"], "other": null}, "objectives": null, "own": null,
        }),
    )
    .await;
    assert_snapshot!(created, @r#"
    POST /api/investigation
    {"title":null,"grade":null,"steps":[{"text":"Sow","minutes":null,"place":null}],"variables":{"independent":null,"controlled":["light"],"other":null},"objectives":null,"own":null}
    201 Created
    etag: "1"
    location: /api/investigation/000000000000000000000001
    {
      "success": true, "message": "Investigation created successfully",
      "data": {
        "_id": "000000000000000000000001", "steps": [{"text": "Sow", "place": null}],
        "variables": {"controlled": ["light"], "other": null}, "own": null, "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": null}, "lastChangeWithAI": false, "contradictions": [], "hints": [],
        "dismissed": [], "version": 0, "revision": 1, "clonedFrom": null, "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
}

#[tokio::test]
async fn creation_keeps_an_author_in_the_metadata_only_if_it_is_a_valid_id() {
    let (_app, _, teacher) = TestApp::start().await;
    for (given, kept) in [
        (json!({"author": COLLEAGUE}), json!(COLLEAGUE)),
        (json!({"author": format!(" {} ", COLLEAGUE.to_uppercase()), "colour": "red"}), json!(COLLEAGUE)),
        (json!({"author": "me"}), Value::Null),
        (json!({"author": {"id": COLLEAGUE}}), Value::Null),
        (json!("x"), Value::Null),
    ] {
        let created = create(&teacher, json!({"metadata": given})).await;
        assert_eq!(created.data()["metadata"], json!({"author": kept}), "{created}");
    }
}

#[tokio::test]
async fn creation_ignores_system_fields_other_than_author_and_status() {
    let (_app, _, teacher) = TestApp::start().await;
    let plain = create(&teacher, json!({"title": "Cress"})).await.data();
    let given = json!({
        "_id": "cccccccccccccccccccccccc", "title": "Cress", "lastChangeWithAI": true, "contradictions": [{}],
        "hints": "x", "dismissed": [1], "contradictionsIncomplete": true, "contradictionsPending": 1, "version": 7,
        "revision": "x", "clonedFrom": COLLEAGUE, "createdAt": 1, "updatedAt": null,
    });
    let mut second = create(&teacher, given).await.data();
    assert_ne!(second["_id"], plain["_id"]);
    second["_id"] = plain["_id"].clone();
    assert_eq!(second.to_string(), plain.to_string());
}

#[tokio::test]
async fn user_can_create_at_most_20_000_investigations_including_those_in_the_trash() {
    let (app, teacher) = TestApp::start_with_trash().await;
    // An investigation that the teacher creates for another author counts, too.
    let first = teacher.create(json!({"title": "Cress", "author": COLLEAGUE})).await;
    app.behind(&format!(
        "INSERT INTO investigation (id, creator, {KEPT})
         WITH RECURSIVE c (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM c WHERE n < 20000)
         SELECT '00000' || CAST(1000000000000000000 + c.n AS TEXT), i.creator, {KEPT} FROM c, investigation i"
    ));
    let second = format!("/api/investigation/{}", teacher.create(json!({"title": "Radish"})).await);
    let answered = async || create(&teacher, json!({"title": "Bean"})).await.refusal();
    let full = "A user can have created at most 20000 lessons, with those in the trash; delete some permanently first";
    let expected = format!(r#"400 "validation_failed" "Validation failed" "" "{full}""#);
    assert_eq!(answered().await, expected);
    assert_eq!(teacher.post_empty(&format!("/api/investigation/{first}/clone")).await.refusal(), expected);
    assert_eq!(teacher.delete(&second).await.status, StatusCode::OK);
    assert_eq!(answered().await, expected, "the trash counts");
    assert_eq!(teacher.post_empty(&format!("{second}/undelete")).await.status, StatusCode::OK);
    assert_eq!(answered().await, expected, "what comes back counts");
    let admin = with_role(&app, TEACHER, "admin");
    for caller in [&app.signed_in(COLLEAGUE), &admin] {
        assert_eq!(create(caller, json!({"title": "Bean"})).await.status, StatusCode::CREATED);
    }
    // The admin is the teacher with another role, so the investigation that the admin created counts for the teacher,
    // too. The teacher can create another one only after two deletions.
    for (removed, answer) in [(second, &expected[..]), (format!("/api/investigation/{first}"), "201")] {
        assert_eq!(admin.delete(&format!("{removed}?permanently=true")).await.status, StatusCode::OK);
        assert_eq!(answered().await.get(..answer.len()), Some(answer));
    }
}

/// Columns that the test copies.
const KEPT: &str = "revision, status, author, metadata_author, last_change_with_ai, version, latest_version, cloned_from, \
     created_at, updated_at, group_key, curriculum_key, title_key, grade_key, curriculum, grade, title, findings, content";
