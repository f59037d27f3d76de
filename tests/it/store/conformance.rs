//! The conformance suite of the stores. The tests call the use-case functions of the store directly.

use fieldbook::authoring::{self, VersionName, dismissals};
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::dismissal::DismissalRequest;
use fieldbook::domain::history::{HistoryRange, Step};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::link::VisitKind;
use fieldbook::domain::link_request::LinkChange;
use fieldbook::domain::list::ListQuery;
use fieldbook::domain::page::PageRequest;
use fieldbook::domain::path::FieldPath;
use fieldbook::store::{ChatPart, Commit, Deleted, LinkChanged, Reports, Stamp, Store, Visited};
use serde_json::{Value, json};

use crate::support::search_index::wrongly_indexed;
use crate::support::{COLLEAGUE, START, TEACHER, TestApp, as_service};

const NOW: Stamp = Stamp { actor: AuditActor { user: None, key: None }, at: START };

async fn with_title(app: &TestApp, title: &str) -> ObjectId {
    let content = json!({ "title": title }).as_object().cloned().expect("an object");
    authoring::create(&app.app, None, content).await.expect("created").id
}

async fn rename(app: &TestApp, id: ObjectId, title: &str) {
    edit(app, id, "title", title).await;
}

async fn edit(app: &TestApp, id: ObjectId, field: &str, text: &str) {
    let patch = json!({ field: text }).as_object().cloned().expect("an object");
    authoring::update(&app.app, id, &as_service(), patch).await.expect("updated");
}

async fn found(store: &Store, words: &str) -> Vec<ObjectId> {
    let query = ListQuery::read(&[("search".to_owned(), words.to_owned())]).expect("a query");
    store.list(query).await.expect("a page").items.into_iter().map(|(_, investigation)| investigation.id).collect()
}

const UNKNOWN: ObjectId = ObjectId::from_bytes([0xee; 12]);

#[tokio::test]
async fn store_reports_missing_records_as_missing_and_not_as_errors() {
    let (app, _, _) = TestApp::start().await;
    let store = &app.app.store;
    assert_eq!(store.load(UNKNOWN).await.expect("read"), None);
    assert_eq!(store.versions(UNKNOWN, HistoryRange::newest(9)).await.expect("read"), None);
    assert_eq!(store.named_versions(UNKNOWN, HistoryRange::newest(9)).await.expect("read"), None);
    assert_eq!(store.content_at(UNKNOWN, 0).await.expect("read"), None);
    assert_eq!(store.record(UNKNOWN, 1).await.expect("read"), None);
    assert_eq!(store.newest_child(UNKNOWN, 0).await.expect("read"), None);
    assert_eq!(store.chat(UNKNOWN, PageRequest::first(9), ChatPart::All).await.expect("read"), None);
    assert_eq!(store.links(UNKNOWN, PageRequest::first(9)).await.expect("read"), None);
    assert_eq!(store.visit("a".into(), "b".into(), VisitKind::Open, START).await.expect("counted"), Visited::NoLink);
    assert_eq!(store.visits_per_day("a".into(), "b".into(), PageRequest::first(9)).await.expect("read"), None);
    assert!(!store.delete_link("a".into(), "b".into(), None, NOW).await.expect("deleted"));
    assert_eq!(store.delete(UNKNOWN, None, NOW).await.expect("deleted"), Deleted::Unknown);
}

#[tokio::test]
async fn link_that_took_the_address_of_the_checked_one_is_neither_changed_nor_deleted() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    teacher.create_link(&id, "a", "b").await;
    let store = &app.app.store;
    let link = async || store.link("a".into(), "b".into()).await.expect("read").expect("a link");
    let before = link().await;
    let close = LinkChange { archived: Some(true), ..LinkChange::default() };
    let changed = store.change_link("a".into(), "b".into(), Some(UNKNOWN), close, NOW).await.expect("an answer");
    assert_eq!(changed, LinkChanged::NoLink);
    assert!(!store.delete_link("a".into(), "b".into(), Some(UNKNOWN), NOW).await.expect("an answer"));
    assert_eq!(link().await, before);
    assert!(store.delete_link("a".into(), "b".into(), Some(before.id), NOW).await.expect("deleted"));
}

