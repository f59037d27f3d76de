//! Several times so much: 400 mL for four cups of 100 mL, twelve worms for two trials of six. A part of
//! `quantity_mismatch` and `count_mismatch`.

use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::mentions::Mention;
use crate::assistant::facts::nouns;
use crate::assistant::facts::words::lemma;

/// Whether a step, whose amount is a whole number of times that of a constant, can be about several of them.
pub fn is_several(
    lesson: &Lesson,
    (constant_text, constant): (&Text, &Mention),
    (text, step): (&Text, &Mention),
) -> bool {
    let of_each = || !is_of_a_run(constant_text, constant) && !is_for_one(text, step, constant);
    is_shared(lesson, text) || constant.per.is_some() && (of_each() || is_gathered(lesson, text, step, constant))
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
    let next = lesson.steps().map(|(_, text)| text).skip_while(|text| text.path != step.path).take(2);
    let mut words = next.flat_map(|text| &text.tokens);
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
    let next = lesson.steps().map(|(_, text)| text).skip_while(|known| known.path != text.path).take(2);
    let mut told = next.flat_map(Text::numerals).filter(|numeral| numeral.single() == Some(ratio));
    text.sentence(step.tokens.start).any(|at| GATHERING.contains(&text.word(at))) || told.next().is_some()
}

/// Whether it goes into one of those of which each has so much: "pour 200 mL into the first cup".
fn is_for_one(text: &Text, step: &Mention, constant: &Mention) -> bool {
    let Some(per) = constant.per.as_deref() else { return false };
    let end = step.noun.as_ref().map_or(step.tokens.end, |noun| noun.tokens.end.max(step.tokens.end));
    let place = (end..end + 3).find(|at| matches!(text.word(*at), "into" | "in" | "to" | "onto" | "on"));
    let Some(begin) = place.map(|at| at + 1) else { return false };
    let one = matches!(text.word(begin), "the" | "one" | "a" | "your" | "this");
    let begin =
        begin + usize::from(one) + usize::from(matches!(text.word(begin + 1), "first" | "second" | "other" | "next"));
    let word = text.word(begin);
    one && nouns::same_noun(&lemma(word), per) && !nouns::is_plural(word)
}
