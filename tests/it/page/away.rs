//! The page while the service cannot be reached or the sign-in has ended: where it shows unsaved text, and how authors
//! return to their lesson.

use fieldbook::admission::Actor;
use serde_json::json;

use super::{cress, stored, write_as_the_session_ends};
use crate::support::browser::{Page, WIDE};
use crate::support::{TEACHER, TestApp};

const ASSESSMENT: &str = "[data-path=assessment]";
const ESCAPE: &str = "\u{e00c}";

#[tokio::test]
async fn lesson_with_unsaved_text_can_be_reopened_while_the_service_is_unreachable() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.offline(true).await;
    page.write_and_leave(ASSESSMENT, "Kept").await;
    page.sees("Not saved: The service cannot be reached").await;
    for view in ["History", "Links", "All lessons"] {
        page.click(view).await;
        page.sees("This could not be opened").await;
        page.sees("Your unsaved text of Cress in the dark is kept in this browser.").await;
        if view == "All lessons" {
            page.click("Cress in the dark").await;
        } else {
            page.click("Write").await;
        }
        page.until(&format!("document.querySelector('{ASSESSMENT}')?.value === 'Kept'")).await;
        page.sees("This is the lesson as this browser last loaded it").await;
    }
    page.write(ASSESSMENT, "Kept and more").await;
    page.offline(false).await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["assessment"], "Kept and more");
}

#[tokio::test]
async fn closed_sign_in_dialog_can_be_reopened_and_a_reload_reports_unsaved_text() {
    let (app, _, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.sees("All saved").await;
    write_as_the_session_ends(&page, &app, ASSESSMENT, "Draw").await;
    page.sees("Sign in to save").await;
    page.press(ESCAPE).await;
    page.until("!document.querySelector('dialog')").await;
    // After Escape, the cursor is back in the text.
    page.press(" both saucers").await;
    page.until(&format!("document.querySelector('{ASSESSMENT}').value === 'Draw both saucers'")).await;
    page.click("Sign in").await;
    page.until("document.querySelector('dialog[open].sign-in')").await;
    page.press(ESCAPE).await;
    page.js("location.reload()").await;
    page.sees("The unsaved text of 1 lesson is kept in this browser.").await;
}

#[tokio::test]
async fn changes_by_others_appear_even_if_no_event_stream_can_be_opened() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let user = Actor::User(TEACHER.parse().expect("an id"));
    let mut places = Vec::new();
    while let Ok(place) = app.app.feed.permit(user) {
        places.push(place);
    }
    let page = Page::of(&app, WIDE).await;
    let hasty = "const wait = setTimeout; window.setTimeout = (act, ms) => wait(act, ms > 5000 ? 50 : ms);";
    page.ask("Page.addScriptToEvaluateOnNewDocument", json!({"source": hasty})).await;
    page.visit("").await;
    page.view(&format!("#/i/{id}")).await;
    for assessment in ["Draw one saucer.", "Draw both saucers."] {
        teacher.patch(&format!("/api/investigation/{id}"), json!({"assessment": assessment})).await;
        page.until(&format!("document.querySelector('{ASSESSMENT}').value === '{assessment}'")).await;
    }
}
