//! `POST /api/people/{id}/reassign`: the lessons of a person get another author, and the person stays.

use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{Person, PersonStatus};
use insta::assert_snapshot;
use serde_json::json;

use super::{add, person};
use crate::http::permissions::{ADMIN, EDITOR, STRANGER, with_role};
use crate::support::{COLLEAGUE, Caller, Exchange, TEACHER, TestApp};

async fn erase_for(admin: &Caller, new_author: &str) -> Exchange {
    admin.delete(&format!("/api/people/{TEACHER}?reassign={new_author}")).await
}

#[tokio::test]
async fn reassign_gives_the_lessons_of_a_disabled_person_another_author() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    add(&app, Person { status: PersonStatus::Disabled, ..person(TEACHER, "Ada", None) }).await;
    add(&app, person(COLLEAGUE, "Grace", None)).await;
    let admin = with_role(&app, ADMIN, "admin");
    let path = format!("/api/people/{TEACHER}/reassign");
    let given = admin.post(&path, json!({"to": COLLEAGUE})).await;
    assert_snapshot!(given, @r#"
    POST /api/people/aaaaaaaaaaaaaaaaaaaaaaaa/reassign
    {"to":"bbbbbbbbbbbbbbbbbbbbbbbb"}
    200 OK
    {
      "success": true, "message": "Investigations reassigned successfully",
      "data": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "reassigned": 1}
    }
    "#);
    assert_eq!(admin.get(&format!("/api/investigation/{id}")).await.data()["author"]["id"], COLLEAGUE);
    let left = admin.get("/api/people").await.data()["items"][0].clone();
    assert_eq!((&left["name"], &left["status"]), (&json!("Ada"), &json!("disabled")));
    let log = admin.get("/api/audit").await.json()["data"].to_string();
    let entry = format!(r#""action":"person.reassigned","personId":"{TEACHER}","reassignedTo":"{COLLEAGUE}"}}"#);
    assert!(log.contains(&entry), "{log}");
    for (body, path_of_fault) in [
        (json!({}), "to"),
        (json!({"to": "Grace"}), "to"),
        (json!({"to": TEACHER}), "to"),
        (json!({"to": ADMIN}), "to"),
        (json!({"to": COLLEAGUE, "and": 1}), "and"),
    ] {
        let refused = admin.post(&path, body).await;
        let fault = refused.json()["errors"][0]["path"].clone();
        assert_eq!((refused.status.as_u16(), &fault), (400, &json!(path_of_fault)), "{refused}");
    }
    for nobody in [
        person(STRANGER, "Carol", Some(Role::None)),
        Person { provider_role: Some(Role::None), ..person(EDITOR, "Dan", None) },
    ] {
        let to = nobody.id.to_string();
        add(&app, nobody).await;
        for refused in [admin.post(&path, json!({ "to": to })).await, erase_for(&admin, &to).await] {
            assert_eq!(refused.status.as_u16(), 400, "{refused}");
            assert!(refused.text.contains("must be the id of another active person who has a role"), "{refused}");
        }
    }
    let unknown = admin.post(&format!("/api/people/{ADMIN}/reassign"), json!({"to": COLLEAGUE})).await;
    assert_eq!(unknown.refusal(), r#"404 "person_not_found" "Person not found""#);
}
