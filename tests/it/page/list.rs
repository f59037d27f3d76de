//! All investigations, on the page.

use fieldbook::app::Edge;
use serde_json::json;

use super::{cress, hurried};
use crate::support::browser::{PHONE, Page, WIDE};
use crate::support::profile_service::{Played, knows_all};
use crate::support::{COLLEAGUE, TestApp};

/// The titles in sight, in order.
const TITLES: &str = "[...document.querySelectorAll('.rows .title')].map((a) => a.textContent)";

async fn titles(page: &Page, expected: &[&str]) {
    page.until(&format!("JSON.stringify({TITLES}) === {}", json!(json!(expected).to_string()))).await;
}

#[tokio::test]
async fn investigations_stand_in_groups_with_their_status_in_words_and_their_author() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(hurried()).await;
    teacher.create(json!({"title": "Loose", "curriculum": "Physics"})).await;
    app.signed_in(COLLEAGUE).create(json!({"title": "Theirs"})).await;
    Page::of(&app, WIDE, |page| async move {
        titles(&page, &["Cress in the dark", "Loose", "Theirs"]).await;
        let shown = page.js("return [...document.querySelectorAll('.groups > section')].map((s) => s.innerText.replaceAll(/\\s+/g, ' '))").await;
        let shown: Vec<&str> = shown.as_array().expect("groups").iter().filter_map(|group| group.as_str()).collect();
        assert!(shown[0].starts_with("Life science 1 Cress in the dark ▲ Contradicts itself 1 contradiction Grade 5 Y you changed"), "{shown:?}");
        assert!(shown[1].starts_with("Physics 1 Loose ○ Incomplete Y you"), "{shown:?}");
        assert!(shown[2].starts_with("Without a curriculum 1 Theirs ○ Incomplete ? unknown author"), "{shown:?}");
    })
    .await;
}

#[tokio::test]
async fn authors_are_shown_with_name_and_picture_where_the_profile_service_knows_them() {
    let service = Played::start(knows_all).await;
    let (app, teacher) = TestApp::start_with_profiles(service.settings(), None, Edge::default()).await;
    let author = teacher.post("/api/investigation", cress()).await.data()["author"].clone();
    Page::of(&app, WIDE, |page| async move {
        let shown = page.until("document.querySelector('.person').innerText.trim()").await;
        assert_eq!(shown, author["name"]);
        let picture = page.js("return document.querySelector('.person img.face').src").await;
        assert_eq!(picture, author["avatar"]);
    })
    .await;
}

#[tokio::test]
async fn everything_is_done_without_a_mouse() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(hurried()).await;
    Page::of(&app, WIDE, |page| async move {
        let to = async |condition: &str| {
            for _ in 0..80 {
                page.press("\u{e004}").await;
                if page.js(&format!("const at = document.activeElement; return {condition}")).await == true {
                    return;
                }
            }
            panic!("no key leads to where {condition}");
        };
        to("at.matches('.rows a.title')").await;
        page.press("\u{e007}").await;
        page.until("document.activeElement.matches('.paper h1')").await;
        to("at.textContent === 'Resolve in Duration in minutes …'").await;
        page.press("\u{e007}").await;
        page.until("document.querySelector('dialog[open]')").await;
        to("at.textContent === 'Resolve this way'").await;
        page.press(" ").await;
        page.sees("Resolved in Duration in minutes.").await;
        page.until("document.querySelector('[data-path=durationMinutes] input').value === '25'").await;
    })
    .await;
}

#[tokio::test]
async fn the_search_narrows_as_one_types_and_filters_join_it() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(cress()).await;
    teacher.create(json!({"title": "Cranes", "grade": 7, "curriculum": "Physics"})).await;
    app.signed_in(COLLEAGUE).create(json!({"title": "Crayfish", "grade": 7, "curriculum": "Life science"})).await;
    Page::of(&app, WIDE, |page| async move {
        titles(&page, &["Crayfish", "Cress in the dark", "Cranes"]).await;
        page.write("input[type=search]", "saucer").await;
        titles(&page, &["Cress in the dark"]).await;
        page.sees("1 investigation").await;
        page.write("input[type=search]", "cra").await;
        titles(&page, &["Crayfish", "Cranes"]).await;
        page.js("const s = document.querySelectorAll('.filters select')[1]; s.value = 'Physics'; s.dispatchEvent(new Event('change'))").await;
        titles(&page, &["Cranes"]).await;
        // What was looked for is still there after a look at one.
        page.click("Cranes").await;
        page.until("document.querySelector('.paper')").await;
        page.js("history.back()").await;
        titles(&page, &["Cranes"]).await;
        page.write("input[type=search]", "nothing like it").await;
        page.sees("Nothing fits this search.").await;
        page.click("Show all").await;
        titles(&page, &["Crayfish", "Cress in the dark", "Cranes"]).await;
        page.view("#/").await;
        page.write("input[list]", "7").await;
        titles(&page, &["Crayfish", "Cranes"]).await;
        page.click("Mine only").await;
        titles(&page, &["Cranes"]).await;
        page.view("#/?status=draft_non_contradictory_complete").await;
        titles(&page, &["Cress in the dark"]).await;
    })
    .await;
}

#[tokio::test]
async fn more_comes_as_one_scrolls() {
    let (app, _, teacher) = TestApp::start().await;
    for number in 0..70 {
        teacher.create(json!({"title": format!("Lesson {number}"), "curriculum": "Physics"})).await;
    }
    Page::of(&app, PHONE, |page| async move {
        page.sees("70 investigations").await;
        assert_eq!(page.js("return document.querySelectorAll('.rows > li').length").await, 30);
        page.until("(scrollTo(0, document.body.scrollHeight), document.querySelectorAll('.rows > li').length === 70)")
            .await;
        assert_eq!(page.js(&format!("return new Set({TITLES}).size")).await, 70);
        assert_eq!(page.js("return document.querySelectorAll('.groups > section').length").await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_new_one_is_made_a_copy_is_taken_and_one_is_deleted_after_a_question() {
    let (app, _, teacher) = TestApp::start().await;
    Page::of(&app, WIDE, |page| async move {
        page.click("New investigation").await;
        page.until("document.querySelector('h1').textContent === 'Untitled'").await;
        page.write("[data-path=title]", "Cress").await;
        page.saved().await;
        page.view("#/").await;
        page.click("Clone Cress").await;
        page.sees("This is a copy of “Cress”.").await;
        page.view("#/").await;
        titles(&page, &["Cress", "Cress"]).await;
        page.click("Delete Cress").await;
        page.click("Cancel").await;
        titles(&page, &["Cress", "Cress"]).await;
        page.click("Delete Cress").await;
        page.click("Delete").await;
        titles(&page, &["Cress"]).await;
        assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 1);
    })
    .await;
}