#[tokio::test]
async fn commit_with_an_outdated_revision_stores_nothing() {
    let (app, _, _) = TestApp::start().await;
    let id = with_title(&app, "Cress").await;
    let before = app.app.store.load(id).await.expect("read").expect("an investigation");
    let mut after = before.clone();
    after.content.insert("title".into(), Value::from("Stale"));
    after.revision = 9;
    let commit = Commit {
        base_revision: 8,
        investigation: after.into(),
        step: Step::Stay,
        content_before: before.content.clone(),
        chat_entry: None,
        pictures: Vec::new(),
        reports: Reports::default(),
    };
    assert!(!app.app.store.commit(app.app.store.prepare(commit).expect("ready")).await.expect("an answer"));
    assert_eq!(app.app.store.load(id).await.expect("read"), Some(before));
    assert_eq!(found(&app.app.store, "stale").await, []);
}

#[tokio::test]
async fn text_beyond_the_search_index_limit_is_found_when_earlier_text_becomes_shorter() {
    let (app, _, _) = TestApp::start().await;
    let store = &app.app.store;
    let id = with_title(&app, "Cress").await;
    let long = "\u{fdfa}".repeat(33_000);
    edit(&app, id, "hypothesis", "It grows.").await;
    edit(&app, id, "last", "hidden").await;
    for (hypothesis, expected) in [(long.as_str(), vec![]), ("It grows.", vec![id]), (&long, vec![])] {
        edit(&app, id, "hypothesis", hypothesis).await;
        assert_eq!(found(store, "hidden").await, expected);
        assert_eq!(wrongly_indexed(app.folder()), [""; 0]);
    }
}

#[tokio::test]
async fn delete_with_an_outdated_revision_deletes_nothing() {
    let (app, _, _) = TestApp::start().await;
    let id = with_title(&app, "Cress").await;
    assert_eq!(app.app.store.delete(id, Some(2), NOW).await.expect("an answer"), Deleted::Conflict);
    assert_eq!(app.app.store.delete(id, Some(1), NOW).await.expect("an answer"), Deleted::Done { chats: 1 });
    assert_eq!(app.app.store.delete(id, None, NOW).await.expect("an answer"), Deleted::Unknown);
}

#[tokio::test]
async fn search_index_is_updated_by_every_kind_of_change() {
    let (app, _, _) = TestApp::start().await;
    let id = with_title(&app, "Wilted cress").await;
    let other = with_title(&app, "Pendulum").await;
    let store = &app.app.store;
    assert_eq!(found(store, "CRES").await, [id]);
    rename(&app, id, "Fresh radish").await;
    assert_eq!(found(store, "cress").await, []);
    assert_eq!(found(store, "radish").await, [id]);
    authoring::undo(&app.app, id, &as_service()).await.expect("undone");
    assert_eq!(found(store, "radish").await, []);
    assert_eq!(found(store, "cress wilted").await, [id]);
    store.delete(id, None, NOW).await.expect("deleted");
    assert_eq!(found(store, "cress").await, []);
    assert_eq!(found(store, "pend").await, [other]);
}

#[tokio::test]
async fn search_treats_words_and_signs_of_query_languages_as_ordinary_text() {
    let (app, _, _) = TestApp::start().await;
    let id = with_title(&app, "AND or NOT near: \"quoted\" wörds* (in) brackets^2").await;
    for words in ["AND", "or not", "NEAR(quoted)", "\"words\"", "words*", "brackets 2", "in) OR (in", "-quoted"] {
        assert_eq!(found(&app.app.store, words).await, [id], "{words}");
    }
    assert_eq!(found(&app.app.store, "AND missing").await, []);
}

#[tokio::test]
async fn every_store_function_that_reads_an_investigation_returns_its_dismissals() {
    let (app, _, _) = TestApp::start().await;
    let content = json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]});
    let content = content.as_object().cloned().expect("an object");
    let id = authoring::create(&app.app, None, content).await.expect("created").id;
    let body = json!({"fieldName": "durationMinutes", "conflictsWith": ["steps"], "reason": "\"Größe\" \u{1f331}"});
    let asked = DismissalRequest::read(body.as_object().expect("an object")).expect("a request");
    let stored = dismissals::dismiss(&app.app, id, &as_service(), &asked).await.expect("dismissed");
    assert_eq!((stored.dismissals.len(), stored.findings.contradictions.len(), stored.revision), (1, 0, 2));
    let app = app.restart().await;
    let store = &app.app.store;
    assert_eq!(store.load(id).await.expect("read"), Some(stored.clone()));
    assert_eq!(store.show(id).await.expect("read").expect("an investigation").dismissals, stored.dismissals);
    let listed = store.list(ListQuery::read(&[]).expect("a query")).await.expect("a page");
    assert_eq!(listed.items[0].1.dismissals, stored.dismissals);
    let entry = store.exported(id).await.expect("read").expect("an investigation");
    assert_eq!(*entry.document(), stored);
    store.delete(id, None, NOW).await.expect("deleted");
    assert!(store.import_whole(entry.clone().whole().expect("sound")).await.expect("stored"));
    assert_eq!(store.exported(id).await.expect("read"), Some(entry));
}

