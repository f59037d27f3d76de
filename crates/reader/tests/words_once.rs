//! Every word of a document is either in a field or in an unplaced block, exactly once.

use std::collections::BTreeMap;

use fieldbook_reader::{Block, Filled, Kind, Places, Source, fill, read};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{FIELDS, filled};

type Words = BTreeMap<String, i64>;

fn count(words: &mut Words, text: &str, by: i64) {
    for word in text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *words.entry(word.to_lowercase()).or_default() += by;
    }
}

fn count_value(words: &mut Words, key: &str, value: &Value) {
    match value {
        // The numbers that were parsed from texts. The service lists these texts as dropped.
        _ if matches!(key, "durationMinutes" | "groupSize" | "minutes") => {}
        Value::Array(elements) => elements.iter().for_each(|element| count_value(words, key, element)),
        Value::Object(members) => members.iter().for_each(|(key, member)| count_value(words, key, member)),
        Value::String(text) => count(words, text, -1),
        other => count(words, &other.to_string(), -1),
    }
}

/// Returns for each word how often it is in the blocks, minus how often it is in the lesson, the unplaced blocks, the
/// captions and the dropped texts.
fn balance(filled: &Filled) -> Words {
    let mut words = Words::new();
    for block in &filled.blocks {
        count(&mut words, &block.text, 1);
        if filled.not_placed.contains(&block.id) {
            count(&mut words, &block.text, -1);
        }
    }
    count_value(&mut words, "", &Value::Object(filled.content.clone()));
    filled.captions.values().for_each(|text| count(&mut words, text, -1));
    filled.dropped.iter().for_each(|text| count(&mut words, text, -1));
    words.retain(|_, count| *count != 0);
    words
}

/// The largest list number in [`LINES`].
const MARKS: usize = 2;

fn is_answers(text: &str) -> bool {
    ["answers", "solutions:", "réponses attendues"].iter().any(|name| text.to_lowercase().contains(name))
}

/// Returns true if a word may be in the lesson more often than in the document: a word of a label that is copied to
/// each material below, or the number of a question or an answer.
fn is_repeated(filled: &Filled, word: &str) -> bool {
    if let Ok(number) = word.parse::<usize>() {
        let is_over_answers = |block: &Block| block.field.as_deref() == Some("assessment") && is_answers(&block.text);
        let items = filled.blocks.iter().filter(|block| block.kind == Kind::Item).count();
        if filled.blocks.iter().any(is_over_answers) && (1..=items.max(MARKS)).contains(&number) {
            return true;
        }
    }
    let has = |material: &&Value| {
        let text = ["notes", "name"].iter().filter_map(|key| material.get(*key)?.as_str());
        text.flat_map(|text| text.split(|character: char| !character.is_alphanumeric()))
            .any(|part| part.to_lowercase() == word)
    };
    filled
        .content
        .get("materials")
        .and_then(Value::as_array)
        .is_some_and(|materials| materials.iter().filter(has).count() > 1)
}

/// Checks that each dropped text is a heading, a table header or the repeated title, or is as short as a label, a list
/// mark or a time.
fn check_dropped(filled: &Filled) {
    const MAX_WORDS: usize = 8;
    let is_head = |text: &String| {
        let mut blocks = filled.blocks.iter().filter(|block| block.field.is_some() && block.text == *text);
        blocks.any(|block| matches!(block.kind, Kind::Heading | Kind::Row))
    };
    let is_title = |text: &String| filled.content.get("title").and_then(Value::as_str) == Some(text);
    for text in &filled.dropped {
        assert!(
            is_head(text) || is_title(text) || text.split_whitespace().count() <= MAX_WORDS,
            "{text:?}\n{filled:#?}"
        );
    }
}

fn check(text: &str) {
    let document = read(Source::Text(text)).expect("a short text is read");
    let lesson = filled(&document);
    check_dropped(&lesson);
    let unbalanced = balance(&lesson).into_iter().filter(|(word, count)| *count > 0 || !is_repeated(&lesson, word));
    assert_eq!(unbalanced.collect::<Vec<_>>(), [], "{text:?}\n{lesson:#?}");
    // The blocks contain every word of the text except list numbers, bullets and repeated page headers.
    let mut words = Words::new();
    count(&mut words, text, 1);
    document.blocks.iter().for_each(|block| count(&mut words, &block.text, -1));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    // The initial of a name is not a list letter.
    let is_initial = |word: &str| word == "h" && lines.contains(&"H. Marlow");
    let is_explained = |word: &str, count: i64| {
        let begins = |line: &&&str| {
            let first = line.split(|character: char| !character.is_alphanumeric()).find(|first| !first.is_empty());
            first.is_some_and(|first| first.to_lowercase() == word)
        };
        let is_mark = word.chars().count() <= 4
            && (word.parse::<u32>().is_ok()
                || word.chars().count() == 1 && !is_initial(word)
                || word.chars().all(|character| "ivx".contains(character)))
            && count <= lines.iter().filter(begins).count() as i64;
        let repeats = lines
            .iter()
            .filter(|line| lines.iter().filter(|other| other == line).count() > 1 && line.to_lowercase().contains(word))
            .count();
        count > 0 && (is_mark || repeats > 1)
    };
    let missing: Vec<_> =
        words.into_iter().filter(|(word, count)| *count != 0 && !is_explained(word, *count)).collect();
    assert_eq!(missing, [], "{text:?}\n{:#?}", document.blocks);
}

