//! The way round in which two things must not come together: "acid goes into water, never the other way round".

use std::ops::Range;

use super::{Norm, rows};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::{self, Group, lists};

/// The way that a sentence forbids.
pub(super) fn norm<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>) -> Option<Norm<'l, 'c>> {
    turned(text, sentence).or_else(|| named(text, sentence))
}

/// "Never water onto acid", "doing it the other way round, water onto pellets, is forbidden"
fn named<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>) -> Option<Norm<'l, 'c>> {
    let forbidden = |at: usize| {
        lists!("never not", text.word(at.wrapping_sub(2)))
            || sentence.clone().any(|t| {
                lists!("forbidden prohibited banned", text.word(t)) || lists!("wrong dangerous", text.word(t)) && t > at
            })
    };
    let at = sentence.clone().find(|at| {
        let begins = phrases::clause_start(text, *at);
        let alone = begins + 1 == *at || begins + 2 == *at && lists!("never not", text.word(begins));
        lists!("into onto to in on over", text.word(*at))
            && alone
            && phrases::clause_end(text, *at) == at + 2
            && forbidden(*at)
    })?;
    let group = |at: usize, preposition: &str| {
        let words = phrases::content_words(text, at..at + 1);
        (!words.is_empty()).then(|| Group { preposition: preposition.to_owned(), words, tokens: at..at + 1 })
    };
    let object = group(at.checked_sub(1)?, "")?;
    let place = group(at + 1, text.word(at))?;
    Some(Norm {
        text,
        at,
        stem: "pour".to_owned(),
        verbs: rows("pour"),
        objects: vec![object],
        places: vec![place],
        named: Vec::new(),
        mutual: false,
    })
}

/// "Acid goes into water, never the other way round": the way that is forbidden.
fn turned<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>) -> Option<Norm<'l, 'c>> {
    let at = sentence.clone().find(|t| {
        text.has_at(*t, &["other", "way"])
            || text.has_at(*t, &["vice", "versa"])
            || text.has_at(*t, &["the", "reverse"])
    })?;
    let denied = (at.saturating_sub(4)..at).any(|t| lists!("never not", text.word(t)));
    let into = (sentence.start..at).find(|t| lists!("into to", text.word(*t)))?;
    let end = phrases::clause_end(text, into).min(at);
    let place = phrases::groups(text, into..end).into_iter().next()?;
    let subject = phrases::groups(text, sentence.start..into).into_iter().find(|group| group.preposition.is_empty())?;
    let head = |group: Group, keep: bool, preposition: &str| {
        let word = group
            .words
            .iter()
            .find(|word| !lists("alway go goe add pour must should concentrated strong put tip slowly", word));
        word.filter(|_| keep).map(|word| Group {
            preposition: preposition.to_owned(),
            words: vec![word.clone()],
            tokens: group.tokens.clone(),
        })
    };
    let object = head(place, denied, "")?;
    let place = head(subject, denied, "into")?;
    let verbs = rows("pour");
    Some(Norm {
        text,
        at: into,
        stem: "pour".to_owned(),
        verbs,
        objects: vec![object],
        places: vec![place],
        named: Vec::new(),
        mutual: false,
    })
}
