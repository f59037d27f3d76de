//! Pages of `GET /api/investigation/{id}/chat`, and the storage that its entries take.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::chat::entries;
use crate::support::{Caller, TestApp, postgres};

const MAX_ANSWER: usize = 8 * 1024 * 1024;

/// Adds a chat entry whose snapshot of the investigation has this number.
async fn say(teacher: &Caller, path: &str, n: u64) {
    teacher.patch(path, json!({ "n": n })).await;
    say_again(teacher, path).await;
}

async fn say_again(teacher: &Caller, path: &str) {
    let said = teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "n"})).await;
    assert_eq!(said.status, StatusCode::OK, "{said}");
}

/// Returns the numbers in the snapshots of a page, and the next cursor.
async fn page(teacher: &Caller, path: &str, query: &str) -> (Vec<u64>, Option<String>) {
    let answer = teacher.get(&format!("{path}/chat?{query}")).await;
    let history = answer.data()["history"].as_array().unwrap_or_else(|| panic!("no history: {answer}")).clone();
    let number = |entry: &Value| {
        let shown: Value = serde_json::from_str(entry["assistant"]["metadata"].as_str()?).ok()?;
        shown["n"].as_u64()
    };
    let numbers = history.iter().map(|entry| number(entry).expect("a number")).collect();
    (numbers, answer.json()["pagination"]["nextCursor"].as_str().map(str::to_owned))
}

#[tokio::test]
async fn chat_is_paged_from_newest_to_oldest_without_entries_added_during_paging() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    let other = teacher.create_path(json!({"n": 0})).await;
    for n in 1..=7 {
        say(&teacher, &path, n).await;
        say(&teacher, &other, 100 + n).await;
    }
    let (mut walked, mut next) = page(&teacher, &path, "limit=3").await;
    assert_eq!(walked, [5, 6, 7]);
    while let Some(cursor) = next {
        say(&teacher, &path, 8).await;
        let (earlier, cursor) = page(&teacher, &path, &format!("limit=3&cursor={cursor}")).await;
        walked.splice(0..0, earlier);
        next = cursor;
    }
    assert_eq!(walked, [1, 2, 3, 4, 5, 6, 7]);
}

#[tokio::test]
async fn chat_that_fits_on_one_page_has_no_cursor() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    for n in 1..=3 {
        say(&teacher, &path, n).await;
    }
    for query in ["", "limit=3", "limit=1000"] {
        assert_eq!(page(&teacher, &path, query).await, (vec![1, 2, 3], None), "{query}");
    }
}

#[tokio::test]
async fn cursor_of_another_chat_is_refused_with_the_name_of_the_parameter() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    let other = teacher.create_path(json!({"n": 0})).await;
    for n in 1..=2 {
        say(&teacher, &other, n).await;
    }
    let (_, cursor) = page(&teacher, &other, "limit=1").await;
    let of_other = format!("cursor={}", cursor.expect("a cursor"));
    for query in ["cursor=x", "cursor=e30", &of_other] {
        let refused = teacher.get(&format!("{path}/chat?{query}")).await;
        assert_eq!((refused.status, &refused.json()["errors"][0]["path"]), (StatusCode::BAD_REQUEST, &json!("cursor")));
    }
}

#[tokio::test]
async fn chat_pages_stay_below_8_mib_and_have_every_entry_once() {
    let (app, _, teacher) = TestApp::start().await;
    let id = app.import(json!({"n": 0, "text": "\"".repeat(400_000)})).await;
    let path = format!("/api/investigation/{id}");
    for n in 1..=6 {
        say(&teacher, &path, n).await;
    }
    // Each quotation mark takes four bytes in an entry, so an entry takes 1.6 MB.
    let whole = teacher.get(&format!("{path}/chat")).await;
    assert!(whole.text.len() < MAX_ANSWER && whole.text.len() > MAX_ANSWER / 2, "{}", whole.text.len());
    let (newest, cursor) = page(&teacher, &path, "").await;
    assert_eq!(newest, [2, 3, 4, 5, 6]);
    assert_eq!(page(&teacher, &path, &format!("cursor={}", cursor.expect("a cursor"))).await, (vec![1], None));
}

#[tokio::test]
async fn chat_entries_of_an_unchanged_lesson_share_one_stored_snapshot() {
    let (app, _, teacher) = TestApp::start().await;
    // A text that does not compress well.
    let digits: String = (0..30_000_u32).map(|n| format!("{:08x}", n.wrapping_mul(0x9e37_79b9))).collect();
    let path = teacher.create_path(json!({"n": 1, "digits": digits})).await;
    for _ in 0..30 {
        say_again(&teacher, &path).await;
    }
    let said = entries(&teacher, &path).await;
    assert_eq!(said.len(), 30);
    assert!(said.iter().all(|entry| entry == &said[0]));
    let shown: Value = serde_json::from_str(said[0]["assistant"]["metadata"].as_str().expect("a text")).expect("JSON");
    assert_eq!(shown["digits"], json!(digits));
    // The restart closes the store, so that a SQLite store is one file.
    let app = app.restart().await;
    // Thirty copies of the document would take 7.2 MB.
    if let Some(server) = postgres::server() {
        let check = "DO $$ BEGIN ASSERT (SELECT pg_total_relation_size('chat_entry')
            + pg_total_relation_size('chat_snapshot') < 1500000); END $$";
        postgres::execute_in(app.folder(), &server, check);
    } else {
        let bytes = app.folder().join("fieldbook.sqlite3").metadata().expect("a size").len();
        assert!(bytes < 2_000_000, "{bytes}");
    }
}

#[tokio::test]
async fn deletion_of_an_investigation_removes_the_snapshots_of_its_chat() {
    let (app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    say(&teacher, &path, 1).await;
    teacher.delete(&path).await;
    app.sweep().await;
    assert_eq!(app.rows("chat_snapshot"), 0);
}
