//! A pasted or opened document of a whole lesson.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::cress;
use crate::authoring::start;
use crate::support::Caller;
use crate::support::browser::{Page, WIDE};
use crate::support::endpoint::Answer;
use crate::support::picture::png;
use crate::support::word::{document, illustrated, paragraph};

/// A lesson with a teacher's own headings, which differ from the names in the form.
const LESSON: &str = "Rotting and recycling\nClass 6c\nTime: 2 x 45 minutes\n\nWhat you need per group\n\
    - 500 g garden soil\n- worms from a neighbour,\n\nKey question\nWhat happens to leaves?\n\n\
    Objectives\n1. Say what rots.\n2. Tell why it\nmatters.\n\nWhat we do\n1. Fill the jars. (10 min)\n2. Wait.\n\n\
    Watch out!\n- Wash your hands.\n\nHow I grade it\nThey draw the jar.\n\nNew words\nrot - fall apart\n\n\
    Seating plan\n- Anna\n- Ben\n\nFor next time: bring a jar.";

/// Writes a text into the box of the dialog.
pub async fn fill(page: &Page, text: &str) {
    page.until("document.querySelector('dialog textarea')").await;
    let paste = format!(
        "const box = document.querySelector('dialog textarea'); box.value = {}; box.dispatchEvent(new Event('input'))",
        json!(text)
    );
    page.js(&paste).await;
}

/// Opens the dialog and writes a text into its box.
pub async fn paste(page: &Page, text: &str) {
    page.click("Paste or open from Word").await;
    fill(page, text).await;
}

/// Waits until the preview shows these words.
async fn shown(page: &Page, words: &str) {
    page.until(&format!("document.querySelector('dialog .reading')?.innerText.includes({})", json!(words))).await;
}

/// Chooses a field in the menu of the block with this text.
async fn place(page: &Page, text: &str, field: &str) {
    let menu = format!(
        "[...document.querySelectorAll('dialog select')].find((menu) => menu.ariaLabel.endsWith({}))",
        json!(text)
    );
    page.until(&menu).await;
    page.js(&format!("const menu = {menu}; menu.value = '{field}'; menu.dispatchEvent(new Event('change'))")).await;
    page.until(&format!(
        "document.querySelector('dialog [role=status]').innerText && {menu} === document.activeElement"
    ))
    .await;
}

/// Creates the lesson of the dialog, and returns it.
pub async fn created(page: &Page, teacher: &Caller) -> Value {
    page.click("Create the lesson").await;
    page.until("document.querySelector('.paper')").await;
    created_here(page, teacher).await
}

async fn created_here(page: &Page, teacher: &Caller) -> Value {
    let id = page.js("return location.hash.split('/').at(-1)").await;
    teacher.get(&format!("/api/investigation/{}", id.as_str().expect("an id"))).await.data()
}

#[tokio::test]
async fn preview_of_a_pasted_text_shows_its_fields_and_the_unplaced_lines() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, LESSON).await;
    shown(&page, "Fill the jars. (10 min)").await;
    page.sees("Sorted by its headings.").await;
    let last = "return [...document.querySelectorAll('dialog .changes > *')].slice(-2).map((part) => part.innerText)";
    let rest = "What you need per group\nSeating plan\nAnna\nBen";
    assert_eq!(page.js(last).await, json!(["Text not placed yet (4 parts)", rest]));
    let lesson = created(&page, &teacher).await;
    assert_eq!((&lesson["grade"], &lesson["durationMinutes"]), (&json!("Class 6c"), &json!(90)));
    let materials = json!([{"name": "garden soil", "quantity": 500, "unit": "g"}, {"name": "worms from a neighbour"}]);
    assert_eq!(lesson["materials"], materials);
    assert_eq!(lesson["drivingQuestion"], "What happens to leaves?");
    assert_eq!(lesson["objectives"], json!(["Say what rots.", "Tell why it matters."]));
    assert_eq!(lesson["steps"], json!([{"text": "Fill the jars.", "minutes": 10}, {"text": "Wait."}]));
    assert_eq!(lesson["safety"], json!(["Wash your hands."]));
    assert_eq!(lesson["assessment"], "They draw the jar.");
    assert_eq!(lesson["vocabulary"], json!([{"term": "rot", "definition": "fall apart"}]));
    let unplaced = lesson["unplacedText"].as_str().expect("a text");
    assert!(unplaced.starts_with("What you need per group\nSeating plan\nAnna\nBen"), "{unplaced}");
}

