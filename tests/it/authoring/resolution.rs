//! Resolving with a language model: the rules first, then what it proposes, a few times.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;

use super::{REASON, at_odds, draws, everything, finds_birds, found, resolve, start, updated};
use crate::http::investigation::version::content;
use crate::http::investigation::versions::listed;
use crate::support::TEACHER;
use crate::support::endpoint::{Answer, Question, finds, proposes, resolves};

#[tokio::test]
async fn what_a_rule_can_mend_is_not_asked_of_the_model() {
    let (endpoint, _app, teacher) = start(finds_birds).await;
    let id = teacher.create(json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]})).await;
    let resolved = resolve(&teacher, &id, "durationMinutes").await.data();
    assert_eq!(resolved["investigation"]["durationMinutes"], 9);
    assert_eq!((endpoint.count("resolve"), endpoint.count("findings")), (0, 2));
}

#[tokio::test]
async fn what_no_rule_can_mend_is_resolved_as_the_model_proposes() {
    let (_endpoint, app, teacher) = start(draws).await;
    let id = teacher.create(at_odds()).await;
    app.clock.advance(Duration::from_secs(5));
    assert_snapshot!(resolve(&teacher, &id, "phenomenon").await, @r#"
    POST /api/investigation/000000000000000000000001/resolve-contradiction
    {"fieldName":"phenomenon"}

    200 OK
    etag: "3"
    {
      "success": true,
      "message": "Successfully resolved contradictions",
      "data": {
        "investigation": {
          "_id": "000000000000000000000001",
          "phenomenon": "The cress leans to the window.",
          "assessment": "Draw the window.",
          "status": "draft_incomplete",
          "author": {
            "id": "aaaaaaaaaaaaaaaaaaaaaaaa",
            "name": null,
            "email": null,
            "avatar": null
          },
          "metadata": {
            "author": null
          },
          "lastChangeWithAI": true,
          "contradictions": [],
          "hints": [],
          "dismissed": [],
          "version": 1,
          "revision": 3,
          "clonedFrom": null,
          "createdAt": "2026-11-21T08:00:00.000Z",
          "updatedAt": "2026-11-21T08:00:05.000Z"
        },
        "message": "Changed Assessment from \"Name three birds.\" to \"Draw the window.\" The cress leans to the window, but the birds say otherwise.",
        "explanation": "I drew it."
      }
    }
    "#);
    let (investigation, chat, _) = everything(&teacher, &id).await;
    let message = "Changed Assessment from \"Name three birds.\" to \"Draw the window.\" ".to_owned() + REASON;
    assert_eq!(
        chat,
        [json!({
            "user": {"content": ""},
            "assistant": {
                "content": message, "metadata": investigation.to_string(), "content_for_llm": "[investigation_provided]",
            },
        })]
    );
    let record = teacher.get(&format!("/api/investigation/{id}/versions")).await.data()[0].clone();
    assert_eq!((&record["kind"], &record["by"], &record["withAI"]), (&json!("resolve"), &json!(TEACHER), &json!(true)));
    let undone = teacher.post_empty(&format!("/api/investigation/{id}/undo")).await.data();
    assert_eq!((content(&undone), found(&undone).len()), (at_odds().to_string(), 1));
}

#[tokio::test]
async fn the_rules_mend_first_and_the_model_resolves_what_is_left() {
    let (endpoint, _app, teacher) = start(|question| match question.kind {
        "resolve" => proposes(&[("phenomenon", json!("It grows."))], "Done."),
        _ if question.holds(&["leans to the window", "Sow cress"]) => {
            finds(&[("phenomenon", "leans to the window", "steps.0.text", "Sow", REASON)])
        }
        _ => finds(&[]),
    })
    .await;
    let mut document = at_odds();
    document["durationMinutes"] = json!(5);
    document["steps"] = json!([{"text": "Sow cress", "minutes": 9}]);
    let id = teacher.create(document).await;
    let resolved = resolve(&teacher, &id, "steps").await.data();
    assert_eq!(
        content(&resolved["investigation"]),
        r#"{"phenomenon":"It grows.","assessment":"Name three birds.","durationMinutes":5,"steps":[{"text":"Sow cress","minutes":5}]}"#
    );
    assert!(endpoint.last("resolve").holds(&["\"text\":\"5\""]), "the model sees what the rules have mended");
    assert_eq!((found(&resolved["investigation"]).len(), listed(&teacher, &id).await.as_str()), (0, "1"));
}

#[tokio::test]
async fn a_mend_of_a_rule_that_brings_what_the_model_finds_is_not_taken() {
    let (_endpoint, _app, teacher) = start(|question| match question.kind {
        "resolve" => proposes(&[("steps.0.minutes", json!(5))], "Done."),
        _ if question.holds(&["\"Duration in minutes\",\"text\":\"9\"", "Five minutes"]) => {
            finds(&[("durationMinutes", "9", "assessment", "Five minutes", REASON)])
        }
        _ => finds(&[]),
    })
    .await;
    let document =
        json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}], "assessment": "Five minutes."});
    let id = teacher.create(document).await;
    let resolved = resolve(&teacher, &id, "durationMinutes").await.data();
    assert_eq!(
        content(&resolved["investigation"]),
        r#"{"durationMinutes":5,"steps":[{"text":"Sow","minutes":5}],"assessment":"Five minutes."}"#
    );
    assert_eq!(found(&resolved["investigation"]), [""; 0]);
}

