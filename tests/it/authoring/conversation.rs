//! A message to a language model, and its answer.

use std::time::Duration;

use fieldbook::app::RECHECK;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{at_odds, everything, finds_birds, found, start_at_odds, updated};
use crate::http::investigation::chat::entries;
use crate::http::investigation::version::content;
use crate::http::investigation::versions::listed;
use crate::http::people::{add, person};
use crate::http::permissions::add_key;
use crate::support::endpoint::{Answer, Endpoint, Question, proposes};
use crate::support::process::fieldbook;
use crate::support::{COLLEAGUE, Caller, Exchange, START, TEACHER, TestApp, http_statuses};

async fn say(caller: &Caller, path: &str, said: &str) -> Exchange {
    caller.post(&format!("{path}/chat"), json!({"content": said})).await
}

/// Plays a model that proposes edits if the message begins with "Draw", and otherwise only talks.
fn listens(question: &Question) -> Answer {
    match question.kind {
        "converse" if question.holds(&["\"request\":\"Draw"]) => {
            proposes(&[("assessment", json!("Draw the window.")), ("title", json!("Light"))], "Drawn.")
        }
        "converse" => proposes(&[], "It leans to the light."),
        _ => finds_birds(question),
    }
}

#[tokio::test]
async fn assistant_changes_the_requested_fields_and_undo_restores_every_byte() {
    let (endpoint, app, teacher, path) = start_at_odds(listens).await;
    app.clock.advance(Duration::from_secs(5));
    assert_snapshot!(say(&teacher, &path, "Draw the window, and give it a title.").await, @r#"
    POST /api/investigation/000000000000000000000001/chat
    {"content":"Draw the window, and give it a title."}
    200 OK
    etag: "3"
    {
      "success": true, "message": "Message answered successfully",
      "data": {
        "investigation": {
          "_id": "000000000000000000000001", "phenomenon": "The cress leans to the window.",
          "assessment": "Draw the window.", "title": "Light", "status": "draft_incomplete",
          "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
          "metadata": {"author": null}, "lastChangeWithAI": true, "contradictions": [], "hints": [],
          "dismissed": [], "version": 1, "revision": 3, "clonedFrom": null,
          "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:05.000Z"
        },
        "message": "Drawn.", "hasChanges": true, "changedFields": ["assessment", "title"]
      }
    }
    "#);
    let investigation = teacher.get(&path).await.data();
    assert_eq!(
        entries(&teacher, &path).await,
        [json!({
            "user": {"content": "Draw the window, and give it a title."},
            "assistant": {
                "content": "Drawn.", "metadata": investigation.to_string(),
                "content_for_llm": "Drawn.\n[changed: assessment, title]",
            },
        })]
    );
    let record = teacher.get(&format!("{path}/versions")).await.data()[0].clone();
    assert_eq!(
        (&record["kind"], &record["by"], &record["withAI"]),
        (&json!("converse"), &json!(TEACHER), &json!(true))
    );
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!((content(&undone), found(&undone).len()), (at_odds().to_string(), 1));
    say(&teacher, &path, "Why does it lean?").await;
    assert!(
        endpoint.last("converse").holds(&["Draw the window, and give it a title.", "Drawn."]),
        "the chat goes along"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn export_of_a_person_has_only_their_own_chat_messages() {
    let (_endpoint, app, teacher, own) = start_at_odds(listens).await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let colleague = app.signed_in(COLLEAGUE);
    let foreign = colleague.create_path(at_odds()).await;
    for path in [&own, &foreign] {
        for (caller, words) in [(&teacher, "I am Ada."), (&colleague, "I am Grace.")] {
            let answered = say(caller, path, words).await;
            assert_eq!(answered.status, 200, "{answered}");
        }
    }
    let words = entries(&colleague, &own).await.iter().map(|entry| entry["user"].clone()).collect::<Vec<_>>();
    assert_eq!(words, [json!({"content": "I am Ada."}), json!({"content": "I am Grace."})]);
    let output = fieldbook("person export", app.folder()).arg(TEACHER).output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let export: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let of_ada = json!([{"content": "I am Ada.", "by": TEACHER}]);
    let chats = (&export["investigations"][0]["chat"], &export["investigationsOfOthers"][0]["chat"]);
    assert_eq!(chats, (&of_ada, &of_ada), "{export}");
}

#[tokio::test]
async fn conversation_answer_without_edits_changes_only_the_chat() {
    let (_endpoint, _app, teacher, path) = start_at_odds(listens).await;
    let before = teacher.get(&path).await;
    let answer = say(&teacher, &path, "Why does it lean?").await;
    let data = answer.data();
    assert_eq!((&data["message"], &data["hasChanges"]), (&json!("It leans to the light."), &json!(false)), "{answer}");
    assert_eq!((&data["changedFields"], answer.header("etag")), (&json!([]), before.header("etag")));
    assert_eq!(teacher.get(&path).await.text, before.text);
    assert_eq!(listed(&teacher, &path).await, "");
    let chat = entries(&teacher, &path).await;
    assert_eq!(chat.len(), 1);
    assert_eq!(chat[0]["assistant"]["content_for_llm"], "It leans to the light.");
}

#[tokio::test]
async fn chat_question_asks_the_model_once_for_findings_deleted_from_the_cache_and_shows_them() {
    let (endpoint, app, teacher, path) = start_at_odds(listens).await;
    app.behind("DELETE FROM detection");
    let answer = say(&teacher, &path, "Why does it lean?").await.data();
    assert_eq!(found(&answer["investigation"]), ["model:muse phenomenon"]);
    assert_eq!(endpoint.count("findings"), 2);
    say(&teacher, &path, "And why is that?").await;
    assert_eq!(endpoint.count("findings"), 2);
}

#[tokio::test]
async fn change_made_while_the_model_answers_is_kept_and_the_answer_is_dropped() {
    for said in ["Draw the window.", "Why does it lean?"] {
        let (endpoint, _app, teacher, path) = start_at_odds(listens).await;
        endpoint.hold("converse");
        let asked = tokio::spawn({
            let (teacher, path) = (teacher.clone(), path.clone());
            async move { say(&teacher, &path, said).await }
        });
        endpoint.asked("converse", 1).await;
        updated(&teacher.patch(&path, json!({"phenomenon": "The cress is white."})).await);
        let before = teacher.get(&path).await.text;
        endpoint.let_go();
        let dropped = asked.await.expect("an answer");
        assert_eq!((dropped.status.as_u16(), &dropped.json()["code"]), (500, &json!("changed_meanwhile")), "{dropped}");
        assert_eq!(teacher.get(&path).await.text, before);
        assert_eq!(
            (entries(&teacher, &path).await, listed(&teacher, &path).await.as_str()),
            (Vec::<Value>::new(), "1")
        );
    }
}

#[tokio::test]
async fn chat_answer_is_dropped_if_the_api_key_was_revoked_while_the_model_answered() {
    let (endpoint, app, teacher, path) = start_at_odds(listens).await;
    let key = add_key(&app, 1, "author").await;
    let program = app.anon().bearing(key.expose());
    endpoint.hold("converse");
    let asked = tokio::spawn({
        let path = path.clone();
        async move { say(&program, &path, "Draw the window.").await }
    });
    endpoint.asked("converse", 1).await;
    let before = everything(&teacher, &path).await;
    app.app.store.revoke_api_key(key.id().expect("an id"), START).await.expect("revoked");
    app.clock.advance(RECHECK);
    endpoint.let_go();
    let refused = asked.await.expect("an answer");
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (401, &json!("invalid_token")), "{refused}");
    assert_eq!(everything(&teacher, &path).await, before);
}

#[tokio::test]
async fn chat_request_cannot_break_the_schema_or_change_system_fields() {
    let (endpoint, _app, teacher, path) = start_at_odds(|question| match (question.kind, question.nth) {
        ("converse", 2) => proposes(&[("title", json!(7))], "Seven."),
        ("converse", _) => proposes(&[("status", json!("published")), ("title", json!("Mine"))], "Published."),
        _ => finds_birds(question),
    })
    .await;
    let before = teacher.get(&path).await.text;
    assert_snapshot!(say(&teacher, &path, "Publish it.").await.refusal(), @r#"500 "no_proposal_taken" "The language model made 3 proposals, and none was valid. The last one: The edit of Status names a field that the service sets.""#);
    assert_eq!((endpoint.count("converse"), teacher.get(&path).await.text), (3, before));
    assert_eq!(entries(&teacher, &path).await, Vec::<Value>::new());
}

#[tokio::test]
async fn model_failure_answers_503_and_leaves_the_chat_unchanged() {
    let endpoint = Endpoint::start(finds_birds).await;
    let (_app, teacher) = TestApp::start_with_model(endpoint.settings(), http_statuses()).await;
    let path = teacher.create_path(at_odds()).await;
    assert_snapshot!(say(&teacher, &path, "Hello").await.refusal(), @r#"503 "model_failed" "The language model refused the request with status 403. Check the API key.""#);
    assert_eq!(entries(&teacher, &path).await, Vec::<Value>::new());
}
