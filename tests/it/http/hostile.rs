//! Content that is designed to overload the service. The service answers each request, and keeps working.

use serde_json::{Value, json};

use crate::support::{Caller, Exchange, TestApp};

/// Asserts that the service answered with its usual JSON, and that it is still ready.
async fn goes_on(caller: &Caller, answer: &Exchange) {
    assert!(answer.json()["success"].is_boolean(), "{answer}");
    let alive = caller.get("/health/ready").await;
    assert_eq!(alive.status, 200, "{alive}");
}

async fn resolved(teacher: &Caller, content: Value, field: &str) -> Exchange {
    let id = teacher.create(content).await;
    let path = format!("/api/investigation/{id}/resolve-contradiction");
    let answer = teacher.post(&path, json!({ "fieldName": field })).await;
    goes_on(teacher, &answer).await;
    answer
}

#[tokio::test]
async fn finding_quotes_a_list_of_80_000_step_numbers_only_in_part() {
    let (_app, _, teacher) = TestApp::start().await;
    let text = format!("steps 1{}", ", 5".repeat(80_000));
    let created = teacher.post("/api/investigation", json!({"steps": [{"text": "x"}], "safety": [text]})).await;
    goes_on(&teacher, &created).await;
    let contradictions = created.data()["contradictions"].as_array().expect("a list").clone();
    assert!(created.text.len() < text.len() + 100_000, "{} bytes", created.text.len());
    assert_eq!(contradictions.len(), 1);
}

#[tokio::test]
async fn resolve_fixes_all_invalid_step_references_although_only_fifty_are_reported() {
    let (_app, _, teacher) = TestApp::start().await;
    let steps = vec![json!({"text": "x"}); 60];
    let safety = |numbers: [usize; 2]| vec![format!("see step {}; see step {}", numbers[0], numbers[1]); 200];
    let content = json!({"steps": steps, "safety": safety([61, 65])});
    let created = teacher.post("/api/investigation", content.clone()).await;
    goes_on(&teacher, &created).await;
    assert_eq!(created.data()["contradictions"].as_array().map(Vec::len), Some(50));

    let answer = resolved(&teacher, content, "safety").await;
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(answer.data()["investigation"]["safety"], json!(safety([60, 60])));
}

#[tokio::test]
async fn all_invalid_step_numbers_of_a_sentence_are_fixed_and_reported_as_one_change() {
    let (_app, _, teacher) = TestApp::start().await;
    let answer = resolved(
        &teacher,
        json!({"steps": [{"text": "a"}, {"text": "b"}], "safety": ["Repeat steps 5 and 7 before step 2, 10 drops each"]}),
        "safety",
    )
    .await;
    assert_eq!(
        answer.data()["message"],
        "Changed Safety rule 1 from \"Repeat steps 5 and 7 before step 2, 10 drops each\" to \"Repeat steps 2 and 2 before step 2, 10 drops each\". \"steps 5 and 7\" refers to step 5, but the steps go from 1 to 2. \"steps 5 and 7\" refers to step 7, but the steps go from 1 to 2."
    );
}

#[tokio::test]
async fn change_of_thousands_of_values_below_a_huge_key_is_stored_as_one_small_record() {
    let (_app, _, teacher) = TestApp::start().await;
    let key = "k".repeat(50_000);
    let path = teacher.create_path(json!({ key.as_str(): vec![0; 4000] })).await;
    let updated = teacher.patch(&path, json!({ key.as_str(): vec![1; 4000] })).await;
    goes_on(&teacher, &updated).await;
    let versions = teacher.get(&format!("{path}/versions")).await;
    assert!(versions.text.len() < 200_000, "{} bytes", versions.text.len());
    let undone = teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(undone.data()[key.as_str()], json!(vec![0; 4000]));
}

