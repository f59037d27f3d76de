//! The editor of an investigation, on the page.

use serde_json::json;

use super::{cress, hurried, stored};
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE, Window};

const CONTROL: char = '\u{e009}';
const ALT: char = '\u{e00a}';
const SHIFT: char = '\u{e008}';

/// The text that lists the fields still to write.
const TO_WRITE: &str = "[...document.querySelectorAll('.todo')][0].innerText";

#[tokio::test]
async fn short_fields_share_a_row_and_their_findings_are_below_the_row() {
    let tablet = Window { width: 768, ..WIDE };
    for window in [WIDE, tablet, PHONE] {
        let (page, teacher, id) = Page::of_lesson(cress(), window).await;
        let rows = "return ['grade', 'groupSize', 'durationMinutes'].map((name) => {
            const { top, right } = document.querySelector(`[data-field=${name}] .sheet`).getBoundingClientRect();
            return [top, right <= innerWidth];
        })";
        let shown = page.js(rows).await;
        assert_eq!((&shown[0], &shown[0][1], &shown[2][1]), (&shown[1], &json!(true), &json!(true)), "{shown}");
        // A row on a phone has room for only two of the three boxes, because each must be wide enough for a grade.
        assert!(window.width == PHONE.width || shown[1] == shown[2], "{shown}");
        let both = json!({"durationMinutes": 5, "groupSize": 3, "steps": [{"text": "In groups of four, sow.", "minutes": 45}]});
        teacher.patch(&format!("/api/investigation/{id}"), both).await;
        page.until("document.querySelector('[data-field=durationMinutes] .finding')").await;
        let room = "return ['groupSize', 'durationMinutes'].map((name) => {
            const field = document.querySelector(`[data-field=${name}]`);
            return field.nextElementSibling.getBoundingClientRect().top - field.getBoundingClientRect().bottom;
        })";
        let room = page.js(room).await;
        let room = [&room[0], &room[1]].map(|space| space.as_f64().expect("a length in pixels"));
        if window.width == PHONE.width {
            // The finding about the group size is between the two rows.
            assert_eq!(room, [0.0; 2], "each finding follows its field");
        } else {
            assert!(room.into_iter().all(|space| space >= 0.0), "{room:?}");
            assert_eq!(page.js(rows).await, shown, "nothing moves");
        }
    }
}

#[tokio::test]
async fn fields_and_list_entries_that_the_author_edits_are_saved_automatically() {
    let (page, teacher, id) = Page::of_lesson(json!({}), WIDE).await;
    page.write("[data-path=title]", "Cress in the dark").await;
    page.until("document.querySelector('h1').textContent === 'Cress in the dark'").await;
    page.write("[data-path=grade]", "5").await;
    page.click("Add to Objectives").await;
    page.press("Say what a seed needs.\u{e007}Keep a record.").await;
    page.click("Add to Steps").await;
    page.write("[data-path='steps.0.text']", "Sow.").await;
    page.write("[data-path='steps.0.minutes'] input", "15").await;
    page.click("Add to Steps").await;
    page.write("[data-path='steps.1.text']", "Soak the seeds.").await;
    page.click("Move up Step 2").await;
    page.write_and_leave("[data-path='variables.independent']", "Light").await;
    page.saved().await;
    let lesson = stored(&teacher, &id).await;
    assert_eq!(lesson["title"], "Cress in the dark");
    assert_eq!(lesson["grade"], 5);
    assert_eq!(lesson["objectives"], json!(["Say what a seed needs.", "Keep a record."]));
    assert_eq!(lesson["steps"], json!([{"text": "Soak the seeds."}, {"text": "Sow.", "minutes": 15}]));
    assert_eq!(lesson["variables"], json!({"independent": "Light"}));
    page.click("Remove Step 1").await;
    page.write_and_leave("[data-path=grade]", "").await;
    page.saved().await;
    let lesson = stored(&teacher, &id).await;
    assert_eq!((&lesson["steps"], lesson.get("grade")), (&json!([{"text": "Sow.", "minutes": 15}]), None));
}

