//! Callers with and without a valid token.

use insta::assert_snapshot;
use jsonwebtoken::Algorithm;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::token::{IN_AN_HOUR, signed, signed_with};
use crate::support::{COLLEAGUE, Exchange, SECRET, TEACHER, TestApp, raw::Raw};

pub const MALFORMED: &str = "the token is malformed or was not signed by a key that this service knows";

/// Returns every operation of the OpenAPI document: its method, its path with parameter values, and its description.
pub async fn operations(app: &TestApp) -> Vec<(Method, String, Value)> {
    let document = app.anon().get("/api/openapi.json").await.json();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let path = path.replace("{id}", TEACHER).replace("{version}", "1").replace(['{', '}'], "");
        for method in ["get", "head", "post", "put", "patch", "delete"] {
            if let Some(operation) = item.get(method) {
                let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
                operations.push((method, path.clone(), operation.clone()));
            }
        }
    }
    assert!(operations.len() > 20);
    operations
}

fn check_refused(refused: &Exchange) {
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{refused}");
    assert_eq!(refused.header("www-authenticate"), Some("Bearer"), "{refused}");
    let body = refused.json();
    assert_eq!(body["success"], json!(false), "{refused}");
    assert!(body["message"].is_string() && body["error"].is_string() && body["code"].is_string(), "{refused}");
}

#[tokio::test]
async fn every_operation_that_needs_a_token_refuses_a_caller_without_one() {
    let (app, anon, _) = TestApp::start().await;
    let mut open = Vec::new();
    for (method, path, operation) in operations(&app).await {
        if operation["security"] == json!([]) {
            open.push(operation["operationId"].as_str().expect("an id").to_owned());
            continue;
        }
        // The service checks the token before the id and the body.
        check_refused(&anon.send(method.clone(), &path, None).await);
        check_refused(&anon.send(method.clone(), &path.replace(TEACHER, "42"), Some(("text/plain", "?"))).await);
        check_refused(&anon.clone().bearing("x").send(method, &path, None).await);
    }
    open.sort();
    assert_eq!(open, ["createSession", "getLinkQrCode", "headLink", "live", "metrics", "ready", "resolveLink"]);
}

#[tokio::test]
async fn request_without_a_token_changes_nothing() {
    let (_app, anon, teacher) = TestApp::start().await;
    let refused = anon.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_snapshot!(refused, @r#"
    POST /api/investigation
    {"title":"Cress"}
    401 Unauthorized
    www-authenticate: Bearer
    {
      "success": false, "message": "Authentication required",
      "error": "send a token in the header \"Authorization: Bearer …\"", "code": "unauthenticated"
    }
    "#);
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], json!(0));
}

