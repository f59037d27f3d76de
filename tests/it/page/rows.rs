//! Rows of a list in the editor: adding, moving and removing rows with keys, by dragging and by pasting.

use serde_json::{Value, json};

use super::{cress, hurried, stored};
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE};

const ENTER: &str = "\u{e007}";
const BACKSPACE: &str = "\u{e003}";
const TAB: &str = "\u{e004}";

/// Pastes a text into the focused element, as a browser does.
pub async fn paste(page: &Page, text: &str) {
    let script = format!(
        "const data = new DataTransfer(); data.setData('text/plain', {});
         document.activeElement.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }}))",
        json!(text)
    );
    page.js(&script).await;
}

#[tokio::test]
async fn enter_moves_to_the_next_cell_or_adds_a_row_at_the_end_and_backspace_removes_an_empty_row() {
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress"}), WIDE).await;
    page.click("Add to Materials").await;
    page.press("seeds").await;
    page.press(TAB).await;
    page.press("40").await;
    page.press(ENTER).await;
    page.until("document.activeElement.closest('[data-path]').dataset.path === 'materials.0.unit'").await;
    page.press(ENTER).await;
    page.until("document.activeElement.closest('[data-path]').dataset.path === 'materials.1.name'").await;
    page.press("water").await;
    page.press(ENTER).await;
    page.until("document.activeElement.closest('[data-path]').dataset.path === 'materials.1.quantity'").await;
    page.press(ENTER).await;
    page.press(ENTER).await;
    page.until("document.querySelectorAll('[data-field=materials] li').length === 3").await;
    page.press(BACKSPACE).await;
    page.until("document.activeElement.closest('[data-path]').dataset.path === 'materials.1.name'").await;
    page.press(TAB).await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["materials"], json!([{"name": "seeds", "quantity": 40}, {"name": "water"}]));
}

#[tokio::test]
async fn enter_inside_a_text_splits_the_row() {
    let lesson = json!({"title": "Cress", "steps": [{"text": "Soak the seeds. Drain them.", "minutes": 5}]});
    let (page, teacher, id) = Page::of_lesson(lesson, WIDE).await;
    page.js("const box = document.querySelector('[data-path=\"steps.0.text\"]'); box.focus(); box.setSelectionRange(15, 15)")
        .await;
    page.press(ENTER).await;
    page.until("document.activeElement.closest('[data-path]').dataset.path === 'steps.1.text'").await;
    page.press("Then d\u{e017}").await;
    page.press(TAB).await;
    page.saved().await;
    let steps = json!([{"text": "Soak the seeds.", "minutes": 5}, {"text": "Then drain them."}]);
    assert_eq!(stored(&teacher, &id).await["steps"], steps);
}

#[tokio::test]
async fn enter_moves_to_the_next_row_if_that_row_is_empty() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    page.click("Add to Materials").await;
    for _ in 0..2 {
        page.js("document.querySelector('[data-path=\"materials.1.unit\"]').focus()").await;
        page.press(ENTER).await;
        page.until("document.activeElement.closest('[data-path]').dataset.path === 'materials.2.name'").await;
    }
    assert_eq!(page.js("return document.querySelectorAll('[data-field=materials] li').length").await, 3);
}

#[tokio::test]
async fn pasted_lines_and_spreadsheet_cells_become_rows() {
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress", "steps": [{"text": "Look."}]}), WIDE).await;
    page.click("Add to Materials").await;
    paste(&page, "Name\tQuantity\tUnit\nwater\t1,5\tl\nsaucer\t2\t\nsalt\ta pinch").await;
    page.until("document.querySelectorAll('[data-field=materials] li').length === 3").await;
    page.click("Add to Steps").await;
    paste(&page, "1. Sow the seeds. (10 min)\n2. Wait.").await;
    page.until("document.querySelectorAll('[data-field=steps] li').length === 3").await;
    page.saved().await;
    assert_eq!(
        stored(&teacher, &id).await["materials"],
        json!([
            {"name": "water", "quantity": "1,5", "unit": "l"},
            {"name": "saucer", "quantity": 2},
            {"name": "salt", "quantity": "a pinch"},
        ])
    );
    let steps = json!([{"text": "Look."}, {"text": "Sow the seeds.", "minutes": 10}, {"text": "Wait."}]);
    assert_eq!(stored(&teacher, &id).await["steps"], steps);
    // A single pasted line does not add a row.
    page.js("document.querySelector('[data-path=\"steps.0.text\"]').focus()").await;
    paste(&page, "One line.").await;
    assert_eq!(page.js("return document.querySelectorAll('[data-field=steps] li').length").await, 3);
}

