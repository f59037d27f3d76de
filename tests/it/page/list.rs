//! The list of investigations, on the page.

use fieldbook::app::HttpSettings;
use serde_json::json;

use super::pasting::{created, paste};
use super::{cress, hurried};
use crate::support::browser::{PHONE, Page, WIDE, Window};
use crate::support::profile_service::{Played, knows_all};
use crate::support::{COLLEAGUE, TestApp};

/// The visible titles, in order.
const TITLES: &str = "[...document.querySelectorAll('.rows .title')].map((a) => a.textContent)";

async fn titles(page: &Page, expected: &[&str]) {
    page.until(&format!("JSON.stringify({TITLES}) === {}", json!(json!(expected).to_string()))).await;
}

#[tokio::test]
async fn grouped_list_shows_the_status_of_each_lesson_and_the_names_of_other_authors() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(hurried()).await;
    teacher.create(json!({"title": "Loose", "curriculum": "Physics", "grade": "Year 6"})).await;
    app.signed_in(COLLEAGUE).create(json!({"title": "Theirs"})).await;
    let page = Page::of(&app, WIDE).await;
    // The list has no groups, and begins with the latest change, until the user chooses groups.
    titles(&page, &["Theirs", "Loose", "Cress in the dark"]).await;
    page.click("Filters and order").await;
    page.click("Group by curriculum").await;
    titles(&page, &["Cress in the dark", "Loose", "Theirs"]).await;
    let shown = page.js("return [...document.querySelectorAll('.groups > section')].map((s) => s.innerText.replaceAll(/\\s+/g, ' '))").await;
    let shown: Vec<&str> = shown.as_array().expect("groups").iter().filter_map(|group| group.as_str()).collect();
    assert!(
        shown[0].starts_with("Life science 1 Cress in the dark Contradicts itself Grade 5 20 min changed"),
        "{shown:?}"
    );
    assert!(shown[1].starts_with("Physics 1 Loose Incomplete Year 6 changed"), "{shown:?}");
    assert!(shown[2].starts_with("Without a curriculum 1 Theirs Incomplete A Another author"), "{shown:?}");
}

#[tokio::test]
async fn known_authors_are_shown_with_name_and_picture() {
    let service = Played::start(knows_all).await;
    let (app, teacher) = TestApp::start_with_profiles(service.settings(), None, HttpSettings::default()).await;
    teacher.create(json!({"title": "Of the reader"})).await;
    let author = app.signed_in(COLLEAGUE).post("/api/investigation", cress()).await.data()["author"].clone();
    let page = Page::behind_proxy(&app, WIDE).await;
    // The proxy has signed the person in, so there is no session to end.
    assert_eq!(page.js("return document.querySelector('#sign-out').checkVisibility()").await, false);
    let shown = page.until("document.querySelector('.person').innerText.trim()").await;
    assert_eq!(shown, author["name"]);
    let picture = page.js("return document.querySelector('.person img.face').src").await;
    assert_eq!(picture, author["avatar"]);
    assert_eq!(page.js("return document.querySelectorAll('.person').length").await, 1, "oneself is not named");
}

#[tokio::test]
async fn lesson_can_be_opened_and_corrected_with_the_keyboard_only() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(hurried()).await;
    let page = Page::of(&app, WIDE).await;
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
    to("at.matches('.finding > summary')").await;
    page.press("\u{e007}").await;
    to("at.textContent === 'Correct Duration in minutes …'").await;
    page.press("\u{e007}").await;
    page.until("document.querySelector('dialog[open]')").await;
    to("at.textContent === 'Correct it this way'").await;
    page.press(" ").await;
    page.sees("Duration in minutes: corrected.").await;
    page.until("document.querySelector('[data-path=durationMinutes] input').value === '25'").await;
}

