//! The page on a touch screen: the size of touch targets, and where menus and dialogs open.

use serde_json::{Value, json};

use super::{cress, hurried, stored};
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, Window};

/// A script that returns the touch targets smaller than 44 px, with their sizes. Leaves out the texts of rows, and
/// checkboxes.
const SMALL: &str = "
    const controls = 'a, button, select, summary, input:not([type=checkbox]), textarea, label.check, .grip';
    const hits = (control) => (x, y) => control.contains(document.elementFromPoint(x, y));
    const reach = (hit, x, y, right, down) => {
        let way = 0;
        while (way < 44 && hit(x + way * right, y + way * down)) way += 1;
        return way;
    };
    return [...document.querySelectorAll(controls)]
        .filter((control) => !control.closest('.skip, .entry') && !control.disabled && control.checkVisibility())
        .map((control) => {
            control.scrollIntoView({ block: 'center', behavior: 'instant' });
            const { x, y, width, height } = control.getBoundingClientRect();
            const from = [hits(control), x + width / 2, y + height / 2];
            const size = [[1, 0], [0, 1]].map(([x, y]) => reach(...from, x, y) + reach(...from, -x, -y) - 1);
            return [control.getAttribute('aria-label') ?? control.textContent.trim(), ...size];
        })
        .filter(([, width, height]) => width < 43 || height < 43);";

#[tokio::test]
async fn touch_targets_of_list_and_editor_are_large_enough() {
    let (page, teacher) = Page::of_service(PHONE).await;
    teacher.create(json!({"title": "Beans"})).await;
    let id = teacher.create(hurried()).await;
    for view in ["#/".to_owned(), format!("#/i/{id}")] {
        page.view(&view).await;
        page.js("document.querySelectorAll('details:not(.menu)').forEach((one) => { one.open = true; })").await;
        assert_eq!(page.js(SMALL).await, json!([]), "{view}");
    }
}

#[tokio::test]
async fn menu_without_space_below_opens_upward() {
    let (app, _, teacher) = TestApp::start().await;
    for number in 0..12 {
        teacher.create(json!({"title": format!("Lesson {number}")})).await;
    }
    let page = Page::of(&app, PHONE).await;
    let bottom = "document.querySelector('.menu[open] .grave').getBoundingClientRect().bottom";
    page.sees("12 lessons").await;
    page.click_on(".rows > li:first-child .menu summary").await;
    assert_eq!(page.js("return document.querySelector('.menu.up')").await, Value::Null);
    // Scrolls the last row to the lower edge of the window, where it is for a person who scrolls down to it.
    page.js("const row = document.querySelector('.rows > li:last-child');
        scrollBy({ top: row.getBoundingClientRect().bottom - innerHeight, behavior: 'instant' });
        row.querySelector('summary').click()")
        .await;
    page.until("document.querySelector('.rows > li:last-child .menu.up')").await;
    assert_eq!(page.js(&format!("return {bottom} <= innerHeight")).await, true);
}

#[tokio::test]
async fn every_menu_at_an_edge_of_a_phone_is_shown_whole() {
    let (page, teacher, id) = Page::of_lesson(hurried(), PHONE).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    for view in ["#/".to_owned(), format!("#/i/{id}"), format!("#/i/{id}/links")] {
        page.view(&view).await;
        page.until("document.querySelector('.menu')").await;
        let cut = "return (async () => {
            const cut = [];
            const opened = (menu, open) => new Promise((done) => {
                menu.addEventListener('toggle', done, { once: true });
                menu.open = open;
            });
            for (const menu of [...document.querySelectorAll('.menu')].filter((one) => one.checkVisibility())) {
                for (const block of ['start', 'end']) {
                    menu.scrollIntoView({ block, behavior: 'instant' });
                    await opened(menu, true);
                    const { left, right, top, bottom } = menu.lastElementChild.getBoundingClientRect();
                    if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight)
                        cut.push([menu.innerText, block, left, right, top, bottom]);
                    await opened(menu, false);
                }
            }
            return cut;
        })()";
        assert_eq!(page.js(cut).await, json!([]), "{view}");
    }
}

