//! Resolutions of several contradictions when some of them cannot be resolved.

use fieldbook::assistant::rules::{Field, FieldKind, Level, Rule};
use insta::assert_snapshot;
use serde_json::json;

use super::{REASON, at_odds, draws, everything, found, resolve, start, start_at_odds};
use crate::http::investigation::versions::listed;
use crate::support::endpoint::{Answer, Question, finds, proposes, resolves};
use crate::support::{TEACHER, rules};

/// Returns a document in which the phenomenon contradicts two other fields.
fn twice_at_odds() -> serde_json::Value {
    let mut document = at_odds();
    document["hypothesis"] = json!("It stands upright.");
    document
}

const UPRIGHT: &str = "The cress leans, but is said to stand upright.";

/// Plays a model that reports each of the two contradictions if the document has its texts.
fn finds_both(question: &Question) -> Answer {
    let birds = ("phenomenon", "leans to the window", "assessment", "three birds", REASON);
    let upright = ("phenomenon", "cress leans", "hypothesis", "stands upright", UPRIGHT);
    let found = [(birds, "three birds"), (upright, "stands upright")];
    let stands = |words: &str| question.holds(&["leans to the window", words]);
    finds(&found.into_iter().filter(|(_, words)| stands(words)).map(|(finding, _)| finding).collect::<Vec<_>>())
}

#[tokio::test]
async fn one_of_two_contradictions_is_resolved_and_the_other_is_reported_as_unresolved() {
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
    let path = teacher.create_path(twice_at_odds()).await;
    let resolved = resolve(&teacher, &path, "phenomenon").await.data();
    assert_snapshot!(resolved["message"].as_str().expect("a message"), @r#"Changed Assessment from "Name three birds." to "Draw the window." The cress leans to the window, but the birds say otherwise. Could not be resolved: The cress leans, but is said to stand upright."#);
    assert_eq!(resolved["explanation"], json!(null), "the model would speak of an edit that was not made");
    let investigation = &resolved["investigation"];
    assert_eq!(
        (found(investigation), &investigation["hypothesis"]),
        (vec!["model:muse phenomenon".to_owned()], &json!("It stands upright."))
    );
    assert_eq!((endpoint.count("resolve"), listed(&teacher, &path).await.as_str()), (3, "1"));
    assert!(endpoint.last("resolve").holds(&["Phenomenon is still contradicted", "Which one is true?"]));
}

#[tokio::test]
async fn finding_of_a_missing_list_item_is_resolved_by_adding_the_item_or_editing_the_quote() {
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
            "The language model made 3 proposals, and none was valid. The last one: It does not edit any value that shows the contradiction.",
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
        let investigation = teacher.create_path(document.clone()).await;
        let answer = resolve(&teacher, &investigation, "materials").await.json();
        let told = answer["data"]["message"].as_str().or(answer["message"].as_str());
        assert_eq!(told, Some(message));
    }
}

#[tokio::test]
async fn resolve_changes_nothing_if_the_model_repeats_its_finding_after_each_proposal() {
    let (endpoint, _app, teacher, path) = start_at_odds(|question| match question.kind {
        "resolve" => proposes(&[("assessment", json!(format!("Draw it {} times.", question.nth)))], "Done."),
        _ => finds(&[("phenomenon", "leans to the window", "phenomenon", "The cress", REASON)]),
    })
    .await;
    let before = everything(&teacher, &path).await;
    let refused = resolve(&teacher, &path, "phenomenon").await;
    assert_eq!(refused.json()["code"], "no_proposal_taken", "{refused}");
    assert_eq!((endpoint.count("resolve"), everything(&teacher, &path).await), (3, before));
}

#[tokio::test]
async fn resolved_contradiction_is_stored_although_the_model_fails_at_the_next_contradiction() {
    let (_endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("resolve", 1) => resolves(&[("C1", "assessment", json!("Draw the window."))], "Half of it."),
        ("resolve", _) => Answer::Refuses(403),
        _ => finds_both(question),
    })
    .await;
    let path = teacher.create_path(twice_at_odds()).await;
    let resolved = resolve(&teacher, &path, "phenomenon").await.data();
    assert!(resolved["message"].as_str().is_some_and(|it| it.ends_with(&format!("Could not be resolved: {UPRIGHT}"))));
    assert_eq!((&resolved["explanation"], found(&resolved["investigation"]).len()), (&json!("Half of it."), 1));
}

#[tokio::test]
async fn model_findings_stay_unresolved_if_the_model_fails_after_a_rule_fix() {
    let (endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("findings", 1) => finds(&[("phenomenon", "leans to the window", "steps.0.text", "Sow", REASON)]),
        ("resolve", _) => proposes(&[("steps.0.text", json!("Plant cress"))], "Done."),
        _ => Answer::Refuses(403),
    })
    .await;
    let mut document = at_odds();
    document["durationMinutes"] = json!(5);
    document["steps"] = json!([{"text": "Sow cress", "minutes": 9}]);
    let path = teacher.create_path(document).await;
    let resolved = resolve(&teacher, &path, "steps").await.data();
    assert_eq!(resolved["investigation"]["steps"], json!([{"text": "Sow cress", "minutes": 5}]));
    let told = "Changed Step 1, minutes from 9 to 5. The steps take 9 minutes, but the lesson lasts 5. Could not be resolved: ";
    assert_eq!(resolved["message"], told.to_owned() + REASON);
    let why = "The language model refused the request with status 403. Check the API key.";
    assert_eq!(resolved["explanation"], why);
    assert_eq!((endpoint.count("resolve"), listed(&teacher, &path).await.as_str()), (0, "1"));
}

#[tokio::test]
async fn rule_fix_that_causes_a_model_finding_is_dropped_and_other_fixes_are_kept() {
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
    let path = teacher.create_path(document).await;
    let resolved = resolve(&teacher, &path, "steps").await;
    let investigation = resolved.data()["investigation"].clone();
    assert_eq!(investigation["steps"][0]["minutes"], 5, "{resolved}");
    assert_eq!(investigation["safety"], json!(["Mind step 4!"]));
    let told = resolved.data()["message"].as_str().unwrap_or_default().to_owned();
    assert!(told.contains("Could not be resolved: \"step 4\""), "{told}");
}

#[tokio::test]
async fn resolving_a_contradiction_found_by_a_model_does_not_fix_uncertain_findings_of_rules() {
    let (_endpoint, app, _) = start(draws).await;
    let even = Rule {
        id: "even",
        fields: &[
            Field { name: "phenomenon", kind: FieldKind::Text },
            Field { name: "groupSize", kind: FieldKind::Number },
        ],
        level: Level::Hint,
        find: |document| match document.number("groupSize")?.and_then(|size| size.as_i64()) {
            Some(size) if size % 2 != 0 => Ok(vec![rules::fixable("An odd group.", "groupSize", json!(size + 1))]),
            _ => Ok(Vec::new()),
        },
        ..rules::SILENT
    };
    let properties = json!({"phenomenon": {}, "assessment": {}, "groupSize": {}});
    let app = app.restart_with_rules(&json!({"properties": properties}).to_string(), &[even]).await;
    let teacher = app.signed_in(TEACHER);
    let mut document = at_odds();
    document["groupSize"] = json!(3);
    let path = teacher.create_path(document).await;
    let investigation = resolve(&teacher, &path, "phenomenon").await.data()["investigation"].clone();
    assert_eq!((&investigation["assessment"], &investigation["groupSize"]), (&json!("Draw the window."), &json!(3)));
    assert_eq!(investigation["hints"][0]["source"], "rule:even");
}
