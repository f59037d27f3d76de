//! Damaged rows. A row that cannot be read affects only itself: lists skip it, and the log and the doctor name it.

use std::process::{Command, Stdio};
use std::time::Duration;

use fieldbook::domain::event::EventId;
use fieldbook::domain::finding::Findings;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::events::ExpiredEvents;
use fieldbook::store::webhook::Delivery;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::export::imported;
use crate::http::permissions::{ADMIN, add_key, with_role};
use crate::support::process::{Service, fieldbook};
use crate::support::{COLLEAGUE, Caller, Exchange, TEACHER, TestApp, log, postgres};

/// Returns one text from each entry of a list, on all of its pages.
async fn listed(caller: &Caller, path: &str, field: &str) -> Vec<String> {
    let (mut found, mut page) = (Vec::new(), path.to_owned());
    loop {
        let answer = caller.get(&page).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer}");
        let body = answer.json();
        let entries = [&body["data"]["items"], &body["data"]["history"], &body["data"]["days"], &body["data"]];
        let entries = entries.into_iter().find_map(Value::as_array).expect("entries");
        let text = |entry: &Value| entry.pointer(field).map_or_else(String::new, |it| it.to_string().replace('"', ""));
        found.extend(entries.iter().map(text));
        let cursor = [&body["data"]["pagination"]["nextCursor"], &body["pagination"]["nextCursor"]];
        let Some(cursor) = cursor.into_iter().find_map(Value::as_str) else { return found };
        page = format!("{path}&cursor={cursor}");
    }
}

#[tokio::test]
async fn damaged_investigation_affects_only_itself() {
    let (log, _guard) = log::captured();
    let (app, _, teacher) = TestApp::start().await;
    let mut ids = Vec::new();
    for title in ["A", "B", "C", "D"] {
        app.clock.advance(Duration::from_secs(1));
        ids.push(teacher.create(json!({ "title": title })).await);
    }
    let id = &ids[2];
    let lists = [
        "/api/investigation?limit=1",
        "/api/investigation?limit=2&grouped=false",
        "/api/investigation?limit=9&sortBy=title&sortOrder=asc",
        "/api/investigation?limit=1&search=c&status=draft_incomplete",
    ];
    for (damage, mended) in [
        ("findings = 'nonsense'", "findings = '{\"contradictions\":[],\"hints\":[]}'"),
        ("status = 'unknown'", "status = 'draft_incomplete'"),
        ("version = -1", "version = 0"),
        ("author = 'nobody'", "author = NULL"),
        ("content = '{\"title\":'", "content = '{\"title\":\"C\"}'"),
    ] {
        app.behind(&format!("UPDATE investigation SET {damage} WHERE id = '{id}'"));
        for list in lists {
            let mut titles = listed(&teacher, list, "/title").await;
            titles.sort();
            let expected: &[&str] = if list.contains("search") { &[] } else { &["A", "B", "D"] };
            assert_eq!(titles, expected, "{damage}, {list}");
        }
        let itself = teacher.get(&format!("/api/investigation/{id}")).await;
        assert_eq!(itself.status, StatusCode::INTERNAL_SERVER_ERROR, "{itself}");
        assert!(itself.text.contains("A part of the store is damaged"), "{itself}");
        app.behind(&format!("UPDATE investigation SET {mended} WHERE id = '{id}'"));
    }
    assert_eq!(listed(&teacher, lists[0], "/title").await.len(), 4);
    let named = log.text().lines().filter(|line| line.contains("lists leave it out")).count();
    assert_eq!(named, 1, "the log names the row once:\n{}", log.text());
    assert!(log.text().contains(&format!("table=\"investigation\" row=\"{id}\"")), "{}", log.text());
    app.behind(&format!("UPDATE investigation SET status = 'unknown' WHERE id = '{id}'"));
    let deleted = with_role(&app, ADMIN, "admin").delete(&format!("/api/investigation/{id}?permanently=true")).await;
    assert_eq!(deleted.status, StatusCode::OK, "{deleted}");
}

