//! How many are in the class, in other words than "28 pupils": "the strength of the class is 35", "36 in 7B", "all 28 come out".

use super::Count;
use super::counted::PEOPLE;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::lists;

/// Whether a number is told to be that of the class so.
pub(super) fn is_told(text: &Text, count: &Count) -> bool {
    let (start, end) = (count.numeral.tokens.start, count.numeral.tokens.end);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    match before(1) {
        "is" | ":" | "totals" => is_strength(text, start - 1) && ends(text, end),
        "only" | "just" => {
            let there = lists!("are have re there're we're", before(2));
            in_the_room(text, end) || there && (of_us(text, end) || pupils_here(text, end))
        }
        "are" | "have" => lists!("there we you", before(2)) && in_a_class(text, end),
        "all" => lists!("come sit gather walk line", text.word(end)),
        _ => false,
    }
}

fn ends(text: &Text, at: usize) -> bool {
    !text.tokens.get(at).is_some_and(|token| token.is_word()) || lists!("so and today this", text.word(at))
}

/// "Strength of the class is", "our class size is", "the number of pupils is"
fn is_strength(text: &Text, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| text.word(at));
    let class = |word: &str| lists!("class section roll register form", word);
    let number = |word: &str| lists!("strength number size enrolment enrollment headcount", word);
    lists!("enrolment enrollment headcount attendance", before(1))
        || class(before(1)) && (1..5).any(|back| number(before(back)))
        || number(before(1)) && (class(before(2)) || lists!("our", before(2)))
        || before(2) == "of" && number(before(3)) && PEOPLE.contains(&text.lemma(at - 1))
}

/// "Sixteen in the room"
fn in_the_room(text: &Text, at: usize) -> bool {
    text.word(at) == "in"
        && lists!("the our my this your", text.word(at + 1))
        && lists!("room class classroom section", text.word(at + 2))
}

fn of_us(text: &Text, at: usize) -> bool {
    text.word(at) == "of" && lists!("you us them", text.word(at + 1))
}

/// "Sixteen pupils today"
fn pupils_here(text: &Text, at: usize) -> bool {
    PEOPLE.contains(&text.lemma(at)) && (ends(text, at + 1) || in_the_room(text, at + 1))
}

/// "36 in 7B", "28 in Year 6"
fn in_a_class(text: &Text, at: usize) -> bool {
    let bytes = |at: usize| text.tokens.get(at).map(|token| token.bytes.clone());
    let named = lists!("year grade class form primary standard", text.word(at + 1)) && ends(text, at + 2);
    let lettered = || {
        let (digits, letter) = (bytes(at + 1)?, bytes(at + 2)?);
        let one = letter.len() == 1 && text.tokens.get(at + 2)?.is_word();
        Some(digits.end == letter.start && digits.len() < 3 && text.word(at + 1).parse::<i64>().is_ok() && one)
    };
    // "28 in Year 6 and 30 in Year 5"
    let one = text.sentence(at).filter(|year| text.word(*year) == text.word(at + 1)).count() == 1;
    text.word(at) == "in" && one && (named || lettered().unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(size: i64, text: &str) -> usize {
        let content = json!({"groupSize": size, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn classes_told_in_other_words_are_counted() {
        for (size, text) in [
            (7, "Strength of the class is 35; form seven groups and appoint a leader for each."),
            (4, "The class size is 32: we form six groups."),
            (2, "It's a small school, only sixteen in the room, so four groups."),
            (4, "There are only sixteen of you, so three groups."),
            (4, "There are just twenty pupils today, so six groups."),
            (4, "As there are 36 in 7B, we'll run six groups, each with a colour."),
            (4, "There are 28 in Year 6, so six groups."),
            (4, "All 28 come out at once in four groups, one to each side of the bed."),
        ] {
            assert_eq!(found(size, text), 1, "{text}");
        }
    }

    #[test]
    fn classes_that_come_out_and_other_numbers_are_passed_over() {
        for (size, text) in [
            (5, "Strength of the class is 35; form seven groups and appoint a leader for each."),
            (4, "The strength of the acid is 35; form six groups."),
            (4, "There are only sixteen of you, so four groups."),
            (4, "Only sixteen of the 28 pupils come today; form four groups."),
            (4, "There are 36 seeds in 7B's tray, so six groups of seeds."),
            (4, "There are 28 in Year 6 and 30 in Year 5; make fifteen groups."),
            (7, "All 28 come out at once in four groups, one to each side of the bed."),
            (4, "All 28 go on the rack in six groups."),
        ] {
            assert_eq!(found(size, text), 0, "{text}");
        }
    }
}
