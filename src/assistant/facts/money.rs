//! Money: what things cost takes none of them.

use super::lesson::Text;
use super::lists::lists;
use super::nouns::Phrase;

/// Whether a noun counts money: 40 euros.
pub fn is_money(noun: &Phrase) -> bool {
    is_currency(&noun.head)
}

fn is_currency(word: &str) -> bool {
    lists!("euro dollar cent rupee yen franc krona krone zloty peso yuan lira € $ £ ¥ ₹", word)
}

/// Whether the sentence around a token tells prices: "paint 12 euros, second lamp 15 euros". Coins are things.
pub fn is_priced(text: &Text, at: usize) -> bool {
    let number =
        |at: usize| text.numerals().iter().any(|numeral| numeral.tokens.end == at || numeral.tokens.start == at + 1);
    let money = |at: usize| {
        is_currency(text.lemma(at))
            && number(at)
            && !lists!("coin note piece", text.lemma(at + 1))
            && text.word(at + 1) != "-"
    };
    text.sentence(at).any(money)
}
