//! Things that a rule keeps apart, and a step that brings them together: "at least a metre from", "well clear of", "stored
//! apart", "never brought together".

use super::super::acts::same;
use super::super::deeds::order;
use super::{Rule, is_spared, things};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::list;
use crate::assistant::facts::phrases::{self, lists};

/// What shares a current with people and water.
const ELECTRIC: &str = "electric electrics electrical electricity mains electronics electronic";
const LIVE: &str = "plug socket cord cable supply pack outlet laptop computer charger adapter extension";
/// Verbs of bringing one thing to another.
const PUTS: &[&str] = &[
    "put", "place", "set", "lay", "stand", "rest", "hang", "hold", "pour", "tip", "drop", "dip", "lower", "sprinkle",
    "shake", "scatter", "stick", "tape", "clip", "touch", "press", "move", "bring", "slide", "push", "spread", "draw",
    "balance", "lean", "prop", "store", "stack", "mix", "add", "dust", "wrap", "fasten", "attach", "spray",
];

/// Where a rule keeps things apart.
pub(super) fn marker(rule: &Rule) -> Option<usize> {
    let text = rule.text;
    rule.range.clone().find(|t| {
        let far = lists!("from of", text.word(*t))
            && (t.saturating_sub(4).max(rule.range.start)..*t)
                .any(|b| lists!("away clear far apart metre metres cm distance centimetres", text.word(b)))
            && rule.has(list!("keep kept stay stays stored store hold held remain remains belong belongs be"));
        let near = lists!("together near close", text.word(*t))
            && phrases::is_denied(text, *t)
            && rule.has(list!("brought bring near come comes put stored kept goes go"));
        far && !phrases::is_denied(text, *t) || near
    })
}

/// "Lay your phone on top of the magnet"
pub(super) fn joined(rule: &Rule, step: &Text, at: usize) -> bool {
    if phrases::verb(step.word(at), PUTS).is_none() || order(step, at).is_none() || is_spared(step, at) {
        return false;
    }
    let Some((before, after)) = sides(rule) else { return false };
    let end = phrases::clause_end(step, at);
    // "Lay the phone there and turn to the magnet" brings nothing to it.
    let next = |t: &usize| lists!("and then", step.word(*t)) && hands::is_deed(step, t + 1);
    let end = (at + 1..end).find(next).unwrap_or(end);
    let spared = (at..end).any(|t| {
        lists!(
            "away far apart metre metres cm other from off out before behind cold dry empty unplugged opposite clear unlit",
            step.word(t),
        )
    });
    if spared {
        return false;
    }
    let is = |words: &[String], t: usize| words.iter().any(|word| same(word, step.lemma(t)));
    (at + 1..end).any(|link| {
        let close = lists!(
            "on onto in into round around against to with near next beside at over above under beneath inside along \
             across through between",
            step.word(link),
        );
        let meets = |one: &[String], other: &[String]| {
            let first = (at + 1..link).find(|t| is(one, *t));
            first.is_some_and(|first| {
                (link + 1..end.min(link + 9)).any(|t| is(other, t) && !same(step.lemma(first), step.lemma(t)))
            })
        };
        close && (meets(&before, &after) || meets(&after, &before))
    })
}

/// What stands before the marker of a rule, and behind it.
fn sides(rule: &Rule) -> Option<(Vec<String>, Vec<String>)> {
    let text = rule.text;
    let marker = marker(rule)?;
    let mut before = things(text, rule.range.start..marker);
    // "Salt burns a snail's skin; it has to be kept away from the board"
    let pronoun = (rule.range.start..marker).any(|t| lists!("it they them", text.word(t)));
    if let Some(last) = rule.range.start.checked_sub(1).filter(|_| pronoun) {
        before.extend(things(text, text.sentence(last)).into_iter().take(1));
    }
    let together = text.word(marker) == "together";
    let mut after = things(text, marker + 1..phrases::clause_end(text, marker));
    if together {
        after.clone_from(&before);
    }
    let worn = |word: &String| lists!("hair sleeve clothing scarf cuff tie clothe jewellery", word);
    if before.iter().chain(&after).any(worn) {
        return None;
    }
    for words in [&mut before, &mut after] {
        if words.iter().any(|word| lists!(ELECTRIC, word)) {
            words.extend(LIVE.split_ascii_whitespace().map(str::to_owned));
        }
        words.retain(|word| !lists!("exit window door path wall bank supply-room pupil water's route aisle", word));
    }
    Some((before, after))
}
