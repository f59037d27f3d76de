//! Promises of the embedded store: its file, and its only writer.

use fieldbook::admission::Actor;
use fieldbook::app::RECHECK;
use fieldbook::domain::finding::{Finding, Findings};
use fieldbook::domain::link::VisitKind;
use fieldbook::domain::list::ListQuery;
use fieldbook::store::{Store, Visited};
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
async fn visits_that_wait_for_a_locked_store_are_each_counted_once() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = teacher.create_link(&id, "busy", "link").await;
    // Another program holds the store's write lock, so that the writer has to wait.
    let other = rusqlite::Connection::open(app.folder().join("fieldbook.sqlite3")).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let mut visits = JoinSet::new();
    for _ in 0..2_000 {
        let app = app.app.clone();
        visits.spawn(async move {
            app.store.visit("busy".into(), "link".into(), VisitKind::Open, crate::support::START).await
        });
    }
    while app.app.store.usage().0 == 0 {
        tokio::task::yield_now().await;
    }
    other.execute_batch("ROLLBACK").expect("the lock is free");
    let mut counts = Vec::new();
    for answer in visits.join_all().await {
        match answer.expect("counted") {
            Visited::Counted(counted) => counts.push(counted.visit.visit_count),
            other => panic!("{other:?}"),
        }
    }
    counts.sort_unstable();
    assert_eq!(counts, (1..=2_000).collect::<Vec<_>>());
    assert_eq!(anon.get(&link).await.data()["visitCount"], 2_001);
}

#[tokio::test]
async fn four_callers_can_each_run_one_heavy_read_at_a_time() {
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
fn store_file_of_another_program_or_a_newer_version_is_refused() {
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
async fn group_counts_of_the_list_are_updated_by_every_kind_of_change() {
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
async fn changes_fail_with_the_code_busy_and_store_nothing_while_another_program_locks_the_store() {
    let (app, _, teacher) = TestApp::start().await;
    let lesson = json!({"title": "Cress", "durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]});
    let field = json!({"fieldName": "durationMinutes"});
    let mut lessons = Vec::new();
    for _ in 0..7 {
        let path = teacher.create_path(lesson.clone()).await;
        teacher.patch(&path, json!({"title": "Peas"})).await;
        lessons.push(path);
    }
    let requests = [
        (Method::POST, "/api/investigation".to_owned(), Some(json!({}))),
        (Method::PATCH, lessons[1].clone(), Some(json!({"title": "Beans"}))),
        (Method::DELETE, lessons[2].clone(), None),
        (Method::POST, format!("{}/clone", lessons[3]), None),
        (Method::POST, format!("{}/undo", lessons[4]), None),
        (Method::POST, format!("{}/resolve-contradiction", lessons[5]), Some(field.clone())),
        (Method::POST, format!("{}/regenerate", lessons[6]), Some(field)),
    ];
    // Another program holds the store's write lock, longer than the writer waits for it.
    let other = rusqlite::Connection::open(app.folder().join("fieldbook.sqlite3")).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let sent = requests.map(|(method, path, body)| {
        let teacher = teacher.clone();
        tokio::spawn(async move {
            let body = body.map(|body| body.to_string());
            teacher.send(method, &path, body.as_deref().map(|body| ("application/json", body))).await
        })
    });
    let mut answers = Vec::new();
    for answer in sent {
        answers.push(answer.await.expect("an answer"));
    }
    other.execute_batch("ROLLBACK").expect("the lock is free");
    assert_snapshot!(shown(&answers), @r#"
    POST /api/investigation {} -> 500 {"success":false,"message":"Failed to create investigation","error":"The service is busy. Nothing was changed; try again in a second","code":"busy"}
    PATCH /api/investigation/000000000000000000000003 {"title":"Beans"} -> 500 {"success":false,"message":"Failed to update investigation","error":"The service is busy. Nothing was changed; try again in a second","code":"busy"}
    DELETE /api/investigation/000000000000000000000005 -> 500 {"success":false,"message":"Failed to delete investigation","error":"The service is busy. Nothing was changed; try again in a second","code":"busy"}
    POST /api/investigation/000000000000000000000007/clone -> 500 {"success":false,"message":"Failed to clone investigation","error":"The service is busy. Nothing was changed; try again in a second","code":"busy"}
    POST /api/investigation/000000000000000000000009/undo -> 500 {"success":false,"message":"The service is busy. Nothing was changed; try again in a second","code":"busy"}
    POST /api/investigation/00000000000000000000000b/resolve-contradiction {"fieldName":"durationMinutes"} -> 500 {"success":false,"message":"The service is busy. Nothing was changed; try again in a second","code":"busy"}
    POST /api/investigation/00000000000000000000000d/regenerate {"fieldName":"durationMinutes"} -> 500 {"success":false,"message":"The service is busy. Nothing was changed; try again in a second","code":"busy"}
    "#);
    for lesson in lessons {
        assert_eq!(teacher.get(&lesson).await.data()["title"], "Peas", "nothing was changed");
    }
}

/// The paused clock of the runtime jumps ahead when all tasks wait, so the pings of the stream come without real
/// waiting.
#[tokio::test(start_paused = true)]
async fn stream_without_events_sends_keep_alives() {
    let (app, _, teacher) = TestApp::start().await;
    let mut stream = Stream::open(&teacher, "/api/events").await;
    assert_eq!(stream.next().await, Some(Block::Aside("retry: 1000".to_owned())));
    for _ in 0..3 {
        app.clock.advance(RECHECK);
        assert_eq!(stream.next().await, Some(Block::Aside(":".to_owned())));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn service_reports_and_keeps_a_damaged_write_ahead_log_and_starts() {
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
        // The next start finds no damage.
        Store::open(crate::support::place(folder.path())).await.expect("a store").close().await;
        assert!(!folder.path().join("fieldbook.sqlite3-wal.damaged-2").exists());
    }
}

#[tokio::test]
async fn permanently_deleted_text_is_no_longer_in_the_store_file() {
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
