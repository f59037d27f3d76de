//! Webhooks: every event reaches every endpoint, even if receivers fail and the service restarts.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use fieldbook::domain::time::Timestamp;
use serde_json::json;
use wiremock::ResponseTemplate;

use crate::support::process::Service;
use crate::support::receiver::{Receiver, Sent, secret};
use crate::support::{COLLEAGUE, Caller, START, TestApp};

fn answers(statuses: &[u16]) -> Vec<(u16, ResponseTemplate)> {
    statuses.iter().map(|status| (*status, ResponseTemplate::new(*status))).collect()
}

async fn start(urls: &[String]) -> (TestApp, Caller) {
    TestApp::start_with_webhooks(urls, &secret()).await
}

/// Returns the type and the revision of each event that was sent.
fn told(sent: &[Sent]) -> Vec<String> {
    sent.iter()
        .map(|sent| format!("{} {}", sent.payload["type"].as_str().unwrap_or("?"), sent.payload["data"]["revision"]))
        .collect()
}

fn investigations(sent: &[Sent]) -> Vec<&str> {
    sent.iter().map(|sent| sent.payload["data"]["investigationId"].as_str().expect("an id")).collect()
}

/// Waits until the service has stored that the first delivery failed.
async fn until_refused(app: &TestApp, receiver: &Receiver) {
    receiver.sent(1).await;
    let name = digest(&SHA256, receiver.url().as_bytes());
    let name = fieldbook::domain::hex::digits(name.as_ref());
    let noted = || app.app.store.due_deliveries(name.clone(), Timestamp(i64::MAX), 1);
    while noted().await.expect("read").is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn webhook_events_are_sent_in_order_and_signed() {
    let receiver = Receiver::start(Vec::new()).await;
    let (_app, teacher) = start(&[receiver.url()]).await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Radish"})).await;
    teacher.delete(&path).await;
    let sent = receiver.sent(3).await;
    assert_eq!(told(&sent), ["investigation.created 1", "investigation.updated 2", "investigation.deleted 2"]);
    assert_eq!(sent[1].seconds, START.0 / 1000);
    let payload = &sent[1].payload;
    assert_eq!(payload["timestamp"], "2026-11-21T08:00:00.000Z");
    assert_eq!(payload["data"]["id"], json!(sent[1].id));
    assert_eq!(payload["data"]["changedFields"], json!(["title"]));
    let document = crate::support::documented::served(&teacher).await;
    for Sent { payload, .. } in &sent {
        let kind = payload["type"].as_str().expect("a type");
        let body = &document["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let schema = body["$ref"].as_str().and_then(|place| place.rsplit('/').next()).expect("a named schema");
        crate::http::docs_content::fits(&document, schema, payload).expect("a body as documented");
    }
}

#[tokio::test]
async fn failed_webhook_delivery_is_retried_without_delaying_other_events() {
    let receiver = Receiver::start(answers(&[302])).await;
    let (app, teacher) = start(&[receiver.url()]).await;
    let first = teacher.create(json!({})).await;
    let second = teacher.create(json!({})).await;
    assert_eq!(investigations(&receiver.sent(2).await), [&first, &second]);
    // The first retry comes after 5 to 6 seconds.
    app.clock.advance(Duration::from_millis(4_999));
    let third = teacher.create(json!({})).await;
    assert_eq!(investigations(&receiver.sent(3).await), [first, second, third]);
    app.clock.advance(Duration::from_millis(1_001));
    let sent = receiver.sent(4).await;
    assert_eq!(sent[3].id, sent[0].id, "the same event under the same name");
    assert_eq!(sent[3].seconds, START.0 / 1000 + 6, "and the time of the attempt");
}

#[tokio::test]
async fn retry_after_header_of_a_webhook_endpoint_is_respected() {
    let busy = ResponseTemplate::new(429).insert_header("retry-after", "90");
    let receiver = Receiver::start(vec![(429, busy)]).await;
    let (app, teacher) = start(&[receiver.url()]).await;
    teacher.create(json!({})).await;
    until_refused(&app, &receiver).await;
    app.clock.advance(Duration::from_secs(89));
    teacher.create(json!({})).await;
    assert_eq!(receiver.sent(1).await.len(), 1, "it is left alone altogether");
    app.clock.advance(Duration::from_secs(1));
    let sent = receiver.sent(3).await;
    assert_eq!(sent.iter().filter(|other| other.id == sent[0].id).count(), 2);
}

#[tokio::test]
async fn user_with_many_changes_does_not_delay_the_webhook_events_of_others() {
    let busy = ResponseTemplate::new(429).insert_header("retry-after", "90");
    let receiver = Receiver::start(vec![(429, busy)]).await;
    let (app, teacher) = start(&[receiver.url()]).await;
    teacher.create(json!({})).await;
    until_refused(&app, &receiver).await;
    let mut created = Vec::new();
    for _ in 0..60 {
        created.push(teacher.create(json!({})).await);
    }
    let other = app.signed_in(COLLEAGUE).create(json!({})).await;
    app.clock.advance(Duration::from_secs(90));
    let sent = receiver.sent(63).await;
    let all = investigations(&sent);
    let place = all.iter().position(|id| *id == other).expect("sent");
    assert!(place < 20, "{place} events came first");
    let of_teacher: Vec<&str> = all[2..].iter().copied().filter(|id| *id != other).collect();
    assert_eq!(of_teacher, created, "the events of one user come in order");
}

#[tokio::test]
async fn dead_and_slow_webhook_endpoints_do_not_delay_other_endpoints() {
    let slow = ResponseTemplate::new(204).set_delay(Duration::from_secs(600));
    let (slow, quick) = (Receiver::start(vec![(204, slow)]).await, Receiver::start(Vec::new()).await);
    let dead = "http://127.0.0.1:9/hook".to_owned();
    let (_app, teacher) = start(&[dead, slow.url(), quick.url()]).await;
    for _ in 0..20 {
        teacher.create(json!({})).await;
    }
    assert_eq!(quick.sent(20).await.len(), 20);
}

#[tokio::test]
async fn removed_webhook_endpoint_gets_no_more_deliveries() {
    let (gone, other) = (Receiver::start(answers(&[410])).await, Receiver::start(Vec::new()).await);
    let (_app, teacher) = start(&[gone.url(), other.url()]).await;
    teacher.create(json!({})).await;
    gone.sent(1).await;
    teacher.create(json!({})).await;
    other.sent(2).await;
    assert_eq!(gone.sent(1).await.len(), 1);
}

#[tokio::test]
async fn webhook_deliveries_resume_after_a_restart() {
    let receiver = Receiver::start(answers(&[204, 500])).await;
    let (app, teacher) = start(&[receiver.url()]).await;
    teacher.create(json!({})).await;
    receiver.sent(1).await;
    teacher.create(json!({})).await;
    let failed = receiver.sent(2).await[1].id.clone();
    let app = app.restart().await;
    app.clock.advance(Duration::from_secs(6));
    let sent = receiver.sent(3).await;
    assert_eq!((sent.len(), &sent[2].id), (3, &failed), "what was taken is not sent again: {sent:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_changes_are_sent_to_webhooks_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let receiver = Receiver::start(answers(&[503; 100])).await;
    let (url, secret) = (receiver.url(), secret());
    let arguments = ["--webhook-urls", url.as_str(), "--webhook-secret", secret.as_str()];
    let mut service = Service::start_with(folder.path(), &arguments);
    let teacher = service.teacher(folder.path());
    teacher.create(json!({})).await;
    let first = investigations(&receiver.sent(1).await)[0].to_owned();
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(teacher.create(json!({})).await);
    }
    service.kill();
    receiver.take_all();

    let _service = Service::start_with(folder.path(), &arguments);
    let is_taken =
        |all: &[Sent], id: &str| all.iter().any(|sent| sent.is_taken && sent.payload["data"]["investigationId"] == id);
    let sent = receiver.until(|all| is_taken(all, &first) && ids.iter().all(|id| is_taken(all, id))).await;
    let taken: Vec<&String> = sent.iter().filter(|sent| sent.is_taken).map(|sent| &sent.id).collect();
    assert_eq!(taken.len(), 21, "each once, as none was taken before: {taken:?}");
}