#[tokio::test]
async fn pasting_reads_html_from_the_clipboard_if_the_clipboard_has_html() {
    let (page, teacher) = Page::of_service(WIDE).await;
    page.click("Paste or open from Word").await;
    page.until("document.querySelector('dialog textarea')").await;
    let html = "<h1>Salt</h1><h2>Materials</h2><table><tr><th>Item</th><th>Quantity</th><th>Notes</th></tr>\
        <tr><td>Rock salt</td><td>10 g</td><td>crushed</td></tr></table><h2>Safety</h2><ul><li>H<sub>2</sub>O is hot.</li></ul>";
    page.js(&format!(
        "const data = new DataTransfer(); data.setData('text/plain', 'Salt'); data.setData('text/html', {});
         const box = document.querySelector('dialog textarea');
         box.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }}))",
        json!(html)
    ))
    .await;
    shown(&page, "Rock salt").await;
    let expected = json!([{"name": "Rock salt", "quantity": 10, "unit": "g", "notes": "crushed"}]);
    // The pasted text survives closing the dialog and reloading the page.
    page.press("\u{e00c}").await;
    page.sees("Your text is kept in this window").await;
    page.js("location.reload()").await;
    page.click("Paste or open from Word").await;
    shown(&page, "Rock salt").await;
    let lesson = created(&page, &teacher).await;
    assert_eq!((&lesson["materials"], &lesson["safety"]), (&expected, &json!(["H₂O is hot."])));
    page.view("#/").await;
    page.click("Paste or open from Word").await;
    page.until("document.querySelector('dialog textarea')?.value === ''").await;
}

/// Drops a file onto the list.
async fn drop_file(page: &Page, name: &str, bytes: impl AsRef<[u8]>) {
    page.until("document.querySelector('.list .acts button.primary')").await;
    drop_file_on(page, ".list .head", name, bytes).await;
}

/// Drops a file onto an element.
pub async fn drop_file_on(page: &Page, selector: &str, name: &str, bytes: impl AsRef<[u8]>) {
    let script = format!(
        "const bytes = Uint8Array.from(atob({}), (character) => character.charCodeAt(0));
         const data = new DataTransfer(); data.items.add(new File([bytes], {}));
         const drop = new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }});
         document.querySelector({}).dispatchEvent(drop)",
        json!(STANDARD.encode(bytes)),
        json!(name),
        json!(selector)
    );
    page.js(&script).await;
}

