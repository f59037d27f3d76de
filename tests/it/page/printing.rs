//! Printed lessons and handouts.

use serde_json::json;

use super::cress;
use crate::support::browser::{Page, WIDE};

#[tokio::test]
async fn a_pupil_sheet_has_boxes_to_tick_safety_before_the_steps_and_a_line_for_the_name() {
    let mut lesson = cress();
    lesson["safety"] = json!(["Wash your hands."]);
    let steps: Vec<_> = (1..=12).map(|number| json!({"text": format!("Do thing {number}.")})).collect();
    lesson["steps"] = json!(steps);
    let (page, teacher, id) = Page::of_lesson(lesson, WIDE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    page.view(&format!("#/i/{id}/print/handout")).await;
    let order = page.js("return [...document.querySelectorAll('.handout [data-field]')].map((e) => e.dataset.field)");
    assert_eq!(order.await, json!(["drivingQuestion", "materials", "safety", "steps"]));
    // The sheet of a pupil has headings for pupils, and that of a teacher the names of the fields.
    page.sees("Our question").await;
    let lists = "return ['materials', 'safety', 'steps'].map((field) => document.querySelector(`[data-field=${field}] :is(ol, ul)`).localName)";
    assert_eq!(page.js(lists).await, json!(["ul", "ul", "ol"]));
    // The list has room for numbers with two digits.
    let room = "const list = document.querySelector('.handout ol'); const style = getComputedStyle(list);
        return parseFloat(style.paddingInlineStart) > 2 * parseFloat(style.fontSize)";
    assert_eq!(page.js(room).await, true);
    page.sees("Name:").await;
    // An address may break after a slash, and nowhere else.
    let parts = "return [...document.querySelectorAll('figcaption span')].slice(-2).map((e) => e.textContent)";
    assert_eq!(page.js(parts).await, json!(["class-5b/", "cress"]));
    assert_eq!(page.js("return document.querySelector('nav [aria-current]')").await, json!(null));
    page.click("For teachers, with the whole lesson").await;
    page.until("!document.querySelector('.handout').innerText.includes('Name:')").await;
    page.sees("Driving question").await;
}

#[tokio::test]
async fn a_sheet_has_the_code_of_the_only_open_link_or_of_the_one_that_is_chosen() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let closed = teacher.create_link(&id, "class-5b", "cress").await;
    teacher.patch(&closed, json!({"archived": true})).await;
    teacher.create_link(&id, "class-5c", "cress").await;
    let sheet = format!("#/i/{id}/print/handout");
    let code = "return document.querySelector('.handout img')?.alt ?? null";
    page.view(&sheet).await;
    assert_eq!(page.js(code).await, "QR code of class-5c/cress");
    teacher.create_link(&id, "class-5d", "cress").await;
    page.view(&sheet).await;
    assert_eq!(page.js(code).await, json!(null));
    page.sees("There are several open links.").await;
    let choices = "return [...document.querySelectorAll('.handout select option')].map((e) => e.textContent)";
    assert_eq!(page.js(choices).await, json!(["No code", "class-5c/cress", "class-5d/cress"]));
    page.js("const menu = document.querySelector('.handout select'); menu.value = '1'; menu.dispatchEvent(new Event('change'))").await;
    page.until("document.querySelector('.handout img')?.alt === 'QR code of class-5d/cress'").await;
    assert_eq!(page.js("return document.body.innerText.includes('This link is closed')").await, false);
    page.view(&format!("#/i/{id}/handout/class-5b/cress")).await;
    page.sees("This link is closed").await;
    assert_eq!(page.js(code).await, "QR code of class-5b/cress");
    page.print_view().await;
    page.until("!document.body.innerText.includes('This link is closed')").await;
}

#[tokio::test]
async fn the_editor_is_printed_as_the_lesson_that_is_written_in_it() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.write("[data-path=assessment]", "Draw what you see.").await;
    page.print_view().await;
    page.sees("Draw what you see.").await;
    let seen = page.js("return document.body.innerText").await;
    let seen = seen.as_str().expect("a text");
    assert!(seen.starts_with("Cress in the dark\n") && !seen.contains("Add") && !seen.contains("Undo"), "{seen}");
    page.appear(WIDE).await;
    page.until("!document.querySelector('.handout').hasChildNodes()").await;
}
