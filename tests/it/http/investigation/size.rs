//! Answers that end early so that they do not exceed 8 MiB.

use serde_json::json;

use crate::support::TestApp;

const PATH: &str = "/api/investigation";
const MAX_ANSWER: usize = 8 * 1024 * 1024;

#[tokio::test]
async fn groups_with_long_names_take_at_most_half_of_an_answer() {
    let (app, _, teacher) = TestApp::start().await;
    for n in 0..6 {
        app.import(json!({"curriculum": format!("{n}{}", "x".repeat(999_999))})).await;
    }
    let answer = teacher.get(PATH).await;
    assert!(answer.text.len() < MAX_ANSWER, "{}", answer.text.len());
    let data = answer.data();
    assert_eq!((data["groups"].as_array().map(Vec::len), &data["groupsCut"]), (Some(4), &json!(true)));
    let page = &data["pagination"];
    assert_eq!(
        (data["items"].as_array().map(Vec::len), &page["limit"], &page["total"]),
        (Some(4), &json!(4), &json!(6))
    );
    let next = page["nextCursor"].as_str().expect("a cursor");
    let rest = teacher.get(&format!("{PATH}?cursor={next}")).await.data();
    assert_eq!(rest["items"].as_array().map(Vec::len), Some(2));
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
