//! One field that is changed in two windows at the same time.

use serde_json::json;

use super::cress;
use crate::http::people::{add, person};
use crate::support::browser::{Page, WIDE};
use crate::support::{COLLEAGUE, Caller, TestApp};

const ASSESSMENT: &str = "[data-path=assessment]";

/// Creates a lesson, and changes its assessment to `theirs` while a page without a network changes it to `mine`.
/// Returns the path of the lesson.
async fn change_in_both(page: &Page, teacher: &Caller, theirs: &str, mine: &str) -> String {
    let mut lesson = cress();
    lesson["assessment"] = json!("Describe both saucers.");
    let id = teacher.create(lesson).await;
    let path = format!("/api/investigation/{id}");
    page.view(&format!("#/i/{id}")).await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
    page.offline(true).await;
    teacher.patch(&path, json!({"assessment": theirs})).await;
    page.write_and_leave(ASSESSMENT, mine).await;
    page.offline(false).await;
    path
}

#[tokio::test]
async fn changes_of_different_sentences_in_two_windows_are_merged_without_a_question() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let path =
        change_in_both(&page, &teacher, "First look. Describe both saucers.", "Describe both saucers. Draw them.")
            .await;
    page.sees("Assessment: changed elsewhere, too. Both changes are kept.").await;
    page.saved().await;
    let both = "First look. Describe both saucers. Draw them.";
    page.until(&format!("document.querySelector('{ASSESSMENT}').value === '{both}'")).await;
    assert_eq!(teacher.get(&path).await.data()["assessment"], both);
}

#[tokio::test]
async fn keep_both_button_merges_two_separate_changes_of_one_sentence() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let path = change_in_both(&page, &teacher, "Now describe both saucers.", "Describe both saucers, too.").await;
    page.click("Compare …").await;
    page.sees("Assessment was changed elsewhere, too").await;
    page.sees("The other one was written by you").await;
    page.sees("Now describe both saucers, too.").await;
    assert_eq!(page.js("return document.querySelector('dialog .primary').textContent").await, "Keep both");
    page.click("Keep both").await;
    page.saved().await;
    assert_eq!(teacher.get(&path).await.data()["assessment"], "Now describe both saucers, too.");
}

#[tokio::test]
async fn button_keep_both_puts_two_different_texts_one_after_the_other() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let path = change_in_both(
        &page,
        &teacher,
        "How does the length decide how fast it swings?",
        "Which of the angles decides that?",
    )
    .await;
    page.click("Compare …").await;
    page.click("Keep both").await;
    page.saved().await;
    let both = "How does the length decide how fast it swings?\nWhich of the angles decides that?";
    assert_eq!(teacher.get(&path).await.data()["assessment"], both);
}

#[tokio::test]
async fn change_by_others_to_the_text_with_the_cursor_is_announced() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.click_on(ASSESSMENT).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"assessment": "Draw."})).await;
    page.sees("Assessment: changed elsewhere just now.").await;
    page.until(&format!("document.activeElement === document.querySelector('{ASSESSMENT}')")).await;
}

#[tokio::test]
async fn change_to_the_text_with_the_cursor_is_announced_with_the_name_of_its_author() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    let id = teacher.create(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.click_on(ASSESSMENT).await;
    app.signed_in(COLLEAGUE).patch(&format!("/api/investigation/{id}"), json!({"assessment": "Draw."})).await;
    page.sees("Assessment: changed by Grace Hopper just now.").await;
}

#[tokio::test]
async fn conflict_does_not_interrupt_typing_and_waits_until_the_author_presses_a_button() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.offline(true).await;
    page.write(ASSESSMENT, "Mine too").await;
    page.js("document.activeElement.setSelectionRange(4, 4)").await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"assessment": "Theirs"})).await;
    page.offline(false).await;
    page.sees("choose which text to keep").await;
    page.press(" is one").await;
    page.until(&format!("document.querySelector('{ASSESSMENT}').value === 'Mine is one too'")).await;
    page.click("Compare …").await;
    page.click("Decide later").await;
    page.until("!document.querySelector('dialog')").await;
    assert_eq!(page.js("return document.activeElement.textContent").await, "Compare …");
    page.click("Compare …").await;
    page.click("Keep mine").await;
    page.saved().await;
    page.until(&format!("document.activeElement === document.querySelector('{ASSESSMENT}')")).await;
}

#[tokio::test]
async fn conflict_dialog_names_the_colleague_who_wrote_the_other_text() {
    let (app, _, teacher) = TestApp::start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    let id = teacher.create(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
    page.offline(true).await;
    let theirs = json!({"assessment": "Describe both saucers after a month."});
    app.signed_in(COLLEAGUE).patch(&format!("/api/investigation/{id}"), theirs).await;
    page.write_and_leave(ASSESSMENT, "Describe both saucers after a day.").await;
    page.offline(false).await;
    page.click("Compare …").await;
    page.sees("The other one was written by Grace Hopper").await;
}

#[tokio::test]
async fn conflict_dialog_shows_what_the_colleague_writes_while_it_is_open() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let path = change_in_both(&page, &teacher, "Draw both.", "Describe both.").await;
    page.click("Compare …").await;
    page.until("document.querySelectorAll('.sides pre')[1]?.innerText === 'Draw both.'").await;
    teacher.patch(&path, json!({"assessment": "Draw all."})).await;
    page.until("document.querySelectorAll('.sides pre')[1].innerText === 'Draw all.'").await;
    page.click("Keep both").await;
    page.sees("Both are kept.").await;
    page.saved().await;
    assert_eq!(teacher.get(&path).await.data()["assessment"], "Draw all.\nDescribe both.");
}