#[tokio::test]
async fn search_narrows_while_typing_and_combines_with_filters() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(cress()).await;
    teacher.create(json!({"title": "Cranes", "grade": 7, "curriculum": "Physics"})).await;
    app.signed_in(COLLEAGUE).create(json!({"title": "Crayfish", "grade": 7, "curriculum": "Life science"})).await;
    let page = Page::of(&app, WIDE).await;
    titles(&page, &["Crayfish", "Cranes", "Cress in the dark"]).await;
    page.write("input[type=search]", "saucer").await;
    titles(&page, &["Cress in the dark"]).await;
    page.sees("1 lesson for “saucer”").await;
    page.write("input[type=search]", "cra").await;
    titles(&page, &["Crayfish", "Cranes"]).await;
    page.js("const s = document.querySelectorAll('.filters select')[1]; s.value = 'Physics'; s.dispatchEvent(new Event('change'))").await;
    titles(&page, &["Cranes"]).await;
    // After the user has opened a lesson and gone back, the search and the filter are still set. The heading of the
    // filters counts those that are set.
    page.click("Cranes").await;
    page.until("document.querySelector('.paper')").await;
    page.js("history.back()").await;
    titles(&page, &["Cranes"]).await;
    page.until("document.querySelector('.narrowing > summary').textContent === 'Filters and order 1 set'").await;
    page.write("input[type=search]", "nothing like it").await;
    page.sees("No lessons match this search.").await;
    page.click("Show all").await;
    titles(&page, &["Crayfish", "Cranes", "Cress in the dark"]).await;
    page.view("#/").await;
    page.click("Filters and order").await;
    page.write(".narrowing input:not([type=checkbox])", "7").await;
    titles(&page, &["Crayfish", "Cranes"]).await;
    page.click("Mine only").await;
    titles(&page, &["Cranes"]).await;
    page.view("#/?status=draft_non_contradictory_complete").await;
    titles(&page, &["Cress in the dark"]).await;
}

#[tokio::test]
async fn list_loads_more_rows_while_the_user_scrolls() {
    let (app, _, teacher) = TestApp::start().await;
    for number in 0..70 {
        teacher.create(json!({"title": format!("Lesson {number}"), "curriculum": "Physics"})).await;
    }
    let page = Page::of(&app, PHONE).await;
    page.sees("70 lessons").await;
    assert_eq!(page.js("return document.querySelectorAll('.rows > li').length").await, 30);
    page.until("(scrollTo(0, document.body.scrollHeight), document.querySelectorAll('.rows > li').length === 70)")
        .await;
    assert_eq!(page.js(&format!("return new Set({TITLES}).size")).await, 70);
    assert_eq!(page.js("return document.querySelectorAll('.groups > .rows').length").await, 1);
}

#[tokio::test]
async fn lesson_can_be_created_copied_and_deleted_and_the_deletion_undone() {
    let (page, teacher) = Page::of_service(WIDE).await;
    page.click("New lesson").await;
    page.until("document.querySelector('h1').textContent === 'Untitled'").await;
    // A new lesson is not stored before something is written in it. An empty row does not count.
    page.click("Add to Objectives").await;
    page.view("#/").await;
    assert_eq!(page.js("return document.querySelector('.unsaved').hidden").await, true);
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 0);
    page.click("New lesson").await;
    page.write("[data-path=title]", "Cress").await;
    page.until("document.querySelectorAll('#way a').length === 4").await;
    page.saved().await;
    page.view("#/").await;
    page.click("Actions for Cress").await;
    page.click("Make a copy of Cress").await;
    page.sees("This is a copy of “Cress”.").await;
    page.view("#/").await;
    titles(&page, &["Cress (copy)", "Cress"]).await;
    for undone in [true, false] {
        page.click("Actions for Cress (copy)").await;
        page.click("Delete Cress (copy)").await;
        titles(&page, &["Cress"]).await;
        if undone {
            page.click("Undo").await;
            titles(&page, &["Cress (copy)", "Cress"]).await;
        }
        assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 2);
    }
    // A page that closes sends the deletion at once, without waiting ten seconds.
    page.js("dispatchEvent(new Event('pagehide'))").await;
    page.sees("1 lesson").await;
    titles(&page, &["Cress"]).await;
    while teacher.get("/api/investigation").await.data()["pagination"]["total"] != 1 {}
}

