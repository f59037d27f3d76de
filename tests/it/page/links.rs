//! Links to an investigation, on the page.

use fieldbook::app::HttpSettings;
use serde_json::json;

use super::cress;
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE};

#[tokio::test]
async fn double_click_creates_one_link() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.view(&format!("#/i/{id}/links")).await;
    page.write("form.make input", "5b").await;
    let clicks = "const make = [...document.querySelectorAll('form.make button')].find((one) => one.textContent === 'Create a link');
        for (const detail of [1, 2]) make.dispatchEvent(new MouseEvent('click', { detail, bubbles: true, cancelable: true }))";
    page.js(clicks).await;
    page.sees("was created.").await;
    let links = teacher.get(&format!("/api/investigation/{id}/links")).await.data();
    assert_eq!(links.as_array().map(Vec::len), Some(1), "{links}");
}

#[tokio::test]
async fn page_warns_that_phones_cannot_open_links_to_localhost() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    page.view(&format!("#/i/{id}/links")).await;
    page.sees("The code leads to this computer, which phones cannot reach.").await;
    // An address may break after a slash, and not within a name.
    let parts = "return [...document.querySelectorAll('.address span')].map((part) => part.getClientRects().length)";
    assert_eq!(page.js(parts).await, json!([1, 1, 1, 1]));
}

#[tokio::test]
async fn link_is_created_with_a_typed_or_generated_sub_link() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    page.view(&format!("#/i/{id}/links")).await;
    page.sees("There are no links yet.").await;
    page.write(".make div:nth-of-type(1) input", "class-5b").await;
    page.write(".make div:nth-of-type(2) input", "cress").await;
    page.write(".make div:nth-of-type(3) input", "Homework").await;
    page.click("Create a link").await;
    page.until("document.querySelector('[data-link=\"class-5b/cress\"]').innerText.includes('Homework')").await;
    // On a phone, the form is closed, so that the new link is in view.
    page.click("New link").await;
    page.write(".make div:nth-of-type(1) input", "class-5b").await;
    page.click("Create a link").await;
    page.until("document.querySelectorAll('[data-link]').length === 2").await;
    let generated = page.js("return document.querySelector('[data-link]').dataset.link").await;
    assert!(generated.as_str().is_some_and(|name| name.starts_with("class-5b/") && name.len() == 17), "{generated}");
    let links = teacher.get(&format!("/api/link/investigation/{id}")).await.data();
    assert_eq!(links.as_array().map(Vec::len), Some(2), "{links}");
}

#[tokio::test]
async fn second_link_with_the_same_address_is_refused_and_a_link_can_be_deleted() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    teacher.create_link(&id, "class-5b", "other").await;
    page.view(&format!("#/i/{id}/links")).await;
    page.until("document.querySelectorAll('[data-link]').length === 2").await;
    page.write(".make div:nth-of-type(1) input", "class-5b").await;
    page.write(".make div:nth-of-type(2) input", "cress").await;
    page.click("Create a link").await;
    page.sees("This link already exists").await;
    page.js("document.getElementById('notices').replaceChildren()").await;
    page.click("Actions for class-5b/cress").await;
    page.click("Delete class-5b/cress").await;
    page.click("Delete").await;
    page.until("document.querySelectorAll('[data-link]').length === 1").await;
    let left = teacher.get(&format!("/api/link/investigation/{id}")).await.data();
    assert_eq!(left.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn more_links_are_loaded_on_demand() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    for n in 1..=51 {
        teacher.create_link(&id, "k", &n.to_string()).await;
    }
    page.view(&format!("#/i/{id}/links")).await;
    page.until("document.querySelectorAll('[data-link]').length === 50").await;
    page.write(".make div:nth-of-type(1) input", "k").await;
    page.write(".make div:nth-of-type(2) input", "52").await;
    page.click("Create a link").await;
    page.until("document.querySelectorAll('[data-link]').length === 51").await;
    page.click("Show more").await;
    page.until("document.querySelectorAll('[data-link]').length === 52").await;
    let left = page.js("return document.body.innerText.includes('Show more')").await;
    assert_eq!(left, json!(false));
}