#[tokio::test]
async fn keys_scroll_a_dialog_that_is_taller_than_the_window() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    let path = format!("/api/investigation/{id}");
    let steps: Vec<_> = (1..=40).map(|number| json!({"text": format!("Look at saucer {number}.")})).collect();
    teacher.patch(&path, json!({"steps": steps})).await;
    page.view(&format!("#/i/{id}/history")).await;
    page.choose_version("the beginning", "Restore").await;
    page.until("document.querySelector('dialog[open] .body').tabIndex === 0").await;
    page.until("document.activeElement.matches('dialog h2')").await;
    page.press("\u{e004}\u{e010}").await;
    page.until("document.querySelector('dialog .body').scrollTop > 0").await;
}

/// Moves a finger down from the middle of an element, by a number of pixels. Without a move, this is a tap.
async fn swipe(page: &Page, selector: &str, by: i32) {
    let middle = format!(
        "const one = document.querySelector({});
         one.scrollIntoView({{ block: 'center', behavior: 'instant' }});
         const {{ x, y, width, height }} = one.getBoundingClientRect();
         return [x + width / 2, y + height / 2]",
        json!(selector)
    );
    let at = page.js(&middle).await;
    let (x, y) = (at[0].as_f64().expect("a number"), at[1].as_f64().expect("a number"));
    let touch = async |kind: &str, points: Value| {
        page.tell("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points})).await;
    };
    touch("touchStart", json!([{"x": x, "y": y}])).await;
    let moves = if by == 0 { 0 } else { 8 };
    for step in 1..=moves {
        touch("touchMove", json!([{"x": x, "y": y + f64::from(by * step) / 8.0}])).await;
    }
    touch("touchEnd", json!([])).await;
}

/// Returns the objectives on the page.
const OBJECTIVES: &str = "[...document.querySelectorAll('[data-field=objectives] li .text')].map((box) => box.value)";

fn with_objectives() -> Value {
    let mut lesson = cress();
    lesson["objectives"] = json!(["one", "two", "three", "four"]);
    lesson
}

#[tokio::test]
async fn swiping_on_a_row_number_scrolls_the_page_and_drags_no_row() {
    let (page, teacher, id) = Page::of_lesson(with_objectives(), PHONE).await;
    let grip = "[data-field=objectives] li:nth-child(4) .grip";
    page.js("window.scrolled = 0; addEventListener('scroll', () => { window.scrolled = scrollY; })").await;
    swipe(&page, grip, -200).await;
    page.until("window.scrolled > 0").await;
    // Waits until scrolling has ended, because a tap would only stop it.
    page.until("(scrollY === window.rest ? ++window.looks : ((window.rest = scrollY), (window.looks = 0))) > 25").await;
    assert_eq!(page.js(&format!("return {OBJECTIVES}")).await, json!(["one", "two", "three", "four"]));
    // A tap selects the row without opening a keyboard. Then its handle can drag it.
    swipe(&page, grip, 0).await;
    page.until("document.activeElement.matches('[data-field=objectives] li')").await;
    swipe(&page, grip, -60).await;
    page.sees("Objective 4 moved to 3.").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["objectives"], json!(["one", "two", "four", "three"]));
    page.click_on(".notice button").await;
    page.until(&format!("{OBJECTIVES}.join() === 'one,two,three,four'")).await;
    page.sees("Undone: Objective 4 moved to 3.").await;
}

#[tokio::test]
async fn move_button_stays_under_the_finger_while_its_row_moves() {
    let (page, _, _) = Page::of_lesson(with_objectives(), PHONE).await;
    swipe(&page, "[data-field=objectives] li:nth-child(1) .grip", 0).await;
    let arrow = "document.querySelector('[data-field=objectives] li:focus-within .tools button:nth-child(2)').getBoundingClientRect().top";
    page.click_on("[data-field=objectives] li:focus-within .tools button:nth-child(2)").await;
    let top = page.js(&format!("return {arrow}")).await;
    page.js("document.activeElement.click()").await;
    page.until(&format!("{OBJECTIVES}.join() === 'two,three,one,four'")).await;
    assert_eq!(page.js(&format!("return {arrow}")).await, top);
}

