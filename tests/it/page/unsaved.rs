//! Unsaved text. The page keeps unsaved text in the browser, saves it as soon as possible, and never loses it.

use serde_json::json;

use super::{cress, hurried, stored, write_as_the_session_ends};
use crate::support::browser::{Page, WIDE};
use crate::support::{Caller, TEACHER, TestApp};

const ASSESSMENT: &str = "[data-path=assessment]";

/// Opens a lesson, and waits until its form is shown.
async fn open(page: &Page, id: &str) {
    page.view(&format!("#/i/{id}")).await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
}

/// Opens a new lesson, and waits until its form is shown.
async fn with_lesson() -> (Page, Caller, String) {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
    (page, teacher, id)
}

/// Writes a text while the browser is offline.
async fn write_offline(page: &Page, text: &str) {
    page.offline(true).await;
    page.write_and_leave(ASSESSMENT, text).await;
    page.until("document.querySelector('.saving').dataset.word === 'waiting'").await;
}

async fn shows(page: &Page, text: &str) {
    page.until(&format!("document.querySelector('{ASSESSMENT}').value === {}", json!(text))).await;
}

#[tokio::test]
async fn unsaved_text_is_restored_and_saved_when_the_lesson_is_opened_again() {
    let (page, teacher, id) = with_lesson().await;
    write_offline(&page, "Kept").await;
    page.click("History").await;
    page.sees("This could not be opened").await;
    page.offline(false).await;
    open(&page, &id).await;
    shows(&page, "Kept").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["assessment"], "Kept");
}

#[tokio::test]
async fn unsaved_text_of_a_closed_lesson_is_saved_when_the_network_is_back() {
    let (page, teacher, id) = with_lesson().await;
    write_offline(&page, "Kept").await;
    page.click("Fieldbook").await;
    page.sees("This could not be opened").await;
    page.offline(false).await;
    page.sees("Your text in “Cress in the dark” is saved now.").await;
    assert_eq!(stored(&teacher, &id).await["assessment"], "Kept");
    assert_eq!(page.js("return Object.keys(localStorage).filter((key) => key.includes('draft')).length").await, 0);
}

#[tokio::test]
async fn list_names_the_lessons_with_unsaved_text_until_it_is_saved() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let [one, other] = [teacher.create(cress()).await, teacher.create(json!({"title": "Beans"})).await];
    for id in [&one, &other] {
        open(&page, id).await;
        page.js("window.real ??= fetch; window.fetch = (path, options) => options.method === 'PATCH' && !window.go ? Promise.reject(new TypeError('away')) : real(path, options)").await;
        page.write_and_leave(ASSESSMENT, "Kept").await;
        page.until("document.querySelector('.saving').dataset.word === 'waiting'").await;
    }
    page.click("All lessons").await;
    let named = "document.querySelector('.unsaved')?.innerText";
    page.until(&format!(
        "/^Text that is not saved yet: (Cress in the dark, Beans|Beans, Cress in the dark)\\.$/.test({named})"
    ))
    .await;
    page.js("window.go = true; dispatchEvent(new Event('online'))").await;
    page.until("document.querySelector('.unsaved').hidden").await;
    for id in [&one, &other] {
        assert_eq!(stored(&teacher, id).await["assessment"], "Kept");
    }
}

#[tokio::test]
async fn editor_opened_while_its_text_is_saved_in_the_background_shows_the_text() {
    let (page, _, id) = with_lesson().await;
    write_offline(&page, "Kept").await;
    page.click("Fieldbook").await;
    page.sees("This could not be opened").await;
    // The save begins before the editor opens. The editor's own read arrives after the save has ended.
    page.js("const [real, look] = [fetch, () => new Promise((resolve) => setTimeout(resolve, 20))];
         const drafts = () => Object.keys(localStorage).some((key) => key.includes('draft'));
         window.fetch = async (path, options) => {
           if (options.method === 'PATCH') for (window.saving = true; !window.go; ) await look();
           const answer = await real(path, options);
           if (window.saving && options.method === 'GET') while (drafts()) await look();
           return answer;
         };")
        .await;
    page.offline(false).await;
    page.until("window.saving").await;
    page.js(&format!("location.hash = '#/i/{id}'; addEventListener('hashchange', () => window.go = true)")).await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
    shows(&page, "Kept").await;
}

#[tokio::test]
async fn reload_loses_no_typed_text() {
    let (page, teacher, id) = with_lesson().await;
    write_offline(&page, "Typed before the reload").await;
    page.offline(false).await;
    page.js("window.fetch = () => Promise.reject(new TypeError('away'))").await;
    page.write("[data-path=hypothesis]", "And this").await;
    page.js("location.reload()").await;
    page.until("document.querySelector('[data-path=hypothesis]')?.value === 'And this'").await;
    page.saved().await;
    let lesson = stored(&teacher, &id).await;
    let both = (&lesson["assessment"], &lesson["hypothesis"]);
    assert_eq!(both, (&json!("Typed before the reload"), &json!("And this")));
}

#[tokio::test]
async fn saving_resumes_when_the_service_is_back() {
    let (page, teacher, id) = with_lesson().await;
    // The browser does not notice that a service is back, so the page must try again.
    page.js("window.real = fetch; window.fetch = () => Promise.reject(new TypeError('away'))").await;
    page.write_and_leave(ASSESSMENT, "Kept").await;
    page.sees("The service cannot be reached").await;
    page.js("window.fetch = real").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["assessment"], "Kept");
}

