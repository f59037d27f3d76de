//! The page for administrators: people, their roles and their sign-in links.

use fieldbook::app::HttpSettings;
use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{Person, PersonStatus};
use serde_json::json;

use super::assets::{axe, no_violations};
use crate::http::people::{add, person};
use crate::support::browser::{PHONE, Page, WIDE};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

const READER: &str = "dddddddddddddddddddddddd";

async fn start() -> (TestApp, Page) {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada Lovelace", Some(Role::Admin))).await;
    let page = Page::of(&app, WIDE).await;
    page.click("People").await;
    page.until("document.querySelector('main:not([aria-busy]) h1')?.textContent === 'People'").await;
    (app, page)
}

/// Returns the text of each row in the list of people.
async fn rows(page: &Page) -> String {
    let rows = "return [...document.querySelectorAll('.rows > li .what')].map((row) => row.innerText.replace(/\\s+/g, ' ')).join('; ')";
    page.js(rows).await.as_str().expect("a text").to_owned()
}

#[tokio::test]
async fn account_view_of_an_administrator_links_to_the_list_of_people() {
    let (_app, page) = start().await;
    page.view("#/account").await;
    page.click_on("main a[href='#/people']").await;
    page.until("location.hash === '#/people'").await;
}

#[tokio::test]
async fn person_added_on_the_page_signs_in_with_the_shown_link() {
    let (app, page) = start().await;
    no_violations(&page, &axe(), "the people").await;
    page.click("Add a person").await;
    page.until("document.querySelector('dialog[open]')").await;
    no_violations(&page, &axe(), "the dialog of a new person").await;
    page.sees("Without one, this person can sign in only with links.").await;
    page.sees("The usual role here: Author").await;
    // The page has put the cursor into the first field.
    page.press("Grace Hopper").await;
    page.write("dialog input[type=email]", "grace@school.example").await;
    page.click("Add").await;
    page.sees("Send this link to Grace Hopper.").await;
    let link = page.until("document.querySelector('dialog input[readonly]')?.value").await;
    page.click("Done").await;
    assert!(
        rows(&page).await.contains("Grace Hopper grace@school.example Author (default) invited has never signed in")
    );
    let code = link.as_str().and_then(|link| link.split_once("#code=")).expect("a code").1.to_owned();
    let browser = app.anon().with_header("sec-fetch-site", "same-origin");
    let signed_in = browser.post("/api/session", json!({ "code": code })).await;
    assert_eq!(signed_in.data()["name"], "Grace Hopper", "{signed_in}");
}

#[tokio::test]
async fn notice_confirms_that_a_sign_in_link_was_copied() {
    let (_app, page) = start().await;
    page.click("Actions for Ada Lovelace").await;
    page.click("New sign-in link for Ada Lovelace").await;
    page.sees("Send this link to Ada Lovelace.").await;
    page.sees("The link leads to this computer, which others cannot reach.").await;
    page.allow_the_clipboard().await;
    page.click("Copy").await;
    page.sees("The link was copied.").await;
    // The notice is in front of the dialog, and not behind it.
    let above = "const { x, y, width, height } = document.querySelector('.notice').getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2).closest('.notice') !== null";
    assert_eq!(page.js(above).await, true);
    // Browsers give a page without TLS no clipboard.
    page.js("Object.defineProperty(navigator, 'clipboard', { value: undefined })").await;
    page.js("document.querySelectorAll('.notice').forEach((notice) => notice.remove())").await;
    page.click("Copy").await;
    page.sees("The link was copied.").await;
    page.js("document.execCommand = () => false").await;
    page.click("Copy").await;
    page.sees("Copying did not work.").await;
    let link = "document.querySelector('dialog input[readonly]')";
    page.until(&format!("{link}.selectionEnd === {link}.value.length && {link}.selectionStart === 0")).await;
}

#[tokio::test]
async fn people_list_shows_the_role_from_the_school_account_if_none_is_set() {
    let (app, page) = start().await;
    add(&app, Person { provider_role: Some(Role::Author), ..person(COLLEAGUE, "Grace Hopper", None) }).await;
    page.view("#/people").await;
    page.sees("Author, from the school account").await;
    page.click("Actions for Grace Hopper").await;
    page.click("Change Grace Hopper").await;
    let chosen = "document.querySelector('dialog select')?.selectedOptions[0].innerText";
    assert_eq!(page.until(chosen).await, "The role of the school account");
    page.click("Cancel").await;
    page.click("Actions for Grace Hopper").await;
    page.click("New sign-in link for Grace Hopper").await;
    page.sees("The role of the school account does not count then: by the link, it is Author.").await;
}

