//! The history of an investigation, on the page.

use std::time::Duration;

use serde_json::{Value, json};

use super::{cress, hurried};
use crate::support::browser::{Page, WIDE};
use crate::support::{TEACHER, TestApp};

#[tokio::test]
async fn history_marks_changes_by_people_changes_by_rules_and_undone_changes() {
    let (page, teacher, id) = Page::of_lesson(hurried(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"assessment": "Describe one saucer after a week."})).await;
    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
    teacher.patch(&path, json!({"title": "Cress", "hypothesis": "It grows."})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    page.view(&format!("#/i/{id}/history")).await;
    let line = page.js("return [...document.querySelectorAll('.timeline > li[data-version]')].map((li) => [li.dataset.version, li.dataset.by ?? '', li.className, li.querySelector('.head').innerText.replaceAll(/\\s+/g, ' '), li.querySelector('p').innerText.split(/ at \\d| · /)[0]])").await;
    assert_eq!(
        line,
        json!([
            ["3", "person", "undone", "Version 3 undone", "You changed Title, Hypothesis"],
            [
                "2",
                "assistant",
                "",
                "Version 2 now automatic",
                "Fieldbook, asked by you, resolved a contradiction in Steps"
            ],
            ["1", "person", "", "Version 1", "You changed Assessment"],
            ["0", "", "", "Created", line[3][4]],
        ])
    );
    page.js("document.querySelector('[data-version=\"1\"] details:not(.menu)').open = true").await;
    let words = async |tag: &str| {
        page.until(&format!("document.querySelector('[data-version=\"1\"] {tag}').childNodes[1].textContent")).await
    };
    assert_eq!((words("del").await, words("ins").await), (json!("both saucers"), json!("one saucer")));
}

#[tokio::test]
async fn older_versions_are_loaded_on_demand() {
    let (app, _, teacher) = TestApp::start().await;
    let mut lesson = cress();
    lesson["assessment"] = json!("0".repeat(1_000_000));
    let id = app.import(lesson).await;
    let page = Page::of(&app, WIDE).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Short"})).await;
    // A list of versions ends before it would hold more than 8 MiB.
    for letter in ["a", "b", "c", "d", "e", "f"] {
        teacher.patch(&path, json!({"assessment": letter.repeat(1_000_000)})).await;
    }
    teacher.patch(&path, json!({"title": "The last", "assessment": "Draw."})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.sees("8 versions, newest first.").await;
    assert_eq!(page.js("return document.querySelector('[data-version=\"1\"]')").await, Value::Null);
    page.click("Earlier versions").await;
    page.until("!document.querySelector('.older')").await;
    page.js("document.querySelectorAll('.session details:not(.menu)').forEach((session) => { session.open = true; })")
        .await;
    page.choose_version("version 1", "Restore").await;
    page.sees("Go back to version 1").await;
    page.click("Restore it").await;
    page.until("document.querySelector('[data-path=title]').value === 'Short'").await;
}

#[tokio::test]
async fn version_is_restored_after_a_preview_of_the_differences() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Radish"})).await;
    teacher.patch(&path, json!({"title": "Bean"})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.choose_version("version 1", "Restore").await;
    page.sees("Go back to version 1").await;
    page.click("Leave as it is").await;
    page.choose_version("the beginning", "Restore").await;
    page.click("Restore it").await;
    page.until("document.querySelector('[data-path=title]').value === 'Cress in the dark'").await;
    let after = teacher.get(&path).await.data();
    assert_eq!((&after["title"], &after["version"]), (&json!("Cress in the dark"), &json!(3)));
}

#[tokio::test]
async fn field_history_opens_from_the_menu_of_the_field_and_restores_a_text() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Radish in the dark"})).await;
    teacher.patch(&path, json!({"assessment": "Draw."})).await;
    teacher.patch(&path, json!({"title": "Beans in the dark"})).await;
    page.view(&format!("#/i/{id}")).await;
    page.choose("Title", "History of Title").await;
    page.until("document.querySelector('dialog[open]')").await;
    let seen =
        page.js("return [...document.querySelectorAll('dialog li strong')].map((s) => s.textContent.trim())").await;
    assert_eq!(seen, json!(["Version 3", "Version 1", "At the beginning"]));
    page.click("Restore this: Title of version 1").await;
    page.until("document.querySelector('[data-path=title]').value === 'Radish in the dark'").await;
    page.saved().await;
    assert_eq!(teacher.get(&path).await.data()["title"], "Radish in the dark");
    page.choose("Vocabulary", "History of Vocabulary").await;
    page.sees("It has not been changed since the beginning.").await;
    let pieces = page.js("return import('/ui/text/diff.js').then((d) => d.words('Cover one saucer, please.', 'Please cover both saucers, please.'))").await;
    let text = |without: &str| -> String {
        let all = pieces.as_array().expect("pieces").iter().filter(|piece| piece["kind"] != without);
        all.filter_map(|piece| piece["text"].as_str()).collect()
    };
    assert_eq!(
        (text("new"), text("gone")),
        ("Cover one saucer, please.".to_owned(), "Please cover both saucers, please.".to_owned())
    );
    assert!(pieces.as_array().is_some_and(|all| all.iter().any(|piece: &Value| piece["kind"] == "same")), "{pieces}");
}

