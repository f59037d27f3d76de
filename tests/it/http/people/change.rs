//! `PATCH /api/people/{id}`: names, e-mail addresses, roles, and who is disabled.

use std::time::Duration;

use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{Person, PersonStatus};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{add, person};
use crate::http::permissions::{ADMIN, EDITOR, STRANGER, add_key, with_role};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

fn path(id: &str) -> String {
    format!("/api/people/{id}")
}

#[tokio::test]
async fn change_of_a_person_by_an_admin_is_in_the_audit_log() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada Byron", None)).await;
    let admin = with_role(&app, ADMIN, "admin");
    let changed = admin.patch(&path(TEACHER), json!({"name": "Ada Lovelace", "email": null, "role": "reader"})).await;
    assert_snapshot!(changed, @r#"
    PATCH /api/people/aaaaaaaaaaaaaaaaaaaaaaaa
    {"name":"Ada Lovelace","email":null,"role":"reader"}
    200 OK
    {
      "success": true, "message": "Person updated successfully",
      "data": {
        "id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": "Ada Lovelace", "email": null, "role": "reader",
        "status": "active", "createdAt": "2026-11-21T08:00:00.000Z", "lastSignInAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
    let same = admin.patch(&path(TEACHER), json!({"name": "Ada Lovelace"})).await;
    assert_eq!(same.data(), changed.data());
    let log = admin.get("/api/audit").await.json()["data"].to_string();
    assert_snapshot!(log, @r#"[{"at":"2026-11-21T08:00:00.000Z","actor":{"user":"adadadadadadadadadadadad"},"action":"person.changed","personId":"aaaaaaaaaaaaaaaaaaaaaaaa","fields":["name","email","role"],"from":{},"to":{"role":"reader"}}]"#);
    for (body, at) in [
        (json!({"name": ""}), "name"),
        (json!({"name": null}), "name"),
        (json!({"email": "ada"}), "email"),
        (json!({"email": "a da@school.example"}), "email"),
        (json!({"role": "king"}), "role"),
        (json!({"status": "erased"}), "status"),
        (json!({"id": STRANGER}), "id"),
    ] {
        let refused = admin.patch(&path(TEACHER), body).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!(at)), "{refused}");
    }
}

#[tokio::test]
async fn person_of_any_role_may_change_their_own_name_and_nothing_else() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada Byron", Some(Role::None))).await;
    let changed = teacher.patch(&path(TEACHER), json!({"name": "Ada Lovelace"})).await;
    assert_eq!(changed.data()["name"], "Ada Lovelace", "{changed}");
    assert_eq!(teacher.get("/api/me").await.data()["name"], "Ada Lovelace");
    let refused = teacher.patch(&path(TEACHER), json!({"role": "admin"})).await;
    assert_eq!(refused.json()["errors"][0]["path"], "role", "{refused}");
    let refused = teacher.patch(&path(COLLEAGUE), json!({"name": "Bob"})).await;
    assert_eq!(refused.refusal(), r#"403 "admins_only" "Not allowed""#);
    let unknown = app.signed_in(COLLEAGUE).patch(&path(COLLEAGUE), json!({"name": "Bob"})).await;
    assert_eq!(unknown.refusal(), r#"404 "person_not_found" "Person not found""#);
}

#[tokio::test]
async fn changed_name_is_shown_at_once_and_other_people_stay_cached() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada Byron", None)).await;
    add(&app, person(COLLEAGUE, "Grace", None)).await;
    let colleague = app.signed_in(COLLEAGUE);
    for caller in [&teacher, &colleague] {
        assert_eq!(caller.get("/api/me").await.status, 200);
    }
    assert_eq!(teacher.patch(&path(TEACHER), json!({"name": "Ada Lovelace"})).await.status, 200);
    // After the store is closed, the service can answer only requests of people who are in its cache.
    app.app.store.close().await;
    assert_eq!(teacher.get("/api/me").await.data()["name"], "Ada Lovelace");
    assert_eq!(colleague.get("/api/me").await.data()["name"], "Grace");
}

#[tokio::test]
async fn update_that_changes_nothing_about_a_person_keeps_other_people_cached() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    add(&app, person(COLLEAGUE, "Grace", None)).await;
    let colleague = app.signed_in(COLLEAGUE);
    assert_eq!(colleague.get("/api/me").await.status, 200);
    assert_eq!(teacher.patch(&path(TEACHER), json!({"name": "Ada"})).await.status, 200);
    // After the store is closed, the service can answer only requests of people who are in its cache.
    app.app.store.close().await;
    assert_eq!(colleague.get("/api/me").await.status, 200);
}

