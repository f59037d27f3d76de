//! Unit tests of `src/assistant/facts/fact.rs`.

use super::{Text, in_texts, sentence_at, word_before};
use crate::assistant::facts::group_size;
use crate::domain::path::FieldPath;

#[test]
fn word_before_a_quote_is_found_unless_the_quote_begins_a_clause() {
    for (before, word) in
        [("Magnets for ", "for"), ("", ""), ("Lab: ", ""), ("Two (", "("), ("As a", "a"), ("pay 5 ", "5")]
    {
        assert_eq!(word_before(before), word, "{before}");
    }
}

#[test]
fn sentence_ends_at_a_punctuation_mark_followed_by_white_space() {
    let text = "Sow. Take 1.5 mL, e.g. é! Wait";
    let sentences = [0, 5, 11, 23, 27].map(|at| sentence_at(text, at));
    assert_eq!(sentences, ["Sow", " Take 1.5 mL, e.g", " Take 1.5 mL, e.g", " é", " Wait"]);
    let long = "é".repeat(1000);
    assert!((600..700).contains(&sentence_at(&long, 1000).len()), "{}", sentence_at(&long, 1000).len());
}

#[test]
fn fact_read_from_a_huge_text_keeps_only_a_short_excerpt() {
    let long = format!("{} in groups of {}4", "a".repeat(400_000), "0".repeat(400_000));
    let other = format!("{}é in groups of 4", "a".repeat(400_000));
    let texts = [&long, &other].map(|text| Text { path: FieldPath::parse("a"), text });
    let facts = in_texts(&texts, group_size::read);
    let [fact] = facts.as_slice() else { panic!("{} facts", facts.len()) };
    assert!(fact.before.len() <= 800 && fact.quote.len() <= 800 && fact.written.len() <= 100, "{fact:?}");
}
