//! One caller cannot use up the resources that others need: permits, CPU time, bodies, answers, connections and visits.

use std::sync::mpsc;
use std::time::Duration;

use fieldbook::admission::{
    ANSWER_BYTES, ASSISTANT, Actor, BODY_BYTES, CONNECTIONS, Class, HEAVY, LIGHT, PICTURES, Permit, Pool, SMALL,
    VISIT_BODY, VISITS, share_of,
};
use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use reqwest::{Method, StatusCode};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::auth::operations;
use super::body::creating;
use super::mcp::{message, speaks_mcp};
use crate::support::raw::Raw;
use crate::support::{COLLEAGUE, Caller, TEACHER, TestApp, http_statuses};

/// Maximum time to wait for anything in these tests.
const PATIENCE: Duration = Duration::from_secs(60);

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
async fn storing_a_title_that_grows_in_normalization_takes_less_than_four_times_the_usual_cpu_time() {
    let (_app, _, teacher) = TestApp::start_with_schema(r#"{"type": "object"}"#).await;
    let usual = cost_of(&teacher, titled("\u{e9}", 260_000)).await;
    // Normalization for the search makes this title eleven times as long.
    let hostile = cost_of(&teacher, titled("\u{fdfa}", 260_000)).await;
    assert!(hostile < usual * 4, "{hostile:?} for {usual:?}");
}

/// There is only one async thread, so work that blocks the thread would block every request.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn work_that_blocks_a_thread_does_not_delay_other_requests() {
    let (app, anon, _) = TestApp::start().await;
    let (answered, wait) = mpsc::channel();
    let working = app.app.clone();
    let work = move || wait.recv_timeout(Duration::from_secs(60)).is_ok();
    let job = tokio::spawn(async move { working.admission.core(Actor::Service, SMALL).await.run(work) });
    assert_eq!(anon.get("/health/live").await.status, StatusCode::OK);
    answered.send(()).expect("the work still waits");
    assert!(job.await.expect("the work is done"));
}

/// Waits until a request waits for a permit of this pool.
pub async fn is_waiting(pool: &Pool) {
    while pool.waiting() == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn every_cpu_intensive_step_of_a_large_change_waits_for_a_cpu_core_permit() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let cores = &app.app.admission.cores;
    let mut turn = cores.take(user(TEACHER), 1).await;
    let change = tokio::spawn(async move { teacher.patch(&path, json!({"notes": "x".repeat(SMALL)})).await });
    let mut steps = 0;
    while !change.is_finished() {
        if cores.waiting() == 0 {
            tokio::task::yield_now().await;
            continue;
        }
        steps += 1;
        // The change gets the permit first, and then this test.
        let mut next = Box::pin(cores.take(user(TEACHER), 1));
        assert!(timeout(Duration::ZERO, &mut next).await.is_err());
        drop(turn);
        turn = next.await;
    }
    assert_eq!(change.await.expect("an answer").status, StatusCode::OK);
    assert_eq!(steps, 3, "it is parsed, decided on, and shown");
}

/// Takes all light permits that the teacher may have.
fn all_light(app: &TestApp) -> Permit {
    app.app.admission.light.try_take(user(TEACHER), share_of(LIGHT)).expect("permits")
}

#[tokio::test]
async fn user_who_holds_all_their_permits_does_not_block_changes_of_others() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let permits = all_light(&app);
    assert_snapshot!(teacher.patch(&path, json!({"title": "Radish"})).await, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Radish"}
    503 Service Unavailable
    retry-after: 1
    {
      "success": false, "message": "Failed to update investigation",
      "error": "The service is busy. Nothing was changed; try again in a second", "code": "busy"
    }
    "#);
    let colleague = app.signed_in(COLLEAGUE);
    assert_eq!(colleague.patch(&path, json!({"title": "Beans"})).await.status, StatusCode::OK);
    drop(permits);
    assert_eq!(teacher.patch(&path, json!({"title": "Radish"})).await.status, StatusCode::OK);
}