#[tokio::test]
async fn newest_lesson_is_first_regardless_of_its_curriculum() {
    let (page, teacher) = Page::of_service(WIDE).await;
    for number in 0..40 {
        let curriculum = format!("Curriculum {}", number % 5);
        teacher.create(json!({"title": format!("Lesson {number}"), "curriculum": curriculum})).await;
    }
    teacher.create(json!({"title": "The newest", "curriculum": "Curriculum 4"})).await;
    page.view("#/?sort=createdAt+desc").await;
    page.until(&format!("{TITLES}[0] === 'The newest' && {TITLES}[1] === 'Lesson 39'")).await;
}

#[tokio::test]
async fn lesson_opens_in_a_new_tab_and_back_returns_to_the_scroll_position_of_the_list() {
    let (app, _, teacher) = TestApp::start().await;
    for number in 0..60 {
        teacher.create(json!({"title": format!("Lesson {number}")})).await;
    }
    let page = Page::of(&app, WIDE).await;
    page.until(&format!("{TITLES}[0] === 'Lesson 59'")).await;
    page.until("(scrollTo(0, document.body.scrollHeight), document.querySelectorAll('.rows > li').length === 60)")
        .await;
    let link = page.js("return [...document.querySelectorAll('.rows a')].at(-5).href").await;
    let link = link.as_str().expect("an address").to_owned();
    page.js("[...document.querySelectorAll('.rows a')].at(-5).scrollIntoView({block: 'center', behavior: 'instant'})")
        .await;
    let top = page.until("scrollY").await;
    page.in_another_tab(&link, async |tab| {
        tab.until("document.querySelector('[data-path=title]')?.value === 'Lesson 4'").await;
    })
    .await;
    page.js("[...document.querySelectorAll('.rows a')].at(-5).click()").await;
    page.until("document.querySelector('.paper')").await;
    page.js("history.back()").await;
    page.until(&format!("document.querySelectorAll('.rows > li').length === 60 && scrollY === {top}")).await;
}

/// The text of a lesson as a teacher would write it in a document.
const LESSON: &str = "Cress in the dark\n\nA lesson for spring.\n\nGrade: 5\nTime: 45 minutes\n\nMaterials\n- 40 cress seeds\n\
    - 300 ml water\n- cotton wool\n  from the pharmacy\n\nProcedure\n1. Sow twenty seeds. (15 min)\n2. Wait.\n\n\
    Safety:\nWash your hands.\n\nHomework:\nDraw the saucers.";

#[tokio::test]
async fn pasted_lesson_is_split_into_fields_by_its_headings_without_losing_a_line() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, LESSON).await;
    page.until("document.querySelector('dialog .reading')?.innerText.includes('Draw the saucers.')").await;
    let seen = page.js("return document.querySelector('dialog .reading').innerText").await;
    let seen = seen.as_str().expect("a preview");
    assert!(
        seen.contains("Not placed") && seen.contains("A lesson for spring.") && seen.contains("Draw the saucers."),
        "{seen}"
    );
    let lesson = created(&page, &teacher).await;
    page.until("document.querySelector('.paper h1')?.textContent === 'Cress in the dark'").await;
    assert_eq!((&lesson["grade"], &lesson["durationMinutes"]), (&json!(5), &json!(45)));
    assert_eq!(
        lesson["materials"],
        json!([
            {"name": "cress seeds", "quantity": 40},
            {"name": "water", "quantity": 300, "unit": "ml"},
            {"name": "cotton wool from the pharmacy"},
        ])
    );
    assert_eq!(lesson["steps"], json!([{"text": "Sow twenty seeds.", "minutes": 15}, {"text": "Wait."}]));
    assert_eq!(lesson["safety"], json!(["Wash your hands."]));
    assert_eq!(
        (&lesson["homework"], &lesson["unplacedText"]),
        (&json!("Draw the saucers."), &json!("A lesson for spring."))
    );
}