#[tokio::test]
async fn version_name_survives_a_reload_and_can_be_removed() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    for title in ["Radish", "Bean", "Oats", "Peas"] {
        teacher.patch(&path, json!({ "title": title })).await;
    }
    let heads = async || {
        page.js("return [...document.querySelectorAll('.timeline > li > .head')].map((head) => head.innerText.replaceAll(/\\s+/g, ' ').trim())").await
    };
    page.view(&format!("#/i/{id}/history")).await;
    assert_eq!(heads().await, json!(["Versions 1 to 4 now", "Created"]));
    page.click("4 changes in versions 1 to 4").await;
    page.click("Actions for version 3").await;
    page.click("Name this version …").await;
    page.write("dialog input", "Before the trial lesson").await;
    page.press("\u{e007}").await;
    page.sees("Version 3 is now called “Before the trial lesson”.").await;
    let named = json!(["Version 4 now", "Before the trial lesson Version 3", "Version 2", "Version 1", "Created"]);
    page.until("document.activeElement.closest('[data-version=\"3\"]')").await;
    page.js("location.reload()").await;
    page.until("document.querySelector('.timeline [data-version=\"3\"]')").await;
    assert_eq!(heads().await, named, "it stands alone, and its neighbours are too few for a session");
    page.click("Actions for version 3").await;
    page.click("Rename …").await;
    page.write("dialog input", "After it").await;
    page.click("Save").await;
    page.until("document.querySelector('[data-version=\"3\"] h3').textContent === 'After it'").await;
    page.click("Undo").await;
    page.until("document.querySelector('[data-version=\"3\"] h3').textContent === 'Before the trial lesson'").await;
    page.click("Actions for version 3").await;
    page.click("Remove the name").await;
    page.until("document.querySelector('.session h3')?.textContent === 'Versions 1 to 4'").await;
    // The page knows the current revision, so its next change is not refused.
    page.click("4 changes in versions 1 to 4").await;
    page.choose_version("version 1", "Restore").await;
    page.click("Restore it").await;
    page.until("document.querySelector('[data-path=title]').value === 'Radish'").await;
    assert_eq!(teacher.get(&path).await.data()["revision"], json!(10));
}