#[tokio::test]
async fn visits_are_shown_by_day_in_a_chart_and_a_table() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(cress()).await;
    let address = teacher.create_link(&id, "class-5b", "cress").await;
    let day = std::time::Duration::from_secs(24 * 60 * 60);
    anon.get(&address).await;
    app.clock.advance(2 * day);
    anon.get(&address).await;
    anon.get(&address).await;
    let page = Page::of(&app, WIDE).await;
    page.view(&format!("#/i/{id}/links")).await;
    page.sees("3 visits").await;
    page.click("Visits per day").await;
    let heights = page.until("document.querySelector('.chart rect') && [...document.querySelectorAll('.chart rect')].map((bar) => Number(bar.getAttribute('height')))").await;
    assert_eq!(heights, json!([48, 0, 96]));
    page.click("As a table").await;
    page.sees("2026-11-23").await;
    let rows = page.js("return [...document.querySelectorAll('.chart tbody tr')].map((row) => row.innerText)").await;
    assert_eq!(rows, json!(["2026-11-23\t2", "2026-11-21\t1"]));
}

#[tokio::test]
async fn page_reads_the_visits_of_all_links_with_one_request() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    for name in ["cress", "other"] {
        teacher.create_link(&id, "class-5b", name).await;
    }
    page.view(&format!("#/i/{id}/links")).await;
    page.sees("0 visits").await;
    for name in ["cress", "other"] {
        teacher.get(&format!("/api/link/class-5b/{name}")).await;
    }
    page.js("performance.clearResourceTimings(); dispatchEvent(new Event('focus'))").await;
    page.until("[...document.querySelectorAll('[data-link]')].every((link) => link.innerText.includes('1 visit'))")
        .await;
    let asked = "return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
        .filter((path) => path.includes('link') && !path.endsWith('.svg'))";
    assert_eq!(page.js(asked).await, json!([format!("/api/investigation/{id}/links")]));
}

#[tokio::test]
async fn button_copies_the_address_of_a_link() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    page.allow_the_clipboard().await;
    page.view(&format!("#/i/{id}/links")).await;
    page.click("Copy the address of class-5b/cress").await;
    page.sees("The address was copied.").await;
    let stray = "return [...document.querySelectorAll('.links .acts')].flatMap((acts) => [...acts.childNodes])
        .filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.data)";
    assert_eq!(page.js(stray).await, json!([]));
    page.js("navigator.clipboard.readText().then((text) => { window.copied = text; })").await;
    page.until("window.copied === `${location.origin}/l/class-5b/cress`").await;
}

#[tokio::test]
async fn phone_offers_to_share_a_link_first_and_a_computer_to_copy_it() {
    for (window, expected) in
        [(WIDE, json!(["Copy", "Share", "Show", "Sheet"])), (PHONE, json!(["Share", "Copy", "Show", "Sheet"]))]
    {
        let (page, teacher, id) = Page::of_lesson(cress(), window).await;
        teacher.create_link(&id, "class-5b", "cress").await;
        page.js("navigator.share = async () => undefined").await;
        page.view(&format!("#/i/{id}/links")).await;
        page.until("document.querySelector('.links .acts')").await;
        let acts =
            "return [...document.querySelectorAll('.links li > .acts > *:not(.menu)')].map((one) => one.innerText)";
        assert_eq!(page.js(acts).await, expected);
        let filled = "return [...document.querySelectorAll('.links .primary')].map((one) => one.innerText)";
        assert_eq!(page.js(filled).await, json!([expected[0]]));
    }
}

#[tokio::test]
async fn links_are_shown_and_copied_with_the_configured_public_address() {
    let http = HttpSettings { public_url: Some("http://fieldbook.example".into()), ..HttpSettings::default() };
    let (app, _, teacher) = TestApp::start_with(http).await;
    let id = teacher.create(cress()).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    let page = Page::of(&app, WIDE).await;
    page.allow_the_clipboard().await;
    page.view(&format!("#/i/{id}/links")).await;
    page.until("document.querySelector('.address').textContent === 'fieldbook.example/l/class-5b/cress'").await;
    page.click("Copy the address of class-5b/cress").await;
    page.sees("The address was copied.").await;
    page.js("navigator.clipboard.readText().then((text) => { window.copied = text; })").await;
    page.until("window.copied === 'http://' + document.querySelector('.address').textContent").await;
    page.click("Sheet with class-5b/cress").await;
    page.until("document.querySelector('.sheet-frame')?.contentDocument?.querySelector('.link img')?.naturalWidth > 0")
        .await;
    let address = page
        .js("return document.querySelector('.sheet-frame').contentDocument.querySelector('figcaption').textContent");
    assert_eq!(address.await, "fieldbook.example/l/class-5b/cress");
}

