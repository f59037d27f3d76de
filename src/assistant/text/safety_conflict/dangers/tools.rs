//! Bare fingers where a rule asks for tongs, tweezers or gloves.

use super::super::acts::same;
use super::super::deeds::{is_deed, order};
use super::{Rule, is_spared, is_tied, things};
use crate::assistant::facts::actions::is_guarded;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::list;
use crate::assistant::facts::phrases::{self, lists};

const TOOLS: &str = "tongs pliers tweezers forceps mitts mitt towel cloth holder gripper pincers clamp";
const FINGERS: &str = "finger fingers fingertip fingertips thumb forefinger hand hands palm bare";
/// Pieces of a stuff, which is named elsewhere.
const PIECES: &str = "pellet piece chunk lump crystal block slice bit granule stick cube flake ribbon strip";

/// "Tongs are the one and only way to move it", "with pliers", "a towel round it", "it must never meet skin".
pub(super) fn tool(rule: &Rule) -> Option<usize> {
    let at = rule.find(list!(TOOLS));
    let asked = at.filter(|at| {
        let without = (at.saturating_sub(3)..*at).any(|t| rule.text.word(t) == "without");
        (without || rule.has(list!("only way with use using round around by means always through")))
            && (!phrases::is_denied(rule.text, *at) || without && rule.denies)
            && !rule
                .has(list!("prefer fine wash dirty when while whilst mop mopped wipe wiped spill spills spilled spilt"))
    });
    let skin = rule.find(list!("skin")).filter(|at| rule.denies && phrases::is_denied(rule.text, *at));
    let skin = skin.filter(|_| rule.has(list!("meet touch touches contact reach onto on come")));
    // "Gloves on for silver nitrate"
    let gloves = rule.find(list!("gloves glove")).filter(|at| {
        !phrases::is_denied(rule.text, *at)
            && rule.has(list!("on wear worn with need needs always require requires must"))
            && !rule.has(list!("off remove take after dispose bin latex"))
    });
    asked.or(skin).or(gloves)
}

/// "Take a pellet between thumb and forefinger"
pub(super) fn handled(lesson: &Lesson, rule: &Rule, step: &Text, at: usize) -> bool {
    let deed = is_deed(step.word(at)) || phrases::verb(step.word(at), &["smear", "break"]).is_some();
    if !deed || order(step, at).is_none() || is_spared(step, at) {
        return false;
    }
    let skin = rule.has(list!("gloves glove skin")) && rule.find(list!(TOOLS)).is_none();
    // "Cover it with the stain, add a cover slip and press with the thumb": the thumb is that of another deed.
    let end = phrases::clause_end(step, at);
    let next =
        |t: &usize| lists!("and then", step.word(*t)) && is_deed(step.word(t + 1)) && order(step, t + 1).is_some();
    let end = (at + 2..end).find(next).unwrap_or(end);
    let bare = |t: &usize| {
        let word = step.word(*t);
        let by = (t.saturating_sub(3).max(at)..*t).any(|b| lists!("with between in into using by", step.word(b)));
        let other = word == "hand"
            && (lists!("one other left right", step.word(t.wrapping_sub(1)))
                || lists!(
                    "lens pump warmer drill mirror saw fan towel whisk mixer held sanitiser sanitizer",
                    step.word(t + 1)
                ));
        let rubbed = (t.saturating_sub(5).max(at)..*t).any(|b| lists!("into onto on", step.word(b)));
        // With gloves alone, a hand must be said to be bare, or skin.
        word == "bare"
            || by && lists!(FINGERS, word) && !other && (!skin || !lists!("hand hands", word))
            || rubbed && (word == "skin" || word == "hand" && step.has_at(t.saturating_sub(3), &["back", "of"]))
    };
    let Some(hand) = (at + 1..end).find(bare) else { return false };
    let guarded = is_guarded(step, step.sentence(at)) && !step.sentence(at).any(|t| step.word(t) == "bare");
    let object = things(step, at + 1..end);
    let known = |word: &String| rule.things.iter().any(|thing| same(thing, word));
    let piece = || {
        let first = things(step, at + 1..hand);
        let only = first.iter().all(|word| lists!(PIECES, word)) && !first.is_empty();
        let other = |text: &Text| text.tokens.iter().any(|token| first.contains(&token.lemma));
        only && lesson.steps().filter(|(_, text)| other(text)).count() > 1
    };
    let pronoun = (at + 1..hand).any(|t| lists!("it them", step.word(t)));
    !guarded && (object.iter().any(known) || piece() || pronoun && is_tied(rule, step, at))
}
