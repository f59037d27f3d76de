//! The parts of a pasted text are placed in fields: nothing is added, and nothing is lost.

use std::collections::HashMap;

use fieldbook::domain::content::{Content, for_each_leaf};
use fieldbook::domain::placement::{Placed, place};
use fieldbook::domain::schema::{BUILT_IN, Schema};
use proptest::prelude::*;
use serde_json::{Value, json};

fn content(value: &Value) -> Content {
    value.as_object().cloned().expect("an object")
}

fn placed(text: &str, proposed: &Value, headings: &[&str]) -> Placed {
    let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
    place(text, content(proposed), &headings, &Schema::parse(BUILT_IN).expect("a schema"))
}

fn unplaced(text: &str, proposed: &Value, headings: &[&str]) -> Vec<String> {
    placed(text, proposed, headings).unplaced
}

#[test]
fn a_heading_counts_as_placed_only_above_or_before_what_is_placed() {
    let text = "Materials\n- soil\n\nSafety\nDo not drink it.\n\nNot allowed: soil";
    let soil = json!({"materials": [{"name": "soil"}]});
    assert_eq!(unplaced(text, &soil, &["Materials", "Safety"]), ["Safety", "Do not drink it.", "Not allowed: soil"]);
    assert_eq!(unplaced("Title: Cress", &json!({"title": "Cress"}), &["Title:"]), [""; 0]);
    assert_eq!(unplaced("Title: Cress", &json!({"title": "Cress"}), &[]), ["Title: Cress"]);
}

#[test]
fn a_rule_that_the_model_calls_a_heading_stays() {
    for rule in ["Never taste anything", "Do not drink it.", "no flames"] {
        let text = format!("Safety\n{rule}\nWear goggles.");
        let goggles = json!({"safety": ["Wear goggles."]});
        assert_eq!(unplaced(&text, &goggles, &["Safety", rule]), ["Safety", rule]);
    }
    let goggles = json!({"safety": ["Wear goggles."]});
    assert_eq!(unplaced("Safety\nWear goggles.", &goggles, &["Safety"]), [""; 0]);
}

#[test]
fn a_number_takes_an_occurrence_of_its_own_in_a_line_of_its_text() {
    let text = "Ramps\nPage 3 of 9\nRoll the car.\n1) Measure. 5 min";
    let steps = json!({"steps": [{"text": "Roll the car.", "minutes": 9}, {"text": "Measure.", "minutes": 1}]});
    let split = placed(text, &steps, &["Ramps"]);
    assert_eq!(split.content["steps"], json!([{"text": "Roll the car."}, {"text": "Measure."}]));
    assert_eq!(split.unplaced, ["Ramps", "Page 3 of 9", "5 min"]);
    let two = json!({"materials": [{"name": "pot", "quantity": 1}, {"name": "tape", "quantity": 1}]});
    let once = placed("a pot\n1 roll of tape", &two, &[]).content;
    assert_eq!(once["materials"], json!([{"name": "pot"}, {"name": "tape", "quantity": 1}]));
}

#[test]
fn a_number_of_the_whole_lesson_stands_in_the_line_with_least_else() {
    let text = "Teams of 4\nNote: the 4-H office lends meters.";
    let split = placed(text, &json!({"groupSize": 4, "assessment": "lends meters."}), &[]);
    assert_eq!(split.content["groupSize"], 4);
    assert_eq!(split.unplaced, ["Teams of 4", "Note: the 4-H office lends meters."]);
}

#[test]
fn no_word_beside_a_number_vanishes_except_words_of_titles() {
    for line in ["Time: 2 hours", "Groups of 2 never", "2 chemistry lessons"] {
        assert_eq!(unplaced(line, &json!({"durationMinutes": 2}), &["Time:"]), [line]);
    }
    for line in ["Time: 2 min", "Duration 2 minutes"] {
        assert_eq!(unplaced(line, &json!({"durationMinutes": 2}), &["Time:"]), [""; 0]);
    }
}

#[test]
fn digits_are_found_beside_units_and_with_commas() {
    let text = "200ml water\n1,000 g sand\n0,5 l oil";
    let all = json!({"materials": [
        {"name": "water", "quantity": 200, "unit": "ml"},
        {"name": "sand", "quantity": 1000, "unit": "g"},
        {"name": "oil", "quantity": 0.5, "unit": "l"},
    ]});
    assert_eq!(placed(text, &all, &[]), Placed { content: content(&all), unplaced: Vec::new() });
}

#[test]
fn slips_of_a_model_do_not_matter_because_the_words_of_the_text_are_stored() {
    let text = "CRESS\ndon’t add 5-8 seeds\n50 min";
    let slips = json!({"title": "Cress.", "assessment": "Don't add 5–8 seeds.", "durationMinutes": "50"});
    let own = json!({"title": "CRESS", "assessment": "don’t add 5-8 seeds", "durationMinutes": 50});
    assert_eq!(placed(text, &slips, &[]), Placed { content: content(&own), unplaced: Vec::new() });
}

#[test]
fn what_is_not_placed_comes_back_in_whole_sentences() {
    let text = "1. Sow 20 seeds at 12:30 (15 min)\nFirst, wait. Ask Ms Miller. (See page 3.)";
    let sow = json!({"steps": [{"text": "Sow", "minutes": 15}, {"text": "First, wait."}]});
    assert_eq!(unplaced(text, &sow, &[]), ["Sow 20 seeds at 12:30 (15 min)", "Ask Ms Miller. (See page 3.)"]);
}

