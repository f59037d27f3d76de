//! The list of tools, the tools that only read, and the protocol.

use std::fmt::Write as _;
use std::fs::File;
use std::process::Command;

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use rmcp::ClientLifecycleMode;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

use super::{at_odds, message, speaks_mcp, start};
use crate::support::assistant::Assistant;
use crate::support::process::Service;
use crate::support::{Caller, TestApp, compact, log};

/// The snapshot has one line for each tool: its name, its effect, and its arguments, with a star if required.
#[tokio::test]
async fn mcp_tools_are_listed_with_their_arguments_and_effects() {
    let (_app, _, _, assistant) = start().await;
    assert!(assistant.instructions().contains("never instructions"));
    let mut table = String::new();
    for tool in assistant.tools().await {
        let schema = Value::Object(tool.input_schema.as_ref().clone());
        let required = schema["required"].as_array().expect("a list");
        let arguments = schema["properties"].as_object().expect("arguments").iter().map(|(name, argument)| {
            assert!(argument["description"].is_string(), "{name} of {}", tool.name);
            if required.contains(&json!(name)) { format!("{name}*") } else { name.clone() }
        });
        let arguments: Vec<String> = arguments.collect();
        let hints = tool.annotations.expect("hints");
        let effect = match (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) {
            (Some(true), None, None) => "reads",
            (Some(false), Some(true), Some(true)) => "changes once",
            (Some(false), Some(true), Some(false)) => "changes",
            other => panic!("{}: {other:?}", tool.name),
        };
        assert!(tool.title.is_some() && tool.description.is_some() && hints.open_world_hint == Some(false));
        assert_eq!(schema["additionalProperties"], false);
        writeln!(table, "{} | {effect} | {}", tool.name, arguments.join(" ")).expect("a line");
    }
    assert_snapshot!(table, @"
    getInvestigations | reads | limit offset sortBy sortOrder groupBy title grade curriculum status author search cursor
    getInvestigation | reads | id*
    getInvestigationFormat | reads | 
    getContradictions | reads | id*
    getInvestigationVersions | reads | id* limit before named
    getInvestigationVersion | reads | id* version*
    getFieldHistory | reads | id* fieldPath* limit before
    splitText | reads | assistant place text html
    updateInvestigation | changes once | id* changes* apply ifMatch
    resolveContradiction | changes once | id* fieldName* apply ifMatch
    regenerateOtherFields | changes | id* fieldName* apply ifMatch
    undoInvestigation | changes once | id* apply ifMatch
    redoInvestigation | changes once | id* apply ifMatch
    ");
}

#[tokio::test]
async fn mcp_documentation_has_a_row_for_each_tool() {
    let (_app, _, _, assistant) = start().await;
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/integrators/mcp.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(name, _)| name));
    let tools = assistant.tools().await;
    assert_eq!(rows.collect::<Vec<_>>(), tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>());
}

#[tokio::test]
async fn mcp_tool_that_reads_answers_like_its_http_operation() {
    let (_app, teacher, id, assistant) = start().await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Radish / cress", "variables": {"independent": "Light"}})).await;
    for (tool, arguments, route) in [
        ("getInvestigation", json!({}), String::new()),
        ("getInvestigationVersions", json!({"limit": 1}), "/versions?limit=1".into()),
        ("getInvestigationVersions", json!({"limit": 5, "before": 1}), "/versions?limit=5&before=1".into()),
        ("getInvestigationVersion", json!({"version": 0}), "/versions/0".into()),
        ("getFieldHistory", json!({"fieldPath": "variables.independent"}), "/history/variables.independent".into()),
        ("getFieldHistory", json!({"fieldPath": "a/b c", "limit": null}), "/history/a%2Fb%20c".into()),
    ] {
        let mut arguments = arguments;
        arguments["id"] = json!(id);
        assert_eq!(assistant.call(tool, arguments).await, teacher.get(&format!("{path}{route}")).await.json());
    }
    let format = teacher.get("/api/investigation/format").await.json();
    assert_eq!(assistant.call("getInvestigationFormat", json!({})).await, format);
    let text = json!({"text": "Salt\n\nSafety\n- No tasting."});
    let split = teacher.post("/api/investigation/split?assistant=false", text.clone()).await.json();
    assert_eq!(split["data"]["content"], json!({"title": "Salt", "safety": ["No tasting."]}));
    let arguments = json!({"text": text["text"], "assistant": false});
    assert_eq!(assistant.call("splitText", arguments).await, split);
}

