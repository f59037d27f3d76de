//! `editors`: the other users who may change an investigation.

use fieldbook::app::{Access, HttpSettings};
use fieldbook::domain::permission::Editing;
use serde_json::json;

use super::permissions::{ADMIN, EDITOR, STRANGER, callers, investigation, with_role};
use crate::support::TestApp;

#[tokio::test]
async fn only_the_author_and_admins_may_set_editors() {
    for editing in [Editing::Anyone, Editing::Author] {
        let callers = callers(editing).await;
        let (id, _) = investigation(&callers, "k").await;
        let path = format!("/api/investigation/{id}");
        for (name, caller) in &callers.callers[2..6] {
            let done = caller.patch(&path, json!({"editors": [EDITOR, ADMIN, EDITOR]})).await;
            let may = ["author", "admin"].contains(name);
            assert_eq!(done.status, if may { 200 } else { 403 }, "{name}: {done}");
            let same = callers.callers[4].1.patch(&path, json!({"editors": [EDITOR]})).await;
            assert_eq!(same.json()["updatedInvestigation"]["editors"], json!([EDITOR]), "{name}");
        }
        // An editor cannot change the list of editors, but may send the list back unchanged.
        let back = callers.callers[3].1.patch(&path, json!({"title": "Beans", "editors": [EDITOR]})).await;
        assert_eq!(back.status, 200, "{back}");
        let none = callers.callers[4].1.patch(&path, json!({"editors": null})).await;
        assert!(none.json()["updatedInvestigation"].get("editors").is_none(), "{none}");
    }
}

#[tokio::test]
async fn investigation_can_be_created_with_editors() {
    let callers = callers(Editing::Author).await;
    let (editor, author) = (&callers.callers[3].1, &callers.callers[4].1);
    let given = json!([EDITOR.to_uppercase(), ADMIN, EDITOR]);
    let created = author.post("/api/investigation", json!({"title": "Cress", "editors": given})).await;
    assert_eq!((created.status.as_u16(), &created.data()["editors"]), (201, &json!([EDITOR, ADMIN])), "{created}");
    let path = created.header("location").expect("the path").to_owned();
    assert_eq!(author.get(&path).await.data()["editors"], json!([EDITOR, ADMIN]));
    assert_eq!(editor.patch(&path, json!({"title": "Peas"})).await.status, 200);
    for none in [json!(null), json!([])] {
        let created = author.post("/api/investigation", json!({"title": "Cress", "editors": none})).await;
        assert!(created.data().get("editors").is_none(), "{created}");
    }
}

#[tokio::test]
async fn editors_that_are_not_a_list_of_at_most_100_object_ids_are_refused() {
    let (_app, author, path) = TestApp::with(json!({"title": "Cress"})).await;
    for (editors, expected) in [
        (json!("all"), "editors: must be a list of object identifiers, or null"),
        (json!([EDITOR, "me"]), "editors.1: must be an object identifier (24 hexadecimal digits)"),
        ((0..101).map(|n| json!(format!("{n:024x}"))).collect(), "editors: must have at most 100 entries"),
    ] {
        for refused in [
            author.patch(&path, json!({ "editors": editors })).await,
            author.post("/api/investigation", json!({ "editors": editors })).await,
        ] {
            let first = &refused.json()["errors"][0];
            let (path, message) = (first["path"].as_str(), first["message"].as_str());
            let message = format!("{}: {}", path.expect("a path"), message.expect("a message"));
            assert_eq!((refused.status.as_u16(), message.as_str()), (400, expected));
        }
    }
}

#[tokio::test]
async fn undo_keeps_the_editors_and_a_clone_has_no_editors_of_its_source() {
    let (_app, author, path) = TestApp::with(json!({"title": "Cress"})).await;
    author.patch(&path, json!({"title": "Peas", "editors": [EDITOR]})).await;
    let undone = author.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!((&undone["title"], &undone["editors"]), (&json!("Cress"), &json!([EDITOR])));
    let clone = author.post_empty(&format!("{path}/clone")).await.data();
    assert!(clone.get("editors").is_none(), "{clone}");
}

#[tokio::test]
async fn only_admins_may_change_an_investigation_until_it_has_an_author() {
    let http = HttpSettings { editing: Editing::Author, investigations: Access::Optional, ..HttpSettings::default() };
    let (app, anon, _) = TestApp::start_with(http).await;
    let (stranger, admin) = (app.signed_in(STRANGER), with_role(&app, ADMIN, "admin"));
    let path = anon.create_path(json!({"title": "Cress"})).await;
    let refused = stranger.patch(&path, json!({"title": "Peas"})).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("not_your_investigation")));
    let reason = "It has no author, so only admins may change it; clone it to change the copy";
    assert_eq!(refused.json()["error"], reason);
    let named = admin.patch(&path, json!({"metadata": {"author": STRANGER}})).await;
    assert_eq!(named.json()["updatedInvestigation"]["author"]["id"], STRANGER, "{named}");
    assert_eq!(stranger.patch(&path, json!({"title": "Peas"})).await.status, 200);
    assert_eq!(anon.patch(&path, json!({"title": "Beans"})).await.status, 403);
}

#[tokio::test]
async fn change_that_races_the_removal_of_its_editor_is_stored_first_or_refused() {
    let callers = callers(Editing::Author).await;
    let (author, editor) = (&callers.callers[4].1, &callers.callers[3].1);
    for round in 0..20 {
        let (id, _) = investigation(&callers, &format!("race{round}")).await;
        let path = format!("/api/investigation/{id}");
        let (saved, removed) = tokio::join!(
            editor.patch(&path, json!({"title": "By the editor"})),
            author.patch(&path, json!({"editors": null})),
        );
        assert_eq!(removed.status, 200, "{removed}");
        let now = author.get(&path).await.data();
        // Either both changes are stored, or the author was first and the editor's change is refused.
        let expected = if saved.status == 200 { "By the editor" } else { "Peas" };
        assert!(saved.status == 200 || saved.json()["code"] == "not_your_investigation", "{saved}");
        assert_eq!(now["title"], expected);
        assert!(now.get("editors").is_none(), "{now}");
        assert_eq!(editor.patch(&path, json!({"title": "Later"})).await.status, 403);
    }
}
