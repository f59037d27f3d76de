//! Undo and redo of what somebody else changed.

use serde_json::json;

use super::cress;
use crate::http::people::{add, person};
use crate::support::browser::{Page, WIDE};
use crate::support::{COLLEAGUE, TestApp};

#[tokio::test]
async fn an_undo_of_what_somebody_else_changed_asks_first_and_says_whose_change_it_was() {
    let (app, _, teacher) = TestApp::start().await;
    let colleague = app.signed_in(COLLEAGUE);
    let id = teacher.create(cress()).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"assessment": "Draw."})).await;
    colleague.patch(&path, json!({"curriculum": "Botany"})).await;
    let page = Page::of(&app, WIDE).await;
    let curriculum = async || teacher.get(&path).await.data()["curriculum"].clone();
    page.view(&format!("#/i/{id}")).await;
    page.click("Undo").await;
    page.sees("Undo the change of Curriculum by another author?").await;
    page.click("Leave it").await;
    page.until("!document.querySelector('dialog')").await;
    assert_eq!(curriculum().await, "Botany");
    page.click("Undo").await;
    page.click("Undo it").await;
    page.sees("Undone: Curriculum. This was the change of another author.").await;
    assert_eq!(curriculum().await, "Life science");
    // The change before it is one's own, so nothing is asked.
    page.click("Undo").await;
    page.sees("Undone: Assessment.").await;
    page.click("Redo").await;
    page.sees("Redone: Assessment.").await;
    page.click("Redo").await;
    page.sees("Redo the change of Curriculum by another author?").await;
    page.click("Redo it").await;
    page.sees("Redone: Curriculum. This was the change of another author.").await;
    assert_eq!(curriculum().await, "Botany");
    // The notice ends with the next change.
    page.write("[data-path=assessment]", "Draw both.").await;
    page.until("!document.querySelector('.notice')").await;
}

#[tokio::test]
async fn an_undo_names_the_person_whose_change_it_takes_back() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    let id = teacher.create(cress()).await;
    app.signed_in(COLLEAGUE).patch(&format!("/api/investigation/{id}"), json!({"curriculum": "Botany"})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.click("Undo").await;
    page.sees("Undo the change of Curriculum by Grace Hopper?").await;
    page.click("Leave it").await;
    page.click("History").await;
    page.sees("Grace Hopper").await;
}
