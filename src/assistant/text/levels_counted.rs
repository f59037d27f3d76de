//! How many levels the independent variable lists, against a step that says how many there are: "surface (wood, carpet,
//! tile)", "repeat for all five surfaces". A part of `count_mismatch`.

use super::count_mismatch::NAME;
use super::{Match, amounts, conflict};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::nouns;
use crate::assistant::facts::numbers::Numeral;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::phrases;

/// Words of a list that is not all there is, or that leaves something out.
const OPEN: &str = "e.g. e.g eg etc such like example including about from between without control none no plus also unknown \
    more to up at per each every any other others";

/// What is varied that the things are counted by: "number of washers (1, 2, 3)".
const COUNTED: &str = "number amount many count how";

/// Everything found: the first step that says another number.
pub fn find(lesson: &Lesson) -> Option<Match> {
    let text = lesson.text(Role::Independent)?;
    let (count, head) = listed(text)?;
    lesson.steps().find_map(|(_, step)| {
        let numeral = step.numerals().iter().find(|numeral| is_another(text, head, step, numeral, count))?;
        let told = numeral.tokens.start.saturating_sub(1)..numeral.tokens.end + 1;
        let reason = format!(
            "the independent variable lists {count}, but {} says \"{}\".",
            amounts::place(step),
            step.words(&told)
        );
        let new = conflict(NAME, text.quote_all(), step.quote_sentence(told.start), reason);
        Some(new.suggesting(format!("Say {count} here, or list all that is tried.")))
    })
}

/// How many levels a text lists after a bracket or a colon, and the token of what they are levels of.
fn listed(text: &Text) -> Option<(i64, usize)> {
    let begin = (0..text.tokens.len()).find(|at| matches!(text.word(*at), "(" | ":"))?;
    let end = (begin + 1..text.tokens.len()).find(|at| text.word(*at) == ")").unwrap_or(text.tokens.len());
    let whole = text.word(begin) == ":" || end + 1 >= text.tokens.len();
    let closed =
        !(begin..end).any(|at| lists!(OPEN, text.word(at)) || matches!(text.word(at), "?" | "…" | ";" | "–" | "-"));
    let counted = (0..begin).any(|at| lists!(COUNTED, text.word(at)));
    // "Water and air, oil, or dry air": what "and" joins is one level where "or" parts them.
    let or = (begin..end).any(|at| text.word(at) == "or");
    let mut items = vec![0];
    for at in begin + 1..end {
        let parts = matches!(text.word(at), "," | "or" | "/") || !or && matches!(text.word(at), "and" | "&");
        match items.last_mut() {
            Some(0) if parts => {}
            _ if parts => items.push(0),
            Some(last) => *last += 1,
            None => {}
        }
    }
    let count = items.len() as i64;
    let plain = items.iter().all(|words| (1..=4).contains(words)) && (3..=8).contains(&count);
    let head = head(text, begin)?;
    (whole && closed && !counted && plain).then_some((count, head))
}

/// What the levels are levels of: the temperature in "temperature of the water", the liquid in "kind of liquid".
fn head(text: &Text, end: usize) -> Option<usize> {
    let joins = |at: &usize| lists!("of on in for at under over with", text.word(*at));
    let first = (0..end).find(joins).unwrap_or(end);
    let kind = lists!("type kind sort variety brand species make choice", text.lemma(first.checked_sub(1)?));
    let second = (first + 1..end).find(joins).unwrap_or(end);
    if kind { second.checked_sub(1).filter(|at| *at > first) } else { first.checked_sub(1) }
}

/// Whether a number says how many of the levels there are, and says it wrong: "all five", "each of the five", and of
/// "the other five" one more.
fn is_another(text: &Text, head: usize, step: &Text, numeral: &Numeral, count: i64) -> bool {
    let at = numeral.tokens.start;
    let before = |back: usize| step.word(at.wrapping_sub(back));
    let the = usize::from(lists!("the your our these", before(1)));
    let all = before(the + 1) == "all" || the == 1 && before(2) == "of" && lists!("each every all", before(3));
    let others = lists!("other remaining", before(1));
    let Some(told) = numeral.whole().filter(|told| (2..=12).contains(told)) else { return false };
    // "Water all nine plants" of three kinds: several of each.
    let wrong = all && told % count != 0 || others && told >= count;
    let skip = usize::from(step.word(numeral.tokens.end) == "different");
    let part = || lists!("that which who of you left", step.word(numeral.tokens.end + skip + 1));
    let noun = numeral.tokens.end + skip;
    let of_it = nouns::is_plural(step.word(noun))
        && step.word(noun + 1) != "of"
        && text.lemma(head) == step.lemma(noun)
        && step.tokens.get(noun + 1).is_none_or(nouns::ends_a_phrase);
    wrong
        && of_it
        && !part()
        && !other_lessons::is_told(step, at)
        && !hands::is_shown(step, at)
        && !phrases::is_question(step, at)
}

#[cfg(test)]
mod tests {
    use super::super::count_mismatch;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(independent: &str, step: &str) -> usize {
        let content = json!({ "variables": { "independent": independent }, "steps": [{ "text": step }] });
        count_mismatch::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn another_number_of_levels_than_are_listed_is_found() {
        for (independent, step) in [
            ("type of surface (wood, carpet, sandpaper, tile)", "Draw a bar for each of the five surfaces."),
            ("temperature of the water (10, 20, 30 and 40 °C)", "Repeat for all five temperatures."),
            ("mass on the spring: 100, 200, 300, 400 and 500 g", "Repeat with the other five masses."),
            ("kind of liquid (tap water, oil, syrup)", "Test all four liquids."),
            ("colour of the filter: red, green or blue", "Count the bubbles with each of the four different colours."),
        ] {
            assert_eq!(found(independent, step), 1, "{independent} | {step}");
        }
    }

    #[test]
    fn lists_that_are_open_and_other_numbers_are_passed_over() {
        for (independent, step) in [
            ("type of surface (wood, carpet, sandpaper, tile)", "Draw a bar for each of the four surfaces."),
            ("type of surface (wood, carpet, sandpaper, tile)", "Repeat on the other three surfaces."),
            ("type of surface (wood, carpet, sandpaper, tile)", "Repeat on the other two surfaces."),
            ("type of surface (such as wood, carpet, tile)", "Draw a bar for each of the five surfaces."),
            ("number of washers (1, 2, 3)", "Take all four washers off."),
            ("kind of liquid (tap water, oil, syrup)", "Fill all four cups."),
            ("mass of the car (100 g, 200 g, 300 g)", "Compare the times of all four cars."),
            ("mass on the hook (50 g, 100 g, 150 g)", "Write down all six masses that you can make."),
            ("kind of liquid (tap water, oil, syrup, none as a control)", "Test all three liquids."),
            ("temperature of the water (10 to 50 °C)", "Repeat for all five temperatures."),
            ("radius of the ball: 1.0, 1.5, 2.0, 2.5 mm", "Do all five balls before you go on."),
            ("kind of ball (steel, glass, wood)", "Do all five balls of one kind first."),
            ("type of plant (bean, pea, cress)", "Water all nine plants."),
            ("what surrounds the nails: water and air, boiled water under oil, or dry air", "Rub all six nails."),
            ("type of surface (wood, carpet, tile)", "Find four surfaces in the room."),
        ] {
            assert_eq!(found(independent, step), 0, "{independent} | {step}");
        }
    }
}