#[tokio::test]
async fn enter_in_the_title_moves_to_the_next_field_and_pasted_line_breaks_become_spaces() {
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress"}), PHONE).await;
    page.write("[data-path=title]", "Cress in the dark").await;
    page.press("\u{e007}").await;
    page.until("document.activeElement.dataset.path === 'grade'").await;
    page.press("5\u{e007}").await;
    for path in ["groupSize", "durationMinutes", "curriculum"] {
        page.until(&format!("document.activeElement.closest('[data-path]').dataset.path === '{path}'")).await;
        page.press("\u{e007}").await;
    }
    page.js("const box = document.querySelector('[data-path=title]');
             box.value = 'Cress in\\nthe cellar\\n';
             box.dispatchEvent(new Event('input'))")
        .await;
    page.saved().await;
    page.until("document.querySelector('[data-path=title]').value === 'Cress in the cellar'").await;
    let lesson = stored(&teacher, &id).await;
    assert_eq!((&lesson["title"], &lesson["grade"]), (&json!("Cress in the cellar"), &json!(5)));
}

#[tokio::test]
async fn overview_links_to_each_missing_field_until_it_is_filled() {
    let mut lesson = cress();
    lesson["assessment"] = json!("");
    let (page, _, _) = Page::of_lesson(lesson, WIDE).await;
    page.until(&format!("{TO_WRITE} === 'Assessment'")).await;
    page.until("document.querySelector('.overview summary').innerText.includes('Incomplete')").await;
    page.click("Assessment").await;
    page.until("document.activeElement.dataset.path === 'assessment'").await;
    page.press("Draw both saucers.").await;
    page.saved().await;
    page.until("!document.querySelector('.todo').checkVisibility()").await;
    page.until("document.querySelector('.overview summary').innerText.includes('Complete')").await;
}

#[tokio::test]
async fn author_can_set_the_status_and_return_to_the_computed_status() {
    let (page, teacher, id) = Page::of_lesson(cress(), PHONE).await;
    page.click_on(".overview summary").await;
    for (value, words) in [("published", "Published"), ("draft_incomplete", "Complete")] {
        page.js(&format!("const s = document.querySelector('.overview select'); s.value = '{value}'; s.dispatchEvent(new Event('change'))")).await;
        page.until(&format!("document.querySelector('.overview .badge').innerText.endsWith('{words}')")).await;
    }
    assert_eq!(stored(&teacher, &id).await["status"], "draft_non_contradictory_complete");
}

#[tokio::test]
async fn changes_are_undone_and_redone_by_buttons_and_by_keys() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let assessment = async |text: &str| {
        page.until(&format!("document.querySelector('[data-path=assessment]').value === '{text}'")).await
    };
    page.until("document.querySelector('[aria-keyshortcuts]').ariaDisabled === 'true'").await;
    page.write_and_leave("[data-path=assessment]", "One").await;
    page.saved().await;
    page.write("[data-path=assessment]", "Two").await;
    page.click("Undo").await;
    assessment("One").await;
    page.click_on("[data-path=assessment]").await;
    page.chord(&[CONTROL, ALT], 'z').await;
    page.sees("Undone: Assessment.").await;
    assessment("Describe both saucers after a week.").await;
    page.chord(&[CONTROL, ALT, SHIFT], 'z').await;
    assessment("One").await;
    assert_eq!(page.js("return document.activeElement.dataset.path").await, "assessment", "the focus stays");
    page.click("Redo").await;
    assessment("Two").await;
    page.until("document.querySelectorAll('[aria-keyshortcuts]')[1].ariaDisabled === 'true'").await;
}

#[tokio::test]
async fn change_by_a_colleague_to_another_field_is_merged() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    page.until("document.querySelector('[data-path=title]')").await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"hypothesis": "It does."})).await;
    page.write_and_leave("[data-path=assessment]", "Mine").await;
    page.until("document.querySelector('[data-path=hypothesis]').value === 'It does.'").await;
    page.saved().await;
    let lesson = stored(&teacher, &id).await;
    assert_eq!((&lesson["assessment"], &lesson["hypothesis"]), (&json!("Mine"), &json!("It does.")));
}

#[tokio::test]
async fn dialog_offers_both_texts_of_a_field_that_was_changed_in_two_windows() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    for (theirs, choice, stands) in [("Theirs", "Take the other", "Theirs"), ("Theirs again", "Keep mine", "Mine")] {
        page.until("document.querySelector('[data-path=assessment]')").await;
        page.offline(true).await;
        teacher.patch(&path, json!({"assessment": theirs})).await;
        page.write_and_leave("[data-path=assessment]", "Mine").await;
        page.offline(false).await;
        page.click("Compare …").await;
        page.sees("Assessment was changed elsewhere, too").await;
        let sides =
            page.js("return [...document.querySelectorAll('.sides pre')].map((side) => side.textContent)").await;
        assert_eq!(sides, json!(["Mine", theirs]));
        page.click(choice).await;
        page.saved().await;
        page.until(&format!("document.querySelector('[data-path=assessment]').value === '{stands}'")).await;
        assert_eq!(stored(&teacher, &id).await["assessment"], stands);
    }
}

