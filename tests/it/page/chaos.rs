//! Two hundred random steps in two windows of one browser: typing, pictures, files, conflicts, other views, sessions
//! that end, sign-outs, and a network that comes and goes. Nothing that was typed or given is lost.

use std::time::Duration;

use super::pasting::drop_file_on;
use super::picture::{DROP, PICTURES, offer};
use super::{cress, stored};
use crate::support::browser::{Page, WIDE};
use crate::support::{TEACHER, TestApp};

#[tokio::test]
async fn random_actions_in_the_editor_lose_no_text() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of(&app, WIDE).await;
    // FIELDBOOK_PAGE_SEED chooses other steps.
    let seed = std::env::var("FIELDBOOK_PAGE_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random: u64 = seed.unwrap_or(20_261_123);
    let mut next = move |choices: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % choices
    };
    let sign_in = async || {
        let code = app.code(TEACHER).await;
        format!("return import('/ui/core/session.js').then((session) => session.signIn({{ code: '{code}' }}))")
    };
    let windows = page.two_windows(&format!("http://{}/#/i/{id}", app.address)).await;
    let (mut typed, mut files): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for number in 0..200 {
        page.use_window(&windows[next(2) as usize]).await;
        match next(29) {
            0..=12 => {
                let field = ["assessment", "hypothesis", "drivingQuestion"][next(3) as usize];
                typed.extend(type_into(&page, &format!("[data-path={field}]"), number).await);
            }
            13 => drop(page.js("document.querySelector('[aria-keyshortcuts]')?.click()").await),
            14 => {
                drop(page.js("location.hash = location.hash.includes('/i/') ? `${location.hash}/history` : '#/'").await)
            }
            15..=17 => drop(page.js(&format!("location.hash = '#/i/{id}'")).await),
            18 | 19 => page.offline(next(2) == 0).await,
            20 => app.clock.advance(Duration::from_secs(7 * 3600)),
            21 | 22 => {
                page.offline(false).await;
                page.js(&sign_in().await).await;
            }
            23 => drop(page.js("document.querySelector('#sign-out:not([hidden])')?.click()").await),
            24 | 25 => {
                if page.js(&format!("return {NO_DIALOG}")).await == true {
                    offer(&page, DROP, PICTURES, &[["teal", "tomato", "gold"][next(3) as usize]]).await;
                    typed.extend(type_into(&page, NEWEST_PICTURE, number).await);
                }
            }
            26 => {
                page.offline(false).await;
                page.js(&sign_in().await).await;
                files.extend(open_file(&page, number).await);
                page.view(&format!("#/i/{id}")).await;
            }
            _ => drop(page.js(KEEP).await),
        }
    }
    for window in windows.iter().chain(&windows) {
        page.use_window(window).await;
        page.offline(false).await;
        // Answers the page's question about the sign-out, if there is one.
        if page.js(SIGN_OUT).await == true {
            page.until("document.querySelector('#sign-out[hidden], .notice')").await;
        }
        page.js(&sign_in().await).await;
        page.js(&format!("location.hash = '#/i/{id}'")).await;
        page.until(&format!("document.querySelector('.saving')?.dataset.word === 'saved' || ({KEEP}, false)")).await;
    }
    let teacher = teacher.bearing(&app.token(TEACHER));
    let path = format!("/api/investigation/{id}");
    let versions = teacher.get(&format!("{path}/versions?limit=1000")).await.data();
    let now = stored(&teacher, &id).await;
    let lessons = teacher.get("/api/investigation?limit=100").await.data();
    let all = format!("{versions}{now}");
    let lost: Vec<&String> = typed.iter().filter(|text| !all.contains(text.as_str())).collect();
    assert!(typed.len() > 20, "{typed:?}");
    assert!(lost.is_empty(), "seed {seed:?} lost {lost:?} of {} texts", typed.len());
    let titles: Vec<&str> =
        lessons["items"].as_array().expect("lessons").iter().filter_map(|lesson| lesson["title"].as_str()).collect();
    assert_eq!(titles.len(), files.len() + 1, "seed {seed:?}: {titles:?} {files:?}");
    assert!(files.iter().all(|file| titles.contains(&file.as_str())), "seed {seed:?}: {titles:?} {files:?}");
    for picture in now["pictures"].as_array().unwrap_or(&Vec::new()) {
        let address = format!("{path}/pictures/{}", picture["id"].as_str().expect("an id"));
        assert_eq!(teacher.get(&address).await.status, 200, "seed {seed:?}: {picture}");
    }
}

/// Types a text at the end of a box unless a dialog is open. Returns the text if the box got it: a dialog that opens at
/// this moment takes the key presses.
async fn type_into(page: &Page, selector: &str, number: usize) -> Option<String> {
    let text = format!(" typed{number}.");
    let at_the_end = format!(
        "const box = [...document.querySelectorAll(\"{selector}\")].at(-1);
         if (!box || !({NO_DIALOG})) return false;
         box.focus(); box.setSelectionRange(box.value.length, box.value.length); return true;"
    );
    if page.js(&at_the_end).await != true {
        return None;
    }
    page.press(&text).await;
    let value = page.js(&format!("return [...document.querySelectorAll(\"{selector}\")].at(-1)?.value")).await;
    value.as_str().is_some_and(|value| value.contains(&text)).then_some(text)
}

/// Creates a lesson from a file that is dropped onto the list, unless a dialog is open. Returns its title.
async fn open_file(page: &Page, number: usize) -> Option<String> {
    if page.js(&format!("return {NO_DIALOG}")).await != true {
        return None;
    }
    let title = format!("typed{number}.");
    page.view("#/").await;
    page.until("document.querySelector('.list .acts .primary')").await;
    drop_file_on(page, ".list .head", "salt.md", format!("# {title}\n## Safety\n- No tasting.")).await;
    page.until("document.querySelector('dialog .changes dd')").await;
    page.click("Create the lesson").await;
    page.until("!document.querySelector('dialog') && location.hash.startsWith('#/i/')").await;
    Some(title)
}

const NO_DIALOG: &str = "!document.querySelector('dialog[open]')";
/// The boxes for the descriptions of pictures. The last box belongs to the newest picture.
const NEWEST_PICTURE: &str = "[data-path^='pictures.'][data-path$='.alt']";

/// A script that answers “Keep the text”, if the page asks at a sign-out what to do with unsaved text. Returns whether
/// the page asks.
const SIGN_OUT: &str = "
    const keep = [...document.querySelectorAll('dialog[open] button')].find((b) => b.textContent === 'Keep the text');
    keep?.click();
    return Boolean(keep);";

/// A script that keeps this window's text. If a dialog asks which text to keep, or whether to keep the text at a
/// sign-out, the script answers the dialog. Otherwise it clicks the main button beside the saving status, such as
/// "Compare …", which opens the dialog.
const KEEP: &str =
    "([...document.querySelectorAll('dialog[open] button')].find((b) => ['Keep mine', 'Keep the text'].includes(b.textContent))
    ?? document.querySelector('.ways button.primary'))?.click()";
