//! Things spread over several places or people: a thermometer in each cup, a lens for each of you. A part of
//! `material_quantity`.

use super::material_quantity::{from_elsewhere, is_of_something, more};
use super::one_each::is_child;
use super::{Match, amounts};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::nouns::{self, Phrase};
use crate::assistant::facts::numbers;
use crate::assistant::facts::words::lemma;

/// Prepositions before the places that things are spread over.
pub const WHERE: [&str; 13] =
    ["in", "into", "inside", "on", "onto", "under", "for", "to", "through", "beside", "near", "over", "around"];

/// So many places are told apart at most; more of them are no arrangement on a table.
const MOST: f64 = 12.0;

/// What measures, sieves or stirs for one place after the other; "one level teaspoon" is so much of something.
pub const TOOLS: [&str; 12] = [
    "teaspoon",
    "tablespoon",
    "spoon",
    "spoonful",
    "scoop",
    "cylinder",
    "jug",
    "pipette",
    "dropper",
    "funnel",
    "sieve",
    "label",
];

/// Whether a thing measures, sieves or stirs: a "potato cylinder" does not.
pub fn is_tool(noun: &Phrase) -> bool {
    let measures = |word: &String| word.starts_with("measur") || word.starts_with("graduat");
    TOOLS.contains(&noun.head.as_str())
        && (noun.head != "cylinder" || noun.modifiers.is_empty() || noun.modifiers.iter().any(measures))
}

/// How many places "each …" speaks of, and the token after what names them: as the step tells it, or as many as are listed.
fn places(lesson: &Lesson, step: &Text, each: usize) -> Option<(f64, usize)> {
    told_places(lesson, step, each).or_else(|| listed_places(lesson, step, each))
}

/// The same for things that stay there: what is dropped or rolled in each tray can be taken out again.
pub fn left_places(lesson: &Lesson, step: &Text, each: usize) -> Option<(f64, usize)> {
    let stays = |at: usize| lists!("plant sow put place add bury push lay stick set tape glue plug", step.word(at));
    let listed = || {
        let whole =
            lesson.materials().iter().all(|material| material.notes.is_none_or(|notes| notes.numerals().is_empty()));
        (step.sentence(each).any(stays) && !is_in_turn(step, each) && whole)
            .then(|| listed_places(lesson, step, each))?
    };
    told_places(lesson, step, each).or_else(listed)
}

/// "In each jar", where a list has three jars and no step takes some of them.
fn listed_places(lesson: &Lesson, step: &Text, each: usize) -> Option<(f64, usize)> {
    let noun = nouns::phrase(&step.tokens, each + 1, false).filter(|noun| noun.tokens.start == each + 1)?;
    let (_, count) = amounts::fitting(lesson, &noun)?;
    let some =
        |told: &Mention| told.dimension.is_none() && told.noun.as_ref().is_some_and(|other| other.head == noun.head);
    let fewer = |step: &Text| mentions(step).iter().any(|told| some(told) && taken(step, told) < count);
    let some_are_taken = lesson.steps().any(|(_, step)| fewer(step));
    (!some_are_taken).then_some((count, noun.tokens.end))
}

/// How many of what is told are taken: six in "six of the twelve wells".
pub fn taken(step: &Text, told: &Mention) -> f64 {
    let start = told.tokens.start;
    let of = start.wrapping_sub(1 + usize::from(lists!("the your these our its", step.word(start.wrapping_sub(1)))));
    let part = step.numerals().iter().find(|numeral| step.word(of) == "of" && numeral.tokens.end == of);
    part.and_then(|part| part.single()).filter(|part| *part < told.low).unwrap_or(told.low)
}

