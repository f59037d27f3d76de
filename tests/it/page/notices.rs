//! The notices of the page, and how long each one is shown.

use serde_json::json;

use super::{cress, hurried};
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE};

const SAID: &str = "[...document.querySelectorAll('.notice p')].map((p) => p.textContent).join()";

#[tokio::test]
async fn unreachable_notice_disappears_when_the_service_is_back() {
    let (page, _, _) = Page::of_lesson(hurried(), WIDE).await;
    page.open_findings().await;
    page.offline(true).await;
    page.click("Correct Steps …").await;
    page.until(&format!("{SAID}.includes('cannot be reached')")).await;
    page.offline(false).await;
    page.write("[data-path=assessment]", "Draw.").await;
    page.saved().await;
    page.until(&format!("{SAID} === ''")).await;
}

#[tokio::test]
async fn only_the_last_action_is_announced_and_not_on_another_view() {
    let (page, teacher, id) = Page::of_lesson(hurried(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    let steps = json!([{"text": "Sow.", "minutes": 10}, {"text": "Cover.", "minutes": 15}]);
    teacher.patch(&path, json!({"steps": steps, "assessment": "Draw."})).await;
    page.view(&format!("#/i/{id}")).await;
    page.click("Undo").await;
    page.until(&format!("{SAID} === 'Undone: Steps in 4 places; Assessment.'")).await;
    page.until("document.querySelectorAll('[aria-keyshortcuts]')[1].ariaDisabled === 'false'").await;
    page.open_findings().await;
    page.click("Correct Duration in minutes …").await;
    page.click("Correct it this way").await;
    page.until(&format!("{SAID} === 'Duration in minutes: corrected.'")).await;
    // After a new change, there is nothing to redo.
    page.until("document.querySelectorAll('[aria-keyshortcuts]')[1].ariaDisabled === 'true'").await;
    page.click("Undo").await;
    page.until(&format!("{SAID} === 'Undone: Duration in minutes.'")).await;
    page.view(&format!("#/i/{id}/history")).await;
    assert_eq!(page.js(&format!("return {SAID}")).await, "");
}

#[tokio::test]
async fn deletion_can_be_undone_after_other_notices() {
    let (app, teacher, path) = TestApp::with(cress()).await;
    teacher.create(json!({"title": "Beans"})).await;
    let page = Page::of(&app, WIDE).await;
    page.sees("2 lessons").await;
    page.click("Actions for Cress in the dark").await;
    page.click("Delete Cress in the dark").await;
    page.sees("1 lesson").await;
    page.js("return import('/ui/core/notice.js').then((notice) => notice.tell('Something else.'))").await;
    page.sees("Something else.").await;
    page.view("#/?search=beans").await;
    page.click("Undo").await;
    page.view("#/").await;
    page.sees("2 lessons").await;
    assert_eq!(teacher.get(&path).await.data()["title"], "Cress in the dark");
}

#[tokio::test]
async fn page_uses_lesson_instead_of_investigation() {
    let (page, _, id) = Page::of_lesson(cress(), WIDE).await;
    page.view("#/i/ffffffffffffffffffffffff").await;
    page.sees("This lesson does not exist or was deleted.").await;
    let ways = page.js("return [...document.querySelectorAll('main a, main button')].map((e) => e.textContent)").await;
    assert_eq!(ways, json!(["All lessons"]));
    page.view(&format!("#/i/{id}")).await;
    page.until("document.querySelector('.paper')").await;
    let all = page.js("return document.body.textContent").await.to_string();
    assert!(all.contains("What the lesson is called") && !all.to_lowercase().contains("investigation"), "{all}");
}

#[tokio::test]
async fn notice_covers_no_part_of_the_lesson_in_a_wide_window() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    for top in [0, 300] {
        page.js(&format!(
            "scrollTo(0, {top}); return import('/ui/core/notice.js').then((notice) => notice.tell('{top}.'))"
        ))
        .await;
        page.sees(&format!("{top}.")).await;
        let covered = page
            .js("const box = document.querySelector('.notice').getBoundingClientRect();
                 return [...document.querySelectorAll('.paper *, .top *')].filter((one) => {
                     const { left, right, top, bottom } = one.getBoundingClientRect();
                     return one.checkVisibility() && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
                 }).map((one) => one.outerHTML)")
            .await;
        assert_eq!(covered, json!([]), "scrolled by {top}");
    }
}

#[tokio::test]
async fn notice_covers_no_button_of_the_announced_link() {
    let (page, _, id) = Page::of_lesson(cress(), WIDE).await;
    for (window, class) in [(PHONE, "5a"), (WIDE, "5b")] {
        page.appear(window).await;
        page.view(&format!("#/i/{id}/links")).await;
        page.write(".make input", class).await;
        page.click("Create a link").await;
        page.sees(&format!("The link {class}/")).await;
        let covered = page
            .js("const box = document.querySelector('.notice').getBoundingClientRect();
                 return [...document.querySelectorAll('main :is(a, button, input, select, summary)')].filter((one) => {
                     const { left, right, top, bottom } = one.getBoundingClientRect();
                     return one.checkVisibility() && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
                 }).map((one) => one.textContent)")
            .await;
        assert_eq!(covered, json!([]), "{class}");
    }
}
