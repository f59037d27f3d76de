//! A moved store equals its source, byte for byte, for both backends and after interruptions.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use fieldbook::authoring::{self, ChangeContext};
use fieldbook::domain::finding::Findings;
use fieldbook::store::{Backend, Store, StoreLocation, transfer};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use crate::support::process::refused;
use crate::support::{self, Caller, TEACHER, TestApp, postgres};

/// Returns the name of a folder's store for the command line, on the backend that the tests use.
pub fn named(folder: &Path) -> String {
    match postgres::server() {
        Some(server) => postgres::store_of(folder, &server),
        None => folder.display().to_string(),
    }
}

pub fn move_store(from: &str, to: &str, more: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.args(["move-store", "--from", from, "--to", to]).args(more);
    program
}

/// The message about the data that a move does not copy.
pub const NOT_COPIED: &str =
    "not copied: events, first answers of requests with an Idempotency-Key, the trash, and the token secret";

/// Runs a command that must succeed, and returns its standard output.
pub fn said(mut command: Command) -> String {
    let output = command.output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// Returns the reason why a move copies nothing. A warning that the source is in use may come before the reason.
pub fn not_moved(from: &str, to: &str) -> String {
    let told = refused(move_store(from, to, &["--verify"]).output().expect("run"));
    told.lines().last().expect("a line").to_owned()
}

/// Asserts that two stores have equal investigations. API keys and the audit log may differ.
pub fn assert_same_investigations(from: &str, to: &str) {
    let output = move_store(from, to, &["--verify-only"]).output().expect("run");
    let (told, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        told.ends_with("all are equal\n") || failed.starts_with("fieldbook: the two stores differ in "),
        "{failed}"
    );
    let is_other =
        |line: &&str| !["compared ", "the API key ", "the entry "].iter().any(|start| line.starts_with(start));
    assert_eq!(told.lines().filter(is_other).collect::<Vec<_>>(), [""; 0]);
}

/// Returns the differences that a failed comparison printed.
pub fn differences(output: &Output) -> Vec<String> {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

const LONG_FIELD: &str = "aFieldWithAVeryLongName";

/// Fills a store with some data of every kind. Returns the ids of the investigations, and a teacher whose token is
/// still valid.
pub async fn fill(app: &TestApp) -> (Vec<String>, Caller) {
    let mut teacher = app.signed_in(TEACHER);
    let long = LONG_FIELD.repeat(20);
    let first = teacher
        .create(json!({"title": "Größe 10", "curriculum": "NGSS", "grade": "5", "durationMinutes": 45,
            "steps": [{"text": "Sow", "minutes": 45}], "own": {"b": 1.0, "a": [1e300, -0.0, null, "\u{1f331}"]}, &long: "x"}))
        .await;
    let path = format!("/api/investigation/{first}");
    for change in [json!({"durationMinutes": 30}), json!({"own": {"a": {"z": 1, "y": 2}}}), json!({&long: "y"})] {
        teacher.patch(&path, change).await;
    }
    for step in ["undo", "undo", "redo", "undo"] {
        teacher.post_empty(&format!("{path}/{step}")).await;
    }
    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "durationMinutes"})).await;
    teacher.post_empty(&format!("{path}/versions/3/restore")).await;
    let overlong =
        json!({"fieldName": "durationMinutes", "conflictsWith": ["steps"], "reason": "Größe: \"30\" is meant"});
    let dismissed = teacher.post(&format!("{path}/dismissals"), overlong).await;
    assert_eq!(dismissed.status.as_u16(), 201, "{dismissed}");
    let named = teacher.patch(&format!("{path}/versions/2"), json!({"name": "Größe \"10\""})).await;
    assert_eq!(named.status.as_u16(), 200, "{named}");
    teacher.patch(&path, json!({"title": "Wild größe"})).await;
    teacher.post_empty(&format!("{path}/undo")).await;

    for sub_link in ["b", "a"] {
        let link = teacher.create_link(&first, "class", sub_link).await;
        for _ in 0..3 {
            teacher.get(&link).await;
        }
        app.clock.advance(Duration::from_secs(24 * 3600));
        teacher = app.signed_in(TEACHER);
    }
    teacher.get("/api/link/class/b").await;
    let options = json!({"shows": "handout", "version": 1, "expiresAt": "2027-02-01T00:00:00Z", "maxVisits": 99});
    for (link, options) in [("a", options), ("b", json!({"archived": true}))] {
        let changed = teacher.patch(&format!("/api/link/class/{link}"), options).await;
        assert_eq!(changed.status.as_u16(), 200, "{changed}");
    }

    let copy = teacher.post_empty(&format!("{path}/clone")).await.data()["_id"].as_str().expect("an id").to_owned();
    // After this change, the dismissal in the copy no longer hides anything.
    teacher.patch(&format!("/api/investigation/{copy}"), json!({"curriculum": null, "durationMinutes": 20})).await;
    let gone = teacher.create(json!({"title": "Gone", "curriculum": "NGSS"})).await;
    teacher.delete(&format!("/api/investigation/{gone}")).await;

    // With this many versions, the store keeps full copies between them.
    let many = teacher.create(json!({"title": "Many"})).await;
    for n in 0..270 {
        let id = many.parse().expect("an id");
        authoring::update(&app.app, id, &ChangeContext::default(), object(json!({"count": n}))).await.expect("updated");
    }
    for key in ["second", "first"] {
        app.app.store.keep_detection(key.to_owned(), Findings::default()).await.expect("kept");
    }
    (vec![first, copy, many], teacher)
}

