//! Acts that a rule forbids, in the words of many teachers.

use crate::assistant::facts::lesson::Lesson;
use serde_json::json;

fn count(safety: &str, step: &str) -> usize {
    let steps = json!([{"text": "Get into your groups."}, {"text": step}, {"text": "Write down what you found out."}]);
    let content = json!({"steps": steps, "safety": [safety]});
    super::super::find(&Lesson::of(content.as_object().expect("an object"))).len()
}

#[test]
fn a_step_that_does_what_a_rule_forbids_in_whatever_words_is_found() {
    for (safety, step) in [
        (
            "Cover slips shatter. Never press them with a finger or thumb, only with the cork.",
            "Cover slip on. Fold the slide into filter paper; push straight down with your thumb, hard.",
        ),
        ("At no time may the electrodes touch each other.", "Let the two electrodes touch and see the spark."),
        (
            "Acid always goes into water, never the other way round.",
            "Add water to the acid until the beaker holds 100 mL.",
        ),
        (
            "Hot plates remain switched off until the teacher has checked the set-up.",
            "Before your teacher comes round, switch the hot plate on.",
        ),
        (
            "Nobody leans over the beaker to smell it; waft with a hand.",
            "Put your nose over the cup and take a good sniff.",
        ),
        ("No mouth pipetting.", "Draw up the yeast solution by sucking on the pipette with your mouth."),
        ("Never send the beam toward a face.", "Aim the laser pointer at your partner's eyes to see the reflection."),
        ("Please don't look at the sun.", "Point the telescope at the sun and look through the eyepiece."),
        ("Nothing from this lesson is tasted.", "Let every child try a teaspoon of the solution."),
        ("Food used in the lab is not food any more.", "Each group may eat its leftover apple slices."),
        ("The kettle is an adult's job.", "One pupil from each table boils the kettle."),
        ("Kettle: staff only. Pupils don't carry it.", "One student fetches the kettle."),
        (
            "Students shall not handle matches or any flame in this period.",
            "The group leader strikes a match and brings it near the tube.",
        ),
        (
            "Goggles stay on your face until every loop is clean.",
            "Take off your goggles, then clean your loops in the hydrochloric acid.",
        ),
        (
            "Eye protection has to be worn until the very last burner is off.",
            "With the burner still going, remove your goggles and note the colour.",
        ),
        (
            "Chemicals go in the waste jar, not down the drain.",
            "Rinse the copper sulfate solution down the sink with plenty of water.",
        ),
    ] {
        assert_eq!(count(safety, step), 1, "{safety} / {step}");
    }
}

#[test]
fn a_step_that_does_it_to_something_else_or_in_another_way_is_passed_over() {
    for (safety, step) in [
        ("No open shoes.", "Open the box and take out the magnets."),
        ("Nobody wears open shoes in the lab.", "Open the shoe box."),
        ("Do not eat the beans.", "Discuss what people eat with beans."),
        ("Only the teacher pours hot water.", "Pour 100 mL of cold water into each cup."),
        ("Do not pour chemicals down the sink.", "Pour the clean tap water down the sink."),
        ("Don't use the metal ruler near the circuit.", "Use the wooden ruler near the circuit."),
        ("Only the teacher cuts bottles.", "Turn the bottle top upside down in the bottom half."),
        ("Goggles on while the acid is out.", "When all acid is back in the tray, goggles may come off."),
        ("Do not shake the thermometer.", "Shake the bottle of water and oil."),
        ("Never point the laser at anyone.", "Point the laser at the mirror."),
        ("Do not lean on the rails.", "Lean the ramp on three books."),
        ("The nest is for looking at. Never touch it.", "Press the dough into the bottom of a nest and pat it smooth."),
        ("Children do not pour hot water.", "Stand one big step back while they pour."),
        ("Acid goes into water, never the other way round.", "Add the acid to the water."),
        (
            "Hot plates stay off until the teacher has checked the set-up.",
            "Ask the teacher to check, then switch the hot plate on.",
        ),
    ] {
        assert_eq!(count(safety, step), 0, "{safety} / {step}");
    }
}