#[tokio::test]
async fn investigation_with_a_damaged_id_affects_only_itself() {
    let (app, _, teacher) = TestApp::start().await;
    let [first, second] = [teacher.create(json!({"title": "A"})).await, teacher.create(json!({"title": "B"})).await];
    app.behind(&format!("UPDATE investigation SET id = 'no id' WHERE id = '{first}'"));
    for list in ["/api/investigation?limit=1", "/api/investigation?limit=5&search=b"] {
        assert_eq!(listed(&teacher, list, "/_id").await, std::slice::from_ref(&second), "{list}");
    }
    let output = fieldbook("export", app.folder()).output().expect("run");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the investigation no id is left out"), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(&second));
}

#[tokio::test]
async fn row_with_invalid_utf8_in_a_text_affects_only_itself() {
    if postgres::server().is_some() {
        return;
    }
    let (app, _, teacher) = TestApp::start().await;
    let [first, second] = [teacher.create(json!({"title": "A"})).await, teacher.create(json!({"title": "B"})).await];
    app.behind(&format!("UPDATE investigation SET content = CAST(x'7bff7d' AS TEXT) WHERE id = '{first}'"));
    assert_eq!(listed(&teacher, "/api/investigation?limit=9", "/_id").await, std::slice::from_ref(&second));
    teacher.patch(&format!("/api/investigation/{second}"), json!({"title": "C"})).await;
    teacher.patch(&format!("/api/investigation/{second}"), json!({"title": "D"})).await;
    app.behind("UPDATE version_record SET changes = CAST(x'ff' AS TEXT) WHERE version = 2");
    let history = teacher.get(&format!("/api/investigation/{second}/history/title")).await;
    assert_eq!(history.status, StatusCode::OK, "{history}");
    assert_eq!(numbers(&history.data()), [1]);
    app.behind(&format!("UPDATE investigation SET id = CAST(x'ff' AS TEXT) WHERE id = '{first}'"));
    assert_eq!(listed(&teacher, "/api/investigation?limit=1", "/_id").await, std::slice::from_ref(&second));
    let output = fieldbook("export", app.folder()).output().expect("run");
    assert!(String::from_utf8_lossy(&output.stdout).contains(&second));
}

#[tokio::test]
async fn damaged_rows_of_links_visit_counts_and_groups_affect_only_themselves() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    for sub_link in ["a", "b", "c"] {
        app.clock.advance(Duration::from_secs(1));
        teacher.create_link(&id, "k", sub_link).await;
    }
    app.behind("UPDATE link SET shows = 'unknown' WHERE sub_link = 'b'");
    for list in [format!("/api/investigation/{id}/links?limit=1"), "/api/link?limit=1".to_owned()] {
        let mut links = listed(&teacher, &list, "/subLink").await;
        links.sort();
        assert_eq!(links, ["a", "c"], "{list}");
    }
    for _ in 0..3 {
        app.clock.advance(Duration::from_secs(24 * 60 * 60));
        assert_eq!(app.anon().get("/api/link/k/a").await.status, StatusCode::OK);
    }
    let teacher = app.signed_in(TEACHER);
    app.behind("UPDATE link_day SET count = -1 WHERE day = '2026-11-24'");
    assert_eq!(listed(&teacher, "/api/link/k/a/visits?limit=1", "/day").await.len(), 2);
    assert_eq!(app.anon().get("/api/link/k/a").await.status, StatusCode::OK, "visits of this day are counted");
    app.behind("UPDATE group_count SET count = -7");
    assert_eq!(listed(&teacher, "/api/investigation?limit=9&grouped=false", "/title").await, ["Cress"]);
    assert_eq!(listed(&teacher, "/api/investigation?limit=9", "/title").await, ["Cress"]);
}