#[tokio::test]
async fn removing_a_row_by_touch_opens_no_keyboard_over_the_undo_notice() {
    let (page, _, _) = Page::of_lesson(with_objectives(), PHONE).await;
    swipe(&page, "[data-field=objectives] li:nth-child(2) .grip", 0).await;
    page.click("Remove Objective 2").await;
    page.sees("Objective 2 removed.").await;
    assert_eq!(page.js("return document.activeElement.tagName").await, "LI");
    let viewport = page.js("return document.querySelector('meta[name=viewport]').content").await;
    assert!(viewport.as_str().expect("a text").contains("interactive-widget=resizes-content"), "{viewport}");
}

#[tokio::test]
async fn save_bar_on_a_phone_is_one_line_and_a_tap_shows_why_text_is_not_saved() {
    let (page, _, _) = Page::of_lesson(cress(), PHONE).await;
    let height = "return document.querySelector('.bar').getBoundingClientRect().height <= 60";
    page.offline(true).await;
    page.write("[data-path=assessment]", "Draw both saucers.").await;
    page.until("document.querySelector('.saving').dataset.word === 'waiting'").await;
    for window in [PHONE, Window { width: 320, ..PHONE }, Window { width: 844, height: 160, ..PHONE }] {
        page.appear(window).await;
        assert_eq!(page.js(height).await, true, "{} px", window.width);
        assert_eq!(page.js("return document.documentElement.scrollWidth").await, window.width);
    }
    page.appear(PHONE).await;
    page.click("Why?").await;
    page.until("document.querySelector('.notice')?.innerText.includes('Your text is kept in this browser.')").await;
    page.offline(false).await;
    page.saved().await;
    page.until("!document.querySelector('.notice')").await;
}

#[tokio::test]
async fn opening_the_overview_on_a_phone_does_not_scroll_the_page() {
    let (page, _, _) = Page::of_lesson(hurried(), PHONE).await;
    page.sees("1 contradiction").await;
    for top in [8, 25] {
        page.js(&format!("document.querySelector('.overview').open = false; scrollTo(0, {top})")).await;
        page.until(&format!("scrollY === {top}")).await;
        page.js("window.opened = false; document.querySelector('.overview > summary').click();
                 requestAnimationFrame(() => requestAnimationFrame(() => { window.opened = true; }))")
            .await;
        page.until("window.opened").await;
        assert_eq!(page.js("return scrollY").await, top);
    }
}

#[tokio::test]
async fn new_finding_does_not_move_the_field_being_edited() {
    let (page, _, _) = Page::of_lesson(cress(), PHONE).await;
    page.write("[data-path=durationMinutes] input", "2").await;
    let place = "const { top, width } = document.activeElement.getBoundingClientRect(); return [top, width]";
    let before = page.js(place).await;
    page.press("0").await;
    page.until("document.querySelector('[data-field=durationMinutes] .finding')").await;
    assert_eq!(page.js(place).await, before);
}

/// On touch screens, the menu button of a field also reacts to taps around it, but must not cover the text box.
#[tokio::test]
async fn narrow_field_on_a_phone_can_be_tapped_on_its_whole_width_and_shows_the_start_of_its_text() {
    let (page, _, _) = Page::of_lesson(cress(), PHONE).await;
    page.write_and_leave("[data-path=grade]", "The fifth and sixth year of all primary schools here").await;
    for window in [PHONE, Window { width: 320, ..PHONE }] {
        page.appear(window).await;
        let covered = "return ['grade', 'groupSize', 'durationMinutes'].flatMap((name) => {
            const box = document.querySelector(`[data-field=${name}] :is(.text, input)`);
            box.scrollIntoView({ block: 'center', behavior: 'instant' });
            const { left, width, top, height } = box.getBoundingClientRect();
            const hit = (x) => box.contains(document.elementFromPoint(left + x, top + height / 2));
            return [4, width / 2, width - 4].every(hit) && box.scrollLeft === 0 ? [] : [name];
        })";
        assert_eq!(page.js(covered).await, json!([]), "{} px", window.width);
    }
}

