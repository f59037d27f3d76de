//! A store that was moved by an export and an import equals its source, byte for byte, on both backends.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use fieldbook::admission::Actor;
use fieldbook::app::HttpSettings;
use fieldbook::authoring;
use fieldbook::domain::audit::{AuditAction, AuditActor, AuditEntry};
use fieldbook::domain::finding::Findings;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::list::ListQuery;
use fieldbook::domain::page::{AuditPosition, PageRequest};
use fieldbook::domain::permission::Role;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::jsonl::equal;
use fieldbook::store::{Backend, Stamp, Store, StoreLocation, Undeleted};
use serde_json::{Map, Value, json};

use super::export::{export, imported, without_commands};
use crate::http::people::{add, person};
use crate::http::permissions::add_key;
use crate::support::picture::{numbered, showing};
use crate::support::process::{fieldbook, on_no_backend};
use crate::support::search_index::wrongly_indexed;
use crate::support::{self, COLLEAGUE, Caller, START, TEACHER, TestApp, as_service};

/// Runs a command that must succeed, and returns its standard output.
pub fn said(mut command: Command) -> String {
    let output = command.output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

pub async fn ids(store: &Store) -> Vec<ObjectId> {
    let query = [("limit", "100"), ("groupBy", "none"), ("sortBy", "createdAt"), ("sortOrder", "asc")];
    let query = ListQuery::read(&query.map(|(name, value)| (name.to_owned(), value.to_owned()))).expect("a query");
    let page = store.list(query).await.expect("a page");
    assert!(!page.has_more);
    page.items.iter().map(|(_, item)| item.id).collect()
}

/// Asserts that two stores have equal investigations, with everything that is computed from them.
pub async fn assert_same_investigations(one: StoreLocation, other: StoreLocation) {
    for place in [&one, &other] {
        if let Backend::Embedded(folder) = &place.backend {
            assert_eq!(wrongly_indexed(folder), [""; 0]);
        }
    }
    let (one, other) = (Store::open(one).await.expect("a store"), Store::open(other).await.expect("a store"));
    let all = ids(&one).await;
    assert_eq!(ids(&other).await, all);
    for id in all {
        let (one, other) = (one.exported(id).await.expect("read"), other.exported(id).await.expect("read"));
        let (one, other) = (one.expect("an investigation"), other.expect("an investigation"));
        assert!(equal(&one, &other).expect("texts"), "{id}");
    }
    let groups = async |store: &Store| store.list(ListQuery::read(&[]).expect("a query")).await.expect("a page").groups;
    assert_eq!(groups(&one).await, groups(&other).await);
    one.close().await;
    other.close().await;
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

const LONG_FIELD: &str = "aFieldWithAVeryLongName";

/// Fills a store with data of every kind. Returns the investigations' ids, and a teacher whose token is still valid.
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
    let shown = teacher.add_picture(&path, numbered(1)).await;
    teacher.add_picture(&path, numbered(2)).await;
    teacher.patch(&path, showing(&[&shown])).await;
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

    // The investigation has so many versions that the store keeps a full copy of some of them.
    let many = teacher.create(json!({"title": "Many"})).await;
    for n in 0..270 {
        let id = many.parse().expect("an id");
        authoring::update(&app.app, id, &as_service(), object(json!({"count": n}))).await.expect("updated");
    }
    for key in ["second", "first"] {
        let id = first.parse().expect("an id");
        app.app.store.keep_detection(id, key.to_owned(), Findings::default()).await.expect("kept");
    }
    (vec![first, copy, many], teacher)
}

/// Returns the answers of a service on this store to everything that can be read.
async fn answers(place: StoreLocation, ids: &[String]) -> Vec<String> {
    let (mut app, teacher) = TestApp::start_at(place).await;
    let lists = [
        "",
        "?search=gro&groupBy=none",
        "?sortBy=title&sortOrder=asc",
        "?sortBy=grade",
        "?sortBy=curriculum&groupBy=none",
        "?curriculum=NGSS&grade=5&title=gro",
    ];
    let mut paths = lists.map(|query| format!("/api/investigation{query}")).to_vec();
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

pub fn embedded(folder: &Path) -> StoreLocation {
    StoreLocation { backend: Backend::Embedded(folder.to_owned()), migrate: true }
}

/// Starts a service with a trash, and fills its store with some data of every kind.
async fn everything() -> (TestApp, Vec<String>) {
    let (app, ..) = TestApp::start_with(HttpSettings { trash_days: 30, ..HttpSettings::default() }).await;
    let (ids, teacher) = fill(&app).await;
    let used = add_key(&app, 1, "admin").await;
    let revoked = add_key(&app, 2, "author").await.id().expect("an id");
    app.app.store.revoke_api_key(revoked, START.later_by(Duration::from_secs(5))).await.expect("revoked");
    app.app.store.note_api_key_use(used.id().expect("an id"), START).await.expect("noted");
    for person in [person(TEACHER, "Åsa Öberg", Some(Role::Author)), person(COLLEAGUE, "Bob", None)] {
        add(&app, person).await;
    }
    let visited = teacher.create(json!({"title": "Visited"})).await;
    teacher.get(&teacher.create_link(&visited, "class", "gone").await).await;
    teacher.patch(&format!("/api/investigation/{visited}"), json!({"title": "Trashed"})).await;
    teacher.delete(&format!("/api/investigation/{visited}")).await;
    (app, ids)
}

fn import_embedded(folder: &Path, text: &str) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    let mut import = on_no_backend("import", folder);
    import.arg(file.path());
    said(import)
}

fn export_embedded(folder: &Path) -> String {
    format!("{}\n", said(on_no_backend("export", folder)))
}

const ALL: &str = "imported 3 investigations, 2 in the trash, 3 pictures, 2 people, 2 API keys, and 17 entries of the audit log; 0 existed already, 0 were not imported";

#[tokio::test(flavor = "multi_thread")]
async fn store_moved_to_the_other_engine_and_back_is_identical() {
    let (mut app, ids) = everything().await;
    app.stop().await;
    let [there, back] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let text = export(app.folder());
    assert_eq!(import_embedded(there.path(), &text), ALL);
    assert_eq!(without_commands(&export_embedded(there.path())), without_commands(&text));
    let ended = "fieldbook: all sessions and sign-in links were ended; people have the state of the file, so disable again anyone whom you have disabled since the file was written";
    let none =
        "fieldbook: no passwords were imported: export with --with-passwords, or make links with fieldbook person link";
    let notes = format!("{ended}\n{none}");
    // The second export also contains the audit entries of the first import and the first export. Its own entry is
    // added later.
    let all = ALL.replace("17 entries", "19 entries");
    assert_eq!(imported(back.path(), &export_embedded(there.path()), &[]), (all, notes));
    assert_eq!(without_commands(&export(back.path())), without_commands(&text));
    let again = "imported 0 investigations, 0 in the trash, 0 people, 0 API keys, and 0 entries of the audit log; 29 existed already, 0 were not imported";
    assert_eq!(imported(back.path(), &text, &[]), (again.to_owned(), String::new()));
    for place in [embedded(there.path()), support::place(back.path())] {
        assert_same_investigations(support::place(app.folder()), place).await;
    }

    let before = answers(support::place(app.folder()), &ids).await;
    assert!(before.iter().filter(|answer| answer.contains(" 200 OK ")).count() > 290, "{before:#?}");
    for place in [embedded(there.path()), support::place(back.path())] {
        assert_eq!(answers(place, &ids).await, before);
    }
    // The moved store also works: redo gives the same answer on both stores.
    let path = format!("/api/investigation/{}/redo", ids[0]);
    let mut redone = Vec::new();
    for place in [support::place(app.folder()), support::place(back.path())] {
        let (mut app, teacher) = TestApp::start_at(place).await;
        redone.push(teacher.post_empty(&path).await.to_string());
        app.stop().await;
    }
    assert_eq!(redone[0], redone[1]);
    assert!(redone[0].contains("Wild größe"), "{}", redone[0]);
}

/// Returns the commands of a section of the page about moving a store, with the program and the folders of this test.
fn documented(section: &str, data: &Path, to: &Path) -> String {
    let page = include_str!("../../../docs/operators/sqlite-to-postgresql.md");
    let (_, rest) = page.split_once(&format!("\n## {section}\n")).expect("the section");
    let commands = rest.split("\n## ").next().unwrap_or_default().lines();
    let commands: Vec<&str> = commands.filter_map(|line| line.strip_prefix("    ")).collect();
    let store = match crate::support::postgres::server() {
        Some(server) => format!("--database '{}'", crate::support::postgres::store_of(to, &server)),
        None => format!("--data {}", to.display()),
    };
    let commands = commands.join("\n").replace("--data ./data", &format!("--data {}", data.display()));
    commands
        .replace("fieldbook ", &format!("{} ", env!("CARGO_BIN_EXE_fieldbook")))
        .replace("--database \"$STORE\"", &store)
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_commands_to_move_a_store_report_whether_the_copy_is_complete() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let [data, to, here] = folders.each_ref().map(|folder| folder.path());
    let (mut app, _) = everything().await;
    let hash = app.app.passwords.hash(Actor::Service, "correct horse".to_owned(), [1; 16]).await.expect("a hash");
    assert!(app.app.store.put_password(TEACHER.parse().expect("an id"), hash).await.expect("stored"));
    app.stop().await;
    import_embedded(data, &format!("{}\n", said(fieldbook("export --with-passwords", app.folder()))));
    let run = |commands: &str| {
        let output = Command::new("sh").args(["-ec", commands]).current_dir(here).output().expect("run");
        let last = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
        (output.status.code(), last)
    };
    let equal = "would import 0 investigations, 0 in the trash, 0 people, 0 API keys, and 0 entries of the audit log; 31 existed already, 0 were not imported";
    let commands = documented("2. Stop the service, and move the store", data, to);
    let [export, import, compare, remove] = commands.lines().collect::<Vec<_>>()[..] else { panic!("{commands}") };
    let files = || here.read_dir().expect("a folder").count();
    // The target store is still empty.
    let (_, missing) = run(&format!("{export}\n{compare} || true"));
    assert!(missing.contains("; 0 existed already, 0 were not imported"), "{missing}");
    assert_eq!(files(), 1);
    assert_eq!(run(&format!("{import}\n{compare}")), (Some(0), equal.to_owned()));
    assert_eq!(files(), 1);
    assert_eq!(run(remove), (Some(0), String::new()));
    assert_eq!(files(), 0);

    // If an investigation differs in the new store, the comparison fails, and the exported file is still there.
    let (mut moved, teacher) = TestApp::start_at(support::place(to)).await;
    let first = ids(&moved.app.store).await[0];
    teacher.patch(&format!("/api/investigation/{first}"), json!({"title": "Other"})).await;
    moved.stop().await;
    let output =
        Command::new("sh").args(["-c", &format!("{export}\n{compare}")]).current_dir(here).output().expect("run");
    let differs = format!("is not imported: the investigation {first} already exists here and differs");
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(2) && found.contains(&differs), "{found}");
    assert_eq!(files(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_can_sign_in_with_their_passwords_in_a_moved_store() {
    let (mut app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let hash = app.app.passwords.hash(Actor::Service, "correct horse".to_owned(), [1; 16]).await.expect("a hash");
    assert!(app.app.store.put_password(TEACHER.parse().expect("an id"), hash).await.expect("stored"));
    app.stop().await;
    let plain = export(app.folder());
    assert!(!plain.contains("argon2"), "{plain}");
    let text = format!("{}\n", said(fieldbook("export --with-passwords", app.folder())));
    let folder = tempfile::tempdir().expect("a folder");
    let import_summary = |people, passwords, existing| {
        let (entries, known) = existing;
        format!(
            "imported 0 investigations, 0 in the trash, {people} people,{passwords} 0 API keys, and {entries} entries of the audit log; {known} existed already, 0 were not imported"
        )
    };
    assert_eq!(imported(folder.path(), &plain, &[]).0, import_summary(1, "", (0, 0)));
    // The second export contains the audit entry of the first export. The new store has used the same number for the
    // entry of the first import, so the second import gives that entry a higher number.
    assert_eq!(imported(folder.path(), &text, &[]).0, import_summary(0, " 1 passwords,", (1, 1)));
    assert_eq!(imported(folder.path(), &text, &[]).0, import_summary(0, "", (0, 3)));
    let store = Store::open(support::place(folder.path())).await.expect("a store");
    let log = store.audit(None, PageRequest::first(9)).await.expect("read").entries;
    let actions: Vec<_> = log.into_iter().rev().map(|(_, entry)| entry.action).collect();
    assert!(matches!(actions[0], AuditAction::Exported { with_passwords: false }), "{actions:?}");
    assert!(actions.len() == 3 && actions[1..].iter().all(AuditAction::is_command), "{actions:?}");
    store.close().await;
    let (mut moved, ..) = TestApp::start_at(support::place(folder.path())).await;
    let browser = moved.anon().with_header("sec-fetch-site", "same-origin");
    let body = json!({"email": "ada@school.example", "password": "correct horse"});
    assert_eq!(browser.post("/api/session", body).await.data()["id"], TEACHER);
    moved.stop().await;

    let empty = tempfile::tempdir().expect("a folder");
    let nobody: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"person\"")).collect();
    let (refused, _) = imported(empty.path(), &format!("{}\n", nobody.join("\n")), &["--lossy"]);
    assert!(refused.contains(&format!("the person {TEACHER} is unknown here, was erased")), "{refused}");
    let slow = text.replace("m=19456", "m=4194304");
    let (refused, _) = imported(empty.path(), &slow, &["--lossy"]);
    assert!(
        refused.contains(&format!("the password hash of the person {TEACHER} has unsupported parameters")),
        "{refused}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn audit_log_and_api_keys_continue_to_work_in_a_moved_store() {
    let (app, _) = everything().await;
    let folder = tempfile::tempdir().expect("a folder");
    imported(folder.path(), &export(app.folder()), &[]);
    let (mut moved, _) = TestApp::start_at(support::place(folder.path())).await;
    assert_eq!(moved.app.store.api_keys().await.expect("keys"), app.app.store.api_keys().await.expect("keys"));
    let program = moved.anon().bearing(add_key(&moved, 3, "admin").await.expose());
    let newest = program.get("/api/audit?limit=3").await.data();
    assert_eq!(
        (&newest[0]["keyId"], &newest[1]["action"], &newest[2]["action"]),
        (&json!("030303030303030303030303"), &json!("import"), &json!("investigation.deleted"))
    );
    moved.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn trash_of_a_moved_store_is_restored_with_its_visits() {
    let (app, _) = everything().await;
    let folder = tempfile::tempdir().expect("a folder");
    imported(folder.path(), &export(app.folder()), &[]);
    let store = Store::open(support::place(folder.path())).await.expect("a store");
    let link = async |store: &Store| store.link("class".into(), "gone".into()).await.expect("read");
    assert_eq!(link(&store).await, None);
    let trash = store.trash(None, Timestamp(0), PageRequest::first(10)).await.expect("a page").entries;
    let (_, newest) = trash.first().expect("an entry");
    assert_eq!(newest.title.as_deref(), Some("Trashed"));
    let discarded = store.discarded(newest.investigation_id, Timestamp(0)).await.expect("read").expect("a row");
    let stamp = Stamp { actor: AuditActor::default(), at: START };
    store.undelete(discarded, newest.investigation_id, stamp).await.expect("restored");
    assert_eq!(link(&store).await.expect("the link").visit_count, 1);
    store.close().await;
    assert_eq!(wrongly_indexed(folder.path()), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn export_and_import_keep_trash_entries_that_share_a_link_address_or_have_many_records() {
    let (mut app, teacher) = TestApp::start_with_trash().await;
    let mut ids = Vec::new();
    // The second investigation gets the link address of the first, which is in the trash by then. The version
    // records of each investigation need several lines of an export.
    for title in ["First", "Second"] {
        let id = app.import(json!({ "title": title, "notes": "0".repeat(900_000) })).await;
        teacher.create_link(&id, "class", "shared").await;
        teacher.create_link(&id, "class", title).await;
        for text in ["a", "b", "c", "d"] {
            teacher.patch(&format!("/api/investigation/{id}"), json!({ "notes": text.repeat(900_000) })).await;
        }
        teacher.delete(&format!("/api/investigation/{id}")).await;
        ids.push(id.parse::<ObjectId>().expect("an id"));
    }
    app.stop().await;
    let text = export(app.folder());
    assert!(text.lines().any(|line| line.starts_with("{\"records\"")), "one line holds all");
    let [there, back] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    import_embedded(there.path(), &text);
    assert_eq!(without_commands(&export_embedded(there.path())), without_commands(&text));
    imported(back.path(), &export_embedded(there.path()), &[]);
    assert_eq!(without_commands(&export(back.path())), without_commands(&text));
    let store = Store::open(support::place(back.path())).await.expect("a store");
    let stamp = Stamp { actor: AuditActor::default(), at: START };
    for (id, left_out) in [(ids[1], vec![]), (ids[0], vec!["class/shared".to_owned()])] {
        let discarded = store.discarded(id, Timestamp(0)).await.expect("read").expect("a row");
        let undeleted = store.undelete(discarded, id, stamp).await.expect("restored");
        assert_eq!(undeleted, Undeleted::Done { links_left_out: left_out });
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_import_keeps_restored_investigations_and_api_keys_used_meanwhile() {
    let (app, _) = everything().await;
    let text = export(app.folder());
    let folder = tempfile::tempdir().expect("a folder");
    imported(folder.path(), &text, &[]);
    let store = Store::open(support::place(folder.path())).await.expect("a store");
    let trash = store.trash(None, Timestamp(0), PageRequest::first(10)).await.expect("a page").entries;
    let id = trash.first().expect("an entry").1.investigation_id;
    let discarded = store.discarded(id, Timestamp(0)).await.expect("read").expect("a row");
    let later = START.later_by(Duration::from_secs(60));
    store.undelete(discarded, id, Stamp { actor: AuditActor::default(), at: later }).await.expect("restored");
    let key = store.api_keys().await.expect("keys").first().expect("a key").id;
    store.note_api_key_use(key, later).await.expect("noted");
    store.close().await;
    let (said, errors) = imported(folder.path(), &text, &["--lossy"]);
    let refused = format!("is not imported: the investigation {id} is not in the trash here");
    assert!(format!("{said}{errors}").contains(&refused), "{said}{errors}");
    assert!(said.contains("imported 0 investigations, 0 in the trash, 0 people, 0 API keys, and 0 entries"), "{said}");
    assert!(said.ends_with("28 existed already, 1 were not imported"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn import_keeps_and_reports_existing_rows_that_differ() {
    let (app, _) = everything().await;
    let text = export(app.folder());
    let key = "010101010101010101010101";
    for (tampering, told) in [
        (
            "UPDATE api_key SET role = 'reader'",
            format!("line 12 is not imported: the API key {key} already exists here and differs"),
        ),
        (
            "UPDATE person SET name = 'Anna' WHERE role = 'author'",
            format!("line 10 is not imported: the person {TEACHER} already exists here and differs"),
        ),
        (
            "UPDATE trash SET deleted_at = deleted_at + 1",
            "in the trash already exists here and differs".to_owned(),
        ),
        (
            "UPDATE audit SET entry = (SELECT a.entry FROM audit a WHERE a.n = 1) WHERE n = 2",
            "line 14 and the entries of the audit log after it are not imported: another entry 2 exists here; two logs cannot be merged".to_owned(),
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        imported(folder.path(), &text, &[]);
        support::behind(folder.path(), tampering);
        let before = export(folder.path());
        let (said, failed) = imported(folder.path(), &text, &[]);
        assert!(said.contains(&told), "{tampering}: {said}");
        assert!(failed.ends_with(" lines were not imported"), "{failed}");
        assert_eq!(without_commands(&export(folder.path())), without_commands(&before), "{tampering}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn import_of_a_long_audit_log_adds_missing_entries() {
    let entry = |number: i64| {
        let action = AuditAction::KeyRevoked { key_id: ObjectId::from_bytes([7; 12]) };
        let at = START.later_by(Duration::from_secs(number.unsigned_abs()));
        (AuditPosition { number }, AuditEntry::of_operator(at, action))
    };
    let (app, _, _) = TestApp::start().await;
    // The numbers of the audit entries have gaps, as after transactions that were rolled back.
    let entries: Vec<_> = (1..=2500).map(|number| entry(number * 3)).collect();
    app.app.store.put_audit(entries.clone(), Vec::new()).await.expect("stored");
    let folder = tempfile::tempdir().expect("a folder");
    let target = Store::open(support::place(folder.path())).await.expect("a store");
    // The target already has entries of interrupted imports, in the middle and at the end.
    target.put_audit(entries[1200..1700].to_vec(), Vec::new()).await.expect("stored");
    target.put_audit(entries[2400..].to_vec(), Vec::new()).await.expect("stored");
    target.close().await;
    let text = export(app.folder());
    let (said, _) = imported(folder.path(), &text, &["--dry-run"]);
    assert!(said.contains("and 1900 entries of the audit log; 600 existed already, 0 were not"), "{said}");
    assert_ne!(export(folder.path()), text);
    let (said, _) = imported(folder.path(), &text, &[]);
    assert!(said.contains("and 1900 entries of the audit log; 600 existed already, 0 were not"), "{said}");
    assert_eq!(without_commands(&export(folder.path())), without_commands(&text));
}

#[tokio::test(flavor = "multi_thread")]
async fn cached_findings_are_not_exported() {
    let (app, _) = everything().await;
    let before = export(app.folder());
    let id = ids(&app.app.store).await[0];
    app.app.store.keep_detection(id, "third".to_owned(), Findings::default()).await.expect("kept");
    assert_eq!(without_commands(&export(app.folder())), without_commands(&before));
}

#[tokio::test(flavor = "multi_thread")]
async fn import_refuses_invalid_lines_of_api_keys_and_trash_entries() {
    let (app, _) = everything().await;
    let text = export(app.folder());
    let folder = tempfile::tempdir().expect("a folder");
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).expect("a line").to_owned();
    let (key, trash) = (line("{\"apiKey\""), line("{\"trash\""));
    let mut told = String::new();
    for changed in [
        key.replacen("\"digest\":\"", "\"digest\":\"0", 1),
        key.replacen("\"role\":\"admin\"", "\"role\":\"king\"", 1),
        key.replacen("\"name\":\"Key 1\"", "\"name\":\" \"", 1),
        key.replacen("\"revokedAt\"", "\"revoked\"", 1),
        trash.replacen("\"revision\":1", "\"revision\":0", 1),
        trash.replacen("\"deletedAt\"", "\"deleted\"", 1),
        trash.replacen("\"chat\":null", "\"chat\":{\"_id\":\"000000000000000000000001\",\"history\":[]}", 1),
        trash.replacen("\"investigation\"", "\"displaced\":[\"class/unknown\"],\"investigation\"", 1),
    ] {
        let file = format!("{}\n{changed}\n{{\"end\":{{\"lines\":2}}}}\n", line("{\"fieldbook\""));
        let (said, _) = imported(folder.path(), &file, &[]);
        told.push_str(&format!("{:.140}\n", said.lines().next().expect("a line")));
    }
    insta::assert_snapshot!(told, @"
    line 2 is not a line of an export: a digest is not a SHA-256 in lower-case hexadecimal digits
    line 2 is not a line of an export: unknown variant `king`, expected one of `none`, `reader`, `author`, `admin`
    line 2 cannot be imported: the API key 010101010101010101010101 has no valid name
    line 2 is not a line of an export: unknown field `revoked`, expected one of `_id`, `name`, `user`, `role`, `digest`, `createdAt`, `lastUsedA
    line 2 cannot be imported: its revision is 0, and must be from 1 to 9007199254740991
    line 2 is not a line of an export: unknown field `deleted`, expected one of `deletedAt`, `deletedBy`, `displaced`, `investigation`
    line 2 cannot be imported: an investigation in the trash has no chat
    line 2 cannot be imported: `displaced` names the link class/unknown, which the investigation does not have
    ");
}
