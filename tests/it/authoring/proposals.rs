//! Proposals of a language model. The service stores a proposal only if the content is still the one that the model
//! was asked about.

use insta::assert_snapshot;
use serde_json::json;

use super::{at_odds, draws, everything, finds_birds, regenerate, resolve, start_at_odds, start_with, updated};
use crate::http::investigation::chat::lose_chat;
use crate::support::endpoint::{Answer, proposes};
use crate::support::{TEACHER, http_statuses};

#[tokio::test]
async fn resolve_and_regenerate_change_nothing_if_the_model_fails() {
    let (_endpoint, _app, teacher, path) = start_at_odds(finds_birds).await;
    let before = everything(&teacher, &path).await;
    let (resolved, regenerated) =
        (resolve(&teacher, &path, "assessment").await, regenerate(&teacher, &path, "assessment").await);
    assert_eq!(resolved.answer(), regenerated.answer());
    assert_snapshot!(resolved.refusal(), @r#"500 "model_failed" "The language model refused the request with status 403. Check the API key.""#);
    assert_eq!(everything(&teacher, &path).await, before);
}

#[tokio::test]
async fn change_made_while_the_model_proposes_is_kept_and_the_proposal_is_dropped() {
    for (operation, kind) in [("resolve-contradiction", "resolve"), ("regenerate", "regenerate")] {
        let (endpoint, _app, teacher) = start_with(draws, http_statuses()).await;
        let id = teacher.create(at_odds()).await;
        let path = format!("/api/investigation/{id}");
        endpoint.hold(kind);
        let asked = tokio::spawn({
            let (teacher, path) = (teacher.clone(), format!("{path}/{operation}"));
            async move { teacher.post(&path, json!({"fieldName": "phenomenon"})).await }
        });
        endpoint.asked(kind, 1).await;
        updated(&teacher.patch(&path, json!({"title": "Light"})).await);
        let before = everything(&teacher, &path).await;
        endpoint.let_go();
        let dropped = asked.await.expect("an answer");
        assert_eq!(
            (dropped.status.as_u16(), &dropped.json()["code"], &dropped.json()["message"]),
            (
                409,
                &json!("changed_meanwhile"),
                &json!(
                    "The investigation was changed while the assistant was at work; its answer was dropped. Try again."
                )
            ),
        );
        assert_eq!(everything(&teacher, &path).await, before);
    }
}

#[tokio::test]
async fn model_is_not_asked_if_the_investigation_or_its_chat_is_missing() {
    let (endpoint, app, teacher, path) = start_at_odds(draws).await;
    lose_chat(&app, "000000000000000000000001");
    for (path, message) in [
        (path.as_str(), "Chat not found for the investigation with id: 000000000000000000000001"),
        ("/api/investigation/ffffffffffffffffffffffff", "Investigation not found"),
    ] {
        for answer in [resolve(&teacher, path, "phenomenon").await, regenerate(&teacher, path, "phenomenon").await] {
            assert_eq!((answer.status.as_u16(), answer.json()["message"].as_str()), (500, Some(message)), "{answer}");
        }
    }
    assert_eq!((endpoint.count("resolve"), endpoint.count("regenerate")), (0, 0));
}

#[tokio::test]
async fn stopping_service_ends_a_resolution_at_once_and_changes_nothing() {
    let (endpoint, mut app, teacher, path) = start_at_odds(draws).await;
    let before = everything(&teacher, &path).await;
    endpoint.hold("resolve");
    let asked = tokio::spawn({
        let (teacher, path) = (teacher.clone(), path.clone());
        async move { resolve(&teacher, &path, "phenomenon").await }
    });
    endpoint.asked("resolve", 1).await;
    app.stop().await;
    assert_snapshot!(asked.await.expect("an answer").refusal(), @r#"500 "stopping" "The service is stopping; nothing was changed.""#);
    let app = app.restart().await;
    assert_eq!(everything(&app.signed_in(TEACHER), &path).await, before);
}

#[tokio::test]
async fn model_error_has_a_retry_after_header_only_if_a_retry_may_help() {
    let (_endpoint, _app, teacher) = start_with(finds_birds, http_statuses()).await;
    let refused = resolve(&teacher, &teacher.create_path(at_odds()).await, "assessment").await;
    let (_endpoint, _app, teacher) = start_with(
        |question| match question.kind {
            "resolve" => proposes(&[], "I would not."),
            _ => finds_birds(question),
        },
        http_statuses(),
    )
    .await;
    let not_taken = resolve(&teacher, &teacher.create_path(at_odds()).await, "assessment").await;
    let (endpoint, _app, teacher) = start_with(|_| Answer::Asks(3600), http_statuses()).await;
    let busy = regenerate(&teacher, &teacher.create_path(at_odds()).await, "assessment").await;
    assert_eq!(endpoint.count("regenerate"), 1);
    for (error, status, code, after) in [
        (refused, 503, "model_failed", None),
        (not_taken, 409, "no_proposal_taken", None),
        (busy, 503, "model_failed", Some("3600")),
    ] {
        let (told, header) = (error.json()["code"].clone(), error.header("retry-after"));
        assert_eq!((error.status.as_u16(), told, header), (status, json!(code), after), "{error}");
    }
}
