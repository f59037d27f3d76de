//! Pictures in the editor: adding, describing, moving and removing them, and keeping them until they are stored.

use serde_json::json;

use super::assets::{axe, no_violations};
use super::{cress, stored};
use crate::support::browser::{PHONE, Page, WIDE, Window};
use crate::support::{COLLEAGUE, Caller, TEACHER, TestApp};

/// A very small phone.
const SMALL: Window = Window { width: 320, height: 560, dark: false };
pub const PICTURES: &str = "[data-field=pictures] .list-box";
const ALT: &str = "[data-path='pictures.0.alt']";
const STEP: &str = "[data-path='steps.0']";
const ENTER: &str = "\u{e007}";
const ALT_KEY: char = '\u{e00a}';
const DOWN: char = '\u{e015}';

/// Scripts that drop, paste or choose files. They use two variables: `at`, an element, and `data`, which has the files.
pub const DROP: &str =
    "at.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))";
const PASTE: &str =
    "at.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))";
const CHOOSE: &str = "at.files = data.files; at.dispatchEvent(new Event('change'))";

/// Drops, pastes or chooses pictures of one color each at an element, which must exist.
async fn give(page: &Page, how: &str, selector: &str, colours: &[&str]) {
    page.until(&format!("document.querySelector({})", json!(selector))).await;
    offer(page, how, selector, colours).await;
}

/// Like `give`, but does nothing if the element does not exist.
pub async fn offer(page: &Page, how: &str, selector: &str, colours: &[&str]) {
    let script = format!(
        "const draw = async (colour) => {{
             const canvas = new OffscreenCanvas(64, 48);
             const context = canvas.getContext('2d');
             context.fillStyle = colour;
             context.fillRect(0, 0, 64, 48);
             const type = 'image/png';
             return new File([await canvas.convertToBlob({{ type }})], `${{colour}}.png`, {{ type }});
         }};
         const at = document.querySelector({});
         window.given = !at;
         if (at) Promise.all({}.map(draw)).then((files) => {{
             const data = new DataTransfer();
             files.forEach((file) => data.items.add(file));
             {how};
             window.given = true;
         }})",
        json!(selector),
        json!(colours)
    );
    page.js(&script).await;
    page.until("window.given").await;
}

/// Drops an SVG file, which Fieldbook does not accept as a picture, on an element.
async fn give_text(page: &Page, selector: &str, name: &str, text: &str) {
    let script = format!(
        "const data = new DataTransfer();
         data.items.add(new File([{}], {}, {{ type: 'image/svg+xml' }}));
         const at = document.querySelector({});
         {DROP}",
        json!(text),
        json!(name),
        json!(selector)
    );
    page.js(&script).await;
}

/// Waits until this number of pictures can be seen.
async fn sees_pictures(page: &Page, number: usize) {
    let shown = "[...document.images].filter((image) => image.closest('.frame') && image.naturalWidth > 0)";
    page.until(&format!("{shown}.length === {number}")).await;
}

/// Waits until this browser keeps the bytes of this number of pictures.
async fn keeps(page: &Page, number: usize) {
    let count = "(() => { indexedDB.open('fieldbook').onsuccess = ({ target: { result } }) => {
             const all = result.transaction('pictures').objectStore('pictures').count();
             all.onsuccess = () => { window.kept = all.result; result.close(); };
         }; return window.kept; })()";
    page.until(&format!("{count} === {number}")).await;
}

/// Blocks requests to addresses that match a pattern, as if the network lost them.
async fn block(page: &Page, patterns: &[&str]) {
    page.ask("Network.enable", json!({})).await;
    page.ask("Network.setBlockedURLs", json!({"urls": patterns})).await;
}

