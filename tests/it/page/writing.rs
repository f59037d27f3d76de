//! How the form handles input.

use serde_json::{Value, json};

use super::{cress, hurried, stored};
use crate::support::browser::{Page, WIDE};

const TAB: &str = "\u{e004}";

#[tokio::test]
async fn curriculum_field_suggests_the_curricula_of_other_lessons() {
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress"}), WIDE).await;
    for curriculum in ["NGSS 4-LS1-1", "KS2 Plants"] {
        teacher.create(json!({"title": "Beans", "curriculum": curriculum})).await;
    }
    page.click_on("[data-path=curriculum]").await;
    let offered = "[...(document.activeElement.list?.options ?? [])].map((option) => option.value)";
    page.until(&format!("{offered}.length === 2")).await;
    assert_eq!(page.js(&format!("return {offered}.sort()")).await, json!(["KS2 Plants", "NGSS 4-LS1-1"]));
    page.write_and_leave("[data-path=curriculum]", "KS2 Plants").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["curriculum"], "KS2 Plants");
}

#[tokio::test]
async fn language_field_suggests_languages_by_name() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.click_on("[data-path=language]").await;
    let german =
        "[...(document.activeElement.list?.options ?? [])].find((option) => option.value === 'de').textContent";
    assert_eq!(page.js(&format!("return {german}")).await, "German");
}

#[tokio::test]
async fn invalid_number_is_marked_as_invalid_for_screen_readers() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let box_of = "document.querySelector('[data-path=durationMinutes] input')";
    page.write("[data-path=durationMinutes] input", "soon").await;
    page.until(&format!("{box_of}.ariaInvalid === 'true'")).await;
    page.write("[data-path=durationMinutes] input", "45").await;
    page.until(&format!("{box_of}.ariaInvalid === null")).await;
}

#[tokio::test]
async fn text_field_outside_the_schema_is_edited_as_text_and_not_as_json() {
    let (page, teacher, id) =
        Page::of_lesson(json!({"title": "Cress", "unplacedText": "One.\nTwo.", "ours": "A text"}), WIDE).await;
    let unplaced = async || stored(&teacher, &id).await["unplacedText"].clone();
    page.sees("Text not placed yet").await;
    page.until("document.querySelector('[data-path=ours]').value === 'A text'").await;
    assert_eq!(page.js("return document.querySelectorAll('.json').length").await, 0);
    page.write("[data-path=unplacedText]", "Two.").await;
    page.saved().await;
    assert_eq!(unplaced().await, "Two.");
    // An author who empties the field can continue to write in it.
    page.write("[data-path=unplacedText]", "").await;
    page.saved().await;
    page.press("Three.").await;
    page.saved().await;
    assert_eq!(unplaced().await, "Three.");
    page.choose("Text not placed yet", "Remove Text not placed yet").await;
    page.until("!document.querySelector('[data-field=unplacedText]')").await;
    page.saved().await;
    assert_eq!(unplaced().await, Value::Null);
}

#[tokio::test]
async fn minutes_typed_in_common_notations_are_understood_and_the_total_is_shown() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let total = "document.querySelector('[data-field=steps] .total').textContent";
    page.until(&format!("{total} === '25 of 45 min'")).await;
    for (typed, shown) in [("50 min", "50"), ("2 x 45 minutes", "90"), ("1.5 h", "90")] {
        page.write_and_leave("[data-path=durationMinutes] input", typed).await;
        page.until(&format!("document.querySelector('[data-path=durationMinutes] input').value === '{shown}'")).await;
        page.saved().await;
    }
    page.until(&format!("{total} === '25 of 90 min'")).await;
    page.write_and_leave("[data-path='steps.1.minutes'] input", "20 minutes").await;
    page.until(&format!("{total} === '35 of 90 min'")).await;
    page.write_and_leave("[data-path=durationMinutes] input", "30").await;
    page.until("document.querySelector('[data-field=steps] .total.alarm')?.textContent === '35 of 30 min'").await;
    // The total is red only while the rule reports a contradiction.
    page.open_findings().await;
    page.click("Not a contradiction").await;
    page.until(&format!("{total} === '35 of 30 min' && !document.querySelector('.total.alarm')")).await;
}

