//! Promises of the embedded store: its file, and its only writer.

use fieldbook::app::RECHECK;
use fieldbook::domain::finding::{Finding, Findings};
use fieldbook::domain::link::VisitKind;
use fieldbook::domain::list::ListQuery;
use fieldbook::limits::Actor;
use fieldbook::store::{Store, StoreError, Visited};
use insta::assert_snapshot;
use reqwest::Method;
use tokio::task::JoinSet;

use crate::http::error::shown;
use crate::support::process::{Service, fieldbook, refused};
use crate::support::search_index::wrongly_indexed;
use crate::support::stream::{Block, Stream};
use crate::support::{Caller, TestApp, log};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn when_more_waits_to_be_written_than_is_taken_the_rest_is_sent_away_at_once() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = teacher.create_link(&id, "busy", "link").await;
    // Another program holds the store's write lock, so that the writer has to wait.
    let other = rusqlite::Connection::open(app.folder().join("fieldbook.sqlite3")).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let mut visits = JoinSet::new();
    for _ in 0..11_000 {
        let app = app.app.clone();
        visits.spawn(async move {
            app.store.visit("busy".into(), "link".into(), VisitKind::Open, crate::support::START).await
        });
    }
    let first = visits.join_next().await.expect("an answer").expect("a task");
    assert!(matches!(first, Err(StoreError::Busy)), "{first:?}");
    let refused = anon.get(&link).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")), "{refused}");
    assert_eq!(refused.json()["code"], "busy");
    other.execute_batch("ROLLBACK").expect("the lock is free");

    let mut counts: Vec<u64> = Vec::new();
    for answer in visits.join_all().await {
        match answer {
            Ok(Visited::Counted(visit)) => counts.push(visit.visit_count),
            Ok(other) => panic!("{other:?}"),
            Err(error) => assert!(matches!(error, StoreError::Busy), "{error}"),
        }
    }
    counts.sort_unstable();
    assert_eq!(counts, (1..=counts.len() as u64).collect::<Vec<_>>());
    let after = anon.get(&link).await.data();
    assert_eq!(after["visitCount"].as_u64(), Some(counts.len() as u64 + 1));
}

#[tokio::test]
async fn four_callers_have_a_heavy_read_each_at_once() {
    let (app, ..) = TestApp::start().await;
    let take = |digit: &str| {
        let caller = Actor::User(digit.repeat(24).parse().expect("an id"));
        app.app.admission.heavy.try_take(caller, 1)
    };
    let shares: Vec<_> = ["a", "b", "c", "d"].map(take).into_iter().collect();
    assert!(shares.iter().all(Result::is_ok));
    assert!(take("e").is_err());
}

