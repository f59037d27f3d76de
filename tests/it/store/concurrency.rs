//! Many concurrent operations on one investigation. Nothing is lost, and nothing is counted twice.

use fieldbook::domain::history::HistoryRange;
use serde_json::json;
use tokio::task::JoinSet;

use crate::support::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn of_64_concurrent_edits_of_different_fields_all_stand() {
    let (app, _, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let mut edits = JoinSet::new();
    for n in 0..64 {
        let (teacher, path) = (app.signed_in(&format!("{:024x}", n % 4)), format!("/api/investigation/{id}"));
        edits.spawn(async move { teacher.patch(&path, json!({ format!("field{n}"): n })).await });
    }
    let mut versions: Vec<u64> = Vec::new();
    for answer in edits.join_all().await {
        assert_eq!(answer.status, 200, "{answer}");
        versions.push(answer.json()["updatedInvestigation"]["version"].as_u64().expect("a version"));
    }
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
async fn of_concurrent_edits_on_one_revision_exactly_one_stands() {
    let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let careful = teacher.clone().with_header("if-match", "\"1\"");
    let mut edits = JoinSet::new();
    for n in 0..32 {
        let (careful, path) = (careful.clone(), format!("/api/investigation/{id}"));
        edits.spawn(async move { careful.patch(&path, json!({"title": format!("Cress {n}")})).await.status.as_u16() });
    }
    let mut statuses = edits.join_all().await;
    statuses.sort_unstable();
    let mut expected = vec![412; 32];
    expected[0] = 200;
    assert_eq!(statuses, expected);
    let versions = teacher.get(&format!("/api/investigation/{id}/versions")).await.data();
    assert_eq!(versions.as_array().expect("records").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn undo_and_redo_from_many_clients_leave_a_history_that_adds_up() {
    let (app, _, id) = TestApp::with_id(json!({"count": 0})).await;
    let mut clients = JoinSet::new();
    for n in 0..48 {
        let (teacher, path) = (app.signed_in(&format!("{:024x}", n % 4)), format!("/api/investigation/{id}"));
        clients.spawn(async move {
            match n % 3 {
                0 => teacher.patch(&path, json!({"count": n + 1})).await,
                1 => teacher.post_empty(&format!("{path}/undo")).await,
                _ => teacher.post_empty(&format!("{path}/redo")).await,
            }
        });
    }
    for answer in clients.join_all().await {
        let nothing_to_do = answer.text.contains("Nothing to ");
        assert!(answer.status == 200 || answer.status == 500 && nothing_to_do, "{answer}");
    }
    let id = id.parse().expect("an id");
    let stored = app.app.store.load(id).await.expect("read").expect("an investigation");
    let rebuilt = app.app.store.content_at(id, stored.version).await.expect("read").flatten().expect("a version");
    assert_eq!(rebuilt, stored.content);
    let records = app.app.store.versions(id, HistoryRange::newest(1000)).await.expect("read").expect("records");
    assert_eq!(records.len(), 16);
    let newest_done = records.iter().find(|record| !record.undone).map_or(0, |record| record.version);
    assert_eq!(newest_done, stored.version);
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_that_nobody_waits_for_any_more_take_nothing_from_the_others() {
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
