//! Beside an amount: on which side its noun stands, what of it is measured, and of what each has so much.

use std::ops::Range;

use super::lists::lists;
use super::mentions::Mention;
use super::nouns::{self, ATTRIBUTES, Phrase};
use super::quantities::unit_at;
use super::units::{self, Dimension, Unit};
use super::words::{Kind, Token};

/// Of what each has an amount whose noun begins at a token, and how many of them there are if that is told.
pub fn per(tokens: &[Token], at: usize, begin: usize) -> Option<(String, Option<f64>)> {
    // In "clean eight nails and put two in each tube" it is two of each tube, not eight. In "measure out 900 mL and
    // pour an equal share into each jar" it is neither.
    let another = |token: &Token| {
        matches!(token.kind, Kind::Number(_))
            || super::numbers::small_number(&token.word).is_some()
            || token.is_one_of(&["share", "shares", "equal", "equally", "divide", "evenly", "split", "some"])
    };
    if tokens.get(begin..at).unwrap_or_default().iter().any(another) {
        return None;
    }
    let of = tokens.get(at + 1).is_some_and(|token| token.is("of"));
    let count = (at + 1..at + 4)
        .find(|at| !tokens.get(*at).is_some_and(|token| token.is("of") || token.is_one_of(nouns::ARTICLES)))
        .filter(|_| of)
        .and_then(|at| super::numbers::numeral(tokens, at));
    // "In each of the 250 mL beakers" tells no number of beakers.
    let unit = |at: &usize| tokens.get(*at).is_some_and(|token| units::unit(&token.word).is_some());
    let sized = count.as_ref().map(|count| count.tokens.end).filter(unit).map(|unit| unit + 1);
    let count = count.filter(|_| sized.is_none());
    let begin = sized.or(count.as_ref().map(|count| count.tokens.end)).unwrap_or(at + 1);
    let one = |at: usize| tokens.get(at).is_some_and(|token| token.is("one"));
    let ends = |at: usize| tokens.get(at).is_none_or(|token| !token.is_word());
    if count.is_none() && one(at + 1) && ends(at + 2) {
        return Some(("one".to_owned(), None));
    }
    let phrase = nouns::phrase(tokens, begin, false)?;
    Some((phrase.head, count.and_then(|count| count.single())))
}

/// The tokens around an amount between signs, and within its sentence.
pub fn clause(tokens: &[Token], whole: &Range<usize>) -> Range<usize> {
    let sentence = tokens.get(whole.start).map_or(0, |token| token.sentence);
    let ends =
        |token: &&Token| token.sentence != sentence || token.is_one_of(&[",", ";", ":", "(", ")", "–", "—", "•"]);
    let before = tokens.get(..whole.start).unwrap_or_default();
    let start = before.iter().rposition(|token| ends(&token)).map_or(0, |at| at + 1);
    let behind = tokens.get(whole.end..).unwrap_or_default();
    let end = behind.iter().position(|token| ends(&token)).map_or(tokens.len(), |at| whole.end + at);
    start..end
}

/// "Label four cups cola, milk and water", "two cups labelled salt and sugar": the vessels get names, and nothing is in them.
pub fn is_named(tokens: &[Token], start: usize, end: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let begin = clause(tokens, &(start..start)).start;
    let names =
        |at: &usize| lists!("label name mark call", word(*at)) && !lists!("the a your", word(at.wrapping_sub(1)));
    // "Label a bag and add four cups flour" does more than that.
    let goes_on = |at: usize| {
        lists!("with for from in into on onto to then", word(at))
            || word(at) == "and" && at + 1 < start && super::numbers::numeral(tokens, at + 1).is_none()
    };
    let verb = (begin..start).rev().find(names).filter(|verb| !(verb + 1..start).any(goes_on));
    word(end) != "of" && verb.is_some() || lists!("labelled labeled marked called named", word(end))
}

/// The unit of which each has so much: "5 g detergent per litre" is a rate, and no 5 g of it.
pub fn rate(told: &Mention) -> Option<Unit> {
    let per =
        told.per.as_deref().filter(|per| told.dimension.is_some() && !lists!("cup tablespoon teaspoon foot", per));
    let unit = units::unit(per?)?;
    matches!(unit.dimension, Dimension::Volume | Dimension::Mass | Dimension::Length).then_some(unit)
}