#[tokio::test]
async fn pictures_of_a_dropped_word_document_appear_in_the_preview_and_in_the_new_lesson_and_on_its_sheet() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let lesson = [
        illustrated("p0", "The school", "Salt"),
        paragraph("Steps:"),
        paragraph("1. Pour."),
        illustrated("p1", "A funnel", "2. Filter."),
        illustrated("p2", "", "3. Dry."),
    ];
    let pictures: Vec<Vec<u8>> = [20, 30, 40].map(|side| png(side, side, [90, 9, 9, 255])).to_vec();
    drop_file(&page, "salt.docx", document(&lesson, &pictures)).await;
    let shown = "[...document.querySelectorAll('dialog .blocks img')].filter((image) => image.naturalWidth > 0)";
    page.until(&format!("{shown}.length === 3")).await;
    page.sees("Pour.").await;
    let looks = "const height = (selector) => document.querySelector(`dialog ${selector}`).offsetHeight;
        const gap = (one, next) => next.getBoundingClientRect().top - one.getBoundingClientRect().bottom;
        const [term, text] = document.querySelector('dialog .changes').children;
        return [height('.lesson') < 60, gap(term, text) < 10, document.querySelector('dialog').offsetWidth]";
    // The name of the file has its own line.
    assert_eq!(page.js(looks).await, json!([true, true, 1152]));
    // The logo of the school does not belong to the lesson.
    place(&page, "The school", "").await;
    page.until(&format!("{shown}.length === 3")).await;
    let lesson = created(&page, &teacher).await;
    page.sees("Describe 1 picture").await;
    page.saved().await;
    let path = format!("/api/investigation/{}", lesson["_id"].as_str().expect("an id"));
    let steps = teacher.get(&path).await.data()["steps"].clone();
    assert_eq!((&steps[0]["picture"], &steps[1]["picture"]["alt"]), (&Value::Null, &json!("A funnel")));
    assert_eq!((&steps[2]["picture"]["alt"], &lesson["pictures"]), (&json!(""), &Value::Null));
    assert_eq!(lesson["unplacedText"], Value::Null);
    let id = steps[1]["picture"]["id"].as_str().expect("an id");
    let sheet = teacher.get(&format!("{path}/sheet?for=pupils")).await.text;
    assert!(sheet.contains(&format!("pictures/{id}")), "{sheet}");
}

#[tokio::test]
async fn opened_sheet_keeps_its_pictures_but_not_the_code_of_its_link() {
    let (page, teacher, id) = Page::of_lesson(cress(), WIDE).await;
    let path = format!("/api/investigation/{id}");
    let picture = teacher.add_picture(&path, png(40, 30, [90, 9, 9, 255])).await;
    let shown = json!({"pictures": [{"id": picture, "alt": "Two saucers"}], "phenomenon": "Cress grows."});
    teacher.patch(&path, shown).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    let sheet = teacher.open(&format!("{path}/sheet?for=class&format=docx&link=class-5b/cress")).await;
    page.view("#/").await;
    drop_file(&page, "cress.docx", sheet.bytes().await.expect("a document")).await;
    page.until("document.querySelector('dialog .blocks img')").await;
    let lesson = created(&page, &teacher).await;
    page.saved().await;
    let made = teacher.get(&format!("/api/investigation/{}", lesson["_id"].as_str().expect("an id"))).await.data();
    let alts: Vec<&Value> = made["pictures"].as_array().into_iter().flatten().map(|picture| &picture["alt"]).collect();
    assert_eq!(alts, ["Two saucers"]);
}

#[tokio::test]
async fn dropped_file_is_previewed_before_anything_is_created() {
    let (page, teacher) = Page::of_service(WIDE).await;
    drop_file(&page, "salt.md", "# Salt\n## Safety\n- No tasting.").await;
    shown(&page, "No tasting.").await;
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 0);
    let lesson = created(&page, &teacher).await;
    assert_eq!((&lesson["title"], &lesson["safety"]), (&json!("Salt"), &json!(["No tasting."])));
}

#[tokio::test]
async fn unsupported_file_is_refused_with_the_reason() {
    let (page, _) = Page::of_service(WIDE).await;
    drop_file(&page, "salt.pdf", "%PDF-1.7").await;
    page.sees("This is a PDF; copy its text and paste it").await;
}

#[tokio::test]
async fn block_is_put_into_the_field_that_the_user_chooses_in_its_menu() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, "Cress\n\nTime: as long as it takes\n\nFrom home\n- soil\n- a jar\n\nHot water burns.").await;
    shown(&page, "a jar").await;
    place(&page, "soil", "materials").await;
    place(&page, "a jar", "materials").await;
    place(&page, "Hot water burns.", "safety").await;
    place(&page, "Time: as long as it takes", "durationMinutes").await;
    page.sees("Duration in minutes cannot hold this. It is not placed.").await;
    let lesson = created(&page, &teacher).await;
    assert_eq!(lesson["materials"], json!([{"name": "soil"}, {"name": "a jar"}]));
    assert_eq!(lesson["safety"], json!(["Hot water burns."]));
    assert_eq!(lesson["unplacedText"], "Time: as long as it takes\nFrom home");
}