/// Adds a picture to the lesson with the page, and returns its id.
async fn add_picture(page: &Page, teacher: &Caller, id: &str) -> String {
    give(page, DROP, PICTURES, &["teal"]).await;
    page.saved().await;
    page.write(ALT, "A teal saucer").await;
    page.saved().await;
    let lesson = stored(teacher, id).await;
    lesson["pictures"][0]["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn dropped_pictures_get_descriptions_and_are_saved() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    give(&page, DROP, PICTURES, &["teal", "tomato"]).await;
    page.sees("Not described yet: some pupils cannot see it.").await;
    page.sees("Describe 2 pictures").await;
    page.until("document.activeElement.dataset.path === 'pictures.0.alt'").await;
    // A box stays where it is when something is written in it.
    let top = "return document.activeElement.getBoundingClientRect().top";
    let before = page.js(top).await;
    page.press("T").await;
    page.until("document.querySelectorAll('.nudge:not([hidden])').length === 1").await;
    assert_eq!(page.js(top).await, before);
    page.write(ALT, "Two saucers").await;
    page.write("[data-path='pictures.0.caption']", "After a week").await;
    page.write_and_leave("[data-path='pictures.1.alt']", "A box").await;
    page.saved().await;
    sees_pictures(&page, 2).await;
    assert_eq!(page.js("return document.querySelectorAll('.nudge:not([hidden])').length").await, 0);
    let pictures = stored(&teacher, &id).await["pictures"].clone();
    let ids: Vec<&str> = [0, 1].map(|at| pictures[at]["id"].as_str().expect("an id")).to_vec();
    assert_ne!(ids[0], ids[1]);
    assert_eq!(
        pictures,
        json!([{"id": ids[0], "alt": "Two saucers", "caption": "After a week"}, {"id": ids[1], "alt": "A box"}])
    );
    // The browser keeps no pictures that the service has.
    keeps(&page, 0).await;
}

#[tokio::test]
async fn pupils_see_the_pictures_of_a_lesson_on_their_phones() {
    let (app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(cress()).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    teacher.patch("/api/link/class-5b/cress", json!({"shows": "handout"})).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    add_picture(&page, &teacher, &id).await;
    give(&page, DROP, STEP, &["tomato"]).await;
    page.write_and_leave("[data-path='steps.0.picture.alt']", "A box").await;
    page.saved().await;
    page.begin_session("").await;
    page.without_scripts().await;
    page.appear(PHONE).await;
    page.visit("l/class-5b/cress").await;
    let seen = "[...document.images].filter((image) => image.naturalWidth === 64).map((image) => image.alt).join()";
    page.until(&format!("{seen} === 'A teal saucer,A box'")).await;
    // A picture that the page of the link no longer shows is not served.
    let first = page.js("return document.images[0].getAttribute('src')").await;
    let first = first.as_str().expect("an address");
    assert_eq!(anon.get(first).await.status, 200);
    teacher.patch(&format!("/api/investigation/{id}"), json!({"pictures": null})).await;
    assert_eq!(anon.get(first).await.status, 404);
    page.visit("l/class-5b/cress").await;
    page.until(&format!("{seen} === 'A box'")).await;
}

#[tokio::test]
async fn picture_pasted_into_a_step_is_added_unless_the_clipboard_also_has_text() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.click_on("[data-path='steps.0.text']").await;
    give(&page, PASTE, "[data-path='steps.0.text']", &["teal"]).await;
    page.write_and_leave("[data-path='steps.0.picture.alt']", "A saucer").await;
    // Spreadsheets copy a picture of their cells.
    let with_text = format!("data.setData('text/plain', 'Water it.'); {PASTE}");
    give(&page, &with_text, "[data-path='steps.1.text']", &["tomato"]).await;
    page.saved().await;
    let steps = stored(&teacher, &id).await["steps"].clone();
    let picture = json!({"id": steps[0]["picture"]["id"], "alt": "A saucer"});
    assert_eq!(
        steps,
        json!([
            {"text": "Sow twenty seeds on each saucer.", "minutes": 15, "picture": picture},
            {"text": "Cover one saucer.", "minutes": 10},
        ])
    );
    // Another picture replaces the first one, and the first one returns after an undo.
    give(&page, DROP, STEP, &["tomato"]).await;
    page.sees("Picture replaced.").await;
    page.click_on("#notices button").await;
    page.until("document.querySelector('[data-path=\"steps.0.picture.alt\"]').value === 'A saucer'").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["steps"], steps);
}