#[test]
fn a_text_that_cannot_satisfy_the_schema_is_returned_whole() {
    let schema = Schema::parse(
        r#"{"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}, "notes": {"type": "string"}}}"#,
    );
    let text = "Sow the seeds.";
    let notes = content(&json!({"notes": text}));
    let split = place(text, notes, &[], &schema.expect("a schema"));
    assert_eq!(split, Placed { content: Content::new(), unplaced: vec![text.to_owned()] });
}

#[test]
fn a_value_is_a_whole_word_and_never_a_part_of_one() {
    let text = "Sow the seeds in 145 days.";
    let cut = json!({"title": "Sow the seed", "durationMinutes": 45, "assessment": "ow the seeds"});
    assert_eq!(placed(text, &cut, &[]), Placed { content: Content::new(), unplaced: vec![text.to_owned()] });
}

#[test]
fn a_value_over_two_lines_is_the_text_as_it_was_written() {
    let text = "Tell why it\nmatters.";
    let whole = placed(text, &json!({"objectives": ["Tell why it matters."]}), &[]);
    assert_eq!((whole.content, whole.unplaced), (content(&json!({"objectives": [text]})), Vec::new()));
}

/// To compare each word with each value would take seconds.
#[test]
fn a_text_of_equal_words_is_placed_only_in_part() {
    let text = "a ".repeat(20_000);
    let proposed = json!({"steps": vec![json!({"text": "a"}); 20_000]});
    let split = placed(&text, &proposed, &[]);
    let steps = split.content["steps"].as_array().expect("steps").len();
    assert!((100..10_000).contains(&steps), "{steps}");
    assert_eq!(split.unplaced.len(), 1);
}

#[test]
fn all_invalid_elements_are_removed_at_once() {
    let text = "Sow 1.\nWait 2.\nSow 3.";
    let steps = json!([{"text": "Sow", "minutes": 1}, {"text": "Wait", "wrong": "2"}, {"text": "Sow", "minutes": 3}]);
    let strict = r#"{"type": "object", "properties": {"steps": {"type": "array", "items": {
        "type": "object", "properties": {"text": {"type": "string"}, "minutes": {"type": "integer", "maximum": 0}}
    }}, "title": {"type": "string"}}}"#;
    let schema = Schema::parse(strict).expect("a schema");
    let split = place(text, content(&json!({"title": "Wait", "steps": steps})), &[], &schema);
    assert_eq!(Value::Object(split.content), json!({"steps": [{"text": "Wait"}]}), "{:?}", split.unplaced);
}

fn words(text: &str) -> HashMap<&str, usize> {
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| word.len() > 2);
    words.fold(HashMap::new(), |mut all, word| {
        *all.entry(word).or_default() += 1;
        all
    })
}

proptest! {
    #[test]
    fn whatever_a_model_proposes_nothing_is_made_up_and_no_word_is_lost(
        lines in prop::collection::vec("([A-Za-zäß]{3,6}[ .,:]{1,2}){1,6}", 1..8),
        picks in prop::collection::vec((0_usize..8, 0_usize..30, 1_usize..30, any::<bool>()), 0..8),
        invented in "[a-z ]{0,20}",
    ) {
        let text = lines.join("\n");
        let mut proposed = json!({"title": invented, "steps": [{"minutes": 5}], "status": "published", "own": "Cress"});
        for (place, (line, from, length, in_list)) in picks.into_iter().enumerate() {
            let line: Vec<char> = lines[line % lines.len()].chars().collect();
            let part: String = line.iter().skip(from % line.len()).take(length).collect();
            match in_list {
                true => proposed["steps"].as_array_mut().expect("steps").push(json!({"text": part, "minutes": place})),
                false => proposed[["assessment", "hypothesis", "phenomenon"][place % 3]] = json!(part),
            }
        }
        let Placed { content, unplaced } = placed(&text, &proposed, &[]);
        prop_assert_eq!(Schema::parse(BUILT_IN).expect("a schema").violations(&content), []);
        let mut left = words(&text);
        let mut taken = Vec::new();
        for_each_leaf(&content, &mut |_, value| taken.push(value.as_str().expect("a text").to_owned()));
        for part in &taken {
            for (word, count) in words(part) {
                let free = left.get_mut(word).expect("a word of the text");
                *free = free.checked_sub(count).expect("no word is taken twice");
            }
        }
        taken.extend(unplaced.clone());
        for part in &taken {
            prop_assert!(text.contains(part.as_str()), "{} is not in {}", part, text);
        }
        for part in &unplaced {
            for (word, count) in words(part) {
                let known = left.get_mut(word).expect("a word of the text");
                *known = known.saturating_sub(count);
            }
        }
        prop_assert!(left.values().all(|count| *count == 0), "{:?} of {} are lost: {:?}", left, text, taken);
        let mut rest = text.as_str();
        for part in &unplaced {
            let at = rest.find(part.as_str());
            prop_assert!(at.is_some(), "{:?} are not in the order of {}", unplaced, text);
            rest = &rest[at.expect("checked") + part.len()..];
        }
    }
}
