//! The trash of the store. A restored investigation equals the deleted one, except for its chat, even if other requests
//! run at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fieldbook::authoring::{self, ChangeContext};
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::link::VisitKind;
use fieldbook::domain::page::PageRequest;
use fieldbook::domain::permission::Principal;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::jsonl::Entry;
use fieldbook::store::{Deleted, Stamp, Store, Trashed, Undeleted, Visited};
use serde_json::{Value, json};

use super::moving::{fill, ids};
use crate::support::search_index::wrongly_indexed;
use crate::support::{START, TestApp};

const NOW: Stamp = Stamp { actor: AuditActor { user: None, key: None }, at: START };
const LONG_AGO: Timestamp = Timestamp(0);
const CHAT: ObjectId = ObjectId::from_bytes([7; 12]);

async fn whole(store: &Store, id: ObjectId) -> Entry {
    store.exported(id).await.expect("read").expect("an investigation")
}

async fn discard(store: &Store, whole: &Entry) -> Deleted {
    store.discard(whole.document(), NOW).await.expect("an answer")
}

async fn undelete(store: &Store, id: ObjectId) -> Undeleted {
    let discarded = store.discarded(id, LONG_AGO).await.expect("read").expect("a row");
    store.undelete(discarded, CHAT, NOW).await.expect("an answer")
}

/// Returns the expected result of a restore: everything that was deleted, at the next revision, with an empty chat.
fn restored(whole: &Entry) -> Value {
    let mut restored = json!(whole);
    restored["document"]["revision"] = json!(whole.document().revision + 1);
    restored["chat"] = json!({"_id": CHAT, "history": []});
    restored
}

/// The columns that are computed from the content, which an export does not have.
const DERIVED: &str = "body, group_key, curriculum_key, title_key, grade_key, curriculum, grade, title";

#[tokio::test]
async fn restore_from_the_trash_returns_every_byte_except_the_chat() {
    let (app, _) = TestApp::start_with_trash().await;
    fill(&app).await;
    let store = &app.app.store;
    let anybody = ChangeContext { caller: Principal::SERVICE, ..ChangeContext::default() };
    let ids = ids(store).await;
    assert!(ids.len() > 2);
    let copies = app.rows("content_copy");
    app.behind("CREATE TABLE earlier AS SELECT * FROM investigation");
    for id in ids {
        let before = whole(store, id).await;
        authoring::delete(&app.app, id, &anybody, false).await.expect("deleted");
        assert_eq!(store.exported(id).await.expect("read"), None);
        app.sweep().await;
        let in_trash = store.exported_from_trash(id).await.expect("read").expect("a row");
        let mut kept = json!(before);
        assert!(!kept["chat"].take().is_null());
        assert_eq!(json!(in_trash.investigation).to_string(), kept.to_string());
        assert_eq!(undelete(store, id).await, Undeleted::Done { links_left_out: Vec::new() });
        assert_eq!(json!(whole(store, id).await).to_string(), restored(&before).to_string());
        assert_eq!(store.exported_from_trash(id).await.expect("read"), None);
    }
    assert_eq!(app.rows("content_copy"), copies);
    let lost = format!("(SELECT {DERIVED} FROM earlier EXCEPT SELECT {DERIVED} FROM investigation) lost");
    assert_eq!(app.rows(&lost), 0);
    assert_eq!(wrongly_indexed(app.folder()), [""; 0]);
}

#[tokio::test]
async fn deletion_fails_after_a_concurrent_change_and_keeps_concurrent_visits() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = teacher.create_link(&id, "class", "cress").await;
    let (key, path) = (id.parse().expect("an id"), format!("/api/investigation/{id}"));
    let read = whole(store, key).await;
    teacher.patch(&path, json!({"title": "Peas"})).await;
    assert_eq!(discard(store, &read).await, Deleted::Conflict);
    let read = whole(store, key).await;
    // Visits and links do not change the revision. A deletion moves them into the trash with the investigation.
    assert_eq!(teacher.get(&link).await.status, 200);
    teacher.create_link(&id, "class", "peas").await;
    let complete = whole(store, key).await;
    assert_eq!(discard(store, &read).await, Deleted::Done { chats: 1 });
    assert_eq!(discard(store, &complete).await, Deleted::Unknown);
    assert_eq!(undelete(store, key).await, Undeleted::Done { links_left_out: Vec::new() });
    assert_eq!(json!(whole(store, key).await), restored(&complete));
}

