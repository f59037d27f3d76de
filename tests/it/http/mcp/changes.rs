//! Tools that change an investigation. They store a change only with `apply`, and only on the revision in `ifMatch`.

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{at_odds, start, stored};
use crate::support::assistant::Assistant;
use crate::support::endpoint::{finds, proposes};
use crate::support::{TestApp, compact};

/// Each tool that changes an investigation, with arguments, in an order in which all can be applied.
fn tools() -> [(&'static str, Value); 5] {
    [
        ("updateInvestigation", json!({"changes": {"title": "Radishes", "grade": null}})),
        ("undoInvestigation", json!({})),
        ("redoInvestigation", json!({})),
        ("resolveContradiction", json!({"fieldName": "durationMinutes"})),
        ("regenerateOtherFields", json!({"fieldName": "steps"})),
    ]
}

fn with(arguments: &Value, more: Value) -> Value {
    let mut arguments = arguments.clone();
    arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    arguments
}

fn investigation(result: &Value) -> &Value {
    result.get("updatedInvestigation").or(result["data"].get("investigation")).unwrap_or(&result["data"])
}

#[tokio::test]
async fn mcp_tool_stores_a_change_only_with_apply_and_exactly_as_previewed() {
    let (_app, teacher, id, assistant) = start().await;
    for (tool, arguments) in tools() {
        let arguments = with(&arguments, json!({"id": id}));
        let before = stored(&teacher, &id).await;
        let revision = teacher.get(&format!("/api/investigation/{id}")).await.data()["revision"].clone();
        for is_told in [json!({}), json!({"apply": false}), json!({"apply": null, "ifMatch": revision})] {
            let shown = assistant.call(tool, with(&arguments, is_told)).await;
            assert_eq!((&shown["applied"], &shown["ifMatch"]), (&json!(false), &revision), "{tool}: {shown}");
            assert_eq!(stored(&teacher, &id).await, before, "{tool}");
        }
        let shown = assistant.call(tool, arguments.clone()).await;
        let applied = assistant.call(tool, with(&arguments, json!({"apply": true, "ifMatch": revision}))).await;
        assert_eq!((&applied["applied"], applied.get("ifMatch")), (&json!(true), None), "{tool}: {applied}");
        assert_eq!(investigation(&applied), investigation(&shown), "{tool}");
        let read = teacher.get(&format!("/api/investigation/{id}")).await.data();
        assert_eq!(investigation(&applied), &read, "{tool}");
    }
}

#[tokio::test]
async fn mcp_preview_of_an_update_names_its_changes_findings_and_status() {
    let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress", "durationMinutes": 20, "groupSize": 2})).await;
    let assistant = Assistant::of(&teacher).await;
    let changes = json!({
        "durationMinutes": 10, "groupSize": null, "status": "published", "steps": [{"text": "Sow", "minutes": 20}],
    });
    let mut shown = assistant.call("updateInvestigation", json!({"id": id, "changes": changes})).await;
    let after = shown.as_object_mut().and_then(|shown| shown.remove("updatedInvestigation")).expect("the result");
    assert_snapshot!(compact(&shown), @r#"
    {
      "success": true,
      "changes": [
        {"fieldPath": "groupSize", "before": 2},
        {"fieldPath": "durationMinutes", "before": 20, "after": 10},
        {"fieldPath": "status", "before": "draft_incomplete", "after": "published"},
        {"fieldPath": "steps", "after": [{"text": "Sow", "minutes": 20}]}
      ],
      "applied": false, "ifMatch": 1
    }
    "#);
    assert_eq!(
        (&after["status"], &after["contradictions"][0]["fieldName"]),
        (&json!("published"), &json!("durationMinutes"))
    );
}

#[tokio::test]
async fn mcp_tool_applies_no_change_to_a_revision_that_the_assistant_has_not_read() {
    let (_app, teacher, id, assistant) = start().await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"grade": 5})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    let before = stored(&teacher, &id).await;
    for (tool, arguments) in tools() {
        let arguments = with(&arguments, json!({"id": id}));
        let stale = with(&arguments, json!({"apply": true, "ifMatch": 1}));
        let refused = assistant.refusal(tool, stale).await;
        assert_eq!(refused["code"], "revision_mismatch", "{tool}");
        assert_eq!(refused["error"], "It is at revision 3 now; read it again and repeat the change on that");
        assert_eq!(assistant.refusal(tool, with(&arguments, json!({"ifMatch": 1}))).await, refused, "{tool}");
        assert_eq!(
            assistant.refusal(tool, with(&arguments, json!({"apply": true}))).await["errors"],
            json!([{"path": "ifMatch", "message": "is required if apply is true: the revision that you have read"}])
        );
    }
    assert_eq!(stored(&teacher, &id).await, before);
}

