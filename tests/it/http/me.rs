//! `GET /api/me`: the identity and the permissions of the caller.

use fieldbook::domain::permission::Role;
use insta::assert_snapshot;

use super::people::{add, person};
use super::permissions::{add_key, with_role};
use crate::support::{TEACHER, TestApp};

#[tokio::test]
async fn me_endpoint_returns_identity_and_permissions_of_the_caller() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", Some(Role::Reader))).await;
    assert_snapshot!(teacher.get("/api/me").await, @r#"
    GET /api/me
    200 OK
    {
      "success": true,
      "data": {
        "id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": "Ada", "email": "Ada@School.example", "role": "reader",
        "signedInBy": "token", "may": {"read": true, "create": false, "administer": false},
        "signIn": {"provider": null, "password": true}
      }
    }
    "#);
    let key = app.anon().bearing(add_key(&app, 1, "admin").await.expose());
    assert_snapshot!(key.get("/api/me").await, @r#"
    GET /api/me
    200 OK
    {
      "success": true,
      "data": {
        "id": "ffffffffffffffffffffffff", "name": null, "email": null, "role": "admin", "signedInBy": "key",
        "may": {"read": true, "create": true, "administer": true}, "signIn": {"provider": null, "password": true}
      }
    }
    "#);
}

#[tokio::test]
async fn me_endpoint_answers_a_caller_without_any_role() {
    let (app, ..) = TestApp::start().await;
    let me = with_role(&app, TEACHER, "none").get("/api/me").await;
    assert_eq!(me.data()["may"].to_string(), r#"{"read":false,"create":false,"administer":false}"#, "{me}");
}

#[tokio::test]
async fn me_endpoint_lists_the_ways_to_sign_in_for_a_caller_without_credentials() {
    let (_app, anon, _) = TestApp::start().await;
    assert_snapshot!(anon.get("/api/me").await, @r#"
    GET /api/me
    401 Unauthorized
    www-authenticate: Bearer
    {
      "success": false, "message": "Authentication required",
      "error": "send a token in the header \"Authorization: Bearer …\"", "code": "unauthenticated",
      "signIn": {"provider": null, "password": true}
    }
    "#);
    // Only this operation tells a caller without credentials how to sign in.
    assert_eq!(anon.get("/api/investigation").await.json().get("signIn"), None);
}
