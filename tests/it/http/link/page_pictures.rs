//! `GET /l/{key}/{subLink}/{pictureId}`

use serde_json::{Value, json};

use super::limited::press;
use crate::support::picture::{numbered, showing};
use crate::support::{Caller, TestApp};

/// Returns the addresses of the pictures on a page.
async fn addresses(visitor: &Caller, page: &str) -> Vec<String> {
    let page = visitor.get(page).await;
    assert_eq!(page.status.as_u16(), 200, "{page}");
    let sources = page.text.split("<img src=\"").skip(1);
    sources.map(|rest| rest.split('"').next().unwrap_or_default().replace("&amp;", "&")).collect()
}

async fn link(teacher: &Caller, id: &str, sub_link: &str, options: Value) -> String {
    teacher.create_link(id, "class", sub_link).await;
    let changed = teacher.patch(&format!("/api/link/class/{sub_link}"), options).await;
    assert_eq!(changed.status.as_u16(), 200, "{changed}");
    format!("/l/class/{sub_link}")
}

#[tokio::test]
async fn link_page_serves_its_pictures_without_a_token_and_without_caching() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let picture = teacher.add_picture(&path, numbered(1)).await;
    teacher.patch(&path, showing(&[&picture])).await;
    let page = link(&teacher, &id, "a", json!({"shows": "handout"})).await;
    assert_eq!(addresses(&anon, &page).await, [format!("{page}/{picture}")]);
    let visits = teacher.get("/api/link/class/a/visits").await.data()["visitCount"].clone();
    let got = anon.get(&format!("{page}/{picture}")).await;
    assert_eq!(got.status.as_u16(), 200);
    for (name, value) in [
        ("content-type", "image/png"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("x-robots-tag", "noindex"),
    ] {
        assert_eq!(got.header(name), Some(value), "{name}");
    }
    assert_eq!(teacher.get("/api/link/class/a/visits").await.data()["visitCount"], visits, "it counts no visit");
}

#[tokio::test]
async fn link_serves_only_pictures_that_its_page_shows_now() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let (first, second) =
        (teacher.add_picture(&path, numbered(1)).await, teacher.add_picture(&path, numbered(2)).await);
    teacher.patch(&path, showing(&[&first])).await;
    teacher
        .patch(&path, json!({"pictures": null, "assessment": second, "answers": [{"id": second, "alt": "Answers"}]}))
        .await;
    let handout = link(&teacher, &id, "handout", json!({"shows": "handout"})).await;
    let lesson = link(&teacher, &id, "lesson", json!({"shows": "lesson"})).await;
    let earlier = link(&teacher, &id, "earlier", json!({"shows": "handout", "version": 1})).await;
    let nothing = link(&teacher, &id, "nothing", json!({"shows": "nothing"})).await;
    let archived = link(&teacher, &id, "archived", json!({"shows": "lesson", "archived": true})).await;
    for (page, picture, status) in [
        (&handout, &first, 404),
        (&handout, &second, 404),
        (&lesson, &second, 200),
        (&lesson, &first, 404),
        (&earlier, &first, 200),
        (&earlier, &second, 404),
        (&nothing, &second, 404),
        (&archived, &second, 404),
        (&"/l/class/unknown".to_owned(), &second, 404),
        (&lesson, &"picture.png".to_owned(), 404),
    ] {
        let got = anon.get(&format!("{page}/{picture}")).await;
        assert_eq!(got.status.as_u16(), status, "{page} {picture}");
        assert!(status == 200 || got.text.starts_with("<!DOCTYPE html>"), "{got}");
    }
    teacher.delete(&format!("{path}/pictures/{first}")).await;
    assert_eq!(anon.get(&format!("{earlier}/{first}")).await.status.as_u16(), 404);
    let page = anon.get(&earlier).await;
    assert!(page.text.contains("picture removed") && !page.text.contains("<img"), "{page}");
}

#[tokio::test]
async fn picture_that_was_removed_and_uploaded_again_is_on_the_link_page() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let picture = teacher.add_picture(&path, numbered(1)).await;
    teacher.patch(&path, showing(&[&picture])).await;
    teacher.patch(&path, json!({"pictures": null})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    let now = link(&teacher, &id, "now", json!({"shows": "handout"})).await;
    let version = link(&teacher, &id, "version", json!({"shows": "handout", "version": 1})).await;
    for page in [&now, &version] {
        let picture = format!("{page}/{picture}");
        assert_eq!(addresses(&anon, page).await, std::slice::from_ref(&picture));
        assert_eq!(anon.get(&picture).await.status.as_u16(), 200);
    }
    teacher.delete(&format!("{path}/pictures/{picture}")).await;
    for page in [&now, &version] {
        assert_eq!(addresses(&anon, page).await, Vec::<String>::new());
        assert_eq!(anon.get(&format!("{page}/{picture}")).await.status.as_u16(), 404);
    }
    teacher.add_picture(&path, numbered(1)).await;
    for page in [&now, &version] {
        let picture = format!("{page}/{picture}");
        assert_eq!(addresses(&anon, page).await, std::slice::from_ref(&picture));
        assert_eq!(anon.get(&picture).await.status.as_u16(), 200);
    }
}

#[tokio::test]
async fn pictures_of_a_limited_link_can_be_fetched_only_after_a_click_on_its_button() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let picture = teacher.add_picture(&path, numbered(1)).await;
    teacher.patch(&path, showing(&[&picture])).await;
    let page = link(&teacher, &id, "a", json!({"shows": "handout", "maxVisits": 1})).await;
    assert_eq!(anon.get(&format!("{page}/{picture}")).await.status.as_u16(), 404);
    let (_, opened) = press(&app, &page).await;
    let shown = addresses(&anon, &opened.expect("the page")).await;
    assert_eq!(shown.len(), 1);
    assert_eq!(anon.get(&shown[0]).await.status.as_u16(), 200, "{shown:?}");
    assert_eq!(anon.get(&format!("{page}/{picture}?visit=other")).await.status.as_u16(), 404);
}