/// Returns the answers of a service on this store to everything that can be read.
async fn answers(place: StoreLocation, ids: &[String]) -> Vec<String> {
    let (mut app, teacher) = TestApp::start_at(place).await;
    let mut paths: Vec<String> = ["", "?search=gro&groupBy=none", "?sortBy=title&sortOrder=asc", "?curriculum=NGSS"]
        .map(|query| format!("/api/investigation{query}"))
        .to_vec();
    for id in ids {
        let path = format!("/api/investigation/{id}");
        let latest = teacher.get(&format!("{path}/versions?limit=1")).await.data()[0]["version"].as_u64();
        paths.extend((0..=latest.unwrap_or(0)).map(|version| format!("{path}/versions/{version}")));
        let long = LONG_FIELD.repeat(20);
        let histories =
            ["title", "own.a", "count", "steps", long.as_str()].map(|field| format!("{path}/history/{field}"));
        paths.extend(histories);
        paths.extend(["", "/versions?limit=1000", "/chat", "/links"].map(|part| format!("{path}{part}")));
    }
    paths.extend(["a", "b"].map(|sub_link| format!("/api/link/class/{sub_link}/visits")));
    let mut answers = Vec::new();
    for path in paths {
        let answer = teacher.get(&path).await;
        answers.push(format!("{path} {} {:?} {}", answer.status, answer.header("etag"), answer.text));
    }
    app.stop().await;
    answers
}

