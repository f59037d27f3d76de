//! A list or an object that two people change at the same time: changes of different rows are merged, row by row.

use serde_json::{Value, json};

use super::cress;
use crate::support::browser::{Page, WIDE};
use crate::support::{COLLEAGUE, Caller, TestApp};

const TEXTS: [&str; 6] =
    ["Sow twenty seeds.", "Cover one saucer.", "Water both.", "Wait a week.", "Draw the cress.", "Compare."];

fn steps(texts: &[&str]) -> Value {
    texts.iter().map(|text| json!({"text": text, "minutes": 5})).collect()
}

async fn step_texts(caller: &Caller, path: &str) -> Vec<String> {
    let steps = caller.get(path).await.data()["steps"].clone();
    let texts = steps.as_array().expect("a list").iter().map(|step| step["text"].as_str().expect("a text").to_owned());
    texts.collect()
}

/// Opens a lesson with six steps. Returns the page, a colleague and the path of the lesson.
async fn open() -> (Page, Caller, String) {
    let mut lesson = cress();
    lesson["steps"] = steps(&TEXTS);
    let (page, _, id) = Page::of_lesson(lesson, WIDE).await;
    page.until("document.querySelector('[data-path=\"steps.4.text\"]')").await;
    let colleague = page.signed_in(COLLEAGUE);
    (page, colleague, format!("/api/investigation/{id}"))
}

async fn put_the_cursor(page: &Page, step: usize, at: usize) {
    let script = format!(
        "const box = document.querySelector('[data-path=\"steps.{step}.text\"]'); box.focus(); box.setSelectionRange({at}, {at})"
    );
    page.js(&script).await;
}

#[tokio::test]
async fn changes_of_different_steps_are_merged_and_the_cursor_stays_in_its_step() {
    let (page, colleague, path) = open().await;
    page.offline(true).await;
    put_the_cursor(&page, 4, 4).await;
    page.press(" and label").await;
    let theirs = steps(&["Cover a saucer.", TEXTS[2], TEXTS[3], TEXTS[4], TEXTS[5], "Clean up."]);
    colleague.patch(&path, json!({"steps": theirs})).await;
    page.offline(false).await;
    page.sees("Steps: changed elsewhere, too. Both changes are kept.").await;
    assert_eq!(page.js("return document.querySelectorAll('dialog').length").await, 0);
    assert_eq!(page.js("return document.activeElement.dataset.path").await, "steps.3.text");
    page.press(" it: draw").await;
    page.press("\u{e004}").await;
    page.saved().await;
    let both = ["Cover a saucer.", TEXTS[2], TEXTS[3], "Draw and label it: draw the cress.", TEXTS[5], "Clean up."];
    assert_eq!(step_texts(&colleague, &path).await, both);
}

#[tokio::test]
async fn cursor_stays_in_a_new_row_while_others_remove_rows_above() {
    let (page, colleague, path) = open().await;
    put_the_cursor(&page, 2, 0).await;
    // Enter goes from the text to the minutes, and from there to a new step.
    page.press("\u{e010}\u{e007}\u{e007}").await;
    page.saved().await;
    let mut steps = colleague.get(&path).await.data()["steps"].clone();
    steps.as_array_mut().expect("a list").remove(0);
    colleague.patch(&path, json!({"steps": steps})).await;
    page.until("document.querySelector('[data-path=\"steps.0.text\"]').value === 'Cover one saucer.'").await;
    page.press("Wait an hour.").await;
    page.press("\u{e004}").await;
    page.saved().await;
    let both = [TEXTS[1], TEXTS[2], "Wait an hour.", TEXTS[3], TEXTS[4], TEXTS[5]];
    assert_eq!(step_texts(&colleague, &path).await, both);
}

const THEIRS: [&str; 6] = ["Sow twenty seeds.", "Cover no saucer.", TEXTS[2], TEXTS[3], TEXTS[4], TEXTS[5]];

