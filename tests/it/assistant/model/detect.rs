//! The findings of a model. The service looks up each quote in the document. The service drops and counts a finding
//! whose quotes do not match, and shows a finding as a hint if the model is unsure.

use std::time::Duration;

use fieldbook::assistant::model::preset::OPENAI_COMPATIBLE;
use fieldbook::assistant::model::{Model, ModelError, ModelSettings};
use fieldbook::clock::Clock;
use fieldbook::domain::content::Content;
use fieldbook::domain::finding::{Evidence, Finding, Findings};
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::schema::Schema;
use fieldbook::ids::Ids;
use serde_json::{Value, json};

use super::{Endpoint, content, cress, data, found, said, schema, the_water};
use crate::support::START;
use crate::support::counters::Counters;

/// Returns the findings that the service accepts when a model reports these findings about `content`.
async fn of(content: &Content, findings: Value) -> Findings {
    let endpoint = Endpoint::saying([said(&found(findings))]).await;
    let found = endpoint.model().detect(content, &schema()).await.expect("findings");
    assert_eq!(endpoint.requests().await.len(), 1);
    found
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

/// A small plan with three mistakes: iodine is used and not listed, and two texts give an amount of vinegar that
/// differs from the list.
fn vinegar() -> Content {
    content(json!({
        "materials": [{ "name": "vinegar", "quantity": 20, "unit": "ml" }, { "name": "cup" }],
        "steps": [
            { "text": "Put two drops of iodine in the cup and warm it over the burner.", "minutes": 5 },
            { "text": "Add 30 ml of vinegar.", "minutes": 5 }
        ],
        "assessment": "Say why 30 ml of vinegar were enough.", "own": { "a key": "We have 25 ml of vinegar." }
    }))
}

fn the_iodine() -> Value {
    changed(json!({
        "pathA": "steps.0.text", "quoteA": "Put two drops of iodine in the cup", "pathB": "materials", "quoteB": null,
        "reason": "Step 1 needs iodine, which is not listed.", "suggestion": null
    }))
}

#[tokio::test]
async fn contradiction_found_by_the_model_has_two_quotes_and_names_the_model() {
    let findings = of(&cress(), json!([the_water()])).await;
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
async fn finding_of_a_missing_material_has_one_quote_and_names_the_materials_list() {
    for blank in [json!(null), json!(""), json!(" ")] {
        let mut finding = the_iodine();
        finding["quoteB"] = blank;
        let findings = of(&vinegar(), json!([finding])).await;
        assert_eq!(
            shown(&findings.contradictions),
            json!([{
                "fieldName": "steps",
                "conflictsWith": ["materials"],
                "reason": "Step 1 needs iodine, which is not listed.",
                "evidence": [
                    {"fieldPath": "steps.0.text", "quote": "Put two drops of iodine in the cup"},
                    {"fieldPath": "materials", "missing": true}
                ],
                "source": "model:test-model"
            }])
        );
    }
}

#[tokio::test]
async fn other_places_of_a_contradiction_are_listed_once_and_only_if_they_exist() {
    let too_little = changed(json!({
        "pathA": "materials.0.quantity", "quoteA": "20", "pathB": "steps.1.text", "quoteB": "Add 30 ml of vinegar",
        "alsoAt": ["assessment", "steps.1.text", "assessment", "safety.0", "steps", "L9", "L10"]
    }));
    let findings = of(&vinegar(), json!([too_little])).await;
    let [finding] = findings.contradictions.as_slice() else { panic!("{findings:?}") };
    assert_eq!(finding.also_at, ["assessment", "own.a key"]);
    assert!(finding.touches("materials") && finding.touches("steps") && !finding.touches("assessment"));
}

#[tokio::test]
async fn finding_that_the_model_is_unsure_of_is_a_hint() {
    let doubted = changed(json!({"reading": "The 30 ml are for the first day.", "sure": false}));
    let findings = of(&cress(), json!([doubted])).await;
    assert_eq!((findings.contradictions.len(), findings.hints.len()), (0, 1));
}

#[tokio::test]
async fn model_findings_with_invented_quotes_are_dropped() {
    let invented = [
        json!({"quoteA": "25 ml of water"}),
        json!({"pathB": "hypothesis", "quoteB": "It grows."}),
        json!({"pathB": "hypothesis", "quoteB": null}),
        json!({"pathB": "steps.0.text", "quoteB": null}),
    ];
    let findings = of(&cress(), invented.map(changed).into()).await;
    assert_eq!(findings, Findings::default());
}

#[tokio::test]
async fn model_answer_with_an_incomplete_finding_is_unreadable() {
    let whole = the_water();
    for member in whole.as_object().expect("an object").keys() {
        let mut half = the_water();
        half.as_object_mut().expect("an object").remove(member);
        let answers = [said(&found(json!([the_water(), half.clone()]))), said(&found(json!([half])))];
        let endpoint = Endpoint::saying(answers).await;
        let error = endpoint.model().detect(&cress(), &schema()).await;
        assert_eq!(error, Err(ModelError::Unreadable), "without {member}");
    }
}

#[tokio::test]
async fn model_findings_that_do_not_match_the_document_are_dropped_and_counted() {
    let (counters, _guard) = Counters::of_this_thread();
    let table = [
        (json!({"pathA": "steps.7.text"}), "wrong_path"),
        (json!({"pathB": ""}), "wrong_path"),
        (json!({"pathB": "safety", "quoteB": null}), "wrong_path"),
        (json!({"pathB": "title", "quoteB": null}), "wrong_path"),
        (json!({"pathB": "", "quoteB": null}), "wrong_path"),
        (json!({"pathB": "variables.controlled"}), "wrong_quote"),
        (json!({"quoteA": "20 ml of Water"}), "wrong_quote"),
        (json!({"quoteA": " "}), "wrong_quote"),
        (json!({"quoteB": "30 ml … water"}), "wrong_quote"),
        (json!({"pathB": "title"}), "wrong_quote"),
        (json!({"pathA": "steps.0.text", "quoteA": "30 ml of water"}), "same_quote_twice"),
        (json!({"pathA": "steps.0.text", "quoteA": "Give each pot 30 ml of water."}), "same_quote_twice"),
        (json!({"reason": " "}), "no_reason"),
    ];
    let count = table.len() as u64;
    for (change, reason) in table {
        let name = format!("fieldbook_model_findings_dropped_total{{reason={reason}}}");
        let before = counters.get(&name);
        // The second finding is correct and stays: the service drops the wrong finding only.
        let findings = of(&cress(), json!([changed(change.clone()), the_water()])).await;
        assert_eq!(findings.contradictions.len(), 1, "{change}");
        assert_eq!(counters.get(&name), before + 1, "{change}");
    }
    assert_eq!(counters.get("fieldbook_model_calls_total{outcome=answered}"), count);
    assert_eq!(counters.get("fieldbook_model_tokens_total{kind=prompt}"), 100 * count);
    assert_eq!(counters.get("fieldbook_model_tokens_total{kind=completion}"), 20 * count);
}

#[tokio::test]
async fn quote_at_the_path_of_a_list_is_assigned_to_the_only_item_that_contains_it() {
    let finding = |path: &str, quote: &str| {
        changed(json!({"pathA": path, "quoteA": quote, "pathB": "materials.0.quantity", "quoteB": "20"}))
    };
    for (path, quote, place) in [
        ("steps", " Add 30 ml of vinegar. ", Some("steps.1.text")),
        ("steps.1", "Add 30 ml of vinegar", Some("steps.1.text")),
        ("steps", "5", None),
        ("steps.0", "Add 30 ml of vinegar", None),
    ] {
        let findings = of(&vinegar(), json!([finding(path, quote)])).await;
        let found = findings.contradictions.first().map(|found| found.evidence[0].clone());
        let wanted = place.map(|place| Evidence::new(&FieldPath::parse(place), quote.trim()));
        assert_eq!(found, wanted, "{path} {quote}");
    }
}

#[tokio::test]
async fn only_values_whose_paths_the_schema_does_not_know_get_ids_in_the_prompt() {
    let finding = changed(json!({
        "pathA": "L10", "quoteA": "We have 25 ml of vinegar", "pathB": "steps.1.text", "quoteB": "Add 30 ml of vinegar"
    }));
    let endpoint = Endpoint::saying([said(&found(json!([finding])))]).await;
    let findings = endpoint.model().detect(&vinegar(), &schema()).await.expect("findings");
    let found = &findings.contradictions[0];
    assert_eq!((found.field_name.as_str(), found.evidence[0].field_path.as_str()), ("own", "own.a key"));
    let asked = &endpoint.asked().await[0];
    let with_id: Vec<Value> = data(asked).into_iter().filter(|line| line.get("id").is_some()).collect();
    assert_eq!(
        with_id,
        [json!({"id": "L10", "path": "own.a key", "label": "Own, a key", "text": "We have 25 ml of vinegar."})]
    );
    let paths = asked["response_format"]["json_schema"]["schema"]["$defs"]["path"]["enum"].to_string();
    assert!(paths.ends_with(r#","assessment","L10","materials","steps"]"#) && !paths.contains("own"), "{paths}");
}

#[tokio::test]
async fn duplicates_of_a_finding_that_the_model_is_sure_of_are_dropped() {
    let doubtful = changed(json!({"sure": false, "reason": "Perhaps."}));
    let back = changed(json!({
        "pathA": "steps.0.text", "quoteA": "30 ml", "pathB": "variables.controlled.0", "quoteB": "20 ml", "reason": "Again."
    }));
    let findings = of(&cress(), json!([doubtful, the_water(), back])).await;
    assert_eq!(findings.hints, []);
    let reasons: Vec<&str> = findings.contradictions.iter().map(|finding| finding.reason.as_str()).collect();
    assert_eq!(reasons, ["The pots get 20 ml a day, but 30 ml in step 1."]);
}

#[tokio::test]
async fn different_contradictions_between_the_same_two_values_are_separate_findings() {
    let mut burner = the_iodine();
    burner["quoteA"] = json!("warm it over the burner");
    let too_little = changed(json!({
        "pathA": "steps.0.text", "quoteA": "two drops of iodine", "pathB": "materials.0.name", "quoteB": "vinegar"
    }));
    let findings = of(&vinegar(), json!([the_iodine(), burner, too_little, the_iodine()])).await;
    assert_eq!(findings.contradictions.len(), 3);
}

#[tokio::test]
async fn at_most_fifty_model_findings_are_shown_and_unsure_findings_are_dropped_first() {
    let many = content(json!({ "safety": (0..60).map(|i| format!("Wear {i} gloves.")).collect::<Vec<_>>() }));
    let finding = |i: usize| {
        changed(json!({
            "pathA": "safety.0", "quoteA": "Wear 0", "pathB": format!("safety.{i}"), "quoteB": format!("{i} gloves"),
            "sure": i > 20
        }))
    };
    let findings = of(&many, (1..60).map(finding).collect()).await;
    assert_eq!((findings.contradictions.len(), findings.hints.len()), (39, 11));
}

#[tokio::test]
async fn long_reason_of_a_model_finding_is_cut() {
    let long = changed(json!({"reason": "é".repeat(5_000), "suggestion": " "}));
    let findings = of(&cress(), json!([long])).await;
    assert_eq!(findings.contradictions[0].reason, "é".repeat(500));
    assert_eq!(findings.contradictions[0].suggestion, None);
}

#[tokio::test]
async fn oversized_document_is_not_sent_to_the_model_for_findings() {
    let endpoint = Endpoint::saying([]).await;
    let key = "k".repeat(30_000);
    for large in
        [json!({"safety": ["x".repeat(60_001)]}), json!({ key: [1, 2, 3] }), json!({ "safety": vec![0; 9_000] })]
    {
        let error = endpoint.model().detect(&content(large), &schema()).await.expect_err("too large");
        assert_eq!(error.to_string(), "The investigation is too large for the language model.");
    }
    assert_eq!(endpoint.requests().await.len(), 0);
}

#[tokio::test]
async fn empty_document_is_not_sent_to_the_model() {
    let endpoint = Endpoint::saying([]).await;
    for empty in [json!({}), json!({"title": null, "steps": [], "variables": {}})] {
        assert_eq!(endpoint.model().detect(&content(empty), &schema()).await, Ok(Findings::default()));
    }
    assert_eq!(endpoint.requests().await.len(), 0);
}

#[test]
fn cache_key_of_model_findings_depends_on_model_content_and_schema() {
    let named = |name: &str| {
        let settings = ModelSettings {
            preset: &OPENAI_COMPATIBLE,
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
