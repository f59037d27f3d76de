//! Words around the name of a class that make it this one: "pupils, for whom this practical is written", "as lower-sixth
//! geologists you …".

use std::sync::LazyLock;

use regex::Regex;

use crate::assistant::facts::patterns::compiled;

const LESSON: &str = r"(?:unit|lesson|practical|lab|activity|investigation|task|sheet|project|experiment|worksheet|plan|workshop|session|class)";
const MADE: &str = r"(?:written|designed|made|meant|planned|pitched|intended|aimed|built|prepared|devised|created|adapted|set|suited|suitable)";

/// What follows it: that the lesson is made for it.
static FOLLOWED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(&format!(
        r"(?ix)^(?:[\s-]+[\w'’-]+){{0,3}}?,?\s (?: (?:for|at|to)\s(?:whom|which)\s(?:this|our|the\s(?:whole|entire))\s(?:\w+\s)?{LESSON}\s(?:is|was|has\sbeen)\b
            | (?:(?:that|which|whom)\s)?(?:this|our)\s(?:\w+\s)?{LESSON}\s(?:is|was|has\sbeen)\s(?:\w+\s)?{MADE}\s(?:for|at|to)\b
            | (?:(?:just|exactly)\s)?(?:like|such\sas)\s(?:you|us|ourselves|yourselves)\b )"
    ))
});

/// What stands before it and what after, where somebody is addressed as it: "as …, you".
static ADDRESSED: LazyLock<Option<Regex>> =
    LazyLock::new(|| compiled(r"(?i)^(?:[\s-]+[\w'’-]+){0,2}?,?\s(?:you|we)(?:['’]|\s)"));
static AS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[,;:(—–]\s*|\b(?:and|but|so|since|because|that)\s)as\s(?:(?:the|our|true|proud|young|keen|real|good)\s)*$",
    )
});

/// "— that's you lot —"
static IS_YOU: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)^(?:[\s-][\w'’-]+){0,2}?\s?[,(—–-]\s?(?:that(?:['’]s|\sis)|which\s(?:is|means)|meaning|i\.e\.|in\sother\swords)\s(?:all\sof\s)?(?:you|us|we|ourselves|yourselves)\b",
    )
});

/// "Meet the third-grade benchmark", "works towards the Year 5 objectives"
static MEETS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)(?:^|[.:;]\s)(?:meets?|reach(?:es)?|covers?|fulfils?|fulfills?|satisf(?:y|ies)|achieves?)\s(?:all\s|every\s)?(?:the\s|our\s)?$",
    )
});
static STANDARD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)^[-\s](?:science\s)?(?:benchmarks?|standards?|expectations?|objectives?|outcomes?|targets?|requirements?)\b",
    )
});

/// Whether the words before and after the name of a class make it this one.
pub(super) fn is_owned(before: &str, after: &str) -> bool {
    let is = |regex: &LazyLock<Option<Regex>>, text: &str| regex.as_ref().is_some_and(|regex| regex.is_match(text));
    is(&FOLLOWED, after)
        || is(&IS_YOU, after)
        || is(&AS, before) && is(&ADDRESSED, after)
        || is(&MEETS, before) && is(&STANDARD, after)
}

/// Whether children of an age may be those of others: "our five-year-olds in the kindergarten next door".
pub(super) fn is_of_others(text: &str) -> bool {
    ["next door", "budd", "visit", "neighbo", "brother", "sister", "younger"].iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::{Value, json};

    fn found(grade: &Value, text: &str) -> usize {
        let content = json!({"grade": grade, "objectives": [text]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_class_for_which_the_lesson_is_made_or_that_is_addressed_is_this_one() {
        let mut missed = Vec::new();
        for (grade, text) in [
            (json!(11), "Give Secondary 1 pupils, for whom this practical is written, a first look at the alcohols."),
            (json!("3"), "As lower-sixth geologists you've no need of the long words today."),
            (json!("Grade 8"), "Meet the 3rd-grade benchmark this unit was written for: tell hot from cold."),
            (json!(9), "A second grader like you can read a thermometer."),
            (json!(4), "As ninth-grade chemists, we balance equations."),
            (json!("Year 5"), "The Year 10 class that this lesson was designed for draws the curve."),
            (json!(2), "Meets the eighth-grade standards on energy."),
            (json!("Year 4"), "As true upper-sixth physicists you will state Hooke's law."),
            (json!(10), "Our seven-year-olds sort shells by shape."),
            (json!(3), "Suitable for fourteen-year-olds."),
        ] {
            if found(&grade, text) != 1 {
                missed.push(text);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn another_class_is_not() {
        for (grade, text) in [
            (json!(11), "Show Secondary 1 pupils, who visit us on Friday, the alcohols."),
            (json!(4), "As ninth graders do next door, write in ink."),
            (json!(8), "It builds on the 3rd-grade benchmark that you met long ago."),
            (json!(9), "Explain it so that a second grader can follow you."),
            (json!(7), "As in Year 4, we begin with the safety rules."),
            (json!(5), "The story is about seven-year-olds on Mars."),
            (json!(10), "Your seven-year-old sister may ask why."),
        ] {
            assert_eq!(found(&grade, text), 0, "{text}");
        }
    }
}