#[tokio::test]
async fn escape_in_the_conflict_dialog_changes_nothing() {
    let (page, teacher, id) = with_lesson().await;
    write_offline(&page, "Mine").await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"assessment": "Theirs"})).await;
    page.offline(false).await;
    page.click("Compare …").await;
    page.sees("Assessment was changed elsewhere, too").await;
    page.press("\u{e00c}").await;
    page.until("!document.querySelector('dialog[open]')").await;
    page.sees("Changed elsewhere").await;
    shows(&page, "Mine").await;
    assert_eq!(stored(&teacher, &id).await["assessment"], "Theirs");
    page.js("location.reload()").await;
    page.click("Compare …").await;
    page.sees("Assessment was changed elsewhere, too").await;
    page.click("Keep mine").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["assessment"], "Mine");
}

#[tokio::test]
async fn message_about_a_refused_operation_names_the_unsaved_changes() {
    let (page, teacher, id) = Page::of_lesson(hurried(), WIDE).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"assessment": "Draw."})).await;
    open(&page, &id).await;
    write_offline(&page, "Not saved").await;
    page.open_findings().await;
    for name in ["Undo", "Correct Duration in minutes …", "Fit the other fields to Title", "History of Title"] {
        if name.ends_with("Title") {
            page.click("More for Title").await;
        }
        page.click(name).await;
        page.sees("Nothing was done, because your last changes are not saved yet.").await;
        page.js("document.getElementById('notices').replaceChildren()").await;
    }
    assert_eq!(stored(&teacher, &id).await["assessment"], "Draw.");
    page.offline(false).await;
    page.saved().await;
}

#[tokio::test]
async fn text_of_a_deleted_lesson_can_be_saved_as_a_new_lesson() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let (now, later) = (teacher.create(cress()).await, teacher.create(cress()).await);
    // The first lesson is deleted while its editor is open. The new lesson has everything that the editor shows.
    open(&page, &now).await;
    teacher.delete(&format!("/api/investigation/{now}")).await;
    page.write_and_leave(ASSESSMENT, "Draw.").await;
    page.sees("This lesson was deleted elsewhere").await;
    page.click("Save as new").await;
    page.until(&format!(
        "!location.hash.includes('{now}') && document.querySelector('{ASSESSMENT}')?.value === 'Draw.'"
    ))
    .await;
    let new = page.js("return location.hash.split('/').at(-1)").await;
    let new = stored(&teacher, new.as_str().expect("an id")).await;
    assert_eq!((&new["title"], &new["assessment"]), (&json!("Cress in the dark"), &json!("Draw.")));
    // The second lesson is deleted after its editor was closed, and then opened again. The new lesson has the text that
    // was not saved.
    open(&page, &later).await;
    write_offline(&page, "Measure.").await;
    page.view("#/").await;
    teacher.delete(&format!("/api/investigation/{later}")).await;
    page.offline(false).await;
    page.view(&format!("#/i/{later}")).await;
    page.sees("This lesson was deleted").await;
    page.sees("Measure.").await;
    page.click("Save as new").await;
    shows(&page, "Measure.").await;
}

#[tokio::test]
async fn changes_of_another_window_appear_in_fields_without_focus() {
    let (page, teacher, id) = with_lesson().await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"hypothesis": "It does."})).await;
    page.until("document.querySelector('[data-path=hypothesis]').value === 'It does.'").await;
}

#[tokio::test]
async fn unsaved_text_survives_a_new_sign_in_in_another_tab() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of(&app, WIDE).await;
    open(&page, &id).await;
    write_as_the_session_ends(&page, &app, ASSESSMENT, "In another tab").await;
    page.sees("Your text is kept in this browser").await;
    let link = format!("http://{}/sign-in#code={}", app.address, app.code(TEACHER).await);
    page.in_another_tab(&link, async |tab| {
        tab.click("Sign in").await;
        tab.click("Go on").await;
        tab.sees("Cress in the dark").await;
    })
    .await;
    page.saved().await;
    page.until("!document.querySelector('dialog') && !document.querySelector('.notice')").await;
    shows(&page, "In another tab").await;
    let teacher = teacher.bearing(&app.token(TEACHER));
    assert_eq!(stored(&teacher, &id).await["assessment"], "In another tab");
}

#[tokio::test]
async fn invalid_number_shows_one_error_and_is_never_reported_as_saved() {
    let (page, teacher, id) = with_lesson().await;
    let faults = "[...document.querySelectorAll('[data-field=groupSize] .fault p')].map((p) => p.textContent)";
    for (typed, fault) in [
        ("2-3", "Group size: Enter a whole number, such as 2. Your text is kept. It is not saved yet."),
        ("0\u{e004}", ""),
        ("abc", "Group size: Enter a whole number. Your text is kept. It is not saved yet."),
    ] {
        page.write("[data-path=groupSize] input", typed).await;
        if typed.starts_with('0') {
            page.until(&format!("{faults}.length === 1")).await;
        } else {
            page.until(&format!("{faults}.join() === '{fault}'")).await;
        }
        page.until("document.querySelector('.saving').textContent === 'One field is not saved'").await;
    }
    page.js("location.reload()").await;
    page.until("document.querySelector('[data-path=groupSize] input')?.value === 'abc'").await;
    page.write("[data-path=groupSize] input", "3").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["groupSize"], 3);
}
