//! The page under a finger: how large what it can hit is, and what opens where there is room.

use serde_json::{Value, json};

use super::{cress, hurried};
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page};

/// Returns what a finger can hit in less than 44 px, with its size. Texts in rows and boxes to tick are left out.
const SMALL: &str = "
    const controls = 'a, button, select, summary, input:not([type=checkbox]), textarea, label.check, .grip';
    const hits = (control) => (x, y) => control.contains(document.elementFromPoint(x, y));
    const reach = (hit, x, y, right, down) => {
        let way = 0;
        while (way < 44 && hit(x + way * right, y + way * down)) way += 1;
        return way;
    };
    return [...document.querySelectorAll(controls)]
        .filter((control) => !control.closest('.skip, .entry') && !control.disabled && control.checkVisibility())
        .map((control) => {
            control.scrollIntoView({ block: 'center', behavior: 'instant' });
            const { x, y, width, height } = control.getBoundingClientRect();
            const from = [hits(control), x + width / 2, y + height / 2];
            const size = [[1, 0], [0, 1]].map(([x, y]) => reach(...from, x, y) + reach(...from, -x, -y) - 1);
            return [control.getAttribute('aria-label') ?? control.textContent.trim(), ...size];
        })
        .filter(([, width, height]) => width < 43 || height < 43);";

#[tokio::test]
async fn touch_targets_of_list_and_editor_are_large_enough() {
    let (page, teacher) = Page::of_service(PHONE).await;
    teacher.create(json!({"title": "Beans"})).await;
    let id = teacher.create(hurried()).await;
    for view in ["#/".to_owned(), format!("#/i/{id}")] {
        page.view(&view).await;
        page.js("document.querySelectorAll('details:not(.menu)').forEach((one) => { one.open = true; })").await;
        assert_eq!(page.js(SMALL).await, json!([]), "{view}");
    }
}

#[tokio::test]
async fn menu_without_room_below_opens_upwards() {
    let (app, _, teacher) = TestApp::start().await;
    for number in 0..12 {
        teacher.create(json!({"title": format!("Lesson {number}")})).await;
    }
    let page = Page::of(&app, PHONE).await;
    let bottom = "document.querySelector('.menu[open] .grave').getBoundingClientRect().bottom";
    page.sees("12 lessons").await;
    page.click_on(".rows > li:first-child .menu summary").await;
    assert_eq!(page.js("return document.querySelector('.menu.up')").await, Value::Null);
    // The last row stands at the lower edge of the window, where clicks of a person would find it.
    page.js("scrollTo(0, document.body.scrollHeight); document.querySelector('.rows > li:last-child summary').click()")
        .await;
    page.until("document.querySelector('.rows > li:last-child .menu.up')").await;
    assert_eq!(page.js(&format!("return {bottom} <= innerHeight")).await, true);
}

#[tokio::test]
async fn keys_scroll_a_dialog_taller_than_the_window() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    let path = format!("/api/investigation/{id}");
    let steps: Vec<_> = (1..=40).map(|number| json!({"text": format!("Look at saucer {number}.")})).collect();
    teacher.patch(&path, json!({"steps": steps})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.click("Restore the beginning").await;
    page.until("document.querySelector('dialog[open] .body').tabIndex === 0").await;
    page.until("document.activeElement.matches('dialog h2')").await;
    page.press("\u{e004}\u{e010}").await;
    page.until("document.querySelector('dialog .body').scrollTop > 0").await;
}
