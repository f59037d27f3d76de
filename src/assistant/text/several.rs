//! Several times so much: 400 mL for four cups of 100 mL, twelve worms for two trials of six. A part of
//! `quantity_mismatch` and `count_mismatch`.

use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::Mention;
use crate::assistant::facts::nouns;

/// Whether a step, whose amount is a whole number of times that of a constant, can be about several of them.
pub fn is_several(
    lesson: &Lesson,
    (constant_text, constant): (&Text, &Mention),
    (text, step): (&Text, &Mention),
) -> bool {
    // "10 mL in every trial", "measure 20 mL in the cylinder, pour it into the flask"
    if is_given((constant_text, constant), (text, step)) {
        return is_parted(lesson, text, step) || names_all(lesson, text, step, constant);
    }
    let of_each = || !is_of_a_run(constant_text, constant);
    is_shared(lesson, text) || constant.per.is_some() && (of_each() || is_gathered(lesson, text, step, constant))
}

/// This step and the next.
fn soon<'a, 'c>(lesson: &'a Lesson<'c>, step: &Text) -> impl Iterator<Item = &'a Text<'c>> {
    let path = step.path.clone();
    lesson.steps().map(|(_, text)| text).skip_while(move |text| text.path != path).take(2)
}

/// Whether a step gives so much to one thing at once: "add 10 mL with the cylinder", "pour 200 mL into the first cup".
fn is_given((constant_text, constant): (&Text, &Mention), (text, step): (&Text, &Mention)) -> bool {
    let Some(per) = constant.per.as_deref() else { return false };
    let run = is_of_a_run(constant_text, constant);
    const STORES: &str = "jug kettle pan pot bucket basin pitcher bottle stock tray box bowl bag saucepan tub trough sink cylinder balance paper towel \
         newspaper desk table bench scale beaker sheet spoon lid syringe";
    let gives = |at: usize| {
        lists!(
            "add pour put tip drop sprinkle squirt squeeze drip pipette place run stir lay set lower scatter slide insert \
             empty inject spoon transfer give",
            text.word(at)
        )
    };
    let sentence = text.sentence(step.tokens.start);
    let from = step.noun.as_ref().map_or(step.tokens.end, |noun| noun.tokens.end.max(step.tokens.end));
    // "Into the flask" of a trial, "into the first jar" of jars, "to it"
    let goes = |at: usize| {
        let begin = at + 2 + usize::from(lists!("first second third other next", text.word(at + 2)));
        let one_thing = lists!("the one a your this", text.word(at + 1));
        let named = || nouns::phrase(&text.tokens, begin, false).filter(|_| one_thing);
        let one = |noun: &nouns::Phrase| {
            let fits = if run { !lists!(STORES, &noun.head) } else { nouns::same_noun(&noun.head, per) };
            fits && !nouns::is_plural(text.word(noun.tokens.end.wrapping_sub(1)))
        };
        lists!("into in to onto on", text.word(at)) && (text.word(at + 1) == "it" || named().as_ref().is_some_and(one))
    };
    let given = (step.clause.start..step.tokens.start).rev().find(|at| gives(*at));
    let later = || (from..sentence.end).find(|at| gives(*at) && lists!("it them this all", text.word(at + 1)));
    let whole = |given: usize| {
        let end = sentence.end.min(given.max(from) + 6);
        let mut places = (given.max(from)..end).filter(|at| lists!("into onto in on to", text.word(*at)));
        places.next().is_none_or(goes)
    };
    given.is_some_and(whole) || later().is_some_and(|given| (given..sentence.end.min(given + 5)).any(goes))
}

/// Whether this step or the next tells that what was put there is shared out.
fn is_parted(lesson: &Lesson, text: &Text, step: &Mention) -> bool {
    const PARTING: &str = "share shared shares divide divided split among amongst between equally equal portion portions batch enough total";
    let own = text.sentence(step.tokens.start).any(|at| lists!("each every all both per", text.word(at)));
    own || soon(lesson, text).flat_map(|text| &text.tokens).any(|token| lists!(PARTING, &token.word))
}

/// Whether this step or the next speaks of more than one of those of which each has so much, or of as many of them.
fn names_all(lesson: &Lesson, text: &Text, step: &Mention, constant: &Mention) -> bool {
    let Some(per) = constant.per.as_deref() else { return false };
    let ratio = (step.low / constant.low).round();
    soon(lesson, text).any(|text| {
        text.tokens.iter().any(|token| nouns::is_plural(&token.word) && nouns::same_noun(&token.lemma, per))
            || text.numerals().iter().any(|numeral| {
                // "The other two" are two more.
                numeral.single() == Some(ratio) && text.word(numeral.tokens.start.wrapping_sub(1)) != "other"
            })
    })
}

/// "On Friday give it three times as much, as nobody comes on the weekend"
pub fn is_for_days(text: &Text, step: &Mention) -> bool {
    const DAYS: [&str; 9] =
        ["weekend", "friday", "saturday", "sunday", "holiday", "holidays", "vacation", "days", "weekly"];
    text.sentence(step.tokens.start).any(|at| DAYS.contains(&text.word(at)))
}

/// Whether a step, or the next one, tells that what there is goes into several things.
fn is_shared(lesson: &Lesson, step: &Text) -> bool {
    const SHARING: [&str; 20] = [
        "share", "shared", "divide", "divided", "split", "among", "amongst", "between", "equally", "equal", "each",
        "every", "per", "all", "both", "enough", "total", "batch", "portion", "portions",
    ];
    let mut words = soon(lesson, step).flat_map(|text| &text.tokens);
    words.any(|token| token.is_one_of(&SHARING))
}

/// Whether an amount is that of each run; the steps tell of one.
pub fn is_of_a_run(text: &Text, told: &Mention) -> bool {
    const RUNS: [&str; 8] = ["run", "trial", "test", "experiment", "attempt", "try", "round", "repeat"];
    told.per.as_deref().is_some_and(|per| RUNS.contains(&per))
        || text.has_at(told.clause.end.saturating_sub(2), &["each", "time"])
}

/// Whether a step gets more together first than goes into one, or tells of as many as it is enough for.
pub fn is_gathered(lesson: &Lesson, text: &Text, step: &Mention, constant: &Mention) -> bool {
    const GATHERING: [&str; 15] = [
        "collect", "fetch", "get", "prepare", "mix", "heat", "boil", "make", "take", "measure", "bring", "stock",
        "jug", "kettle", "warm",
    ];
    let ratio = (step.low / constant.low).round();
    let mut told = soon(lesson, text).flat_map(Text::numerals).filter(|numeral| numeral.single() == Some(ratio));
    text.sentence(step.tokens.start).any(|at| GATHERING.contains(&text.word(at))) || told.next().is_some()
}
