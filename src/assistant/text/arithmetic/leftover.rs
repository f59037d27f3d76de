//! A class, its groups, and who is left over: "26 in the class: groups of four, which is five groups with two pupils left over".

use super::counted::{GROUPS, PEOPLE};
use super::shares::{counts, total};
use super::{Count, sizes};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::lists;

/// The number of groups that does not come out, the class, and how many groups there are.
pub(super) fn find(text: &Text, size: i64) -> Option<(Count, i64, i64)> {
    let numerals = text.numerals();
    if numerals.len() < 3 || numerals.len() > 8 || !text.tokens.iter().any(|token| lists!("over leftover", &token.word))
    {
        return None;
    }
    let sizes = sizes(text, numerals);
    if sizes.is_empty() || sizes.iter().any(|other| *other != size) {
        return None;
    }
    let all = counts(text);
    let total = total(text, &all)?;
    let left = all.iter().find(|count| count.value < size && is_left(text, count))?;
    let groups = all.iter().rfind(|count| {
        let start = count.numeral.tokens.start;
        start < left.numeral.tokens.start && left.numeral.tokens.start - start < 9 && is_of_groups(text, count)
    })?;
    let sentence = text.sentence(groups.numeral.tokens.start);
    let here = sentence.contains(&left.numeral.tokens.start) && sentence.contains(&total.numeral.tokens.start);
    let open = sentence.clone().any(|at| lists!("if or absent about half some", text.word(at)));
    let rest = total.value - left.value;
    let wrong = here && !open && rest % size == 0 && groups.value != rest / size && groups.value > 1;
    wrong.then(|| (Count { value: groups.value, numeral: groups.numeral.clone() }, total.value, rest / size))
}

/// "Two pupils left over", "with one over"
fn is_left(text: &Text, count: &Count) -> bool {
    let end = count.numeral.tokens.end;
    let at = end + usize::from(PEOPLE.contains(&text.lemma(end)));
    text.has_at(at, &["left", "over"]) || lists!("over leftover", text.word(at))
}

fn is_of_groups(text: &Text, count: &Count) -> bool {
    let end = count.numeral.tokens.end;
    let noun = end + usize::from(lists!("full whole complete equal", text.word(end)));
    GROUPS.contains(&text.lemma(noun)) && text.lemma(noun) != text.word(noun)
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
    fn groups_and_who_is_left_over_make_the_class() {
        let five = "26 in the class: groups of four, which is five groups with two pupils left over to run the clock.";
        assert_eq!(found(4, five), 1);
        assert_eq!(found(4, "With 29 pupils you get eight groups of four and one left over."), 1);
        assert_eq!(found(3, "31 pupils make nine full groups of three, with one pupil over."), 1);
    }

    #[test]
    fn what_makes_the_class_or_is_of_something_else_is_passed_over() {
        for text in [
            "26 in the class: groups of four, which is six groups with two pupils left over to run the clock.",
            "With 29 pupils you get seven groups of four and one left over.",
            "The 28 pupils in groups of four pour five cups with two cups left over.",
            "26 in the class: groups of four, which is five groups with two beakers left over.",
            "27 pupils: six groups of four with two left over.",
        ] {
            assert_eq!(found(4, text), 0, "{text}");
        }
    }
}