#[tokio::test]
async fn undo_restores_thousands_of_removed_keys_in_their_order() {
    let (_app, _, teacher) = TestApp::start().await;
    let keys = |from: usize, to: usize, value: Value| -> Value {
        (from..to).map(|n| (format!("k{n}"), value.clone())).collect()
    };
    let path = teacher.create_path(keys(0, 10_000, json!(1))).await;
    let before = teacher.get(&path).await.text;
    let removed = teacher.patch(&path, keys(0, 5_000, Value::Null)).await;
    goes_on(&teacher, &removed).await;
    let undone = teacher.post_empty(&format!("{path}/undo")).await;
    goes_on(&teacher, &undone).await;
    let content =
        |text: &str| text.split("\"status\"").next().and_then(|t| t.split_once("\"k0\"")).map(|(_, c)| c.to_owned());
    assert_eq!(content(&undone.text), content(&before));
}

#[tokio::test]
async fn at_most_1000_of_10_000_schema_violations_are_reported() {
    let (_app, _, teacher) = TestApp::start().await;
    let answer = teacher.post("/api/investigation", json!({"steps": vec![1; 10_000]})).await;
    goes_on(&teacher, &answer).await;
    let named = answer.json()["errors"].as_array().expect("errors").clone();
    assert_eq!(named.len(), 1001);
    assert_eq!(named[0]["path"], "steps.0");
    assert_eq!(named[1000]["message"], "has more violations; the first 1000 are named");
}

#[tokio::test]
async fn list_can_be_paged_past_titles_of_60_000_characters() {
    let (_app, _, teacher) = TestApp::start_with_schema(r#"{"type": "object"}"#).await;
    for last in ["a", "b", "c"] {
        teacher
            .create(json!({"title": format!("{}{last}", "t".repeat(60_000)), "curriculum": "c".repeat(60_000)}))
            .await;
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = teacher.get(&format!("/api/investigation?sortBy=title&limit=1{cursor}")).await.data();
        seen.extend(page["items"].as_array().expect("items").iter().map(|item| item["_id"].clone()));
        match page["pagination"]["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    seen.sort_by_key(Value::to_string);
    seen.dedup();
    assert_eq!(seen.len(), 3);
}

#[tokio::test]
async fn resolve_request_for_ten_thousand_invalid_step_numbers_is_answered_and_the_service_stays_ready() {
    let (_app, _, teacher) = TestApp::start().await;
    let list: String = (1000..1021).map(|n| format!("{n}, ")).collect();
    let text = format!("see steps {}. ", list.trim_end_matches(", ")).repeat(500);
    resolved(&teacher, json!({"steps": [{"text": "x"}], "safety": [text]}), "safety").await;
}

#[tokio::test]
async fn object_key_with_a_special_meaning_for_serde_json_is_refused() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let before = teacher.get(&path).await.text;
    for trap in [
        r#"{"k": {"$serde_json::private::RawValue": "[1,2]"}}"#,
        r#"{"k": {"$serde_json::private::RawValue": "not json"}}"#,
        r#"{"k": {"\u0024serde_json::private::RawValue": "1"}}"#,
        r#"{"k": {"$serde_json::private::Number": "1"}}"#,
    ] {
        for refused in [
            teacher.post_text("/api/investigation", "application/json", trap).await,
            teacher.patch_text(&path, "application/json", trap).await,
        ] {
            assert_eq!(refused.status, 400, "{refused}");
            assert_eq!(refused.json()["errors"][0]["path"], "k");
        }
    }
    assert_eq!(teacher.get(&path).await.text, before);
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 1);
}

#[tokio::test]
async fn finding_prints_enormous_minutes_as_a_number_and_not_as_infinity() {
    let (_app, _, teacher) = TestApp::start().await;
    let content = json!({"durationMinutes": 30, "steps": [{"text": "x", "minutes": 1e305}]});
    let created = teacher.post("/api/investigation", content).await;
    goes_on(&teacher, &created).await;
    let reason = created.data()["contradictions"][0]["reason"].to_string();
    assert!(!reason.contains("inf"), "{reason}");
}
