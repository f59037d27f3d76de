//! The keyboard focus, and the effects of keys.

use serde_json::json;

use super::{cress, hurried};
use crate::support::TestApp;
use crate::support::browser::{Page, WIDE};

const CONTROL: char = '\u{e009}';
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const F8: &str = "\u{e038}";

impl Page {
    /// Waits until the control with this name has the focus.
    async fn focuses(&self, name: &str) {
        let at = "document.activeElement";
        self.until(&format!("({at}.ariaLabel ?? {at}.textContent).trim() === {}", json!(name))).await;
    }

    async fn closes_the_dialog(&self) {
        self.until("document.querySelector('dialog[open]')").await;
        self.press(ESCAPE).await;
        self.until("!document.querySelector('dialog')").await;
    }
}

#[tokio::test]
async fn dialog_opened_from_a_menu_returns_the_focus_to_the_button_of_the_menu() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    for action in ["History of Steps", "Fit the other fields to Steps"] {
        page.choose("Steps", action).await;
        page.closes_the_dialog().await;
        page.focuses("More for Steps").await;
    }
    let link = json!({"key": "5a", "description": ""});
    teacher.post(&format!("/api/investigation/{id}/links"), link).await;
    page.view("#/").await;
    page.click("Actions for Cress in the dark").await;
    page.click("Delete Cress in the dark").await;
    page.sees("It has 1 open link.").await;
    page.closes_the_dialog().await;
    page.focuses("Actions for Cress in the dark").await;
}

#[tokio::test]
async fn focus_stays_at_the_field_whose_contradiction_is_corrected() {
    let (page, _, _) = Page::of_lesson(hurried(), WIDE).await;
    page.open_findings().await;
    page.click("Correct Duration in minutes …").await;
    page.click("Correct it this way").await;
    page.sees("Duration in minutes: corrected.").await;
    page.until("document.activeElement.matches('[data-path=durationMinutes] input')").await;
}

#[tokio::test]
async fn undo_button_keeps_the_focus_when_nothing_more_can_be_undone() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.write_and_leave("[data-path=assessment]", "Draw it.").await;
    page.saved().await;
    page.click("Undo").await;
    page.sees("Undone: Assessment.").await;
    page.until("document.querySelector('[aria-keyshortcuts]').ariaDisabled === 'true'").await;
    page.focuses("Undo").await;
    page.press(ENTER).await;
    page.sees("There is nothing to undo.").await;
    page.focuses("Undo").await;
}

#[tokio::test]
async fn key_f8_focuses_the_latest_notice_which_stays_while_it_has_the_focus() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let tell = async |words: &str| {
        let script = "return import('/ui/core/notice.js').then((notice) => void notice";
        page.js(&format!("{script}.tell('{words}', {{ act: {{ label: 'Try', run: () => {{}} }} }}))")).await;
        page.sees(words).await;
    };
    page.js("document.querySelector('[data-path=assessment]').focus()").await;
    let is_back = "document.activeElement.dataset.path === 'assessment'";
    tell("The first.").await;
    page.press(F8).await;
    page.focuses("Try").await;
    let about = "return document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent";
    assert_eq!(page.js(about).await, "The first.");
    page.press(F8).await;
    page.until(is_back).await;
    page.press(F8).await;
    page.focuses("Try").await;
    // `whenUnused` must not run its callback while the notice has the focus. The second timer ends after the first, so
    // the test would see a callback that ran too early.
    let waits = "return import('/ui/core/notice.js').then(({ whenUnused }) => new Promise((seen) => {
        whenUnused(() => { window.isUnused = true; }, 10);
        setTimeout(() => seen(window.isUnused ?? false), 11);
    }))";
    assert_eq!(page.js(waits).await, false);
    page.press(ESCAPE).await;
    page.until(&format!("{is_back} && !document.querySelector('.notice')")).await;
    page.until("window.isUnused").await;
    tell("The second.").await;
    page.press(F8).await;
    page.click("Close this notice").await;
    page.until(is_back).await;
}

#[tokio::test]
async fn control_z_undoes_a_deletion_in_the_list() {
    let (app, _, _) = TestApp::with(cress()).await;
    let page = Page::of(&app, WIDE).await;
    page.click("Actions for Cress in the dark").await;
    page.click("Delete Cress in the dark").await;
    page.sees("“Cress in the dark” is deleted.").await;
    page.js("document.activeElement.blur()").await;
    page.chord(&[CONTROL], 'z').await;
    page.sees("1 lesson").await;
    page.until("!document.querySelector('.notice')").await;
}

#[tokio::test]
async fn question_mark_outside_of_a_text_opens_the_list_of_shortcuts() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.click("Actions for this lesson").await;
    page.click("Keyboard shortcuts").await;
    page.sees("Move a row up").await;
    page.closes_the_dialog().await;
    page.focuses("Actions for this lesson").await;
    page.press("?").await;
    page.sees("Move a row up").await;
    page.closes_the_dialog().await;
    page.write("[data-path=assessment]", "Why?").await;
    assert_eq!(page.js("return document.querySelector('dialog')").await, json!(null));
}

#[tokio::test]
async fn keys_scroll_an_old_version_that_is_longer_than_the_window() {
    let mut lesson = cress();
    lesson["assessment"] = json!("Draw both saucers.\n".repeat(100));
    let (page, teacher, id) = Page::of_lesson(lesson, WIDE).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Radish"})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.choose_version("the beginning", "Read").await;
    page.until("document.querySelector('dialog .body').tabIndex === 0").await;
}