/// How many places "each …" speaks of by the words of the step, and the token after what names them.
pub fn told_places(lesson: &Lesson, step: &Text, each: usize) -> Option<(f64, usize)> {
    let one = usize::from(step.word(each + 1) == "one");
    let of = step.word(each + 1 + one) == "of";
    if one == 1 && !of {
        return None;
    }
    let begin = each + 1 + one + usize::from(of);
    let begin = begin + usize::from(of && matches!(step.word(begin), "the" | "your" | "these" | "our"));
    let begin = begin + usize::from(step.word(begin) == "other");
    if of && let Some(numeral) = numbers::numeral(&step.tokens, begin) {
        let noun = nouns::phrase(&step.tokens, numeral.tokens.end, true);
        // What is tested is tested one after the other.
        const TESTED: [&str; 8] = ["object", "material", "item", "surface", "thing", "substance", "run", "trial"];
        if noun.as_ref().is_some_and(|noun| TESTED.contains(&noun.head.as_str())) {
            return None;
        }
        return Some((numeral.single()?, noun.map_or(numeral.tokens.end, |noun| noun.tokens.end)));
    }
    let noun = nouns::phrase(&step.tokens, begin, of).filter(|noun| noun.tokens.start == begin)?;
    if is_child(&noun.head) {
        let size = lesson.group_size().filter(|size| (2..=12).contains(size))?;
        return Some((size as f64, noun.tokens.end));
    }
    let told = || {
        mentions(step).into_iter().find(|told| {
            let same = told.noun.as_ref().is_some_and(|other| other.head == noun.head);
            told.dimension.is_none() && told.tokens.start < each && same && told.numeral.single().is_some()
        })
    };
    // "Each oven, and set both ovens in the sun"
    let both = || {
        let of_it = |at: usize| nouns::phrase(&step.tokens, at + 1, true).is_some_and(|other| other.head == noun.head);
        (0..step.tokens.len()).any(|at| step.word(at) == "both" && of_it(at)).then_some(2.0)
    };
    let count = told().map(|told| taken(step, &told)).or_else(both)?;
    Some((count, noun.tokens.end))
}

/// Whether a sentence tells that things stand there together, not one after the other.
fn is_at_once(step: &Text, at: usize) -> bool {
    let sentence = step.sentence(at);
    let has = |words: &[&str]| sentence.clone().any(|at| step.has_at(at, words));
    has(&["at", "once"])
        || has(&["same", "time"])
        || has(&["same", "moment"])
        || has(&["side", "by", "side"])
        || has(&["in", "a", "row"])
        || has(&["of", "its", "own"])
        || has(&["of", "their", "own"])
        || sentence.clone().any(|at| matches!(step.word(at), "simultaneously" | "together"))
}

/// Whether what is there once is used for one after the other.
fn is_in_turn(step: &Text, at: usize) -> bool {
    const TURNS: [&str; 13] = [
        "turns", "time", "then", "next", "reading", "after", "again", "rinse", "wipe", "move", "moving", "once",
        "repeat",
    ];
    const USED: [&str; 9] = ["use", "using", "with", "read", "measure", "test", "check", "touch", "stir"];
    let sentence = step.sentence(at);
    // "Turn the bottles upside down" takes no turns.
    let turn = |at: usize| step.word(at) == "turn" && lists!("in a your their its each", step.word(at.wrapping_sub(1)));
    sentence.clone().any(|at| TURNS.contains(&step.word(at)) || turn(at))
        || sentence.clone().any(|at| USED.contains(&step.word(at)))
}

/// The preposition before "each", or before the part that is told of each: "into the neck of each".
fn place_before(step: &Text, each: usize) -> Option<usize> {
    const PARTS: &str = "neck mouth top bottom middle center centre lid hole slot opening end side base rim inside edge back front bulb tip bowl";
    let before = each.checked_sub(1)?;
    if WHERE.contains(&step.word(before)) {
        return Some(before);
    }
    let part = before.checked_sub(1).filter(|_| step.word(before) == "of")?;
    let begin = part.checked_sub(1)?;
    let article = usize::from(lists!("the its an a", step.word(begin)));
    let place = begin.checked_sub(article)?;
    (lists!(PARTS, step.lemma(part)) && WHERE.contains(&step.word(place))).then_some(place)
}