#[tokio::test]
async fn a_proposal_that_does_not_help_is_asked_for_again_with_the_reason_three_times_in_all() {
    let (endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("resolve", 1) => proposes(&[], "I would not."),
        ("resolve", 2) => proposes(&[("assessment", json!("Name three birds, gladly."))], "Better."),
        ("resolve", _) => proposes(&[("assessment", json!(["Name", 3]))], "Best."),
        _ => finds_birds(question),
    })
    .await;
    let id = teacher.create(at_odds()).await;
    let before = everything(&teacher, &id).await;
    assert_snapshot!(resolve(&teacher, &id, "assessment").await, @r#"
    POST /api/investigation/000000000000000000000001/resolve-contradiction
    {"fieldName":"assessment"}

    500 Internal Server Error
    {
      "success": false,
      "message": "The language model made 3 proposals, and none could be taken. The last one: Assessment must be a string.",
      "code": "no_proposal_taken"
    }
    "#);
    assert_eq!((endpoint.count("resolve"), everything(&teacher, &id).await), (3, before));
    let last = endpoint.last("resolve");
    assert!(
        last.holds(&["It changes nothing, and says: I would not.", "Assessment is still contradicted"]),
        "{}",
        last.text
    );
}

#[tokio::test]
async fn a_proposal_that_helps_at_the_last_try_is_taken() {
    let (endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("resolve", 1 | 2) => proposes(&[], "I would not."),
        _ => draws(question),
    })
    .await;
    let id = teacher.create(at_odds()).await;
    let resolved = resolve(&teacher, &id, "assessment").await.data();
    assert_eq!(resolved["investigation"]["assessment"], "Draw the window.");
    assert_eq!((endpoint.count("resolve"), listed(&teacher, &id).await.as_str()), (3, "1"));
}

#[tokio::test]
async fn a_resolution_that_touches_another_field_or_brings_a_contradiction_is_refused() {
    let (endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("resolve", 1) => {
            resolves(&[("C1", "assessment", json!("Draw it.")), ("C1", "title", json!("Window"))], "And a title.")
        }
        ("resolve", 2) => resolves(&[("C1", "assessment", json!("Draw step 3."))], "Diagnosis."),
        ("resolve", _) => resolves(&[("C1", "assessment", json!("Name three birds, gladly."))], "Better."),
        _ => finds_birds(question),
    })
    .await;
    let mut document = at_odds();
    document["steps"] = json!([{"text": "Sow"}]);
    let id = teacher.create(document).await;
    let before = everything(&teacher, &id).await;
    let refused = resolve(&teacher, &id, "assessment").await;
    assert_eq!(refused.json()["code"], "no_proposal_taken", "{refused}");
    let last = endpoint.last("resolve");
    assert!(last.holds(&["Title is on neither side", "It brings another contradiction: "]), "{}", last.text);
    assert_eq!(everything(&teacher, &id).await, before);
}