#[tokio::test]
async fn changing_the_role_of_a_person_ends_their_sign_in_link_and_the_page_offers_a_new_link() {
    let (_app, page) = start().await;
    page.click("Add a person").await;
    page.sees("Reader: reads everything, changes nothing").await;
    page.press("Grace Hopper").await;
    page.click("Add").await;
    let sent = page.until("document.querySelector('dialog input[readonly]')?.value").await;
    page.click("Done").await;
    page.click("Actions for Grace Hopper").await;
    page.click("Change Grace Hopper").await;
    page.sees("Another e-mail or role ends the sign-in link that was sent.").await;
    page.js("document.querySelector('dialog select').value = 'reader'").await;
    page.click("Save").await;
    page.sees("Grace Hopper is changed. The link that was sent has ended.").await;
    page.click("New link").await;
    let fresh = page.until("document.querySelector('dialog input[readonly]')?.value").await;
    assert_ne!(fresh, sent);
}

#[tokio::test]
async fn administrator_changes_disables_and_removes_a_person() {
    let (app, page) = start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    let id = app.signed_in(COLLEAGUE).create(json!({"title": "Cress"})).await;
    page.appear(PHONE).await;
    page.view("#/people").await;
    page.sees("Grace Hopper").await;
    let open = || page.click("Actions for Grace Hopper");
    open().await;
    page.click("Change Grace Hopper").await;
    page.js("document.querySelector('dialog select').value = 'reader'").await;
    page.click("Save").await;
    page.sees("Grace Hopper is changed.").await;
    page.sees("Reader").await;
    open().await;
    page.click("Disable Grace Hopper").await;
    page.sees("Grace Hopper is disabled and signed out.").await;
    open().await;
    page.click("Enable Grace Hopper").await;
    page.until("!document.querySelector('.rows').innerText.includes('disabled')").await;
    open().await;
    page.click("Remove Grace Hopper").await;
    page.sees("will be deleted permanently").await;
    page.click("Remove").await;
    page.sees("Choose who gets the lessons.").await;
    no_violations(&page, &axe(), "the question before a removal").await;
    page.js(&format!("document.querySelector('dialog select').value = '{TEACHER}'")).await;
    page.click("Remove").await;
    page.sees("Grace Hopper is removed.").await;
    page.view("#/people").await;
    assert_eq!(page.js("return document.querySelectorAll('.rows > li').length").await, 1);
    page.click("Also show erased people").await;
    page.sees(&format!("Erased person {COLLEAGUE}")).await;
    assert_eq!(rows(&page).await.split("; ").next(), Some(&*format!("Erased person {COLLEAGUE} erased")));
    page.click(&format!("Actions for Erased person {COLLEAGUE}")).await;
    let acts = "return [...document.querySelectorAll('.menu[open] button')].map((act) => act.innerText)";
    assert_eq!(page.js(acts).await, json!(["Give lessons to …"]));
    let lesson = app.signed_in(TEACHER).get(&format!("/api/investigation/{id}")).await;
    assert_eq!(lesson.data()["author"]["id"], TEACHER, "{lesson}");
}

#[tokio::test]
async fn admin_reassigns_the_lessons_of_a_disabled_person() {
    let (app, page) = start().await;
    let id = app.signed_in(COLLEAGUE).create(json!({"title": "Cress"})).await;
    add(&app, Person { status: PersonStatus::Disabled, ..person(COLLEAGUE, "Grace Hopper", None) }).await;
    add(&app, person(READER, "Joan Clarke", Some(Role::Reader))).await;
    let pupil = Person { provider_role: Some(Role::None), ..person("eeeeeeeeeeeeeeeeeeeeeeee", "Pia", None) };
    add(&app, pupil).await;
    page.view("#/people").await;
    page.click("Actions for Grace Hopper").await;
    page.click("Give the lessons of Grace Hopper to somebody").await;
    page.until("document.querySelector('dialog select')").await;
    page.sees("Grace Hopper is the author of 1 lesson.").await;
    let heirs = "return [...document.querySelectorAll('dialog option')].map((one) => one.textContent)";
    assert_eq!(page.js(heirs).await, json!(["Choose …", "Ada Lovelace (Ada@School.example, Administrator)"]));
    page.js(&format!("document.querySelector('dialog select').value = '{TEACHER}'")).await;
    page.click("Give").await;
    page.sees("Ada Lovelace now has 1 more lesson.").await;
    let lesson = app.signed_in(TEACHER).get(&format!("/api/investigation/{id}")).await;
    assert_eq!(lesson.data()["author"]["id"], TEACHER, "{lesson}");
}

#[tokio::test]
async fn changing_a_name_keeps_the_changes_another_admin_made_meanwhile() {
    let (app, page) = start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", Some(Role::Admin))).await;
    page.view("#/people").await;
    page.sees("Grace Hopper").await;
    let path = format!("/api/people/{COLLEAGUE}");
    let elsewhere = json!({"role": "reader", "email": "hopper@school.example"});
    assert_eq!(app.signed_in(TEACHER).patch(&path, elsewhere).await.status, 200);
    page.click("Actions for Grace Hopper").await;
    page.click("Change Grace Hopper").await;
    page.write("dialog input[type=text]", "Grace Murray Hopper").await;
    page.click("Save").await;
    page.sees("Grace Murray Hopper").await;
    let shown = rows(&page).await;
    assert!(shown.contains("Grace Murray Hopper hopper@school.example Reader"), "{shown}");
}

