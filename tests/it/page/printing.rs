//! Sheets on the page: their preview in a frame, and their printing.

use fieldbook::domain::permission::Role;
use serde_json::json;

use super::assets::{axe, no_violations};
use super::cress;
use crate::http::people::{add, person};
use crate::support::browser::{Page, WIDE};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

/// The document of the sheet that is shown.
const SHEET: &str = "document.querySelector('.sheet-frame')?.contentDocument";

/// Presses Control + P. Returns whether the browser prints what it shows.
const PRINT_KEYS: &str = "return document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
    { key: 'p', code: 'KeyP', ctrlKey: true, bubbles: true, cancelable: true }))";

async fn shows(page: &Page, words: &str) {
    page.until(&format!("{SHEET}?.body?.innerText.includes({})", json!(words))).await;
}

/// Chooses an option in the menu that has this label.
async fn choose(page: &Page, label: &str, option: &str) {
    let menu = format!(
        "const label = [...document.querySelectorAll('.which label')].find((one) => one.textContent === {});
         const menu = label.control; menu.value = [...menu.options].find((one) => one.textContent === {}).value;
         menu.dispatchEvent(new Event('change'))",
        json!(label),
        json!(option)
    );
    page.js(&menu).await;
}

#[tokio::test]
async fn lesson_is_previewed_for_each_audience() {
    let mut lesson = cress();
    lesson["safety"] = json!(["Wash your hands."]);
    lesson["unplacedText"] = json!("Bring a jar.");
    let (page, _, id) = Page::of_lesson(lesson, WIDE).await;
    page.click("Actions for this lesson").await;
    page.click("Print the pupil sheet").await;
    shows(&page, "Our question").await;
    let order = format!("return [...{SHEET}.querySelectorAll('h2')].map((heading) => heading.textContent)");
    assert_eq!(page.js(&order).await, json!(["Our question", "Materials", "Safety", "Steps"]));
    // There is no link yet, so there is no QR code.
    assert_eq!(page.js(&format!("return {SHEET}.querySelectorAll('.link').length")).await, 0);
    choose(&page, "For", "Pupils, with lines to write on").await;
    shows(&page, "Date").await;
    choose(&page, "For", "Teachers: the whole lesson").await;
    shows(&page, "Driving question").await;
    shows(&page, "Bring a jar.").await;
    shows(&page, "For teachers").await;
    // The frame is as high as the sheet, so that the sheet does not scroll inside the frame.
    page.until(&format!("document.querySelector('.sheet-frame').offsetHeight >= {SHEET}.body.offsetHeight")).await;
    page.view(&format!("#/i/{id}/print/lesson")).await;
    shows(&page, "Driving question").await;
}

#[tokio::test]
async fn printed_sheet_has_the_qr_code_of_the_chosen_link_or_else_of_the_only_open_link() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let closed = teacher.create_link(&id, "class-5b", "cress").await;
    teacher.patch(&closed, json!({"archived": true})).await;
    teacher.create_link(&id, "class-5c", "cress").await;
    let sheet = format!("#/i/{id}/print/handout");
    let code = format!("{SHEET}?.querySelector('.link img')?.alt");
    page.view(&sheet).await;
    page.until(&format!("{code} === 'QR code of class-5c/cress'")).await;
    page.until(&format!("{SHEET}.querySelector('.link img').naturalWidth > 0")).await;
    page.sees("The code leads to this computer, which phones cannot reach.").await;
    let word = "return new URL(document.querySelector('a.button[download]').href).search";
    assert_eq!(page.js(word).await, "?for=pupils&format=docx&link=class-5c%2Fcress");
    let scheme = format!("return {SHEET}.defaultView.getComputedStyle({SHEET}.documentElement).colorScheme");
    assert_eq!(page.js(&scheme).await, "light", "as on paper");
    // An address may break after a slash, and nowhere else.
    let parts = format!("return [...{SHEET}.querySelectorAll('figcaption span')].slice(-2).map((e) => e.textContent)");
    assert_eq!(page.js(&parts).await, json!(["class-5c/", "cress"]));
    let whole = teacher.create_link(&id, "class-5d", "cress").await;
    teacher.patch(&whole, json!({"shows": "lesson"})).await;
    page.view(&sheet).await;
    page.sees("There are several open links.").await;
    shows(&page, "Our question").await;
    assert_eq!(page.js(&format!("return {code} ?? null")).await, json!(null));
    assert_eq!(page.js(word).await, "?for=pupils&format=docx");
    let choices = "return [...document.querySelectorAll('.which option')].map((e) => e.textContent).slice(3)";
    let known = ["No code", "class-5c/cress (no text)", "class-5d/cress (the whole lesson)"];
    assert_eq!(page.js(choices).await, json!(known));
    choose(&page, "QR code", known[1]).await;
    page.sees("This link shows no text.").await;
    choose(&page, "QR code", known[2]).await;
    page.sees("This link shows pupils the whole lesson").await;
    page.until(&format!("{code} === 'QR code of class-5d/cress'")).await;
    choose(&page, "For", "Teachers: the whole lesson").await;
    page.until("!document.body.innerText.includes('shows pupils the whole lesson')").await;
    page.view(&format!("#/i/{id}/handout/class-5b/cress")).await;
    page.sees("This link is closed").await;
    page.until(&format!("{code} === 'QR code of class-5b/cress'")).await;
    // A warning that stays is not announced again for another audience.
    let warnings = "[...document.querySelectorAll('.warnings [role=alert]')]";
    page.js(&format!("window.before = {warnings}")).await;
    choose(&page, "For", "Pupils, with lines to write on").await;
    shows(&page, "Date").await;
    assert_eq!(
        page.js(&format!("return {warnings}.map((one, at) => one === before[at])")).await,
        json!([true, true, true])
    );
    assert_eq!(teacher.get("/api/link/class-5b/cress/visits").await.data()["visitCount"], 0, "nobody visited");
}

