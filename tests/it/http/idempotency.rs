//! `Idempotency-Key`: a repeated creation gets the first answer, and creates nothing.

use std::time::Duration;

use fieldbook::admission::{LIGHT, share_of};
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::authoring::{finds_birds, start};
use crate::support::{COLLEAGUE, Caller, Exchange, TestApp, token};

const DAY: Duration = Duration::from_secs(24 * 3600);

fn with_key(caller: &Caller, key: &str) -> Caller {
    caller.clone().with_header("idempotency-key", key)
}

fn is_a_repeat(answer: &Exchange) -> bool {
    match answer.header("idempotent-replayed") {
        Some("true") => true,
        None => false,
        other => panic!("{other:?}"),
    }
}

async fn total(caller: &Caller) -> u64 {
    caller.get("/api/investigation").await.json()["data"]["pagination"]["total"].as_u64().expect("a total")
}

#[tokio::test]
async fn repeated_creation_gets_the_first_answer_and_creates_nothing() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let other = teacher.create(json!({"title": "Radish"})).await;
    let link = json!({"key": "class", "description": ""});
    for (n, (path, body)) in [
        ("/api/investigation".to_owned(), Some(json!({"title": "Bean", "own": [1.0, null, {"b": 1, "a": 1e300}]}))),
        (format!("/api/investigation/{id}/clone"), None),
        (format!("/api/link/investigation/{id}"), Some(link.clone())),
        (format!("/api/investigation/{other}/links"), Some(link)),
    ]
    .into_iter()
    .enumerate()
    {
        let keyed = with_key(&teacher, &format!("key-{n}"));
        let send = async || match &body {
            Some(body) => keyed.post(&path, body.clone()).await,
            None => keyed.post_empty(&path).await,
        };
        let first = send().await;
        assert_eq!((first.status, is_a_repeat(&first)), (StatusCode::CREATED, false), "{first}");
        // The repeat gets the first answer even if the created resource was changed or deleted meanwhile.
        app.clock.advance(Duration::from_secs(60));
        let made = first.data();
        match made["subLink"].as_str() {
            None => {
                let made = format!("/api/investigation/{}", made["_id"].as_str().expect("an id"));
                teacher.patch(&made, json!({"title": "Changed"})).await;
                teacher.delete(&made).await;
            }
            Some(sub_link) => {
                teacher.get(&format!("/api/link/class/{sub_link}")).await;
                teacher.delete(&format!("/api/link/class/{sub_link}")).await;
            }
        }
        let again = send().await;
        assert!(is_a_repeat(&again), "{again}");
        assert_eq!((again.status, &again.text), (first.status, &first.text));
        assert_eq!(again.header("etag"), first.header("etag"));
    }
    assert_eq!(total(&teacher).await, 2);
    for id in [id, other] {
        assert_eq!(teacher.get(&format!("/api/investigation/{id}/links")).await.data(), json!([]));
    }
}

#[tokio::test]
async fn idempotency_key_used_for_another_request_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let (id, other) = (teacher.create(json!({})).await, teacher.create(json!({})).await);
    let keyed = with_key(&teacher, "mine");
    let body = json!({"key": "class", "subLink": "a", "description": ""});
    let first = keyed.post(&format!("/api/link/investigation/{id}"), body.clone()).await;
    assert_snapshot!(keyed.post("/api/investigation", json!({"title": "Cress"})).await, @r#"
    POST /api/investigation
    {"title":"Cress"}
    409 Conflict
    {
      "success": false, "message": "The Idempotency-Key was already used for another request",
      "error": "For a day, a key can only be reused to repeat the same operation with the same body; nothing was changed. Send this request with a new key",
      "code": "idempotency_key_reused"
    }
    "#);
    for (path, body) in [
        (format!("/api/link/investigation/{id}"), json!({"key": "class", "subLink": "a", "description": "b"})),
        (format!("/api/link/investigation/{other}"), body.clone()),
        (format!("/api/investigation/{id}/clone"), json!({})),
    ] {
        let refused = keyed.post(&path, body).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{refused}");
        assert_eq!(refused.json()["code"], "idempotency_key_reused", "{refused}");
    }
    // A repeat may differ in its white space, the order of its members, and its route, because two routes create links.
    let spaced = r#"{ "description":"",  "subLink":"a","key":"class" }"#;
    let again = keyed.post_text(&format!("/api/investigation/{id}/links"), "application/json", spaced).await;
    assert_eq!((is_a_repeat(&again), &again.text), (true, &first.text), "{again}");
    assert_eq!(total(&teacher).await, 2);
}