/// The page and the rule `duration_sum` agree on the minutes that count.
#[tokio::test]
async fn total_of_the_steps_excludes_time_outside_the_lesson() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let step = |text: &str, minutes: f64| json!({"text": text, "minutes": minutes});
    let one = [step("Sow", 40.0), step("Leave it overnight", 1440.0), step("Meanwhile, draw it", 30.0)];
    let several = [step("First lesson: plan it", 20.5), step("Second lesson: test it", 20.5)];
    for (steps, duration, shown) in [
        (one.as_slice(), 45, "40 of 45 min, and 1,470 outside the lesson"),
        (&one[1..], 45, "0 of 45 min, and 1,470 outside the lesson"),
        (several.as_slice(), 41, "41 of 41 min"),
        (&several[1..], 41, "0 of 41 min, and 20.5 outside the lesson"),
    ] {
        let id = teacher.create(json!({"title": "Cress", "durationMinutes": duration, "steps": steps})).await;
        assert_eq!(stored(&teacher, &id).await["contradictions"], json!([]), "{shown}");
        page.view(&format!("#/i/{id}")).await;
        page.until(&format!("document.querySelector('[data-field=steps] .total').textContent === '{shown}'")).await;
        page.until("!document.querySelector('[data-field=steps] .total.alarm')").await;
    }
}

#[tokio::test]
async fn new_lesson_has_the_cursor_in_its_title_and_tab_moves_between_fields() {
    let (page, _) = Page::of_service(WIDE).await;
    page.click("New lesson").await;
    page.until("document.activeElement.dataset.path === 'title'").await;
    page.press("Cress").await;
    page.until("document.querySelector('h1').textContent === 'Cress'").await;
    for path in ["grade", "groupSize", "durationMinutes", "curriculum"] {
        page.press(TAB).await;
        page.until(&format!("document.activeElement.closest('[data-path]')?.dataset.path === '{path}'")).await;
    }
    page.chord(&['\u{e008}'], '\u{e004}').await;
    page.until("document.activeElement.getAttribute('aria-label') === 'More for Curriculum'").await;
}

#[tokio::test]
async fn preview_of_a_correction_names_a_step_with_changed_minutes_by_its_text() {
    let (page, _, _) = Page::of_lesson(hurried(), WIDE).await;
    page.open_findings().await;
    page.click("Correct Steps …").await;
    page.until("document.querySelector('dialog dt')").await;
    let place = page.js("return document.querySelector('dialog dt').textContent").await;
    assert_eq!(place, "Step 1, minutes “Sow twenty seeds on each saucer.”");
}

/// A field has the same position with and without the focus.
#[tokio::test]
async fn empty_field_shows_its_hint_and_the_layout_does_not_move_on_focus() {
    let (page, _, _) = Page::of_lesson(json!({"title": "Cress"}), WIDE).await;
    let hints = "return ['curriculum', 'hypothesis', 'grade'].map((path) => document.querySelector(`[data-path=${path}]`).placeholder)";
    let expected = ["The curriculum or standard.", "What is expected to happen, and why.", "to write"];
    assert_eq!(page.js(hints).await, json!(expected));
    let hint = "return getComputedStyle(document.querySelector('[data-field=materials] .add'), '::after').content";
    assert_eq!(page.js(hint).await, json!("\"What each group needs.\""));
    let tops =
        "return [...document.querySelectorAll('.field')].map((field) => field.getBoundingClientRect().top + scrollY)";
    let before = page.js(tops).await;
    for path in ["grade", "curriculum", "hypothesis", "assessment"] {
        page.click_on(&format!("[data-path={path}]")).await;
        page.until(&format!("document.activeElement.dataset.path === '{path}'")).await;
        assert_eq!(page.js(tops).await, before, "{path}");
    }
}
