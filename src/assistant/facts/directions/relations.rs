//! Relations: what of two clauses is the cause and what the effect.

use std::ops::Range;

use super::{Clause, clause, quantifier};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::{self, Form, Pole};

/// A cause that goes one way, and the effect of it that goes one way.
#[derive(Debug)]
pub struct Relation {
    /// What is changed.
    pub cause: Clause,
    /// What comes of it.
    pub effect: Clause,
}

/// What these tokens of one sentence say of cause and effect.
pub fn relation(text: &Text, range: Range<usize>) -> Option<Relation> {
    if let Some(relation) = of_two(text, &range) {
        return Some(relation);
    }
    let (cause, effect) = parts(text, &range)?;
    let (mut cause, mut effect) = (clause(text, cause), clause(text, effect));
    effect.poles.retain(|pole| pole.form != Form::Plain);
    if cause.poles.iter().any(|pole| pole.form != Form::Plain) {
        cause.poles.retain(|pole| pole.form != Form::Plain);
    }
    effect.words.retain(|word| !cause.words.contains(word) || poles::measure(word).is_some());
    (!cause.poles.is_empty() && !effect.poles.is_empty()).then_some(Relation { cause, effect })
}

/// A sentence without what it gives as the reason.
pub fn without_reason(text: &Text, range: Range<usize>) -> Range<usize> {
    let begins = |at: &usize| {
        let after_comma = text.word(at.wrapping_sub(1)) == ",";
        matches!(text.word(*at), "because" | "due" | "owing")
            || after_comma && matches!(text.word(*at), "as" | "since" | "for")
    };
    match (range.start + 1..range.end).find(begins) {
        // "As predicted, …" after a comma gives no reason.
        Some(at) if !(text.word(at) == "as" && is_of_prediction(text, at + 1..(at + 5).min(range.end))) => {
            range.start..at
        }
        _ => range,
    }
}

fn is_of_prediction(text: &Text, mut range: Range<usize>) -> bool {
    range.any(|at| {
        lists!("predicted expected hypothesized hypothesised thought guessed foreseen forecast said", text.word(at))
    })
}

fn is_comparative(text: &Text, at: usize) -> bool {
    let word = text.word(at);
    quantifier(word).is_some_and(|(_, form)| form == Form::More)
        || poles::pole(word).is_some_and(|pole| pole.form == Form::More)
}

const CAUSING: &str = "will would should makes make made gives give gave causes cause caused leads lead led means meant produces produce \
    produced increases increase increased decreases decrease decreased raises raise raised lowers lowered reduces reduced \
    speeds slows slowed helps helped lets results resulted has have had gets get got takes took";

/// The tokens of the cause and of the effect.
fn parts(text: &Text, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let closes = |at: &usize| matches!(text.word(*at), "," | ";" | "(" | "." | "!" | "?" | ":" | "–" | "—");
    let close = |from: usize| (from..range.end).find(closes).unwrap_or(range.end);
    // "The hotter the water, the faster …", "it goes faster the hotter the water".
    let paired = |at: &usize| {
        text.word(*at) == "the"
            && is_comparative(text, at + 1)
            && !text.has_at(at + 2, &["of", "the"])
            && !lists(
                "had has have lost lose loses gained gains was were is are be still got",
                text.word(at.wrapping_sub(1)),
            )
    };
    let mut pairs = range.clone().filter(paired);
    match (pairs.next(), pairs.next()) {
        (Some(first), Some(second)) => return Some((first..second, second..close(second))),
        (Some(only), None) if only > range.start + 2 && text.word(only - 1) != "," => {
            let said = clause(text, range.start..only);
            if said.poles.iter().any(|pole| pole.form != Form::Plain) {
                return Some((only..close(only), range.start..only));
            }
        }
        _ => {}
    }
    introduced(text, range, &close).or_else(|| split_at_the_verb(text, range, &close))
}