#[tokio::test]
async fn row_is_dragged_by_its_handle_and_the_history_records_a_move() {
    let (page, teacher, id) =
        Page::of_lesson(json!({"title": "Cress", "objectives": ["one", "two", "three", "four"]}), WIDE).await;
    page.drag("[data-field=objectives] li:nth-child(4) .grip", "[data-field=objectives] li:nth-child(1)").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["four", "one", "two", "three"]));
    page.view(&format!("#/i/{id}/history")).await;
    page.js("document.querySelector('[data-version=\"1\"] details:not(.menu)').open = true").await;
    let changes = page.until("document.querySelector('[data-version=\"1\"] .changes')?.innerText").await;
    assert_eq!(changes, "Objective 1\nmoved here from place 4: four");
}

#[tokio::test]
async fn row_dragged_past_the_end_of_its_list_becomes_the_last_row() {
    let (page, teacher, id) =
        Page::of_lesson(json!({"title": "Cress", "objectives": ["one", "two", "three", "four"]}), WIDE).await;
    page.drag("[data-field=objectives] li:nth-child(2) .grip", "[data-field=hypothesis] .text").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["one", "three", "four", "two"]));
    page.drag("[data-field=objectives] li:nth-child(3) .grip", "[data-field=title] .text").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["four", "one", "three", "two"]));
}

#[tokio::test]
async fn page_announces_the_new_position_of_a_row_moved_by_keys() {
    let (page, teacher, id) =
        Page::of_lesson(json!({"title": "Cress", "objectives": ["one", "two", "three"]}), WIDE).await;
    page.js("document.querySelector('[data-path=\"objectives.2\"]').focus()").await;
    page.chord(&['\u{e00a}'], '\u{e013}').await;
    page.until("document.querySelector('#notices[role=status]').innerText.includes('Objective 3 moved to 2.')").await;
    page.js("document.querySelector('[data-path=\"objectives.0\"]').focus()").await;
    page.chord(&['\u{e00a}'], '\u{e013}').await;
    page.until("document.querySelector('#spoken').textContent === 'Objective 1 is the first already.'").await;
    page.js("document.querySelector('[data-path=\"objectives.1\"]').focus()").await;
    page.press("!").await;
    page.press(TAB).await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["one", "three!", "two"]));
}

#[tokio::test]
async fn enter_that_confirms_a_japanese_word_adds_no_row() {
    let (page, _, _) = Page::of_lesson(json!({"title": "Cress", "objectives": ["one"]}), WIDE).await;
    let enter = async |code: u32| {
        let script = format!(
            "const box = document.querySelector('[data-path=\"objectives.0\"]');
             box.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', keyCode: {code}, bubbles: true, cancelable: true }}));
             return document.querySelectorAll('[data-field=objectives] li').length"
        );
        page.js(&script).await
    };
    assert_eq!((enter(229).await, enter(13).await), (json!(1), json!(2)));
}

#[tokio::test]
async fn three_taps_on_the_arrow_on_a_phone_move_a_row_up_by_three_positions() {
    let mut lesson = cress();
    lesson["objectives"] = json!(["one", "two", "three", "four"]);
    let (page, teacher, id) = Page::of_lesson(lesson, PHONE).await;
    page.click_on("[data-path='objectives.3']").await;
    for place in [4, 3, 2] {
        page.click_on(&format!("[data-field=objectives] [aria-label='Move up Objective {place}']")).await;
    }
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["four", "one", "two", "three"]));
}

#[tokio::test]
async fn changes_made_together_are_grouped_in_the_history() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let path = format!("/api/investigation/{id}");
    for title in ["Beans", "Peas", "Maize"] {
        teacher.patch(&path, json!({"title": title, "grade": title.len()})).await;
    }
    app.clock.advance(std::time::Duration::from_secs(31 * 60));
    teacher.patch(&path, json!({"title": "Oats"})).await;
    let page = Page::of(&app, WIDE).await;
    page.view(&format!("#/i/{id}/history")).await;
    let heads = "return [...document.querySelectorAll('.timeline > li > .head h3')].map((h) => h.textContent)";
    assert_eq!(page.js(heads).await, json!(["Version 4", "Versions 1 to 3", "Created"]));
    page.click("3 changes in versions 1 to 3").await;
    page.until("document.querySelectorAll('.session .timeline li').length === 3").await;
    page.choose_version("version 2", "Restore").await;
    page.click("Restore it").await;
    page.until("document.querySelector('[data-path=title]').value === 'Peas'").await;
}