#[tokio::test]
async fn trash_entry_can_be_restored_only_once() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let id: ObjectId = teacher.create(json!({"title": "Cress"})).await.parse().expect("an id");
    let row = async || store.discarded(id, LONG_AGO).await.expect("read").expect("a row");
    discard(store, &whole(store, id).await).await;
    let (one, other) = (row().await, row().await);
    assert_eq!(
        store.undelete(one, CHAT, NOW).await.expect("an answer"),
        Undeleted::Done { links_left_out: Vec::new() }
    );
    assert_eq!(store.undelete(other.clone(), CHAT, NOW).await.expect("an answer"), Undeleted::Exists);
    // The entry was read before a restore and another deletion, so it is outdated.
    discard(store, &whole(store, id).await).await;
    assert_eq!(store.undelete(other.clone(), CHAT, NOW).await.expect("an answer"), Undeleted::NotInTrash);
    assert!(!store.purge(other, NOW).await.expect("an answer"));
    // The entry `stale` is read before the investigation is restored and then deleted for good, so it restores nothing.
    let stale = row().await;
    store.undelete(row().await, CHAT, NOW).await.expect("an answer");
    store.delete(id, None, NOW).await.expect("deleted");
    assert_eq!(store.undelete(stale, CHAT, NOW).await.expect("an answer"), Undeleted::NotInTrash);
    assert_eq!(store.load(id).await.expect("read"), None);
}

#[tokio::test]
async fn oldest_trash_entries_are_deleted_one_at_a_time() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    for n in 0..4 {
        let id: ObjectId = teacher.create(json!({"title": n.to_string()})).await.parse().expect("an id");
        let stamp = Stamp { at: Timestamp(START.0 + n), ..NOW };
        store.discard(whole(store, id).await.document(), stamp).await.expect("deleted");
    }
    let left = async || {
        let page = store.trash(None, LONG_AGO, PageRequest::first(100)).await.expect("read");
        page.entries.into_iter().filter_map(|(_, item)| item.title).collect::<Vec<_>>()
    };
    let over = Timestamp(START.0 + 2);
    assert!(store.empty_trash(over).await.expect("emptied"), "there may be more");
    assert_eq!(left().await, ["3", "2", "1"]);
    assert!(store.empty_trash(over).await.expect("emptied"), "there may be more");
    assert!(!store.empty_trash(over).await.expect("emptied"));
    assert_eq!(left().await, ["3", "2"]);
}

#[tokio::test]
async fn second_deletion_of_an_investigation_replaces_its_entry_in_the_trash() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let id: ObjectId = teacher.create(json!({"title": "Cress"})).await.parse().expect("an id");
    let first = whole(store, id).await;
    discard(store, &first).await;
    assert!(store.import_whole(first.whole().expect("sound")).await.expect("imported"));
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Peas"})).await;
    let second = whole(store, id).await;
    discard(store, &second).await;
    app.sweep().await;
    assert_eq!((app.rows("trash"), app.rows("removed")), (1, 0));
    assert_eq!(undelete(store, id).await, Undeleted::Done { links_left_out: Vec::new() });
    assert_eq!(json!(whole(store, id).await), restored(&second));
}

#[tokio::test]
async fn link_whose_address_is_used_by_another_link_is_not_restored_from_the_trash() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let [first, second, third] = ["Cress", "Peas", "Beans"];
    let mut ids = Vec::new();
    // All three investigations get the same link address, each after the previous investigation was deleted.
    for title in [first, second, third] {
        let id = teacher.create(json!({ "title": title })).await;
        let link = teacher.create_link(&id, "class", "cress").await;
        assert_eq!(teacher.get(&link).await.data()["visitCount"], 1, "the visits of another link are not shown");
        teacher.delete(&format!("/api/investigation/{id}")).await;
        ids.push(id.parse::<ObjectId>().expect("an id"));
    }
    let left_out = |links: &[&str]| Undeleted::Done { links_left_out: links.iter().map(ToString::to_string).collect() };
    assert_eq!(undelete(store, ids[0]).await, left_out(&["class/cress"]));
    assert_eq!(undelete(store, ids[2]).await, left_out(&[]));
    assert_eq!(undelete(store, ids[1]).await, left_out(&["class/cress"]));
    let link = store.link("class".into(), "cress".into()).await.expect("read").expect("a link");
    assert_eq!(link.investigation_id, ids[2]);
    // A link that was left out stays deleted, even after another deletion and restore.
    discard(store, &whole(store, ids[0]).await).await;
    assert_eq!(undelete(store, ids[0]).await, left_out(&[]));
    assert_eq!(json!(whole(store, ids[0]).await)["links"], json!([]));
}