#[tokio::test]
async fn every_store_function_that_reads_a_version_returns_its_name() {
    let (app, _, _) = TestApp::start().await;
    let id = with_title(&app, "Cress").await;
    rename(&app, id, "Radish").await;
    rename(&app, id, "Peas").await;
    let name = |version, name: Option<&str>| VersionName { version, name: name.map(str::to_owned) };
    let context = as_service();
    for named in [name(1, Some("Größe \u{1f331}")), name(2, Some("Later")), name(2, None)] {
        authoring::name_version(&app.app, id, &context, named).await.expect("named");
    }
    let app = app.restart().await;
    let store = &app.app.store;
    let records = store.versions(id, HistoryRange::newest(9)).await.expect("read").expect("an investigation");
    let names: Vec<_> = records.iter().map(|record| record.name.as_deref()).collect();
    assert_eq!(names, [None, Some("Größe \u{1f331}")]);
    let named = store.named_versions(id, HistoryRange::newest(9)).await.expect("read").expect("an investigation");
    assert_eq!(named, records[1..]);
    assert_eq!(store.record(id, 1).await.expect("read").as_ref(), records.get(1));
    let of_field = store.field_history(id, FieldPath::parse("title"), HistoryRange::newest(9)).await.expect("read");
    let of_field: Vec<_> = of_field.expect("an investigation").into_iter().map(|(record, _)| record.name).collect();
    assert_eq!(of_field, [None, records[1].name.clone()]);
    let entry = store.exported(id).await.expect("read").expect("an investigation");
    assert_eq!(json!(entry)["records"], json!(records.iter().rev().collect::<Vec<_>>()));
    store.delete(id, None, NOW).await.expect("deleted");
    assert!(store.import_whole(entry.clone().whole().expect("sound")).await.expect("stored"));
    assert_eq!(store.exported(id).await.expect("read"), Some(entry));
}

#[tokio::test]
async fn search_in_batches_finds_every_investigation_that_a_person_wrote_or_edits() {
    let (app, _, teacher) = TestApp::start().await;
    let colleague = app.signed_in(COLLEAGUE);
    let mut all = Vec::new();
    for caller in [&colleague, &teacher, &colleague, &colleague, &teacher] {
        all.push(caller.create(json!({"title": "Cress"})).await);
    }
    all.push(colleague.create(json!({"title": "Peas", "editors": [TEACHER]})).await);
    all.sort_unstable();
    let person = TEACHER.parse().expect("an id");
    let (mut theirs, mut ends, mut after) = (Vec::new(), Vec::new(), Some(String::new()));
    while let Some(begin) = after {
        let slice = app.app.store.slice_of(person, &begin, 2).await.expect("a slice");
        theirs.extend(slice.found.iter().map(ObjectId::to_string));
        ends.extend(slice.end.clone());
        after = slice.end;
    }
    assert_eq!(ends, [all[1].clone(), all[3].clone(), all[5].clone()]);
    let mut expected = Vec::new();
    for id in all {
        let lesson = teacher.get(&format!("/api/investigation/{id}")).await.data();
        if lesson["author"]["id"] == TEACHER || lesson["editors"] == json!([TEACHER]) {
            expected.push(id);
        }
    }
    assert_eq!((&theirs, theirs.len()), (&expected, 3));
}

#[tokio::test]
async fn operations_on_a_closed_store_fail_with_an_error() {
    let (app, _, _) = TestApp::start().await;
    let id = with_title(&app, "Cress").await;
    app.app.store.close().await;
    assert!(app.app.store.delete(id, None, NOW).await.is_err());
    assert!(app.app.store.ready().await.is_err());
}