#[tokio::test]
async fn field_history_does_not_offer_to_restore_the_current_text() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Radish"})).await;
    teacher.patch(&path, json!({"title": "Bean"})).await;
    page.view(&format!("#/i/{id}")).await;
    page.choose("Title", "History of Title").await;
    let offered = "[...document.querySelectorAll('dialog li button')].map((one) => one.ariaLabel)";
    page.until("document.querySelectorAll('dialog li').length === 3").await;
    let earlier = json!(["Restore this: Title of version 1", "Restore this: Title at the beginning"]);
    assert_eq!(page.js(&format!("return {offered}")).await, earlier);
}

#[tokio::test]
async fn first_change_of_a_field_is_undone_in_its_history_and_in_the_history_of_the_lesson() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    let before = cress()["assessment"].clone();
    let changed = json!({"assessment": "Draw.", "phenomenon": "It turns yellow."});
    teacher.patch(&path, changed.clone()).await;
    page.until("document.querySelector('[data-path=assessment]')?.value === 'Draw.'").await;
    page.choose("Assessment", "History of Assessment").await;
    page.click("Restore this: Assessment at the beginning").await;
    page.until("document.querySelector('[data-path=assessment]').value !== 'Draw.'").await;
    page.saved().await;
    assert_eq!(teacher.get(&path).await.data()["assessment"], before);
    page.view(&format!("#/i/{id}/history")).await;
    page.click("What changed in version 1").await;
    page.click("Undo the change of Phenomenon").await;
    page.sees("Phenomenon is as it was before.").await;
    assert_eq!(teacher.get(&path).await.data()["phenomenon"], cress()["phenomenon"]);
    // Neither field has its value from version 1 any more, so the page does not offer to undo the changes of version 1.
    page.view(&format!("#/i/{id}/history")).await;
    page.sees("Versions 1 to 3").await;
    page.click("3 changes in versions 1 to 3").await;
    page.click("What changed in version 1").await;
    page.until("document.querySelector('.timeline .timeline [data-version=\"1\"] .changes')").await;
    assert_eq!(page.js("return document.body.innerText.includes('Undo the change')").await, false);
}

#[tokio::test]
async fn all_relative_times_on_the_page_use_the_same_current_time() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let shown = page
        .js("return import('/ui/core/people.js').then(async ({ time }) => {
                const [now, at] = [Date.now(), new Date().toISOString()];
                const shown = [time(at)];
                document.body.append(shown[0]);
                await null;
                Date.now = () => now + 120_000;
                shown.push(time(at));
                document.body.append(shown[1]);
                await null;
                return shown.map((one) => one.textContent);
             })")
        .await;
    assert_eq!(shown, json!(["2 minutes ago", "2 minutes ago"]));
}

#[tokio::test]
async fn any_old_version_can_be_read_in_full_and_compared_with_another_version() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    for title in ["Radish", "Bean", "Oats"] {
        teacher.patch(&path, json!({"title": title, "assessment": format!("Draw the {title}.")})).await;
    }
    page.view(&format!("#/i/{id}/history")).await;
    page.click("3 changes in versions 1 to 3").await;
    page.choose_version("version 1", "Read").await;
    let sheet = "document.querySelector('dialog .sheet-frame')?.contentDocument?.body?.innerText";
    page.until(&format!("{sheet}.includes('Sow twenty seeds on each saucer.')")).await;
    page.until(&format!("{sheet}.includes('Draw the Radish.')")).await;
    page.click("Close").await;
    page.choose_version("version 1", "Compare").await;
    let version = "document.querySelector('dialog select').selectedOptions[0].textContent";
    assert_eq!(page.js(&format!("return /^1 · \\d+:\\d\\d/.test({version})")).await, true);
    // By default, the version is compared with the current state.
    page.until("document.querySelector('dialog .changes')?.innerText.includes('Oats')").await;
    let choose = async |at: usize, version: &str| {
        let script = format!(
            "const s = document.querySelectorAll('dialog select')[{at}]; s.value = '{version}'; s.dispatchEvent(new Event('change'))"
        );
        page.js(&script).await;
    };
    choose(1, "2").await;
    page.until("document.querySelector('dialog .changes')?.innerText.includes('Bean')").await;
    let marked =
        "return [...document.querySelectorAll('dialog :is(del, ins)')].map((one) => one.childNodes[1].textContent)";
    assert_eq!(page.js(marked).await, json!(["Radish", "Bean", "Radish", "Bean"]));
    choose(0, "2").await;
    page.sees("They are the same.").await;
    choose(0, "0").await;
    page.until("document.querySelector('dialog .changes')?.innerText.includes('Cress in the dark')").await;
}