/// Takes all permits of the teacher and of this address, so that only the service itself can still get a permit.
fn all_permits(app: &TestApp) -> Vec<Permit> {
    let admission = &app.app.admission;
    let here = Actor::at([127, 0, 0, 1].into());
    let pools = [
        (&admission.visits, VISITS),
        (&admission.light, LIGHT),
        (&admission.heavy, HEAVY),
        (&admission.assistant, ASSISTANT),
    ];
    let picture = admission.pictures.try_take(here, PICTURES).expect("the turn");
    let of_both = pools.into_iter().flat_map(|(pool, units)| [user(TEACHER), here].map(|actor| (pool, actor, units)));
    let of_both = of_both.map(|(pool, actor, units)| pool.try_take(actor, share_of(units)).expect("permits"));
    of_both.chain([picture]).collect()
}

#[tokio::test]
async fn no_operation_runs_without_a_permit() {
    let (app, _, teacher) = TestApp::start().await;
    let permits = all_permits(&app);
    let mut requests = JoinSet::new();
    let page = [Method::GET, Method::POST].map(|method| (method, "/l/key/subLink".to_owned()));
    let tool = (Method::POST, "/mcp".to_owned());
    let listed = operations(&app).await.into_iter().map(|(method, path, _)| (method, path));
    for (method, path) in listed.chain(page).chain([tool]) {
        let teacher = teacher.clone();
        requests.spawn(async move {
            let status = teacher.send(method.clone(), &path, None).await.status;
            (format!("{method} {path}"), status)
        });
    }
    let mut served: Vec<String> = requests
        .join_all()
        .await
        .into_iter()
        .filter(|(_, status)| *status != StatusCode::SERVICE_UNAVAILABLE)
        .map(|(request, _)| request)
        .collect();
    served.sort();
    assert_eq!(served, ["GET /health/live", "GET /health/ready", "GET /metrics"]);
    drop(permits);
    drop(all_permits(&app));
}

/// An author's page loads several lists at once.
#[tokio::test]
async fn lists_are_answered_during_a_heavy_request_of_the_same_user() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let link = teacher.create_link(&id, "class", "a").await;
    let admission = &app.app.admission;
    let _heavy = admission.heavy.try_take(user(TEACHER), 1).expect("a permit");
    let _room = admission.answers.try_take(user(TEACHER), Class::Heavy.answer_bytes()).expect("room");
    let (links, visits) = (format!("/api/investigation/{id}/links"), format!("{link}/visits"));
    for path in ["/api/investigation?limit=100", "/api/link", &links, &visits, "/api/trash"] {
        let answer = teacher.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer}");
    }
    let search = teacher.get("/api/investigation?search=cress").await;
    assert_eq!(search.status, StatusCode::SERVICE_UNAVAILABLE, "{search}");
}

/// Many people may visit from one address.
#[tokio::test]
async fn only_the_first_visit_of_a_link_to_an_earlier_version_needs_a_heavy_permit() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Beans"})).await;
    let link = json!({"key": "k", "subLink": "old", "description": "", "shows": "lesson", "version": 0});
    assert_eq!(teacher.post(&format!("/api/investigation/{id}/links"), link).await.status, StatusCode::CREATED);
    let heavy = app.app.admission.heavy.try_take(Actor::at([127, 0, 0, 1].into()), 1).expect("a permit");
    assert_eq!(anon.get("/l/k/old").await.status, StatusCode::SERVICE_UNAVAILABLE);
    drop(heavy);
    let first = anon.get("/l/k/old").await;
    assert!(first.text.contains("Cress"), "{first}");
    let admission = &app.app.admission;
    let here = Actor::at([127, 0, 0, 1].into());
    let _heavy = admission.heavy.try_take(here, 1).expect("a permit");
    let _light = admission.light.try_take(here, share_of(LIGHT)).expect("permits");
    assert_eq!(anon.get("/l/k/old").await.text, first.text);
}

