//! A caller may use a tool if the caller may use the operation of the same name.

use std::fmt::Write as _;

use fieldbook::domain::permission::Editing;
use insta::assert_snapshot;
use rmcp::ClientLifecycleMode;
use serde_json::{Value, json};

use super::{message, speaks_mcp};
use crate::http::permissions::{callers, investigation};
use crate::support::TestApp;
use crate::support::assistant::Assistant;

/// Returns a line for each kind of caller: the outcomes of a read, a dry run and a change.
async fn table(editing: Editing) -> String {
    let callers = callers(editing).await;
    let mut table = String::new();
    for (column, (name, caller)) in callers.callers.iter().enumerate() {
        let (id, _) = investigation(&callers, &format!("k{column}")).await;
        let change = json!({"id": id, "changes": {"title": "Beans"}});
        let apply = json!({"id": id, "changes": {"title": "Beans"}, "apply": true, "ifMatch": 2});
        let mut outcomes = Vec::new();
        for (tool, arguments) in
            [("getInvestigation", json!({"id": id})), ("updateInvestigation", change), ("updateInvestigation", apply)]
        {
            let call = message("tools/call", json!({"name": tool, "arguments": arguments}));
            let answer = speaks_mcp(caller.clone()).post("/mcp", call).await;
            let result = answer.json()["result"]["structuredContent"].clone();
            let code = [answer.json(), result].iter().find_map(|body| body["code"].as_str().map(str::to_owned));
            outcomes.push(format!("{} {}", answer.status.as_u16(), code.as_deref().unwrap_or("ok")));
        }
        writeln!(table, "{name} | {}", outcomes.join(" | ")).expect("a line");
    }
    drop(callers.app);
    table
}

#[tokio::test]
async fn by_default_all_authors_may_change_through_mcp_and_readers_may_only_read() {
    assert_snapshot!(table(Editing::Anyone).await, @"
    nobody | 401 unauthenticated | 401 unauthenticated | 401 unauthenticated
    reader | 200 ok | 200 read_only | 200 read_only
    stranger | 200 ok | 200 ok | 200 ok
    editor | 200 ok | 200 ok | 200 ok
    author | 200 ok | 200 ok | 200 ok
    admin | 200 ok | 200 ok | 200 ok
    key | 200 ok | 200 ok | 200 ok
    session | 401 unauthenticated | 401 unauthenticated | 401 unauthenticated
    revoked | 401 invalid_token | 401 invalid_token | 401 invalid_token
    ");
}

#[tokio::test]
async fn user_who_is_not_an_editor_may_only_read_through_mcp_if_editing_is_restricted() {
    let reads = "stranger | 200 ok | 200 not_your_investigation | 200 not_your_investigation";
    let expected = table(Editing::Anyone).await.replace("stranger | 200 ok | 200 ok | 200 ok", reads);
    assert_eq!(table(Editing::Author).await, expected);
}

#[tokio::test]
async fn mcp_caller_without_a_token_is_refused() {
    let (_app, anon, _) = TestApp::start().await;
    let initialize = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    });
    for (method, params) in [("initialize", initialize), ("tools/list", json!({})), ("ping", json!({}))] {
        let refused = speaks_mcp(anon.clone()).post("/mcp", message(method, params)).await;
        assert_eq!((refused.status.as_u16(), refused.header("www-authenticate")), (401, Some("Bearer")), "{refused}");
        assert_eq!(refused.json()["code"], "unauthenticated");
    }
    assert!(Assistant::greeting(&anon, ClientLifecycleMode::Initialize).await.is_err());
    let wrong = anon.clone().bearing("wrong");
    assert_eq!(speaks_mcp(wrong).post("/mcp", json!({})).await.json()["code"], "invalid_token");
}

#[tokio::test]
async fn mcp_client_needs_no_token_if_tokens_are_optional() {
    let (_app, anon, _) = TestApp::start_with_optional_tokens().await;
    let id = anon.create(json!({"title": "Cress"})).await;
    let assistant = Assistant::of(&anon).await;
    let apply = json!({"id": id, "changes": {"title": "Peas"}, "apply": true, "ifMatch": 1});
    assert_eq!(assistant.call("updateInvestigation", apply).await["updatedInvestigation"]["title"], "Peas");
}

#[tokio::test]
async fn change_through_mcp_is_recorded_for_the_user_of_the_token() {
    let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let assistant = Assistant::of(&teacher).await;
    let apply = json!({"id": id, "changes": {"title": "Peas"}, "apply": true, "ifMatch": 1});
    assistant.call("updateInvestigation", apply).await;
    let records: Value = assistant.call("getInvestigationVersions", json!({"id": id})).await;
    assert_eq!(
        (&records["data"][0]["by"], &records["data"][0]["withAI"]),
        (&json!(crate::support::TEACHER), &json!(false))
    );
}
