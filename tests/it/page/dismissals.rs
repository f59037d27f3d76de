//! Dismissed findings, on the page.

use serde_json::{Value, json};

use super::{hurried, stored};
use crate::support::browser::{Page, WIDE};

#[tokio::test]
async fn one_click_dismisses_a_contradiction_and_another_restores_it() {
    let (page, teacher, id) = Page::of_lesson(hurried(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    let status = async |words: &str| {
        page.until(&format!("document.querySelector('.overview .badge').innerText.endsWith('{words}')")).await
    };
    status("Contradicts itself").await;
    page.open_findings().await;
    page.click("Not a contradiction").await;
    page.until("!document.querySelector('.finding, .contradicted')").await;
    status("Complete").await;
    // The focus goes to the field whose finding has gone.
    page.until("document.activeElement.matches('[data-path=durationMinutes] input')").await;
    let lesson = teacher.get(&path).await.data();
    assert_eq!((&lesson["contradictions"], &lesson["dismissed"][0]["reason"]), (&json!([]), &Value::Null));
    assert_eq!(page.js("return document.querySelector('.dismissed').open").await, false);
    page.click("1 dismissed finding").await;
    let row = page.js("return document.querySelector('.dismissed li').innerText.replaceAll(/\\s+/g, ' ')").await;
    let row = row.as_str().expect("a text");
    assert!(row.starts_with("The steps take 25 minutes, but the lesson lasts 20. You, "), "{row}");
    assert!(row.ends_with(" Duration in minutes Restore"), "{row}");
    page.click_on(".dismissed li button:last-child").await;
    page.until("document.querySelectorAll('.finding').length === 2").await;
    status("Contradicts itself").await;
    page.until("!document.querySelector('.dismissed').checkVisibility()").await;
    assert_eq!(teacher.get(&path).await.data()["dismissed"], json!([]));
}

#[tokio::test]
async fn dismissal_moves_the_focus_to_the_next_finding_of_the_field() {
    let mut lesson = hurried();
    lesson["assessment"] = json!("In this 30-minute lesson, describe both saucers.");
    let (page, _, _) = Page::of_lesson(lesson, WIDE).await;
    page.until("document.querySelectorAll('.below .finding').length === 2").await;
    page.open_findings().await;
    page.click_on(".below .finding .dismiss button").await;
    page.until("document.querySelectorAll('.below .finding').length === 1").await;
    page.until("document.activeElement.matches('.below .finding > summary')").await;
}

#[tokio::test]
async fn button_in_the_notice_undoes_a_dismissal() {
    let (page, _, _) = Page::of_lesson(hurried(), WIDE).await;
    page.open_findings().await;
    page.click("Not a contradiction").await;
    page.sees("Dismissed. It stays hidden until one of these places changes.").await;
    page.click_on(".notice button").await;
    page.until("document.querySelectorAll('.finding').length === 2").await;
}

#[tokio::test]
async fn hint_is_dismissed_with_a_reason() {
    let (page, teacher, id) = Page::of_lesson(json!({"grade": 5, "curriculum": "NGSS 4-LS1-1"}), WIDE).await;
    page.open_findings().await;
    page.click("Give a reason").await;
    page.until("document.activeElement.matches('.dismiss input')").await;
    page.write("[data-field=grade] .dismiss input", "We go over it again.").await;
    page.press("\u{e007}").await;
    page.until("!document.querySelector('.hint')").await;
    page.until("document.activeElement.matches('[data-path=grade], [data-path=grade] *')").await;
    page.click("1 dismissed finding").await;
    page.sees("“We go over it again.”").await;
    let dismissed = stored(&teacher, &id).await["dismissed"].clone();
    assert_eq!(dismissed[0]["reason"], "We go over it again.");
    // The finding stays dismissed as long as its values stay the same.
    page.write_and_leave("[data-path=title]", "Cress").await;
    page.saved().await;
    page.sees("1 dismissed finding").await;
    page.write_and_leave("[data-path=grade]", "3").await;
    page.sees("None; 1 hint in the text.").await;
    page.until("!document.querySelector('.dismissed').checkVisibility()").await;
}

#[tokio::test]
async fn unsaved_text_that_fixes_a_finding_is_saved_and_the_finding_is_not_dismissed() {
    let (page, teacher, id) = Page::of_lesson(hurried(), WIDE).await;
    // The page saves the written text before it dismisses a finding. Here the text fixes the contradiction.
    page.write("[data-path=durationMinutes] input", "30").await;
    page.js("document.querySelector('.dismiss button').click()").await;
    page.sees("Finding not found").await;
    page.until("!document.querySelector('.finding')").await;
    let lesson = stored(&teacher, &id).await;
    assert_eq!((&lesson["durationMinutes"], &lesson["dismissed"]), (&json!(30), &json!([])));
}
