//! Sentences about another lesson than this one: what was done last week, what the class next door does.

use super::lesson::Text;
use super::lists::lists;
use super::mentions::Mention;
use super::phrases;

/// Those who are not this group.
const OTHERS: &[&str] = &[
    "class", "classes", "group", "groups", "team", "teams", "school", "schools", "table", "pair", "pairs", "grade",
    "graders", "people", "lab", "teacher", "teachers", "course", "year", "set",
];

/// Whether the sentence that holds a token tells of another lesson, another class or another day.
pub fn is_told(text: &Text, at: usize) -> bool {
    let sentence = text.sentence(at);
    sentence.clone().any(|at| {
        let next = text.word(at + 1);
        match text.word(at) {
            // "Question 4(b) of the 2019 paper", "a 2 L jar which we do not have"
            "paper" => at.checked_sub(1).is_some_and(|before| {
                matches!(text.word(before), "past" | "exam" | "examination" | "mock")
                    || text.word(before).len() == 4 && text.word(before).bytes().all(|byte| byte.is_ascii_digit())
            }),
            "which" | "that" if matches!(next, "we" | "you" | "nobody") => {
                text.has_at(at + 2, &["do", "not", "have"])
                    || text.has_at(at + 2, &["don't", "have"])
                    || text.has_at(at + 2, &["haven't", "got"])
            }
            "yesterday" | "ago" | "tomorrow" | "previously" | "graders" => true,
            // "Incubate them until our next lesson" is done in this one.
            "next" | "following"
                if (at.saturating_sub(2)..at).any(|at| matches!(text.word(at), "until" | "till" | "by" | "before")) =>
            {
                false
            }
            "last" | "previous" | "next" | "earlier" | "following" => {
                matches!(
                    next,
                    "week"
                        | "lesson"
                        | "year"
                        | "month"
                        | "term"
                        | "class"
                        | "week's"
                        | "lesson's"
                        | "year's"
                        | "unit"
                        | "semester"
                        | "monday"
                        | "tuesday"
                        | "wednesday"
                        | "thursday"
                        | "friday"
                )
            }
            "other" | "another" | "parallel" | "neighbouring" => OTHERS.contains(&next) || next.ends_with("'s"),
            // "Ms Kaur's class"
            word => {
                word.ends_with("'s")
                    && OTHERS.contains(&next)
                    && !matches!(word, "it's" | "that's" | "let's" | "today's")
            }
        }
    })
}

/// Whether an amount is that of a thing that is imagined, found elsewhere or only compared: "with a 1 L beaker the error would be
/// bigger", "a 230 V lamp at home draws less", "does a 400 mL cup cool faster?", and not "fill the 400 mL cup".
pub fn is_imagined(text: &Text, told: &Mention) -> bool {
    let at = told.tokens.start;
    let may = |t: usize| lists!("would could might", text.word(t));
    if is_told(text, at) || told.clause.clone().any(may) {
        return true;
    }
    let sentence = text.sentence(at);
    let place = |t: usize| {
        text.has_at(t, &["at", "home"])
            || lists!("in at from", text.word(t))
                && lists!("the a your our their", text.word(t + 1))
                && lists!(
                    "cafeteria canteen supermarket shop store factory hospital restaurant bakery street bathroom",
                    text.word(t + 2),
                )
    };
    // "A 400 mL cup of tea cools more slowly than a small one" begins with it, and orders nothing.
    let leads = || {
        let article = at.wrapping_sub(1);
        lists!("a an", text.word(article)) && (article == sentence.start || text.word(article.wrapping_sub(1)) == ",")
    };
    let compares = |t: usize| lists!("than only more less", text.word(t));
    // "Your teacher shows a circuit with a 9 V battery"
    let shows =
        |t: usize| phrases::is_teacher(text, t) && lists!("shows demonstrates has uses lights", text.word(t + 1));
    // "By now you have used 1,500 mL"
    let in_all = |t: usize| lists!("have has had", text.word(t)) && text.word(t + 1) == "used";
    if (sentence.start..at).any(|t| shows(t) || in_all(t)) {
        return true;
    }
    !told.definite
        && (phrases::is_question(text, at)
            || phrases::is_supposed(text, at)
            || lists!("with in for from on using had a an", text.word(sentence.start)) && sentence.clone().any(may)
            || sentence.clone().any(place)
            || leads() && (at..sentence.end).any(compares))
}

/// Whether what ends before a token is there for all: "the oven timer at the front", "the bucket by the sink".
pub fn is_for_all(step: &Text, end: usize) -> bool {
    const PLACES: [&str; 22] = [
        "front",
        "back",
        "wall",
        "door",
        "window",
        "windowsill",
        "hall",
        "corridor",
        "room",
        "office",
        "library",
        "sink",
        "teacher's",
        "side",
        "whiteboard",
        "board",
        "kitchen",
        "playground",
        "yard",
        "staffroom",
        "ceiling",
        "prep",
    ];
    let at = matches!(step.word(end), "at" | "on" | "by" | "in" | "near" | "from" | "beside");
    at && (end + 1..end + 4).any(|at| PLACES.contains(&step.word(at)))
        && (end + 1..end + 2).any(|at| matches!(step.word(at), "the" | "my" | "your" | "our"))
}

#[cfg(test)]
mod tests {
    use super::super::lesson::Lesson;
    use super::*;
    use serde_json::json;

    #[test]
    fn another_day_or_class_is_another_lesson() {
        let told = |text: &str| {
            let content = json!({ "title": text });
            is_told(&Lesson::of(content.as_object().expect("an object")).texts()[0], 0)
        };
        for text in [
            "In last week's lesson we used five books.",
            "Two years ago we took six.",
            "Mr Shah's class used ten magnets.",
            "The other group has three.",
            "Kaur's graders tried chopsticks.",
            "Answer question 4(b) of the 2019 paper, in which the dough had 30 g of flour.",
            "Predict for a 2 L jar which we do not have.",
        ] {
            assert!(told(text), "{text}");
        }
        for text in [
            "Fill the last cup.",
            "Put the other magnet next to it.",
            "It's group work.",
            "Incubate them until our next lesson.",
            "Last, add the salt.",
        ] {
            assert!(!told(text), "{text}");
        }
    }
}
