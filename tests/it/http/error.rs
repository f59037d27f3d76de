//! The statuses and messages of failures.

use fieldbook::app::CHANGES;
use fieldbook::app::{ErrorStatuses, HttpSettings};
use fieldbook::domain::schema;
use fieldbook::limits::Actor;
use fieldbook::shares::share_of;
use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Caller, Exchange, TestApp};

const UNKNOWN: &str = "/api/investigation/cccccccccccccccccccccccc";

/// Returns one failure of each operation that has a failure of its own.
async fn failures(teacher: &Caller) -> Vec<Exchange> {
    let id = teacher.create(json!({"title": "Cress"})).await;
    let known = format!("/api/investigation/{id}");
    let name = json!({"fieldName": "title"});
    vec![
        teacher.get(UNKNOWN).await,
        teacher.patch(UNKNOWN, json!({"title": "Beans"})).await,
        teacher.delete(UNKNOWN).await,
        teacher.post_empty(&format!("{UNKNOWN}/clone")).await,
        teacher.get(&format!("{UNKNOWN}/history/title")).await,
        teacher.get(&format!("{UNKNOWN}/versions")).await,
        teacher.post_empty(&format!("{UNKNOWN}/undo")).await,
        teacher.post_empty(&format!("{UNKNOWN}/redo")).await,
        teacher.post(&format!("{UNKNOWN}/resolve-contradiction"), name.clone()).await,
        teacher.post(&format!("{UNKNOWN}/regenerate"), name).await,
        teacher.post_empty(&format!("{known}/undo")).await,
        teacher.post_empty(&format!("{known}/redo")).await,
        teacher.get(&format!("{UNKNOWN}/links")).await,
        teacher.get("/api/link/k/s/visits").await,
    ]
}

pub fn shown(failures: &[Exchange]) -> String {
    let lines = failures.iter().map(|failure| {
        let asked =
            failure.to_string().lines().next().unwrap_or_default().replace("000000000000000000000001", "{known}");
        let told = format!("{} {}", failure.status.as_u16(), failure.text);
        format!("{asked}\n    {}\n", told.trim_end())
    });
    lines.collect::<String>().replace(UNKNOWN, "/api/investigation/{unknown}")
}

#[tokio::test]
async fn failures_have_the_statuses_and_words_of_the_interface() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(shown(&failures(&teacher).await), @r#"
    GET /api/investigation/{unknown}
        500 {"success":false,"message":"Failed to fetch investigation","error":"Investigation not found","code":"investigation_not_found"}
    PATCH /api/investigation/{unknown}
        500 {"success":false,"message":"Failed to update investigation","error":"Investigation not found","code":"investigation_not_found"}
    DELETE /api/investigation/{unknown}
        404 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/clone
        500 {"success":false,"message":"Failed to clone investigation","error":"Investigation not found","code":"investigation_not_found"}
    GET /api/investigation/{unknown}/history/title
        500 {"success":false,"message":"Failed to fetch field history","error":"Investigation not found","code":"investigation_not_found"}
    GET /api/investigation/{unknown}/versions
        500 {"success":false,"message":"Failed to fetch investigation versions","error":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/undo
        500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/redo
        500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/resolve-contradiction
        500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/regenerate
        500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{known}/undo
        500 {"success":false,"message":"Nothing to undo","code":"nothing_to_undo"}
    POST /api/investigation/{known}/redo
        500 {"success":false,"message":"Nothing to redo","code":"nothing_to_redo"}
    GET /api/investigation/{unknown}/links
        404 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    GET /api/link/k/s/visits
        404 {"success":false,"message":"Link not found","code":"link_not_found"}
    "#);
}

#[tokio::test]
async fn the_statuses_of_http_come_with_the_same_bodies() {
    let (_plain, _, teacher) = TestApp::start().await;
    let plain = failures(&teacher).await;
    let http = HttpSettings { error_statuses: ErrorStatuses::Http, ..HttpSettings::default() };
    let (_app, _, teacher) = TestApp::start_with(http, schema::BUILT_IN).await;
    let with_http = failures(&teacher).await;
    let statuses: Vec<u16> = with_http.iter().map(|failure| failure.status.as_u16()).collect();
    assert_eq!(statuses, [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 409, 409, 404, 404]);
    for (one, other) in plain.iter().zip(&with_http) {
        assert_eq!(one.text, other.text);
    }
}

#[tokio::test]
async fn what_is_damaged_in_the_store_is_said_with_what_helps() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let known = format!("/api/investigation/{id}");
    let noise = "UPDATE investigation SET findings = 'noise'";
    app.behind(noise, noise);
    assert_snapshot!(teacher.patch(&known, json!({"title": "Beans"})).await, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Beans"}

    500 Internal Server Error
    {
      "success": false,
      "message": "Failed to update investigation",
      "error": "A part of the store is damaged. Nothing was changed; the service's operator can check with fieldbook doctor and restore a backup",
      "code": "store_unavailable"
    }
    "#);
    assert_snapshot!(teacher.post_empty(&format!("{known}/undo")).await, @r#"
    POST /api/investigation/000000000000000000000001/undo

    500 Internal Server Error
    {
      "success": false,
      "message": "A part of the store is damaged. Nothing was changed; the service's operator can check with fieldbook doctor and restore a backup",
      "code": "store_unavailable"
    }
    "#);
    // Operations that do not touch the damage still work.
    teacher.create(json!({"title": "Peas"})).await;
}

#[tokio::test]
async fn a_change_beyond_those_that_can_be_made_in_time_is_sent_away_at_once() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let other = |n: u32| Actor::at(std::net::Ipv4Addr::from_bits(n / share_of(CHANGES)).into());
    let mut under_way: Vec<_> = (0..CHANGES).map(|n| app.app.capacity.change(other(n)).expect("a place")).collect();
    assert_snapshot!(teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Beans"})).await, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Beans"}

    503 Service Unavailable
    retry-after: 1
    {
      "success": false,
      "message": "The service is busy",
      "error": "Nothing was changed; try again in a second",
      "code": "busy"
    }
    "#);
    // Reads still work, and the next change works as soon as one of the other changes has ended.
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.data()["title"], "Cress");
    under_way.pop();
    let updated = teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Beans"})).await;
    assert_eq!(updated.json()["updatedInvestigation"]["title"], "Beans");
}