/// "Toss one coin for each of ten traits": it is the same one.
pub fn is_tossed(step: &Text, thing: usize) -> bool {
    thing.checked_sub(1).is_some_and(|verb| lists!("toss flip roll spin throw", &lemma(step.word(verb))))
}

/// "A thermometer in each cup", where there are three cups and two thermometers.
pub fn in_each(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    let place = place_before(step, at)?;
    let sentence = step.sentence(at);
    let first =
        (sentence.start.max(at.saturating_sub(9))..place).rfind(|at| matches!(step.word(*at), "a" | "an" | "one"))?;
    let noun = nouns::phrase(&step.tokens, first + 1, false).filter(|noun| noun.tokens.start == first + 1)?;
    // "A strip of litmus paper into each of the eight tubes"
    let pieces = is_of_something(step, &noun);
    let end = if pieces { nouns::phrase(&step.tokens, noun.tokens.end, false)?.tokens.end } else { noun.tokens.end };
    // "A thermometer next to each bag"
    let place = if step.has_at(place.wrapping_sub(1), &["next", "to"]) { place - 1 } else { place };
    // "A separate dropper for each of the three liquids"
    let apart = noun.tokens.start..noun.tokens.end;
    let apart = apart.into_iter().any(|at| lists!("separate different own individual", step.word(at)));
    // "Stand a thermometer in every can and leave all of them there"
    let stays = (0..step.tokens.len()).any(|at| {
        lists!("stay stays remain remains leave leaves left", step.word(at))
            && (at + 1..at + 5).any(|at| lists!("there throughout inside", step.word(at)))
    });
    // "Half a lemon in each bowl"
    let before = |back: usize| step.word(first.wrapping_sub(back));
    let part = step.word(first + 1) == "half"
        || before(1) == "half"
        || before(1) == "of" && lists!("half quarter third", before(2));
    if end != place || part || is_tossed(step, first) || is_tool(&noun) && !apart && !stays {
        return None;
    }
    let together = apart || stays || is_at_once(step, at);
    if !together && is_in_turn(step, at) || from_elsewhere(step, at) {
        return None;
    }
    let (count, _) = places(lesson, step, at).filter(|(count, _)| (2.0..=MOST).contains(count))?;
    let (material, have) =
        if pieces { amounts::pieces(lesson, step, &noun)? } else { amounts::fitting(lesson, &noun)? };
    let what = format!("one for each of {count}");
    (count > have && (have > 1.0 || together)).then(|| more(lesson, step, first, &material, count, have, &what))
}

/// The verb of "each of you needs a lens", "every one of the four takes a lens".
fn verb_of_all(lesson: &Lesson, step: &Text, each: usize) -> Option<usize> {
    let of = each + 1 + usize::from(step.word(each + 1) == "one");
    let who = of + 1 + usize::from(lists!("the your our", step.word(of + 1)));
    let all = || numbers::small_number(step.word(who)).is_some_and(|size| lesson.group_size() == Some(size as i64));
    (step.word(of) == "of" && (step.word(who) == "you" || all())).then_some(who + 1)
}