#[tokio::test]
async fn chosen_fields_of_a_pasted_text_survive_a_reload_until_the_lesson_is_created() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, "Cress\n\nON THE BENCH\n- soil\n- a jar\n\nHot water burns.").await;
    shown(&page, "a jar").await;
    place(&page, "a jar", "safety").await;
    place(&page, "ON THE BENCH", "materials").await;
    page.press("\u{e00c}").await;
    page.sees("Your text is kept in this window").await;
    page.js("location.reload()").await;
    page.click("Paste or open from Word").await;
    page.sees("Sorted as you chose.").await;
    // The reason for a refusal is shown at the block, which may be far below.
    place(&page, "Hot water burns.", "durationMinutes").await;
    page.until("document.querySelector('dialog .blocks li:last-child > .fault')?.innerText.includes('not placed')")
        .await;
    let lesson = created(&page, &teacher).await;
    let expected = (&json!([{"name": "soil"}]), &json!(["a jar"]), &json!("Hot water burns."));
    assert_eq!((&lesson["materials"], &lesson["safety"], &lesson["unplacedText"]), expected);
}

#[tokio::test]
async fn field_chosen_for_a_heading_applies_to_the_lines_below_it() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, "Clay boats\n\nON THE BENCH\n- 80 g clay\n- a basin\n- wet hands\n\nTHE HOUR\n- Roll the clay.\n")
        .await;
    shown(&page, "a basin").await;
    place(&page, "wet hands", "safety").await;
    place(&page, "ON THE BENCH", "materials").await;
    place(&page, "THE HOUR", "steps").await;
    let entries = page.js("return [...document.querySelectorAll('dialog dd > ol > li')].length").await;
    assert_eq!(entries, 4);
    let lesson = created(&page, &teacher).await;
    let materials = json!([{"name": "clay", "quantity": 80, "unit": "g"}, {"name": "a basin"}]);
    assert_eq!((&lesson["materials"], &lesson["safety"]), (&materials, &json!(["wet hands"])));
    assert_eq!(lesson["steps"], json!([{"text": "Roll the clay."}]));
    assert_eq!(lesson["unplacedText"], Value::Null, "the headings chose a field");
}

#[tokio::test]
async fn pasted_text_stays_if_a_file_cannot_be_read() {
    let (page, _) = Page::of_service(WIDE).await;
    paste(&page, "Clay boats\n\nSafety\n- No running.").await;
    shown(&page, "No running.").await;
    drop_file_on(&page, "dialog textarea", "boats.docx", "PK\u{3}\u{4} damaged").await;
    page.sees("boats.docx was not opened. The file is damaged.").await;
    page.until("document.querySelector('dialog textarea').value.startsWith('Clay boats')").await;
    shown(&page, "No running.").await;
    drop_file_on(&page, "dialog textarea", "salt.md", "# Salt\n## Safety\n- No tasting.").await;
    shown(&page, "No tasting.").await;
    // The text and the choices are kept while the window is open.
    page.press("\u{e00c}").await;
    page.sees("Your file is kept in this window").await;
    page.click("Paste or open from Word").await;
    shown(&page, "No tasting.").await;
    page.click("Go back to the pasted text").await;
    shown(&page, "No running.").await;
}

/// A text without headings, which only an assistant can sort.
const STORY: &str = "Cress in the dark\n\nWe sow 40 cress seeds on two saucers.\n\nThen one goes under a box.\n\n\
    Mrs. Adams has the key to the cupboard.";

