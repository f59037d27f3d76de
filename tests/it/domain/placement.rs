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
fn a_heading_counts_as_placed_only_above_or_beside_what_is_placed() {
    let text = "Materials\n- soil\n\nSafety\nDo not drink it.\n\nNot allowed: soil";
    let soil = json!({"materials": [{"name": "soil"}]});
    assert_eq!(unplaced(text, &soil, &["Materials", "Safety"]), ["Safety", "Do not drink it.", "Not allowed: soil"]);
    assert_eq!(unplaced("Title: Cress", &json!({"title": "Cress"}), &["Title:"]), [""; 0]);
    assert_eq!(unplaced("Title: Cress", &json!({"title": "Cress"}), &[]), ["Title:"]);
    let sentence = "A sentence that is far longer than any heading of a lesson would ever be.";
    for sentence in [sentence, "Do not drink it.", "Never heat it!", "Is it hot?"] {
        assert_eq!(unplaced(&format!("{sentence}\nCress"), &json!({"title": "Cress"}), &[sentence]), [sentence]);
        assert_eq!(unplaced(&format!("Cress {sentence}"), &json!({"title": "Cress"}), &[sentence]), [sentence]);
    }
    assert_eq!(unplaced("Cress no flames", &json!({"title": "Cress"}), &["no flames"]), ["no flames"]);
}

#[test]
fn what_stands_between_placed_words_is_kept_unless_it_is_a_mark_or_a_unit() {
    let text = "1. Sow 20 seeds at 12:30 (15 min)";
    let sow = json!({"steps": [{"text": "Sow", "minutes": 15}]});
    assert_eq!(unplaced(text, &sow, &[]), ["20 seeds at 12:30"]);
    assert_eq!(unplaced("- cress seeds 40", &json!({"materials": [{"name": "cress seeds"}]}), &[]), ["40"]);
    assert_eq!(
        unplaced("2 bags of soil", &json!({"materials": [{"name": "soil", "unit": "bags", "quantity": 2}]}), &[]),
        ["of"]
    );
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
        let mut taken = unplaced.clone();
        for_each_leaf(&content, &mut |_, value| taken.push(value.as_str().expect("a text").to_owned()));
        for part in &taken {
            prop_assert!(text.contains(part.as_str()), "{} is not in {}", part, text);
        }
        for part in &taken {
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
