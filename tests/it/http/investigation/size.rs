//! Answers that end early so that they do not exceed 8 MiB, or 2 MiB for lists without a filter.

use serde_json::json;

use crate::support::{TEACHER, TestApp};

const PATH: &str = "/api/investigation";
const MAX_ANSWER: usize = 8 * 1024 * 1024;
const MAX_LIGHT_ANSWER: usize = 2 * 1024 * 1024;

/// Stores `count` groups of the list, each with the count 1, but no investigations. The name of each group is a number
/// followed by `name`.
fn add_groups(app: &TestApp, count: usize, name: &str) {
    let rows = (0..count).map(|n| format!("('{n:06}', 0, '{n:06}{name}', 1)")).collect::<Vec<_>>().join(",");
    app.behind(&format!("INSERT INTO group_count (group_key, slot, curriculum, count) VALUES {rows}"));
}

#[tokio::test]
async fn list_shows_at_most_ten_thousand_groups() {
    let (app, _, teacher) = TestApp::start().await;
    add_groups(&app, 10_001, &"x".repeat(50));
    let data = teacher.get(PATH).await.data();
    assert_eq!((data["groups"].as_array().map(Vec::len), &data["groupsCut"]), (Some(10_000), &json!(true)));
    assert_eq!(data["pagination"]["total"], json!(10_001));
}

#[tokio::test]
async fn groups_with_long_names_take_at_most_half_of_the_response_to_a_list_request() {
    let (app, _, teacher) = TestApp::start().await;
    add_groups(&app, 8_000, &"\u{3042}".repeat(194));
    let answer = teacher.get(PATH).await;
    let (least, most) = (MAX_LIGHT_ANSWER / 2 - 8_000, MAX_LIGHT_ANSWER / 2);
    assert!((least..most).contains(&answer.text.len()), "{}", answer.text.len());
    assert_eq!(answer.data()["groupsCut"], json!(true));
}

#[tokio::test]
async fn list_of_large_investigations_ends_early_with_a_cursor() {
    let (app, _, teacher) = TestApp::start().await;
    for _ in 0..9 {
        app.import(json!({"notes": "x".repeat(999_999)})).await;
    }
    let by_author = format!("author={TEACHER}");
    for (filter, max_answer, fit) in [("groupBy=none", MAX_LIGHT_ANSWER, 2), (&by_author, MAX_ANSWER, 8)] {
        let answer = teacher.get(&format!("{PATH}?{filter}")).await;
        assert!(answer.text.len() < max_answer, "{filter}: {}", answer.text.len());
        let data = answer.data();
        let page = &data["pagination"];
        assert_eq!(
            (data["items"].as_array().map(Vec::len), &page["limit"], &page["total"]),
            (Some(fit), &json!(fit), &json!(9)),
            "{filter}"
        );
        let next = page["nextCursor"].as_str().expect("a cursor");
        let rest = teacher.get(&format!("{PATH}?{filter}&cursor={next}")).await.data();
        assert_eq!(rest["items"].as_array().map(Vec::len), Some(fit.min(9 - fit)), "{filter}");
    }
}

/// In memory, a short field takes many times the bytes of its text.
#[tokio::test]
async fn list_of_investigations_with_many_short_fields_ends_early_with_a_cursor() {
    let (app, _, teacher) = TestApp::start().await;
    let fields: serde_json::Map<_, _> = (0..9_000).map(|n| (format!("k{n:x}"), json!(0))).collect();
    for _ in 0..6 {
        app.import(json!(fields)).await;
    }
    // The loop reads all pages of the list twice. The second time, the service has the investigations in its cache.
    for _ in 0..2 {
        let (mut walked, mut pages, mut next) = (std::collections::BTreeSet::new(), 0, String::new());
        loop {
            let answer = teacher.get(&format!("{PATH}?groupBy=none&fields=title{next}")).await.data();
            walked.extend(answer["items"].as_array().expect("items").iter().map(|item| item["_id"].to_string()));
            pages += 1;
            let Some(cursor) = answer["pagination"]["nextCursor"].as_str() else { break };
            next = format!("&cursor={cursor}");
        }
        assert_eq!((walked.len(), pages), (6, 2));
    }
}

#[tokio::test]
async fn large_pages_of_versions_and_histories_end_early_and_can_be_continued() {
    let (app, _, teacher) = TestApp::start().await;
    let path = format!("{PATH}/{}", app.import(json!({"n": format!("0{}", "x".repeat(1_000_000))})).await);
    for n in 1..=6 {
        teacher.patch(&path, json!({"n": format!("{n}{}", "x".repeat(1_000_000))})).await;
    }
    for collection in ["versions", "history/n"] {
        let (mut walked, mut before) = (Vec::new(), 7);
        while before > 1 {
            let answer = teacher.get(&format!("{path}/{collection}?before={before}")).await;
            assert!(answer.text.len() < MAX_ANSWER, "{}", answer.text.len());
            let data = answer.data();
            walked.extend(
                data.as_array().expect("entries").iter().map(|entry| entry["version"].as_u64().expect("a number")),
            );
            before = *walked.last().expect("a version");
        }
        assert_eq!(walked, [6, 5, 4, 3, 2, 1], "{collection}");
    }
}