#[tokio::test]
async fn two_callers_can_use_the_same_idempotency_key() {
    let (app, anon, teacher) = TestApp::start_with_optional_tokens().await;
    let named = |name: &str| app.anon().bearing(&token::signed(&json!({"userId": name, "exp": token::IN_AN_HOUR})));
    let nameless = |n: u32| app.anon().bearing(&token::signed(&json!({"jti": n, "exp": token::IN_AN_HOUR})));
    let callers = [
        anon.clone(),
        teacher,
        app.signed_in(COLLEAGUE),
        named("teacher-7"),
        named("teacher-8"),
        nameless(1),
        nameless(2),
    ];
    for caller in &callers {
        let caller = with_key(caller, "1");
        let first = caller.post("/api/investigation", json!({"title": "Cress"})).await;
        assert!(!is_a_repeat(&first), "{first}");
        let again = caller.post("/api/investigation", json!({"title": "Cress"})).await;
        assert_eq!((is_a_repeat(&again), again.text), (true, first.text));
    }
    assert_eq!(total(&callers[1]).await, callers.len() as u64);
    // All callers without a token share their keys, as if they were one caller.
    let other = with_key(&app.anon(), "1").post("/api/investigation", json!({"title": "Radish"})).await;
    assert_eq!(other.json()["code"], "idempotency_key_reused", "{other}");
}

