//! What a step or an objective says of the variables, and turns round: "the part we changed was the water, the part we
//! watched was the kind of soil".

use std::ops::Range;

use super::variable::alike;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};

const CHANGED: &str = "change changes changed vary varies varied alter alters altered manipulate manipulated adjust adjusted pick picked choose chose set";
const MEASURED: &str = "measure measures measured watch watched observe observed count counted record recorded read time timed track tracked";
const WHOSE: &str = "we you i they us";
/// Words that tell no variable from another.
const SEEN: &str = "type kind sort amount number level how much many what which long far high time each every same different part thing \
    variable factor quantity value size rate after before during minute second";

/// What a sentence says that one of the variables is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Changed,
    Measured,
}

/// Where a text says that what is measured is changed, or that what is changed is measured: and which it is.
pub(super) fn turned<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<(&'l Text<'c>, Range<usize>, Role)> {
    let (independent, dependent) = (lesson.text(Role::Independent)?, lesson.text(Role::Dependent)?);
    let (one, other) = (names(independent), names(dependent));
    let own = |mine: &[String], theirs: &[String]| -> Vec<String> {
        mine.iter().filter(|word| !theirs.contains(word)).cloned().collect()
    };
    let (changed, measured) = (own(&one, &other), own(&other, &one));
    if changed.is_empty() || measured.is_empty() {
        return None;
    }
    let texts = lesson
        .texts_of(|role| matches!(role, Role::Step(_) | Role::Objective(_) | Role::Assessment | Role::Phenomenon));
    texts.into_iter().find_map(|text| {
        text.sentences().into_iter().find_map(|sentence| {
            let (said, named) = said(text, &sentence)?;
            let words: Vec<String> = named.clone().map(|at| stem(alike(text.lemma(at)))).collect();
            let has = |names: &[String]| names.iter().any(|name| words.contains(name));
            let (swapped, role) = match said {
                Said::Changed => (has(&measured) && !has(&changed), Role::Independent),
                Said::Measured => (has(&changed) && !has(&measured), Role::Dependent),
            };
            swapped.then_some((text, sentence, role))
        })
    })
}

/// The words that tell a variable, up to its levels.
fn names(text: &Text) -> Vec<String> {
    let stop = |at: &usize| lists!("( : , ; – — . = [", text.word(*at));
    let end = (0..text.tokens.len()).find(stop).unwrap_or(text.tokens.len());
    let words = phrases::content_words(text, 0..end);
    words.iter().filter(|word| !lists(SEEN, word)).map(|word| stem(alike(word))).collect()
}

/// "What we change is …", "the thing you measured was …", "the independent variable is …": and what is named so.
fn said(text: &Text, sentence: &Range<usize>) -> Option<(Said, Range<usize>)> {
    let spoilt = |at: usize| {
        matches!(text.word(at), "?" | "not" | "if" | "whether" | "or" | "wrong" | "other" | "another")
            || text.word(at).ends_with("n't")
    };
    if sentence.clone().any(spoilt) {
        return None;
    }
    for at in sentence.clone() {
        let word = text.word(at);
        let kind = match word {
            "independent" | "manipulated" if text.word(at + 1) == "variable" => Some((Said::Changed, at + 2)),
            "dependent" | "responding" if text.word(at + 1) == "variable" => Some((Said::Measured, at + 2)),
            "what" | "thing" | "part" | "variable" | "factor" | "quantity" => {
                let next = if lists!("that which", text.word(at + 1)) { at + 2 } else { at + 1 };
                let verb = text.word(next + 1);
                match lists!(WHOSE, text.word(next)) {
                    true if lists!(CHANGED, verb) => Some((Said::Changed, next + 2)),
                    true if lists!(MEASURED, verb) => Some((Said::Measured, next + 2)),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((said, verb)) = kind else { continue };
        let is = (verb..verb + 4).find(|t| lists!("is was are were =", text.word(*t)) || text.word(*t) == ":")?;
        let end = (is + 1..sentence.end)
            .find(|t| lists!(", ; . ! ( ) and while because — –", text.word(*t)))
            .unwrap_or(sentence.end);
        return (is + 1 < end).then_some((said, is + 1..end));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(text: &str) -> usize {
        let content = json!({"variables": {"independent": "Kind of soil in the funnel: sand, clay", "dependent": "Water in the cup after a minute"},
            "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn variables_that_are_told_the_other_way_round_are_found() {
        for text in [
            "Chant together: 'The part WE changed was the water in the cup! The part we WATCHED was the kind of soil!'",
            "Remember: what we change is how much water is in the cup.",
            "The independent variable is the water in the cup.",
            "The dependent variable today: the kind of soil.",
            "The thing that you measure is the soil.",
        ] {
            assert_eq!(found(text), 1, "{text}");
        }
    }

    #[test]
    fn variables_that_are_told_as_they_are_or_asked_about_are_not() {
        for text in [
            "The part we changed was the soil, the part we watched was the water in the cup.",
            "Is the independent variable the water in the cup?",
            "The independent variable is not the water.",
            "What we measure is the water that runs through the soil.",
            "What you choose is up to you.",
            "Say whether the independent variable is the water.",
        ] {
            assert_eq!(found(text), 0, "{text}");
        }
    }
}