#[test]
fn a_store_of_another_program_or_of_a_newer_one_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("fieldbook.sqlite3");
    let connection = rusqlite::Connection::open(&file).expect("a database");
    connection.execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)").expect("a table");
    drop(connection);
    let said = refused(fieldbook("serve", folder.path()).output().expect("run"));
    assert!(said.ends_with("is a database of another program; choose another folder with --data"), "{said}");

    let folder = tempfile::tempdir().expect("a folder");
    fieldbook("demo", folder.path()).output().expect("run");
    let connection = rusqlite::Connection::open(folder.path().join("fieldbook.sqlite3")).expect("a database");
    connection.pragma_update(None, "user_version", 99).expect("a newer version");
    drop(connection);
    let said = refused(fieldbook("serve", folder.path()).output().expect("run"));
    assert!(said.ends_with("run the newer version"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_counts_follow_every_change() {
    let (_app, _, teacher) = TestApp::start().await;
    let groups = async |teacher: &Caller| {
        let list = teacher.get("/api/investigation?limit=1").await.json();
        (list["data"]["groups"].clone(), list["data"]["pagination"]["total"].clone())
    };
    let mut ids = Vec::new();
    for curriculum in ["NGSS", "NGSS", "KS2", ""] {
        ids.push(teacher.create(json!({"title": "Cress", "curriculum": curriculum})).await);
    }
    teacher.patch(&format!("/api/investigation/{}", ids[0]), json!({"curriculum": "AP"})).await;
    teacher.patch(&format!("/api/investigation/{}", ids[1]), json!({"title": "Beans"})).await;
    teacher.delete(&format!("/api/investigation/{}", ids[2])).await;
    teacher.post_empty(&format!("/api/investigation/{}/undo", ids[0])).await;
    teacher.post_empty(&format!("/api/investigation/{}/clone", ids[3])).await;
    let kept = json!([{"curriculum": "NGSS", "count": 2}, {"curriculum": null, "count": 2}]);
    assert_eq!(groups(&teacher).await, (kept, json!(4)));
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_beyond_the_queue_of_the_writer_are_rejected_at_once() {
    let (app, ..) = TestApp::start().await;
    let other = rusqlite::Connection::open(app.folder().join("fieldbook.sqlite3")).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let mut writes = JoinSet::new();
    for _ in 0..2000 {
        let app = app.app.clone();
        writes.spawn(async move { app.store.release_endpoint("a".into(), "b".into()).await });
    }
    let first = writes.join_next().await.expect("an answer").expect("a task");
    assert!(matches!(first, Err(StoreError::Busy)), "{first:?}");
    other.execute_batch("ROLLBACK").expect("the lock is free");
    let answers = writes.join_all().await;
    assert!(answers.iter().all(|answer| matches!(answer, Ok(()) | Err(StoreError::Busy))));
    assert!(answers.iter().filter(|answer| answer.is_ok()).count() >= 1024);
}

#[tokio::test(flavor = "multi_thread")]
async fn store_that_takes_no_more_answers_in_the_words_of_each_operation() {
    let (app, _, teacher) = TestApp::start().await;
    let lesson = json!({"title": "Cress", "durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]});
    let path = teacher.create_path(lesson).await;
    teacher.patch(&path, json!({"title": "Peas"})).await;
    let other = rusqlite::Connection::open(app.folder().join("fieldbook.sqlite3")).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let mut writes = JoinSet::new();
    for _ in 0..2000 {
        let app = app.app.clone();
        writes.spawn(async move { app.store.release_endpoint("a".into(), "b".into()).await });
    }
    writes.join_next().await.expect("an answer").expect("a task").expect_err("no room");
    let field = json!({"fieldName": "durationMinutes"});
    let mut answers = Vec::new();
    for (method, path, body) in [
        (Method::POST, "/api/investigation".to_owned(), Some(json!({}))),
        (Method::PATCH, path.clone(), Some(json!({"title": "Beans"}))),
        (Method::DELETE, path.clone(), None),
        (Method::POST, format!("{path}/clone"), None),
        (Method::POST, format!("{path}/undo"), None),
        (Method::POST, format!("{path}/resolve-contradiction"), Some(field.clone())),
        (Method::POST, format!("{path}/regenerate"), Some(field)),
    ] {
        let body = body.map(|body| body.to_string());
        answers.push(teacher.send(method, &path, body.as_deref().map(|body| ("application/json", body))).await);
    }
    other.execute_batch("ROLLBACK").expect("the lock is free");
    writes.join_all().await;
    assert_snapshot!(shown(&answers), @r#"
    POST /api/investigation {} -> 500 {"success":false,"message":"Failed to create investigation","error":"The store is busy. Nothing was changed; try again in a second","code":"busy"}
    PATCH /api/investigation/{known} {"title":"Beans"} -> 500 {"success":false,"message":"Failed to update investigation","error":"The store is busy. Nothing was changed; try again in a second","code":"busy"}
    DELETE /api/investigation/{known} -> 500 {"success":false,"message":"Failed to delete investigation","error":"The store is busy. Nothing was changed; try again in a second","code":"busy"}
    POST /api/investigation/{known}/clone -> 500 {"success":false,"message":"Failed to clone investigation","error":"The store is busy. Nothing was changed; try again in a second","code":"busy"}
    POST /api/investigation/{known}/undo -> 500 {"success":false,"message":"The store is busy. Nothing was changed; try again in a second","code":"busy"}
    POST /api/investigation/{known}/resolve-contradiction {"fieldName":"durationMinutes"} -> 500 {"success":false,"message":"The store is busy. Nothing was changed; try again in a second","code":"busy"}
    POST /api/investigation/{known}/regenerate {"fieldName":"durationMinutes"} -> 500 {"success":false,"message":"The store is busy. Nothing was changed; try again in a second","code":"busy"}
    "#);
    assert_eq!(teacher.get(&path).await.data()["title"], "Peas", "nothing was changed");
}

/// The paused clock of the runtime jumps ahead when all tasks wait, so the pings of the stream come without real waiting.
#[tokio::test(start_paused = true)]
async fn a_stream_in_which_nothing_happens_shows_that_it_is_alive() {
    let (app, _, teacher) = TestApp::start().await;
    let mut stream = Stream::open(&teacher, "/api/events").await;
    assert_eq!(stream.next().await, Some(Block::Aside("retry: 1000".to_owned())));
    for _ in 0..3 {
        app.clock.advance(RECHECK);
        assert_eq!(stream.next().await, Some(Block::Aside(":".to_owned())));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_log_is_named_and_kept_and_the_service_continues() {
    for (place, found) in [(Some(0), "its header is invalid"), (Some(1), "its frame "), (None, "")] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut service = Service::start(folder.path());
        let teacher = service.teacher(folder.path());
        for title in 0..20 {
            teacher.create(json!({ "title": title.to_string() })).await;
        }
        service.kill();
        let said = |command: &str| {
            let output = fieldbook(command, folder.path()).output().expect("run");
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
        };
        let integrity = || {
            let said = said("doctor");
            said.lines().filter(|line| line.contains("store-integrity")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(integrity(), ["ok       store-integrity    all of it is readable"]);
        let log = folder.path().join("fieldbook.sqlite3-wal");
        let mut bytes = std::fs::read(&log).expect("a log");
        if let Some(place) = place {
            let start = bytes.len() / 2 * place;
            bytes[start..start + 64].fill(0xaa);
            std::fs::write(&log, &bytes).expect("written");
            let told = integrity();
            assert!(told[0].starts_with("problem  store-integrity    its write-ahead log is damaged: "), "{told:?}");
            assert!(told[0].contains(found), "{told:?}");
            let refused = said(&format!("backup {}", folder.path().join("a.backup").display()));
            assert!(refused.contains("is damaged: its "), "{refused}");
        }
        let (logged, guard) = log::captured();
        let store = Store::open(crate::support::place(folder.path())).await.expect("a store");
        drop(guard);
        let left = store.list(ListQuery::read(&[]).expect("a query")).await.expect("a page").total;
        store.close().await;
        let copy = folder.path().join("fieldbook.sqlite3-wal.damaged-1");
        assert_eq!(logged.text().contains("the write-ahead log of the store is damaged"), place.is_some());
        if place.is_none() {
            assert_eq!((left, copy.exists()), (20, false));
            continue;
        }
        assert!(left < 20, "{left}");
        assert_eq!(std::fs::read(&copy).expect("a copy"), bytes);
        let told = integrity();
        assert_eq!(told[0], "ok       store-integrity    all of it is readable");
        assert!(
            told[1].starts_with("warning  store-integrity    an earlier start found its write-ahead log damaged"),
            "{told:?}"
        );
        // The next start finds nothing new.
        Store::open(crate::support::place(folder.path())).await.expect("a store").close().await;
        assert!(!folder.path().join("fieldbook.sqlite3-wal.damaged-2").exists());
    }
}

#[tokio::test]
async fn nothing_of_what_was_deleted_for_good_is_left_in_the_file() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let marks = ["markcontent", "markearlier", "marklink", "markchat", "markfound"];
    let file = app.folder().join("fieldbook.sqlite3");
    let found = || {
        app.behind("PRAGMA wal_checkpoint(TRUNCATE)");
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("the store")).to_lowercase();
        marks.into_iter().filter(|mark| text.contains(mark)).collect::<Vec<_>>()
    };
    for number in 0..20 {
        teacher.create(json!({"title": format!("Cress {number}"), "steps": [{"text": "Sow and water"}]})).await;
    }
    let id = teacher.create(json!({"title": "Markearlier", "notes": "radish ".repeat(2000)})).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Markcontent"})).await;
    let link = json!({"key": "class", "subLink": "cress", "description": "marklink"});
    assert_eq!(teacher.post(&format!("/api/link/investigation/{id}"), link).await.status, 201);
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "grade"})).await;
    app.behind("UPDATE chat_entry SET entry = replace(entry, '\"user\":', '\"user\":\"markchat\",\"then\":')");
    let finding = Finding {
        field_name: "title".into(),
        conflicts_with: Vec::new(),
        reason: "markfound".into(),
        evidence: Vec::new(),
        also_at: Vec::new(),
        suggestion: None,
        source: "model:m".into(),
    };
    let findings = Findings { contradictions: vec![finding], ..Findings::default() };
    app.app.store.keep_detection(id.parse().expect("an id"), "key".into(), findings).await.expect("kept");
    for number in 20..40 {
        teacher.create(json!({"title": format!("Cress {number}"), "steps": [{"text": "Sow and water"}]})).await;
    }
    assert_eq!(found(), marks);
    assert_eq!(teacher.delete(&format!("{path}?permanently=true")).await.status, 200);
    app.sweep().await;
    assert_eq!(found(), [""; 0]);
    assert_eq!((app.rows("removed"), wrongly_indexed(app.folder())), (0, Vec::new()));
    let total = async |words: &str| {
        let list = teacher.get(&format!("/api/investigation?search={words}")).await.data();
        list["pagination"]["total"].clone()
    };
    assert_eq!([total("cress").await, total("water").await, total("markcontent").await], [40, 40, 0]);
}