const OPERATORS: &str = r##"{
    "type": "object", "required": ["name"],
    "properties": {
        "name": { "type": "string", "title": "What it is called", "minLength": 3, "x-complete": true, "x-order": 1 },
        "level": { "enum": ["easy", "hard", 3] },
        "outdoors": { "type": "boolean" },
        "cost": { "type": "number", "minimum": 0 },
        "place": { "$ref": "#/$defs/place" },
        "visits": { "type": "array", "items": { "$ref": "#/$defs/visit" } },
        "either": { "anyOf": [{ "type": "string" }, { "type": "object" }] }
    },
    "$defs": {
        "place": { "type": "object", "properties": { "city": { "type": "string" }, "tags": { "type": "array", "items": { "type": "string" } } } },
        "visit": { "type": "object", "properties": { "who": { "type": "string" }, "stops": { "type": "array", "items": { "type": "object", "properties": { "at": { "type": "string" } } } } } }
    }
}"##;

#[tokio::test]
async fn form_is_generated_from_any_schema() {
    let (app, _, teacher) = TestApp::start_with_schema(OPERATORS).await;
    let page = Page::of(&app, WIDE).await;
    page.view("#/").await;
    page.click("New lesson").await;
    page.until("document.querySelector('[data-path=name]')").await;
    page.write("[data-path=name]", "Pond walk").await;
    page.saved().await;
    let id = page.js("return location.hash.split('/').pop()").await;
    let id = id.as_str().expect("an id");
    let choose = async |path: &str, words: &str| {
        page.js(&format!("const s = document.querySelector('[data-path={path}]'); s.selectedIndex = [...s.options].findIndex((o) => o.text === '{words}'); s.dispatchEvent(new Event('change'))")).await
    };
    choose("level", "3").await;
    choose("outdoors", "No").await;
    page.write("[data-path=cost] input", "1.50").await;
    page.write("[data-path='place.city']", "Ulm").await;
    page.click("Add to Tags, Place").await;
    page.press("pond").await;
    page.click("Add to Visits").await;
    page.click("Add to Stops, Visits").await;
    page.write("[data-path='visits.0.stops.0.at']", "noon").await;
    page.write("[data-path=either] textarea", "{\"any\": [1").await;
    page.sees("This is not valid JSON yet. It is not saved yet.").await;
    page.press("]}\u{e004}").await;
    page.saved().await;
    let lesson = teacher.get(&format!("/api/investigation/{id}")).await;
    assert!(lesson.text.contains(r#""name":"Pond walk""#) && lesson.text.contains(r#""cost":1.5,"#), "{lesson}");
    let lesson = lesson.data();
    assert_eq!((&lesson["level"], &lesson["outdoors"]), (&json!(3), &json!(false)));
    assert_eq!(lesson["place"], json!({"city": "Ulm", "tags": ["pond"]}));
    assert_eq!(lesson["visits"], json!([{"stops": [{"at": "noon"}]}]));
    assert_eq!(lesson["either"], json!({"any": [1]}));
    // A refused field shows the reason beside it, and the page still saves the other field.
    page.write("[data-path=name]", "Po").await;
    page.write_and_leave("[data-path=cost] input", "2").await;
    page.until("document.querySelector('[data-field=name] .fault').innerText.includes('not saved yet')").await;
    page.until("document.querySelector('.saving').dataset.word === 'refused'").await;
    assert_eq!(stored(&teacher, id).await["cost"], 2);
    page.write("[data-path=name]", "Pool walk").await;
    page.saved().await;
}

#[tokio::test]
async fn invalid_json_typed_in_a_row_is_kept_while_another_field_is_edited() {
    let materials = json!([{"name": "Seeds", "colour": {"hue": "red"}}, {"name": "Water"}]);
    let (page, teacher, id) = Page::of_lesson(json!({"title": "Cress", "materials": materials}), WIDE).await;
    let shown = "return [
        document.querySelector('[data-field=materials] .fault').textContent,
        document.querySelector('[data-path=\"materials.0.colour\"] textarea').value,
        document.querySelector('.saving').dataset.word,
    ]";
    let held = json!(["Materials: This is not valid JSON yet. It is not saved yet.", "{\"hue\": \"gre", "refused"]);
    page.write_and_leave("[data-path='materials.0.colour'] textarea", "{\"hue\": \"gre").await;
    assert_eq!(page.js(shown).await, held);
    for (path, text) in [("materials.1.name", "Rain"), ("materials.0.name", "Cress seeds")] {
        page.write_and_leave(&format!("[data-path='{path}']"), text).await;
        assert_eq!(page.js(shown).await, held, "{path}");
    }
    page.click("Remove Material 2").await;
    page.sees("Material 2 removed.").await;
    assert_eq!(page.js(shown).await, held, "a removed row");
    page.click_on(".notice button").await;
    page.sees("Undone: Material 2 removed.").await;
    assert_eq!(page.js(shown).await, held, "a restored row");
    assert_eq!(stored(&teacher, &id).await["materials"], materials);
    page.write_and_leave("[data-path='materials.0.colour'] textarea", "{\"hue\": \"green\"}").await;
    page.saved().await;
    let corrected = json!([{"name": "Cress seeds", "colour": {"hue": "green"}}, {"name": "Rain"}]);
    assert_eq!(stored(&teacher, &id).await["materials"], corrected);
}

#[tokio::test]
async fn fields_outside_the_schema_are_edited_as_json_and_numbers_keep_their_notation() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let text = r#"{"title":"Cress","ours":{"mass":6.0},"materials":[{"name":"Seeds","quantity":12345678901234567890},{"name":"Water","quantity":2.0}]}"#;
    let created = teacher.post_text("/api/investigation", "application/json", text).await;
    let id = created.data()["_id"].as_str().expect("an id").to_owned();
    page.view(&format!("#/i/{id}")).await;
    page.until("document.querySelector('[data-path=ours] textarea').value.includes('6.0')").await;
    page.write_and_leave("[data-path='materials.1.name']", "Rain").await;
    page.saved().await;
    let kept = teacher.get(&format!("/api/investigation/{id}")).await.text;
    assert!(
        kept.contains(r#"[{"name":"Seeds","quantity":12345678901234567890},{"name":"Rain","quantity":2.0}]"#),
        "{kept}"
    );
    page.choose("Ours", "Remove Ours").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await.get("ours"), None);
}