#[tokio::test]
async fn history_entry_made_after_an_undo_lists_only_its_own_changes() {
    let (page, teacher, id) =
        Page::of_lesson(json!({"title": "Cress", "objectives": ["one", "two", "three"]}), WIDE).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Beans"})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.patch(&path, json!({"objectives": ["one", "2", "3"]})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.js("document.querySelector('[data-version=\"2\"] details:not(.menu)').open = true").await;
    page.until("document.querySelector('[data-version=\"2\"] .changes')").await;
    let places = "return [...document.querySelectorAll('[data-version=\"2\"] dt')].map((place) => place.innerText)";
    assert_eq!(page.js(places).await, json!(["Objective 2", "Objective 3"]));
}

#[tokio::test]
async fn each_day_of_the_history_has_a_heading() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let path = format!("/api/investigation/{id}");
    for title in ["Radish", "Bean"] {
        teacher.patch(&path, json!({ "title": title })).await;
    }
    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    // The token of the teacher has expired.
    app.signed_in(TEACHER).patch(&path, json!({"title": "Oats"})).await;
    let page = Page::of(&app, WIDE).await;
    page.view(&format!("#/i/{id}/history")).await;
    let order = "return [...document.querySelectorAll('.timeline > li')].map((li) => li.dataset.version ?? 'day')";
    assert_eq!(page.js(order).await, json!(["day", "3", "day", "2", "1", "0"]));
}

#[tokio::test]
async fn long_preview_has_one_scroll_bar() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let steps: Value = (0..40).map(|n| json!({"text": format!("Step number {n}.")})).collect();
    teacher.patch(&format!("/api/investigation/{id}"), json!({"steps": steps})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.choose_version("the beginning", "Restore").await;
    page.until("document.querySelector('dialog .changes')").await;
    let scrolls = "return ['dialog', 'dialog .body'].map((one) => document.querySelector(one)).map((e) => e.scrollHeight > e.clientHeight)";
    assert_eq!(page.js(scrolls).await, json!([false, true]));
}

#[tokio::test]
async fn history_of_a_copy_links_to_the_original_and_names_restored_fields() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let copy = teacher.post_empty(&format!("/api/investigation/{id}/clone")).await.data()["_id"].clone();
    let path = format!("/api/investigation/{}", copy.as_str().expect("an id"));
    teacher.patch(&path, json!({"title": "Beans"})).await;
    teacher.post_empty(&format!("{path}/versions/0/restore")).await;
    page.view(&format!("#/i/{}/history", copy.as_str().expect("an id"))).await;
    page.sees("You went back to an earlier version of Title").await;
    page.sees("Copied from Cress in the dark").await;
    page.click("Cress in the dark").await;
    page.until(&format!("location.hash === '#/i/{id}'")).await;
}

#[tokio::test]
async fn choices_of_versions_to_compare_show_the_time_and_the_changed_fields_of_each_version() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"assessment": "Draw both saucers."})).await;
    teacher.patch(&path, json!({"status": "published"})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.choose_version("the beginning", "Compare").await;
    let options = "[...document.querySelectorAll('dialog select:first-of-type option')].map((one) => one.textContent)";
    page.until(&format!("/^2 · now · .*Status$/.test({options}[0])")).await;
    page.until(&format!("/^1 · \\d+:\\d\\d.* · Assessment$/.test({options}[1])")).await;
}
