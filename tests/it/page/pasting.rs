//! A pasted text of a whole lesson.

use serde_json::{Value, json};

use crate::authoring::start;
use crate::support::Caller;
use crate::support::browser::{Page, WIDE};
use crate::support::endpoint::Answer;

/// A lesson with a teacher's own headings, which differ from the names in the form.
const LESSON: &str = "Rotting and recycling\nClass 6c\nTime: 2 x 45 minutes\n\nWhat you need per group\n\
    - 500 g garden soil\n- worms from a neighbour,\n\nKey question\nWhat happens to leaves?\n\n\
    Objectives\n1. Say what rots.\n2. Tell why it\nmatters.\n\nWhat we do\n1. Fill the jars. (10 min)\n2. Wait.\n\n\
    Watch out!\n- Wash your hands.\n\nHow I grade it\nThey draw the jar.\n\nNew words\nrot - fall apart\n\n\
    Seating plan\n- Pairs\n- Threes\n\nFor next time: bring a jar.";

/// Writes a text into the box of the dialog.
pub async fn fill(page: &Page, text: &str) {
    page.until("document.querySelector('dialog textarea')").await;
    let paste = format!(
        "const box = document.querySelector('dialog textarea'); box.value = {}; box.dispatchEvent(new Event('input'))",
        json!(text)
    );
    page.js(&paste).await;
}

/// Opens the dialog and writes a text into its box.
pub async fn paste(page: &Page, text: &str) {
    page.click("Paste a lesson").await;
    fill(page, text).await;
}

/// Creates the lesson of the dialog, and returns it.
pub async fn created(page: &Page, teacher: &Caller) -> Value {
    page.click("Create the lesson").await;
    page.until("document.querySelector('.paper')").await;
    let id = page.js("return location.hash.split('/').at(-1)").await;
    teacher.get(&format!("/api/investigation/{}", id.as_str().expect("an id"))).await.data()
}

#[tokio::test]
async fn headings_in_other_words_are_understood_and_unknown_ones_begin_parts_of_their_own() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, LESSON).await;
    let preview = page.js("return document.querySelector('dialog dl').innerText").await.to_string();
    assert!(preview.contains("500 g garden soil") && preview.contains("Fill the jars. (10 min)"), "{preview}");
    let lesson = created(&page, &teacher).await;
    assert_eq!((&lesson["grade"], &lesson["durationMinutes"]), (&json!("6c"), &json!(90)));
    let materials = json!([{"name": "garden soil", "quantity": 500, "unit": "g"}, {"name": "worms from a neighbour"}]);
    assert_eq!(lesson["materials"], materials);
    assert_eq!(lesson["drivingQuestion"], "What happens to leaves?");
    assert_eq!(lesson["objectives"], json!(["Say what rots.", "Tell why it matters."]));
    assert_eq!(lesson["steps"], json!([{"text": "Fill the jars.", "minutes": 10}, {"text": "Wait."}]));
    assert_eq!(lesson["safety"], json!(["Wash your hands."]));
    assert_eq!(lesson["assessment"], "They draw the jar.");
    assert_eq!(lesson["vocabulary"], json!([{"term": "rot", "definition": "fall apart"}]));
    assert_eq!(lesson["unplacedText"], "Seating plan\n- Pairs\n- Threes\nFor next time: bring a jar.");
}

#[tokio::test]
async fn lists_without_a_known_heading_are_known_by_their_form() {
    let (page, teacher) = Page::of_service(WIDE).await;
    page.click("Paste a lesson").await;
    let text =
        "Cress\n\nFrom the cupboard\n- 300 ml water\n- 2 bags of soil\n\nOn the day\n1. Sow. (5 min)\n2. Draw. (9 min)";
    fill(&page, text).await;
    let lesson = created(&page, &teacher).await;
    assert_eq!(lesson["materials"][1], json!({"name": "soil", "quantity": 2, "unit": "bags"}));
    assert_eq!(lesson["steps"], json!([{"text": "Sow.", "minutes": 5}, {"text": "Draw.", "minutes": 9}]));
}

