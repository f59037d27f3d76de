//! The page, when only authors and their editors may change an investigation.

use fieldbook::app::HttpSettings;
use fieldbook::domain::permission::{Editing, Role};
use serde_json::{Value, json};

use super::assets::{axe, no_violations};
use super::{cress, stored};
use crate::http::people::{add, person};
use crate::support::browser::{PHONE, Page, WIDE};
use crate::support::{Caller, TEACHER, TestApp};

const COLLEAGUE: &str = "cccccccccccccccccccccccc";
const OTHER: &str = "dddddddddddddddddddddddd";
const ASSESSMENT: &str = "[data-field=assessment] textarea";

async fn start() -> (TestApp, Caller, Caller) {
    let http = HttpSettings { editing: Editing::Author, ..HttpSettings::default() };
    let (app, _, teacher) = TestApp::start_with(http).await;
    let colleague = app.signed_in(COLLEAGUE);
    (app, teacher, colleague)
}

#[tokio::test]
async fn lesson_of_another_author_is_read_only_and_can_be_copied() {
    let (app, teacher, colleague) = start().await;
    let mut lesson = cress();
    lesson["editors"] = json!([OTHER]);
    let id = colleague.create(lesson).await;
    let page = Page::of_investigation(&app, &id, PHONE).await;
    page.sees("You can read this, but not change it.").await;
    let sheet = "document.querySelector('.sheet-frame')?.contentDocument?.body?.innerText";
    page.until(&format!("{sheet}.includes('Sow twenty seeds on each saucer.')")).await;
    assert_eq!(page.js("return document.querySelectorAll('main textarea, main input, main select').length").await, 0);
    no_violations(&page, &axe(), "an investigation to read").await;
    let text = page.js("return document.querySelector('main').textContent").await;
    assert!(!text.as_str().expect("a text").contains(OTHER), "{text}");
    page.click("Make a copy").await;
    page.until(&format!("!location.hash.includes('{id}') && document.querySelector('{ASSESSMENT}')")).await;
    let copy = page.js("return location.hash.split('/').at(-1)").await;
    let copy = stored(&teacher, copy.as_str().expect("an id")).await;
    assert_eq!((&copy["author"]["id"], copy.get("editors")), (&json!(TEACHER), None), "{copy}");
}

#[tokio::test]
async fn dialog_of_editors_does_not_list_the_author() {
    let (app, teacher, _) = start().await;
    let mut lesson = cress();
    lesson["editors"] = json!([TEACHER, OTHER]);
    let id = teacher.create(lesson).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.click("Actions for this lesson").await;
    page.click("Who can edit this …").await;
    page.until(&format!("document.querySelector('dialog [data-user={OTHER}]')")).await;
    assert_eq!(page.js("return document.querySelectorAll('dialog [data-user]').length").await, 1);
}