#[tokio::test]
async fn email_addresses_are_unique_without_regard_to_case() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    add(&app, person(COLLEAGUE, "Bob", None)).await;
    let admin = with_role(&app, ADMIN, "admin");
    let refused = admin.patch(&path(COLLEAGUE), json!({"email": "ADA@school.example"})).await;
    assert_snapshot!(refused, @r#"
    PATCH /api/people/bbbbbbbbbbbbbbbbbbbbbbbb
    {"email":"ADA@school.example"}
    409 Conflict
    {
      "success": false, "message": "Not possible", "error": "another person has this e-mail address",
      "code": "email_taken"
    }
    "#);
    let own = admin.patch(&path(TEACHER), json!({"email": "ADA@school.example"})).await;
    assert_eq!(own.data()["email"], "ADA@school.example", "{own}");
}

#[tokio::test]
async fn last_active_admin_cannot_be_demoted_or_disabled() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", Some(Role::Admin))).await;
    add(&app, Person { status: PersonStatus::Invited, ..person(STRANGER, "Carol", Some(Role::Admin)) }).await;
    let admin = with_role(&app, ADMIN, "admin");
    for body in [json!({"role": "author"}), json!({"role": null}), json!({"status": "disabled"})] {
        let refused = admin.patch(&path(TEACHER), body).await;
        assert_eq!(refused.refusal(), r#"409 "last_admin" "Not possible""#, "{refused}");
    }
    // A person who has never signed in does not count as an active admin.
    add(&app, Person { last_sign_in_at: None, ..person(EDITOR, "Dan", Some(Role::Admin)) }).await;
    admin.patch(&path(EDITOR), json!({"status": "disabled"})).await;
    assert_eq!(admin.patch(&path(EDITOR), json!({"status": "active"})).await.data()["status"], "invited");
    assert_eq!(admin.patch(&path(TEACHER), json!({"role": "author"})).await.json()["code"], "last_admin");
    add(&app, person(COLLEAGUE, "Bob", Some(Role::Admin))).await;
    // Each of the two admins demotes the other. Only the first change succeeds.
    let (ada, bob) = (app.signed_in(TEACHER), app.signed_in(COLLEAGUE));
    let (teacher, colleague) = (path(TEACHER), path(COLLEAGUE));
    let demote = json!({"role": "author"});
    let (one, other) = tokio::join!(ada.patch(&colleague, demote.clone()), bob.patch(&teacher, demote));
    let mut outcomes = [one, other].map(|answer| answer.json()["code"].as_str().unwrap_or("done").to_owned());
    // The second change fails: its caller is no longer an admin, or would demote the last one.
    outcomes.sort_by_key(|outcome| outcome != "done");
    assert_eq!(outcomes[0], "done");
    assert!(["admins_only", "last_admin"].contains(&outcomes[1].as_str()), "{outcomes:?}");
}

#[tokio::test]
async fn role_in_the_directory_overrides_the_token_and_limits_an_api_key() {
    let (app, _, teacher) = TestApp::start().await;
    let stranger = app.anon().bearing(add_key(&app, 1, "admin").await.expose());
    let admin = with_role(&app, ADMIN, "admin");
    add(&app, person(TEACHER, "Ada", Some(Role::Reader))).await;
    add(&app, person(STRANGER, "Carol", Some(Role::Author))).await;
    let role = async |caller: &crate::support::Caller| caller.get("/api/me").await.data()["role"].clone();
    assert_eq!(role(&teacher).await, "reader");
    // A token that this service signed has at most the role that it names.
    assert_eq!(role(&with_role(&app, TEACHER, "admin")).await, "reader");
    assert_eq!(role(&stranger).await, "author");
    for (id, body) in [(TEACHER, json!({"role": "admin"})), (STRANGER, json!({"role": null}))] {
        assert_eq!(admin.patch(&path(id), body).await.status, 200);
    }
    assert_eq!(role(&teacher).await, "admin");
    assert_eq!(role(&with_role(&app, TEACHER, "reader")).await, "reader");
    // A person without a role of their own has the default role, which also limits their key.
    assert_eq!(role(&stranger).await, "author");
}