#[tokio::test]
async fn page_counts_no_visit_for_a_preview_and_shows_new_visits_of_others() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    page.view(&format!("#/i/{id}/links")).await;
    page.sees("0 visits").await;
    assert_eq!(page.js("return document.querySelectorAll('.links a[href*=\"/l/\"]').length").await, 0);
    teacher.get("/api/link/class-5b/cress").await;
    page.js("dispatchEvent(new Event('focus'))").await;
    page.sees("1 visit ").await;
}

#[tokio::test]
async fn qr_code_of_a_link_can_be_shown_full_screen() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    page.view(&format!("#/i/{id}/links")).await;
    page.click("Show the code of class-5b/cress full screen").await;
    page.until("document.querySelector('.projector img')?.naturalWidth > 0").await;
    page.until("document.querySelector('.projector').innerText.includes('/l/class-5b/cress')").await;
    let shown = "return document.querySelector('.projector p').innerHTML";
    let address = page.js(shown).await;
    assert!(
        address.as_str().is_some_and(|text| text.ends_with("<span>l/</span><span>class-5b/</span><span>cress</span>")),
        "{address}"
    );
    assert!(!address.to_string().contains("http"), "{address}");
    let side =
        page.js("return document.querySelector('.projector img').getBoundingClientRect().height / innerHeight").await;
    assert!(side.as_f64().is_some_and(|part| part > 0.6), "{side}");
    page.click("Close").await;
    page.until("!document.querySelector('.projector')").await;
    assert_eq!(teacher.get("/api/link/class-5b/cress/visits").await.data()["visitCount"], 0);
    page.click("Actions for class-5b/cress").await;
    page.click("Close link class-5b/cress").await;
    page.sees("closed").await;
    page.click("Show the code of class-5b/cress full screen").await;
    page.until("document.querySelector('.projector [role=alert]')?.innerText.startsWith('This link is closed')").await;
}

#[tokio::test]
async fn link_can_show_a_named_version() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let lesson = format!("/api/investigation/{id}");
    teacher.patch(&lesson, json!({"grade": 6})).await;
    teacher.patch(&format!("{lesson}/versions/1"), json!({"name": "Trial"})).await;
    // Each pause while an author writes a lesson creates a version.
    for n in 0..=200 {
        teacher.patch(&lesson, json!({"grade": 7 + n % 2})).await;
    }
    page.view(&format!("#/i/{id}/links")).await;
    page.write(".make div:nth-of-type(1) input", "class-5b").await;
    page.click("When it closes, and which text it shows").await;
    let named =
        "[...document.querySelectorAll('.make option')].find((one) => one.textContent === '“Trial” (version 1)')";
    page.until(named).await;
    page.js(&format!("const named = {named}; named.parentElement.value = named.value")).await;
    page.click("Create a link").await;
    page.sees("was created.").await;
    let links = teacher.get(&format!("{lesson}/links")).await.data();
    assert_eq!(links[0]["version"], 1, "{links}");
}

#[tokio::test]
async fn address_of_a_new_link_is_built_from_the_typed_words_and_previewed() {
    let (page, _, id) = Page::of_lesson(cress(), WIDE).await;
    page.view(&format!("#/i/{id}/links")).await;
    page.write(".make div:nth-of-type(1) input", "Class 6c").await;
    page.write(".make div:nth-of-type(2) input", "Größe & Länge").await;
    page.until("document.querySelector('.make .help').textContent.endsWith('/l/class-6c/grosse-lange')").await;
    page.write(".make div:nth-of-type(1) input", "").await;
    page.click("Create a link").await;
    page.sees("Enter the class, such as 5b.").await;
    page.write(".make div:nth-of-type(1) input", "Class 6c").await;
    page.until("document.querySelector('.make .fault').textContent === ''").await;
    page.click("Create a link").await;
    page.until("document.querySelector('[data-link=\"class-6c/grosse-lange\"]')").await;
}

