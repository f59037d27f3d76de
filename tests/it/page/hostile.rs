//! Texts that attack the page.

use serde_json::{Value, json};

use super::{cress, stored};
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE};

const SCRIPT: &str = "<img src=x onerror=\"window.hacked = true\"><script>window.hacked = true</script>\u{202e}";

/// Returns the same value with the script at the end of every text.
fn infected(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(format!("{text}{SCRIPT}")),
        Value::Array(all) => all.iter().map(infected).collect(),
        Value::Object(all) => all.iter().map(|(name, value)| (name.clone(), infected(value))).collect(),
        other => other.clone(),
    }
}

#[tokio::test]
async fn script_in_any_field_is_shown_as_text() {
    let (app, _, teacher) = TestApp::start().await;
    let mut lesson = infected(&cress());
    lesson["durationMinutes"] = json!(5);
    lesson[SCRIPT] = json!(SCRIPT);
    let id = teacher.create(lesson.clone()).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": format!("{SCRIPT} again"), SCRIPT: 7})).await;
    let link = json!({"key": "k", "subLink": "s", "description": SCRIPT});
    teacher.post(&format!("/api/link/investigation/{id}"), link).await;
    let page = Page::of(&app, WIDE).await;
    page.sees("<script>").await;
    for view in ["", "/history", "/links", "/handout/k/s"] {
        page.view(&format!("#/i/{id}{view}")).await;
        page.js("document.querySelectorAll('details').forEach((one) => { one.open = true; })").await;
        page.sees("<script>").await;
    }
    page.view(&format!("#/i/{id}")).await;
    page.open_findings().await;
    page.click("Correct Steps …").await;
    page.click("Leave as it is").await;
    page.choose("Title", "History of Title").await;
    page.click("Close").await;
    assert_eq!(page.js("return window.hacked ?? null").await, Value::Null);
    assert_eq!(page.js("return document.querySelectorAll('main script, main img[src=x]').length").await, 0);
}

#[tokio::test]
async fn text_of_nearly_the_maximum_size_can_be_edited() {
    let (page, teacher, id) =
        Page::of_lesson(json!({"title": "Long", "assessment": "A line of words. ".repeat(15_000)}), WIDE).await;
    page.click_on("[data-path=assessment]").await;
    page.press("Begin. ").await;
    page.press("\u{e004}").await;
    page.saved().await;
    let kept = stored(&teacher, &id).await["assessment"].clone();
    assert!(kept.as_str().is_some_and(|text| text.contains("Begin. ") && text.len() == 17 * 15_000 + 7));
    page.view(&format!("#/i/{id}/history")).await;
    page.click("What changed in version 1").await;
    page.sees("Begin.").await;
}

#[tokio::test]
async fn arabic_texts_run_right_to_left_on_an_english_page() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "زراعة البذور", "steps": [{"text": "ضع البذور في الماء"}]})).await;
    let page = Page::of(&app, PHONE).await;
    page.until("getComputedStyle(document.querySelector('.rows .title')).direction === 'rtl'").await;
    page.view(&format!("#/i/{id}")).await;
    for place in ["h1", "[data-path=title]", "[data-path=\\'steps.0.text\\']"] {
        page.until(&format!("getComputedStyle(document.querySelector('{place}')).direction === 'rtl'")).await;
    }
    assert_eq!(page.js("return document.documentElement.scrollWidth <= innerWidth").await, true);
}

#[tokio::test]
async fn five_hundred_steps_can_be_edited() {
    let steps: Vec<Value> = (1..=500).map(|n| json!({"text": format!("Do thing number {n}."), "minutes": 1})).collect();
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Long", "steps": steps}), WIDE).await;
    page.click("Add to Steps").await;
    page.press("The last.").await;
    page.click("Move up Step 501").await;
    page.click("Remove Step 1").await;
    page.saved().await;
    let kept = stored(&teacher, &id).await["steps"].clone();
    let text = |at: usize| kept[at]["text"].clone();
    assert_eq!(
        (kept.as_array().map(Vec::len), text(0), text(498)),
        (Some(500), json!("Do thing number 2."), json!("The last."))
    );
}

#[tokio::test]
async fn every_view_fits_on_a_phone() {
    let (page, teacher) = Page::of_service(PHONE).await;
    let mut lesson = cress();
    lesson["title"] = json!("W".repeat(300));
    lesson["durationMinutes"] = json!(5);
    let id = teacher.create(lesson).await;
    teacher.create_link(&id, &"k".repeat(64), &"s".repeat(64)).await;
    for view in ["#/".to_owned(), format!("#/i/{id}"), format!("#/i/{id}/history"), format!("#/i/{id}/links")] {
        page.view(&view).await;
        assert_eq!(page.js("return document.documentElement.scrollWidth <= innerWidth").await, true, "{view}");
    }
}