#[tokio::test]
async fn visit_is_not_counted_if_memory_for_the_largest_page_cannot_be_reserved() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = json!({"key": "k", "subLink": "page", "description": "", "shows": "lesson"});
    assert_eq!(teacher.post(&format!("/api/investigation/{id}/links"), link).await.status, StatusCode::CREATED);
    // Now the page is in the cache.
    assert_eq!(anon.get("/l/k/page").await.status, StatusCode::OK);
    let here = Actor::at([127, 0, 0, 1].into());
    let little = share_of(ANSWER_BYTES) - Class::Page.answer_bytes() + 1;
    let unread = app.app.admission.answers.try_take(here, little).expect("room");
    assert_eq!(anon.get("/l/k/page").await.status, StatusCode::SERVICE_UNAVAILABLE);
    let person = anon.clone().with_header("accept", "text/html");
    assert_eq!(person.get("/api/link/k/page").await.status, StatusCode::SERVICE_UNAVAILABLE);
    // A program gets JSON instead of the page, so its visit needs no room for a page.
    assert_eq!(anon.get("/api/link/k/page").await.data()["visitCount"], 2);
    // Visitors who do not read their pages do not use up the memory of others.
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.status, StatusCode::OK);
    drop(unread);
    assert_eq!(anon.get("/l/k/page").await.status, StatusCode::OK);
    assert_eq!(anon.get("/api/link/k/page").await.data()["visitCount"], 4);
}

#[tokio::test]
async fn address_that_used_up_its_permits_does_not_block_visitors_from_another_address() {
    let settings = HttpSettings { trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")], ..http_statuses() };
    let (app, anon, teacher) = TestApp::start_with(settings).await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = json!({"key": "k", "subLink": "page", "description": "", "shows": "lesson"});
    assert_eq!(teacher.post(&format!("/api/investigation/{id}/links"), link).await.status, StatusCode::CREATED);
    let from = |address: &str| anon.clone().with_header("x-forwarded-for", address);
    let greedy = Actor::at([198, 51, 100, 7].into());
    let _light = app.app.admission.light.try_take(greedy, share_of(LIGHT)).expect("permits");
    let (refused, seen) = (from("198.51.100.7"), from("198.51.100.8"));
    let (refused, seen) = tokio::join!(refused.get("/l/k/page"), seen.get("/l/k/page"));
    assert_eq!([refused.status, seen.status], [StatusCode::SERVICE_UNAVAILABLE, StatusCode::OK], "{seen}");
}

#[tokio::test]
async fn change_refused_after_waiting_for_a_cpu_core_reports_that_nothing_changed() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress", "notes": "x".repeat(SMALL)})).await;
    let core = app.app.admission.core(user(TEACHER), SMALL).await;
    // The first change waits before it is parsed, and the second before it is decided.
    let changes = [json!({"notes": "y".repeat(SMALL)}), json!({"title": "Beans"})];
    let [first, second] = changes.map(|change| teacher.patch(&path, change));
    for refused in <[_; 2]>::from(tokio::join!(first, second)) {
        assert_eq!(refused.json()["code"], "busy", "{refused}");
        assert!(refused.text.contains("Nothing was changed"), "{refused}");
    }
    drop(core);
    let changed = teacher.patch(&path, json!({"title": "Beans"})).await;
    assert_eq!(changed.status, StatusCode::OK, "{changed}");
}

