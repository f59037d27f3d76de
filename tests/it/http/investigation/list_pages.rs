//! Pages of a list: limits, offsets and cursors.

use std::time::Duration;

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use super::list::{LIST, data, shown, with};
use crate::support::{Caller, TestApp};

#[tokio::test]
async fn list_page_has_twenty_items_by_default() {
    let (_app, teacher) = with(&vec![json!({}); 21]).await;
    let page = data(&teacher, "").await;
    assert_eq!(page["items"].as_array().map(Vec::len), Some(20));
    let mut pagination = page["pagination"].clone();
    assert!(pagination["nextCursor"].take().is_string());
    assert_snapshot!(pagination, @r#"{"total":21,"limit":20,"offset":0,"hasMore":true,"nextCursor":null}"#);
    assert_snapshot!(data(&teacher, "offset=20").await["pagination"], @r#"{"total":21,"limit":20,"offset":20,"hasMore":false,"nextCursor":null}"#);
    let beyond = data(&teacher, "offset=21").await;
    assert_eq!((&beyond["items"], &beyond["groups"][0]["count"]), (&json!([]), &json!(21)));
}

/// Creates fourteen investigations, two at the same time each. Some values are missing, and some are equal.
async fn varied() -> (TestApp, Caller) {
    let (app, _, teacher) = TestApp::start().await;
    for n in 0..14 {
        let mut content = json!({});
        if n % 5 != 0 {
            content["curriculum"] = json!(["NGSS", "ngss", "Éire"][n % 3]);
        }
        if n % 4 != 0 {
            content["title"] = json!(["Cress", "cress", "Äpfel"][n / 3 % 3]);
            content["grade"] = [json!("K"), json!(10), json!("9")][n % 3].clone();
        }
        if n % 6 == 0 {
            content["status"] = json!("published");
        }
        let id = teacher.create(content).await;
        if n % 2 == 1 {
            app.clock.advance(Duration::from_secs(1));
            teacher.patch(&format!("{LIST}/{id}"), json!({"note": n})).await;
        }
    }
    (app, teacher)
}

#[tokio::test]
async fn list_cursor_and_offset_give_the_same_rows_in_every_sort_order() {
    let (_app, teacher) = varied().await;
    for sort_by in ["createdAt", "updatedAt", "title", "grade", "curriculum", "status"] {
        for rest in
            ["asc&groupBy=none", "desc&groupBy=none", "asc", "desc", "asc&search=k", "desc&status=draft_incomplete"]
        {
            let query = format!("sortBy={sort_by}&sortOrder={rest}");
            let whole = data(&teacher, &query).await;
            let mut page = data(&teacher, &format!("{query}&limit=4")).await;
            let mut walked = shown(&page, "_id");
            while let Some(cursor) = page["pagination"]["nextCursor"].as_str() {
                page = data(&teacher, &format!("{query}&limit=4&cursor={cursor}")).await;
                let by_offset = data(&teacher, &format!("{query}&limit=4&offset={}", walked.len())).await;
                assert_eq!(page, by_offset, "{query}");
                walked.extend(shown(&page, "_id"));
            }
            assert_eq!(walked, shown(&whole, "_id"), "{query}");
            assert_eq!(whole["pagination"]["total"], walked.len(), "{query}");
        }
    }
}

#[tokio::test]
async fn list_page_cut_short_by_its_size_has_a_cursor_to_the_next_page() {
    let (app, _, teacher) = TestApp::start().await;
    // A page of a list without a filter ends before it would hold more than 2 MiB.
    for n in 0..10 {
        app.import(json!({"n": n, "text": "x".repeat(250_000)})).await;
    }
    let first = data(&teacher, "limit=10&sortOrder=asc").await;
    let page = &first["pagination"];
    assert_eq!((shown(&first, "n").len(), &page["limit"], &page["hasMore"]), (8, &json!(8), &json!(true)), "{page}");
    let cursor = page["nextCursor"].as_str().expect("a cursor");
    let by_cursor = data(&teacher, &format!("limit=10&sortOrder=asc&cursor={cursor}")).await;
    let last = data(&teacher, "limit=10&sortOrder=asc&offset=8").await;
    let page = &last["pagination"];
    assert_eq!(
        (shown(&last, "n"), &page["limit"], &page["hasMore"]),
        (vec!["8".into(), "9".into()], &json!(10), &json!(false))
    );
    assert_eq!((shown(&by_cursor, "n"), &by_cursor["pagination"]["hasMore"]), (shown(&last, "n"), &json!(false)));
}

#[tokio::test]
async fn list_paging_gives_each_remaining_row_once_while_rows_are_added_and_removed() {
    for query in ["limit=4", "limit=4&groupBy=none", "limit=4&sortBy=title&sortOrder=asc"] {
        let (_app, teacher) = varied().await;
        let mut expected = shown(&data(&teacher, &query.replace("limit=4", "limit=100")).await, "_id");
        let first = data(&teacher, query).await;
        let (gone, last) = (expected[1].clone(), expected[3].clone());
        teacher.delete(&format!("{LIST}/{gone}")).await;
        teacher.delete(&format!("{LIST}/{last}")).await;
        let later_gone = expected.remove(6);
        teacher.delete(&format!("{LIST}/{later_gone}")).await;
        for _ in 0..3 {
            teacher.create(json!({"title": "AAA", "curriculum": "AAA"})).await;
        }
        let mut walked = shown(&first, "_id");
        let mut next = first["pagination"]["nextCursor"].clone();
        while let Some(cursor) = next.as_str() {
            let page = data(&teacher, &format!("{query}&cursor={cursor}")).await;
            walked.extend(shown(&page, "_id"));
            next = page["pagination"]["nextCursor"].clone();
        }
        // The new investigations sort before the first page in each of these orders, so no later page shows them.
        assert_eq!(walked, expected, "{query}");
    }
}

#[tokio::test]
async fn list_cursor_with_other_sorting_or_filters_is_refused() {
    let (_app, teacher) = with(&["A", "B", "C"].map(|title| json!({"title": title}))).await;
    let page = data(&teacher, "limit=1&sortBy=title").await;
    let cursor = page["pagination"]["nextCursor"].as_str().expect("a cursor");
    for other in
        ["", "sortBy=grade", "sortBy=title&sortOrder=asc", "sortBy=title&groupBy=none", "sortBy=title&search=a"]
    {
        let refused = teacher.get(&format!("{LIST}?{other}&cursor={cursor}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{other}");
        assert_eq!(refused.json()["errors"][0]["path"], "cursor", "{other}");
    }
    let beside = teacher.get(&format!("{LIST}?sortBy=title&offset=1&cursor={cursor}")).await;
    assert_eq!(beside.json()["errors"][0]["path"], "offset");
    let next = data(&teacher, &format!("sortBy=title&limit=2&cursor={cursor}")).await;
    assert_eq!(shown(&next, "title"), ["B", "A"], "another limit does not make another list");
}