const LINES: [&str; 91] = [
    "Materials",
    "Materials:",
    "1. Materials",
    "II. PROCEDURE",
    "Safety",
    "Steps",
    "Objectives",
    "Vocabulary",
    "Variables",
    "Assessment",
    "Homework",
    "Starter (5 minutes)",
    "Plenary",
    "Step 1",
    "A. Motivation (5 minutes)",
    "Du brauchst:",
    "So geht’s:",
    "Durchführung",
    "Matériel",
    "Déroulement",
    "Materiales",
    "Procedimiento",
    "المواد",
    "For the teacher:",
    "Students will be able to:",
    "Title: Salt",
    "Topic: Salt and water",
    "Lesson plan",
    "Grade: 5",
    "Year 7 | 60 minutes | groups of 3",
    "Time: 1 hour, then more",
    "Class: 7  Time: 2 x 45 min",
    "in pairs",
    "Group size: 3-4",
    "- 10 g salt",
    "- 2 beakers (large)",
    "• 250 ml flask x 2",
    "   o stir",
    "   a) heat gently",
    "1. Pour the water. (5 min)",
    "2. 10 min: Stir.",
    "3 Stir it",
    "1 Pour it",
    "solute: what dissolves",
    "solvent – a liquid",
    "Independent variable: length",
    "Control: mass; angle",
    "Item\tQuantity\tNotes",
    "Salt\t1,000 g\tcrushed",
    "Time\tTeacher\tPupils",
    "5 min\tShows.\tWatch.",
    "nails, wire (2 m), 2 cells (1.5 V).",
    "Why does it dissolve?",
    "Wear goggles at all times and keep the flames away from everything that",
    "burns easily.",
    "Safety: keep away",
    "Activity: tug of war",
    "Page 2",
    "Page 2 of 3",
    "2 Procedure",
    "3 Materials (per group of 4)",
    "Day 2 (20 min)",
    "Support: cards",
    "HA: two layers",
    "Item\tPer group of 4\tNotes",
    "© 2018 School board",
    "………………",
    "Grade: 5 Difficulty: Easy Total Time: 40 minutes",
    "They have done graphs. Aim: they find out more. Homework: read on.",
    "⚠ The lamp is hot",
    "Class\tTime\tGroups",
    "7b\t60 min\t3",
    "7b | 60 min | 3",
    "By Ms Khan, Year 8, May 2024",
    "Chemie 9b, Frau Lutz",
    "H. Marlow",
    "Teacher: H. Newton",
    "Answers",
    "Solutions:",
    "Réponses attendues : une, deux",
    "Materials (per group)",
    "Material (je Zweiergruppe)",
    "Item\tQuantity per pair",
    "Lesson 2",
    "Things on the bench",
    "Group size: groups of 3, max. 30 pupils",
    "- pipettes, 3 per group",
    "- 1 grape, 1 small cork, 1 metal nut (M6)",
    "Vermutungen.",
    "",
    "",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_word_of_a_lesson_is_put_into_a_field_or_listed_as_unplaced(
        places in prop::collection::vec(0..LINES.len(), 0..30),
    ) {
        let lines: Vec<&str> = places.into_iter().map(|place| LINES[place]).collect();
        check(&lines.join("\n"));
    }

    #[test]
    fn every_word_of_a_lesson_whose_fields_a_caller_chose_is_put_into_a_field_or_listed_as_unplaced(
        lines in prop::collection::vec(0..LINES.len(), 0..12),
        places in prop::collection::vec((0..6_usize, prop::bool::ANY), 12),
    ) {
        const FORMS: [&str; 6] = ["materials", "steps", "objectives", "assessment", "vocabulary", "title"];
        let lines: Vec<&str> = lines.into_iter().map(|place| LINES[place]).collect();
        let mut document = read(Source::Text(&lines.join("\n"))).expect("a short text is read");
        let fields = (1..).zip(&places).map(|(id, (name, _))| (FORMS[*name].to_owned(), vec![format!("b{id}")]));
        let labels = (1..).zip(&places).filter(|(_, (_, is))| *is).map(|(id, _)| format!("b{id}")).collect();
        let choices = Places::of(fields, labels).apply(&mut document);
        let lesson = fill(&document, &choices, &FIELDS, &|_| Vec::new());
        let unbalanced: Vec<_> = balance(&lesson).into_iter().filter(|(word, count)| *count > 0 || !is_repeated(&lesson, word)).collect();
        check_dropped(&lesson);
        prop_assert_eq!(unbalanced, [], "{:#?}", lesson);
    }

    #[test]
    fn every_word_of_any_text_is_put_into_a_field_or_listed_as_unplaced(
        text in "[a-zA-Z0-9äÉß ×½.,:;!?()–•·/'\t\n-]{0,300}",
    ) {
        // A word that was hyphenated at the end of a line is joined, which changes the words.
        let lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches(|character: char| character == '-' || character.is_whitespace())).collect();
        check(&lines.join("\n"));
    }

    #[test]
    fn text_with_random_markup_is_read_without_losing_or_duplicating_a_word(
        places in prop::collection::vec(0..LINES.len(), 0..8),
        signs in prop::collection::vec("[#*|<>/ _=&;\\[\\]`~a-z-]{0,12}", 8),
    ) {
        let lines: Vec<String> = places.iter().zip(&signs).map(|(place, sign)| format!("{sign}{}", LINES[*place])).collect();
        let page: String = lines.iter().map(|line| format!("<{line}</p><li>{line}<h2>{line}</h2><td>{line}")).collect();
        for source in [Source::Text(&lines.join("\n")), Source::Html(&page)] {
            let lesson = filled(&read(source).expect("a short text is read"));
            let unbalanced: Vec<_> = balance(&lesson).into_iter().filter(|(word, count)| *count > 0 || !is_repeated(&lesson, word)).collect();
            prop_assert_eq!(unbalanced, [], "{:?}", source);
        }
    }
}