#[tokio::test]
async fn phone_offers_its_camera_for_pictures_and_a_narrow_window_cuts_nothing_off() {
    let (page, teacher, id) = Page::of_lesson(cress(), SMALL).await;
    let input = format!("{PICTURES} input[type=file]");
    page.js(&format!("document.querySelector('{input}').click = function () {{ window.opened = this.outerHTML; }}"))
        .await;
    for (name, with_camera) in [("Take a photo", true), ("Add pictures", false)] {
        page.js("window.opened = ''").await;
        page.js(&format!("document.querySelector('{PICTURES}').scrollIntoView()")).await;
        page.click(name).await;
        let opened = page.until("window.opened").await;
        let opened = opened.as_str().expect("markup");
        assert_eq!(opened.contains("capture=\"environment\""), with_camera, "{opened}");
        assert!(opened.contains("accept=\"image/png,image/jpeg,image/webp,image/gif\""), "{opened}");
    }
    give(&page, CHOOSE, &input, &["teal"]).await;
    page.write_and_leave(ALT, "A saucer").await;
    give(&page, CHOOSE, &format!("{STEP} input[type=file]"), &["tomato"]).await;
    page.write_and_leave("[data-path='steps.0.picture.alt']", "A box").await;
    page.saved().await;
    sees_pictures(&page, 2).await;
    assert_eq!(page.js("return document.documentElement.scrollWidth").await, 320);
    let lesson = stored(&teacher, &id).await;
    assert_eq!(
        (&lesson["pictures"][0]["alt"], &lesson["steps"][0]["picture"]["alt"]),
        (&json!("A saucer"), &json!("A box"))
    );
    no_violations(&page, &axe(), "pictures on a phone").await;
}

#[tokio::test]
async fn progress_bar_shows_how_much_of_a_picture_was_sent() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.ask("Network.enable", json!({})).await;
    let slow = json!({"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 200_000});
    page.ask("Network.emulateNetworkConditions", slow).await;
    // A picture of noise is a large file.
    let noise = format!(
        "const canvas = new OffscreenCanvas(400, 300);
         const context = canvas.getContext('2d');
         const pixels = context.createImageData(400, 300);
         let seed = 1;
         pixels.data.forEach((_, at) => {{
             seed = (seed * 16807) % 2147483647;
             pixels.data[at] = at % 4 === 3 ? 255 : seed % 256;
         }});
         context.putImageData(pixels, 0, 0);
         canvas.convertToBlob({{ type: 'image/png' }}).then((picture) => {{
             const data = new DataTransfer();
             data.items.add(new File([picture], 'noise.png', {{ type: 'image/png' }}));
             const at = document.querySelector('{PICTURES}');
             {DROP};
         }})"
    );
    page.js(&noise).await;
    let share = "document.querySelector('.sent progress').value";
    page.until(&format!("{share} > 0.1 && {share} < 0.9")).await;
    page.sees("Sending …").await;
    page.saved().await;
    assert_eq!(page.js("return document.querySelector('.sent').innerText").await, "");
}

#[tokio::test]
async fn reason_for_a_refused_picture_is_shown_beside_it_and_text_is_still_saved() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    give_text(&page, STEP, "drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>").await;
    page.until("/SVG/.test(document.querySelector('[data-path=\"steps.0\"] .sent.alarm')?.innerText)").await;
    page.sees("One field is not saved").await;
    page.write_and_leave("[data-path='steps.0.text']", "Sow thirty seeds.").await;
    page.write_and_leave("[data-path=assessment]", "Draw.").await;
    page.click("Remove the picture").await;
    page.saved().await;
    let lesson = stored(&teacher, &id).await;
    assert_eq!(lesson["steps"][0], json!({"text": "Sow thirty seeds.", "minutes": 15}));
    assert_eq!(lesson["assessment"], "Draw.");
}

