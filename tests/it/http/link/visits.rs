//! `GET /api/link/{key}/{subLink}/visits`

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestApp;

const DAY: Duration = Duration::from_secs(24 * 3600);

#[tokio::test]
async fn visits_of_a_link_are_listed_by_day_oldest_first() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let (link, other) = (teacher.create_link(&id, "k", "s").await, teacher.create_link(&id, "k", "t").await);
    let unvisited = teacher.get(&format!("{link}/visits")).await.data();
    assert_eq!(unvisited, json!({"key": "k", "subLink": "s", "visitCount": 0, "days": []}));
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
