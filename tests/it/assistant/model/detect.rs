//! What a model finds: looked up in the document, judged one by one, dropped and counted where it does not hold.

use std::time::Duration;

use fieldbook::assistant::model::{Model, ModelFailure, ModelSettings};
use fieldbook::clock::Clock;
use fieldbook::domain::content::Content;
use fieldbook::domain::finding::{Evidence, Finding, Findings};
use fieldbook::domain::schema::Schema;
use fieldbook::ids::Ids;
use serde_json::{Value, json};

use super::{Endpoint, content, cress, data, found, is_for_the_judge, judged, said, schema, the_water};
use crate::support::START;
use crate::support::counters::Counters;

/// What comes of findings in `content` that the judge gives this verdict on.
async fn of(content: &Content, findings: Value, verdict: &'static str) -> Findings {
    let endpoint =
        Endpoint::answering(
            move |body| {
                if is_for_the_judge(body) { judged(verdict) } else { said(&found(findings.clone())) }
            },
        )
        .await;
    endpoint.model().detect(content, &schema()).await.expect("findings")
}

fn shown(findings: &[Finding]) -> Value {
    serde_json::to_value(findings).expect("JSON")
}

fn changed(change: Value) -> Value {
    let mut finding = the_water();
    for (key, value) in change.as_object().expect("an object") {
        finding[key.as_str()] = value.clone();
    }
    finding
}

#[tokio::test]
async fn a_contradiction_stands_with_its_two_quotes_and_its_source() {
    let findings = of(&cress(), json!([the_water()]), "contradiction").await;
    assert_eq!(
        shown(&findings.contradictions),
        json!([{
            "fieldName": "variables",
            "conflictsWith": ["steps"],
            "reason": "The pots get 20 ml a day, but 30 ml in step 1.",
            "evidence": [
                {"fieldPath": "variables.controlled.0", "quote": "20 ml of water"},
                {"fieldPath": "steps.0.text", "quote": "30 ml of water"}
            ],
            "suggestion": "Give 20 ml in step 1.",
            "source": "model:test-model"
        }])
    );
    assert_eq!(findings.hints, []);
}

#[tokio::test]
async fn what_the_judge_is_not_sure_of_is_a_hint_and_what_it_finds_compatible_is_nothing() {
    let findings = of(&cress(), json!([the_water()]), "unsure").await;
    assert_eq!((findings.contradictions.len(), findings.hints.len()), (0, 1));
    assert_eq!(of(&cress(), json!([the_water()]), "compatible").await, Findings::default());
}

#[tokio::test]
async fn a_reading_under_which_both_hold_makes_a_hint_that_nobody_judges() {
    let reading = json!({"reading": "The 30 ml are for the first day.", "couldBothHold": true});
    let endpoint = Endpoint::saying([said(&found(json!([changed(reading)])))]).await;
    let findings = endpoint.model().detect(&cress(), &schema()).await.expect("findings");
    assert_eq!((findings.contradictions.len(), findings.hints.len()), (0, 1));
    assert_eq!(endpoint.requests().await.len(), 1);
}

#[tokio::test]
async fn the_judge_sees_the_two_quotes_and_nothing_else_of_the_document() {
    let endpoint = Endpoint::answering(|body| {
        if is_for_the_judge(body) { judged("contradiction") } else { said(&found(json!([the_water()]))) }
    })
    .await;
    endpoint.model().detect(&cress(), &schema()).await.expect("findings");
    let asked = endpoint.asked().await;
    let judge = asked.iter().find(|body| is_for_the_judge(body)).expect("a judge");
    assert_eq!(
        data(judge),
        [
            json!({"side": "A", "path": "variables.controlled.0", "label": "Variables > Controlled variables 1", "quote": "20 ml of water"}),
            json!({"side": "B", "path": "steps.0.text", "label": "Steps 1 > Text", "quote": "30 ml of water"}),
        ]
    );
    for word in ["Cress in the dark", "each pot", "a day", "The pots get"] {
        assert!(!judge.to_string().contains(word), "{judge}");
    }
}

#[tokio::test]
async fn what_does_not_hold_to_the_document_is_dropped_and_counted() {
    let (counters, _guard) = Counters::of_this_thread();
    let table = [
        (json!({"pathA": "steps.7.text"}), "wrong_path"),
        (json!({"pathB": "variables.controlled"}), "wrong_path"),
        (json!({"pathB": ""}), "wrong_path"),
        (json!({"quoteA": "20 ml of Water"}), "wrong_quote"),
        (json!({"quoteB": "30 ml … water"}), "wrong_quote"),
        (json!({"quoteB": " "}), "wrong_quote"),
        (json!({"pathB": "title"}), "wrong_quote"),
        (json!({"pathA": "steps.0.text", "quoteA": "30 ml of water"}), "same_quote_twice"),
        (json!({"reason": " "}), "no_reason"),
    ];
    for (change, reason) in table {
        let name = format!("fieldbook_model_findings_dropped_total{{reason={reason}}}");
        let before = counters.get(&name);
        // The one beside it stands: only what is wrong is dropped.
        let findings = of(&cress(), json!([changed(change.clone()), the_water()]), "contradiction").await;
        assert_eq!(findings.contradictions.len(), 1, "{change}");
        assert_eq!(counters.get(&name), before + 1, "{change}");
    }
    assert_eq!(counters.get("fieldbook_model_calls_total{outcome=answered}"), 18);
    assert_eq!(counters.get("fieldbook_model_tokens_total{kind=prompt}"), 1800);
    assert_eq!(counters.get("fieldbook_model_tokens_total{kind=completion}"), 360);
}