#[tokio::test]
async fn unsent_pictures_stay_in_the_browser_while_offline_and_after_a_reload() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.offline(true).await;
    give(&page, DROP, PICTURES, &["teal"]).await;
    page.write_and_leave(ALT, "A saucer").await;
    page.sees("Not sent yet. It is kept in this browser.").await;
    sees_pictures(&page, 1).await;
    keeps(&page, 1).await;
    block(&page, &["*/api/investigation/*/pictures"]).await;
    page.offline(false).await;
    page.visit("health/live").await;
    page.visit(&format!("#/i/{id}")).await;
    page.until(&format!("document.querySelector(\"{ALT}\")?.value === 'A saucer'")).await;
    sees_pictures(&page, 1).await;
    page.sees("Not sent yet. It is kept in this browser.").await;
    assert_eq!(stored(&teacher, &id).await.get("pictures"), None);
    block(&page, &[]).await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["pictures"][0]["alt"], "A saucer");
    keeps(&page, 0).await;
}

#[tokio::test]
async fn picture_lost_by_the_service_is_sent_again() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    page.js("const { fetch } = window;
         window.isHeld = true;
         window.fetch = (path, request) =>
             window.isHeld && request.method === 'PATCH' ? Promise.reject(new TypeError()) : fetch(path, request);
         const { send } = XMLHttpRequest.prototype;
         XMLHttpRequest.prototype.send = function (body) {
             this.addEventListener('load', () => { window.sent = JSON.parse(this.responseText).data.id; });
             send.call(this, body);
         }")
        .await;
    give(&page, DROP, PICTURES, &["teal"]).await;
    let picture = page.until("window.sent").await;
    let picture = picture.as_str().expect("an id");
    assert_eq!(teacher.delete(&format!("{path}/pictures/{picture}")).await.status, 200);
    page.js("window.isHeld = false").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["pictures"], json!([{"id": picture, "alt": ""}]));
    assert_eq!(teacher.get(&format!("{path}/pictures/{picture}")).await.status, 200);
}

#[tokio::test]
async fn unsent_pictures_stay_private_and_can_be_discarded() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    for (answer, kept) in [("Keep the text", 1), ("Discard the text", 0)] {
        block(&page, &["*/api/investigation/*/pictures"]).await;
        if answer == "Keep the text" {
            give(&page, DROP, PICTURES, &["teal"]).await;
        }
        page.sees("Not sent yet. It is kept in this browser.").await;
        page.click("Sign out").await;
        page.sees("Your text in 1 lesson is not saved.").await;
        page.click(answer).await;
        page.sees("Open the sign-in link").await;
        keeps(&page, kept).await;
        block(&page, &[]).await;
        page.begin_session(&app.session(COLLEAGUE).await).await;
        page.visit("health/live").await;
        page.visit(&format!("#/i/{id}")).await;
        page.saved().await;
        sees_pictures(&page, 0).await;
        keeps(&page, kept).await;
        block(&page, &["*/api/investigation/*/pictures"]).await;
        page.begin_session(&app.session(TEACHER).await).await;
        page.visit("health/live").await;
        page.visit(&format!("#/i/{id}")).await;
    }
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await.get("pictures"), None);
}

#[tokio::test]
async fn author_who_saves_a_deleted_lesson_as_a_new_lesson_keeps_its_unsent_picture() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let old = add_picture(&page, &teacher, &id).await;
    block(&page, &["*/api/investigation/*/pictures"]).await;
    give(&page, DROP, STEP, &["tomato"]).await;
    page.write_and_leave("[data-path='steps.0.picture.alt']", "A box").await;
    page.sees("Not sent yet. It is kept in this browser.").await;
    teacher.delete(&format!("/api/investigation/{id}")).await;
    block(&page, &[]).await;
    page.click("Save as new").await;
    page.until(&format!(
        "!location.hash.includes('{id}') && document.querySelector('.saving')?.dataset.word === 'saved'"
    ))
    .await;
    let copy = page.js("return location.hash.split('/').at(-1)").await;
    let copy = stored(&teacher, copy.as_str().expect("an id")).await;
    assert_eq!(copy["steps"][0]["picture"]["alt"], "A box");
    // The pictures of the deleted lesson can no longer be read.
    assert!(!copy.to_string().contains(&old), "{copy}");
    sees_pictures(&page, 1).await;
}

