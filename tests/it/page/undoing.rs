//! Undo and redo of changes by another person, and of the user's own changes.

use serde_json::{Value, json};

use super::rows::paste;
use super::{cress, stored};
use crate::http::people::{add, person};
use crate::support::browser::{PHONE, Page, WIDE};
use crate::support::{COLLEAGUE, TestApp};

const CONTROL: char = '\u{e009}';

#[tokio::test]
async fn undo_of_a_change_by_another_author_asks_for_confirmation_and_names_the_author() {
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
    page.sees("Undo this change by another author: Curriculum?").await;
    page.click("Leave it").await;
    page.until("!document.querySelector('dialog')").await;
    assert_eq!(curriculum().await, "Botany");
    page.click("Undo").await;
    page.click("Undo it").await;
    page.sees("Undone: Curriculum. This was the change of another author.").await;
    assert_eq!(curriculum().await, "Life science");
    // The earlier change is the user's own, so there is no question.
    page.click("Undo").await;
    page.sees("Undone: Assessment.").await;
    page.click("Redo").await;
    page.sees("Redone: Assessment.").await;
    page.click("Redo").await;
    page.sees("Redo this change by another author: Curriculum?").await;
    page.click("Redo it").await;
    page.sees("Redone: Curriculum. This was the change of another author.").await;
    assert_eq!(curriculum().await, "Botany");
    // The notice disappears with the next change.
    page.write("[data-path=assessment]", "Draw both.").await;
    page.until("!document.querySelector('.notice')").await;
}

#[tokio::test]
async fn undo_removes_an_empty_row_that_was_added_last_and_otherwise_names_what_it_undoes() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    let status = async || stored(&teacher, &id).await["status"].clone();
    let rows = "document.querySelectorAll('[data-field=objectives] li').length";
    let before = page.js(&format!("return {rows}")).await;
    page.js("document.querySelector('.overview').open = true").await;
    page.js("const set = document.querySelector('.overview select'); set.value = 'published';
             set.dispatchEvent(new Event('change'))")
        .await;
    page.until("document.querySelector('.overview .badge').textContent === 'Published'").await;
    page.click("Add to Objectives").await;
    page.until(&format!("{rows} === {before} + 1")).await;
    page.click("Undo").await;
    page.until(&format!("/^Undone: Objective \\d+ added\\.$/.test({NOTICE})")).await;
    page.until(&format!("{rows} === {before}")).await;
    assert_eq!(status().await, "published");
    page.click("Undo").await;
    page.sees("Undone: Status.").await;
    assert_ne!(status().await, "published");
    page.click("Redo").await;
    page.sees("Redone: Status.").await;
}

/// The text of the notice on the page.
const NOTICE: &str = "document.querySelector('.notice p')?.textContent";

/// Returns the objectives on the page.
async fn objectives(page: &Page) -> Value {
    page.js("return [...document.querySelectorAll('[data-field=objectives] li .text')].map((box) => box.value)").await
}

#[tokio::test]
async fn control_z_restores_a_removed_row_until_something_is_typed() {
    let lesson = json!({"title": "Cress", "objectives": ["one", "two", "three"]});
    let (page, teacher, id) = Page::of_lesson(lesson, WIDE).await;
    page.click("Remove Objective 2").await;
    page.sees("Objective 2 removed.").await;
    assert_eq!(objectives(&page).await, json!(["one", "three"]));
    page.chord(&[CONTROL], 'z').await;
    page.until("document.querySelectorAll('[data-field=objectives] li').length === 3").await;
    page.sees("Undone: ").await;
    assert_eq!(objectives(&page).await, json!(["one", "two", "three"]));
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["one", "two", "three"]));
    page.chord(&[CONTROL], 'y').await;
    page.sees("Redone: ").await;
    page.until("document.querySelectorAll('[data-field=objectives] li').length === 2").await;
    assert_eq!(objectives(&page).await, json!(["one", "three"]));
    page.chord(&[CONTROL], 'z').await;
    page.until("document.querySelectorAll('[data-field=objectives] li').length === 3").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["one", "two", "three"]));
    // After the user has typed something, Control + Z belongs to the browser.
    page.click("Remove Objective 1").await;
    page.until("document.activeElement.dataset.path === 'objectives.0'").await;
    page.press("!").await;
    page.chord(&[CONTROL], 'z').await;
    page.saved().await;
    assert_eq!(objectives(&page).await, json!(["two", "three"]));
}

