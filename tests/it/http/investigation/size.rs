//! Answers that end early so that they do not exceed 8 MiB.

use serde_json::json;

use crate::support::TestApp;

const PATH: &str = "/api/investigation";
const MAX_ANSWER: usize = 8 * 1024 * 1024;

/// Adds `count` groups of one investigation each, with names of 200 signs.
fn add_groups(app: &TestApp, count: usize, sign: &str) {
    let name = sign.repeat(194);
    let rows = (0..count).map(|n| format!("('{n:06}', 0, '{n:06}{name}', 1)")).collect::<Vec<_>>().join(",");
    app.behind(&format!("INSERT INTO group_count (group_key, slot, curriculum, count) VALUES {rows}"));
}

#[tokio::test]
async fn list_shows_at_most_ten_thousand_groups() {
    let (app, _, teacher) = TestApp::start().await;
    add_groups(&app, 10_001, "x");
    let data = teacher.get(PATH).await.data();
    assert_eq!((data["groups"].as_array().map(Vec::len), &data["groupsCut"]), (Some(10_000), &json!(true)));
    assert_eq!(data["pagination"]["total"], json!(10_001));
}

#[tokio::test]
async fn groups_with_long_names_take_at_most_half_of_an_answer() {
    let (app, _, teacher) = TestApp::start().await;
    add_groups(&app, 8_000, "\u{3042}");
    let answer = teacher.get(PATH).await;
    let (least, most) = (MAX_ANSWER / 2 - 8_000, MAX_ANSWER / 2);
    assert!((least..most).contains(&answer.text.len()), "{}", answer.text.len());
    assert_eq!(answer.data()["groupsCut"], json!(true));
}

#[tokio::test]
async fn list_of_large_investigations_ends_early_and_goes_on_with_its_cursor() {
    let (app, _, teacher) = TestApp::start().await;
    for _ in 0..9 {
        app.import(json!({"notes": "x".repeat(999_999)})).await;
    }
    let answer = teacher.get(PATH).await;
    assert!(answer.text.len() < MAX_ANSWER, "{}", answer.text.len());
    let data = answer.data();
    let page = &data["pagination"];
    assert_eq!(
        (data["items"].as_array().map(Vec::len), &page["limit"], &page["total"]),
        (Some(8), &json!(8), &json!(9))
    );
    let next = page["nextCursor"].as_str().expect("a cursor");
    let rest = teacher.get(&format!("{PATH}?cursor={next}")).await.data();
    assert_eq!(rest["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn versions_and_histories_count_what_is_written_and_go_on_below_the_last_one() {
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