#[tokio::test]
async fn page_reports_an_unreachable_service_and_keeps_the_typed_text() {
    let (mut app, _, id) = TestApp::with_id(hurried()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    app.stop().await;
    page.write_and_leave("[data-path=assessment]", "Kept here").await;
    page.sees("The service cannot be reached").await;
    page.until("document.querySelector('[data-path=assessment]').value === 'Kept here'").await;
    page.until("document.querySelector('.bar button').checkVisibility()").await;
}

#[tokio::test]
async fn overview_reminds_the_author_of_text_that_is_in_no_field_yet_until_it_is_removed() {
    let mut lesson = cress();
    lesson["unplacedText"] = json!("For next time: bring a jar.");
    let (page, _, _) = Page::of_lesson(lesson, WIDE).await;
    page.sees("Every field is written, but some of your text is not placed yet.").await;
    page.until("document.querySelector('.overview .todo').innerText === 'Text not placed yet'").await;
    page.choose("Text not placed yet", "Remove Text not placed yet").await;
    page.sees("Nothing is missing, and no contradiction was found.").await;
}

#[tokio::test]
async fn fields_that_pupils_do_not_see_are_marked() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    let marked = "return ['objectives', 'assessment', 'drivingQuestion', 'title'].map((field) =>
        getComputedStyle(document.querySelector(`[data-field=${field}] .tag`), '::before').content)";
    let mark = "\"\" / \"teachers only\"";
    assert_eq!(page.js(marked).await, json!([mark, mark, "none", "none"]));
}

#[tokio::test]
async fn menu_button_of_a_short_field_leaves_the_frame_of_its_box_free() {
    let (page, _, _) = Page::of_lesson(json!({"title": "Cress", "grade": "5"}), WIDE).await;
    page.until("document.querySelector('[data-field=durationMinutes] .menu')").await;
    let inside = "return ['grade', 'groupSize', 'durationMinutes'].map((name) => {
        const field = document.querySelector(`section[data-field=${name}]`);
        const [box, dots] = ['.text, input', '.menu > summary'].map((one) => field.querySelector(one));
        const [shade] = /-?[0-9.]+(?=px)/.exec(getComputedStyle(dots).boxShadow);
        return dots.getBoundingClientRect().right + Number(shade) <= box.getBoundingClientRect().right - 1;
    })";
    assert_eq!(page.js(inside).await, json!([true, true, true]));
    let ground = |name: &str| {
        format!(
            "return getComputedStyle(document.querySelector('section[data-field={name}]')).getPropertyValue('--box') !== ''"
        )
    };
    assert_eq!([page.js(&ground("grade")).await, page.js(&ground("groupSize")).await], [json!(false), json!(true)]);
}

#[tokio::test]
async fn menu_of_a_field_says_whether_pupils_see_it() {
    let (page, _, _) = Page::of_lesson(cress(), WIDE).await;
    for (field, said) in [
        ("materials", "What each group needs. Pupils see this, notes included."),
        ("drivingQuestion", "The question that the lesson answers. Pupils see this."),
        ("durationMinutes", "How long the lesson lasts. Pupils do not see this."),
    ] {
        let help = page
            .until(&format!("document.querySelector('section[data-field={field}] .menu .about')?.textContent"))
            .await;
        assert_eq!(help, said);
    }
}