#[tokio::test]
async fn assistant_sorts_a_pasted_text_only_on_request() {
    let places = json!({"places": [{"field": "title", "blocks": ["b1"]}, {"field": "steps", "blocks": ["b2", "b3"]}]});
    let (model, app, teacher) = start(move |question| match question.kind {
        "split" => Answer::Says(places.clone()),
        _ => Answer::Refuses(418),
    })
    .await;
    let page = Page::of(&app, WIDE).await;
    paste(&page, STORY).await;
    page.sees("Sorted by its headings.").await;
    assert_eq!(model.count("split"), 0);
    page.click("Let the assistant sort it").await;
    page.sees("Sorted by the assistant, in your words.").await;
    // The user can move a block to another field. The other blocks stay where the assistant has put them.
    place(&page, "Mrs. Adams has the key to the cupboard.", "safety").await;
    let lesson = created(&page, &teacher).await;
    let steps = json!([{"text": "We sow 40 cress seeds on two saucers."}, {"text": "Then one goes under a box."}]);
    assert_eq!((&lesson["title"], &lesson["steps"]), (&json!("Cress in the dark"), &steps));
    assert_eq!(lesson["safety"], json!(["Mrs. Adams has the key to the cupboard."]));
    assert_eq!((&lesson["unplacedText"], model.count("split")), (&Value::Null, 1));
}

#[tokio::test]
async fn pasted_text_is_split_into_fields_by_its_headings_if_the_assistant_fails() {
    let (_model, app, teacher) = start(|_| Answer::Refuses(418)).await;
    let page = Page::of(&app, WIDE).await;
    paste(&page, LESSON).await;
    shown(&page, "Fill the jars.").await;
    page.click("Let the assistant sort it").await;
    page.sees("The assistant could not sort this").await;
    let lesson = created(&page, &teacher).await;
    assert_eq!(lesson["steps"], json!([{"text": "Fill the jars.", "minutes": 10}, {"text": "Wait."}]));
}

#[tokio::test]
async fn assistant_is_not_offered_without_a_language_model() {
    let (page, _) = Page::of_service(WIDE).await;
    paste(&page, LESSON).await;
    shown(&page, "Fill the jars.").await;
    assert_eq!(page.js("return document.querySelector('dialog').innerText.includes('assistant')").await, false);
}

#[tokio::test]
async fn text_with_only_headings_creates_no_lesson() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, "Materials:\n\nSteps:").await;
    shown(&page, "Materials").await;
    page.click("Create the lesson").await;
    page.sees("No lesson was created: none of your text is in a field.").await;
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 0);
    page.click("Paste or open from Word").await;
    page.until("document.querySelector('dialog textarea').value.startsWith('Materials')").await;
}

#[tokio::test]
async fn author_can_undo_a_whole_lesson_pasted_into_the_title_or_sort_its_text_into_the_fields() {
    let (page, teacher) = Page::of_service(WIDE).await;
    page.click("New lesson").await;
    page.until("document.activeElement.dataset.path === 'title'").await;
    let give = "const data = new DataTransfer();
        data.setData('text/plain', 'Salt\\nSafety:\\n- No tasting.\\n- Goggles on.');
        const pasted = { clipboardData: data, bubbles: true, cancelable: true };
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', pasted))";
    let title = "document.querySelector('[data-path=title]').value";
    page.js(give).await;
    page.click("Put it into the title").await;
    page.until(&format!("{title} === 'Salt Safety: - No tasting. - Goggles on.'")).await;
    page.chord(&['\u{e009}'], 'z').await;
    page.until(&format!("{title} === ''")).await;
    page.js(give).await;
    page.click("Sort it").await;
    shown(&page, "No tasting.").await;
    page.click("Create the lesson").await;
    page.sees("Created from your text.").await;
    let lesson = created_here(&page, &teacher).await;
    assert_eq!((&lesson["title"], &lesson["safety"]), (&json!("Salt"), &json!(["No tasting.", "Goggles on."])));
}
