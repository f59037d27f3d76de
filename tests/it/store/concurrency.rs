//! Many concurrent operations on one investigation. Nothing is lost, and nothing is counted twice.

use fieldbook::admission::{LIGHT, share_of};
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::history::HistoryRange;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::permission::Role;
use fieldbook::store::{PersonErased, Stamp};
use serde_json::json;
use tokio::task::JoinSet;

use crate::http::people::{add, person};
use crate::support::{Caller, START, TestApp};

/// Number of clients that send requests at the same time. None of them waits for a permit, however slow the machine is.
const AT_ONCE: usize = LIGHT as usize;

/// Returns one of these clients, who belong to as few users as possible.
fn client(app: &TestApp, n: usize) -> Caller {
    app.signed_in(&format!("{:024x}", n / share_of(LIGHT) as usize))
}

#[tokio::test(flavor = "multi_thread")]
async fn all_64_concurrent_edits_of_different_fields_are_kept() {
    let (app, _, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let edit = |n| {
        let (teacher, path) = (client(&app, n), format!("/api/investigation/{id}"));
        async move {
            let mut versions = Vec::new();
            for field in (n..64).step_by(AT_ONCE) {
                let answer = teacher.patch(&path, json!({ format!("field{field}"): field })).await;
                assert_eq!(answer.status, 200, "{answer}");
                versions.push(answer.json()["updatedInvestigation"]["version"].as_u64().expect("a version"));
            }
            versions
        }
    };
    let edits: JoinSet<_> = (0..AT_ONCE).map(edit).collect();
    let mut versions = edits.join_all().await.concat();
    versions.sort_unstable();
    assert_eq!(versions, (1..=64).collect::<Vec<_>>());

    let app = app.restart().await;
    let stored = app.signed_in(crate::support::TEACHER).get(&format!("/api/investigation/{id}")).await.data();
    assert_eq!(stored["version"], 64);
    assert_eq!(stored["revision"], 65);
    for n in 0..64 {
        assert_eq!(stored[format!("field{n}")], n);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_one_of_many_concurrent_edits_with_the_same_if_match_succeeds() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let mut edits = JoinSet::new();
    for n in 0..AT_ONCE {
        let careful = client(&app, n).with_header("if-match", "\"1\"");
        let path = format!("/api/investigation/{id}");
        edits.spawn(async move { careful.patch(&path, json!({"title": format!("Cress {n}")})).await.status.as_u16() });
    }
    let mut statuses = edits.join_all().await;
    statuses.sort_unstable();
    let mut expected = vec![412; AT_ONCE];
    expected[0] = 200;
    assert_eq!(statuses, expected);
    let versions = teacher.get(&format!("/api/investigation/{id}/versions")).await.data();
    assert_eq!(versions.as_array().expect("records").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_undo_and_redo_leave_a_consistent_history() {
    let (app, _, id) = TestApp::with_id(json!({"count": 0})).await;
    let mut clients = JoinSet::new();
    for n in 0..AT_ONCE {
        let (teacher, path) = (client(&app, n), format!("/api/investigation/{id}"));
        clients.spawn(async move {
            let answers = [
                teacher.patch(&path, json!({"count": n + 1})).await,
                teacher.post_empty(&format!("{path}/undo")).await,
                teacher.post_empty(&format!("{path}/redo")).await,
            ];
            for answer in answers {
                let nothing_to_do = answer.text.contains("Nothing to ");
                assert!(answer.status == 200 || answer.status == 500 && nothing_to_do, "{answer}");
            }
        });
    }
    clients.join_all().await;
    let id = id.parse().expect("an id");
    let stored = app.app.store.load(id).await.expect("read").expect("an investigation");
    let rebuilt = app.app.store.content_at(id, stored.version).await.expect("read").expect("a version");
    assert_eq!(rebuilt, stored.content);
    let records = app.app.store.versions(id, HistoryRange::newest(1000)).await.expect("read").expect("records");
    assert_eq!(records.len(), AT_ONCE);
    let newest_done = records.iter().find(|record| !record.undone).map_or(0, |record| record.version);
    assert_eq!(newest_done, stored.version);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_reads_free_their_connections() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress", "list": vec!["cress"; 9_000]})).await.parse().expect("an id");
    let mut dropped = 0;
    for _ in 0..64 {
        // The read is polled once, so that it starts, and is then dropped.
        let mut read = Box::pin(app.app.store.versions(id, HistoryRange::newest(10)));
        let polled = std::future::poll_fn(|context| std::task::Poll::Ready(read.as_mut().poll(context))).await;
        dropped += usize::from(polled.is_pending());
        drop(read);
        assert!(app.app.store.versions(id, HistoryRange::newest(10)).await.expect("a read").is_some());
    }
    assert!(dropped > 0, "a read takes longer than a poll");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_people_who_are_erased_at_once_and_reassigned_to_each_other_one_remains() {
    let (app, _, _) = TestApp::start().await;
    let stamp = Stamp { actor: AuditActor { user: None, key: None }, at: START };
    for number in 0..20 {
        let ids = [2 * number + 1, 2 * number + 2].map(|n| ObjectId::from_bytes([n; 12]));
        for id in ids {
            add(&app, person(&id.to_string(), &format!("Ada{id}"), None)).await;
        }
        let erase = |id, to| app.app.store.erase_person(id, Some(to), Role::Author, stamp);
        let (one, other) = tokio::join!(erase(ids[0], ids[1]), erase(ids[1], ids[0]));
        let outcomes = [one.expect("an answer"), other.expect("an answer")];
        let ([PersonErased::Erased, PersonErased::NoNewAuthor] | [PersonErased::NoNewAuthor, PersonErased::Erased]) =
            outcomes
        else {
            panic!("{outcomes:?}");
        };
    }
}