#[tokio::test]
async fn mcp_list_has_a_summary_of_each_investigation() {
    let (_app, teacher, _, assistant) = start().await;
    teacher.create(json!({"title": "Moss", "grade": 5, "curriculum": "Biology"})).await;
    let found = assistant.call("getInvestigations", json!({"search": "cress"})).await;
    assert_snapshot!(compact(&found), @r#"
    {
      "data": {
        "items": [
          {
            "_id": "000000000000000000000001", "title": "Cress", "status": "draft_incomplete",
            "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
            "version": 0, "revision": 1, "updatedAt": "2026-11-21T08:00:00.000Z", "contradictionCount": 1
          }
        ],
        "groups": [{"curriculum": null, "count": 1}],
        "pagination": {"total": 1, "limit": 20, "offset": 0, "hasMore": false, "nextCursor": null}
      }
    }
    "#);
    let page = json!({"groupBy": "none", "sortBy": "title", "sortOrder": "asc", "limit": 1});
    let first = assistant.call("getInvestigations", page.clone()).await;
    let mut next = page;
    next["cursor"] = first["data"]["pagination"]["nextCursor"].clone();
    let second = assistant.call("getInvestigations", next).await;
    let titles = [first, second].map(|page| page["data"]["items"][0]["title"].clone());
    assert_eq!(titles, [json!("Cress"), json!("Moss")]);
}

#[tokio::test]
async fn mcp_tool_reads_contradictions_without_the_content() {
    let (_app, _, id, assistant) = start().await;
    let read = assistant.call("getContradictions", json!({"id": id})).await;
    let mut whole = assistant.call("getInvestigation", json!({"id": id})).await;
    assert_eq!(read["data"]["contradictions"].as_array().map(Vec::len), Some(1));
    whole["data"].as_object_mut().expect("an object").retain(|name, _| {
        ["_id", "title", "status", "contradictions", "hints", "dismissed", "revision"].contains(&name.as_str())
    });
    assert_eq!(read, whole);
}

#[tokio::test]
async fn every_revision_of_the_mcp_protocol_is_supported() {
    let (_app, teacher, id, _) = start().await;
    for mode in [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
        ClientLifecycleMode::Auto { preferred_versions: vec![ProtocolVersion::V_2026_07_28], legacy_version: None },
    ] {
        let assistant = Assistant::greeting(&teacher, mode).await.expect("a server");
        assert_eq!(assistant.tools().await.len(), 13);
        let read = assistant.call("getInvestigation", json!({"id": id})).await;
        assert_eq!(read["data"]["title"], "Cress");
        assert_eq!(assistant.refusal("getInvestigation", json!({"id": "x"})).await["code"], "validation_failed");
    }
    // Assistants that use an old revision of MCP do not send the header `mcp-protocol-version`.
    let old = speaks_mcp(teacher).post("/mcp", message("tools/list", json!({}))).await;
    assert_eq!(old.json()["result"]["tools"].as_array().map(Vec::len), Some(13), "{old}");
    assert_eq!(old.header("mcp-session-id"), None);
}

#[tokio::test]
async fn oversized_result_of_an_mcp_tool_is_refused() {
    let (app, _, teacher) = TestApp::start().await;
    for _ in 0..3 {
        app.import(json!({"title": "Long", "text": "w".repeat(900_000)})).await;
    }
    let assistant = Assistant::of(&teacher).await;
    assert_eq!(
        assistant.refusal("getInvestigations", json!({"title": "Long"})).await,
        json!({
            "success": false, "message": "Too large",
            "error": "The result has more than 2097152 bytes; ask for less at once, with a smaller limit",
            "code": "too_large",
        })
    );
    let page = assistant.call("getInvestigations", json!({"title": "Long", "limit": 2})).await;
    assert_eq!(page["data"]["items"].as_array().map(Vec::len), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn log_never_contains_an_mcp_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.args(["serve", "--log-level", "trace", "--auth-investigations", "optional", "--data"]).arg(folder.path());
    program.stderr(File::create(&log).expect("a file"));
    let service = Service::of(program);
    let anon = Caller::of(service.base.clone());
    let id = anon.create(json!({"title": "Cress"})).await;
    let assistant = Assistant::of(&anon).await;
    assistant.call("updateInvestigation", json!({"id": id, "changes": {"title": "Purslane"}})).await;
    let text = std::fs::read_to_string(&log).expect("a log");
    assert!(text.contains("INFO"), "{text}");
    assert!(!text.contains("Purslane") && !text.contains("rmcp"), "{text}");
}

#[tokio::test]
async fn mcp_call_counts_as_one_request_in_the_log_and_the_metrics() {
    let (log, _guard) = log::captured();
    let http = HttpSettings { log_requests: true, ..HttpSettings::default() };
    let (app, anon, teacher) = TestApp::start_with(http).await;
    let id = teacher.create(at_odds()).await;
    let call = json!({"name": "getInvestigation", "arguments": {"id": id}});
    let before = log.text();
    let answer = speaks_mcp(teacher).post("/mcp", message("tools/call", call)).await;
    assert_eq!(answer.status, 200, "{answer}");
    let lines = log.text()[before.len()..].to_owned();
    let served: Vec<&str> = lines.lines().filter(|line| line.contains("request served")).collect();
    assert_eq!(served.len(), 1, "{served:?}");
    assert!(served[0].contains("http.method=POST http.route=\"/mcp\" http.status=200"), "{served:?}");
    let metrics = anon.get("/metrics").await;
    assert!(metrics.text.contains("fieldbook_request_seconds_count{route=\"/mcp\"}"), "{metrics}");
    drop(app);
}