#[tokio::test]
async fn finding_is_shown_at_its_row_and_its_overview_entry_opens_the_row() {
    let mut lesson = cress();
    lesson["steps"] = json!([{"text": "Sow."}, {"text": "Go on as in step 4."}, {"text": "Draw."}]);
    let (page, _, _) = Page::of_lesson(lesson, WIDE).await;
    let reason = "\"step 4\" refers to step 4, but the steps go from 1 to 3.";
    let row = page.until("document.querySelector('.notes .finding')?.closest('li').querySelector('.text').value").await;
    assert_eq!(row, "Go on as in step 4.");
    assert_eq!(page.js("return document.querySelector('.finding').innerText.trim()").await, reason);
    page.click(&format!("Steps: {reason}")).await;
    page.until("document.activeElement.closest('li')?.querySelector('.finding').open").await;
    let heard = "document.getElementById(document.activeElement.getAttribute('aria-describedby')?.split(' ').at(-1))";
    assert_eq!(page.js(&format!("return {heard}?.textContent")).await, reason);
}

#[tokio::test]
async fn row_on_a_phone_shows_its_buttons_and_empty_inputs_only_while_it_has_the_focus() {
    let (page, _, _) = Page::of_lesson(hurried(), PHONE).await;
    let shown = "return ['.tools', '.part[data-name=notes]'].map((part) => document.querySelector(`[data-field=materials] li ${part}`)?.checkVisibility() ?? null)";
    assert_eq!(page.js(shown).await, json!([false, false]));
    page.js("document.querySelector('[data-path=\"materials.0.name\"]').focus()").await;
    assert_eq!(page.js(shown).await, json!([true, true]));
}

#[tokio::test]
async fn add_picture_buttons_of_the_focused_row_are_next_to_its_other_buttons_on_a_phone() {
    let (page, _, _) = Page::of_lesson(cress(), PHONE).await;
    let shown = "return [...document.querySelectorAll('[data-field=steps] li .blank button')]
        .filter((button) => button.checkVisibility()).map((button) => button.closest('[data-path]').dataset.path)";
    assert_eq!(page.js(shown).await, json!([]));
    page.js("document.querySelector('[data-path=\"steps.1.text\"]').focus()").await;
    assert_eq!(page.js(shown).await, json!(["steps.1.picture", "steps.1.picture"]));
    let beside = "const place = (one) => document.querySelector(`li:focus-within ${one}`).getBoundingClientRect();
        const [add, photo, up] = ['.blank button', '.blank .camera', '.tools button'].map(place);
        return [add.top === up.top, add.right <= photo.left, photo.right <= up.left, add.width >= 44]";
    assert_eq!(page.js(beside).await, json!([true, true, true, true]));
}

#[tokio::test]
async fn one_tap_on_add_on_a_phone_adds_one_row_even_while_another_row_is_edited() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    page.click_on("[data-path='steps.1.text']").await;
    page.until("document.activeElement.dataset.path === 'steps.1.text'").await;
    page.click("Add to Steps").await;
    page.press("Wait.").await;
    page.until("document.activeElement.dataset.path === 'steps.2.text'").await;
    page.press(TAB).await;
    page.saved().await;
    let steps = stored(&teacher, &id).await["steps"].clone();
    assert_eq!((steps.as_array().map(Vec::len), &steps[2]["text"]), (Some(3), &json!("Wait.")));
    page.until("!document.querySelector('.held')").await;
}

#[tokio::test]
async fn click_on_an_empty_list_in_the_overview_adds_its_first_row() {
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress"}), WIDE).await;
    page.click("Objectives").await;
    page.until("document.activeElement.dataset.path === 'objectives.0'").await;
    // A row without text is not a change, so the field still counts as missing.
    page.click("Materials").await;
    page.until("document.querySelector('.todo').innerText.includes('Objectives')").await;
    page.press("seeds").await;
    // While the new row is empty, the field still counts as missing.
    page.click("Add to Steps").await;
    page.until("document.querySelectorAll('[data-field=steps] li').length === 1").await;
    page.until("document.querySelector('.todo').innerText.includes('Steps')").await;
    page.click("Steps").await;
    page.press("Sow them.").await;
    page.press(TAB).await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], Value::Null);
    assert_eq!(stored(&teacher, &id).await["materials"], json!([{"name": "seeds"}]));
    assert_eq!(stored(&teacher, &id).await["steps"], json!([{"text": "Sow them."}]));
}

#[tokio::test]
async fn work_to_move_a_row_is_proportional_to_the_length_of_the_list() {
    let objectives: Vec<String> = (0..400).map(|n| format!("Say what seed {n} needs.")).collect();
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress", "objectives": objectives}), WIDE).await;
    page.tell("Profiler.enable", json!({})).await;
    page.tell("Profiler.startPreciseCoverage", json!({"callCount": true, "detailed": false})).await;
    page.js("document.querySelector('[aria-label^=\"Move down\"]').click()").await;
    page.saved().await;
    let found = page.ask("Profiler.takePreciseCoverage", json!({})).await;
    let scripts = found["result"].as_array().expect("scripts").iter();
    let functions = scripts
        .filter(|script| script["url"].as_str().is_some_and(|url| url.ends_with("/ui/form/entries.js")))
        .flat_map(|script| script["functions"].as_array().expect("functions"));
    let calls: u64 = functions.map(|one| one["ranges"][0]["count"].as_u64().expect("a count")).sum();
    assert_eq!(stored(&teacher, &id).await["objectives"][1], "Say what seed 0 needs.");
    assert!((400..40_000).contains(&calls), "{calls} calls");
}

