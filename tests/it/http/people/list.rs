//! `GET /api/people`: names of people.

use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{Person, PersonStatus};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{add, person};
use crate::http::permissions::{ADMIN, EDITOR, STRANGER, with_role};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

fn names(answer: &Value) -> Vec<&str> {
    answer["items"].as_array().expect("items").iter().filter_map(|person| person["name"].as_str()).collect()
}

/// Starts a service whose directory has some people.
async fn school() -> TestApp {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Åsa Öberg", None)).await;
    add(&app, person(COLLEAGUE, "Bob Marlow-Ødegård", Some(Role::Author))).await;
    add(&app, Person { status: PersonStatus::Disabled, ..person(EDITOR, "Carol Marlow", None) }).await;
    add(&app, Person { name: None, email: None, ..person(STRANGER, "x", None) }).await;
    app
}

#[tokio::test]
async fn reader_can_look_up_the_names_of_people_by_id() {
    let app = school().await;
    let reader = with_role(&app, STRANGER, "reader");
    let unknown = "0123456789abcdef01234567";
    let answer = reader.get(&format!("/api/people?ids={COLLEAGUE},{unknown},{STRANGER}")).await;
    assert_snapshot!(answer, @r#"
    GET /api/people?ids=bbbbbbbbbbbbbbbbbbbbbbbb,0123456789abcdef01234567,ffffffffffffffffffffffff
    200 OK
    {
      "success": true,
      "data": {
        "items": [
          {"id": "bbbbbbbbbbbbbbbbbbbbbbbb", "name": "Bob Marlow-Ødegård"},
          {"id": "0123456789abcdef01234567", "name": null},
          {"id": "ffffffffffffffffffffffff", "name": null}
        ],
        "pagination": {"hasMore": false, "nextCursor": null}
      }
    }
    "#);
    let many = vec![TEACHER; 101].join(",");
    for (query, path) in [
        ("ids=", "ids"),
        ("ids=x", "ids"),
        (&format!("ids={many}"), "ids"),
        ("ids=x&search=ab", "search"),
        (&format!("ids={TEACHER}&cursor=eyJ3IjoiIiwicCI6ImFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYSJ9"), "cursor"),
    ] {
        let refused = reader.get(&format!("/api/people?{query}")).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!(path)), "{refused}");
    }
}

#[tokio::test]
async fn people_search_matches_prefixes_of_names() {
    let app = school().await;
    let author = app.signed_in(TEACHER);
    for (search, found) in [
        ("mar", &["Bob Marlow-Ødegård"][..]),
        ("BOB", &["Bob Marlow-Ødegård"]),
        ("odeg%20bob", &["Bob Marlow-Ødegård"]),
        ("%C3%A5sa", &["Åsa Öberg"]),
        ("asa%20o", &["Åsa Öberg"]),
        ("low", &[]),
        ("school", &[]),
    ] {
        let answer = author.get(&format!("/api/people?search={search}")).await;
        assert_eq!(names(&answer.data()), found, "{answer}");
    }
    let found = author.get("/api/people?search=mar").await.data();
    assert_eq!(found["items"], json!([{"id": COLLEAGUE, "name": "Bob Marlow-Ødegård", "role": "author"}]));
    let refused = author.get("/api/people?search=a%25").await;
    assert_eq!(refused.json()["errors"][0]["path"], "search", "{refused}");
    let admin = with_role(&app, ADMIN, "admin");
    assert_eq!(names(&admin.get("/api/people?search=mar").await.data()), ["Bob Marlow-Ødegård", "Carol Marlow"]);
    assert_eq!(names(&admin.get("/api/people?search=BOB@school").await.data()), ["Bob Marlow-Ødegård"]);
    let refused = with_role(&app, STRANGER, "reader").get("/api/people?search=mar").await;
    assert_eq!(refused.refusal(), r#"403 "read_only" "Not allowed""#);
}

#[tokio::test]
async fn admins_can_page_through_a_people_search_and_authors_see_only_whether_more_exist() {
    let (app, ..) = TestApp::start().await;
    for n in 0..21 {
        let id = format!("{n:024}");
        let email = Some(format!("person{n}@school.example"));
        add(&app, Person { email, ..person(&id, &format!("Marlow {n:02}"), None) }).await;
    }
    let admin = with_role(&app, ADMIN, "admin");
    let first = admin.get("/api/people?search=marlow&limit=15").await.data();
    assert_eq!((names(&first).len(), &first["pagination"]["hasMore"]), (15, &json!(true)));
    let cursor = first["pagination"]["nextCursor"].as_str().expect("a cursor");
    let second = admin.get(&format!("/api/people?search=marlow&limit=15&cursor={cursor}")).await.data();
    assert_eq!(names(&second), (15..21).map(|n| format!("Marlow {n:02}")).collect::<Vec<_>>());
    assert_eq!(second["pagination"], json!({"hasMore": false, "nextCursor": null}));
    let found = app.signed_in(TEACHER).get("/api/people?search=marlow").await.data();
    assert_eq!((names(&found).len(), &found["pagination"]), (20, &json!({"hasMore": true, "nextCursor": null})));
}

#[tokio::test]
async fn admin_can_list_all_people_page_by_page() {
    let app = school().await;
    let admin = with_role(&app, ADMIN, "admin");
    let first = admin.get("/api/people?limit=3").await;
    assert_snapshot!(first, @r#"
    GET /api/people?limit=3
    200 OK
    {
      "success": true,
      "data": {
        "items": [
          {
            "id": "ffffffffffffffffffffffff", "name": null, "email": null, "role": null, "status": "active",
            "createdAt": "2026-11-21T08:00:00.000Z", "lastSignInAt": "2026-11-21T08:00:00.000Z"
          },
          {
            "id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": "Åsa Öberg", "email": "Åsa@School.example", "role": null,
            "status": "active", "createdAt": "2026-11-21T08:00:00.000Z",
            "lastSignInAt": "2026-11-21T08:00:00.000Z"
          },
          {
            "id": "bbbbbbbbbbbbbbbbbbbbbbbb", "name": "Bob Marlow-Ødegård", "email": "Bob@School.example",
            "role": "author", "status": "active", "createdAt": "2026-11-21T08:00:00.000Z",
            "lastSignInAt": "2026-11-21T08:00:00.000Z"
          }
        ],
        "pagination": {
          "hasMore": true,
          "nextCursor": "eyJ3IjoiIGJvYiBtYXJsb3cgb2RlZ2FyZCIsInAiOiJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmIifQ"
        }
      }
    }
    "#);
    let cursor = first.data()["pagination"]["nextCursor"].as_str().expect("a cursor").to_owned();
    let second = admin.get(&format!("/api/people?limit=3&cursor={cursor}")).await.data();
    assert_eq!(
        (names(&second), &second["pagination"]),
        (vec!["Carol Marlow"], &json!({"hasMore": false, "nextCursor": null}))
    );
    let refused = app.signed_in(TEACHER).get("/api/people").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!("search")), "{refused}");
}