#[tokio::test]
async fn oversized_investigation_needs_a_heavy_request_permit() {
    let (app, _, teacher) = TestApp::start_with(http_statuses()).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    // An imported investigation may be this large.
    let content = json!({"title": "Cress", "notes": "x".repeat(300_000)});
    app.behind(&format!("UPDATE investigation SET content = '{content}', revision = revision + 1"));
    let heavy = app.app.admission.heavy.try_take(user(TEACHER), 1).expect("a permit");
    let change = json!({"notes": null});
    let (read, changed) = tokio::join!(teacher.get(&path), teacher.patch(&path, change.clone()));
    assert_eq!([read.status, changed.status], [StatusCode::SERVICE_UNAVAILABLE; 2], "{changed}");
    drop(heavy);
    assert_eq!(teacher.get(&path).await.status, StatusCode::OK);
    assert_eq!(teacher.patch(&path, change).await.status, StatusCode::OK);
}

#[tokio::test]
async fn request_body_larger_than_an_investigation_needs_a_heavy_request_permit() {
    let (app, _, teacher) = TestApp::start().await;
    let heavy = app.app.admission.heavy.try_take(user(TEACHER), 1).expect("a permit");
    let large = json!({"notes": "x".repeat(300_000)});
    let refused = teacher.post("/api/investigation", large.clone()).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.json()["code"], "busy", "{refused}");
    drop(heavy);
    assert_eq!(teacher.post("/api/investigation", large).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn request_without_a_token_may_have_only_a_small_body() {
    let (app, anon, _) = TestApp::start().await;
    let browser = anon.with_header("sec-fetch-site", "same-origin");
    let here = Actor::at([127, 0, 0, 1].into());
    let _heavy = app.app.admission.heavy.try_take(here, 1).expect("a permit");
    let padded = |bytes: usize| format!("{:<bytes$}", r#"{"code":"x"}"#);
    let refused = browser.post_text("/api/session", "application/json", &padded(VISIT_BODY)).await;
    assert_eq!(refused.json()["code"], "wrong_credentials", "{}", refused.status);
    // A signed-in user would need a heavy permit for a text of this size.
    let dense = ",".repeat(10_000);
    assert_eq!(Class::of_text(dense.as_bytes()), Class::Heavy);
    assert_eq!(browser.post_text("/api/session", "application/json", &dense).await.status, StatusCode::BAD_REQUEST);
    let refused = browser.post_text("/api/session", "application/json", &padded(VISIT_BODY + 1)).await;
    assert_eq!(refused.refusal(), r#"413 "too_large" "Too large""#);
    assert_eq!(refused.json()["error"], "The body has more than 16384 bytes");
}

#[tokio::test]
async fn request_holds_no_permit_while_its_body_arrives() {
    let (app, _, _) = TestApp::start().await;
    let mut raw = Raw::connect(&app).await;
    raw.send(creating(&app, "expect: 100-continue\r\ncontent-length: 17")).await;
    // The service waits for the body.
    assert_eq!(raw.answer().await.status, StatusCode::CONTINUE);
    drop(all_light(&app));
    raw.send(r#"{"title":"Cress"}"#).await;
    assert_eq!(raw.answer().await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn mcp_tool_runs_with_the_permit_of_its_http_request() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    // The test holds all other permits, so a tool that needed a second permit would wait forever.
    let _light = all_light(&app);
    let call = message("tools/call", json!({"name": "getInvestigation", "arguments": {"id": id}}));
    let answer = speaks_mcp(teacher).post("/mcp", call).await;
    assert_eq!(answer.json()["result"]["structuredContent"]["data"]["title"], "Cress", "{answer}");
    let _heavy = app.app.admission.heavy.try_take(user(TEACHER), 1).expect("its permit is free again");
}

/// Makes an investigation as large as an import can make it.
fn enlarge(app: &TestApp) {
    let content = json!({"title": "Cress", "durationMinutes": 45, "notes": "x".repeat(300_000)});
    app.behind(&format!("UPDATE investigation SET content = '{content}', revision = revision + 1"));
}

#[tokio::test]
async fn mcp_tools_that_change_something_run_with_the_permit_of_their_http_request() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let teacher = speaks_mcp(teacher);
    for is_large in [false, true] {
        if is_large {
            enlarge(&app);
        }
        // The test holds all other permits, so a tool that needed a second permit would wait forever.
        let _light = all_light(&app);
        let tools = [
            ("updateInvestigation", json!({"id": id, "changes": {"title": "Beans"}})),
            ("regenerateOtherFields", json!({"id": id, "fieldName": "title"})),
        ];
        for (tool, arguments) in tools {
            let answer =
                teacher.post("/mcp", message("tools/call", json!({"name": tool, "arguments": arguments}))).await;
            assert_eq!(answer.json()["result"]["structuredContent"]["applied"], false, "{tool}, {is_large}: {answer}");
        }
    }
    let _heavy = app.app.admission.heavy.try_take(user(TEACHER), 1).expect("its permit is free again");
}

#[tokio::test]
async fn change_that_waits_for_a_heavy_request_permit_holds_no_lock() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    enlarge(&app);
    let heavy = &app.app.admission.heavy;
    let _heavy = heavy.try_take(user(TEACHER), 1).expect("a permit");
    let asked = path.clone();
    let waiting = tokio::spawn(async move { teacher.patch(&asked, json!({"title": "Beans"})).await });
    is_waiting(heavy).await;
    let lock = timeout(Duration::ZERO, app.app.edit_locks.lock(id.parse().expect("an id"))).await;
    drop(lock.expect("the lock is free"));
    let changed = app.signed_in(COLLEAGUE).patch(&path, json!({"title": "Peas"})).await;
    assert_eq!(changed.status, StatusCode::OK, "{changed}");
    let refused = waiting.await.expect("an answer");
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{refused}");
    assert!(refused.text.contains("The service is busy. Nothing was changed"), "{refused}");
}

#[tokio::test]
async fn change_that_waits_for_a_cpu_core_holds_no_lock_on_its_investigation() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress", "notes": "x".repeat(SMALL)})).await;
    let path = format!("/api/investigation/{id}");
    let core = app.app.admission.core(user(TEACHER), SMALL).await;
    let asked = path.clone();
    let waiting = tokio::spawn(async move { teacher.patch(&asked, json!({"title": "Beans"})).await });
    is_waiting(&app.app.admission.cores).await;
    let changed = app.signed_in(COLLEAGUE).patch(&path, json!({"grade": 4})).await;
    assert_eq!(changed.status, StatusCode::OK, "{changed}");
    let lock = timeout(Duration::ZERO, app.app.edit_locks.lock(id.parse().expect("an id"))).await;
    let _lock = lock.expect("the lock is free");
    drop(core);
    let changed = waiting.await.expect("an answer").json()["updatedInvestigation"].clone();
    assert_eq!((&changed["title"], &changed["grade"]), (&json!("Beans"), &json!(4)));
}

#[tokio::test]
async fn answer_keeps_its_memory_reservation_until_the_client_has_read_it() {
    let (app, teacher, path) = TestApp::with(json!({"notes": "Sow. ".repeat(40_000)})).await;
    let is_free = || app.app.admission.answers.try_take(user(TEACHER), share_of(ANSWER_BYTES)).is_ok();
    let mut unread = Raw::connect(&app).await;
    // The kernel buffers the first answers, although the client does not read them.
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n{}\r\n", app.bearer());
    unread.send(request.repeat(200)).await;
    // Between two answers, memory may be free for a moment, so the test looks several times.
    let is_held = async {
        let mut others = 0;
        while others < 10 {
            teacher.get("/health/ready").await;
            others = if is_free() { 0 } else { others + 1 };
        }
    };
    timeout(PATIENCE, is_held).await.expect("the room is held");
    drop(unread);
    let is_given_back = async {
        while !is_free() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, is_given_back).await.expect("the room is given back");
}

#[tokio::test]
async fn connection_beyond_the_limit_of_an_address_is_closed() {
    let (app, _, _) = TestApp::start().await;
    let here = Actor::at([127, 0, 0, 1].into());
    let others = app.app.admission.connections.try_take(here, share_of(CONNECTIONS)).expect("places");
    let live = "GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n";
    assert_eq!(Raw::connect(&app).await.closed().await, "");
    drop(others);
    assert_eq!(Raw::connect(&app).await.ask(live).await.status, StatusCode::OK);
}

#[tokio::test]
async fn trusted_proxy_may_open_as_many_connections_as_the_service_allows() {
    let settings = HttpSettings { trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")], ..http_statuses() };
    let (app, _, _) = TestApp::start_with(settings).await;
    let here = Actor::at([127, 0, 0, 1].into());
    let others = app.app.admission.connections.try_take_for_many(here, CONNECTIONS - 1).expect("places");
    let live = "GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut last = Raw::connect(&app).await;
    assert_eq!(last.ask(live).await.status, StatusCode::OK);
    assert_eq!(Raw::connect(&app).await.closed().await, "");
    drop(others);
    assert_eq!(Raw::connect(&app).await.ask(live).await.status, StatusCode::OK);
}

#[tokio::test]
async fn unread_request_bodies_of_one_user_leave_memory_for_other_users() {
    let (app, _, teacher) = TestApp::start().await;
    let each = share_of(BODY_BYTES);
    let bodies = &app.app.admission.bodies;
    let room = bodies.try_take(user(TEACHER), each).expect("room");
    let refused = teacher.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.json()["code"], "busy", "{refused}");
    app.signed_in(COLLEAGUE).create(json!({"title": "Cress"})).await;
    drop(room);
    teacher.create(json!({"title": "Cress"})).await;
    let _all: Vec<_> = (0..4).map(|n| bodies.try_take(Actor::at([10, 0, 0, n].into()), each).expect("room")).collect();
    let refused = teacher.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!((refused.status, refused.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, Some("1")));
}

#[tokio::test]
async fn list_with_an_offset_above_10_000_needs_a_heavy_request_permit() {
    let (app, _, teacher) = TestApp::start().await;
    let _heavy = app.app.admission.heavy.try_take(user(TEACHER), share_of(HEAVY)).expect("a permit");
    let list = async |offset: u32| teacher.get(&format!("/api/investigation?offset={offset}")).await.status.as_u16();
    assert_eq!((list(10_000).await, list(10_001).await), (200, 503));
}

#[tokio::test]
async fn splitting_a_large_text_needs_a_heavy_request_permit_but_no_picture_permit() {
    let (app, _, teacher) = TestApp::start().await;
    let admission = &app.app.admission;
    let split = async |text: String| {
        let answer = teacher.post("/api/investigation/split", json!({ "text": text })).await;
        answer.status.as_u16()
    };
    let large = || "Salt ".repeat(SMALL);
    let heavy = admission.heavy.try_take(user(TEACHER), share_of(HEAVY)).expect("a permit");
    assert_eq!((split("Salt".to_owned()).await, split(large()).await), (200, 503), "a large one needs a heavy permit");
    drop(heavy);
    let _turn = admission.pictures.try_take(user(COLLEAGUE), 1).expect("a turn");
    assert_eq!(split(large()).await, 200);
    assert_eq!(split("x".repeat(1024 * 1024)).await, 200);
}

#[tokio::test]
async fn visits_from_one_address_leave_permits_for_other_addresses() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let link = teacher.create_link(&id, "class", "a").await;
    let here = Actor::at([127, 0, 0, 1].into());
    let visits = &app.app.admission.visits;
    let permits = visits.try_take(here, share_of(VISITS)).expect("permits");
    assert_eq!(anon.get(&link).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(visits.try_take(Actor::at([10, 0, 0, 1].into()), share_of(VISITS)).is_ok());
    drop(permits);
    assert_eq!(anon.get(&link).await.data()["visitCount"], 1);
}
