//! `GET /api/link/{key}/{subLink}/visits`

use std::time::Duration;

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::TestApp;

const DAY: Duration = Duration::from_secs(24 * 3600);

#[tokio::test]
async fn visits_are_given_by_day_oldest_first() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let (link, other) = (teacher.create_link(&id, "k", "s").await, teacher.create_link(&id, "k", "t").await);
    anon.get(&link).await;
    anon.get(&link).await;
    app.clock.advance(Duration::from_secs(16 * 3600) - Duration::from_millis(1)); // the last millisecond of the day
    anon.get(&link).await;
    app.clock.advance(Duration::from_millis(1));
    anon.get(&link).await;
    anon.get(&other).await;
    app.clock.advance(2 * DAY);
    anon.get(&link).await;
    anon.head(&link).await;
    let visits = app.signed_in(crate::support::COLLEAGUE).get(&format!("{link}/visits")).await;
    assert_snapshot!(visits, @r#"
    GET /api/link/k/s/visits
    200 OK
    {
      "success": true, "message": "Visits retrieved successfully",
      "data": {
        "key": "k", "subLink": "s", "visitCount": 5,
        "days": [
          {"day": "2026-11-21", "count": 3},
          {"day": "2026-11-22", "count": 1},
          {"day": "2026-11-24", "count": 1}
        ]
      }
    }
    "#);
}

#[tokio::test]
async fn a_link_that_nobody_visited_has_no_days() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "s").await;
    let visits = teacher.get(&format!("{link}/visits")).await;
    assert_snapshot!(visits, @r#"
    GET /api/link/k/s/visits
    200 OK
    {
      "success": true, "message": "Visits retrieved successfully",
      "data": {"key": "k", "subLink": "s", "visitCount": 0, "days": []}
    }
    "#);
}

#[tokio::test]
async fn a_name_of_a_wrong_form_has_no_visits() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.get("/api/link/k/a.b/visits").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
}