#[tokio::test]
async fn amounts_and_times_in_a_row_are_parsed_only_after_its_text_changed() {
    let kept = json!({"title": "Cress", "materials": [{"name": "tray 4"}], "steps": [{"text": "Let it stand for 10 minutes."}]});
    let (page, teacher, id) = Page::of_lesson(kept, WIDE).await;
    let name = "[data-field=materials] .text";
    let reads = "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/split')).length";
    for _ in 0..2 {
        page.click_on(name).await;
        page.click_on("[data-field=steps] .text").await;
    }
    assert_eq!(page.js(reads).await, 0);
    for _ in 0..2 {
        page.write_and_leave(name, "tray for 5b").await;
        page.click_on(name).await;
    }
    page.click_on("[data-field=steps] .text").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["materials"], json!([{"name": "tray for 5b"}]));
    page.until(reads.trim_start_matches("return ")).await;
    assert_eq!(page.js(reads).await, 1);
}

#[tokio::test]
async fn amount_or_time_typed_in_a_row_moves_into_its_own_input() {
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress"}), WIDE).await;
    page.click("Add to Materials").await;
    page.press("250 g modelling clay").await;
    page.press(TAB).await;
    page.until("document.activeElement.closest('[data-path]').dataset.path === 'materials.0.quantity'").await;
    for material in ["3 × spoon", "1 tray", "sugar cubes (6)", "stirring rods x 3"] {
        page.click("Add to Materials").await;
        page.press(material).await;
    }
    page.press(TAB).await;
    page.until("document.querySelectorAll('[data-field=materials] [data-name=quantity] .text')[4]?.value === '3'")
        .await;
    page.saved().await;
    assert_eq!(
        stored(&teacher, &id).await["materials"],
        json!([
            {"name": "modelling clay", "quantity": 250, "unit": "g"},
            {"name": "spoon", "quantity": 3},
            {"name": "tray", "quantity": 1},
            {"name": "sugar cubes", "quantity": 6},
            {"name": "stirring rods", "quantity": 3},
        ])
    );
    for step in ["Sow the seeds. (5 min)", "Draw them. 10'", "Rest (1h 20)", "Let it stand for 10 minutes."] {
        page.click("Add to Steps").await;
        page.press(step).await;
    }
    page.press(TAB).await;
    page.until("document.querySelectorAll('[data-field=steps] .number')[2]?.value === '80'").await;
    page.saved().await;
    let steps = json!([
        {"text": "Sow the seeds.", "minutes": 5},
        {"text": "Draw them.", "minutes": 10},
        {"text": "Rest", "minutes": 80},
        {"text": "Let it stand for 10 minutes."},
    ]);
    assert_eq!(stored(&teacher, &id).await["steps"], steps);
}

#[tokio::test]
async fn pasted_amounts_are_parsed_in_common_notations() {
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress"}), WIDE).await;
    page.click("Add to Materials").await;
    paste(&page, "worms from a neighbour,\n3 clear cups\nsugar cubes (6)\nrods x 3\n3 × spoon\n1/2 l water\nabout 20 cm string\nMilk, 200 ml").await;
    page.until("document.querySelectorAll('[data-field=materials] li').length === 8").await;
    page.saved().await;
    assert_eq!(
        stored(&teacher, &id).await["materials"],
        json!([
            {"name": "worms from a neighbour"},
            {"name": "clear cups", "quantity": 3},
            {"name": "sugar cubes", "quantity": 6},
            {"name": "rods", "quantity": 3},
            {"name": "spoon", "quantity": 3},
            {"name": "water", "quantity": "1/2", "unit": "l"},
            {"name": "string", "quantity": "about 20", "unit": "cm"},
            {"name": "Milk", "quantity": 200, "unit": "ml"},
        ])
    );
}

#[tokio::test]
async fn first_row_of_a_new_list_is_as_high_empty_as_it_is_with_text() {
    let (page, _, _) = Page::of_lesson(json!({"title": "Cress"}), WIDE).await;
    page.click("Materials").await;
    let row = "[data-field=materials] li";
    page.until(&format!("document.querySelector('{row}')")).await;
    let height = format!("return document.querySelector('{row}').offsetHeight");
    let empty = page.js(&height).await;
    page.press("seeds").await;
    page.until("!document.querySelector('[data-field=materials].missing')").await;
    assert_eq!(page.js(&height).await, empty);
}