/// What so much of a substance is called: "20 mL aliquots of vinegar".
const SHARES: &str = "length portion sample lump aliquot dose serving helping heap pile charge batch amount quantity volume mass \
    specimen chunk block piece";

/// On which side of an amount its noun stands.
#[derive(Clone, Copy)]
pub enum Side {
    /// Before it: "water (50 mL)".
    Left,
    /// After it: "50 mL of water".
    Right,
}

impl Side {
    /// The noun of an amount from `start` to `end`; `counted` tells whether a number of things is plural, and is
    /// `None` for what is measured.
    pub fn noun(self, text: &str, tokens: &[Token], start: usize, end: usize, counted: Option<bool>) -> Option<Phrase> {
        let (dimension, plural) = (counted.is_none(), counted.unwrap_or_default());
        match self {
            Side::Right => {
                // "15 mL (1 tablespoon) of buffer"
                let bracket = tokens.get(end).is_some_and(|token| token.is("("));
                let closed = tokens.iter().enumerate().skip(end).take(8).find(|(_, token)| bracket && token.is(")"));
                let behind =
                    closed.map(|(at, _)| at + 1).filter(|at| tokens.get(*at).is_some_and(|token| token.is("of")));
                // "25 cm³ of 1.0 mol/dm³ acid"
                let behind = behind.unwrap_or(end);
                let strength = super::numbers::numeral(tokens, behind + 1)
                    .filter(|_| dimension && tokens.get(behind).is_some_and(|t| t.is("of")));
                let behind = strength.and_then(|n| unit_at(text, tokens, n.tokens.end)).map_or(behind, |(_, end)| end);
                let phrase = nouns::phrase(tokens, behind, plural)?;
                // "A 1.5 m length of string"
                let share = dimension && lists!(SHARES, &phrase.head);
                let of = share && tokens.get(phrase.tokens.end).is_some_and(|token| token.is("of"));
                let phrase = if of { nouns::phrase(tokens, phrase.tokens.end, plural)? } else { phrase };
                // What stands in the next sentence is not counted.
                let sentence = |at: usize| tokens.get(at).map(|token| token.sentence);
                (sentence(phrase.tokens.start) == sentence(start)).then_some(phrase)
            }
            Side::Left => {
                let joint = joint(tokens, start, dimension)?;
                let whole = clause(tokens, &(joint..joint));
                let before = tokens.get(..joint)?;
                // In "sand, rocks and water, 1 cup of each" it is none of them alone.
                let comma = |at: usize| tokens.get(at).is_some_and(|token| token.is(","));
                let several = before.get(whole.start..).is_some_and(|words| words.iter().any(|token| token.is("and")));
                if comma(joint) && (several || whole.start.checked_sub(1).is_some_and(comma)) {
                    return None;
                }
                let measured = |at: usize| {
                    let token = at.checked_sub(1).and_then(|at| tokens.get(at));
                    token.is_some_and(|token| ATTRIBUTES.contains(&token.lemma.as_str()))
                };
                let of = before
                    .iter()
                    .enumerate()
                    .skip(whole.start)
                    .find(|(at, token)| token.is("of") && measured(*at))
                    .map(|(at, _)| at);
                // "Length of each straw: 12 cm"
                let every = |of: usize| before.get(of + 1).is_some_and(|token| token.is_one_of(&["each", "every"]));
                let each = |of: usize| if every(of) { of + 2 } else { of };
                let first = nouns::phrase(before, of.map_or(whole.start, each), plural);
                // In "coil the ribbon, 25 cm of it" the noun stands after the verb.
                let article = |at: usize| before.get(at).is_some_and(|token| token.is_one_of(nouns::ARTICLES));
                let verb = first.as_ref().is_none_or(|first| first.tokens.len() == 1 && article(first.tokens.end));
                let object = (whole.start + 1..joint).find(|at| verb && article(*at - 1));
                let phrase = object.and_then(|at| nouns::phrase(before, at, plural)).or(first)?;
                attribute_of(&phrase).map_or(Some(phrase.clone()), |_| {
                    // The "water temperature" is one of water.
                    let (head, modifiers) = phrase.modifiers.split_last()?;
                    Some(Phrase { head: head.clone(), modifiers: modifiers.to_vec(), tokens: phrase.tokens.clone() })
                })
            }
        }
    }
}

