//! Cues that need more than words: bare fingers where a rule asks for a tool, a wait that is left out, what is done while it
//! runs, people that are aimed at, and places to keep out of.

use std::ops::Range;

use super::super::acts::{Broken, rows_of, same};
use super::super::deeds::{is_deed, order};
use super::{Rule, apart, is_spared, is_tied, things};
use crate::assistant::facts::actions::is_guarded;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};

const TOOLS: &str = "tongs pliers tweezers forceps mitts mitt towel cloth holder gripper pincers clamp";
const FINGERS: &str = "finger fingers fingertip fingertips thumb forefinger hand hands palm bare";
/// Pieces of a stuff, which is named elsewhere.
const PIECES: &str = "pellet piece chunk lump crystal block slice bit granule stick cube flake ribbon strip";
const PEOPLE: &str = "partner neighbour neighbor friend classmate face faces eyes somebody someone anybody yourself people \
    audience teammate opponent";
/// What something is shot out of, or thrown.
const SHOOTS: &[&str] = &[
    "fire", "squirt", "spray", "shoot", "aim", "point", "launch", "throw", "flick", "fling", "shine", "toss", "hurl",
    "send", "direct", "turn", "blow", "ping",
];
/// Places below, before and behind, in groups of those that are one.
static PLACES: [List; 5] = [
    list!("bottom foot end base"),
    list!("under below beneath underneath"),
    list!("front path"),
    list!("behind back rear"),
    list!("edge brink rim"),
];

/// What a step holds against a rule, in one of these ways.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>, rule: &Rule<'l, 'c>) -> Option<Broken<'l, 'c>> {
    let first = |at: usize, done: &dyn Fn(&Text) -> Option<usize>| {
        lesson.steps().find_map(|(index, step)| Some((rule.text, at, index, step, done(step)?)))
    };
    let one = |at: Option<usize>, is: &dyn Fn(&Text, usize) -> bool| {
        first(at?, &|step| (0..step.tokens.len()).find(|t| is(step, *t)))
    };
    one(tool(rule), &|step, at| handled(lesson, rule, step, at))
        .or_else(|| one(apart::marker(rule), &|step, at| apart::joined(rule, step, at)))
        .or_else(|| {
            let gate = waits(rule)?;
            let gated = gated(rule, gate);
            first(gate, &|step| hurried(rule, &gated, step))
        })
        .or_else(|| {
            let verb = during(rule)?;
            one(Some(verb), &|step, at| meanwhile(rule, verb, step, at))
        })
        .or_else(|| one(aimed(rule), &|step, at| aims(rule, step, at)))
        .or_else(|| {
            let verb = place(rule)?;
            one(Some(verb), &|step, at| stands(rule, verb, step, at))
        })
}

