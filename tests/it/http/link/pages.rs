//! Pages of links, and pages of the days on which a link was visited.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Caller, TEACHER, TestApp};

/// Adds this many links with long descriptions to an investigation, directly in the store: `k/1`, `k/2` and so on.
fn links(app: &TestApp, id: &str, count: u32) {
    let description = "x".repeat(400);
    app.behind(&format!(
        "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {count})
         INSERT INTO link (body, id, key, sub_link, description, created_at, visit_count, shows, archived, displaced)
         SELECT i.body, '000000000000000000' || CAST(100000 + c.n AS TEXT), 'k', CAST(c.n AS TEXT), '{description}',
             1795160000000, 0, 'nothing', false, false
         FROM c, investigation i WHERE i.id = '{id}'"
    ));
}

async fn page(teacher: &Caller, path: &str, query: &str) -> (Vec<String>, Option<String>) {
    let answer = teacher.get(&format!("{path}?{query}")).await;
    assert!(answer.text.len() < 8 * 1024 * 1024, "{query}");
    let data = answer.data();
    let name = |link: &Value| link["subLink"].as_str().expect("a name").to_owned();
    let names = data.as_array().unwrap_or_else(|| panic!("no links: {answer}")).iter().map(name).collect();
    (names, answer.json()["pagination"]["nextCursor"].as_str().map(str::to_owned))
}

#[tokio::test]
async fn paging_through_20_000_links_gives_each_link_once() {
    let (app, teacher, id) = TestApp::with_id(json!({})).await;
    links(&app, &id, 20_000);
    let expected: Vec<String> = (1..=20_000).map(|n| n.to_string()).collect();
    for path in [format!("/api/link/investigation/{id}"), format!("/api/investigation/{id}/links")] {
        let (mut walked, mut next) = page(&teacher, &path, "").await;
        assert_eq!(walked.len(), 1000);
        while let Some(cursor) = next {
            let (names, cursor) = page(&teacher, &path, &format!("cursor={cursor}")).await;
            walked.extend(names);
            next = cursor;
        }
        assert!(walked == expected, "{} links", walked.len());
    }
}

#[tokio::test]
async fn link_paging_gives_each_remaining_link_once_while_links_are_added_and_removed() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    for name in ["a", "b", "c", "d", "e"] {
        teacher.create_link(&id, "k", name).await;
    }
    let path = format!("/api/investigation/{id}/links");
    let (first, cursor) = page(&teacher, &path, "limit=5").await;
    assert_eq!((first.concat(), &cursor), ("abcde".to_owned(), &None));
    let (first, cursor) = page(&teacher, &path, "limit=2").await;
    assert_eq!(first, ["a", "b"]);
    for gone in ["a", "b", "d"] {
        teacher.delete(&format!("/api/link/k/{gone}")).await;
    }
    teacher.create_link(&id, "k", "f").await;
    let (rest, cursor) = page(&teacher, &path, &format!("limit=9&cursor={}", cursor.expect("a cursor"))).await;
    assert_eq!((rest.concat(), cursor), ("cef".to_owned(), None));
}

#[tokio::test]
async fn next_page_of_links_includes_a_link_created_after_the_newest_were_deleted() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    for name in ["a", "b", "c"] {
        teacher.create_link(&id, "k", name).await;
    }
    let path = format!("/api/investigation/{id}/links");
    let (_, cursor) = page(&teacher, &path, "limit=2").await;
    for gone in ["b", "c"] {
        teacher.delete(&format!("/api/link/k/{gone}")).await;
    }
    teacher.create_link(&id, "k", "d").await;
    let (rest, _) = page(&teacher, &path, &format!("cursor={}", cursor.expect("a cursor"))).await;
    assert_eq!(rest, ["d"]);
}

#[tokio::test]
async fn pages_of_visits_list_each_day_exactly_once() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "a").await;
    for _ in 0..5 {
        anon.get(&link).await;
        app.clock.advance(std::time::Duration::from_secs(24 * 60 * 60));
    }
    // The first token has expired by now.
    let teacher = app.signed_in(TEACHER);
    let whole = teacher.get(&format!("{link}/visits")).await;
    assert_eq!(whole.json()["pagination"], Value::Null);
    let whole = whole.data()["days"].as_array().expect("days").clone();
    let (mut walked, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let page = teacher.get(&format!("{link}/visits?{query}")).await;
        walked.extend(page.data()["days"].as_array().expect("days").clone());
        let Some(cursor) = page.json()["pagination"]["nextCursor"].as_str().map(str::to_owned) else { break };
        query = format!("limit=2&cursor={cursor}");
    }
    assert_eq!((walked.len(), walked), (5, whole));
}

#[tokio::test]
async fn list_of_visits_refuses_a_malformed_cursor_and_too_large_a_limit() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "a").await;
    // The cursor decodes to `{"d":"\u0000"}`.
    for query in ["cursor=eyJkIjoiXHUwMDAwIn0", "limit=10001"] {
        assert_eq!(teacher.get(&format!("{link}/visits?{query}")).await.status, StatusCode::BAD_REQUEST, "{query}");
    }
}