#[tokio::test]
async fn sheet_view_for_the_101st_link_of_a_lesson_says_that_the_link_is_closed() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    for n in 1..=101 {
        teacher.create_link(&id, "class-5b", &n.to_string()).await;
    }
    teacher.patch("/api/link/class-5b/101", json!({"archived": true})).await;
    page.view(&format!("#/i/{id}/handout/class-5b/101")).await;
    page.sees("This link is closed").await;
}

#[tokio::test]
async fn print_button_and_keys_print_only_the_sheet_with_the_latest_text() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.write("[data-path=assessment]", "Draw what you see.").await;
    assert_eq!(page.js(PRINT_KEYS).await, false, "the browser does not print the form");
    shows(&page, "Draw what you see.").await;
    page.js("const frame = document.querySelector('.sheet-frame').contentWindow; frame.print = () => { window.printed = true; }").await;
    page.click("Print").await;
    page.until("window.printed").await;
    page.js("window.printed = false").await;
    assert_eq!(page.js(PRINT_KEYS).await, false, "the browser does not print the page around the sheet");
    page.until("window.printed").await;
}

#[tokio::test]
async fn author_who_prints_the_form_with_the_browser_menu_gets_only_a_hint_how_to_print_the_sheet() {
    let (page, _, id) = Page::of_lesson(cress(), WIDE).await;
    page.print_view().await;
    let paper = "return document.body.innerText.trim()";
    page.sees("This is the form.").await;
    assert_eq!(
        page.js(paper).await,
        "This is the form. To print the sheet, press ⋯ at the top, and “Print the lesson”."
    );
    page.view(&format!("#/i/{id}/print/lesson")).await;
    page.sees("To print the sheet, press “Print” above it.").await;
    // Browsers cut the contents of a frame at page breaks, so the frame is not printed.
    let frame = "return document.querySelector('.sheet-frame').checkVisibility()";
    assert_eq!(page.js(frame).await, false);
    page.appear(WIDE).await;
    page.until("!document.body.innerText.includes('above it')").await;
    assert_eq!(page.js(frame).await, true);
}

#[tokio::test]
async fn reader_prints_a_lesson_with_a_button_or_with_keys() {
    let (app, ..) = TestApp::start().await;
    let id = app.signed_in(COLLEAGUE).create(cress()).await;
    add(&app, person(TEACHER, "Ada Lovelace", Some(Role::Reader))).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.sees("Your role is Reader").await;
    no_violations(&page, &axe(), "a lesson that a reader opens").await;
    page.print_view().await;
    page.sees("To print the sheet, press “Print or Word …” above it.").await;
    page.appear(WIDE).await;
    assert_eq!(page.js(PRINT_KEYS).await, false);
    page.until("location.hash.endsWith('/print/lesson')").await;
    shows(&page, "Driving question").await;
    page.view(&format!("#/i/{id}")).await;
    page.click("Print or Word …").await;
    page.until("document.querySelector('a.button[download]')?.textContent === 'Word'").await;
}