#[tokio::test]
async fn mcp_tool_refuses_with_the_same_message_as_its_http_operation() {
    let (_app, teacher, id, assistant) = start().await;
    let path = format!("/api/investigation/{id}");
    let unknown = "ffffffffffffffffffffffff";
    let field = |name: &str| json!({"fieldName": name});
    for (tool, arguments, answer) in [
        (
            "updateInvestigation",
            json!({"id": id, "changes": {"title": 7}}),
            teacher.patch(&path, json!({"title": 7})).await,
        ),
        ("undoInvestigation", json!({"id": id}), teacher.post_empty(&format!("{path}/undo")).await),
        ("redoInvestigation", json!({"id": id}), teacher.post_empty(&format!("{path}/redo")).await),
        (
            "resolveContradiction",
            with(&field("title"), json!({"id": id})),
            teacher.post(&format!("{path}/resolve-contradiction"), field("title")).await,
        ),
        (
            "regenerateOtherFields",
            with(&field(" "), json!({"id": id})),
            teacher.post(&format!("{path}/regenerate"), field(" ")).await,
        ),
        ("getInvestigation", json!({"id": unknown}), teacher.get(&format!("/api/investigation/{unknown}")).await),
        ("getInvestigation", json!({}), teacher.get("/api/investigation/%20").await),
        ("getInvestigation", json!({"id": ""}), teacher.get("/api/investigation/%20").await),
        ("undoInvestigation", json!({}), teacher.get("/api/investigation/%20").await),
        ("getInvestigationVersion", json!({"id": id, "version": 9}), teacher.get(&format!("{path}/versions/9")).await),
        ("getInvestigations", json!({"limit": 101}), teacher.get("/api/investigation?limit=101").await),
    ] {
        assert!(!answer.status.is_success(), "{answer}");
        assert_eq!(assistant.refusal(tool, arguments).await, answer.json(), "{tool}");
    }
    // A preview reads the investigation first, so an unknown id gets the same refusal as a read.
    let missing = teacher.get(&format!("/api/investigation/{unknown}")).await.json();
    assert_eq!(assistant.refusal("undoInvestigation", json!({"id": unknown})).await, missing);
}

#[tokio::test]
async fn assistant_rate_limit_counts_mcp_tool_calls() {
    let http = HttpSettings { assistant_rate_limit: 1, ..HttpSettings::default() };
    let (_app, _, teacher) = TestApp::start_with(http).await;
    let assistant = Assistant::of(&teacher).await;
    let ids = [teacher.create(at_odds()).await, teacher.create(at_odds()).await];
    let resolve = |id: &str, apply: bool| json!({"id": id, "fieldName": "steps", "apply": apply, "ifMatch": 1});
    // A dry run that asks no model does not count toward the limit.
    for id in &ids {
        assistant.call("resolveContradiction", resolve(id, false)).await;
    }
    assistant.call("resolveContradiction", resolve(&ids[0], true)).await;
    let refused = assistant.refusal("resolveContradiction", resolve(&ids[1], true)).await;
    assert_eq!(refused["code"], "rate_limited");
    let by_route = format!("/api/investigation/{}/resolve-contradiction", ids[1]);
    assert_eq!(teacher.post(&by_route, json!({"fieldName": "steps"})).await.json(), refused);
}

#[tokio::test]
async fn mcp_apply_stores_the_proposal_that_the_preview_showed() {
    let (endpoint, _app, teacher) = crate::authoring::start(|question| match question.kind {
        "regenerate" => proposes(&[("title", json!(format!("Cress no. {}", question.nth)))], "I numbered it."),
        _ => finds(&[]),
    })
    .await;
    let id = teacher.create(json!({"title": "Cress", "durationMinutes": 9})).await;
    let assistant = Assistant::of(&teacher).await;
    let arguments = json!({"id": id, "fieldName": "durationMinutes"});
    let shown = assistant.call("regenerateOtherFields", arguments.clone()).await;
    assert_eq!(shown["changes"], json!([{"fieldPath": "title", "before": "Cress", "after": "Cress no. 1"}]));
    let apply = json!({"apply": true, "ifMatch": shown["ifMatch"]});
    let applied = assistant.call("regenerateOtherFields", with(&arguments, apply)).await;
    assert_eq!(investigation(&applied)["title"], "Cress no. 1");
    assert_eq!(endpoint.count("regenerate"), 1);
}
