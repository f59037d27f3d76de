//! From what value to what other something goes from one level to the next: "the time rose from 6.5 min at 0.1 % to 14.0 min
//! at 0.5 %", "fell from 90 s to 35 s as the temperature rose from 20 °C to 60 °C".

use std::ops::Range;

use super::values::Value;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;

/// Words with which only a part of the course is told, or another.
const OTHER: &str = "difference total altogether mean average sum would could might should if again then back down by";

/// Both rows of a course: the value and its level at the beginning, and those at the end.
pub(super) fn rows(text: &Text, sentence: &Range<usize>, values: &[Value]) -> Option<[[Value; 2]; 2]> {
    let [one, two, three, four] = values else { return None };
    let word = |value: &Value| text.word(value.at.wrapping_sub(1));
    let denied = sentence.clone().any(|at| {
        lists!(OTHER, text.word(at)) && !text.has_at(at, &["down", "from"])
            || matches!(text.word(at), "not" | "no" | "never")
    });
    if denied || word(one) != "from" {
        return None;
    }
    let row = |one: &Value, other: &Value| [one.clone(), other.clone()];
    // "From 6.5 min at 0.1 % to 14.0 min at 0.5 %"
    let level = |value: &Value| {
        let article = usize::from(lists!("the a", word(value)));
        lists!("at in with for on", text.word(value.at.wrapping_sub(1 + article)))
    };
    if level(two) && word(three) == "to" && level(four) {
        return Some([row(one, two), row(three, four)]);
    }
    // "From 90 s to 35 s as the temperature rose from 20 °C to 60 °C"
    let both = word(two) == "to" && word(three) == "from" && word(four) == "to";
    both.then(|| [row(one, three), row(two, four)])
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    const SHORTER: &str =
        "The higher the concentration of the acid, the shorter the time (ET50) until the ribbon is gone.";

    #[test]
    fn a_course_that_is_said_to_agree_and_goes_the_other_way_is_found() {
        let mut missed = Vec::new();
        for (hypothesis, other) in [
            (
                SHORTER,
                "Our prediction was confirmed, because the ET50 rose from 6.5 min at 0.1 % to 14.0 min at 0.5 %.",
            ),
            (SHORTER, "As predicted, the time went up from 35 s in the 0.5 M acid to 90 s in the 2.0 M acid."),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "The hypothesis was upheld: the time for the tablet increased from 20 s at 15 °C to 80 s at 60 °C.",
            ),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "Our idea was right, as the time of the tablet climbed from 20 s to 80 s when the water went from 15 °C to 60 °C.",
            ),
            (
                "The longer the wire, the smaller the current.",
                "The data support the hypothesis: the current rises from 0.2 A at 10 cm to 0.9 A at 80 cm.",
            ),
            (
                "A heavier marble makes a wider crater.",
                "It came true as we predicted: the width of the crater went from 6.2 cm with 5 g to 3.9 cm with 40 g.",
            ),
        ] {
            if found(hypothesis, other).0 != 1 {
                missed.push(other);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn a_course_that_agrees_or_is_of_something_else_is_passed_over() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                SHORTER,
                "Our prediction was confirmed, because the ET50 fell from 14.0 min at 0.1 % to 6.5 min at 0.5 %.",
            ),
            (SHORTER, "As predicted, the time went down from 90 s in the 0.5 M acid to 35 s in the 2.0 M acid."),
            (SHORTER, "As predicted, the temperature rose from 18 °C at 0.5 % to 24 °C at 2.0 %."),
            (SHORTER, "Was the prediction confirmed when the ET50 rose from 6.5 min at 0.1 % to 14.0 min at 0.5 %?"),
            (SHORTER, "The ET50 rose from 6.5 min at 0.1 % to 14.0 min at 0.5 %, so the prediction was not confirmed."),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "As predicted, the time for the tablet fell from 80 s at 15 °C to 20 s at 60 °C.",
            ),
            (
                "The longer the wire, the smaller the current.",
                "As predicted, the resistance rises from 2 Ω at 10 cm to 9 Ω at 80 cm.",
            ),
        ] {
            if found(hypothesis, other) != (0, 0) {
                wrong.push(other);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