#[tokio::test]
async fn words_in_the_quantity_and_unit_of_a_material_are_not_split_on_a_narrow_phone() {
    let mut lesson = cress();
    lesson["materials"] = json!([{"name": "salt", "quantity": 2, "unit": "tablespoons"}, {"name": "water"}]);
    let (page, _, _) = Page::of_lesson(lesson, Window { width: 320, ..PHONE }).await;
    page.click_on("[data-path='materials.1.name']").await;
    let broken = "return [...document.querySelectorAll('[data-field=materials] :is([data-name=quantity], [data-name=unit]) .text')]
        .filter((box) => box.clientHeight > 60).map((box) => box.value || box.placeholder)";
    assert_eq!(page.js(broken).await, json!([]));
}

#[tokio::test]
async fn minutes_of_a_step_stay_at_one_place_while_they_are_typed() {
    let (page, _, _) = Page::of_lesson(json!({"title": "Cress", "steps": [{"text": "Sow."}]}), PHONE).await;
    page.click_on("[data-path='steps.0.text']").await;
    page.click_on("[data-path='steps.0.minutes'] input").await;
    let place =
        "const { left, top, width } = document.activeElement.getBoundingClientRect(); return [left, top, width]";
    let before = page.js(place).await;
    page.press("5").await;
    assert_eq!(page.js(place).await, before);
}

#[tokio::test]
async fn bar_of_a_conflict_on_a_phone_shows_its_button_whole() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    let path = format!("/api/investigation/{id}");
    page.offline(true).await;
    page.write("[data-path=assessment]", "Draw both saucers.").await;
    page.until("document.querySelector('.saving').dataset.word === 'waiting'").await;
    teacher.patch(&path, json!({"assessment": "Write a report."})).await;
    page.offline(false).await;
    page.sees("Changed elsewhere").await;
    for width in [390, 320] {
        page.appear(Window { width, ..PHONE }).await;
        let whole = "const [words, act] = ['.saving', '.ways .primary'].map((one) => document.querySelector(one));
            return act.scrollWidth <= act.clientWidth && words.scrollWidth <= words.clientWidth
                && words.getBoundingClientRect().right <= act.getBoundingClientRect().left
                && document.querySelector('.bar').getBoundingClientRect().height <= 60";
        assert_eq!(page.js(whole).await, true, "{width} px");
    }
}

#[tokio::test]
async fn menu_of_a_lesson_leads_to_its_history_and_links() {
    let (page, _, id) = Page::of_lesson(cress(), PHONE).await;
    for (name, view) in [("History", "history"), ("Links", "links")] {
        page.view(&format!("#/i/{id}")).await;
        page.click("Actions for this lesson").await;
        page.js(&format!(
            "[...document.querySelectorAll('.bar .menu button')].find((one) => one.textContent === '{name}').click()"
        ))
        .await;
        page.until(&format!("location.hash === '#/i/{id}/{view}'")).await;
    }
}

#[tokio::test]
async fn tap_beside_a_label_focuses_its_field() {
    let (page, _, _) = Page::of_lesson(cress(), PHONE).await;
    let beside =
        "const { right, top, height } = document.querySelector('[data-field=hypothesis] .tag').getBoundingClientRect();
        document.elementFromPoint(right - 40, top + height / 2).click();
        return document.activeElement.dataset.path";
    page.js("document.querySelector('[data-field=hypothesis]').scrollIntoView({ block: 'center' })").await;
    assert_eq!(page.js(beside).await, "hypothesis");
}
