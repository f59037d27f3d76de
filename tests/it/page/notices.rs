//! The notices of the page, and how long each one is shown.

use serde_json::json;

use super::{cress, hurried, stored};
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE};

const SAID: &str = "[...document.querySelectorAll('.notice p')].map((p) => p.textContent).join()";

#[tokio::test]
async fn notice_that_the_service_is_unreachable_disappears_when_the_service_is_back() {
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
async fn new_notice_replaces_the_previous_notice_and_disappears_on_another_view() {
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
async fn deletion_can_still_be_undone_after_other_notices_were_shown() {
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
async fn page_says_lesson_and_never_investigation() {
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
async fn notice_about_a_new_link_covers_no_button_of_that_link() {
    let (page, _, id) = Page::of_lesson(cress(), WIDE).await;
    page.view(&format!("#/i/{id}/links")).await;
    page.write(".make input", "5b").await;
    page.click("Create a link").await;
    page.sees("The link 5b/").await;
    let covered = page
        .js("const box = document.querySelector('.notice').getBoundingClientRect();
             return [...document.querySelectorAll('main :is(a, button, input, select, summary)')].filter((one) => {
                 const { left, right, top, bottom } = one.getBoundingClientRect();
                 return one.checkVisibility() && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
             }).map((one) => one.textContent)")
        .await;
    assert_eq!(covered, json!([]));
}

#[tokio::test]
async fn notice_covers_no_control_of_an_open_dialog() {
    let lesson = "Shadows\n\nMaterials\n- 1 stick\n- chalk\n\nSteps\n1. Push the stick into the ground.\n2. Draw.";
    for window in [WIDE, PHONE] {
        let (page, _, _) = Page::of_lesson(cress(), window).await;
        page.view("#/").await;
        page.click("Paste or open from Word").await;
        page.js(
            "return import('/ui/core/notice.js').then((notice) => notice.tell('Said before the dialog was filled.'))",
        )
        .await;
        page.write("dialog textarea", lesson).await;
        page.until("document.querySelectorAll('dialog select').length > 3").await;
        let covers = "const box = document.querySelector('.notice').getBoundingClientRect();
            return [...document.querySelectorAll('.answers button')].filter((one) => {
                const { left, right, top, bottom } = one.getBoundingClientRect();
                return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
            }).map((one) => one.textContent)";
        assert_eq!(page.js(covers).await, json!([]), "while the dialog grows");
        page.js("return import('/ui/core/notice.js').then((notice) => notice.tell('Said inside.'))").await;
        page.sees("Said inside.").await;
        assert_eq!(page.js(covers).await, json!([]), "in a tall dialog");
        page.click("Cancel").await;
        page.until("!document.querySelector('dialog')").await;
    }
}

#[tokio::test]
async fn notice_on_a_phone_is_one_row_at_the_bottom_and_covers_no_edited_field() {
    let (page, _, _) = Page::of_lesson(cress(), PHONE).await;
    let tell = "return import('/ui/core/notice.js').then((notice) => notice.tell('Done.', { act: { label: 'Undo', run: () => {} } }))";
    let shape = "const { left, right, top, bottom } = document.querySelector('.notice').getBoundingClientRect();
        const buttons = [...document.querySelectorAll('.notice button')].map((one) => one.getBoundingClientRect().top);
        return [left < 17, innerWidth - right < 17, innerHeight - bottom < 8, bottom - top < 60, new Set(buttons).size]";
    page.js(tell).await;
    assert_eq!(page.js(shape).await, json!([true, true, true, true, 1]));
    // The field with the cursor is at the lower edge of the window, as it is above an on-screen keyboard.
    page.js("const box = document.querySelector('[data-path=assessment]');
             box.focus({ preventScroll: true });
             box.scrollIntoView({ block: 'end', behavior: 'instant' });
             scrollBy({ top: -60, behavior: 'instant' })")
        .await;
    page.js(tell).await;
    let covers = "const [notice, ...others] = ['.notice', '.bar', '[data-path=assessment]'].map((one) => document.querySelector(one).getBoundingClientRect());
        return others.map(({ top, bottom }) => top < notice.bottom && bottom > notice.top)";
    assert_eq!(page.js(covers).await, json!([false, false]));
}

#[tokio::test]
async fn button_in_a_notice_undoes_a_correction_or_a_restored_version() {
    let (page, teacher, id) = Page::of_lesson(hurried(), PHONE).await;
    page.open_findings().await;
    page.click("Correct Duration in minutes …").await;
    page.click("Correct it this way").await;
    page.until(&format!("{SAID} === 'Duration in minutes: corrected.'")).await;
    page.click_on(".notice button").await;
    page.until(&format!("{SAID} === 'Undone: Duration in minutes: corrected.'")).await;
    assert_eq!(stored(&teacher, &id).await["durationMinutes"], 20);
    page.write_and_leave("[data-path=assessment]", "Draw.").await;
    page.saved().await;
    page.view(&format!("#/i/{id}/history")).await;
    page.choose_version("the beginning", "Restore").await;
    page.click("Restore it").await;
    page.until(&format!("{SAID} === 'It is as it was at the beginning.'")).await;
    page.until("document.querySelector('[data-path=assessment]').value !== 'Draw.'").await;
    page.click_on(".notice button").await;
    page.until("document.querySelector('[data-path=assessment]').value === 'Draw.'").await;
}