#[tokio::test]
async fn disabled_person_is_refused_on_every_copy_after_five_seconds() {
    let (app, _, teacher) = TestApp::start().await;
    let key = app.anon().bearing(add_key(&app, 1, "admin").await.expose());
    add(&app, person(TEACHER, "Ada", Some(Role::Admin))).await;
    add(&app, person(STRANGER, "Carol", Some(Role::Admin))).await;
    let admin = with_role(&app, ADMIN, "admin");
    // Another copy of the service changes the store, which this copy does not notice at once.
    let id = TEACHER.parse().expect("an id");
    assert_eq!(teacher.get("/api/me").await.status, 200);
    let change = fieldbook::domain::person::PersonChange { status: Some(PersonStatus::Disabled), ..Default::default() };
    let stamp = fieldbook::store::Stamp { actor: Default::default(), at: app.clock.now() };
    app.app.store.change_person(id, change, stamp).await.expect("stored");
    app.clock.advance(Duration::from_secs(5));
    for path in ["/api/me", "/api/investigation", "/api/events"] {
        assert_eq!(teacher.get(path).await.refusal(), r#"403 "disabled" "Not allowed""#, "{path}");
    }
    // A change made on this copy takes effect here at once.
    assert_eq!(key.get("/api/me").await.status, 200);
    assert_eq!(
        admin.patch(&path(STRANGER), json!({"role": "author", "status": "disabled"})).await.refusal(),
        r#"409 "last_admin" "Not possible""#
    );
    assert_eq!(admin.patch(&path(TEACHER), json!({"status": "active"})).await.status, 200);
    assert_eq!(admin.patch(&path(STRANGER), json!({"status": "disabled"})).await.status, 200);
    assert_eq!(key.get("/api/me").await.refusal(), r#"403 "disabled" "Not allowed""#);
    assert_eq!(teacher.get("/api/me").await.status, 200);
}

#[tokio::test]
async fn erased_person_cannot_be_changed_until_made_active_again() {
    let (app, ..) = TestApp::start().await;
    let erased = Person { status: PersonStatus::Erased, name: None, email: None, ..person(TEACHER, "Ada", None) };
    add(&app, erased).await;
    let admin = with_role(&app, ADMIN, "admin");
    assert_snapshot!(admin.patch(&path(TEACHER), json!({"name": "Ada"})).await, @r#"
    PATCH /api/people/aaaaaaaaaaaaaaaaaaaaaaaa
    {"name":"Ada"}
    409 Conflict
    {
      "success": false, "message": "Not possible",
      "error": "this person was disabled or erased; set the status to active first", "code": "person_disabled"
    }
    "#);
    let active = admin.patch(&path(TEACHER), json!({"name": "Ada", "status": "active"})).await;
    assert_eq!((&active.data()["name"], &active.data()["status"]), (&json!("Ada"), &json!("active")));
}

#[tokio::test]
async fn email_of_an_author_is_shown_only_to_the_author_and_to_admins() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let lesson = teacher.create_path(json!({"title": "Cress"})).await;
    let author = async |caller: &crate::support::Caller| caller.get(&lesson).await.data()["author"].clone();
    let shown = |email: Value| json!({"id": TEACHER, "name": "Ada", "email": email, "avatar": null});
    assert_eq!(author(&teacher).await, shown(json!("Ada@School.example")));
    assert_eq!(author(&with_role(&app, ADMIN, "admin")).await, shown(json!("Ada@School.example")));
    assert_eq!(author(&app.signed_in(COLLEAGUE)).await, shown(Value::Null));
    let list = app.signed_in(COLLEAGUE).get("/api/investigation").await.data();
    assert_eq!(list["items"][0]["author"], shown(Value::Null));
}