#[tokio::test]
async fn damaged_versions_and_chat_entries_are_skipped_and_all_others_are_listed() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "0"})).await;
    let path = format!("/api/investigation/{id}");
    for title in ["1", "2", "3", "4", "5"] {
        teacher.patch(&path, json!({ "title": title })).await;
    }
    app.behind("UPDATE version_record SET changes = 'nonsense' WHERE version IN (3, 5)");
    for (limit, expected) in [(1, &[4][..]), (2, &[4, 2]), (3, &[4, 2, 1]), (4, &[4, 2, 1])] {
        let versions = teacher.get(&format!("{path}/versions?limit={limit}")).await.data();
        assert_eq!(numbers(&versions), expected, "{versions}");
    }
    let changes = teacher.get(&format!("{path}/history/title")).await;
    assert_eq!(changes.status, StatusCode::OK, "{changes}");
    let changes = changes.data();
    assert_eq!(numbers(&changes), [4, 2, 1]);
    assert_eq!(changes[1]["after"], "2", "{changes}");
    for field in ["grade", "title", "curriculum", "grade"] {
        teacher.post(&format!("{path}/regenerate"), json!({ "fieldName": field })).await;
    }
    let chat = format!("{path}/chat?limit=1");
    let entries = listed(&teacher, &chat, "/assistant/metadata").await;
    assert!(entries.len() == 4 && entries.iter().all(|text| !text.is_empty()), "{entries:?}");
    app.behind("UPDATE chat_entry SET entry = 'nonsense' WHERE place IN (2, 4)");
    assert_eq!(listed(&teacher, &chat, "/assistant/metadata").await, [&entries[1][..], &entries[3][..]]);
}

fn numbers(records: &Value) -> Vec<u64> {
    records.as_array().expect("records").iter().map(|record| record["version"].as_u64().expect("a number")).collect()
}