#[tokio::test]
async fn each_undo_after_pasting_rows_undoes_one_earlier_change() {
    let lesson = json!({"title": "Cress", "materials": [{"name": "seeds"}]});
    let (page, teacher, id) = Page::of_lesson(lesson, WIDE).await;
    let rows = async |number: usize| {
        page.until(&format!("document.querySelectorAll('[data-field=materials] li').length === {number}")).await;
        page.saved().await;
        stored(&teacher, &id).await["materials"].as_array().map_or(0, Vec::len)
    };
    page.write("[data-path=assessment]", "Draw it.").await;
    page.saved().await;
    page.click("Add to Materials").await;
    assert_eq!(rows(2).await, 1, "an empty row is no change");
    let version = stored(&teacher, &id).await["version"].clone();
    paste(&page, "a\nb\nc\nd\ne\nf\ng\nh").await;
    assert_eq!(rows(9).await, 9);
    page.chord(&[CONTROL], 'z').await;
    assert_eq!(rows(1).await, 1);
    assert_eq!(stored(&teacher, &id).await["version"], version, "the rows are undone, and no new version is made");
    page.chord(&[CONTROL], 'z').await;
    page.until("document.querySelector('[data-path=assessment]').value === ''").await;
    assert_eq!(rows(1).await, 1);
    page.chord(&[CONTROL], 'y').await;
    page.until("document.querySelector('[data-path=assessment]').value === 'Draw it.'").await;
    page.chord(&[CONTROL], 'y').await;
    assert_eq!(rows(9).await, 9);
}

#[tokio::test]
async fn control_z_undoes_rows_pasted_as_the_first_content_of_a_new_lesson() {
    let (page, _) = Page::of_service(WIDE).await;
    page.click("New lesson").await;
    page.click("Add to Objectives").await;
    paste(&page, "one\ntwo\nthree").await;
    page.until("document.querySelectorAll('[data-field=objectives] li').length === 3").await;
    page.saved().await;
    page.chord(&[CONTROL], 'z').await;
    page.until("document.querySelectorAll('[data-field=objectives] li').length === 0").await;
    page.saved().await;
    page.js("location.reload()").await;
    page.until("document.querySelector('.paper')").await;
    assert_eq!(objectives(&page).await, json!([]));
}

#[tokio::test]
async fn control_z_reverts_typing_in_pasted_rows_first_and_then_the_pasted_rows() {
    let lesson = json!({"title": "Cress", "objectives": ["one"]});
    let (page, teacher, id) = Page::of_lesson(lesson, WIDE).await;
    page.click("Add to Objectives").await;
    paste(&page, "two\nthree").await;
    page.until("document.activeElement.value === 'three'").await;
    page.press("!").await;
    page.until("document.activeElement.value.includes('!')").await;
    page.chord(&[CONTROL], 'z').await;
    assert_eq!(objectives(&page).await, json!(["one", "two", "three"]));
    page.chord(&[CONTROL], 'z').await;
    page.until("document.querySelectorAll('[data-field=objectives] li').length === 1").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["one"]));
}

#[tokio::test]
async fn undo_button_of_a_notice_restores_a_removed_row_and_keeps_later_changes() {
    let lesson = json!({"title": "Cress", "objectives": ["Look at it.", "Draw it.", "Measure it."]});
    let (page, teacher, id) = Page::of_lesson(lesson, WIDE).await;
    page.click("Remove Objective 1").await;
    page.write("[data-path='objectives.1']", "Measure it twice.").await;
    page.click_on(".notice button").await;
    page.until("document.querySelectorAll('[data-field=objectives] li').length === 3").await;
    page.saved().await;
    let all = json!(["Look at it.", "Draw it.", "Measure it twice."]);
    assert_eq!(stored(&teacher, &id).await["objectives"], all);
}

#[tokio::test]
async fn undo_button_of_a_row_removal_keeps_earlier_moves_of_rows() {
    let lesson = json!({"title": "Cress", "objectives": ["one", "two", "three"]});
    let (page, teacher, id) = Page::of_lesson(lesson, WIDE).await;
    for place in [1, 2] {
        page.click(&format!("Move down Objective {place}")).await;
    }
    page.click("Remove Objective 3").await;
    page.sees("Objective 3 removed.").await;
    page.click_on(".notice button").await;
    page.sees("Undone: Objective 3 removed.").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["two", "three", "one"]));
}

#[tokio::test]
async fn undo_names_the_author_of_the_undone_change() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    let id = teacher.create(cress()).await;
    app.signed_in(COLLEAGUE).patch(&format!("/api/investigation/{id}"), json!({"curriculum": "Botany"})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.click("Undo").await;
    page.sees("Undo this change by Grace Hopper: Curriculum?").await;
    page.click("Leave it").await;
    page.click("History").await;
    page.sees("Grace Hopper").await;
}
