//! Blocks whose fields were chosen by the caller.

use fieldbook_reader::{Filled, Places, Source, fill, read};
use serde_json::json;

use crate::support::{FIELDS, content, docx, html, left, paragraph, read_docx};

fn placed(text: &str, places: &str) -> Filled {
    let mut document = read(Source::Text(text)).unwrap();
    let choices = Places::parse(places).unwrap().apply(&mut document);
    fill(&document, &choices, &FIELDS, &|_| Vec::new())
}

const LESSON: &str = "Clay boats\n\nOn the bench\n- 80 g clay\n- a basin\n\nFor the teacher\n- a kettle\n\nThe hour\n\
    1. Roll the clay.\n2. Make a boat.\n\nAnd then\n1. Load it.\n";

#[test]
fn block_chosen_as_a_label_is_left_out_of_the_field_below_it() {
    let lesson = placed(LESSON, "materials:3-6;steps:8-12;*:2,7,10");
    let materials = json!([{"name": "clay", "quantity": 80, "unit": "g"}, {"name": "a basin"}, {"name": "a kettle", "notes": "For the teacher"}]);
    let steps = json!([{"text": "Roll the clay."}, {"text": "Make a boat."}, {"text": "Load it."}]);
    assert_eq!(content(&lesson), json!({"materials": materials, "steps": steps}));
    assert_eq!(left(&lesson), ["Clay boats"]);
    let labels: Vec<_> = lesson.blocks.iter().filter(|block| block.label).map(|block| block.text.as_str()).collect();
    assert_eq!(labels, ["On the bench", "The hour", "And then"]);
}

#[test]
fn caption_assigned_to_another_field_than_its_picture_is_ordinary_text() {
    let picture = r#"<w:p><w:r><w:drawing><wp:docPr descr=""/><a:blip r:embed="rId4"/></w:drawing></w:r></w:p>"#;
    let lines = ["Roll the clay.", "Fig. 1 Wet hands slip."].map(paragraph);
    let document = read_docx(&docx(&[lines[0].as_str(), picture, lines[1].as_str()].concat())).unwrap();
    let lesson = |places: &str| {
        let mut document = document.clone();
        let choices = Places::parse(places).unwrap().apply(&mut document);
        fill(&document, &choices, &FIELDS, &|_| Vec::new())
    };
    let step = json!([{"text": "Roll the clay."}]);
    let caption = "Fig. 1 Wet hands slip.";
    for (places, expected, captions, unplaced) in [
        ("steps:1-3", json!({"steps": step}), vec![caption], vec![]),
        ("steps:1;pictures:2-3", json!({"steps": step}), vec![caption], vec![]),
        ("steps:1-2;safety:3", json!({"steps": step, "safety": [caption]}), vec![], vec![]),
        ("steps:1,3;pictures:2", json!({"steps": [step[0], {"text": caption}]}), vec![], vec![]),
        ("steps:1-2", json!({"steps": step}), vec![], vec![caption]),
        ("objectives:1-3", json!({"objectives": ["Roll the clay.", caption]}), vec![], vec![]),
    ] {
        let lesson = lesson(places);
        let found: Vec<_> = lesson.captions.values().map(String::as_str).collect();
        // The block of the picture has an empty text, which is not a lost word.
        let texts: Vec<_> = left(&lesson).into_iter().filter(|text| !text.is_empty()).collect();
        assert_eq!((content(&lesson), found, texts), (expected, captions, unplaced), "{places}");
    }
}

#[test]
fn block_chosen_as_a_label_becomes_content_of_its_field_if_no_block_is_below_it() {
    let lesson = placed("Clay boats\n\nMind the water\n\nThe hour\n- Roll.\n", "safety:2;steps:4;*:2,3");
    assert_eq!(content(&lesson), json!({"safety": ["Mind the water"], "steps": [{"text": "Roll."}]}));
    let words = "one two three four five six seven eight nine";
    let lesson = placed(&format!("{words}\n- Roll.\n"), "steps:1-2;*:1");
    assert!(content(&lesson).to_string().contains(words));
}

#[test]
fn line_that_introduces_a_list_is_not_an_entry_of_the_list() {
    let lesson = placed("Pupils will be able to:\n- float a boat\n- load it\n", "objectives:1-3");
    assert_eq!(content(&lesson), json!({"objectives": ["float a boat", "load it"]}));
}

#[test]
fn heading_such_as_lesson_1_that_is_chosen_as_a_label_is_prepended_to_the_first_step_below_it() {
    let lesson = placed(
        "Clay boats\n\nLesson 1\n1. Roll the clay.\n2. Dry it.\n\nLesson 2\n1. Load the boat.\n",
        "steps:2-6;*:2,5",
    );
    let steps =
        json!([{"text": "Lesson 1: Roll the clay."}, {"text": "Dry it."}, {"text": "Lesson 2: Load the boat."}]);
    assert_eq!((content(&lesson), left(&lesson)), (json!({"steps": steps}), vec!["Clay boats"]));
}

#[test]
fn block_chosen_as_a_label_is_not_read_as_a_heading_of_another_field() {
    let lesson = placed("Clay boats\n\nHypothesis\n1. Roll.\n2. Load.\n", "steps:2-4;*:2");
    assert_eq!(content(&lesson), json!({"steps": [{"text": "Roll."}, {"text": "Load."}]}));
    let label = &lesson.blocks[1];
    assert_eq!((left(&lesson), label.field.as_deref(), label.label), (vec!["Clay boats"], Some("steps"), true));
}

#[test]
fn heading_with_extra_words_is_listed_as_unplaced_unless_chosen_as_a_label() {
    let text = "Clay boats\n\nMaterials (per bench)\n- clay\n";
    assert_eq!(left(&placed(text, "materials:2-3")), ["Clay boats", "Materials (per bench)"]);
    assert_eq!(left(&placed(text, "materials:2-3;*:2")), ["Clay boats"]);
}

#[test]
fn heading_includes_the_blocks_below_it_up_to_the_next_heading_or_label() {
    let below = |lesson: &Filled| {
        let headings = lesson.blocks.iter().filter(|block| block.below > 0);
        headings.map(|block| (block.text.clone(), block.below)).collect::<Vec<_>>()
    };
    let page = "<h1>Boats</h1><h2>Our talk</h2><p>Which boat sinks?</p><h3>In pairs</h3><p>Tell why.</p><h3>Safety</h3><p>Dry the floor.</p>\
                <h2>One more thing</h2><p>Draw it.</p><p>Homework: Find a boat.</p><p>See you.</p><footer><p>Our school</p></footer>";
    let expected = [("Boats", 4), ("Our talk", 3), ("In pairs", 1), ("Safety", 1), ("One more thing", 1)];
    assert_eq!(below(&html(page)), expected.map(|(text, count)| (text.to_owned(), count)));
}
