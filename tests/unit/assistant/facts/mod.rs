//! Unit tests of `src/assistant/facts/mod.rs`.

use serde_json::json;

use super::{FactReader, word_before};

#[test]
fn the_word_before_a_quote_is_that_of_its_clause() {
    for (before, word) in
        [("Magnets for ", "for"), ("", ""), ("Lab: ", ""), ("Two (", "("), ("As a", "a"), ("pay 5 ", "5")]
    {
        assert_eq!(word_before(before), word, "{before}");
    }
}

#[test]
fn a_fact_of_a_hostile_text_stays_small() {
    let reader = FactReader::new(|_| true, ["materials".to_owned()].into());
    let long = format!("{} in groups of {}4", "a".repeat(400_000), "0".repeat(400_000));
    let content = json!({"a": long, "b": format!("{}é in groups of 4", "a".repeat(400_000))});
    let facts = reader.read(content.as_object().expect("an object"));
    let sizes: Vec<_> = facts.returned_by("groupSizes").expect("a kind").iter().collect();
    let [fact] = sizes.as_slice() else { panic!("{} facts", sizes.len()) };
    assert!(fact.before.len() <= 800 && fact.quote.len() <= 800 && fact.written.len() <= 100, "{fact:?}");
}
