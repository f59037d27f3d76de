//! `GET /api/investigation/{id}/versions`

use std::time::Duration;

use fieldbook::app::{Access, Edge, ErrorStatuses};
use fieldbook::domain::schema::BUILT_IN;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{COLLEAGUE, Caller, TestApp};

const UNKNOWN: &str = "ffffffffffffffffffffffff";

/// The numbers of the listed versions; those that are undone in brackets.
pub async fn listed(caller: &Caller, id: &str) -> String {
    let versions = caller.get(&format!("/api/investigation/{id}/versions?limit=1000")).await;
    let records = versions.data();
    let number = |record: &Value| match record["undone"] == true {
        true => format!("({})", record["version"]),
        false => record["version"].to_string(),
    };
    records.as_array().expect("records").iter().map(number).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn versions_are_listed_newest_first_with_who_when_and_what() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress", "notes": "old"})).await;
    app.clock.advance(Duration::from_millis(61_005));
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Oats", "notes": null})).await;
    app.clock.advance(Duration::from_secs(600));
    app.signed_in(COLLEAGUE).patch(&format!("/api/investigation/{id}"), json!({"grade": "K"})).await;
    assert_snapshot!(teacher.get(&format!("/api/investigation/{id}/versions")).await, @r#"
    GET /api/investigation/000000000000000000000001/versions

    200 OK
    {
      "success": true,
      "message": "Investigation versions retrieved successfully",
      "data": [
        {
          "version": 2,
          "kind": "update",
          "at": "2026-11-21T08:11:01.005Z",
          "by": "bbbbbbbbbbbbbbbbbbbbbbbb",
          "withAI": false,
          "undone": false,
          "changes": [
            {
              "fieldPath": "grade",
              "after": "K"
            }
          ]
        },
        {
          "version": 1,
          "kind": "update",
          "at": "2026-11-21T08:01:01.005Z",
          "by": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "withAI": false,
          "undone": false,
          "changes": [
            {
              "fieldPath": "notes",
              "before": "old"
            },
            {
              "fieldPath": "title",
              "before": "Cress",
              "after": "Oats"
            }
          ]
        }
      ]
    }
    "#);
}

#[tokio::test]
async fn an_investigation_that_never_changed_has_no_versions() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    assert_snapshot!(teacher.get(&format!("/api/investigation/{id}/versions")).await, @r#"
    GET /api/investigation/000000000000000000000001/versions

    200 OK
    {
      "success": true,
      "message": "Investigation versions retrieved successfully",
      "data": []
    }
    "#);
}

#[tokio::test]
async fn a_value_that_is_null_is_told_apart_from_one_that_is_not_there() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"gone": null, "list": [1]})).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"gone": null, "list": [null, 2]})).await;
    let changes = teacher.get(&format!("/api/investigation/{id}/versions")).await.data()[0]["changes"].clone();
    assert_snapshot!(format!("{changes:#}"), @r#"
    [
      {
        "fieldPath": "gone",
        "before": null
      },
      {
        "fieldPath": "list.0",
        "before": 1,
        "after": null
      },
      {
        "fieldPath": "list.1",
        "after": 2
      }
    ]
    "#);
}

#[tokio::test]
async fn a_version_made_without_a_token_names_nobody() {
    let edge = Edge { investigations: Access::Optional, ..Edge::default() };
    let (_app, anon, _) = TestApp::start_with(edge, BUILT_IN).await;
    let id = anon.create(json!({"title": "Cress"})).await;
    anon.patch(&format!("/api/investigation/{id}"), json!({"title": "Oats"})).await;
    let record = anon.get(&format!("/api/investigation/{id}/versions")).await.data()[0].clone();
    assert_eq!((&record["kind"], &record["by"], &record["withAI"]), (&json!("update"), &Value::Null, &json!(false)));
}

