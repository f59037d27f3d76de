//! The statuses and messages of failures.

use fieldbook::admission::{Actor, LIGHT, share_of};
use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;

use super::investigation::chat::lose_chat;
use crate::support::{Caller, Exchange, TestApp, http_statuses};

/// The path of an investigation that does not exist.
const UNKNOWN: &str = "/api/investigation/cccccccccccccccccccccccc";

/// The operations on an investigation: method, rest of the path, and body.
const OPERATIONS: [(Method, &str, &str); 21] = [
    (Method::GET, "", ""),
    (Method::PATCH, "", r#"{"title":"Beans"}"#),
    (Method::DELETE, "", ""),
    (Method::POST, "/clone", ""),
    (Method::GET, "/history/title", ""),
    (Method::GET, "/versions", ""),
    (Method::GET, "/versions/0", ""),
    (Method::GET, "/sheet", ""),
    (Method::PATCH, "/versions/1", r#"{"name":"Trial"}"#),
    (Method::POST, "/versions/0/restore", ""),
    (Method::POST, "/undo", ""),
    (Method::POST, "/redo", ""),
    (Method::POST, "/resolve-contradiction", r#"{"fieldName":"title"}"#),
    (Method::POST, "/regenerate", r#"{"fieldName":"title"}"#),
    (Method::POST, "/dismissals", r#"{"fieldName":"durationMinutes","conflictsWith":["steps"]}"#),
    (Method::DELETE, "/dismissals/dddddddddddddddddddddddd", ""),
    (Method::POST, "/presence", r#"{"open":true}"#),
    (Method::GET, "/chat", ""),
    (Method::POST, "/chat", r#"{"content":"Hello"}"#),
    (Method::GET, "/links", ""),
    (Method::POST, "/links", r#"{"key":"k","subLink":"s","description":"d"}"#),
];

/// Operations below `/api/link/investigation/{id}`.
const ALIASES: [(Method, &str, &str); 2] =
    [(Method::GET, "", ""), (Method::POST, "", r#"{"key":"k","subLink":"s","description":"d"}"#)];

/// Operations on a link.
const OF_LINKS: [(Method, &str, &str); 5] = [
    (Method::GET, "", ""),
    (Method::GET, "/visits", ""),
    (Method::GET, "/qr.svg", ""),
    (Method::PATCH, "", "{}"),
    (Method::DELETE, "", ""),
];

/// Failures of operations on an investigation without versions, contradictions and links.
const NOT_THERE: [(Method, &str, &str); 7] = [
    (Method::GET, "/versions/1", ""),
    (Method::GET, "/sheet?version=1", ""),
    (Method::POST, "/versions/1/restore", ""),
    (Method::POST, "/undo", ""),
    (Method::POST, "/redo", ""),
    (Method::POST, "/resolve-contradiction", r#"{"fieldName":"title"}"#),
    (Method::POST, "/chat", r#"{"content":"Hello"}"#),
];

/// The operations that need the chat of an investigation.
const OF_CHATS: [(Method, &str, &str); 4] = [
    (Method::GET, "/chat", ""),
    (Method::POST, "/chat", r#"{"content":"Hello"}"#),
    (Method::POST, "/resolve-contradiction", r#"{"fieldName":"steps"}"#),
    (Method::POST, "/regenerate", r#"{"fieldName":"steps"}"#),
];

async fn send(caller: &Caller, (method, rest, body): &(Method, &str, &str), path: &str) -> Exchange {
    let body = (!body.is_empty()).then_some(("application/json", *body));
    caller.send(method.clone(), &format!("{path}{rest}"), body).await
}

/// Returns one failure of each operation that has a failure of its own.
async fn failures(teacher: &Caller) -> Vec<Exchange> {
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let known = path.clone();
    let mut failures = Vec::new();
    for operation in &OPERATIONS {
        failures.push(send(teacher, operation, UNKNOWN).await);
    }
    for operation in &ALIASES {
        failures.push(send(teacher, operation, "/api/link/investigation/cccccccccccccccccccccccc").await);
    }
    for operation in &OF_LINKS {
        failures.push(send(teacher, operation, "/api/link/k/s").await);
    }
    for operation in &NOT_THERE {
        failures.push(send(teacher, operation, &known).await);
    }
    failures
}

pub fn shown(failures: &[Exchange]) -> String {
    let lines = failures.iter().map(|failure| {
        let request = failure.request.replace('\n', " ").replace("000000000000000000000001", "{known}");
        let response = format!("{} {}", failure.status.as_u16(), failure.text);
        format!("{request} -> {}\n", response.trim_end())
    });
    lines.collect::<String>().replace("cccccccccccccccccccccccc", "{unknown}")
}

#[tokio::test]
async fn failures_have_the_documented_statuses_and_messages() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(shown(&failures(&teacher).await), @r#"
    GET /api/investigation/{unknown} -> 500 {"success":false,"message":"Failed to fetch investigation","error":"Investigation not found","code":"investigation_not_found"}
    PATCH /api/investigation/{unknown} {"title":"Beans"} -> 500 {"success":false,"message":"Failed to update investigation","error":"Investigation not found","code":"investigation_not_found"}
    DELETE /api/investigation/{unknown} -> 404 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/clone -> 500 {"success":false,"message":"Failed to clone investigation","error":"Investigation not found","code":"investigation_not_found"}
    GET /api/investigation/{unknown}/history/title -> 500 {"success":false,"message":"Failed to fetch field history","error":"Investigation not found","code":"investigation_not_found"}
    GET /api/investigation/{unknown}/versions -> 500 {"success":false,"message":"Failed to fetch investigation versions","error":"Investigation not found","code":"investigation_not_found"}
    GET /api/investigation/{unknown}/versions/0 -> 500 {"success":false,"message":"Failed to fetch investigation version","error":"Investigation not found","code":"investigation_not_found"}
    GET /api/investigation/{unknown}/sheet -> 500 {"success":false,"message":"Failed to write sheet","error":"Investigation not found","code":"investigation_not_found"}
    PATCH /api/investigation/{unknown}/versions/1 {"name":"Trial"} -> 500 {"success":false,"message":"Failed to name investigation version","error":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/versions/0/restore -> 500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/undo -> 500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/redo -> 500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/resolve-contradiction {"fieldName":"title"} -> 500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/regenerate {"fieldName":"title"} -> 500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/dismissals {"fieldName":"durationMinutes","conflictsWith":["steps"]} -> 500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    DELETE /api/investigation/{unknown}/dismissals/dddddddddddddddddddddddd -> 500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/presence {"open":true} -> 404 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    GET /api/investigation/{unknown}/chat -> 500 {"success":false,"message":"Failed to fetch chat","error":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/chat {"content":"Hello"} -> 500 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    GET /api/investigation/{unknown}/links -> 404 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/investigation/{unknown}/links {"key":"k","subLink":"s","description":"d"} -> 404 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    GET /api/link/investigation/{unknown} -> 404 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    POST /api/link/investigation/{unknown} {"key":"k","subLink":"s","description":"d"} -> 404 {"success":false,"message":"Investigation not found","code":"investigation_not_found"}
    GET /api/link/k/s -> 404 {"success":false,"message":"Link not found","code":"link_not_found"}
    GET /api/link/k/s/visits -> 404 {"success":false,"message":"Link not found","code":"link_not_found"}
    GET /api/link/k/s/qr.svg -> 404 {"success":false,"message":"Link not found","code":"link_not_found"}
    PATCH /api/link/k/s {} -> 404 {"success":false,"message":"Link not found","code":"link_not_found"}
    DELETE /api/link/k/s -> 404 {"success":false,"message":"Link not found","code":"link_not_found"}
    GET /api/investigation/{known}/versions/1 -> 500 {"success":false,"message":"Failed to fetch investigation version","error":"Version 1 not found","code":"version_not_found"}
    GET /api/investigation/{known}/sheet?version=1 -> 500 {"success":false,"message":"Failed to write sheet","error":"Version 1 not found","code":"version_not_found"}
    POST /api/investigation/{known}/versions/1/restore -> 500 {"success":false,"message":"Version 1 not found","code":"version_not_found"}
    POST /api/investigation/{known}/undo -> 500 {"success":false,"message":"Nothing to undo","code":"nothing_to_undo"}
    POST /api/investigation/{known}/redo -> 500 {"success":false,"message":"Nothing to redo","code":"nothing_to_redo"}
    POST /api/investigation/{known}/resolve-contradiction {"fieldName":"title"} -> 500 {"success":false,"message":"No contradiction was found for \"title\"","code":"not_resolved"}
    POST /api/investigation/{known}/chat {"content":"Hello"} -> 500 {"success":false,"message":"Conversation needs a language model: configure one with --assistant, such as ollama","code":"no_model"}
    "#);
}

#[tokio::test]
async fn setting_for_http_statuses_does_not_change_the_bodies_of_failures() {
    let (_plain, _, teacher) = TestApp::start().await;
    let plain = failures(&teacher).await;
    let (_app, _, teacher) = TestApp::start_with(http_statuses()).await;
    let with_http = failures(&teacher).await;
    let statuses: Vec<u16> = with_http.iter().map(|failure| failure.status.as_u16()).collect();
    assert_eq!(statuses[..31], [404; 31]);
    assert_eq!(statuses[31..], [409, 409, 409, 503]);
    for (one, other) in plain.iter().zip(&with_http) {
        assert_eq!(one.text, other.text);
    }
}

#[tokio::test]
async fn operation_on_an_investigation_whose_chat_is_missing_fails_and_changes_nothing() {
    for (http, status) in [(HttpSettings::default(), 500), (http_statuses(), 404)] {
        let (app, _, teacher) = TestApp::start_with(http).await;
        let path = teacher.create_path(json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]})).await;
        let before = teacher.get(&path).await;
        lose_chat(&app, "000000000000000000000001");
        let message = "Chat not found for the investigation with id: 000000000000000000000001";
        for operation in &OF_CHATS {
            let lost = send(&teacher, operation, &path).await;
            // The answer to a read has the reason in `error`, because its `message` names the operation.
            let member = if operation.0 == Method::GET { "error" } else { "message" };
            let body = lost.json();
            assert_eq!(lost.status.as_u16(), status, "{lost}");
            assert_eq!((&body[member], &body["code"]), (&json!(message), &json!("chat_not_found")), "{lost}");
        }
        assert_eq!(teacher.get(&format!("{path}/chat")).await.json()["message"], "Failed to fetch chat");
        assert_eq!(teacher.get(&path).await.text, before.text);
        assert_eq!(teacher.get(&format!("{path}/versions")).await.data(), json!([]));
    }
}

#[tokio::test]
async fn missing_or_malformed_investigation_id_is_refused_before_any_other_error() {
    let (_app, anon, teacher) = TestApp::start().await;
    let missing = r#"{"success":false,"message":"Investigation ID is required","code":"investigation_id_required"}"#;
    let malformed = r#"{"success":false,"message":"Validation failed","errors":[{"path":"id","message":"must be 24 hexadecimal digits"}],"code":"validation_failed"}"#;
    let more = ["?limit=1", "/history", "/history/", "/history/%20", "/history/x?limit=5"];
    let more = more.map(|rest| (Method::GET, rest, ""));
    let operations = OPERATIONS.iter().map(|operation| ("/api/investigation/", operation));
    let operations = operations.chain(ALIASES.iter().map(|operation| ("/api/link/investigation/", operation)));
    for (path, operation) in operations.clone().chain(more.iter().map(|operation| ("/api/investigation/", operation))) {
        for blank in ["", "%20", "%20%09", "%C2%A0"] {
            let path = format!("{path}{blank}");
            let refused = send(&teacher, operation, &path).await;
            assert_eq!((refused.status.as_u16(), refused.text.as_str()), (400, missing), "{refused}");
            assert_eq!(send(&anon, operation, &path).await.status.as_u16(), 401, "{refused}");
        }
    }
    for (path, operation) in operations {
        for id in [
            "17",
            "ccccccccccccccccccccccccc",
            "cccccccccccccccccccccccg",
            "%20cccccccccccccccccccccccc",
            "%00",
            "a%2Fb",
        ] {
            let refused = send(&teacher, operation, &format!("{path}{id}")).await;
            assert_eq!((refused.status.as_u16(), refused.text.as_str()), (400, malformed), "{refused}");
        }
    }
    for id in ["%zz", "null", "+00000000000000000000001", "%2F"] {
        assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.text, malformed, "{id}");
    }
    assert_eq!(teacher.get("/api/investigation/%FF").await.status.as_u16(), 400);
}

#[tokio::test]
async fn change_of_a_damaged_investigation_fails_with_an_error_that_suggests_a_remedy() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    app.behind("UPDATE investigation SET findings = 'noise'");
    assert_snapshot!(teacher.patch(&path, json!({"title": "Beans"})).await, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Beans"}
    500 Internal Server Error
    {
      "success": false, "message": "Failed to update investigation",
      "error": "A part of the store is damaged. Nothing was changed; the service's operator can check with fieldbook doctor and restore a backup",
      "code": "store_unavailable"
    }
    "#);
    assert_snapshot!(teacher.post_empty(&format!("{path}/undo")).await.refusal(), @r#"500 "store_unavailable" "A part of the store is damaged. Nothing was changed; the service's operator can check with fieldbook doctor and restore a backup""#);
    // Operations that do not touch the damage still work.
    teacher.create(json!({"title": "Peas"})).await;
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    teacher.patch(&path, json!({"title": "Beans"})).await;
    app.behind(r#"UPDATE version_record SET changes = '[{"path": ["note", "a"], "before": "b", "after": "c"}]'"#);
    assert_snapshot!(teacher.post_empty(&format!("{path}/undo")).await.refusal(), @r#"500 "store_unavailable" "A part of the store is damaged. Nothing was changed; the service's operator can check with fieldbook doctor and restore a backup""#);
}

#[tokio::test]
async fn change_without_a_free_permit_is_refused_with_the_message_of_its_operation() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let light = &app.app.admission.light;
    let other = |n: u32| Actor::at(std::net::Ipv4Addr::from_bits(n).into());
    let mut under_way: Vec<_> = (0..4).map(|n| light.try_take(other(n), share_of(LIGHT)).expect("permits")).collect();
    assert_snapshot!(teacher.patch(&path, json!({"title": "Beans"})).await, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Beans"}
    503 Service Unavailable
    retry-after: 1
    {
      "success": false, "message": "Failed to update investigation",
      "error": "The service is busy. Nothing was changed; try again in a second", "code": "busy"
    }
    "#);
    // The next change succeeds as soon as other changes have ended.
    under_way.pop();
    let updated = teacher.patch(&path, json!({"title": "Beans"})).await;
    assert_eq!(updated.json()["updatedInvestigation"]["title"], "Beans");
}
