//! The trash of the store. A restored investigation equals the deleted one, whatever happens at the same time.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fieldbook::authoring::{self, ChangeContext};
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::page::PageRequest;
use fieldbook::domain::permission::Principal;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::{Deleted, Discarded, InvestigationSnapshot, Stamp, Store, Undeleted, Visited};
use serde_json::json;

use super::moving::{fill, ids};
use crate::support::search_index::wrongly_indexed;
use crate::support::{START, TestApp};

const NOW: Stamp = Stamp { actor: AuditActor { user: None, key: None }, at: START };
const LONG_AGO: Timestamp = Timestamp(0);

async fn whole(store: &Store, id: ObjectId) -> InvestigationSnapshot {
    store.whole(id).await.expect("read").expect("an investigation")
}

async fn discard(store: &Store, whole: InvestigationSnapshot) -> Deleted {
    store.discard(Discarded::of(whole, NOW).expect("packed")).await.expect("an answer")
}

async fn undelete(store: &Store, id: ObjectId) -> Undeleted {
    let trashed = store.trashed(id, LONG_AGO).await.expect("read").expect("a row");
    store.undelete(trashed.restored().expect("unpacked"), NOW).await.expect("an answer")
}

fn raised(mut whole: InvestigationSnapshot) -> InvestigationSnapshot {
    Arc::make_mut(&mut whole.row.investigation).revision += 1;
    whole
}

#[tokio::test]
async fn everything_comes_back_as_it_was_to_the_byte() {
    let (app, _) = TestApp::start_with_trash().await;
    fill(&app).await;
    let store = &app.app.store;
    let anybody = ChangeContext { caller: Principal::SERVICE, ..ChangeContext::default() };
    let ids = ids(store).await;
    assert!(ids.len() > 2);
    for id in ids {
        let before = whole(store, id).await;
        authoring::delete(&app.app, id, &anybody, false).await.expect("deleted");
        assert_eq!(store.whole(id).await.expect("read"), None);
        let (_, left_out) = authoring::undelete(&app.app, id, &anybody).await.expect("restored");
        assert_eq!(left_out, Vec::<String>::new());
        let after = whole(store, id).await;
        assert_eq!(raised(before).differences(&after), Vec::<String>::new());
    }
    assert_eq!(wrongly_indexed(app.folder()), [""; 0]);
}

#[tokio::test]
async fn what_changed_after_it_was_read_is_not_lost() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = teacher.create_link(&id, "class", "cress").await;
    let (key, path) = (id.parse().expect("an id"), format!("/api/investigation/{id}"));
    let read = whole(store, key).await;
    teacher.patch(&path, json!({"title": "Peas"})).await;
    assert_eq!(discard(store, read).await, Deleted::Conflict);
    let read = whole(store, key).await;
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "title"})).await;
    let newer = whole(store, key).await;
    assert_eq!((newer.revision(), newer.chat == read.chat), (read.revision(), false), "an entry without a revision");
    assert_eq!(discard(store, read).await, Deleted::Conflict);
    // Visits and links do not change the revision, so they do not prevent the deletion, which reads their latest state.
    assert_eq!(teacher.get(&link).await.status, 200);
    teacher.create_link(&id, "class", "peas").await;
    let complete = whole(store, key).await;
    assert_eq!(discard(store, newer).await, Deleted::Done { chats: 1 });
    assert_eq!(discard(store, complete.clone()).await, Deleted::Unknown);
    assert_eq!(undelete(store, key).await, Undeleted::Done { links_left_out: Vec::new() });
    assert_eq!(whole(store, key).await, raised(complete));
}

#[tokio::test]
async fn what_was_restored_is_restored_once() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let id: ObjectId = teacher.create(json!({"title": "Cress"})).await.parse().expect("an id");
    let row = async || store.trashed(id, LONG_AGO).await.expect("read").expect("a row").restored().expect("unpacked");
    discard(store, whole(store, id).await).await;
    let (one, other) = (row().await, row().await);
    assert_eq!(store.undelete(one, NOW).await.expect("an answer"), Undeleted::Done { links_left_out: Vec::new() });
    assert_ne!(store.undelete(other, NOW).await.expect("an answer"), Undeleted::Done { links_left_out: Vec::new() });
    // After a restore and a deletion without the trash, an old copy of the trash entry restores nothing.
    discard(store, whole(store, id).await).await;
    let stale = row().await;
    store.undelete(row().await, NOW).await.expect("an answer");
    store.delete(id, None, NOW).await.expect("deleted");
    assert_eq!(store.undelete(stale, NOW).await.expect("an answer"), Undeleted::NotInTrash);
    assert_eq!(store.load(id).await.expect("read"), None);
}

#[tokio::test]
async fn the_oldest_go_some_at_a_time() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    for n in 0..18 {
        let id: ObjectId = teacher.create(json!({"title": n.to_string()})).await.parse().expect("an id");
        let stamp = Stamp { at: Timestamp(START.0 + n), ..NOW };
        let packed = Discarded::of(whole(store, id).await, stamp).expect("packed");
        store.discard(packed).await.expect("deleted");
    }
    let left = async || {
        let page = store.trash(None, LONG_AGO, PageRequest::first(100)).await.expect("read");
        page.entries.into_iter().filter_map(|(_, item)| item.title).collect::<HashSet<_>>()
    };
    let over = Timestamp(START.0 + 17);
    assert!(store.empty_trash(over).await.expect("emptied"), "there may be more");
    assert_eq!(left().await, HashSet::from(["16".to_owned(), "17".to_owned()]));
    assert!(!store.empty_trash(over).await.expect("emptied"));
    assert_eq!(left().await, HashSet::from(["17".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_visit_that_was_answered_is_counted_after_all_deletions_and_restores() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    teacher.create_link(&id, "class", "cress").await;
    let (counted, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let visitors: Vec<_> = (0..4)
        .map(|_| {
            let (app, counted, done) = (app.app.clone(), counted.clone(), done.clone());
            tokio::spawn(async move {
                while !done.load(Ordering::Relaxed) {
                    let visited = app.store.visit("class".into(), "cress".into(), START).await.expect("an answer");
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
