//! Unit tests of `src/http/panic.rs`.

use axum::Router;
use axum::body::Body;
use axum::middleware::{Next, from_fn};
use axum::routing::any;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::*;

async fn caught_by_contract(request: Request, next: Next) -> Response {
    catch(Called::of(&request, ErrorStatuses::Contract), next.run(request)).await
}

async fn answer(method: &str, route: &str) -> Value {
    let operation = any(async || -> String {
        tokio::task::yield_now().await;
        panic!("a secret of the code")
    });
    let router = Router::new().route(route, operation).layer(from_fn(caught_by_contract));
    let request = Request::builder().method(method).uri(route.replace(['{', '}'], "")).body(Body::empty());
    let response = router.oneshot(request.expect("a request")).await.expect("an answer");
    assert_eq!(response.status(), 500);
    serde_json::from_slice(&response.into_body().collect().await.expect("a body").to_bytes()).expect("JSON")
}

#[tokio::test]
async fn response_to_a_panic_has_the_failure_message_of_the_operation_that_panicked() {
    let fixed = |message: &str| json!({"success": false, "message": message, "error": "Unknown error", "code": "internal_error"});
    for (method, below, message) in [
        ("POST", "", "Failed to create investigation"),
        ("GET", "/format", "Failed to fetch investigation schema format"),
        ("GET", "/{id}", "Failed to fetch investigation"),
        ("PATCH", "/{id}", "Failed to update investigation"),
        ("DELETE", "/{id}", "Failed to delete investigation"),
        ("POST", "/{id}/clone", "Failed to clone investigation"),
        ("GET", "/{id}/history/{fieldPath}", "Failed to fetch field history"),
        ("GET", "/{id}/versions", "Failed to fetch investigation versions"),
        ("GET", "", "Internal server error"),
    ] {
        assert_eq!(answer(method, &format!("/api/investigation{below}")).await, fixed(message), "{method} {below}");
    }
    for (below, message) in [
        ("undo", "Failed to undo investigation"),
        ("redo", "Failed to redo investigation"),
        ("resolve-contradiction", "Failed to resolve contradiction"),
        ("regenerate", "Failed to regenerate other fields"),
        ("chat", "Failed to converse"),
    ] {
        let told = json!({"success": false, "message": message, "code": "internal_error"});
        assert_eq!(answer("POST", &format!("/api/investigation/{{id}}/{below}")).await, told, "{below}");
    }
}
