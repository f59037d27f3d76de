//! `DELETE /api/people/{id}`: the data of a person is erased, and their lessons get another author.

use fieldbook::domain::permission::Role;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{add, person};
use crate::http::permissions::{ADMIN, add_key, with_role};
use crate::support::{COLLEAGUE, TEACHER, TestApp, http_statuses};

fn path(id: &str) -> String {
    format!("/api/people/{id}")
}

#[tokio::test]
async fn erased_person_keeps_only_their_id_and_all_their_credentials_are_refused() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let key = app.anon().bearing(add_key(&app, 1, "author").await.expose());
    let key_of = key.get("/api/me").await.data()["id"].as_str().expect("an id").to_owned();
    add(&app, person(&key_of, "Grace", None)).await;
    let admin = with_role(&app, ADMIN, "admin");
    app.session(TEACHER).await;
    app.code(TEACHER).await;
    let erased = admin.delete(&path(TEACHER)).await;
    assert_snapshot!(erased, @r#"
    DELETE /api/people/aaaaaaaaaaaaaaaaaaaaaaaa
    200 OK
    {
      "success": true, "message": "Person erased successfully",
      "data": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "reassigned": 0}
    }
    "#);
    let items = admin.get("/api/people").await.data()["items"].clone();
    let left = items.as_array().expect("people").iter().find(|person| person["id"] == TEACHER).expect("the person");
    assert_eq!(
        (&left["name"], &left["email"], &left["status"], &left["lastSignInAt"]),
        (&Value::Null, &Value::Null, &json!("erased"), &Value::Null)
    );
    assert_eq!((app.rows("session"), app.rows("sign_in_link")), (0, 0));
    assert_eq!(teacher.get("/api/investigation").await.json()["code"], "disabled");
    assert_eq!(admin.get(&format!("/api/investigation/{id}")).await.data()["author"]["id"], TEACHER);
    admin.delete(&path(&key_of)).await;
    assert_eq!(key.get("/api/investigation").await.status, 403);
    assert_eq!(app.rows("api_key"), 0);
    let log = admin.get("/api/audit").await.json()["data"].to_string();
    assert!(log.contains(&format!(r#""action":"person.erased","personId":"{TEACHER}"}}"#)), "{log}");
    // Erasing again changes nothing.
    assert_eq!(admin.delete(&path(TEACHER)).await.status, 200);
    assert_eq!(admin.get("/api/audit").await.json()["data"].to_string().matches("person.erased").count(), 2);
}

#[tokio::test]
async fn erasing_a_person_replaces_them_as_author_and_editor_of_lessons() {
    let (app, _, teacher) = TestApp::start_with(http_statuses()).await;
    add(&app, person(TEACHER, "Ada", None)).await;
    add(&app, person(COLLEAGUE, "Grace", None)).await;
    let colleague = app.signed_in(COLLEAGUE);
    let own = teacher.create(json!({"title": "Cress"})).await;
    let edited = colleague.create(json!({"title": "Peas", "editors": [TEACHER, ADMIN]})).await;
    let foreign = colleague.create(json!({"title": "Beans"})).await;
    let admin = with_role(&app, ADMIN, "admin");
    let revision = admin.get(&format!("/api/investigation/{foreign}")).await.data()["revision"].clone();
    let erased = admin.delete(&format!("{}?reassign={COLLEAGUE}", path(TEACHER))).await;
    assert_eq!(erased.data(), json!({"id": TEACHER, "reassigned": 2}), "{erased}");
    let stored = async |id: &str| admin.get(&format!("/api/investigation/{id}")).await.data();
    let now = stored(&own).await;
    assert_eq!((&now["author"]["id"], &now["version"]), (&json!(COLLEAGUE), &json!(0)), "{now}");
    assert_eq!(stored(&edited).await["editors"], json!([COLLEAGUE, ADMIN]));
    assert_eq!(stored(&foreign).await["revision"], revision);
    let again = admin.delete(&format!("{}?reassign={COLLEAGUE}", path(TEACHER))).await;
    assert_eq!(again.data()["reassigned"], 0, "{again}");
    let log = admin.get("/api/audit").await.json()["data"].to_string();
    let entry =
        |action: &str| format!(r#""action":"person.{action}","personId":"{TEACHER}","reassignedTo":"{COLLEAGUE}"}}"#);
    assert!(log.contains(&entry("erased")) && log.contains(&entry("reassigned")), "{log}");
}

#[tokio::test]
async fn erasing_a_person_replaces_them_as_author_of_lessons_in_the_trash() {
    let (app, teacher) = TestApp::start_with_trash().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    add(&app, person(COLLEAGUE, "Grace", None)).await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    teacher.delete(&format!("/api/investigation/{id}")).await;
    let admin = with_role(&app, ADMIN, "admin");
    assert_eq!(admin.delete(&format!("{}?reassign={COLLEAGUE}", path(TEACHER))).await.status, 200);
    let restored = admin.post_empty(&format!("/api/investigation/{id}/undelete")).await;
    assert_eq!(restored.status, 200, "{restored}");
    assert_eq!(admin.get(&format!("/api/investigation/{id}")).await.data()["author"]["id"], COLLEAGUE);
}

#[tokio::test]
async fn erasure_of_the_last_admin_or_with_an_invalid_new_author_is_refused() {
    let (app, _, teacher) = TestApp::start_with(http_statuses()).await;
    add(&app, person(TEACHER, "Ada", Some(Role::Admin))).await;
    let admin = with_role(&app, ADMIN, "admin");
    assert_eq!(admin.delete(&path(TEACHER)).await.refusal(), r#"409 "last_admin" "Not possible""#);
    assert_eq!(admin.delete(&path(COLLEAGUE)).await.refusal(), r#"404 "person_not_found" "Person not found""#);
    for new_author in [COLLEAGUE, TEACHER, "x"] {
        let refused = admin.delete(&format!("{}?reassign={new_author}", path(TEACHER))).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.json()["errors"][0]["path"]),
            (400, &json!("reassign")),
            "{new_author}"
        );
    }
    add(&app, person(COLLEAGUE, "Grace", None)).await;
    let refused = app.signed_in(COLLEAGUE).delete(&path(TEACHER)).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (403, Some("admins_only")), "{refused}");
    assert_eq!(teacher.get("/api/investigation").await.status, 200);
}

#[tokio::test]
async fn admin_can_reactivate_an_erased_person_without_their_data() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let admin = with_role(&app, ADMIN, "admin");
    admin.delete(&path(TEACHER)).await;
    let back = admin.patch(&path(TEACHER), json!({"status": "active"})).await.data();
    assert_eq!((&back["name"], &back["status"]), (&Value::Null, &json!("invited")), "{back}");
    assert_eq!(teacher.get("/api/investigation").await.status, 200);
}
