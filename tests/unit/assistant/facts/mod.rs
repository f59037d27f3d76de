//! Unit tests of `src/assistant/facts/mod.rs`.

use super::word_before;

#[test]
fn the_word_before_a_quote_is_that_of_its_clause() {
    for (before, word) in
        [("Magnets for ", "for"), ("", ""), ("Lab: ", ""), ("Two (", "("), ("As a", "a"), ("pay 5 ", "5")]
    {
        assert_eq!(word_before(before), word, "{before}");
    }
}
