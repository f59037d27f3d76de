//! `POST /api/people`: invitations.

use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{Person, PersonStatus};
use fieldbook::store::SignIn;
use insta::assert_snapshot;
use serde_json::json;

use super::{add, person};
use crate::http::permissions::{ADMIN, with_role};
use crate::support::{START, TEACHER, TestApp};

#[tokio::test]
async fn invited_person_signs_in_with_their_link() {
    let (app, ..) = TestApp::start().await;
    let admin = with_role(&app, ADMIN, "admin");
    let invited =
        admin.post("/api/people", json!({"name": "Ada", "email": "ada@school.example", "role": "author"})).await;
    let link = invited.data()["signInLink"].as_str().expect("a link").to_owned();
    let (base, code) = link.split_once("#code=").expect("a code");
    assert_eq!(base, format!("http://{}/sign-in", app.address));
    let id = invited.data()["id"].as_str().expect("an id").to_owned();
    assert_eq!(invited.status, 201, "{invited}");
    let mut data = invited.data();
    data["signInLink"] = json!("LINK");
    assert_snapshot!(data, @r#"{"id":"000000000000000000000002","name":"Ada","email":"ada@school.example","role":"author","status":"invited","createdAt":"2026-11-21T08:00:00.000Z","lastSignInAt":null,"signInLink":"LINK"}"#);
    let browser = app.anon().with_header("sec-fetch-site", "same-origin");
    let me = browser.post("/api/session", json!({ "code": code })).await.data();
    assert_eq!((&me["id"], &me["role"], &me["signedInBy"]), (&json!(id), &json!("author"), &json!("link")));
    let people = admin.get("/api/people").await.data();
    assert_eq!(people["items"][0]["status"], "active");
    assert_eq!(people["items"][0]["lastSignInAt"], people["items"][0]["createdAt"]);
    let log = admin.get("/api/audit").await.json()["data"].to_string();
    assert!(log.contains(&format!(r#""action":"person.invited","personId":"{id}","role":"author"}}"#)), "{log}");
}

#[tokio::test]
async fn invitation_needs_a_name_and_an_email_address_that_nobody_else_has() {
    let (app, ..) = TestApp::start().await;
    let admin = with_role(&app, ADMIN, "admin");
    admin.post("/api/people", json!({"name": "Ada", "email": "ada@school.example"})).await;
    for (body, path) in [
        (json!({}), "name"),
        (json!({"name": " "}), "name"),
        (json!({"name": "x", "email": "x"}), "email"),
        (json!({"name": "x", "role": "king"}), "role"),
        (json!({"name": "x", "status": "active"}), "status"),
    ] {
        let refused = admin.post("/api/people", body).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!(path)), "{refused}");
    }
    let taken = admin.post("/api/people", json!({"name": "x", "email": "ADA@school.example"})).await;
    assert_eq!(taken.refusal(), r#"409 "email_taken" "Not possible""#);
    assert_eq!(app.rows("person"), 1);
}

#[tokio::test]
async fn first_admin_is_invited_again_at_each_start_until_somebody_has_signed_in() {
    let (app, ..) = TestApp::start().await;
    let first = |digit: &str| {
        let status = PersonStatus::Invited;
        let admin = Person { status, last_sign_in_at: None, ..person(&digit.repeat(24), "Admin", Some(Role::Admin)) };
        app.app.store.invite_first_admin(admin, Some(digit.repeat(64)), START)
    };
    let id = "1".repeat(24).parse().expect("an id");
    assert_eq!(first("1").await.expect("stored"), Some(id));
    assert_eq!(first("2").await.expect("stored"), Some(id));
    // The second sign-in link is for the admin who was added first, and replaces the first link.
    assert_eq!((app.rows("person"), app.rows("sign_in_link")), (1, 1));
    let used = app.app.store.sign_in_by_link("2".repeat(64), "3".repeat(64), None, START).await.expect("stored");
    assert!(matches!(used, SignIn::Done(_)), "{used:?}");
    assert_eq!(first("4").await.expect("stored"), None);
    assert_eq!((app.rows("person"), app.rows("sign_in_link")), (1, 0));

    let (app, ..) = TestApp::start().await;
    let ada = Person { last_sign_in_at: None, status: PersonStatus::Invited, ..person(TEACHER, "Ada", None) };
    add(&app, ada).await;
    let admin = person(&"1".repeat(24), "Admin", Some(Role::Admin));
    let invited = app.app.store.invite_first_admin(admin, Some("1".repeat(64)), START).await;
    assert_eq!(invited.expect("stored"), None);
    assert_eq!(app.rows("person"), 1);
}