#[tokio::test]
async fn author_can_close_an_open_link_but_not_set_a_closing_time_in_the_past() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let moment = "document.querySelector('input[type=date]')";
    let close = |day: &str| format!("{moment}.value = '{day}'; {moment}.dispatchEvent(new Event('input'))");
    page.view(&format!("#/i/{id}/links")).await;
    page.write(".make div:nth-of-type(1) input", "class-5b").await;
    page.click("When it closes, and which text it shows").await;
    page.js(&close("2020-01-01")).await;
    page.sees("This time is in the past").await;
    page.click("Create a link").await;
    page.sees("The link would be closed already.").await;
    assert_eq!(teacher.get(&format!("/api/link/investigation/{id}")).await.data(), json!([]));
    page.js(&close("2999-01-01")).await;
    page.js(&format!("{moment}.focus()")).await;
    page.press("\u{e007}").await;
    page.sees("closes Jan 1, 2999").await;
    // The focus is in the new link.
    page.until("document.activeElement.closest('[data-link]')").await;
    // The form for the next link begins without a closing date.
    page.until(&format!("{moment}.value === ''")).await;
    let name = page.js("return document.querySelector('[data-link]').dataset.link").await;
    let name = name.as_str().expect("a name");
    page.click(&format!("Actions for {name}")).await;
    page.click(&format!("Close link {name}")).await;
    page.until("!document.querySelector('.links').innerText.includes('closes')").await;
    // The focus returns to the menu button of the link.
    page.until(&format!("document.activeElement.ariaLabel === 'Actions for {name}'")).await;
    page.click(&format!("Actions for {name}")).await;
    page.click(&format!("Open again {name}")).await;
}

#[tokio::test]
async fn new_link_form_is_collapsed_on_a_phone_if_links_exist() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    page.view(&format!("#/i/{id}/links")).await;
    page.until("document.querySelector('[data-link]').getBoundingClientRect().top < innerHeight / 2").await;
    page.click("New link").await;
    page.write(".make div:nth-of-type(1) input", "class-5c").await;
    page.click("Create a link").await;
    page.until("document.querySelectorAll('[data-link]').length === 2").await;
    // The form is empty and closed, and the code of the new link is in sight.
    page.until("!document.querySelector('.new').open && document.querySelector('form.make input').value === ''").await;
    let code = "document.querySelector('[data-link^=\"class-5c/\"] .qr').getBoundingClientRect()";
    page.until(&format!("{code}.top >= 0 && {code}.bottom <= innerHeight")).await;
}

#[tokio::test]
async fn link_form_refuses_an_incomplete_date_a_time_without_a_date_and_a_number_without_digits() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.view(&format!("#/i/{id}/links")).await;
    // Takes the last input, because a dialog is the last element of the page.
    let [day, time] =
        ["date", "time"].map(|kind| format!("[...document.querySelectorAll('input[type={kind}]')].at(-1)"));
    let close = format!("{day}.value = '2999-12-04'; {day}.dispatchEvent(new Event('input'))");
    page.write(".make div:nth-of-type(1) input", "class-5b").await;
    page.click("When it closes, and which text it shows").await;
    page.js(&format!("{time}.focus()")).await;
    page.press("0630PM").await;
    page.click("Create a link").await;
    page.sees("Add a date, or clear the time.").await;
    page.until(&format!("document.activeElement === {day}")).await;
    page.press("1204").await;
    page.click("Create a link").await;
    page.sees("Complete the date, or clear it.").await;
    page.js(&close).await;
    page.js(&format!("{time}.focus()")).await;
    page.press("\u{e003}").await;
    page.click("Create a link").await;
    page.sees("Complete the time, or clear it.").await;
    page.until(&format!("document.activeElement === {time}")).await;
    page.js(&format!("{time}.value = ''; {time}.dispatchEvent(new Event('input'))")).await;
    page.write(".make input[type=number]", "e").await;
    page.click("Create a link").await;
    page.sees("Enter a number, or clear this.").await;
    assert_eq!(teacher.get(&format!("/api/link/investigation/{id}")).await.data(), json!([]));
    page.write(".make input[type=number]", "30").await;
    page.click("Create a link").await;
    // Without a time, the link closes at the end of the day.
    page.sees("closes Dec 4, 2999, 11:59").await;
    let name = page.js("return document.querySelector('[data-link]').dataset.link").await;
    let name = name.as_str().expect("a name").to_owned();
    page.click(&format!("Actions for {name}")).await;
    page.click(&format!("Change {name}")).await;
    page.js(&format!("{day}.focus()")).await;
    // Without the month, there is no date.
    page.press("\u{e003}").await;
    page.click("Change it").await;
    page.sees("Complete what is marked.").await;
    page.sees("Complete the date, or clear it.").await;
    page.js(&close.replace("-04", "-05")).await;
    page.click("Change it").await;
    page.sees(&format!("The link {name} is changed.")).await;
    page.sees("closes Dec 5, 2999").await;
}