#[tokio::test]
async fn where_the_rules_can_mend_it_a_model_that_fails_does_not_matter() {
    let (_endpoint, _app, teacher) = start(|_| Answer::Refuses(403)).await;
    let id =
        teacher.create(json!({"title": "Cress", "durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]})).await;
    let resolved = resolve(&teacher, &id, "steps").await;
    assert_eq!(resolved.status.as_u16(), 200, "{resolved}");
    assert_eq!(resolve(&teacher, &id, "title").await.json()["code"], "model_failed");
}

#[tokio::test]
async fn where_nothing_is_found_there_is_nothing_to_resolve() {
    let (endpoint, _app, teacher) = start(draws).await;
    let id = teacher.create(at_odds()).await;
    let refused = resolve(&teacher, &id, "title").await;
    assert_eq!(refused.json()["message"], "No contradiction was found for \"title\"", "{refused}");
    assert_eq!(endpoint.count("resolve"), 0);
}

#[tokio::test]
async fn a_status_that_is_set_while_the_assistant_is_at_work_is_no_obstacle() {
    let (endpoint, _app, teacher) = start(draws).await;
    let id = teacher.create(at_odds()).await;
    let path = format!("/api/investigation/{id}");
    endpoint.hold("resolve");
    let asked = tokio::spawn({
        let (teacher, id) = (teacher.clone().with_header("if-match", "\"2\""), id.clone());
        async move { resolve(&teacher, &id, "phenomenon").await }
    });
    endpoint.asked("resolve", 1).await;
    updated(&teacher.patch(&path, json!({"status": "in_development"})).await);
    endpoint.let_go();
    let resolved = asked.await.expect("an answer").data();
    let investigation = &resolved["investigation"];
    assert_eq!(
        (&investigation["status"], &investigation["assessment"], &investigation["version"]),
        (&json!("in_development"), &json!("Draw the window."), &json!(2))
    );
}

/// Two contradictions of the phenomenon.
fn twice_at_odds() -> serde_json::Value {
    let mut document = at_odds();
    document["hypothesis"] = json!("It stands upright.");
    document
}

const UPRIGHT: &str = "The cress leans, but is said to stand upright.";

/// Finds both, wherever they stand.
fn finds_both(question: &Question) -> Answer {
    let birds = ("phenomenon", "leans to the window", "assessment", "three birds", REASON);
    let upright = ("phenomenon", "cress leans", "hypothesis", "stands upright", UPRIGHT);
    let found = [(birds, "three birds"), (upright, "stands upright")];
    let stands = |words: &str| question.holds(&["leans to the window", words]);
    finds(&found.into_iter().filter(|(_, words)| stands(words)).map(|(finding, _)| finding).collect::<Vec<_>>())
}

#[tokio::test]
async fn one_contradiction_is_resolved_where_another_cannot_be_and_the_message_names_it() {
    let (endpoint, _app, teacher) = start(|question| match question.kind {
        "resolve" if question.holds(&["C2"]) => resolves(
            &[
                ("C1", "assessment", json!("Draw the window.")),
                ("C2", "hypothesis", json!("It stands upright, always.")),
            ],
            "I changed both.",
        ),
        "resolve" => resolves(&[], "Which one is true?"),
        _ => finds_both(question),
    })
    .await;
    let id = teacher.create(twice_at_odds()).await;
    let resolved = resolve(&teacher, &id, "phenomenon").await.data();
    assert_snapshot!(resolved["message"].as_str().expect("a message"), @r#"Changed Assessment from "Name three birds." to "Draw the window." The cress leans to the window, but the birds say otherwise. Could not be resolved: The cress leans, but is said to stand upright."#);
    assert_eq!(resolved["explanation"], json!(null), "the model would speak of an edit that was not made");
    let investigation = &resolved["investigation"];
    assert_eq!(
        (found(investigation), &investigation["hypothesis"]),
        (vec!["model:muse phenomenon".to_owned()], &json!("It stands upright."))
    );
    assert_eq!((endpoint.count("resolve"), listed(&teacher, &id).await.as_str()), (3, "1"));
    assert!(endpoint.last("resolve").holds(&["Phenomenon is still contradicted", "Which one is true?"]));
}

#[tokio::test]
async fn what_is_missing_from_a_list_is_resolved_by_an_addition_or_by_an_edit_of_the_quote() {
    let document = json!({"materials": [{"name": "Cup"}], "steps": [{"text": "Pour 20 ml of vinegar."}]});
    for (path, value, message) in [
        (
            "materials.1",
            json!({"name": "Vinegar", "quantity": 20}),
            "Added Material 2: \"Vinegar\", quantity 20. No vinegar.",
        ),
        (
            "steps.0.text",
            json!("Pour water."),
            "Changed Step 1 from \"Pour 20 ml of vinegar.\" to \"Pour water.\" No vinegar.",
        ),
        (
            "steps.1",
            json!({"text": "Buy vinegar."}),
            "The language model made 3 proposals, and none could be taken. The last one: It edits no place that shows the contradiction.",
        ),
    ] {
        let (_endpoint, _app, teacher) = start(move |question| match question.kind {
            "resolve" => resolves(&[("C1", path, value.clone())], "Done."),
            _ if question.holds(&["20 ml of vinegar"])
                && !question.holds(&["Vinegar"])
                && !question.holds(&["Buy"]) =>
            {
                finds(&[("steps.0.text", "20 ml of vinegar", "materials", "", "No vinegar.")])
            }
            _ => finds(&[]),
        })
        .await;
        let id = teacher.create(document.clone()).await;
        let answer = resolve(&teacher, &id, "materials").await.json();
        let told = answer["data"]["message"].as_str().or(answer["message"].as_str());
        assert_eq!(told, Some(message));
    }
}

#[tokio::test]
async fn a_model_that_finds_the_same_in_everything_resolves_nothing_and_changes_nothing() {
    let (endpoint, _app, teacher) = start(|question| match question.kind {
        "resolve" => proposes(&[("assessment", json!(format!("Draw it {} times.", question.nth)))], "Done."),
        _ => finds(&[("phenomenon", "leans to the window", "phenomenon", "The cress", REASON)]),
    })
    .await;
    let id = teacher.create(at_odds()).await;
    let before = everything(&teacher, &id).await;
    for (field, tries) in [("phenomenon", 3)] {
        let refused = resolve(&teacher, &id, field).await;
        assert_eq!(refused.json()["code"], "no_proposal_taken", "{refused}");
        assert_eq!((endpoint.count("resolve"), everything(&teacher, &id).await), (tries, before.clone()));
    }
}

#[tokio::test]
async fn what_was_resolved_stands_where_the_model_fails_later() {
    let (_endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("resolve", 1) => resolves(&[("C1", "assessment", json!("Draw the window."))], "Half of it."),
        ("resolve", _) => Answer::Refuses(403),
        _ => finds_both(question),
    })
    .await;
    let id = teacher.create(twice_at_odds()).await;
    let resolved = resolve(&teacher, &id, "phenomenon").await.data();
    assert!(resolved["message"].as_str().is_some_and(|it| it.ends_with(&format!("Could not be resolved: {UPRIGHT}"))));
    assert_eq!((&resolved["explanation"], found(&resolved["investigation"]).len()), (&json!("Half of it."), 1));
}

#[tokio::test]
async fn what_the_model_found_is_not_resolved_because_it_fails_after_a_fix_of_the_rules() {
    let (endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("findings", 1) => finds(&[("phenomenon", "leans to the window", "steps.0.text", "Sow", REASON)]),
        ("resolve", _) => proposes(&[("steps.0.text", json!("Plant cress"))], "Done."),
        _ => Answer::Refuses(403),
    })
    .await;
    let mut document = at_odds();
    document["durationMinutes"] = json!(5);
    document["steps"] = json!([{"text": "Sow cress", "minutes": 9}]);
    let id = teacher.create(document).await;
    let resolved = resolve(&teacher, &id, "steps").await.data();
    assert_eq!(resolved["investigation"]["steps"], json!([{"text": "Sow cress", "minutes": 5}]));
    let told = "Changed Step 1, minutes from 9 to 5. The steps take 9 minutes, but the lesson lasts 5. Could not be resolved: ";
    assert_eq!(resolved["message"], told.to_owned() + REASON);
    let why = "The language model refused the request with status 403. Check the API key.";
    assert_eq!(resolved["explanation"], why);
    assert_eq!((endpoint.count("resolve"), listed(&teacher, &id).await.as_str()), (0, "1"));
}

#[tokio::test]
async fn where_the_model_objects_to_one_fix_of_the_rules_the_others_stand() {
    let (_endpoint, _app, teacher) = start(|question| match question.kind {
        "findings" if question.holds(&["step 1!"]) => {
            finds(&[("safety.0", "step 1!", "phenomenon", "leans", "Nothing leans in step 1.")])
        }
        "findings" => finds(&[]),
        _ => Answer::Refuses(403),
    })
    .await;
    let mut document = at_odds();
    document["durationMinutes"] = json!(5);
    document["steps"] = json!([{"text": "Sow cress", "minutes": 9}]);
    document["safety"] = json!(["Mind step 4!"]);
    let id = teacher.create(document).await;
    let resolved = resolve(&teacher, &id, "steps").await;
    let investigation = resolved.data()["investigation"].clone();
    assert_eq!(investigation["steps"][0]["minutes"], 5, "{resolved}");
    assert_eq!(investigation["safety"], json!(["Mind step 4!"]));
    let told = resolved.data()["message"].as_str().unwrap_or_default().to_owned();
    assert!(told.contains("Could not be resolved: \"step 4\""), "{told}");
}

#[tokio::test]
async fn what_the_rules_only_hint_at_stays_where_the_model_finds_a_contradiction() {
    let (_endpoint, app, _) = start(draws).await;
    let hint = json!({
        "id": "even", "level": "hint", "fields": ["phenomenon", "groupSize"], "when": "has(self.groupSize)",
        "rule": "self.groupSize % 2 == 0", "message": "An odd group.", "fix": {"groupSize": "self.groupSize + 1"}
    });
    let properties = json!({"phenomenon": {}, "assessment": {}, "groupSize": {}});
    let schema = json!({"properties": properties, "x-rules": [hint]}).to_string();
    let app = app.restart_with_schema(&schema).await;
    let teacher = app.signed_in(TEACHER);
    let mut document = at_odds();
    document["groupSize"] = json!(3);
    let id = teacher.create(document).await;
    let investigation = resolve(&teacher, &id, "phenomenon").await.data()["investigation"].clone();
    assert_eq!((&investigation["assessment"], &investigation["groupSize"]), (&json!("Draw the window."), &json!(3)));
    assert_eq!(investigation["hints"][0]["source"], "rule:even");
}
