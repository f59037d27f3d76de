//! Two hundred random steps in two windows of one browser. No typed text is lost.

use std::time::Duration;

use super::{cress, stored};
use crate::support::browser::{Page, WIDE};
use crate::support::{TEACHER, TestApp};

#[tokio::test]
async fn random_actions_lose_no_typed_text() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of(&app, WIDE).await;
    // Another seed chooses other steps.
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
    let mut typed: Vec<String> = Vec::new();
    for number in 0..200 {
        page.use_window(&windows[next(2) as usize]).await;
        match next(24) {
            0..=12 => {
                let field = ["assessment", "hypothesis", "drivingQuestion"][next(3) as usize];
                if page.js(&at_the_end_of(field)).await == true {
                    let text = format!(" typed{number}.");
                    page.press(&text).await;
                    // A dialog that opens at this moment takes the key presses, so the field does not get the text.
                    let value = page.js(&format!("return document.querySelector('[data-path={field}]')?.value")).await;
                    typed.extend(value.as_str().is_some_and(|value| value.contains(&text)).then_some(text));
                }
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
            _ => drop(page.js(KEEP_MINE).await),
        }
    }
    for window in windows.iter().chain(&windows) {
        page.use_window(window).await;
        page.offline(false).await;
        page.js(&sign_in().await).await;
        page.js(&format!("location.hash = '#/i/{id}'")).await;
        page.until(&format!("document.querySelector('.saving')?.dataset.word === 'saved' || ({KEEP_MINE}, false)"))
            .await;
    }
    let teacher = teacher.bearing(&app.token(TEACHER));
    let versions = teacher.get(&format!("/api/investigation/{id}/versions?limit=1000")).await.data();
    let now = stored(&teacher, &id).await;
    let all = format!("{versions}{now}");
    let lost: Vec<&String> = typed.iter().filter(|text| !all.contains(text.as_str())).collect();
    assert!(typed.len() > 20, "{typed:?}");
    assert!(lost.is_empty(), "seed {seed:?} lost {lost:?} of {} texts", typed.len());
}

/// Returns a script that puts the cursor at the end of a field unless a dialog is open. The script returns whether it
/// has moved the cursor.
fn at_the_end_of(field: &str) -> String {
    format!(
        "const box = document.querySelector('[data-path={field}]');
         if (!box || document.querySelector('dialog[open]')) return false;
         box.focus(); box.setSelectionRange(box.value.length, box.value.length); return true;"
    )
}

/// A script that keeps this window's text if the page asks which text to keep, and that otherwise opens the question.
const KEEP_MINE: &str =
    "([...document.querySelectorAll('dialog[open] button')].find((b) => b.textContent === 'Keep mine')
    ?? document.querySelector('.ways button.primary'))?.click()";