#[tokio::test]
async fn keys_move_and_remove_pictures_and_a_removal_can_be_undone() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.js(&format!("document.querySelector('{PICTURES} button').focus()")).await;
    give(&page, PASTE, &format!("{PICTURES} button"), &["teal"]).await;
    // The description has the focus.
    page.press("First").await;
    give(&page, PASTE, ALT, &["tomato"]).await;
    page.press("Second").await;
    page.press(ENTER).await;
    page.chord(&[ALT_KEY], '\u{e013}').await;
    page.saved().await;
    let alts = async || {
        let lesson = stored(&teacher, &id).await;
        let all = lesson["pictures"].as_array().expect("pictures").clone();
        all.iter().map(|picture| picture["alt"].as_str().expect("a text").trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(alts().await, ["Second", "First"]);
    page.chord(&[ALT_KEY], DOWN).await;
    page.saved().await;
    assert_eq!(alts().await, ["First", "Second"]);
    page.js("document.querySelector('[aria-label=\"Remove Picture 1\"]').focus()").await;
    page.press(ENTER).await;
    page.sees("Picture 1 removed.").await;
    page.saved().await;
    assert_eq!(alts().await, ["Second"]);
    page.click_on("#notices button").await;
    sees_pictures(&page, 2).await;
    page.saved().await;
    assert_eq!(alts().await, ["First", "Second"]);
}

#[tokio::test]
async fn removal_of_an_unsent_picture_can_be_undone() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    block(&page, &["*/api/investigation/*/pictures"]).await;
    give(&page, DROP, STEP, &["teal"]).await;
    page.write_and_leave("[data-path='steps.0.picture.alt']", "A saucer").await;
    page.click("Remove the picture").await;
    page.sees("Picture removed.").await;
    page.click_on("#notices button").await;
    sees_pictures(&page, 1).await;
    block(&page, &[]).await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["steps"][0]["picture"]["alt"], "A saucer");
}

#[tokio::test]
async fn picture_that_the_service_no_longer_has_is_shown_as_removed() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let picture = add_picture(&page, &teacher, &id).await;
    assert_eq!(teacher.delete(&format!("/api/investigation/{id}/pictures/{picture}")).await.status, 200);
    page.view("#/").await;
    page.ask("Network.clearBrowserCache", json!({})).await;
    page.view(&format!("#/i/{id}")).await;
    page.until("document.querySelector('[data-field=pictures] .gone')?.innerText === 'Picture removed'").await;
    // The rest of the lesson can be changed.
    page.write_and_leave(ALT, "It was teal").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["pictures"][0]["alt"], "It was teal");
}

#[tokio::test]
async fn history_and_comparison_show_pictures_instead_of_identifiers() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    add_picture(&page, &teacher, &id).await;
    give(&page, DROP, STEP, &["tomato"]).await;
    page.write_and_leave("[data-path='steps.0.picture.alt']", "A box").await;
    page.saved().await;
    page.choose("Pictures", "History of Pictures").await;
    page.sees("A teal saucer").await;
    sees_pictures(&page, 3).await;
    page.click("Close").await;
    page.view(&format!("#/i/{id}/history")).await;
    page.until("[...document.querySelectorAll('details')].every((one) => { const was = one.open; one.open = true; return was; })
                    && document.querySelectorAll('ins.thumb img').length >= 2").await;
    page.sees("A teal saucer").await;
    page.sees("A box").await;
    let text = page.js("return document.body.innerText").await;
    let text = text.as_str().expect("a text");
    assert!(text.contains("[new picture]"), "{text}");
    let is_digest = |word: &str| word.len() > 40 && word.chars().all(|one| one.is_ascii_hexdigit());
    assert!(!text.split_whitespace().any(is_digest), "{text}");
    no_violations(&page, &axe(), "a history with pictures").await;
}