/// The token that ends what stands before an amount: a sign, or the words that link both, as in "stays at exactly 20 cm".
fn joint(tokens: &[Token], start: usize, dimension: bool) -> Option<usize> {
    const JOINTS: [&str; 7] = [":", "(", "=", ",", "-", "–", "—"];
    const STATING: [&str; 16] = [
        "about",
        "is",
        "are",
        "was",
        "were",
        "stays",
        "stay",
        "remains",
        "remain",
        "held",
        "kept",
        "fixed",
        "equals",
        "measures",
        "weighs",
        "maintained",
    ];
    const LINKING: [&str; 10] = ["at", "to", "of", "set", "exactly", "always", "just", "only", "precisely", "be"];
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| token.is_one_of(words));
    let mut linked = start;
    while let Some(before) =
        linked.checked_sub(1).filter(|at| linked + 4 > start && (is(*at, &STATING) || is(*at, &LINKING)))
    {
        linked = before;
    }
    let before = linked.checked_sub(1)?;
    if is(before, &JOINTS) {
        return Some(before);
    }
    // "Drop height 1.5 m", "length of the ramp 2 m"
    let measured =
        |at: usize| dimension && tokens.get(at).is_some_and(|token| ATTRIBUTES.contains(&token.lemma.as_str()));
    let begin = clause(tokens, &(linked..linked)).start;
    let begin = begin + usize::from(is(begin, nouns::ARTICLES));
    let of_it = || {
        measured(begin)
            && is(begin + 1, &["of"])
            && nouns::phrase(tokens.get(..linked).unwrap_or_default(), begin + 2, false)
                .is_some_and(|noun| noun.tokens.end == linked)
    };
    ((linked..start).any(|at| is(at, &STATING)) || measured(before) || of_it()).then_some(linked)
}

fn attribute_of(phrase: &Phrase) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|known| **known == phrase.head).copied()
}

/// What of a thing is measured, from the words around the amount.
pub fn attribute(
    tokens: &[Token],
    whole: &Range<usize>,
    noun: Option<&Phrase>,
    dimension: Option<Dimension>,
) -> Option<&'static str> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let sentence = tokens.get(whole.start)?.sentence;
    let before: Vec<&Token> =
        tokens.get(whole.start.saturating_sub(8)..whole.start)?.iter().filter(|t| t.sentence == sentence).collect();
    let close = before.iter().rev().take(3).find_map(|token| ATTRIBUTES.iter().find(|known| **known == token.lemma));
    let named =
        close.or_else(|| before.iter().rev().find_map(|token| ATTRIBUTES.iter().find(|known| **known == token.lemma)));
    let dropped = || {
        before.iter().any(|token| {
            token.is_one_of(&["drop", "release", "dropped", "released", "fall", "drops", "falls", "dropping"])
        })
    };
    let after = if dimension == Some(Dimension::Length) {
        match word(whole.end) {
            "above" | "high" | "tall" | "up" => Some("height"),
            "from" | "away" | "apart" | "between" => Some("distance"),
            "long" => Some("length"),
            "deep" => Some("depth"),
            "thick" => Some("thickness"),
            "wide" => Some("width"),
            "in" => ATTRIBUTES.iter().find(|known| **known == word(whole.end + 1)).copied(),
            _ if word(whole.start.wrapping_sub(1)) == "from" && dropped() => Some("height"),
            _ => None,
        }
    } else {
        None
    };
    let named = after.or(named.copied()).or_else(|| noun.and_then(attribute_of))?;
    Some(match named {
        "weight" => "mass",
        "gap" | "spacing" | "separation" | "span" => "distance",
        "duration" | "period" => "time",
        "diameter" => "width",
        "quantity" | "dose" | "portion" | "aliquot" => "amount",
        other => other,
    })
}