#[tokio::test]
async fn a_status_that_a_person_set_is_a_change_of_its_own_field() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"status": "published"})).await;
    teacher.patch(&path, json!({"status": "published"})).await;
    teacher.patch(&path, json!({"title": "Oats", "status": "draft_incomplete"})).await;
    let records = teacher.get(&format!("{path}/versions")).await.data();
    let changes: Vec<_> = records.as_array().expect("a list").iter().map(|record| &record["changes"]).collect();
    assert_eq!(
        json!(changes),
        json!([
            [
                {"fieldPath": "title", "before": "Cress", "after": "Oats"},
                {"fieldPath": "status", "before": "published", "after": "draft_incomplete"},
            ],
            [{"fieldPath": "status", "before": "draft_incomplete", "after": "published"}],
        ])
    );
    // The content of a version, and what is made of it again, has no status.
    assert_eq!(
        teacher.get(&format!("{path}/versions/1")).await.data(),
        json!({"_id": id, "version": 1, "title": "Cress"})
    );
    let restored = teacher.post_empty(&format!("{path}/versions/1/restore")).await.data();
    assert_eq!((&restored["title"], &restored["status"]), (&json!("Cress"), &json!("draft_incomplete")));
}

#[tokio::test]
async fn only_changes_by_somebody_write_versions() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 5}]})).await;
    let path = format!("/api/investigation/{id}");
    assert_eq!(listed(&teacher, &id).await, "");
    teacher.patch(&path, json!({"durationMinutes": 5})).await;
    teacher.patch(&path, json!({"status": "draft_contradictory_complete"})).await;
    teacher.patch(&path, json!({})).await;
    assert_eq!(listed(&teacher, &id).await, "");

    // The contradiction that this brings is found without a version of its own.
    let updated = teacher.patch(&path, json!({"durationMinutes": 1})).await;
    assert_eq!(updated.json()["updatedInvestigation"]["contradictions"].as_array().map(Vec::len), Some(1), "{updated}");
    assert_eq!(listed(&teacher, &id).await, "1");
    teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(listed(&teacher, &id).await, "(1)");
    teacher.post_empty(&format!("{path}/redo")).await;
    assert_eq!(listed(&teacher, &id).await, "1");
    let copy = teacher.post_empty(&format!("{path}/clone")).await.data()["_id"].as_str().expect("an id").to_owned();
    assert_eq!(listed(&teacher, &copy).await, "");
    assert_eq!(listed(&teacher, &id).await, "1");

    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
    teacher.patch(&path, json!({"durationMinutes": 9, "steps": [{"text": "Sow", "minutes": 12}]})).await;
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "steps"})).await;
    teacher.post_empty(&format!("{path}/versions/0/restore")).await;
    let records = teacher.get(&format!("{path}/versions")).await.data();
    let kinds: Vec<_> = records
        .as_array()
        .expect("records")
        .iter()
        .map(|r| format!("{} {} {}", r["version"], r["kind"], r["withAI"]))
        .collect();
    assert_eq!(
        kinds,
        [
            r#"5 "restore" false"#,
            r#"4 "regenerate" true"#,
            r#"3 "update" false"#,
            r#"2 "resolve" true"#,
            r#"1 "update" false"#
        ]
    );
}

#[tokio::test]
async fn undone_versions_stay_listed_for_ever() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"n": 0})).await;
    let path = format!("/api/investigation/{id}");
    for n in 1..=3 {
        teacher.patch(&path, json!({"n": n})).await;
    }
    for _ in 0..2 {
        teacher.post_empty(&format!("{path}/undo")).await;
    }
    assert_eq!(listed(&teacher, &id).await, "(3) (2) 1");
    teacher.patch(&path, json!({"n": 4})).await;
    assert_eq!(listed(&teacher, &id).await, "4 (3) (2) 1");
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(listed(&teacher, &id).await, "(4) (3) (2) (1)");
    teacher.patch(&path, json!({"n": 5})).await;
    assert_eq!(listed(&teacher, &id).await, "5 (4) (3) (2) (1)");
}

#[tokio::test]
async fn twenty_versions_are_listed_where_no_limit_is_given() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"n": 0})).await;
    for n in 1..=25 {
        teacher.patch(&format!("/api/investigation/{id}"), json!({"n": n})).await;
    }
    let mut counts = Vec::new();
    for query in ["", "?limit=1", "?limit=007", "?limit=24", "?limit=1000", "?other=x"] {
        let data = teacher.get(&format!("/api/investigation/{id}/versions{query}")).await.data();
        let records = data.as_array().expect("records");
        counts.push((query, records.len(), records[0]["version"] == 25));
    }
    assert_eq!(
        counts,
        [
            ("", 20, true),
            ("?limit=1", 1, true),
            ("?limit=007", 7, true),
            ("?limit=24", 24, true),
            ("?limit=1000", 25, true),
            ("?other=x", 20, true)
        ]
    );
}

