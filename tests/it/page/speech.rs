//! The announcements of screen readers on the page.

use serde_json::{Value, json};

use super::{cress, stored};
use crate::support::browser::{Page, WIDE};

const CONTROL: char = '\u{e009}';
const ALT: char = '\u{e00a}';
const BACKSPACE: &str = "\u{e003}";
const ENTER: &str = "\u{e007}";
const F8: &str = "\u{e038}";
const STEP: &str = "[data-path='steps.0.text']";
const MINUTES: &str = "[data-path='steps.0.minutes'] input";
const DURATION: &str = "[data-path=durationMinutes] input";
const TOO_LONG: &str = "The steps take 25 minutes, but the lesson lasts 20.";

impl Page {
    /// Starts to record what screen readers announce.
    async fn listen(&self) {
        self.js(
            "window.said = [];
             const region = (node) => node.parentElement?.closest('[role=status], [role=alert], [aria-live]');
             new MutationObserver((all) => {
                 for (const { addedNodes } of all)
                     for (const node of addedNodes)
                         if (region(node) && node.textContent.trim()) said.push(node.querySelector?.('p')?.textContent ?? node.textContent);
             }).observe(document.body, { childList: true, subtree: true });",
        )
        .await;
    }

    /// Waits until screen readers announce this. Returns all announcements since the last call.
    async fn hears(&self, words: &str) -> Value {
        self.until(&format!("said.includes({})", json!(words))).await;
        self.js("return said.splice(0)").await
    }

    /// Returns the accessible description of the control that matches a selector.
    async fn description(&self, selector: &str) -> Value {
        self.js(&format!(
            "return (document.querySelector({}).getAttribute('aria-describedby') ?? '').split(' ')
                .map((id) => document.getElementById(id)?.textContent ?? '').join(' ')",
            json!(selector)
        ))
        .await
    }
}

#[tokio::test]
async fn screen_reader_announces_the_new_sum_of_minutes_once_and_not_each_save() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.until(&format!("document.querySelector(\"{STEP}\")")).await;
    page.listen().await;
    page.write(STEP, "Sow thirty seeds.").await;
    page.saved().await;
    page.write(MINUTES, "20").await;
    page.saved().await;
    assert_eq!(page.hears("30 of 45 min").await, json!(["30 of 45 min"]));
}

#[tokio::test]
async fn screen_reader_announces_only_that_saving_fails_and_that_saving_works_again() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.until("document.querySelector('[data-path=assessment]')").await;
    page.listen().await;
    page.write_and_leave("[data-path=assessment]", "Draw one.").await;
    page.saved().await;
    page.offline(true).await;
    page.write_and_leave("[data-path=assessment]", "Draw both.").await;
    page.until("said.some((words) => words.startsWith('Not saved: '))").await;
    page.offline(false).await;
    let all = page.hears("All saved").await;
    let all: Vec<&str> = all.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(matches!(*all, [first, "All saved"] if first.starts_with("Not saved: ")), "{all:?}");
}

#[tokio::test]
async fn screen_reader_announces_a_new_contradiction_and_describes_both_fields_with_it() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.until(&format!("document.querySelector('{DURATION}')")).await;
    page.listen().await;
    page.write_and_leave(DURATION, "20").await;
    assert_eq!(page.hears(TOO_LONG).await, json!([TOO_LONG]));
    for field in [DURATION, MINUTES, "[data-path=steps]"] {
        let description = page.description(field).await;
        assert!(description.as_str().is_some_and(|words| words.ends_with(TOO_LONG)), "{field}: {description}");
    }
    page.click("Undo").await;
    page.hears("No contradiction is left.").await;
    assert_eq!(page.description(DURATION).await, "How long the lesson lasts.");
    page.click("Redo").await;
    page.hears(TOO_LONG).await;
}

#[tokio::test]
async fn screen_reader_does_not_announce_the_users_own_undo_as_a_change_elsewhere() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.until(&format!("document.querySelector(\"{STEP}\")")).await;
    page.listen().await;
    page.click("Remove Step 2").await;
    page.saved().await;
    page.hears("15 of 45 min").await;
    page.chord(&[CONTROL, ALT], 'z').await;
    assert_eq!(page.hears("25 of 45 min").await, json!(["Undone: Step 2 removed.", "25 of 45 min"]));
}

