//! `POST /api/investigation`

use fieldbook::app::{Access, Edge};
use fieldbook::domain::schema;
use insta::assert_snapshot;
use jsonwebtoken::{EncodingKey, Header};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{COLLEAGUE, Caller, Exchange, SECRET, START, TEACHER, TestApp};

/// Content in which every field that counts is filled, and nothing contradicts itself.
pub fn complete() -> Value {
    json!({
        "title": "Cress", "grade": 5, "curriculum": "NGSS", "drivingQuestion": "Why?", "objectives": ["See"],
        "materials": [{"name": "Seeds"}], "durationMinutes": 30, "steps": [{"text": "Sow", "minutes": 10}],
        "assessment": "Quiz",
    })
}

/// Status, path and words of every violation of a refused request.
pub fn violations(refused: &Exchange) -> String {
    let errors = refused.json()["errors"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let lines = errors.iter().map(|e| format!("\n{}: {}", text(&e["path"]), text(&e["message"])));
    format!("{}{}", refused.status, lines.collect::<String>())
}

async fn create(caller: &Caller, body: Value) -> Exchange {
    caller.post("/api/investigation", body).await
}

/// How many investigations there are.
async fn total(caller: &Caller) -> Value {
    caller.get("/api/investigation").await.data()["pagination"]["total"].clone()
}

#[tokio::test]
async fn a_new_investigation_belongs_to_its_caller_and_is_processed() {
    let (_app, _, teacher) = TestApp::start().await;
    let created = teacher.post("/api/investigation", json!({"title": "Cress", "grade": 5})).await;
    assert_snapshot!(created, @r#"
    POST /api/investigation
    {"title":"Cress","grade":5}

    201 Created
    etag: "1"
    {
      "success": true,
      "message": "Investigation created successfully",
      "data": {
        "_id": "000000000000000000000001",
        "title": "Cress",
        "grade": 5,
        "status": "draft_incomplete",
        "author": {
          "id": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "name": null,
          "email": null,
          "avatar": null
        },
        "metadata": {
          "author": null
        },
        "lastChangeWithAI": false,
        "contradictions": [],
        "hints": [],
        "dismissed": [],
        "version": 0,
        "revision": 1,
        "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
}

#[tokio::test]
async fn a_new_investigation_has_an_empty_chat_and_no_versions() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let chat = teacher.get(&format!("/api/investigation/{id}/chat")).await.data();
    assert_eq!((&chat["investigationId"], &chat["history"]), (&json!(id), &json!([])));
    assert_eq!(teacher.get(&format!("/api/investigation/{id}/versions")).await.data(), json!([]));
}

#[tokio::test]
async fn content_is_kept_as_the_author_wrote_it() {
    let (_app, _, teacher) = TestApp::start().await;
    let body =
        r#"{"zeta":{"b":null,"a":[1.5,{"y":1,"x":"é"}]},"title":"  Cress ","alpha":9007199254740993,"grade":"K"}"#;
    let created = teacher.post_text("/api/investigation", "application/json; charset=utf-8", body).await;
    let (wrote, kept) = (&body[1..body.len() - 1], &created.text);
    assert!(kept.contains(&format!(r#""data":{{"_id":"000000000000000000000001",{wrote},"status":"#)), "{kept}");
}

#[tokio::test]
async fn the_status_of_a_new_investigation_says_what_is_missing_or_contradicts_itself() {
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
async fn a_status_set_by_a_person_stays_and_a_draft_status_is_computed() {
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
async fn an_author_in_the_body_takes_the_place_of_the_caller() {
    let (_app, _, teacher) = TestApp::start().await;
    let profile = json!({"id": COLLEAGUE, "name": "Bo", "email": null, "avatar": null});
    for given in [json!(COLLEAGUE), json!(COLLEAGUE.to_uppercase()), profile] {
        let author = create(&teacher, json!({"author": given})).await.data()["author"].clone();
        assert_eq!(author, json!({"id": COLLEAGUE, "name": null, "email": null, "avatar": null}));
    }
    assert_eq!(create(&teacher, json!({"author": null})).await.data()["author"]["id"], TEACHER);
}

#[tokio::test]
async fn an_author_or_a_status_of_the_wrong_form_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = create(&teacher, json!({"title": "Cress", "author": "me", "status": "done"})).await;
    assert_snapshot!(refused, @r#"
    POST /api/investigation
    {"title":"Cress","author":"me","status":"done"}

    400 Bad Request
    {
      "success": false,
      "message": "Validation failed",
      "errors": [
        {
          "path": "author",
          "message": "must be an object identifier (24 hexadecimal digits)"
        },
        {
          "path": "status",
          "message": "must be one of draft_incomplete, draft_non_contradictory_complete, draft_contradictory_complete, in_development, published"
        }
      ],
      "code": "validation_failed"
    }
    "#);
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
async fn a_user_whose_id_is_no_object_identifier_is_no_author() {
    let (_app, anon, _) = TestApp::start().await;
    let claims = json!({"userId": "marie@school.example", "exp": START.0 / 1000 + 60});
    let token = jsonwebtoken::encode(&Header::default(), &claims, &EncodingKey::from_secret(SECRET)).expect("a token");
    let created = create(&anon.bearing(&token), json!({"title": "Cress"})).await;
    assert_eq!(created.status, StatusCode::CREATED);
    assert_eq!(created.data()["author"], json!({"id": null, "name": null, "email": null, "avatar": null}));
}

#[tokio::test]
async fn a_metadata_author_counts_where_it_is_valid() {
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
async fn other_system_fields_in_the_body_are_ignored() {
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
async fn content_that_breaks_the_schema_is_refused_with_every_violation() {
    let (_app, _, teacher) = TestApp::start().await;
    let broken = json!({"title": 7, "grade": 1.5, "groupSize": 0, "steps": [{"minutes": 1}, {"text": "a", "minutes": "b"}],
        "materials": [{}], "variables": {"controlled": "x"}, "safety": null});
    assert_snapshot!(violations(&create(&teacher, broken).await), @"
    400 Bad Request
    title: must be a string
    grade: must be a whole number or a string
    groupSize: must be at least 1
    steps.0.text: is required
    steps.1.minutes: must be a number
    materials.0.name: is required
    variables.controlled: must be an array
    safety: must be an array
    ");
    assert_eq!(total(&teacher).await, 0);
}

#[tokio::test]
async fn a_closed_schema_refuses_fields_that_it_does_not_name() {
    let closed = r#"{"properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}"#;
    let (_app, _, teacher) = TestApp::start_with(Edge::default(), closed).await;
    assert_snapshot!(violations(&create(&teacher, json!({"colour": "red", "grade": 5})).await), @"
    400 Bad Request
    colour: is not a field of the schema
    grade: is not a field of the schema
    title: is required
    ");
    let with_system_fields = json!({"title": "Cress", "status": "published", "version": 3});
    assert_eq!(create(&teacher, with_system_fields).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn what_could_only_be_kept_altered_is_refused_by_name() {
    let (_app, _, teacher) = TestApp::start().await;
    let nested = |levels: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(levels - 1), "]".repeat(levels - 1));
    let mut report = String::new();
    for body in [
        r#"{"a":[0.1,12345678901234567890123]}"#,
        r#"{"a":{"b":1e999}}"#,
        r#"{"a":0.10000000000000000001}"#,
        r#"{"a":["x\u0000y"]}"#,
        r#"{"a":{"\u0000":1}}"#,
        r#"{"a":{"b":1,"b":1}}"#,
        r#"{"a":"#,
        "[]",
        "",
    ] {
        let refused = teacher.post_text("/api/investigation", "application/json", body).await;
        report += &format!("{}\n", violations(&refused));
    }
    assert_snapshot!(report, @r#"
    400 Bad Request
    a.1: is a number that cannot be kept exactly: 12345678901234567890123; give it as a string
    400 Bad Request
    a.b: is a number that cannot be kept exactly: 1e999; give it as a string
    400 Bad Request
    a: is a number that cannot be kept exactly: 0.10000000000000000001; give it as a string
    400 Bad Request
    a.0: holds a NUL character
    400 Bad Request
    a: holds a NUL character
    400 Bad Request
    a: has the key "b" twice
    400 Bad Request
    : is not valid JSON: EOF while parsing a value at line 1 column 5
    400 Bad Request
    : must be a JSON object
    400 Bad Request
    : is not valid JSON: EOF while parsing a value at line 1 column 0
    "#);
    assert_eq!(total(&teacher).await, 0);
    let too_deep = teacher.post_text("/api/investigation", "application/json", &nested(65)).await;
    assert_eq!(too_deep.json()["errors"][0]["message"], "is nested deeper than 64 levels");
    let deep = teacher.post_text("/api/investigation", "application/json", &nested(64)).await;
    assert_eq!(deep.status, StatusCode::CREATED);
}

#[tokio::test]
async fn more_than_a_mebibyte_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let of_size = |bytes: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(bytes - 8));
    let refused = teacher.post_text("/api/investigation", "application/json", &of_size(1024 * 1024 + 1)).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(refused.json()["code"], "too_large");
    assert_eq!(total(&teacher).await, 0);
    let largest = teacher.post_text("/api/investigation", "application/json", &of_size(1024 * 1024)).await;
    assert_eq!(largest.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_body_that_is_not_announced_as_json_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(teacher.post_text("/api/investigation", "text/plain", r#"{"title":"Cress"}"#).await, @r#"
    POST /api/investigation
    {"title":"Cress"}

    415 Unsupported Media Type
    {
      "success": false,
      "message": "Unsupported media type",
      "error": "Send the header Content-Type: application/json",
      "code": "unsupported_media_type"
    }
    "#);
    for content_type in ["application/merge-patch+json", "application/json; charset=latin1"] {
        let refused = teacher.post_text("/api/investigation", content_type, "{}").await;
        assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{content_type}");
    }
}

#[tokio::test]
async fn creating_needs_a_token() {
    let (_app, anon, teacher) = TestApp::start().await;
    assert_snapshot!(create(&anon, json!({"title": 7})).await, @r#"
    POST /api/investigation
    {"title":7}

    401 Unauthorized
    www-authenticate: Bearer
    {
      "success": false,
      "message": "Authentication required",
      "error": "send a token in the header \"Authorization: Bearer …\"",
      "code": "unauthenticated"
    }
    "#);
    assert_eq!(total(&teacher).await, 0);
}

#[tokio::test]
async fn creating_goes_without_a_token_where_tokens_are_optional_but_not_with_a_bad_one() {
    let edge = Edge { investigations: Access::Optional, ..Edge::default() };
    let (_app, anon, _) = TestApp::start_with(edge, schema::BUILT_IN).await;
    let created = create(&anon, json!({"title": "Cress"})).await;
    assert_eq!(created.status, StatusCode::CREATED);
    assert_eq!(created.data()["author"]["id"], Value::Null);
    let named = create(&anon, json!({"author": COLLEAGUE})).await;
    assert_eq!(named.data()["author"]["id"], COLLEAGUE);
    let refused = create(&anon.bearing("nonsense"), json!({"title": "Cress"})).await;
    assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::UNAUTHORIZED, &json!("invalid_token")));
}