/// "If it is steeper, it rolls farther", "it rolls farther when it is steeper".
fn introduced(
    text: &Text,
    range: &Range<usize>,
    close: &dyn Fn(usize) -> usize,
) -> Option<(Range<usize>, Range<usize>)> {
    let introduces = |at: &usize| match text.word(*at) {
        "if" | "when" | "whenever" | "once" => true,
        "as" => {
            !lists("well long far soon much many", text.word(at + 1))
                && !is_of_prediction(text, at + 1..(at + 5).min(range.end))
        }
        "with" => {
            is_comparative(text, at + 1)
                || lists!("each every increasing rising extra", text.word(at + 1))
                || is_comparative(text, at + 2)
        }
        _ => false,
    };
    let at = range.clone().filter(introduces).find(|at| !clause(text, at + 1..close(at + 1)).poles.is_empty())?;
    let opens =
        at == range.start || matches!(text.word(at - 1), "," | ":" | "that" | "\"" | "'" | "“" | "‘" | "why" | "and");
    if !opens {
        // The effect stands before: from the last colon, or all of it.
        // "With more turns it lifts fewer clips" may also stand after its subject.
        if clause(text, range.start..at).poles.iter().all(|pole| pole.form == Form::Plain) {
            let moves = |t: &usize| clause(text, *t..*t + 1).poles.iter().any(|pole| pole.form != Form::Plain);
            let next = (at + 4..range.end).find(moves)?;
            return Some((at + 1..next, next..range.end));
        }
        // "The hypothesis was confirmed, that is, that the count fell as it came nearer": what is reported tells.
        let begins = |t: &usize| matches!(text.word(*t), ":" | ";") || text.word(*t) == "that" && *t + 2 < at;
        let from = (range.start..at).rev().find(begins).map_or(range.start, |t| t + 1);
        return Some((at + 1..close(at + 1), from..at));
    }
    // "If it is moved closer, but stays outside the focal length, it becomes larger": the condition goes on.
    let goes_on = |t: usize| {
        text.word(t) == ","
            && lists!("but and or which where", text.word(t + 1))
            && (t + 2..range.end).any(|next| matches!(text.word(next), "," | "then"))
    };
    let ends = |t: &usize| matches!(text.word(*t), "," | "then") && !goes_on(*t);
    let comma = (at + 1..range.end).find(ends);
    let modal = (at + 1..range.end).find(|t| lists!("will would should", text.word(*t)));
    match (comma, modal) {
        (Some(comma), _) if modal.is_none_or(|modal| comma < modal) => Some((at + 1..comma, comma + 1..range.end)),
        (_, Some(modal)) if modal > at + 4 => Some((at + 1..modal - 2, modal - 2..range.end)),
        _ => None,
    }
}

/// "More turns will lift more clips", "warmer water dissolves sugar faster".
fn split_at_the_verb(
    text: &Text,
    range: &Range<usize>,
    close: &dyn Fn(usize) -> usize,
) -> Option<(Range<usize>, Range<usize>)> {
    let said = |range: Range<usize>| clause(text, range).poles;
    let start = (range.start..range.end).find(|at| text.word(*at) == ":").map_or(range.start, |at| at + 1);
    let start = (start..range.end)
        .find(|at| matches!(text.word(*at), "that" | "why" | "how") && *at < start + 12)
        .map_or(start, |at| at + 1);
    let parts = |at: usize| lists!(", and while whereas but", text.word(at));
    let piece = |at: usize| (start..at).rev().find(|t| parts(*t)).map_or(start, |t| t + 1);
    let acts =
        |at: &usize| lists!(CAUSING, text.word(*at)) || said(*at..*at + 1).iter().any(|pole| pole.form == Form::Verb);
    let mut verbs = (start + 1..range.end).filter(acts);
    if let Some(verb) = verbs.find(|verb| !said(piece(*verb)..*verb).is_empty()) {
        return Some((piece(verb)..verb, verb..range.end));
    }
    let compares = |at: &usize| said(*at..*at + 1).iter().any(|pole| matches!(pole.form, Form::More | Form::Most));
    let begins = |at: &usize| *at < piece(*at) + 3;
    let first = (start..range.end).filter(begins).find(compares)?;
    (first + 2 < close(first)).then(|| (first..first + 2, first + 2..range.end))
}

/// "On hot nights crickets chirp more than on cold nights": the cause is the one of the two that stands first.
fn of_two(text: &Text, range: &Range<usize>) -> Option<Relation> {
    let than = range.clone().find(|at| text.word(*at) == "than")?;
    let (mut one, other) = (clause(text, range.start..than), clause(text, than + 1..range.end));
    let against = |pole: &Pole| {
        let turned = |other: &Pole| other.dimension == pole.dimension && other.up != pole.up;
        matches!(pole.form, Form::Plain | Form::More) && other.poles.iter().any(turned)
    };
    let place = one.poles.iter().position(against)?;
    let cause = Clause { poles: vec![one.poles.remove(place)], words: one.words.clone() };
    one.poles.retain(|pole| pole.form != Form::Plain);
    (!one.poles.is_empty()).then_some(Relation { cause, effect: one })
}