#[tokio::test]
async fn versions_go_on_below_the_last_one_that_was_given() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"n": 0})).await;
    for n in 1..=5 {
        teacher.patch(&format!("/api/investigation/{id}"), json!({"n": n})).await;
    }
    let mut pages = Vec::new();
    for query in ["limit=2", "limit=2&before=4", "limit=2&before=2", "before=1", "before=9223372036854775807"] {
        let data = teacher.get(&format!("/api/investigation/{id}/versions?{query}")).await.data();
        let numbers = data.as_array().expect("records").iter().map(|record| record["version"].clone());
        pages.push(Value::Array(numbers.collect()));
    }
    assert_eq!(json!(pages), json!([[5, 4], [3, 2], [1], [], [5, 4, 3, 2, 1]]));
    for before in ["0", "-1", "1.5", "ten", "", "9223372036854775808", "5&before=5"] {
        let refused = teacher.get(&format!("/api/investigation/{id}/versions?before={before}")).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.json()["errors"][0]["path"]),
            (400, &json!("before")),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn a_limit_that_is_no_whole_number_from_1_to_1000_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let refused = teacher.get(&format!("/api/investigation/{id}/versions?limit=0")).await;
    assert_snapshot!(refused, @r#"
    GET /api/investigation/000000000000000000000001/versions?limit=0

    400 Bad Request
    {
      "success": false,
      "message": "Validation failed",
      "errors": [
        {
          "path": "limit",
          "message": "must be a whole number from 1 to 1000"
        }
      ],
      "code": "validation_failed"
    }
    "#);
    for limit in ["1001", "-1", "%2B5", "1.5", "1e1", "0x10", "ten", "", "%205", "99999999999999999999", "5&limit=5"] {
        let other = teacher.get(&format!("/api/investigation/{id}/versions?limit={limit}")).await;
        assert_eq!((other.status, &other.json()["errors"][0]["path"]), (refused.status, &json!("limit")), "{other}");
    }
}

#[tokio::test]
async fn versions_of_an_unknown_investigation_fail_as_the_interface_says() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(teacher.get(&format!("/api/investigation/{UNKNOWN}/versions")).await, @r#"
    GET /api/investigation/ffffffffffffffffffffffff/versions

    500 Internal Server Error
    {
      "success": false,
      "message": "Failed to fetch investigation versions",
      "error": "Investigation not found",
      "code": "investigation_not_found"
    }
    "#);
}

#[tokio::test]
async fn versions_of_an_unknown_investigation_are_not_found_where_statuses_are_those_of_http() {
    let edge = Edge { error_statuses: ErrorStatuses::Http, ..Edge::default() };
    let (_app, _, teacher) = TestApp::start_with(edge, BUILT_IN).await;
    assert_snapshot!(teacher.get(&format!("/api/investigation/{UNKNOWN}/versions")).await, @r#"
    GET /api/investigation/ffffffffffffffffffffffff/versions

    404 Not Found
    {
      "success": false,
      "message": "Failed to fetch investigation versions",
      "error": "Investigation not found",
      "code": "investigation_not_found"
    }
    "#);
}

#[tokio::test]
async fn a_missing_id_is_asked_for() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.get("/api/investigation//versions").await;
    assert_snapshot!(refused, @r#"
    GET /api/investigation//versions

    400 Bad Request
    {
      "success": false,
      "message": "Investigation ID is required",
      "code": "investigation_id_required"
    }
    "#);
    for id in ["%20", "%20%09", "%C2%A0"] {
        let other = teacher.get(&format!("/api/investigation/{id}/versions")).await;
        assert_eq!((other.status, &other.text), (refused.status, &refused.text), "{other}");
    }
}

#[tokio::test]
async fn an_id_that_is_no_object_identifier_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(teacher.get("/api/investigation/cress/versions").await, @r#"
    GET /api/investigation/cress/versions

    400 Bad Request
    {
      "success": false,
      "message": "Validation failed",
      "errors": [
        {
          "path": "id",
          "message": "must be 24 hexadecimal digits"
        }
      ],
      "code": "validation_failed"
    }
    "#);
}
