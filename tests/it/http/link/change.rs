//! `PATCH /api/link/{key}/{subLink}`, and changes that close a link.

use std::time::Duration;

use fieldbook::domain::link::Shows;
use fieldbook::domain::named::Named;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{LINK, with_link};
use crate::http::investigation::create::violations;
use crate::support::{TEACHER, TestApp};

#[tokio::test]
async fn merge_patch_of_a_link_changes_only_the_named_members() {
    let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Beans"})).await;
    teacher.create_link(&id, "k", "s").await;
    let body = json!({"description": "Class 5b", "shows": "lesson", "version": 1, "expiresAt": "2027-01-31T12:00:00+01:00", "maxVisits": 30});
    assert_snapshot!(teacher.patch(LINK, body).await, @r#"
    PATCH /api/link/k/s
    {"description":"Class 5b","shows":"lesson","version":1,"expiresAt":"2027-01-31T12:00:00+01:00","maxVisits":30}
    200 OK
    {
      "success": true, "message": "Link updated successfully",
      "data": {
        "_id": "000000000000000000000003", "key": "k", "subLink": "s", "description": "Class 5b",
        "investigationId": "000000000000000000000001", "creator": "aaaaaaaaaaaaaaaaaaaaaaaa", "visitCount": 0,
        "createdAt": "2026-11-21T08:00:00.000Z", "shows": "lesson", "version": 1,
        "expiresAt": "2027-01-31T11:00:00.000Z", "maxVisits": 30, "archived": false
      }
    }
    "#);
    let changed =
        teacher.patch(LINK, json!({"version": null, "expiresAt": null, "maxVisits": null, "archived": true})).await;
    let data = changed.data();
    assert_eq!(
        ["description", "shows", "version", "expiresAt", "maxVisits", "archived"].map(|name| &data[name]),
        [&json!("Class 5b"), &json!("lesson"), &Value::Null, &Value::Null, &Value::Null, &json!(true)]
    );
    assert_eq!(teacher.get(&format!("/api/link/investigation/{id}")).await.data()[0], data);
    // JSON Schema counts 0.0 and 30.0 as integers.
    let whole = teacher.patch(LINK, json!({"version": 0.0, "maxVisits": 30.0})).await;
    assert_eq!([&whole.data()["version"], &whole.data()["maxVisits"]], [0, 30]);
}

#[tokio::test]
async fn invalid_change_of_a_link_is_refused_with_every_reason() {
    let (_app, _, teacher) = with_link().await;
    let wrong = json!({
        "key": "other", "description": 5, "shows": "all", "version": -1, "expiresAt": "tomorrow", "maxVisits": 0, "archived": "no"
    });
    assert_snapshot!(violations(&teacher.patch(LINK, wrong).await), @r#"
    400 Bad Request
    description: must be a string
    shows: must be "nothing", "handout" or "lesson"
    version: must be the number of a version, or null
    expiresAt: must be a time such as "2026-11-30T12:00:00Z", or null
    maxVisits: must be a whole number from 1, or null
    archived: must be true or false
    key: is not a field of a link
    "#);
    assert_snapshot!(teacher.patch(LINK, json!({"version": 1})).await.refusal(), @r#"400 "validation_failed" "Validation failed" "version" "is not the number of a version of this investigation""#);
    for body in [json!({"shows": null}), json!({"description": null}), json!({"archived": null}), json!([])] {
        assert_eq!(teacher.patch(LINK, body.clone()).await.status, StatusCode::BAD_REQUEST, "{body}");
    }
    let path = "/api/link/investigation/000000000000000000000001";
    let unknown = teacher.post(path, json!({"key": "k", "description": "", "version": 1})).await;
    assert_eq!(unknown.json()["errors"][0]["path"], "version");
}

#[tokio::test]
async fn archived_expired_or_used_up_link_is_not_found_and_counts_no_visit() {
    let (app, anon, teacher) = with_link().await;
    let soon = app.clock.now().later_by(Duration::from_secs(60)).to_string();
    teacher.patch(LINK, json!({"archived": true})).await;
    assert_eq!(anon.get(LINK).await.refusal(), r#"404 "link_closed" "Link not found""#);
    assert_eq!(anon.head(LINK).await.status, StatusCode::NOT_FOUND);
    teacher.patch(LINK, json!({"archived": false, "expiresAt": soon, "maxVisits": 2})).await;
    assert_eq!(anon.get(LINK).await.data()["visitCount"], 1);
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(anon.get(LINK).await.json()["code"], "link_closed");
    teacher.patch(LINK, json!({"expiresAt": null})).await;
    assert_eq!(anon.get(LINK).await.data()["visitCount"], 2);
    assert_eq!(anon.get(LINK).await.json()["code"], "link_closed");
    teacher.patch(LINK, json!({"maxVisits": 3})).await;
    assert_eq!(anon.get(LINK).await.data()["visitCount"], 3);
    let visits = teacher.get(&format!("{LINK}/visits")).await.data();
    assert_eq!((&visits["visitCount"], &visits["days"][0]["count"]), (&json!(3), &json!(3)));
}

#[tokio::test]
async fn link_for_50_visits_admits_50_of_120_concurrent_visits() {
    let (_app, anon, teacher) = with_link().await;
    teacher.patch(LINK, json!({"maxVisits": 50})).await;
    let mut visits = tokio::task::JoinSet::new();
    for number in 0..120 {
        let anon = anon.clone();
        visits.spawn(async move {
            match number % 2 {
                0 => anon.get(LINK).await.status,
                _ => anon.post_empty("/l/k/s").await.status,
            }
        });
    }
    let statuses = visits.join_all().await;
    let with = |status: StatusCode| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((with(StatusCode::OK), with(StatusCode::NOT_FOUND)), (50, 70));
    assert_eq!(teacher.get(&format!("{LINK}/visits")).await.data()["visitCount"], 50);
}

#[tokio::test]
async fn link_events_include_changes_and_daily_visits() {
    let (app, anon, _) = with_link().await;
    for _ in 0..3 {
        anon.get(LINK).await;
    }
    app.clock.advance(Duration::from_secs(17 * 3600));
    let teacher = app.signed_in(TEACHER);
    anon.get("/l/k/s").await;
    teacher.patch(LINK, json!({"shows": "handout"})).await;
    teacher.patch(LINK, json!({"shows": "handout"})).await;
    teacher.patch(LINK, json!({"maxVisits": 5})).await;
    anon.get(LINK).await;
    teacher.patch(LINK, json!({"maxVisits": null, "archived": true})).await;
    teacher.delete(LINK).await;
    let told = app.events(8).await;
    let shown: Vec<String> = told
        .iter()
        .map(|event| {
            let event = serde_json::to_value(event).expect("JSON");
            let more: Vec<String> = ["key", "subLink", "day", "count", "changedFields"]
                .into_iter()
                .filter(|name| !event[*name].is_null())
                .map(|name| format!("{name} {}", event[name]))
                .collect();
            format!("{} {} {}", event["type"], event["revision"], more.join(", ")).trim_end().to_owned()
        })
        .collect();
    assert_snapshot!(shown.join("\n"), @r#"
    "investigation.created" 1
    "link.created" 1 key "k", subLink "s"
    "link.visits" 1 key "k", subLink "s", day "2026-11-21", count 3
    "link.changed" 1 key "k", subLink "s", changedFields ["shows"]
    "link.changed" 1 key "k", subLink "s", changedFields ["maxVisits"]
    "link.closed" 1 key "k", subLink "s"
    "link.changed" 1 key "k", subLink "s", changedFields ["maxVisits","archived"]
    "link.closed" 1 key "k", subLink "s"
    "#);
}

#[test]
fn each_value_of_shows_in_a_link_is_serialized_as_its_name_and_parsed_from_its_name() {
    for &shows in Shows::ALL {
        assert_eq!(shows.name().parse(), Ok(shows));
        assert_eq!(json!(shows), shows.name());
    }
}