#[tokio::test]
async fn screen_reader_announces_which_text_of_a_conflict_was_chosen() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.until("document.querySelector('[data-path=assessment]')").await;
    let fault = "document.querySelector('[data-field=assessment] .fault').textContent";
    for (theirs, choice, said) in
        [("Theirs.", "Take the other", "The other text is kept."), ("Again.", "Keep mine", "Yours is kept.")]
    {
        page.offline(true).await;
        teacher.patch(&format!("/api/investigation/{id}"), json!({"assessment": theirs})).await;
        page.write_and_leave("[data-path=assessment]", "Mine").await;
        page.offline(false).await;
        // Until the user decides, the field shows the conflict.
        page.until(&format!("{fault}.includes('choose which text to keep')")).await;
        page.listen().await;
        page.click("Compare …").await;
        page.click(choice).await;
        let all = page.hears(said).await;
        assert!(!all.to_string().contains("Both changes are kept"), "{all}");
        page.saved().await;
        page.until(&format!("{fault} === ''")).await;
    }
    assert_eq!(stored(&teacher, &id).await["assessment"], "Mine");
}

#[tokio::test]
async fn removal_of_an_empty_row_is_announced() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.until("document.querySelector('[data-path=objectives]')").await;
    page.listen().await;
    page.click("Add to Objectives").await;
    page.press(BACKSPACE).await;
    assert_eq!(page.hears("Empty row removed.").await, json!(["Empty row removed."]));
}

#[tokio::test]
async fn conflict_names_its_field_and_is_settled_there_with_the_keyboard() {
    const ASSESSMENT: &str = "[data-path=assessment]";
    const ASKS: &str = "Assessment: It was changed elsewhere, too: choose which text to keep. It is not saved yet.";
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
    page.listen().await;
    page.offline(true).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"assessment": "Theirs."})).await;
    page.write(ASSESSMENT, "Mine").await;
    page.offline(false).await;
    page.hears(&format!("{ASKS} Compare …")).await;
    let is_in_text = format!("document.activeElement.matches('{ASSESSMENT}')");
    let state = format!("const box = document.querySelector('{ASSESSMENT}'); return [{is_in_text}, box.ariaInvalid]");
    assert_eq!(page.js(&state).await, json!([true, "true"]));
    let description = page.description(ASSESSMENT).await;
    assert!(description.as_str().is_some_and(|words| words.ends_with(ASKS)), "{description}");
    let is_at_button = "document.activeElement.matches('[data-field=assessment] .fault button')";
    page.press(F8).await;
    page.until(is_at_button).await;
    page.press(F8).await;
    page.until(&is_in_text).await;
    page.press(F8).await;
    page.until(is_at_button).await;
    page.press(ENTER).await;
    page.click("Keep mine").await;
    page.saved().await;
    page.until(&is_in_text).await;
    assert_eq!(page.js(&state).await, json!([true, null]));
    let description = page.description(ASSESSMENT).await;
    assert!(!description.as_str().is_some_and(|words| words.contains("elsewhere")), "{description}");
    assert_eq!(stored(&teacher, &id).await["assessment"], "Mine");
}

#[tokio::test]
async fn number_with_a_unit_is_refused_only_after_it_was_left_and_could_not_be_read() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.until(&format!("document.querySelector('{DURATION}')")).await;
    page.listen().await;
    page.write_and_leave(DURATION, "50 min").await;
    page.until(&format!("document.querySelector('{DURATION}').value === '50'")).await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["durationMinutes"], 50);
    page.write_and_leave(DURATION, "60 bananas").await;
    let refused = "Duration in minutes: Enter a whole number, such as 60. Your text is kept. It is not saved yet.";
    let all = page.hears(refused).await;
    assert!(!all.to_string().contains("such as 50"), "{all}");
    assert_eq!(page.js(&format!("return document.querySelector('{DURATION}').ariaInvalid")).await, "true");
}

#[tokio::test]
async fn control_s_says_whether_everything_is_saved() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.until("document.querySelector('[data-path=assessment]')").await;
    page.listen().await;
    page.write("[data-path=assessment]", "Draw one.").await;
    page.chord(&[CONTROL], 's').await;
    page.hears("All saved").await;
    page.write(DURATION, "abc").await;
    page.chord(&[CONTROL], 's').await;
    page.hears("One field is not saved").await;
}

#[tokio::test]
async fn screen_reader_does_not_repeat_a_notice_when_the_next_notice_appears() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let regions = "return ['notices', 'spoken'].map((id) => document.getElementById(id).ariaAtomic)";
    assert_eq!(page.js(regions).await, json!(["false", "false"]));
    assert_eq!(page.js("return document.querySelector('.overview summary [role]')").await, Value::Null);
}

#[tokio::test]
async fn screen_reader_announces_the_number_of_lessons_after_each_filter_even_if_it_is_the_same() {
    let (page, teacher) = Page::of_service(WIDE).await;
    teacher.create(cress()).await;
    page.view("#/").await;
    page.click("Filters and order").await;
    for grade in ["5", ""] {
        page.js("document.querySelector('#spoken').replaceChildren()").await;
        page.write(".filters input[size]", grade).await;
        // A new line is read, even if its words are the same. The same words in the same element are not.
        page.until("document.querySelector('#spoken').textContent === '1 lesson'").await;
    }
}
