//! A deletion is a small write. A background cleanup, the sweep, then deletes the rows of the investigation in small
//! steps.

use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::{Deleted, Stamp, Store, sweep};
use serde_json::json;

use crate::support::process::Service;
use crate::support::{self, Caller, START, TestApp};

const NOW: Stamp = Stamp { actor: AuditActor { user: None, key: None }, at: START };

/// Tables with rows of an investigation, except the table of search words.
const PARTS: [&str; 7] =
    ["version_record", "version_field", "content_copy", "chat_entry", "chat_snapshot", "link", "link_day"];

/// Number of rows that the investigation has in each of three tables.
const MANY: i64 = 3000;

/// Creates an investigation with thousands of versions, chat entries and links.
async fn large(app: &TestApp, teacher: &Caller) -> ObjectId {
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Watercress"})).await;
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "title"})).await;
    teacher.get(&teacher.create_link(&id, "class", "cress").await).await;
    let numbers = format!("WITH RECURSIVE c (n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM c WHERE n < {})", MANY + 9);
    for (table, columns, values) in [
        (
            "version_record (body, version, parent, kind, at, with_ai, undone, since_copy, changes)",
            "i.body, c.n, 0, 'update', 0, false, true, 1, '[]'",
            "FROM c, investigation i",
        ),
        ("chat_entry (chat, place, entry)", "t.n, c.n, '{}'", "FROM c, investigation i JOIN chat t ON t.body = i.body"),
        (
            "link (body, id, key, sub_link, description, created_at, visit_count, shows, archived, displaced)",
            "i.body, '000000000000000000' || CAST(100000 + c.n AS TEXT), 'k', CAST(c.n AS TEXT), '', 0, 0, 'nothing', false, false",
            "FROM c, investigation i",
        ),
    ] {
        app.behind(&format!("{numbers} INSERT INTO {table} SELECT {columns} {values} WHERE i.id = '{id}'"));
    }
    id.parse().expect("an id")
}

fn parts(app: &TestApp) -> [i64; PARTS.len()] {
    PARTS.map(|table| app.rows(table))
}

/// Number of investigations that the search index finds by the word `watercress`.
fn indexed(app: &TestApp) -> i64 {
    let is_embedded = Store::is_embedded_in(app.folder());
    app.rows(if is_embedded { "search('watercress')" } else { "search_word WHERE word = 'watercress'" })
}

/// Size of the write-ahead log of an embedded store; 0 on PostgreSQL.
fn log_bytes(app: &TestApp) -> u64 {
    std::fs::metadata(app.folder().join("fieldbook.sqlite3-wal")).map_or(0, |log| log.len())
}

#[tokio::test]
async fn deleting_an_investigation_of_any_size_is_one_small_write() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    for into_trash in [true, false] {
        let id = large(&app, &teacher).await;
        let before = parts(&app);
        assert!(before.iter().filter(|rows| **rows >= MANY).count() >= 3, "{before:?}");
        if Store::is_embedded_in(app.folder()) {
            app.behind("PRAGMA wal_checkpoint(TRUNCATE)");
        }
        let deleted = if into_trash {
            store.discard(&store.load(id).await.expect("read").expect("an investigation"), NOW).await
        } else {
            store.delete(id, None, NOW).await
        };
        assert_eq!(deleted.expect("an answer"), Deleted::Done { chats: 1 });
        assert_eq!(parts(&app), before, "it deletes no row of any of them");
        let bytes = log_bytes(&app);
        assert!(bytes < 150_000, "{bytes}");
        app.sweep().await;
        if into_trash {
            let without_chat = [before[0], before[1], before[2], 0, 0, before[5], before[6]];
            assert_eq!(parts(&app), without_chat);
            let discarded = store.discarded(id, Timestamp(0)).await.expect("read").expect("a row");
            assert!(store.purge(discarded, NOW).await.expect("purged"));
            app.sweep().await;
        }
        assert_eq!(parts(&app), [0; PARTS.len()]);
        assert_eq!((app.rows("removed"), indexed(&app)), (0, 0));
    }
}

#[tokio::test]
async fn each_step_of_the_cleanup_after_a_deletion_deletes_few_rows_and_bytes() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let id = large(&app, &teacher).await;
    // Each of these copies of the content is so large that one step of the cleanup can delete only one copy.
    app.behind(&format!(
        "INSERT INTO content_copy (body, version, content) SELECT body, 100 + version_record.version, '\"{}\"'
         FROM version_record WHERE version BETWEEN 10 AND 14",
        "x".repeat(usize::try_from(sweep::MAX_SLICE).expect("small"))
    ));
    store.delete(id, None, NOW).await.expect("deleted");
    let mut left = parts(&app);
    let mut slices = 0;
    while store.sweep().await.expect("swept") {
        let now = parts(&app);
        let deleted: i64 = left.iter().sum::<i64>() - now.iter().sum::<i64>();
        assert!(deleted <= 512, "{deleted}");
        assert!(left[2] - now[2] <= 1, "a large copy is a slice of its own");
        left = now;
        slices += 1;
    }
    assert_eq!(left, [0; PARTS.len()]);
    assert!(slices > 3 * MANY / 512, "{slices}");
}