/// Changes step 2 on the page while the browser is offline, and changes the same step as the colleague. Then reconnects
/// the browser, and opens the dialog that asks which text to keep.
async fn change_step_two_on_both_sides(page: &Page, colleague: &Caller, path: &str) {
    page.offline(true).await;
    page.write("[data-path=\"steps.1.text\"]", "Cover both saucers.").await;
    colleague.patch(path, json!({"steps": steps(&THEIRS)})).await;
    page.offline(false).await;
    page.click("Compare …").await;
    page.sees("Step 2 was changed elsewhere, too").await;
}

#[tokio::test]
async fn author_who_keeps_both_texts_of_a_step_gets_two_steps_and_no_step_that_the_colleague_removed() {
    let (page, colleague, path) = open().await;
    change_step_two_on_both_sides(&page, &colleague, &path).await;
    let sides = page.js("return [...document.querySelectorAll('.sides pre')].map((side) => side.innerText)").await;
    assert_eq!(sides, json!(["Cover both saucers. (5 min)", "Cover no saucer. (5 min)"]));
    colleague.patch(&path, json!({"steps": steps(&THEIRS[..5])})).await;
    page.click("Keep both").await;
    page.saved().await;
    let both = [TEXTS[0], "Cover no saucer.", "Cover both saucers.", TEXTS[2], TEXTS[3], TEXTS[4]];
    page.until("document.querySelectorAll('[data-field=steps] li').length === 6").await;
    assert_eq!(step_texts(&colleague, &path).await, both);
    // The button that opened the question is gone, so the cursor is at the place of the question.
    assert_eq!(page.js("return document.activeElement.dataset.path").await, "steps.1.text");
}

#[tokio::test]
async fn conflict_about_a_step_disappears_if_the_colleague_reverts_their_own_change() {
    let (page, colleague, path) = open().await;
    change_step_two_on_both_sides(&page, &colleague, &path).await;
    page.click("Decide later").await;
    page.sees("Changed elsewhere").await;
    colleague.patch(&path, json!({"steps": steps(&TEXTS)})).await;
    page.saved().await;
    assert_eq!(step_texts(&colleague, &path).await[1], "Cover both saucers.");
}

#[tokio::test]
async fn text_typed_into_a_removed_row_is_not_put_into_another_row() {
    let (page, colleague, path) = open().await;
    put_the_cursor(&page, 2, 0).await;
    let theirs = [TEXTS[0], TEXTS[1], TEXTS[3], TEXTS[4], TEXTS[5]];
    colleague.patch(&path, json!({"steps": steps(&theirs)})).await;
    page.sees("Steps: changed by another author just now.").await;
    page.press("Lost").await;
    page.write("[data-path=assessment]", "Draw.").await;
    page.saved().await;
    assert_eq!(step_texts(&colleague, &path).await, theirs);
}

#[tokio::test]
async fn cursor_and_selection_stay_at_their_words_while_a_colleague_types_before_them() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    let other = Page::at(&format!("http://{}", app.address), WIDE, Some(app.session(COLLEAGUE).await)).await;
    other.view(&format!("#/i/{id}")).await;
    let select = async |page: &Page, from: &str, to: &str| {
        let box_ = "const box = document.querySelector('[data-path=drivingQuestion]'); box.focus();";
        page.js(&format!("{box_} box.setSelectionRange({from}, {to})")).await;
    };
    let shows = async |page: &Page, text: &str| {
        page.until(&format!("document.querySelector('[data-path=drivingQuestion]').value === {}", json!(text))).await;
    };
    shows(&page, "Does cress need light to grow?").await;
    shows(&other, "Does cress need light to grow?").await;
    select(&page, "box.value.length", "box.value.length").await;
    select(&other, "0", "0").await;
    other.press("Think: ").await;
    shows(&page, "Think: Does cress need light to grow?").await;
    page.press(" Why?").await;
    shows(&other, "Think: Does cress need light to grow? Why?").await;
    select(&page, "box.value.indexOf('light')", "box.value.indexOf(' to')").await;
    other.press("first: ").await;
    shows(&page, "Think: first: Does cress need light to grow? Why?").await;
    page.press("water").await;
    shows(&other, "Think: first: Does cress need water to grow? Why?").await;
}
