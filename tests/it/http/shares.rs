//! One caller cannot use up resources that others need: CPU time, changes, bodies and visits.

use std::sync::mpsc;
use std::time::Duration;

use fieldbook::app::{BODY_BYTES, CHANGES, SMALL, VISITS};
use fieldbook::limits::Actor;
use fieldbook::shares::share_of;
use insta::assert_snapshot;
use reqwest::StatusCode;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::support::{COLLEAGUE, Caller, TEACHER, TestApp};

fn user(id: &str) -> Actor {
    Actor::User(id.parse().expect("an id"))
}

/// Returns content with a title of this many bytes that repeats one character.
fn titled(sign: &str, bytes: usize) -> Value {
    json!({ "title": sign.repeat(bytes / sign.len()) })
}

/// Returns the CPU time that this process has used.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().expect("seconds"), time.tv_nsec.try_into().expect("nanoseconds"))
}

async fn cost_of(teacher: &Caller, change: Value) -> Duration {
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let before = cpu();
    let changed = teacher.patch(&path, change).await;
    assert_eq!(changed.status, StatusCode::OK);
    cpu() - before
}

#[tokio::test]
async fn a_title_that_grows_when_it_is_folded_costs_about_as_much_as_another() {
    let (_app, _, teacher) = TestApp::start_with_schema(r#"{"type": "object"}"#).await;
    let usual = cost_of(&teacher, titled("\u{e9}", 260_000)).await;
    // Folding makes this title eleven times as long.
    let hostile = cost_of(&teacher, titled("\u{fdfa}", 260_000)).await;
    assert!(hostile < usual * 4, "{hostile:?} for {usual:?}");
}

/// There is only one async thread, so work that blocks the thread would block every request.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_service_answers_while_work_is_under_way_that_waits_for_this_answer() {
    let (app, anon, _) = TestApp::start().await;
    let (answered, wait) = mpsc::channel();
    let working = app.app.clone();
    let work = move || wait.recv_timeout(Duration::from_secs(60)).is_ok();
    let job = tokio::spawn(async move { working.capacity.compute(Actor::Service, SMALL, work).await });
    assert_eq!(anon.get("/health/live").await.status, StatusCode::OK);
    answered.send(()).expect("the work still waits");
    assert!(job.await.expect("the work is done"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn health_is_answered_time_and_again_while_two_large_changes_are_made() {
    let (_app, anon, teacher) = TestApp::start_with_schema(r#"{"type": "object"}"#).await;
    let mut changes = tokio::task::JoinSet::new();
    for _ in 0..2 {
        let path = teacher.create_path(json!({"title": "Cress"})).await;
        let teacher = teacher.clone();
        changes.spawn(async move { teacher.patch(&path, titled("\u{fdfa}", 20_000)).await.status });
    }
    let mut alive = 0;
    let mut statuses = Vec::new();
    while statuses.len() < 2 {
        assert_eq!(anon.get("/health/live").await.status, StatusCode::OK);
        alive += 1;
        while let Some(done) = changes.try_join_next() {
            statuses.push(done.expect("an answer"));
        }
    }
    assert_eq!(statuses, [StatusCode::OK; 2]);
    // If the steps of the changes blocked the only thread, only one health check would fit between two steps, far
    // fewer than 50 in total.
    assert!(alive > 50, "{alive}");
}

#[tokio::test]
async fn the_changes_of_one_user_leave_the_places_of_the_others() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let places: Vec<_> =
        (0..share_of(CHANGES)).map(|_| app.app.capacity.change(user(TEACHER)).expect("a place")).collect();
    let refused = teacher.patch(&path, json!({"title": "Radish"})).await;
    assert_eq!((refused.status, refused.header("retry-after")), (StatusCode::TOO_MANY_REQUESTS, Some("1")));
    assert_snapshot!(refused.json(), @r#"{"success":false,"message":"Too many at once","error":"A caller can have at most 32 changes in progress; nothing was done, try again in a second","code":"too_many_at_once"}"#);
    let colleague = app.signed_in(COLLEAGUE);
    assert_eq!(colleague.patch(&path, json!({"title": "Beans"})).await.status, StatusCode::OK);
    drop(places);
    assert_eq!(teacher.patch(&path, json!({"title": "Radish"})).await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_bodies_of_one_user_leave_room_for_those_of_the_others() {
    let (app, _, teacher) = TestApp::start().await;
    let each = share_of(BODY_BYTES) as usize;
    let room = app.app.capacity.body(user(TEACHER), each).expect("room");
    let refused = teacher.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.json()["code"], "too_many_at_once", "{refused}");
    app.signed_in(COLLEAGUE).create(json!({"title": "Cress"})).await;
    drop(room);
    teacher.create(json!({"title": "Cress"})).await;
    let _all: Vec<_> =
        (0..4).map(|n| app.app.capacity.body(Actor::at([10, 0, 0, n].into()), each).expect("room")).collect();
    let refused = teacher.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!((refused.status, refused.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, Some("1")));
}

#[tokio::test]
async fn the_visits_from_one_address_leave_the_places_of_the_others() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = json!({"key": "class", "subLink": "a", "description": ""});
    assert_eq!(teacher.post(&format!("/api/link/investigation/{id}"), link).await.status, StatusCode::CREATED);
    let here = Actor::at([127, 0, 0, 1].into());
    let places: Vec<_> = (0..share_of(VISITS)).map(|_| app.app.capacity.visit(here).expect("a place")).collect();
    assert_eq!(anon.get("/api/link/class/a").await.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(app.app.capacity.visit(Actor::at([10, 0, 0, 1].into())).is_ok());
    drop(places);
    assert_eq!(anon.get("/api/link/class/a").await.data()["visitCount"], 1);
}