#[tokio::test]
async fn a_number_can_be_quoted_and_a_leaf_can_be_named_by_its_id() {
    let finding = changed(json!({"pathA": "L2", "quoteA": "40", "pathB": "L5", "quoteB": "5"}));
    let findings = of(&cress(), json!([finding]), "contradiction").await;
    let evidence = [("durationMinutes", "40"), ("steps.0.minutes", "5")]
        .map(|(path, quote)| Evidence { field_path: path.to_owned(), quote: quote.to_owned() });
    assert_eq!(findings.contradictions[0].evidence, evidence);
}

#[tokio::test]
async fn the_same_pair_of_places_is_one_finding_and_the_surer_one_stays() {
    let doubtful = changed(json!({"couldBothHold": true, "reason": "Perhaps."}));
    let back = changed(json!({
        "pathA": "steps.0.text", "quoteA": "30 ml", "pathB": "variables.controlled.0", "quoteB": "20 ml", "reason": "Again."
    }));
    let findings = of(&cress(), json!([doubtful, the_water(), back]), "contradiction").await;
    assert_eq!(findings.hints, []);
    let reasons: Vec<&str> = findings.contradictions.iter().map(|finding| finding.reason.as_str()).collect();
    assert_eq!(reasons, ["The pots get 20 ml a day, but 30 ml in step 1."]);
}

#[tokio::test]
async fn no_more_than_twenty_findings_are_judged_and_fifty_shown() {
    let many = content(json!({ "safety": (0..60).map(|i| format!("Wear {i} gloves.")).collect::<Vec<_>>() }));
    let finding = |i: usize| {
        changed(json!({
            "pathA": "safety.0", "quoteA": "Wear", "pathB": format!("safety.{i}"), "quoteB": format!("{i} gloves")
        }))
    };
    let findings = Value::Array((1..60).map(finding).collect());
    let endpoint = Endpoint::answering(move |body| {
        if is_for_the_judge(body) { judged("contradiction") } else { said(&found(findings.clone())) }
    })
    .await;
    let findings = endpoint.model().detect(&many, &schema()).await.expect("findings");
    assert_eq!((findings.contradictions.len(), findings.hints.len()), (20, 30));
    assert_eq!(endpoint.requests().await.len(), 21);
}

#[tokio::test]
async fn a_judge_that_cannot_be_understood_is_a_failure_of_the_whole() {
    let endpoint =
        Endpoint::answering(
            |body| {
                if is_for_the_judge(body) { said("perhaps") } else { said(&found(json!([the_water()]))) }
            },
        )
        .await;
    assert_eq!(endpoint.model().detect(&cress(), &schema()).await, Err(ModelFailure::Unreadable));
}

#[tokio::test]
async fn what_the_model_says_at_length_is_cut() {
    let long = changed(json!({"reason": "é".repeat(5_000), "suggestion": " "}));
    let findings = of(&cress(), json!([long]), "contradiction").await;
    assert_eq!(findings.contradictions[0].reason, "é".repeat(500));
    assert_eq!(findings.contradictions[0].suggestion, None);
}

#[tokio::test]
async fn a_document_that_is_too_large_for_a_model_is_not_sent() {
    let endpoint = Endpoint::saying([]).await;
    let key = "k".repeat(30_000);
    for large in
        [json!({"safety": ["x".repeat(60_001)]}), json!({ key: [1, 2, 3] }), json!({ "safety": vec![0; 9_000] })]
    {
        let failure = endpoint.model().detect(&content(large), &schema()).await.expect_err("too large");
        assert_eq!(failure.to_string(), "The investigation is too large for the language model.");
    }
    assert_eq!(endpoint.requests().await.len(), 0);
}

#[tokio::test]
async fn where_nothing_is_said_nothing_is_asked() {
    let endpoint = Endpoint::saying([]).await;
    for empty in [json!({}), json!({"title": null, "steps": [], "variables": {}})] {
        assert_eq!(endpoint.model().detect(&content(empty), &schema()).await, Ok(Findings::default()));
    }
    assert_eq!(endpoint.requests().await.len(), 0);
}

#[test]
fn findings_are_kept_under_what_they_hang_on() {
    let named = |name: &str| {
        let settings = ModelSettings {
            base_url: "http://127.0.0.1:9/v1".to_owned(),
            model: name.to_owned(),
            api_key: None,
            deadline: Duration::from_secs(1),
            concurrent_calls: 1,
        };
        Model::new(settings, Clock::set_to(START), Ids::counted()).expect("a model")
    };
    let (model, other) = (named("one"), named("other"));
    let key = model.key(&cress(), &schema());
    assert!(key.len() == 64 && key.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()), "{key}");
    assert_eq!(model.key(&cress(), &schema()), key);
    assert_ne!(other.key(&cress(), &schema()), key);
    assert_ne!(model.key(&Content::new(), &schema()), key);
    assert_ne!(model.key(&cress(), &Schema::parse("{}").expect("a schema")), key);
}
