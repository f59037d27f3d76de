//! The parts of a sentence that may pair a cause with an effect, and whether two marks are of the same.

use std::ops::Range;

use super::marks::Mark;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::poles::{self, Dimension, Form};

/// Words that say nothing of what a sentence speaks of.
pub(super) const OF_NO_MATTER: &str = "and was were is are be been being get gets got become becomes became end ends ended stay stays stayed remain \
    remains remained keep keeps kept grow grows grew turn turns turned went go goes gone come comes came made make makes left \
    one ones thing result results data prediction hypothesis idea say says said show shows showing find found share part \
    total number amount count we our our they it that the this these those first last out off up down way steadily still times \
    minute second hour day week again most more less least fewer fewest than two three four same all both both each every other \
    will would student students pupil pupils child children learner learners answer report conclusion class group evidence";

/// Whether two marks are of the same, whichever way.
pub(super) fn same(one: &Mark, other: &Mark) -> bool {
    let lengths = |dimension| matches!(dimension, Dimension::Length | Dimension::Distance);
    let dimension = one.dimension == other.dimension || lengths(one.dimension) && lengths(other.dimension);
    let shares = || one.of.iter().any(|noun| other.of.contains(noun));
    // More glucose makes a stronger solution of it.
    let stronger = |one: &Mark, other: &Mark| {
        one.dimension == Dimension::Amount && other.dimension == Dimension::Strength && !one.size
    };
    if stronger(one, other) || stronger(other, one) {
        return shares();
    }
    // A stronger magnet lifts more clips.
    let lifts = |one: &Mark, other: &Mark| {
        one.dimension == Dimension::Strength
            && other.dimension == Dimension::Amount
            && other.of.iter().any(|noun| lists!("clip paperclip pin nail staple washer", noun))
            && one.of.iter().any(|noun| noun.contains("magnet"))
    };
    if lifts(one, other) || lifts(other, one) {
        return true;
    }
    // Bigger craters are wider ones.
    let wide = |one: &Mark, other: &Mark| {
        one.size
            && matches!(other.dimension, Dimension::Width | Dimension::Depth | Dimension::Length)
            && !other.of.is_empty()
    };
    if wide(one, other) || wide(other, one) {
        return shares();
    }
    dimension && (one.dimension != Dimension::Amount || one.size && other.size || shares())
}

/// The part of a piece before what it is compared with.
pub(super) fn before_comparison(text: &Text, piece: &Range<usize>) -> Range<usize> {
    let begins = |at: &usize| {
        text.word(*at) == "than"
            || text.word(*at) == "as" && lists!("to on in from at for", text.word(at + 1)) && *at > piece.start + 2
            || lists!("compared unlike against", text.word(*at)) && *at > piece.start
    };
    piece.start..piece.clone().find(begins).unwrap_or(piece.end)
}

/// The pieces of a sentence that may pair something.
pub(super) fn pieces(text: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    for at in sentence.clone() {
        let signs = lists!(", ; : ( ) – — . ! ? and while whereas but \" ' “ ” ‘ ’", text.word(at))
            && !(text.word(at) == "," && text.word(at + 1) == "which");
        let tells = lists!("that because since", text.word(at)) && at > sentence.start;
        // "Faster and faster" is one piece.
        let repeated = text.word(at) == "and" && text.word(at.wrapping_sub(1)) == text.word(at + 1);
        if signs && !repeated || tells {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..sentence.end);
    found.retain(|piece| piece.len() > 1);
    found
}

/// Whether something is done for longer: "the longer they jumped", "if we jump for a longer time".
pub(super) fn is_done(text: &Text, at: usize, range: &Range<usize>) -> bool {
    let does = |at: usize| {
        lists!(
            "jump run exercis hop skip danc walk swim cycl pedal step climb soak stir shak rub strok charg steep brew",
            &stem(text.lemma(at))
        ) || text.word(at) == "ran"
    };
    let article = if text.word(at.wrapping_sub(1)) == "a" { 2 } else { 1 };
    let for_longer = text.word(at.wrapping_sub(article)) == "for";
    let before = || (at.saturating_sub(5).max(range.start)..at).any(does);
    let after = || text.word(at.wrapping_sub(1)) == "the" && (at + 1..range.end.min(at + 6)).any(does);
    for_longer && before() || after()
}

/// The stems of the words in these tokens that say of what they speak.
pub(super) fn words(text: &Text, range: Range<usize>) -> Vec<String> {
    let said = text
        .tokens
        .iter()
        .take(range.end)
        .skip(range.start)
        .filter(|token| token.is_word() || token.word.starts_with(|c: char| c.is_ascii_digit()));
    let said = said.filter(|token| {
        let word = token.word.as_str();
        !phrases::is_empty(word)
            && !lists(OF_NO_MATTER, word)
            && !lists("in on at to from with of by for into onto near under over than as when if while", word)
            && poles::pole(word).is_none_or(|pole| pole.form == Form::Plain)
    });
    let mut found: Vec<String> = said.map(|token| stem(&token.lemma)).collect();
    found.dedup();
    found
}

/// Whether no thing that is moved follows: "rises steadily".
pub(super) fn ahead_is_adverbial(text: &Text, at: usize) -> bool {
    !lists("the a an its their our your this each", text.word(at))
}