#[tokio::test]
async fn invalid_token_is_refused_with_the_reason() {
    let (app, _, teacher) = TestApp::start().await;
    let now = IN_AN_HOUR - 3600;
    let claims = json!({"userId": TEACHER, "exp": IN_AN_HOUR});
    let good = signed(&claims);
    let unsigned = format!("eyJhbGciOiJub25lIn0.{}.", good.split('.').nth(1).expect("claims"));
    let expired = "the token has expired; get a new one";
    let too_early = "the token is not valid yet (nbf)";
    let no_expiry = "the token does not say when it expires (exp, in seconds since 1970)";
    for (what, token, reason) in [
        ("another key", signed_with(Algorithm::HS256, &[b'x'; 32], &claims), MALFORMED),
        ("another algorithm", signed_with(Algorithm::HS512, SECRET, &claims), MALFORMED),
        ("no algorithm", unsigned, MALFORMED),
        ("no signature", good[..good.rfind('.').expect("a dot") + 1].to_owned(), MALFORMED),
        ("expired", signed(&json!({"userId": TEACHER, "exp": now - 1})), expired),
        ("expiring this second", signed(&json!({"userId": TEACHER, "exp": now})), expired),
        ("not valid yet", signed(&json!({"userId": TEACHER, "exp": IN_AN_HOUR, "nbf": now + 60})), too_early),
        (
            "a start that is not a number",
            signed(&json!({"userId": TEACHER, "exp": IN_AN_HOUR, "nbf": "now"})),
            too_early,
        ),
        ("no expiry", signed(&json!({"userId": TEACHER})), no_expiry),
        ("an expiry that is not a number", signed(&json!({"userId": TEACHER, "exp": "never"})), no_expiry),
        ("claims that are not an object", signed(&json!([1])), MALFORMED),
        ("no token at all", "x".to_owned(), MALFORMED),
        ("a long one", "x".repeat(20_000), "the token has more than 16384 bytes"),
    ] {
        let refused = app.anon().bearing(&token).get("/api/investigation").await;
        check_refused(&refused);
        assert_eq!(refused.refusal(), r#"401 "invalid_token" "Invalid token""#, "{what}");
        assert_eq!(refused.json()["error"], reason, "{what}");
    }
    assert_eq!(teacher.get("/api/investigation").await.status, StatusCode::OK);
}

#[tokio::test]
async fn token_is_refused_from_its_expiry_time_on() {
    let (app, _, teacher) = TestApp::start().await;
    app.clock.advance(std::time::Duration::from_millis(3_599_999));
    assert_eq!(teacher.get("/api/investigation").await.status, StatusCode::OK);
    app.clock.advance(std::time::Duration::from_millis(1));
    check_refused(&teacher.get("/api/investigation").await);
}

#[tokio::test]
async fn malformed_authorization_header_is_refused() {
    let (app, _, _) = TestApp::start().await;
    let token = signed(&json!({"userId": TEACHER, "exp": IN_AN_HOUR}));
    let mut raw = Raw::connect(&app).await;
    let sound = format!("authorization: Bearer {token}\r\n");
    for accepted in [
        sound.clone(),
        format!("authorization:   Bearer   {token}  \r\n"),
        format!("authorization: bearer {token}\r\n"),
        format!("authorization: BEARER {token}\r\n"),
    ] {
        let answer = raw.ask(format!("GET /api/investigation HTTP/1.1\r\nhost: x\r\n{accepted}\r\n")).await;
        assert_eq!(answer.status, StatusCode::OK, "{accepted}: {answer}");
    }
    let other_form = "the Authorization header must be \"Bearer \" and a token";
    let no_header = "send a token in the header \"Authorization: Bearer …\"";
    for (headers, reason) in [
        (format!("authorization: Basic {token}\r\n").into_bytes(), other_form),
        (b"authorization: Bearer\r\n".to_vec(), other_form),
        (b"authorization:\r\n".to_vec(), other_form),
        (format!("authorization: {token}\r\n").into_bytes(), other_form),
        (format!("authorization: Bearer{token}\r\n").into_bytes(), other_form),
        ([format!("authorization: Bearer {token}").as_bytes(), b"\xff\r\n"].concat(), other_form),
        (format!("authorization: Bearer {token} {token}\r\n").into_bytes(), MALFORMED),
        (format!("authorization: Bearer {token}, Bearer {token}\r\n").into_bytes(), MALFORMED),
        (sound.repeat(2).into_bytes(), "the request has more than one Authorization header"),
        (format!("cookie: authorization=Bearer {token}\r\n").into_bytes(), no_header),
    ] {
        let head = [b"GET /api/investigation HTTP/1.1\r\nhost: x\r\n", &headers[..], b"\r\n"].concat();
        let refused = raw.ask(head).await;
        check_refused(&refused);
        assert_eq!(refused.json()["error"], reason, "{}", headers.escape_ascii());
    }
}

#[tokio::test]
async fn user_is_read_from_the_user_id_claim_or_the_subject_of_a_token() {
    let (app, _, _) = TestApp::start().await;
    for (claims, author) in [
        (json!({"userId": TEACHER, "sub": COLLEAGUE}), json!(TEACHER)),
        (json!({"sub": COLLEAGUE}), json!(COLLEAGUE)),
        (json!({"userId": null, "sub": COLLEAGUE}), json!(COLLEAGUE)),
        (json!({"userId": TEACHER.to_uppercase()}), json!(TEACHER)),
        (json!({"userId": "teacher-7"}), Value::Null),
        (json!({"userId": "teacher-7", "sub": COLLEAGUE}), Value::Null),
        (json!({"userId": 7}), Value::Null),
        (json!({}), Value::Null),
    ] {
        let mut whole = claims.clone();
        whole["exp"] = json!(IN_AN_HOUR);
        let created = app.anon().bearing(&signed(&whole)).post("/api/investigation", json!({})).await;
        assert_eq!(created.status, StatusCode::CREATED, "{claims}: {created}");
        assert_eq!(created.data()["author"]["id"], author, "{claims}");
    }
}

#[tokio::test]
async fn invalid_token_is_refused_even_where_tokens_are_optional() {
    let (app, anon, _) = TestApp::start_with_optional_tokens().await;
    let created = anon.post("/api/investigation", json!({})).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created}");
    assert_eq!(created.data()["author"], json!({"id": null, "name": null, "email": null, "avatar": null}));
    for (method, path, operation) in operations(&app).await {
        if operation["security"] == json!([]) {
            continue;
        }
        check_refused(&anon.clone().bearing("x").send(method.clone(), &path, None).await);
        let answer = anon.send(method, &path, None).await;
        let is_investigation = operation["tags"] == json!(["investigation"]);
        assert_eq!(answer.status != StatusCode::UNAUTHORIZED, is_investigation, "{answer}");
    }
}
