//! How the form handles input.

use serde_json::{Value, json};

use super::{cress, hurried, stored};
use crate::support::browser::{Page, WIDE};
use crate::support::picture::numbered;

const TAB: &str = "\u{e004}";

#[tokio::test]
async fn curricula_of_other_lessons_are_suggested() {
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
async fn languages_are_suggested_and_pictures_stay_though_nobody_writes_them() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    let picture = json!({"id": teacher.add_picture(&path, numbered(1)).await, "alt": "A wet crater"});
    let mut lesson = cress();
    lesson["steps"][0]["picture"] = picture.clone();
    let changes = json!({"title": "Cress at noon", "pictures": [picture], "steps": lesson["steps"]});
    let changed = teacher.patch(&path, changes).await;
    assert_eq!(changed.status.as_u16(), 200, "{changed}");
    let titles = "[...document.querySelectorAll('[data-path=title], [data-path=title] *')]";
    page.until(&format!("{titles}.some((title) => title.value === 'Cress at noon')")).await;
    page.click_on("[data-path=language]").await;
    let german =
        "[...(document.activeElement.list?.options ?? [])].find((option) => option.value === 'de').textContent";
    assert_eq!(page.js(&format!("return {german}")).await, "German");
    let shown =
        page.js("return document.querySelector('.form').innerText + document.querySelectorAll('.json').length").await;
    assert!(!shown.to_string().contains("Picture") && shown.to_string().contains("0\""), "{shown}");
    page.write_and_leave("[data-path='steps.0.text']", "Sow thirty seeds.").await;
    page.saved().await;
    let stored = stored(&teacher, &id).await;
    assert_eq!((&stored["steps"][0]["picture"], &stored["pictures"][0]), (&picture, &picture));
}

#[tokio::test]
async fn a_number_that_is_none_is_marked_as_invalid_for_screen_readers() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let box_of = "document.querySelector('[data-path=durationMinutes] input')";
    page.write("[data-path=durationMinutes] input", "soon").await;
    page.until(&format!("{box_of}.ariaInvalid === 'true'")).await;
    page.write("[data-path=durationMinutes] input", "45").await;
    page.until(&format!("{box_of}.ariaInvalid === null")).await;
}

#[tokio::test]
async fn a_text_that_the_schema_does_not_name_is_written_as_text() {
    let (page, teacher, id) =
        Page::of_lesson(json!({"title": "Cress", "unplacedText": "One.\nTwo.", "ours": "A text"}), WIDE).await;
    let unplaced = async || stored(&teacher, &id).await["unplacedText"].clone();
    page.sees("Text not placed yet").await;
    page.until("document.querySelector('[data-path=ours]').value === 'A text'").await;
    assert_eq!(page.js("return document.querySelectorAll('.json').length").await, 0);
    page.write("[data-path=unplacedText]", "Two.").await;
    page.saved().await;
    assert_eq!(unplaced().await, "Two.");
    // An author who empties the field can go on writing in it.
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
async fn minutes_are_taken_as_people_write_them_and_the_steps_say_what_they_take() {
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
}

/// The page and the rule `duration_sum` agree on the minutes that count.
#[tokio::test]
async fn the_total_of_the_steps_leaves_out_what_runs_outside_the_lesson() {
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
async fn a_new_lesson_begins_in_its_title_and_tab_leads_from_field_to_field() {
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
async fn a_preview_names_the_step_whose_minutes_would_change_by_its_text() {
    let (page, _, _) = Page::of_lesson(hurried(), WIDE).await;
    page.open_findings().await;
    page.click("Correct Steps …").await;
    page.until("document.querySelector('dialog dt')").await;
    let place = page.js("return document.querySelector('dialog dt').textContent").await;
    assert_eq!(place, "Step 1, minutes “Sow twenty seeds on each saucer.”");
}

#[tokio::test]
async fn the_help_of_the_field_with_the_focus_covers_nothing() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let covered = page
        .js("return [...document.querySelectorAll('.form > .field:not(.short)')].flatMap((field) => {
                field.querySelector('textarea, input, select, button.add').focus();
                const help = field.querySelector('.margin .help');
                if (!help?.checkVisibility()) return [];
                const box = help.getBoundingClientRect();
                const hits = (other) => {
                    const { left, right, top, bottom } = other.getBoundingClientRect();
                    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
                };
                const others = [...document.querySelectorAll('.field label, .field .label, .field summary, textarea, input')];
                return [[field.dataset.field, others.filter(hits).map((one) => one.textContent)]];
             })")
        .await;
    let covered = covered.as_array().expect("fields");
    assert!(covered.len() > 3, "{covered:?}");
    assert!(covered.iter().all(|field| field[1] == json!([])), "{covered:?}");
    // A click on a button of the next field is not lost, although the help of this field disappears.
    page.click_on("[data-path=curriculum]").await;
    page.click("Add to Objectives").await;
    page.until("document.activeElement.dataset.path === 'objectives.1'").await;
}