#[tokio::test]
async fn failed_request_may_be_repeated_with_its_idempotency_key() {
    let (app, teacher, id) = TestApp::with_id(json!({})).await;
    teacher.create_link(&id, "class", "a").await;
    let keyed = with_key(&teacher, "mine");
    let taken = json!({"key": "class", "subLink": "a", "description": ""});
    let links = format!("/api/link/investigation/{id}");
    let unknown = "cccccccccccccccccccccccc";
    for (path, body, status) in [
        ("/api/investigation".to_owned(), json!({"title": 7}), StatusCode::BAD_REQUEST),
        ("/api/investigation".to_owned(), json!({"status": "none"}), StatusCode::BAD_REQUEST),
        (format!("/api/investigation/{unknown}/clone"), json!({}), StatusCode::INTERNAL_SERVER_ERROR),
        (format!("/api/link/investigation/{unknown}"), taken.clone(), StatusCode::NOT_FOUND),
        (links.clone(), json!({"key": "a b", "description": ""}), StatusCode::BAD_REQUEST),
        (links.clone(), taken.clone(), StatusCode::CONFLICT),
    ] {
        let refused = keyed.post(&path, body).await;
        assert_eq!(refused.status, status, "{refused}");
        assert_ne!(refused.json()["code"], "idempotency_key_reused", "{refused}");
    }
    // A creation that fails in the store does not use up its key either.
    app.behind("ALTER TABLE chat RENAME TO away");
    let failed = keyed.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!(failed.status, StatusCode::INTERNAL_SERVER_ERROR, "{failed}");
    app.behind("ALTER TABLE away RENAME TO chat");
    teacher.delete("/api/link/class/a").await;
    let created = keyed.post(&links, taken).await;
    assert_eq!((created.status, is_a_repeat(&created)), (StatusCode::CREATED, false), "{created}");
    assert_eq!(total(&teacher).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_with_one_idempotency_key_create_once() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    for (n, path) in
        ["/api/investigation", &format!("/api/investigation/{id}/clone"), &format!("/api/link/investigation/{id}")]
            .into_iter()
            .enumerate()
    {
        let mut asking = tokio::task::JoinSet::new();
        for _ in 0..share_of(LIGHT) {
            let (keyed, path) = (with_key(&app.signed_in(COLLEAGUE), &n.to_string()), path.to_owned());
            let body = if n == 2 { json!({"key": "class", "description": ""}) } else { json!({"title": "Bean"}) };
            asking.spawn(async move { keyed.post(&path, body).await });
        }
        let answers = asking.join_all().await;
        assert!(answers.iter().all(|answer| answer.text == answers[0].text), "{}", answers[0]);
        assert_eq!(answers[0].status, StatusCode::CREATED, "{}", answers[0]);
        assert_eq!(answers.iter().filter(|answer| !is_a_repeat(answer)).count(), 1);
    }
    assert_eq!(total(&teacher).await, 3);
    let links = teacher.get(&format!("/api/investigation/{id}/links")).await.data();
    assert_eq!(links.as_array().map(Vec::len), Some(1), "{links}");
}

#[tokio::test]
async fn idempotency_key_can_be_reused_after_a_day_and_expired_answers_are_deleted() {
    let (app, _, mut teacher) = TestApp::start().await;
    for n in 0..150 {
        with_key(&teacher, &n.to_string()).post("/api/investigation", json!({"title": "Cress"})).await;
    }
    app.clock.advance(DAY - Duration::from_millis(1));
    teacher = app.signed_in(crate::support::TEACHER);
    let again = with_key(&teacher, "7").post("/api/investigation", json!({"title": "Cress"})).await;
    assert!(is_a_repeat(&again), "{again}");
    app.clock.advance(Duration::from_millis(1));
    let new = with_key(&teacher, "7").post("/api/investigation", json!({"title": "Radish"})).await;
    assert_eq!((new.status, is_a_repeat(&new)), (StatusCode::CREATED, false), "{new}");
    let again = with_key(&teacher, "7").post("/api/investigation", json!({"title": "Radish"})).await;
    assert!(is_a_repeat(&again), "{again}");
    // Each creation deletes up to a hundred expired answers. The `CHECK` constraint fails unless exactly two answers
    // are left: those for the keys `7` and `new`.
    with_key(&teacher, "new").post("/api/investigation", json!({"title": "Bean"})).await;
    app.behind(
        "CREATE TABLE left_over (n INTEGER CHECK (n = 2)); INSERT INTO left_over SELECT count(*) FROM first_answer",
    );
}

#[tokio::test]
async fn malformed_idempotency_key_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(with_key(&teacher, "").post("/api/investigation", json!({})).await.refusal(), @r#"400 "validation_failed" "Validation failed" "Idempotency-Key" "must be 1 to 255 visible ASCII characters""#);
    for key in ["a b", " ", "a\tb", &"k".repeat(256)] {
        let refused = with_key(&teacher, key).post("/api/investigation", json!({})).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{key}: {refused}");
    }
    for key in ["!", "~", "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"", &"k".repeat(255)] {
        let created = with_key(&teacher, key).post("/api/investigation", json!({})).await;
        assert_eq!(created.status, StatusCode::CREATED, "{key}: {created}");
    }
    assert_eq!(total(&teacher).await, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_creation_answers_with_the_model_findings_of_the_first() {
    let (endpoint, app, teacher) = start(finds_birds).await;
    let keyed = with_key(&teacher, "mine");
    let body = crate::authoring::at_odds();
    let first = keyed.post("/api/investigation", body.clone()).await;
    assert_eq!(first.data()["contradictions"].as_array().map(Vec::len), Some(1), "{first}");
    let asked = endpoint.count("findings");
    let app = app.restart().await;
    let keyed = with_key(&app.signed_in(crate::support::TEACHER), "mine");
    let again = keyed.post("/api/investigation", body).await;
    assert_eq!((is_a_repeat(&again), &again.text), (true, &first.text), "{again}");
    assert_eq!(endpoint.count("findings"), asked, "the model was not asked again");
    let stored: Value = keyed.get("/api/investigation").await.data()["pagination"]["total"].clone();
    assert_eq!(stored, 1);
}