#[tokio::test]
async fn whoever_pastes_says_where_a_part_belongs_and_loses_nothing_by_escape() {
    let (page, teacher) = Page::of_service(WIDE).await;
    page.click("Paste a lesson").await;
    page.until("document.activeElement === document.querySelector('dialog textarea')").await;
    page.press("Cress").await;
    fill(&page, "Cress\n\nTime: as long as it takes\n\nFrom home\n- soil\n- a jar").await;
    assert_eq!(page.js("return document.querySelector('dialog textarea').offsetHeight > 150").await, true);
    page.press("\u{e00c}").await;
    page.sees("Your text is kept in this window").await;
    page.js("location.reload()").await;
    page.click("Paste a lesson").await;
    page.until("document.querySelector('dialog textarea').value.includes('From home')").await;
    let choose = "const menu = [...document.querySelectorAll('dialog select')].find((menu) => menu.ariaLabel.endsWith('From home'));
        menu.value = 'materials'; menu.dispatchEvent(new Event('change'))";
    page.js(choose).await;
    page.until("document.activeElement.value === 'materials'").await;
    let lesson = created(&page, &teacher).await;
    assert_eq!(lesson["materials"], json!([{"name": "soil"}, {"name": "a jar"}]));
    assert_eq!(lesson["unplacedText"], "Time: as long as it takes");
    page.view("#/").await;
    page.click("Paste a lesson").await;
    page.until("document.querySelector('dialog textarea').value === ''").await;
}

/// A text without headings, which only an assistant can split.
const STORY: &str = "Cress in the dark\nWe sow 40 cress seeds on two saucers. Then one goes under a box.\n\
    Mrs. Adams has the key to the cupboard.";

#[tokio::test]
async fn the_assistant_splits_what_has_no_headings_and_the_rest_stays_in_sight() {
    let content = json!({
        "title": "Cress in the dark", "materials": [{"name": "cress seeds", "quantity": 40}, {"name": "a gold bar"}],
        "steps": [{"text": "Then one goes under a box."}],
    });
    let (model, app, teacher) = start(move |question| match question.kind {
        "split" => Answer::Says(json!({"content": content, "headings": []})),
        _ => Answer::Refuses(418),
    })
    .await;
    let page = Page::of(&app, WIDE).await;
    paste(&page, STORY).await;
    page.sees("Split by its headings.").await;
    page.click("Let the assistant split it").await;
    page.sees("Split by the assistant, in your words.").await;
    let preview = page.js("return document.querySelector('dialog dl').innerText").await.to_string();
    assert!(preview.contains("Mrs. Adams has the key to the cupboard.") && !preview.contains("gold"), "{preview}");
    // The user can move a part to another field, also after a split by the assistant.
    let choose = "const menu = [...document.querySelectorAll('dialog select')].find((menu) => menu.ariaLabel.includes('Mrs. Adams'));
        menu.value = 'safety'; menu.dispatchEvent(new Event('change'))";
    page.js(choose).await;
    let lesson = created(&page, &teacher).await;
    assert_eq!(lesson["materials"], json!([{"name": "cress seeds", "quantity": 40}]));
    assert_eq!(lesson["steps"], json!([{"text": "Then one goes under a box."}]));
    assert_eq!(lesson["safety"], json!(["Mrs. Adams has the key to the cupboard."]));
    assert_eq!(lesson["unplacedText"], "We sow 40 cress seeds on two saucers.");
    // After the user edits the text, it is split by its headings again.
    page.view("#/").await;
    paste(&page, STORY).await;
    page.click("Let the assistant split it").await;
    page.sees("Split by the assistant, in your words.").await;
    fill(&page, "Oats").await;
    page.sees("Split by its headings.").await;
    assert_eq!(model.count("split"), 2);
}

#[tokio::test]
async fn where_the_assistant_fails_the_headings_split_the_text() {
    let (_model, app, teacher) = start(|_| Answer::Refuses(418)).await;
    let page = Page::of(&app, WIDE).await;
    paste(&page, LESSON).await;
    page.click("Let the assistant split it").await;
    page.sees("The assistant could not split it").await;
    page.sees("Split by its headings.").await;
    let lesson = created(&page, &teacher).await;
    assert_eq!(lesson["steps"], json!([{"text": "Fill the jars.", "minutes": 10}, {"text": "Wait."}]));
    assert_eq!(lesson["unplacedText"], "Seating plan\n- Pairs\n- Threes\nFor next time: bring a jar.");
}

#[tokio::test]
async fn without_a_language_model_nothing_is_offered() {
    let (page, _) = Page::of_service(WIDE).await;
    paste(&page, LESSON).await;
    page.until("document.querySelector('dialog dl').children.length > 0").await;
    assert_eq!(page.js("return document.querySelector('dialog').innerText.includes('assistant')").await, false);
}