#[tokio::test]
async fn importing_a_trash_entry_again_takes_no_link_address_from_another_entry() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let mut ids = Vec::new();
    for title in ["Cress", "Peas"] {
        let id = teacher.create(json!({ "title": title })).await;
        teacher.create_link(&id, "class", "cress").await;
        teacher.delete(&format!("/api/investigation/{id}")).await;
        ids.push(id.parse::<ObjectId>().expect("an id"));
    }
    let left_out = |links: &[&str]| Undeleted::Done { links_left_out: links.iter().map(ToString::to_string).collect() };
    let purge = async |id| {
        let discarded = store.discarded(id, LONG_AGO).await.expect("read").expect("a row");
        assert!(store.purge(discarded, NOW).await.expect("purged"));
    };
    let in_trash = async |id| store.exported_from_trash(id).await.expect("read").expect("a row");
    // The entry deleted last owns the link address. There is no cleanup between these steps.
    let last = in_trash(ids[1]).await;
    purge(ids[1]).await;
    assert!(store.put_trashed(last.clone().trashed().expect("sound")).await.expect("stored"));
    assert_eq!(in_trash(ids[1]).await, last);
    // The first entry lost the address to the last one, and `displaced` records this. Even without this record, the
    // import must not take the address back.
    let first = in_trash(ids[0]).await;
    purge(ids[0]).await;
    let without_note = Trashed { displaced: Vec::new(), ..first.clone().trashed().expect("sound") };
    assert!(store.put_trashed(without_note).await.expect("stored"));
    assert_eq!(in_trash(ids[0]).await, first);
    app.sweep().await;
    assert_eq!(undelete(store, ids[0]).await, left_out(&["class/cress"]));
    assert_eq!(undelete(store, ids[1]).await, left_out(&[]));
    let link = store.link("class".into(), "cress".into()).await.expect("read").expect("a link");
    assert_eq!(link.investigation_id, ids[1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_restores_and_creations_leave_one_link_for_each_address() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let other = teacher.create(json!({"title": "Peas"})).await;
    let path = format!("/api/investigation/{id}");
    for round in 0..24 {
        let name = format!("n{round}");
        teacher.create_link(&id, "class", &name).await;
        assert_eq!(teacher.delete(&path).await.status, 200);
        let (undelete, links) = (format!("{path}/undelete"), format!("/api/link/investigation/{other}"));
        let new = json!({"key": "class", "subLink": name, "description": ""});
        let (restored, link) = tokio::join!(teacher.post_empty(&undelete), teacher.post(&links, new));
        assert_eq!(restored.status, 200, "{restored}");
        let is_left_out = restored.data()["linksLeftOut"] == json!([format!("class/{name}")]);
        assert_eq!(link.status == 201, is_left_out, "round {round}: {restored} {link}");
        let owner = store.link("class".into(), name).await.expect("read").expect("a link").investigation_id.to_string();
        assert_eq!(owner, if is_left_out { other.as_str() } else { id.as_str() }, "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_answered_visit_is_counted_after_deletions_and_restores() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    teacher.create_link(&id, "class", "cress").await;
    let (counted, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let visitors: Vec<_> = (0..4)
        .map(|_| {
            let (app, counted, done) = (app.app.clone(), counted.clone(), done.clone());
            tokio::spawn(async move {
                while !done.load(Ordering::Relaxed) {
                    let visited = app
                        .store
                        .visit("class".into(), "cress".into(), VisitKind::Open, START)
                        .await
                        .expect("an answer");
                    if matches!(visited, Visited::Counted(_)) {
                        counted.fetch_add(1, Ordering::Relaxed);
                    }
                }
            })
        })
        .collect();
    let path = format!("/api/investigation/{id}");
    for round in 0..16 {
        let before = counted.load(Ordering::Relaxed);
        while counted.load(Ordering::Relaxed) < before + 8 {
            tokio::task::yield_now().await;
        }
        let deleted = teacher.delete(&path).await;
        assert_eq!(deleted.status, 200, "round {round}: {deleted}");
        let restored = teacher.post_empty(&format!("{path}/undelete")).await;
        assert_eq!(restored.status, 200, "round {round}: {restored}");
    }
    done.store(true, Ordering::Relaxed);
    for visitor in visitors {
        visitor.await.expect("it ends");
    }
    let counted = counted.load(Ordering::Relaxed);
    let visits = teacher.get("/api/link/class/cress/visits").await.data();
    assert_eq!(visits["visitCount"], counted, "{visits}");
    assert_eq!(visits["days"][0]["count"], counted, "{visits}");
}