#[tokio::test]
async fn cleanup_interrupted_between_two_steps_is_finished_by_another_process() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let id = large(&app, &teacher).await;
    app.app.store.delete(id, None, NOW).await.expect("deleted");
    assert!(app.app.store.sweep().await.expect("swept"));
    assert!(parts(&app).iter().sum::<i64>() > MANY, "one slice is not all");
    // The first process does not finish the cleanup, as if it had been killed.
    let next = Store::open(support::place(app.folder())).await.expect("a store");
    while next.sweep().await.expect("swept") {}
    next.close().await;
    assert_eq!(parts(&app), [0; PARTS.len()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn cleanup_of_a_killed_service_is_finished_after_its_restart() {
    let (mut app, teacher) = TestApp::start_with_trash().await;
    let id = large(&app, &teacher).await;
    app.app.store.delete(id, None, NOW).await.expect("deleted");
    app.stop().await;
    let all: i64 = parts(&app).iter().sum();
    let left = || parts(&app).iter().sum::<i64>();
    let mut service = Service::start(app.folder());
    while left() == all {
        std::thread::yield_now();
    }
    service.kill();
    assert!((1..all).contains(&left()), "it was killed in the middle");
    assert!(app.rows("removed") > 0, "what is left is noted");
    let _service = Service::start(app.folder());
    while app.rows("removed") > 0 {
        std::thread::yield_now();
    }
    assert_eq!((parts(&app), indexed(&app)), ([0; PARTS.len()], 0));
}

#[tokio::test]
async fn search_words_work_until_the_deletion_and_are_deleted_by_the_cleanup() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Watercress"})).await;
    let found =
        async || teacher.get("/api/investigation?search=watercress").await.data()["pagination"]["total"].clone();
    assert_eq!(found().await, 1);
    teacher.delete(&path).await;
    assert_eq!((found().await, indexed(&app)), (json!(0), 1));
    teacher.post_empty(&format!("{path}/undelete")).await;
    assert_eq!(found().await, 1);
    teacher.delete(&format!("{path}?permanently=true")).await;
    assert_eq!(found().await, 0);
    app.sweep().await;
    assert_eq!(indexed(&app), 0);
}

#[tokio::test]
async fn cleanup_after_a_deletion_finishes_even_while_changes_are_stored() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let id = large(&app, &teacher).await;
    let other = teacher.create_path(json!({"title": "Peas"})).await;
    app.app.store.delete(id, None, NOW).await.expect("deleted");
    let mut slices = 0;
    loop {
        // Each change adds to the search index, which the cleanup merges.
        let change = teacher.patch(&other, json!({"title": format!("Peas {slices}")}));
        let (has_more, changed) = tokio::join!(app.app.feed.sweep(&app.app.store, &app.clock), change);
        assert_eq!(changed.status, 200, "{changed}");
        slices += 1;
        if !has_more {
            break;
        }
        assert!(slices < 100, "{slices}");
    }
    assert!(slices > 3 * MANY / 512, "{slices}");
    assert_eq!((app.rows("removed"), indexed(&app)), (0, 0));
}

#[tokio::test]
async fn row_numbers_of_deleted_investigations_are_not_reused() {
    let (app, teacher) = TestApp::start_with_trash().await;
    for _ in 0..3 {
        let path = teacher.create_path(json!({"title": "Cress"})).await;
        teacher.patch(&path, json!({"title": "Peas"})).await;
        let versions = teacher.get(&format!("{path}/versions")).await.data();
        assert_eq!(versions.as_array().map(Vec::len), Some(1), "no versions of a deleted one");
        teacher.delete(&path).await;
    }
    assert_eq!((app.rows("trash"), app.rows("chat")), (3, 0));
    app.sweep().await;
    let last = teacher.get("/api/trash").await.data()[0]["investigationId"].as_str().expect("an id").to_owned();
    let path = format!("/api/investigation/{last}");
    assert_eq!(teacher.post_empty(&format!("{path}/undelete")).await.data()["title"], "Peas");
    assert_eq!(teacher.get(&format!("{path}/chat")).await.data()["history"], json!([]));
}