fn embedded(folder: &Path) -> StoreLocation {
    StoreLocation { backend: Backend::Embedded(folder.to_owned()), migrate: true }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_was_moved_there_and_back_is_the_same_to_the_byte() {
    let (mut app, _, _) = TestApp::start().await;
    let (ids, _) = fill(&app).await;
    app.stop().await;
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [there, back, again] = folders.each_ref().map(|folder| folder.path());
    let names = [named(app.folder()), there.display().to_string(), named(back), again.display().to_string()];
    for pair in names.windows(2) {
        assert_eq!(
            said(move_store(&pair[0], &pair[1], &["--verify"])),
            format!(
                "copied 3 investigations, replaced 0, 0 existed already; copied 0 API keys, 11 entries of the audit log, and what a language model found, for 2 texts\n\
                 {NOT_COPIED}\n\
                 compared 3 investigations, 0 API keys, 11 entries of the audit log, and what a language model found, for 2 texts: all are equal"
            )
        );
    }
    assert_eq!(
        said(move_store(&names[0], &names[3], &[])),
        format!(
            "copied 0 investigations, replaced 0, 3 existed already; copied 0 API keys and 0 entries of the audit log\n{NOT_COPIED}"
        )
    );
    let before = answers(support::place(app.folder()), &ids).await;
    assert!(before.iter().filter(|answer| answer.contains(" 200 OK ")).count() > 290, "{before:#?}");
    for place in [embedded(there), support::place(back), embedded(again)] {
        assert_eq!(answers(place, &ids).await, before);
    }
    // The moved store also works: redo gives the same answer on both stores.
    let path = format!("/api/investigation/{}/redo", ids[0]);
    let mut redone = Vec::new();
    for place in [support::place(app.folder()), support::place(back)] {
        let (mut app, teacher) = TestApp::start_at(place).await;
        redone.push(teacher.post_empty(&path).await.to_string());
        app.stop().await;
    }
    assert_eq!(redone[0], redone[1]);
    assert!(redone[0].contains("Wild größe"), "{}", redone[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_was_broken_off_goes_on_and_what_became_older_is_replaced() {
    let (app, _, _) = TestApp::start().await;
    let (ids, teacher) = fill(&app).await;
    let folder = tempfile::tempdir().expect("a folder");
    let target = Store::open(support::place(folder.path())).await.expect("a store");
    let stop = Notify::new();
    tokio::select! {
        biased;
        () = stop.notified() => {}
        _ = transfer::copy(&app.app.store, &target, |done, total| if (done, total) == (2, 3) { stop.notify_one() }) => {}
    }
    target.close().await;
    let (from, to) = (named(app.folder()), named(folder.path()));
    let missing = move_store(&from, &to, &["--verify-only"]).output().expect("run");
    assert_eq!(
        differences(&missing)[0],
        format!("the investigation {} is missing in the target", ids.iter().max().expect("the last"))
    );
    // The source changes between two moves.
    teacher.patch(&format!("/api/investigation/{}", ids[0]), json!({"curriculum": "IB"})).await;
    teacher.get("/api/link/class/a").await;
    assert_eq!(
        said(move_store(&from, &to, &["--verify"])),
        format!(
            "copied 1 investigation, replaced 1, 1 existed already; copied 0 API keys, 11 entries of the audit log, and what a language model found, for 2 texts\n\
             {NOT_COPIED}\n\
             compared 3 investigations, 0 API keys, 11 entries of the audit log, and what a language model found, for 2 texts: all are equal"
        )
    );
    teacher.get("/api/link/class/a").await;
    assert!(
        said(move_store(&from, &to, &["--verify"]))
            .starts_with("copied 0 investigations, replaced 1, 2 existed already")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_not_the_same_is_told() {
    let (app, _, _) = TestApp::start().await;
    fill(&app).await;
    for (tampering, part) in [
        ("UPDATE version_record SET undone = NOT undone WHERE version = 3", "the version record 3"),
        ("UPDATE version_record SET since_copy = 7 WHERE version = 2", "the version record 2"),
        ("DELETE FROM version_record WHERE version = 250", "the version record 250"),
        ("DELETE FROM version_field WHERE version = 1", "the version record 1"),
        ("UPDATE content_copy SET content = '{}' WHERE version = 128", "the full copy at version 128"),
        ("DELETE FROM chat_entry", "the chat"),
        ("UPDATE investigation SET title_key = 'z'", "the investigation itself"),
        ("UPDATE investigation SET content = replace(content, '1e+300', '1e300') || ' '", "the investigation itself"),
        ("UPDATE link_day SET count = count + 1 WHERE day = '2026-11-23'", "the link class/b"),
        ("DELETE FROM link WHERE sub_link = 'b'", "the link class/b"),
        ("DELETE FROM detection WHERE key = 'first'", "what a language model found differs under the key first"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (named(app.folder()), named(folder.path()));
        said(move_store(&from, &to, &[]));
        support::behind(folder.path(), tampering, tampering);
        let told = differences(&move_store(&from, &to, &["--verify-only"]).output().expect("run")).join("\n");
        assert!(told.contains(part), "{tampering}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_target_has_and_the_source_has_not_is_named_and_stays() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    teacher.create_link(&id, "class", "a").await;
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (named(app.folder()), named(folder.path()));
    said(move_store(&from, &to, &[]));

    let (mut copy, other) = TestApp::start_at(support::place(folder.path())).await;
    other.get("/api/link/class/a").await;
    assert_eq!(
        not_moved(&from, &to),
        format!(
            "fieldbook: the target has links of the investigation {id}, or visits of them, that the source does not have: class/a; delete those links there, also where they were deleted in the source since an earlier copy, or choose an empty target"
        )
    );
    other.patch(&format!("/api/investigation/{id}"), json!({"title": "Radish"})).await;
    copy.stop().await;
    assert_eq!(
        not_moved(&from, &to),
        format!(
            "fieldbook: the target has investigations in a newer revision than the source: {id}; it has been written to since an earlier copy: copy the other way, or choose an empty target"
        )
    );
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Parsley"})).await;
    assert_eq!(
        not_moved(&from, &to),
        format!(
            "fieldbook: the investigation {id} has the same revision in both, but differs: the investigation itself, the version record 1; see which is right, and delete it in the target to have it copied"
        )
    );
    teacher.delete(&format!("/api/investigation/{id}")).await;
    assert_eq!(
        not_moved(&from, &to),
        format!(
            "fieldbook: the target has investigations that the source does not have: {id}; delete them there, also where they were deleted in the source since an earlier copy, or choose an empty target"
        )
    );
    let (mut copy, other) = TestApp::start_at(support::place(folder.path())).await;
    assert_eq!(other.get(&format!("/api/investigation/{id}")).await.data()["title"], "Radish");
    copy.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_investigations_that_only_the_target_has_three_are_named() {
    let ((source, _, _), (target, _, teacher)) = (TestApp::start().await, TestApp::start().await);
    let (from, to) = (named(source.folder()), named(target.folder()));
    let mut ids: Vec<String> = Vec::new();
    for (count, more) in [(2, ""), (3, ""), (4, " and 1 more"), (6, " and 3 more")] {
        while ids.len() < count {
            ids.push(teacher.create(json!({"title": "Cress"})).await);
        }
        ids.sort();
        let shown = format!("{}{more}", ids[..count.min(3)].join(", "));
        let refused = not_moved(&from, &to);
        assert!(refused.contains(&format!("that the source does not have: {shown}; delete them there")), "{refused}");
    }
}

#[test]
fn a_place_that_cannot_be_used_is_answered_with_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().display().to_string();
    assert_eq!(not_moved(&empty, "x"), format!("fieldbook: no store exists in the folder {empty}; check --from"));
    assert_eq!(
        not_moved("mysql://ann:hush@here/book", "x"),
        "fieldbook: the address given with --from must begin with postgres://"
    );
    let unreachable = not_moved("postgres://ann:hush@127.0.0.1:1/book", "x");
    assert!(unreachable.starts_with("fieldbook: cannot reach the database server 127.0.0.1:1: "), "{unreachable}");
    assert!(unreachable.ends_with("; check --from") && !unreachable.contains("hush"), "{unreachable}");
}
