//! How a pasted text is split into parts, and what the user sees of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::pasting::{created, fill, paste};
use crate::support::browser::{Page, WIDE};

/// Defines `placedOf`, which splits a text by its headings.
const READER: &str = "Promise.all([import('/ui/lesson_text.js'), import('/ui/schema.js'), import('/ui/api.js')]).then(
    async ([{ partsOf, placed }, { fields }, { schema }]) => {
        const root = await schema();
        const all = fields(root, {});
        window.placedOf = (text) => placed(partsOf(text, all), all, root);
    })";

/// Returns the content of a text, and the lines that are not placed.
async fn placed(page: &Page, text: &str) -> (Value, Value) {
    page.js(READER).await;
    page.until("window.placedOf").await;
    let found =
        page.js(&format!("const {{ content, rest }} = placedOf({}); return [content, rest]", json!(text))).await;
    (found[0].clone(), found[1].clone())
}

#[tokio::test]
async fn a_group_size_is_read_if_it_is_one_number_and_stays_in_sight_otherwise() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, "Tea\nGroups of 3 to 4\n\nMaterials:\n- cup").await;
    page.until("document.querySelector('dialog dl').innerText.includes('Groups of 3 to 4')").await;
    let lesson = created(&page, &teacher).await;
    assert_eq!((&lesson["groupSize"], &lesson["unplacedText"]), (&Value::Null, &json!("Groups of 3 to 4")));
    let (content, rest) = placed(&page, "Tea\nGroups of 3\n\nMaterials:\n- cup").await;
    assert_eq!(content, json!({"title": "Tea", "groupSize": 3, "materials": [{"name": "cup"}]}));
    assert_eq!(rest, json!([]));
    assert_eq!(placed(&page, "Tea\nGroups of four").await.1, json!(["Groups of four"]));
    assert_eq!(placed(&page, "Tea\nMaterials:\nSteps:\n1. Pour.").await.1, json!(["Materials:"]));
}

/// Lines of generated texts, each with the words that a reader turns into a field, a number or a place in a list.
/// `*` stands for a new word.
const LINES: [(&str, &str); 50] = [
    ("Materials:", "materials"),
    ("**Materials**", "materials"),
    ("What you need per group", "what you need per group"),
    ("What you need from * *", ""),
    ("From the *", ""),
    ("Steps", "steps"),
    ("Steps for *:", ""),
    ("## What we do", "what we do"),
    ("Groups of 3", "groups of"),
    ("Groups of 3 to 4", ""),
    ("Groups of four", ""),
    ("Groups of *", ""),
    ("Group size: 4", "group size"),
    ("Group size: 4 *", ""),
    ("Time: 45 min", "time min"),
    ("Time: 45 min for *", ""),
    ("Time needed: one * lesson (80 minutes)", ""),
    ("Duration 80 min", "duration min"),
    ("Class 6c", "class"),
    ("Grade: 5", "grade"),
    ("Title: *", "title"),
    ("Variables:", "variables"),
    ("Fair test", "fair test"),
    ("Change: *", "change"),
    ("Keep the same: *, *", "keep the same"),
    ("Keep safe!", "keep safe"),
    ("Safety: *", "safety"),
    ("Our prediction", "our prediction"),
    ("Differentiation", ""),
    ("How will I know they got it?", "how will i know they got it"),
    ("New words", "new words"),
    ("* – *", ""),
    ("*: * *", ""),
    ("For next time: bring *.", ""),
    ("- *", ""),
    ("- 1 *", ""),
    ("- 3 * *", ""),
    ("- * (6)", ""),
    ("- * x 4", "x"),
    ("- 250 g of *", "of"),
    ("- *, 200 ml", ""),
    ("1. Put * down. (5 min)", "1 min"),
    ("2. * 10'", "2"),
    ("3) Rest (1h 20)", "3 1h 20"),
    ("  and *", ""),
    ("and *", ""),
    ("Then * is * to *.", ""),
    ("*", ""),
    ("---", ""),
    ("", ""),
];

/// Returns how often each word occurs, whatever its case.
fn counts(text: &str) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *all.entry(word.to_lowercase()).or_default() += 1;
    }
    all
}

/// Returns a text made of [`LINES`], and the words that need not occur in its lesson.
fn generated(next: &mut impl FnMut(usize) -> usize) -> (String, String) {
    let (mut text, mut read) = ("Tea\n".to_owned(), String::new());
    for _ in 0..next(14) {
        let (line, words) = LINES[next(LINES.len())];
        let new = |next: &mut dyn FnMut(usize) -> usize| -> String {
            let letters: String =
                (0..6).map(|_| char::from(b'a' + u8::try_from(next(26)).expect("a letter"))).collect();
            if next(2) == 0 { format!("Q{letters}") } else { format!("q{letters}") }
        };
        for part in line.split_inclusive('*') {
            match part.strip_suffix('*') {
                Some(before) if !line.starts_with("**") => text.extend([before, &new(next)]),
                _ => text.push_str(part),
            }
        }
        text.push('\n');
        read.extend([words, " "]);
    }
    (text, read)
}