#[tokio::test]
async fn empty_list_offers_examples() {
    let (page, teacher) = Page::of_service(WIDE).await;
    page.view("#/").await;
    page.until("document.querySelector('.standing.empty')").await;
    let filters = "return document.querySelector('.filters').checkVisibility()";
    assert_eq!(page.js(filters).await, false, "there is nothing to search");
    page.click("Add examples").await;
    page.sees("13 examples added.").await;
    page.sees("13 lessons").await;
    assert!(!page.js("return document.body.innerText").await.to_string().contains("Add examples"));
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 13);
}

#[tokio::test]
async fn author_without_lessons_is_offered_a_new_lesson() {
    let (app, _, _) = TestApp::start().await;
    app.signed_in(COLLEAGUE).create(json!({"title": "Theirs"})).await;
    let page = Page::of(&app, WIDE).await;
    page.sees("1 lesson").await;
    page.click("Filters and order").await;
    page.click("Mine only").await;
    page.sees("You have no lessons yet.").await;
    let whole = "return performance.getEntriesByType('resource').map((entry) => entry.name)
        .filter((name) => name.includes('/api/investigation?') && !name.includes('fields='))";
    assert_eq!(page.js(whole).await, json!([]), "the list fetches what its rows show");
    page.click_on(".standing .primary").await;
    page.until("document.querySelector('.paper')").await;
}

#[tokio::test]
async fn list_search_tolerates_typos_and_finds_lessons_by_grade() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(json!({"title": "What sets the beat of a pendulum?", "grade": 5})).await;
    teacher.create(json!({"title": "Penguins", "grade": 4})).await;
    let page = Page::of(&app, WIDE).await;
    let finds = async |search: &str, found: &[&str]| {
        page.write("input[type=search]", search).await;
        titles(&page, found).await;
    };
    page.view("#/").await;
    finds("pendulm", &["What sets the beat of a pendulum?"]).await;
    page.sees("No lesson contains these words. 1 lesson with similar words:").await;
    finds("pendel", &[]).await;
    page.sees("No lessons match this search.").await;
    finds("Grade 4", &["Penguins"]).await;
    finds("pen grade 5", &["What sets the beat of a pendulum?"]).await;
}

#[tokio::test]
async fn first_lesson_of_the_list_is_shown_with_grade_and_duration_without_scrolling() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(cress()).await;
    let page = Page::of(&app, WIDE).await;
    for window in [Window { height: 800, ..WIDE }, PHONE] {
        page.appear(window).await;
        page.view("#/").await;
        let row = page.until("document.querySelector('.rows > li')?.innerText.replaceAll(/\\s+/g, ' ')").await;
        let facts = "Cress in the dark Complete Grade 5 45 min Life science changed";
        assert!(row.as_str().expect("a row").starts_with(facts), "{row}");
        let bottom = page.js("return document.querySelector('.rows > li').getBoundingClientRect().bottom").await;
        assert!(bottom.as_f64().expect("a place") < f64::from(window.height) / 2.0, "{bottom} of {}", window.height);
    }
}

#[tokio::test]
async fn list_is_reloaded_when_its_window_becomes_visible_again() {
    let (page, teacher) = Page::of_service(WIDE).await;
    teacher.create(json!({"title": "Beans"})).await;
    page.view("#/").await;
    titles(&page, &["Beans"]).await;
    teacher.create(json!({"title": "Cress"})).await;
    page.js("document.dispatchEvent(new Event('visibilitychange'))").await;
    titles(&page, &["Cress", "Beans"]).await;
}