#[tokio::test]
async fn last_administrator_cannot_be_disabled_and_the_page_says_why() {
    let (_app, page) = start().await;
    page.click("Actions for Ada Lovelace").await;
    page.click("Disable Ada Lovelace").await;
    page.click("Disable").await;
    page.sees("Not possible. This is the last active admin in the directory").await;
    page.click("Cancel").await;
    assert!(
        rows(&page).await.starts_with("Ada Lovelace Ada@School.example Administrator signed in"),
        "{}",
        rows(&page).await
    );
}

#[tokio::test]
async fn administrator_finds_people_by_name_prefix() {
    let (app, page) = start().await;
    for n in 0..120 {
        add(&app, person(&format!("{n:024}"), &format!("Pupil{n} Nobody"), None)).await;
    }
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    page.view("#/people").await;
    page.click("Show more").await;
    page.until("document.querySelectorAll('.rows > li').length === 122").await;
    page.write("input[type=search]", "hop").await;
    page.until("document.querySelectorAll('.rows > li').length === 1").await;
    page.sees("Grace Hopper").await;
}

#[tokio::test]
async fn late_answer_to_an_earlier_search_is_not_shown() {
    let (app, page) = start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    add(&app, person(READER, "Greta Garbo", None)).await;
    // The answer to the search for “gr” waits until the test releases it.
    let hold = "const ask = window.fetch;
        window.fetch = async (path, options) => {
            const answer = await ask(path, options);
            if (!String(path).endsWith('search=gr')) return answer;
            const text = await answer.text();
            await new Promise((go) => (window.go = go));
            setTimeout(() => (window.gone = true));
            return { ok: true, headers: answer.headers, text: () => text };
        }";
    page.js(hold).await;
    page.write("input[type=search]", "gr").await;
    page.until("!!window.go").await;
    page.write("input[type=search]", "grace").await;
    page.sees("Grace Hopper").await;
    page.js("window.go()").await;
    page.until("window.gone").await;
    let shown = rows(&page).await;
    assert!(shown.starts_with("Grace Hopper") && !shown.contains("Greta"), "{shown}");
}

#[tokio::test]
async fn authors_cannot_see_the_list_of_people_or_a_link_to_it() {
    let (page, _) = Page::of_service(WIDE).await;
    assert_eq!(page.js("return document.querySelector('#people').checkVisibility()").await, false);
    page.view("#/people").await;
    page.sees("Only administrators see this.").await;
}

#[tokio::test]
async fn removal_of_a_person_offers_no_reader_as_the_new_author() {
    let http = HttpSettings { default_role: Role::Reader, ..HttpSettings::default() };
    let (app, ..) = TestApp::start_with(http).await;
    add(&app, person(TEACHER, "Ada Lovelace", Some(Role::Admin))).await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    let page = Page::of(&app, WIDE).await;
    page.view("#/people").await;
    page.sees("Reader (default)").await;
    page.click("Actions for Grace Hopper").await;
    page.click("Remove Grace Hopper").await;
    page.until("document.querySelector('dialog select')").await;
    let heirs = "return [...document.querySelectorAll('dialog option')].map((one) => one.value)";
    assert_eq!(page.js(heirs).await, json!(["", "nobody", TEACHER]));
    page.click("Cancel").await;
    page.click("Actions for Ada Lovelace").await;
    page.click("Give the lessons of Ada Lovelace to somebody").await;
    page.until("document.querySelector('dialog select')").await;
    assert_eq!(page.js(heirs).await, json!([""]));
}

#[tokio::test]
async fn administrators_are_asked_before_they_disable_themselves() {
    let (app, page) = start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", Some(Role::Admin))).await;
    page.click("Actions for Ada Lovelace").await;
    page.click("Disable Ada Lovelace").await;
    page.sees("You are signed out at once").await;
    page.click("Cancel").await;
    page.sees("Administrator").await;
    page.click("Actions for Ada Lovelace").await;
    page.click("Disable Ada Lovelace").await;
    page.click("Disable").await;
    page.sees("Open the sign-in link").await;
    assert_eq!(app.rows("session"), 0);
}

#[tokio::test]
async fn successful_action_removes_the_error_notice_of_an_earlier_attempt() {
    let (app, page) = start().await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    page.view("#/people").await;
    page.sees("Grace Hopper").await;
    page.offline(true).await;
    page.click("Actions for Grace Hopper").await;
    page.click("Disable Grace Hopper").await;
    page.until("document.querySelector('.notice[data-tone=alarm]')").await;
    // Keeps the notice open, which would otherwise close as soon as the service can be reached.
    page.js("delete document.querySelector('.notice').dataset.away").await;
    page.offline(false).await;
    page.click("Actions for Grace Hopper").await;
    page.click("Disable Grace Hopper").await;
    page.sees("Grace Hopper is disabled and signed out.").await;
    assert_eq!(page.js("return document.querySelectorAll('.notice').length").await, 1);
}