#[tokio::test]
async fn every_word_of_a_text_is_in_the_lesson_or_not_placed() {
    let (page, _) = Page::of_service(WIDE).await;
    let mut state: u64 = 5;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("a number") % below
    };
    let texts: Vec<(String, String)> = (0..2000).map(|_| generated(&mut next)).collect();
    let all: Vec<&String> = texts.iter().map(|(text, _)| text).collect();
    page.js(READER).await;
    page.until("window.placedOf").await;
    let values = "const words = (value) => typeof value === 'object' ? Object.values(value).map(words).join(' ') : String(value);";
    let found = page
        .js(&format!(
            "{values} return {}.map((text) => {{
        const {{ content, rest }} = placedOf(text); return words([content, rest]); }})",
            json!(all)
        ))
        .await;
    for ((text, read), found) in texts.iter().zip(found.as_array().expect("results")) {
        let (found, read) = (counts(found.as_str().expect("words")), counts(read));
        for (word, count) in counts(text) {
            let least = count.saturating_sub(read.get(&word).copied().unwrap_or(0));
            assert!(found.get(&word).copied().unwrap_or(0) >= least, "{word} is lost in\n{text}\n{found:?}");
        }
    }
}

#[tokio::test]
async fn a_line_without_a_bullet_ends_a_list_and_more_headings_are_known() {
    let (page, _) = Page::of_service(WIDE).await;
    let text = "Tea\nMaterials\n- sugar cubes\n  from the kitchen\n- a cup\nFair test\nChange: heat\nMeasure: time\n\
        Keep the same: cup, water\nHow will I know they got it?\n- They tell.\nKeep safe!\n- No tasting.\n\
        Our prediction\nSugar melts.\n\nSteps\n1. Pour.\nTell them why.\n2. Stir.\nDifferentiation\nHand out cards.";
    let (content, rest) = placed(&page, text).await;
    let expected = json!({
        "title": "Tea", "materials": [{"name": "sugar cubes from the kitchen"}, {"name": "a cup"}],
        "variables": {"independent": "heat", "dependent": "time", "controlled": ["cup", "water"]},
        "assessment": "- They tell.", "safety": ["No tasting."], "hypothesis": "Sugar melts.",
        "steps": [{"text": "Pour."}, {"text": "Stir."}],
    });
    assert_eq!(content, expected);
    assert_eq!(rest, json!(["Tell them why.", "Differentiation", "Hand out cards."]));
}

#[tokio::test]
async fn a_field_takes_the_only_number_of_a_text_or_says_what_it_needs() {
    let (page, _) = Page::of_service(WIDE).await;
    let minutes = async |text: &str| placed(&page, text).await.0["durationMinutes"].clone();
    for text in ["Time needed: one double lesson (80 minutes)", "Duration 80 min", "Time: 1h 20", "Time: 2 x 40"] {
        assert_eq!(minutes(&format!("Tea\n{text}")).await, 80, "{text}");
    }
    assert_eq!(minutes("Tea\nTime: 2 lessons").await, Value::Null);
    paste(&page, "Tea\nTime: as long as it takes\n\nVariables:\nWe stir the tea.\nGroup size: 3 or 4").await;
    page.sees("Duration in minutes needs a whole number of minutes.").await;
    page.sees("Variables needs lines such as “Independent variable: …”.").await;
    fill(&page, "Tea\nGroup size: 3 or 4\nClass 5\nGrade: 6").await;
    page.sees("Group size needs one whole number.").await;
    page.sees("Grade has a value already.").await;
}

#[tokio::test]
async fn a_part_is_split_at_the_cursor_and_its_heading_is_left_out_where_it_is_placed() {
    let (page, teacher) = Page::of_service(WIDE).await;
    let place = async |begins: &str, field: &str| {
        let menu = format!(
            "[...document.querySelectorAll('dialog select')].find((menu) => menu.ariaLabel.endsWith({}))",
            json!(begins)
        );
        page.until(&menu).await;
        page.js(&format!("const menu = {menu}; menu.value = '{field}'; menu.dispatchEvent(new Event('change'))")).await;
    };
    paste(&page, "Tea\n\nAt the end:\nThey draw a cup. Hot water burns.").await;
    let low = page.js("return document.querySelector('dialog textarea').offsetHeight").await;
    page.js("const box = document.querySelector('dialog textarea'); box.setSelectionRange(...Array(2).fill(box.value.indexOf('Hot')))").await;
    page.click("Split here").await;
    place("At the end:", "assessment").await;
    place("Hot water burns.", "safety").await;
    page.until("document.querySelector('dialog dl').innerText.includes('They draw a cup.')").await;
    let lesson = created(&page, &teacher).await;
    assert_eq!(lesson["assessment"], "They draw a cup.");
    assert_eq!((&lesson["safety"], &lesson["unplacedText"]), (&json!(["Hot water burns."]), &Value::Null));
    page.view("#/").await;
    paste(&page, &"A line.\n".repeat(18)).await;
    page.until(&format!("document.querySelector('dialog textarea').offsetHeight > 1.5 * {low}")).await;
}

#[tokio::test]
async fn a_text_of_headings_alone_makes_no_lesson() {
    let (page, teacher) = Page::of_service(WIDE).await;
    paste(&page, "Materials:\n\nSteps:").await;
    page.click("Create the lesson").await;
    page.sees("No lesson was created: your text has headings only.").await;
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 0);
    page.click("Paste a lesson").await;
    page.until("document.querySelector('dialog textarea').value.startsWith('Materials')").await;
}