#[tokio::test]
async fn field_history_leaves_out_only_the_damaged_version_record() {
    let (app, teacher, id) = TestApp::with_id(json!({"steps": [{"text": "0"}]})).await;
    let path = format!("/api/investigation/{id}");
    for text in ["1", "2", "3", "4", "5"] {
        teacher.patch(&path, json!({"steps": [{"text": text}]})).await;
    }
    let history = async |field: &str| {
        let answer = teacher.get(&format!("{path}/history/{field}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer}");
        answer.data()
    };
    assert_eq!(numbers(&history("steps").await), [5, 4, 3, 2, 1]);
    let damage = r#"[{"path": ["steps", "7", "text"], "before": "a", "after": "b"}]"#;
    app.behind(&format!("UPDATE version_record SET changes = '{damage}' WHERE version = 3"));
    let of_text = history("steps.0.text").await;
    assert_eq!(numbers(&of_text), [5, 4, 2, 1]);
    assert_eq!((&of_text[2]["before"], &of_text[2]["after"]), (&json!("1"), &json!("2")), "{of_text}");
    // Records older than the damaged one change parts of this value, which the service rebuilds from an older full
    // copy.
    let of_steps = history("steps").await;
    assert_eq!(numbers(&of_steps), [5, 4, 2, 1]);
    assert_eq!(of_steps[2]["after"], json!([{"text": "2"}]), "{of_steps}");
}

/// Sends a request with the id `the-request` to a process on the store of a stopped service. Returns the answer and the
/// log.
async fn answer_and_log(app: &TestApp, path: &str) -> (Exchange, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.args(["serve", "--log-level", "info", "--data"]).arg(app.folder()).stderr(Stdio::piped());
    if let Some(server) = postgres::server() {
        program.args(["--database", &postgres::store_of(app.folder(), &server)]);
    }
    let mut service = Service::of(program);
    let teacher = service.teacher(app.folder()).with_header("x-request-id", "the-request");
    let answer = teacher.get(path).await;
    service.kill();
    let log = std::io::read_to_string(service.process.stderr.take().expect("its log")).expect("a text");
    (answer, log)
}

#[tokio::test(flavor = "multi_thread")]
async fn log_names_a_damaged_version_with_the_request_that_found_it() {
    let (mut app, teacher, id) = TestApp::with_id(json!({"title": "0"})).await;
    let path = format!("/api/investigation/{id}");
    for title in ["1", "2"] {
        teacher.patch(&path, json!({ "title": title })).await;
    }
    app.stop().await;
    app.behind("UPDATE version_record SET changes = 'nonsense' WHERE version = 1");
    let (answer, log) = answer_and_log(&app, &format!("{path}/versions")).await;
    assert_eq!((answer.status, numbers(&answer.data())), (StatusCode::OK, vec![2]), "{answer}");
    let named = log.lines().find(|line| line.contains("lists leave it out")).expect("the damaged version");
    assert!(named.contains("table=\"version_record\"") && named.contains("request.id=\"the-request\""), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn log_names_the_damaged_version_and_not_the_versions_rebuilt_from_it() {
    let (mut app, teacher, id) = TestApp::with_id(json!({"steps": [{"text": "0"}]})).await;
    let path = format!("/api/investigation/{id}");
    for text in ["1", "2"] {
        teacher.patch(&path, json!({"steps": [{"text": text}]})).await;
    }
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.patch(&path, json!({"steps": [{"text": "3"}]})).await;
    app.stop().await;
    app.behind("UPDATE version_record SET changes = 'nonsense' WHERE version = 1");
    // Version 2, which was undone, had changed only a part of the steps. To show all steps as they were before, the
    // service needs version 1, which is damaged.
    let (answer, log) = answer_and_log(&app, &format!("{path}/history/steps")).await;
    assert_eq!((answer.status, numbers(&answer.data())), (StatusCode::OK, vec![3]), "{answer}");
    let with = |words: &str| -> Vec<&str> { log.lines().filter(|line| line.contains(words)).collect() };
    let (damaged, dependent) = (with("lists leave it out"), with("leaves the version out"));
    assert!(damaged.len() == 1 && damaged[0].contains(" 1\" reason="), "{log}");
    assert!(dependent.len() == 1 && dependent[0].contains(" 2\" reason="), "{log}");
    let (answer, _) = answer_and_log(&app, &format!("{path}/history/steps.0.text")).await;
    assert_eq!((answer.status, numbers(&answer.data())), (StatusCode::OK, vec![3, 2]), "{answer}");
}

#[tokio::test]
async fn list_page_with_only_unreadable_investigations_has_a_cursor() {
    let (app, _, teacher) = TestApp::start().await;
    let mut ids = Vec::new();
    for title in ["A", "B", "C", "D", "E"] {
        app.clock.advance(Duration::from_secs(1));
        ids.push(teacher.create(json!({ "title": title })).await);
    }
    app.behind(&format!("UPDATE investigation SET status = 'unknown' WHERE id IN ('{}', '{}')", ids[2], ids[1]));
    for order in ["", "&groupBy=none", "&sortBy=title&sortOrder=desc", "&search=a"] {
        let page = teacher.get(&format!("/api/investigation?limit=2&offset=2{order}")).await.data();
        if order.contains("search") {
            assert_eq!(page["pagination"]["nextCursor"], Value::Null, "{page}");
            continue;
        }
        assert_eq!((&page["items"], &page["pagination"]["hasMore"]), (&json!([]), &json!(true)), "{page}");
        let cursor = page["pagination"]["nextCursor"].as_str().expect("a cursor");
        let next_offset = 2 + page["pagination"]["limit"].as_u64().expect("a number");
        for next in [format!("cursor={cursor}"), format!("offset={next_offset}")] {
            let rest = teacher.get(&format!("/api/investigation?limit=2{order}&{next}")).await.data();
            assert_eq!(rest["items"][0]["title"], "A", "{rest}");
            assert_eq!(rest["pagination"]["offset"], 4, "{rest}");
        }
    }
}

#[tokio::test]
async fn list_offset_counts_unreadable_investigations() {
    let (app, _, teacher) = TestApp::start().await;
    let mut ids = Vec::new();
    for title in ["A", "B", "C", "D", "E"] {
        ids.push(teacher.create(json!({ "title": title })).await);
    }
    app.behind(&format!("UPDATE investigation SET status = 'unknown' WHERE id IN ('{}', '{}')", ids[1], ids[2]));
    let order = "sortBy=title&sortOrder=asc";
    for (limit, expected) in [(1, &[(0, 1), (1, 3), (4, 1)][..]), (2, &[(0, 1), (1, 2)]), (9, &[(0, 9)])] {
        let (mut pages, mut next) = (Vec::new(), String::new());
        loop {
            let page = teacher.get(&format!("/api/investigation?limit={limit}&{order}{next}")).await.data();
            let number = |name: &str| page["pagination"][name].as_u64().expect("a number");
            pages.push((number("offset"), number("limit")));
            let Some(cursor) = page["pagination"]["nextCursor"].as_str() else { break };
            next = format!("&cursor={cursor}");
        }
        assert_eq!(pages, expected, "limit {limit}");
    }
}

#[tokio::test]
async fn list_page_skips_only_a_limited_number_of_unreadable_investigations() {
    let (app, _, teacher) = TestApp::start().await;
    for _ in 0..151 {
        app.import(json!({"title": "Cress"})).await;
    }
    app.behind("UPDATE investigation SET status = 'unknown'");
    for title in ["Peas", "Radishes"] {
        teacher.create(json!({ "title": title })).await;
    }
    for (limit, expected) in [
        (1, &[(0, 100), (100, 52), (152, 1)][..]),
        (70, &[(0, 70), (70, 70), (140, 70)]),
        (100, &[(0, 100), (100, 100)]),
    ] {
        let (mut pages, mut titles, mut next) = (Vec::new(), Vec::new(), String::new());
        loop {
            let order = "sortBy=title&sortOrder=asc";
            let page = teacher.get(&format!("/api/investigation?limit={limit}&{order}{next}")).await.data();
            let number = |name: &str| page["pagination"][name].as_u64().expect("a number");
            pages.push((number("offset"), number("limit")));
            titles.extend(page["items"].as_array().expect("a list").iter().map(|item| item["title"].clone()));
            let Some(cursor) = page["pagination"]["nextCursor"].as_str() else { break };
            next = format!("&cursor={cursor}");
        }
        assert_eq!((pages.as_slice(), titles), (expected, vec![json!("Peas"), json!("Radishes")]), "limit {limit}");
    }
}

#[tokio::test]
async fn cleanup_continues_after_an_unreadable_record_of_a_deletion() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Peas"})).await;
    let unknown: Vec<String> = (0..20).map(|n| format!("('a{n}', {n})")).collect();
    app.behind(&format!("INSERT INTO removed (kind, n) VALUES {}", unknown.join(", ")));
    teacher.delete(&format!("/api/investigation/{id}")).await;
    app.sweep().await;
    assert_eq!((app.rows("removed"), app.rows("version_record")), (20, 0));
}

#[tokio::test]
async fn webhook_endpoint_with_an_unreadable_position_gets_all_stored_events() {
    let (app, _, teacher) = TestApp::start().await;
    let store = &app.app.store;
    let lease = async || store.lease_endpoint("a".into(), "one".into()).await.expect("an answer");
    for title in ["A", "B"] {
        teacher.create(json!({ "title": title })).await;
    }
    let last = app.events(2).await[1].id;
    assert_eq!(lease().await, Some(last));
    app.behind("UPDATE webhook SET after_n = -1");
    assert_eq!(lease().await, Some(EventId::BEGINNING));
    assert!(store.queue_deliveries("a".into(), last, "one".into()).await.expect("an answer"));
    assert_eq!(lease().await, Some(last));
    assert_eq!(store.next_deliveries("a".into(), String::new(), 9).await.expect("read").1.len(), 2);
}

#[tokio::test]
async fn unreadable_event_in_the_webhook_queue_does_not_stop_the_events_of_other_users() {
    let (app, _, teacher) = TestApp::start().await;
    let store = &app.app.store;
    store.lease_endpoint("a".into(), "one".into()).await.expect("an answer");
    teacher.create(json!({"title": "A"})).await;
    app.signed_in(COLLEAGUE).create(json!({"title": "B"})).await;
    let events = app.events(2).await;
    assert!(store.queue_deliveries("a".into(), events[1].id, "one".into()).await.expect("an answer"));
    app.behind(&format!("UPDATE webhook_delivery SET attempts = -1 WHERE actor = '{TEACHER}'"));
    let (mut served, mut sent) = (String::new(), Vec::new());
    for _ in 0..2 {
        let (actor, queued) = store.next_deliveries("a".into(), served, 9).await.expect("read");
        served = actor.expect("a user");
        sent.extend(queued.into_iter().map(|one| one.id));
    }
    assert_eq!(sent, [events[1].id]);
}

#[tokio::test]
async fn damaged_rows_of_trash_audit_log_and_api_keys_are_skipped_and_other_rows_are_listed() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let mut ids = Vec::new();
    for title in ["A", "B", "C"] {
        app.clock.advance(Duration::from_secs(1));
        let id = teacher.create(json!({ "title": title })).await;
        teacher.delete(&format!("/api/investigation/{id}")).await;
        ids.push(id);
    }
    app.behind(&format!("UPDATE trash SET deleted_by = 'nonsense' WHERE id = '{}'", ids[2]));
    assert_eq!(listed(&teacher, "/api/trash?limit=1", "/title").await, ["B", "A"]);
    let admin = with_role(&app, ADMIN, "admin");
    let all = listed(&admin, "/api/audit?limit=2", "/action").await.len();
    app.behind("UPDATE audit SET entry = 'nonsense' WHERE n IN (3, 4)");
    assert_eq!(listed(&admin, "/api/audit?limit=2", "/action").await.len(), all - 2);
    let keys = [add_key(&app, 1, "admin").await, add_key(&app, 2, "admin").await];
    app.behind("UPDATE api_key SET bearer = 'nobody' WHERE id = '010101010101010101010101'");
    let mut statuses = Vec::new();
    for key in keys {
        statuses.push(app.anon().bearing(key.expose()).get("/api/audit").await.status);
    }
    assert_eq!(statuses, [StatusCode::UNAUTHORIZED, StatusCode::OK]);
    while app.app.feed.sweep(&app.app.store, &app.app.clock).await {}
}

#[tokio::test]
async fn damaged_event_does_not_stop_streams_webhook_deliveries_or_the_cleanup() {
    let (app, _, teacher) = TestApp::start().await;
    let store = &app.app.store;
    for endpoint in ["a", "b"] {
        store.lease_endpoint(endpoint.into(), "one".into()).await.expect("an answer");
    }
    for title in ["A", "B", "C", "D"] {
        teacher.create(json!({ "title": title })).await;
    }
    let events = app.events(4).await;
    let second = events[1].id;
    app.behind(&format!("UPDATE event SET what = 'nonsense' WHERE n = {}", second.number));
    app.behind(&format!("UPDATE event SET revision = -1 WHERE n = {}", events[3].id.number));
    let ids = async |after, limit| -> Vec<EventId> {
        store.events_after(after, None, limit).await.expect("read").iter().map(|event| event.id).collect()
    };
    assert_eq!(ids(EventId::BEGINNING, 9).await, [events[0].id, events[2].id]);
    assert_eq!(ids(events[0].id, 1).await, [events[2].id]);
    assert_eq!(ids(events[2].id, 1).await, []);
    assert!(store.queue_deliveries("a".into(), events[3].id, "one".into()).await.expect("an answer"));
    let delivery = Delivery { endpoint: "a".into(), event: second, retry: Some((1, Timestamp(1))) };
    assert!(store.settle_delivery(delivery, "one".into()).await.expect("an answer"));
    let due = store.due_deliveries("a".into(), Timestamp(2), 9).await.expect("read");
    assert_eq!((due.len(), due[0].id, due[0].event.is_none()), (1, second, true), "it is given up");
    let late = Timestamp(i64::MAX / 2);
    let outdated = ExpiredEvents { before: late, now: late, endpoints: Vec::new() };
    store.forget_events(outdated).await.expect("cleaned");
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_rows_affect_only_themselves_in_an_export() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    for sub_link in ["a", "b"] {
        teacher.create_link(&id, "k", sub_link).await;
    }
    teacher.post(&format!("/api/investigation/{id}/regenerate"), json!({"fieldName": "grade"})).await;
    for number in 1..=2 {
        add_key(&app, number, "admin").await;
    }
    app.behind("UPDATE api_key SET bearer = 'nobody' WHERE id = '010101010101010101010101'");
    app.behind("UPDATE audit SET entry = 'nonsense' WHERE n = 1");
    app.behind("UPDATE link SET shows = 'unknown' WHERE sub_link = 'a'");
    app.behind("UPDATE chat_entry SET entry = 'nonsense'");
    let output = fieldbook("export", app.folder()).output().expect("run");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    for what in [
        "the API key 010101010101010101010101".to_owned(),
        "the entry 1 of the audit log".to_owned(),
        format!("the link k/a of the investigation {id}"),
        format!("the chat of the investigation {id}"),
    ] {
        assert!(told.contains(&format!("{what} is left out, or a part of it: ")), "{told}");
    }
    let text = String::from_utf8(output.stdout).expect("a text");
    let other = tempfile::tempdir().expect("a folder");
    let (summary, said) = imported(other.path(), &text, &[]);
    assert!(summary.starts_with("imported 1 investigations, 0 in the trash, 0 people, 1 API keys"), "{summary} {said}");
    assert!(
        text.contains("\"subLink\":\"b\",\"description") && !text.contains("\"subLink\":\"a\",\"description"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_names_damaged_rows() {
    let (mut app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let store = &app.app.store;
    store.lease_endpoint("a".into(), "one".into()).await.expect("an answer");
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Peas"})).await;
    let once = app.signed_in(TEACHER).with_header("idempotency-key", "once");
    once.post("/api/investigation", json!({"title": "Beans"})).await;
    let last = app.events(3).await[2].id;
    assert!(store.queue_deliveries("a".into(), last, "one".into()).await.expect("an answer"));
    let delivery = Delivery { endpoint: "a".into(), event: last, retry: Some((1, Timestamp(1))) };
    assert!(store.settle_delivery(delivery, "one".into()).await.expect("an answer"));
    store.keep_detection(id.parse().expect("an id"), "content".into(), Findings::default()).await.expect("kept");
    app.stop().await;
    let doctor = || {
        let output = fieldbook("doctor", app.folder()).output().expect("run");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.lines().find(|line| line.contains("store-integrity")).expect("a finding").to_owned()
    };
    assert_eq!(doctor(), "ok       store-integrity    all of it is readable");
    for (table, damage, words) in [
        ("detection", "findings = 'nonsense'", "the row 1 of detection ("),
        ("first_answer", "answer = 'nonsense'", "once of first_answer ("),
        ("webhook_delivery", "attempts = -1", "the row a 3 of webhook_delivery ("),
        ("webhook", "after_n = -1", "the row a of webhook ("),
        ("event", "what = 'nonsense'", "the row 1 of event ("),
    ] {
        app.behind(&format!("UPDATE {table} SET {damage}"));
        let said = doctor();
        assert!(said.starts_with("problem  store-integrity    rows of it cannot be read: "), "{said}");
        assert!(said.contains(words), "{said}");
        app.behind(&format!("DELETE FROM {table}"));
    }
    for (table, damage, words) in [
        ("investigation", format!("status = 'unknown' WHERE id = '{id}'"), format!("the investigation {id} (")),
        ("audit", "entry = 'nonsense' WHERE n = 1".to_owned(), "the entry 1 of the audit log (".to_owned()),
    ] {
        app.behind(&format!("UPDATE {table} SET {damage}"));
        let said = doctor();
        assert!(said.starts_with("problem  store-integrity    rows of it cannot be read: "), "{said}");
        assert!(said.contains(&words), "{said}");
    }
}
