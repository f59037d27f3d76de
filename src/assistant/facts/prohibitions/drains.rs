//! What must not get into the sink, and where no flame may be.

use std::ops::Range;

use super::Ban;
use crate::assistant::facts::actions::Action;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::{self, Group, lists};

/// "Oil goes in the jug, never down the sink", "nothing down the drain".
pub(super) fn drained<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    if text.word(at) == "no" {
        return kept_from_drain(text, sentence, at);
    }
    if !lists("never not nothing", text.word(at)) {
        return None;
    }
    let sink = (at + 1..sentence.end.min(at + 6)).find(|t| lists!("sink drain sinks drains toilet", text.word(*t)))?;
    let only_place = (at + 1..sink).all(|t| lists!("down in into the a any goes go is poured to put be", text.word(t)));
    let scoped = sentence.clone().any(|t| lists!("except unless until if but when while", text.word(t)));
    if !only_place || scoped {
        return None;
    }
    let mut things = Vec::new();
    if text.word(at) != "nothing" {
        things = phrases::groups(text, phrases::clause_start(text, sentence.start)..at);
        things.retain(|group| group.preposition.is_empty());
        things.truncate(1);
        for thing in &mut things {
            thing.words.retain(|word| !lists("go goe all used leftover waste belong", word));
        }
        if things.iter().all(|thing| thing.words.is_empty() || lists!("solution chemical liquid waste", thing.head())) {
            things.clear();
        }
    }
    Some(Ban { text, at, action: Action::Drain, things, places: Vec::new(), pupils_only: false, after: None })
}

/// "No solution containing it may enter the sink", "no oil goes down the drain".
fn kept_from_drain<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    let end = phrases::clause_end(text, at);
    let goes = (at + 2..end).find(|t| {
        phrases::verb(text.word(*t), &["enter", "go", "get", "reach", "pour", "tip", "wash", "flush", "empty"])
            .is_some()
    })?;
    let sink = (goes + 1..end.min(goes + 5)).any(|t| lists!("sink sinks drain drains toilet", text.word(t)));
    let scoped = sentence.clone().any(|t| lists!("except unless until if but when while undiluted hot", text.word(t)));
    if !sink || scoped {
        return None;
    }
    let mut things = phrases::groups(text, at + 1..goes);
    things.truncate(1);
    for thing in &mut things {
        let stop = thing.words.iter().position(|word| lists!("containing contain with having", word));
        thing.words.truncate(stop.unwrap_or(thing.words.len()));
    }
    things.retain(|thing| !thing.words.is_empty());
    if things.iter().all(|thing| lists!("solution chemical liquid waste residue mixture dye", thing.head())) {
        things.clear();
    }
    Some(Ban { text, at, action: Action::Drain, things, places: Vec::new(), pupils_only: false, after: None })
}

/// "Every flame must be out before the ethanol is handed round", "all burners are off when the meths is in use".
pub(super) fn put_out<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    if !lists("flame flames burner burners bunsens candle candles", text.word(at))
        || !lists("every all any each open naked the", text.word(at.wrapping_sub(1)))
        || phrases::is_denied(text, at)
    {
        return None;
    }
    let end = sentence.end.min(at + 10);
    let out = (at + 1..end).find(|t| {
        lists!("out off extinguished", text.word(*t))
            && (at + 1..*t).any(|b| lists!("be is are stay stays kept put turned", text.word(b)))
    })?;
    let scope = (out + 1..sentence.end).find(|t| lists!("before when while whenever near", text.word(*t)))?;
    let fuel = phrases::content_words(text, scope + 1..sentence.end).into_iter().find(|word| {
        lists!(
            "ethanol alcohol meth methylated spirit acetone propanone petrol solvent methanol propanol isopropanol",
            word,
        )
    })?;
    let places = vec![Group { preposition: "near".to_owned(), words: vec![fuel], tokens: scope..scope + 1 }];
    Some(Ban { text, at, action: Action::Ignite, things: Vec::new(), places, pupils_only: false, after: None })
}

/// "No open flames in the room", "no burners lit today".
pub(super) fn flames<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    let end = phrases::clause_end(text, at);
    let no = text.word(at) == "no"
        && (at + 1..end.min(at + 6))
            .any(|t| lists!("flame flames burners burner candles fire bunsens matches", text.word(t)));
    // "At any time during this investigation" is the whole of it.
    let whole = |t: usize| {
        text.word(t) == "during"
            && (t + 1..t + 4).any(|n| {
                lists!(
                    "lesson experiment practical activity investigation class session lab period work project",
                    text.word(n)
                )
            })
    };
    let scoped = (at..sentence.end)
        .any(|t| lists!("if until unless except during after before by step steps", text.word(t)) && !whole(t));
    if !no || scoped {
        return None;
    }
    // "Near the ethanol", "while it is out": it holds where that is named.
    let places = match (at..sentence.end).find(|t| lists!("near when while whenever around within", text.word(*t))) {
        None => Vec::new(),
        Some(scope) => {
            let named_before = (scope + 1..sentence.end).any(|t| lists!("it they them", text.word(t)));
            let range = if named_before { sentence.start..at } else { scope + 1..sentence.end };
            let noun =
                |word: &String| !lists("use using work working handle pour open heat near reach metre arm's", word);
            let word = phrases::content_words(text, range).into_iter().find(noun)?;
            vec![Group { preposition: "near".to_owned(), words: vec![word], tokens: scope..scope + 1 }]
        }
    };
    let things = burners(text, at + 1..end);
    Some(Ban { text, at, action: Action::Ignite, things, places, pupils_only: false, after: None })
}

/// What "no gas burners" names, which is no fire in general: a candle may be lit.
fn burners(text: &Text, range: Range<usize>) -> Vec<Group> {
    let fire = range.clone().any(|t| lists!("flame fire candle match lighter tealight spark", text.lemma(t)));
    let burner = range.into_iter().find(|t| lists!("burner bunsen", text.lemma(*t))).filter(|_| !fire);
    let named = |at: usize| Group { preposition: String::new(), words: vec!["burner".to_owned()], tokens: at..at + 1 };
    burner.map(named).into_iter().collect()
}