#[tokio::test]
async fn author_chooses_other_editors() {
    let (app, teacher, _) = start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    add(&app, person(OTHER, "Gracie Reader", Some(Role::Reader))).await;
    let id = teacher.create(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.click("Actions for this lesson").await;
    page.click("Who can edit this …").await;
    page.write("dialog input", "grac").await;
    page.sees("is a reader, and can edit only once").await;
    page.click("Save").await;
    page.sees("“grac” is not added yet.").await;
    page.click("Add Grace Hopper").await;
    page.until(&format!("document.querySelector('dialog [data-user={COLLEAGUE}]')")).await;
    no_violations(&page, &axe(), "the dialog of the editors").await;
    // If saving fails, the dialog shows the failure, and stays open with the choices.
    page.offline(true).await;
    page.click("Save").await;
    page.until("document.querySelector('dialog .fault').textContent.includes('cannot be reached')").await;
    page.offline(false).await;
    page.click("Save").await;
    page.sees("Saved who can edit this.").await;
    assert_eq!(stored(&teacher, &id).await["editors"], json!([COLLEAGUE]));
    page.view("#/").await;
    page.view(&format!("#/i/{id}")).await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
    assert_eq!(page.js("return document.querySelector('[data-field=editors]')").await, Value::Null);
    page.click("Actions for this lesson").await;
    page.click("Who can edit this …").await;
    page.click(&format!("Remove {COLLEAGUE}")).await;
    page.click("Save").await;
    page.sees("Only you can edit this now.").await;
    assert_eq!(stored(&teacher, &id).await["editors"], Value::Null);
}

#[tokio::test]
async fn text_of_a_removed_editor_can_be_saved_as_a_new_lesson() {
    let (app, teacher, colleague) = start().await;
    let id = colleague.create(cress()).await;
    let path = format!("/api/investigation/{id}");
    colleague.patch(&path, json!({"editors": [TEACHER]})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    assert_eq!(page.js("return document.querySelectorAll('.menu').length > 0").await, true);
    page.offline(true).await;
    page.write_and_leave(ASSESSMENT, "Draw.").await;
    colleague.patch(&path, json!({"editors": [OTHER]})).await;
    page.offline(false).await;
    page.sees("you may no longer change this lesson").await;
    page.view("#/").await;
    page.view(&format!("#/i/{id}")).await;
    page.sees("You may no longer change this lesson").await;
    page.sees("Draw.").await;
    page.click("Save as new").await;
    page.until(&format!("!location.hash.includes('{id}') && document.querySelector('{ASSESSMENT}')")).await;
    let new = page.js("return location.hash.split('/').at(-1)").await;
    let new = stored(&teacher, new.as_str().expect("an id")).await;
    assert_eq!((&new["assessment"], new.get("editors")), (&json!("Draw."), None), "{new}");
    assert_eq!(stored(&colleague, &id).await["assessment"], cress()["assessment"]);
}

#[tokio::test]
async fn open_editor_becomes_read_only_or_editable_when_the_permission_changes() {
    let (app, _, colleague) = start().await;
    let id = colleague.create(cress()).await;
    let path = format!("/api/investigation/{id}");
    colleague.patch(&path, json!({"editors": [TEACHER]})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.saved().await;
    colleague.patch(&path, json!({"editors": [OTHER]})).await;
    page.sees("You can read this, but not change it.").await;
    colleague.patch(&path, json!({"editors": [TEACHER]})).await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
}

/// Returns the names of all buttons, links and inputs, except the filters of the list.
async fn controls(page: &Page) -> Value {
    let names = "document.querySelectorAll('main details').forEach((all) => { all.open = true; });
        return [...document.querySelectorAll('main :is(button, a.button, summary, textarea, input, select)')]
            .filter((one) => one.checkVisibility() && !one.closest('.filters'))
            .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())";
    page.js(names).await
}

#[tokio::test]
async fn reader_sees_no_control_that_the_service_would_refuse() {
    let http = HttpSettings { trash_days: 30, ..HttpSettings::default() };
    let (app, ..) = TestApp::start_with(http).await;
    let colleague = app.signed_in(COLLEAGUE);
    add(&app, person(TEACHER, "Ada Lovelace", Some(Role::Reader))).await;
    let page = Page::of(&app, WIDE).await;
    page.sees("Your role is Reader: you can read everything.").await;
    assert_eq!(controls(&page).await, json!([]), "the empty list");
    let id = colleague.create(cress()).await;
    colleague.patch(&format!("/api/investigation/{id}"), json!({"title": "Cress in the light"})).await;
    colleague.create_link(&id, "class-5b", "cress").await;
    page.view("#/trash").await;
    page.view("#/").await;
    page.sees("Cress in the light").await;
    assert_eq!(controls(&page).await, json!([]), "the list");
    let lesson = format!("#/i/{id}");
    for (view, expected) in [
        ("#/i/new-1".to_owned(), json!([])),
        (lesson.clone(), json!(["Print or Word …"])),
        (
            format!("{lesson}/history"),
            json!([
                "What changed in version 1",
                "Actions for the beginning",
                "Read the beginning",
                "Compare the beginning"
            ]),
        ),
        (
            format!("{lesson}/links"),
            json!([
                "Copy the address of class-5b/cress",
                "Show the code of class-5b/cress full screen",
                "Sheet with class-5b/cress",
                "Visits per day"
            ]),
        ),
        ("#/trash".to_owned(), json!([])),
    ] {
        page.view(&view).await;
        assert_eq!(controls(&page).await, expected, "{view}");
    }
}