/// "Each cup gets its own thermometer", "everybody needs a hand lens".
pub fn each_has(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    const HAS: [&str; 21] = [
        "takes",
        "gets",
        "receives",
        "needs",
        "has",
        "holds",
        "uses",
        "collects",
        "wears",
        "keeps",
        "contains",
        "picks",
        "want",
        "have",
        "prepares",
        "folds",
        "fills",
        "plants",
        "decorates",
        "mounts",
        "labels",
    ];
    let all_do = match step.word(at) {
        "everyone" | "everybody" => Some(at + 1),
        _ if is_child(&lemma(step.word(at + 1))) => Some(at + 2),
        _ => verb_of_all(lesson, step, at),
    };
    let (count, verb) = match all_do {
        Some(verb) => (lesson.group_size().filter(|size| (2..=12).contains(size))? as f64, verb),
        None => places(lesson, step, at)?,
    };
    let first = verb + 1;
    let own = step.word(first + 1) == "own" && matches!(step.word(first), "its" | "their" | "his" | "her");
    let article = own || matches!(step.word(first), "a" | "an" | "one" | "his" | "her" | "their" | "its");
    if !HAS.contains(&step.word(verb)) || !article {
        return None;
    }
    let begin = first + 1 + usize::from(own);
    // Of half lemons two need one.
    let count = match step.word(begin) {
        "half" => (count / 2.0).ceil(),
        "third" => (count / 3.0).ceil(),
        "quarter" => (count / 4.0).ceil(),
        _ => count,
    };
    let noun = nouns::phrase(&step.tokens, begin, false).filter(|noun| noun.tokens.start == begin)?;
    // "Each partner takes a pair of forceps, and both of you pull at once"
    if noun.head == "pair" && is_of_something(step, &noun) && is_at_once(step, at) && !from_elsewhere(step, at) {
        let (material, have) = amounts::pieces(lesson, step, &noun)?;
        let what = format!("a pair for each of {count}");
        let needed = if is_child(&lemma(step.word(at + 1))) { 2.0 } else { count };
        return (needed > have && count <= MOST).then(|| more(lesson, step, at, &material, needed, have, &what));
    }
    // "A spoon of sugar" is none, "a lens of their own" is one.
    let own = own || matches!(step.word(noun.tokens.end + 1), "their" | "his" | "her" | "its");
    let turns = ["turn", "turns", "share", "shares", "pass", "passes", "then", "after"];
    let shared = step.tokens.get(step.sentence(at))?.iter().any(|token| token.is_one_of(&turns));
    if shared || from_elsewhere(step, at) || is_of_something(step, &noun) && !own {
        return None;
    }
    let (material, have) = amounts::fitting(lesson, &noun)?;
    let what = format!("one for each of {count}");
    (count > have && count <= MOST && (have > 1.0 || own))
        .then(|| more(lesson, step, at, &material, count, have, &what))
}

/// "Keep each mixture in a flask of its own, all five in a row", "pour each of the three liquids into its own cup"
pub fn of_its_own(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    let sentence = step.sentence(at);
    let own = (at..sentence.end).find(|at| match step.word(*at) {
        "own" => lists!("its their", step.word(at.wrapping_sub(1))),
        "separate" | "different" => step.word(at.wrapping_sub(1)) == "a",
        _ => false,
    })?;
    let of = step.word(own.wrapping_sub(2)) == "of";
    let (first, noun) = if of {
        let article = (at..own).rfind(|at| matches!(step.word(*at), "a" | "an"))?;
        (article, nouns::phrase(&step.tokens, article + 1, false).filter(|noun| noun.tokens.end + 2 == own)?)
    } else {
        let placed = lists!("in into on onto inside under with", step.word(own.wrapping_sub(2)));
        (
            own.wrapping_sub(1),
            nouns::phrase(&step.tokens, own + 1, false).filter(|noun| placed && noun.tokens.start == own + 1)?,
        )
    };
    let all = (sentence.start..sentence.end).filter(|at| step.word(*at) == "all").find_map(|at| {
        let begin = at + 1 + usize::from(step.word(at + 1) == "the");
        numbers::numeral(&step.tokens, begin)?.single()
    });
    let count = all.filter(|_| of).or_else(|| places(lesson, step, at).map(|(count, _)| count))?;
    if from_elsewhere(step, at) {
        return None;
    }
    let (material, have) = amounts::fitting(lesson, &noun)?;
    let what = format!("one for each of {count}");
    (count > have && (2.0..=MOST).contains(&count)).then(|| more(lesson, step, first, &material, count, have, &what))
}

#[cfg(test)]
mod tests;
