//! Statements about the length of the lesson: "our 40-minute lesson", "the class lasts 50 minutes", "an hour-long one".

use fieldbook::assistant::facts::lesson_length::*;

#[test]
fn lesson_length_in_a_text_is_read() {
    for (text, minutes) in [
        ("Plan a fair test in our 40-minute lesson.", 40),
        ("In the last five minutes of this 90-minute session each group reports.", 90),
        ("It fits an hour-long class.", 60),
        ("In today's two-hour lesson we look for the reason.", 120),
        ("within a single half-hour period", 30),
        ("In the 40 minutes of this lesson you will see bubbles.", 40),
        ("Our lesson lasts only 50 minutes.", 50),
        ("Finish a fair test in a double lesson of 90 minutes.", 90),
        ("within our 100-minute double period", 100),
        ("With only 30 minutes for the whole lesson, can you do it?", 30),
        ("This class takes 45 min.", 45),
        ("In our 40-min lesson we test it.", 40),
        ("This class takes 45min.", 45),
        ("This class takes 45\u{a0}min.", 45),
        ("It fits our 2-hr lab.", 120),
        ("This is a 45-minute lesson.", 45),
        ("Plan it as one 45-minute period", 45),
        ("If our 40-minute lesson is too short, stop at step 4.", 40),
        ("A 45-minute lesson on seeds", 45),
        ("A 45-minute lesson.", 45),
        ("The lesson takes 90 minutes, and we also clean up.", 90),
        ("This 90-minute lesson also covers sugar", 90),
        ("This lesson takes 90 minutes, too.", 90),
        ("This is a 90-minute lesson with magnets", 90),
        ("A 90-minute lesson on salt or sugar", 90),
        ("We can do it in one 90-minute lesson.", 90),
        ("Designed for a 90-minute lesson in the lab.", 90),
        ("A 90-minute class: salt", 90),
        ("Fits in a single 90-minute period, including clean-up.", 90),
    ] {
        let found = super::read_all(read, text);
        assert_eq!(found.iter().map(|(_, length)| length.minutes).collect::<Vec<_>>(), [minutes], "{text}: {found:?}");
    }
}

#[test]
fn durations_with_other_meanings_are_not_read_as_lesson_lengths() {
    for text in [
        "Two 45-minute lessons",
        "Wait 20 minutes.",
        "the next 40-minute lesson",
        "over three 50-minute sessions",
        "a 10-minute video",
        "in the last 10 minutes of class time",
        "each 20-minute session",
        "15 minutes per class",
        "the first 45-minute lesson",
        "the session lasts one hour and forty minutes",
        "in the first 20 minutes of the lesson",
        "When 65 minutes of the lesson have gone",
        "A double lesson of 90 minutes works too.",
        "A double lesson of 90 minutes works, too.",
        "The double lesson of 90 minutes works as well.",
        "Our 90-minute lesson would do, too.",
        "If you have a 90-minute lesson, add step 6.",
        "With a 60-minute lesson you can repeat it.",
        "You can also do this in a 60-minute lesson.",
        "It fits a 45-minute lesson or two shorter ones.",
        "A 60-minute period is better.",
        "A 45-minute lesson is enough.",
        "It could be done in an hour-long class.",
        "This plan began as a 60-minute lesson and grew.",
        "Instead, plan for an hour-long class.",
    ] {
        assert_eq!(super::read_all(read, text), [], "{text}");
    }
}
