//! The conversation with the assistant, on the page.

use serde_json::{Value, json};

use super::hurried;
use crate::authoring::start;
use crate::support::browser::{Page, WIDE};
use crate::support::endpoint::{Answer, finds, proposes};

#[tokio::test]
async fn assistant_answers_beside_the_form_and_changes_its_fields() {
    let (endpoint, app, teacher) = start(|question| match question.kind {
        "findings" => finds(&[]),
        "converse" => proposes(&[("title", json!("Cress in the dark"))], "I gave it a longer title."),
        _ => Answer::Refuses(403),
    })
    .await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let model = std::sync::Arc::new(endpoint);
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.click("Assistant").await;
    page.sees("No messages yet.").await;
    model.hold("converse");
    page.write(".talk textarea", "A longer title, please.").await;
    page.click("Send").await;
    page.until("document.querySelector('.chat > li:last-child').innerText.startsWith('The assistant is thinking …')")
        .await;
    assert_eq!(page.js("return document.querySelector('.talk textarea').value").await, "");
    model.let_go();
    page.sees("I gave it a longer title.").await;
    page.sees("The assistant changed Title.").await;
    page.until("document.querySelector('[data-path=title]').value === 'Cress in the dark'").await;
    page.click("Undo").await;
    page.until("document.querySelector('[data-path=title]').value === 'Cress'").await;
}

#[tokio::test]
async fn failed_message_to_the_assistant_stays_and_can_be_sent_again() {
    let (_endpoint, app, teacher) = start(|question| match question.kind {
        "findings" => finds(&[]),
        _ => Answer::Refuses(403),
    })
    .await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.click("Assistant").await;
    page.write(".talk textarea", "A longer title, please.").await;
    page.click("Send").await;
    page.until("document.querySelector('.notice[data-tone=alarm]')").await;
    page.until("document.querySelector('.talk textarea').value === 'A longer title, please.'").await;
    page.until("!document.querySelector('.talk form button').disabled").await;
}

#[tokio::test]
async fn conversation_is_shown_after_the_author_takes_the_first_fix_even_without_a_language_model() {
    let (page, _, id) = Page::of_lesson(hurried(), WIDE).await;
    assert_eq!(page.js("return document.querySelector('.talk').hidden").await, true);
    page.choose("Steps", "Fit the other fields to Steps").await;
    page.click("Take these changes").await;
    for _ in 0..2 {
        page.click("Assistant").await;
        page.sees("No assistant is set up; the person who runs Fieldbook can add a language model.").await;
        page.until("document.querySelector('.chat [data-who=assistant]')").await;
        assert_eq!(page.js("return document.querySelector('.talk form')").await, Value::Null);
        page.view(&format!("#/i/{id}")).await;
    }
}

#[tokio::test]
async fn earlier_messages_of_a_conversation_are_loaded_on_demand() {
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress"}), WIDE).await;
    for _ in 1..=61 {
        teacher.post(&format!("/api/investigation/{id}/regenerate"), json!({"fieldName": "title"})).await;
    }
    page.view(&format!("#/i/{id}")).await;
    page.click("Assistant").await;
    page.until("document.querySelectorAll('.chat [data-who]').length === 60").await;
    page.click("Show earlier").await;
    page.until("document.querySelectorAll('.chat [data-who]').length === 61").await;
    let left = page.js("return document.querySelector('.chat button')").await;
    assert_eq!(left, serde_json::Value::Null);
}