/// "Tongs are the one and only way to move it", "with pliers", "a towel round it", "it must never meet skin".
fn tool(rule: &Rule) -> Option<usize> {
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
fn handled(lesson: &Lesson, rule: &Rule, step: &Text, at: usize) -> bool {
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

/// Where a rule makes an act wait: "wait ten minutes before you unscrew it", "may be opened only once it stands still".
fn waits(rule: &Rule) -> Option<usize> {
    let gate = rule.find(list!("before once after"))?;
    let only = rule.has(list!("only wait waits let leave cool cooled cold still stopped rest stand must first"));
    only.then_some(gate)
}

/// The verbs of what has to wait.
fn gated(rule: &Rule, gate: usize) -> Vec<usize> {
    let range = if rule.text.word(gate) == "before" { gate + 1..rule.range.end } else { rule.range.start..gate };
    let verb = |t: &usize| rule.text.word(*t).len() > 2 && !rows_of(rule.text.word(*t)).is_empty();
    range.filter(|t| verb(t) || opens(rule.text, *t)).collect()
}

fn opens(text: &Text, at: usize) -> bool {
    phrases::verb(text.word(at), &["open", "unscrew", "unseal", "uncap", "undo", "lift", "remove", "take"]).is_some()
}

/// What still goes on.
const GOING: &str = "turning spinning running moving hot warm boiling rotating rolling burning glowing on live fizzing";

/// Whether a token begins words for what is done without a wait, or while something still goes on.
fn hurries(step: &Text, at: usize) -> bool {
    match step.word(at) {
        "straight" | "right" => step.word(at + 1) == "away",
        "at" => step.word(at + 1) == "once",
        "immediately" | "instantly" => true,
        "without" => step.word(at + 1) == "waiting",
        "still" => lists!("is are", step.word(at.wrapping_sub(1))) && lists!(GOING, step.word(at + 1)),
        _ => false,
    }
}

/// "Switch the lamp off and straight away unscrew the bulb"
fn hurried(rule: &Rule, gated: &[usize], step: &Text) -> Option<usize> {
    let hurries: Vec<usize> = (0..step.tokens.len()).filter(|at| hurries(step, *at)).collect();
    if hurries.is_empty() {
        return None;
    }
    (0..step.tokens.len()).find(|at| {
        let at = *at;
        let clause = phrases::clause_start(step, at)..phrases::clause_end(step, at);
        let start = step.sentence(at).start;
        let near = |hurry: &usize| {
            clause.contains(hurry) || (start..clause.start).contains(hurry) && step.word(*hurry) == "still"
        };
        // "… and straight away unscrew it" is an order too.
        let chained = || {
            lists!("away once", step.word(at.wrapping_sub(1)))
                && lists!("and then", step.word(at.wrapping_sub(3)))
                && !phrases::is_denied(step, at)
        };
        let word = step.word(at);
        let mine = rows_of(word);
        let gate = |gate: &usize| {
            let other = rule.text.word(*gate);
            stem(other) == stem(word)
                || rows_of(other).iter().any(|row| mine.iter().any(|own| std::ptr::eq(*own, *row)))
                || opens(rule.text, *gate) && opens(step, at)
        };
        word.len() > 2
            && hurries.iter().any(near)
            && gated.iter().any(gate)
            && (order(step, at).is_some() || chained())
            && !is_spared(step, at)
            && is_tied(rule, step, at)
    })
}

/// Words for what goes on.
const ONGOING: &str =
    "flowing flows live running runs spinning turning hot burning lit boiling moving on connected rotating";
const LIFTS: &[&str] = &["lift", "hoist", "raise", "pull", "take", "remove", "draw"];
const MOVES: &[&str] = &["touch", "adjust", "move", "change", "swap", "turn", "tighten"];

/// "Nobody lifts an electrode from a live cell", "never adjust it while it is running".
fn during(rule: &Rule) -> Option<usize> {
    let at = rule.range.clone().find(|t| {
        [LIFTS, MOVES].iter().any(|row| phrases::verb(rule.text.word(*t), row).is_some())
            && phrases::is_denied(rule.text, *t)
    })?;
    rule.has(list!(ONGOING)).then_some(at)
}

/// "Leave the supply going and hoist both rods clear"
fn meanwhile(rule: &Rule, verb: usize, step: &Text, at: usize) -> bool {
    let word = step.word(at);
    let row = [LIFTS, MOVES]
        .iter()
        .any(|row| phrases::verb(word, row).is_some() && phrases::verb(rule.text.word(verb), row).is_some());
    if !row || order(step, at).is_none() || is_spared(step, at) {
        return false;
    }
    let sentence = step.sentence(at);
    let going = sentence.clone().any(|t| {
        lists!("while with leave leaving keep still", step.word(t))
            && (t + 1..(t + 7).min(sentence.end))
                .any(|n| lists!("going running runs on live flowing flows connected turning spinning", step.word(n)))
    });
    let rods =
        |text: &Text, mut range: Range<usize>| range.any(|t| lists!("electrode electrodes rod rods", text.word(t)));
    let end = phrases::clause_end(step, at);
    let electrodes = || rods(rule.text, 0..rule.text.tokens.len()) && rods(step, at + 1..end);
    going && (electrodes() || is_tied(rule, step, at))
}

/// "Syringes may not be squirted at people"
fn aimed(rule: &Rule) -> Option<usize> {
    let text = rule.text;
    let at = rule.find(list!("at towards toward into"))?;
    let people = (at + 1..rule.range.end.min(at + 5)).any(|t| {
        lists!(PEOPLE, text.word(t)) || lists!("person anyone others other students pupils eye", text.word(t))
    });
    let shoots = rule.range.clone().any(|t| phrases::verb(text.word(t), SHOOTS).is_some());
    (people && shoots && phrases::is_denied(text, at)).then_some(at)
}

/// "Fire a jet of water from the syringe at your partner"
fn aims(rule: &Rule, step: &Text, at: usize) -> bool {
    if phrases::verb(step.word(at), SHOOTS).is_none() || order(step, at).is_none() || is_spared(step, at) {
        return false;
    }
    let end = phrases::clause_end(step, at);
    let hit = (at + 1..end).any(|t| {
        let first = if lists!("your the a", step.word(t + 1)) { t + 2 } else { t + 1 };
        let person = lists!(PEOPLE, step.word(first)) || step.has_at(first, &["each", "other"]);
        let owned = step.word(first).ends_with("'s") && lists!("face head eyes", step.word(first + 1));
        let ends = first + 1 >= end || lists!("and then to so with from who as while", step.word(first + 1));
        lists!("at towards toward into", step.word(t)) && (person && ends || owned)
    });
    hit && is_tied(rule, step, at)
}

/// The place that nobody is to stand at: "nobody stands at the bottom end".
fn place(rule: &Rule) -> Option<usize> {
    let text = rule.text;
    rule.range.clone().find(|t| {
        phrases::verb(text.word(*t), &["stand", "sit", "kneel", "crouch", "walk", "wait"]).is_some()
            && phrases::is_denied(text, *t)
            && !places(text, t + 1..phrases::clause_end(text, *t)).is_empty()
    })
}

/// The groups of places that tokens name.
fn places(text: &Text, range: Range<usize>) -> Vec<usize> {
    let named = |row: &List| range.clone().any(|t| row.has(text.word(t)));
    PLACES.iter().enumerate().filter(|(_, row)| named(row)).map(|(number, _)| number).collect()
}

/// "Two of you crouch at the foot of the ramp"
fn stands(rule: &Rule, verb: usize, step: &Text, at: usize) -> bool {
    let person = || order(step, at).is_some() || step.has_at(at.saturating_sub(2), &["of", "you"]);
    let pose = phrases::verb(step.word(at), &["stand", "sit", "kneel", "crouch", "wait", "lie", "squat"]).is_some();
    if !pose || !person() || phrases::is_denied(step, at) || is_spared(step, at) {
        return false;
    }
    let end = phrases::clause_end(step, at);
    let direct = phrases::groups(step, at + 1..end).first().is_some_and(|group| group.preposition.is_empty());
    let wanted = places(rule.text, verb + 1..phrases::clause_end(rule.text, verb));
    let known = things(rule.text, 0..rule.text.tokens.len());
    let tied = (at + 1..end).any(|t| known.iter().any(|thing| same(thing, step.lemma(t))));
    !direct && tied && places(step, at + 1..end).iter().any(|row| wanted.contains(row))
}
