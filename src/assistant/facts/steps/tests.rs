//! Which words refer to a step, and which do not.

use super::*;
use serde_json::json;

fn references(text: &str) -> Vec<i64> {
    let content = json!({ "safety": [text] });
    step_references(content.as_object().expect("an object")).into_iter().map(|r| r.number).collect()
}

#[test]
fn a_step_is_referred_to_by_its_number() {
    assert_eq!(references("See step 9."), [9]);
    assert_eq!(references("Repeat Steps 2, 3 and 11; then step no. 4"), [2, 3, 11, 4]);
    assert_eq!(references("steps 2–5 again, as in step #7"), [2, 5, 7]);
}

#[test]
fn a_measure_after_the_word_is_no_reference() {
    assert_eq!(references("Write the result of step 9 in your book"), [9]);
    assert_eq!(references("step 9 step 9 m"), [9]);
    assert_eq!(references("Steps: 1, 9"), [1, 9]);
    assert_eq!(references("Repeat step 9 in pairs"), [9]);
    assert_eq!(references("The beaker in step 9 foams"), [9]);
    assert_eq!(references("See step 9 v. step 1; step 3 shows how"), [9, 1, 3]);
    assert_eq!(references("Take what is left of steps 9 and 20 cm of string"), [9]);
    assert_eq!(references("After step 1, 10 drops are added"), [1]);
    for text in [
        "Step 20 cm back",
        "a step 20cm high",
        "Step 3 metres away",
        "step 2.5 m",
        "Each step 10 points",
        "a stepped 3",
        "12 steps",
        "step 100 times",
    ] {
        assert_eq!(references(text), [0; 0], "{text}");
    }
}

#[test]
fn steps_far_beyond_the_last_belong_to_stairs_where_any_text_has_some() {
    let found = |title: &str| {
        let content = json!({ "title": title, "safety": ["Stop on the landing at step 30."], "steps": [{}, {}] });
        step_references(content.as_object().expect("an object")).len()
    };
    assert_eq!((found("Running up the bleachers"), found("Human power")), (0, 1));
}

#[test]
fn words_and_ordinals_refer_too() {
    assert_eq!(references("Say what the ninth step has shown; see step nine."), [9, 9]);
    assert_eq!(references("Repeat steps seven to twelve and the 14th step"), [7, 12, 14]);
    assert_eq!(references("In step twenty-one students draw it"), [21]);
    for text in
        ["Take steps two at a time", "step five metres back", "on every ninth step", "nine steps", "step one's toes"]
    {
        assert!(references(text).iter().all(|number| *number == 1), "{text}");
    }
}

#[test]
fn steps_that_are_counted_go_up_to_the_last() {
    let found = |field: &str, text: &str| {
        let content = json!({ field: text, "steps": [{}, {}, {}, {}, {}] });
        step_references(content.as_object().expect("an object")).into_iter().map(|r| r.number).collect::<Vec<_>>()
    };
    for text in [
        "Read all nine steps before touching anything.",
        "I listen in on the last of the nine steps.",
        "Having worked through the nine steps given here, the learner can separate inks.",
        "One point for each of the 9 steps carried out without prompting.",
        "Tick all of the nine steps of this method.",
        "Exit slip straight after the ninth and final step.",
    ] {
        assert_eq!(found("assessment", text), [9], "{text}");
    }
    assert_eq!(found("title", "A Shiny Penny in Nine Easy Steps"), [9]);
    for text in [
        "Read all five steps first.",
        "Name all nine steps of the water cycle.",
        "The last of the nine steps on the poster is hard.",
        "Climb all nine steps.",
        "Walk all nine steps to the wall.",
        "Follow the nine steps.",
    ] {
        assert_eq!(found("assessment", text), [0; 0], "{text}");
    }
    assert_eq!(found("title", "The Rock Cycle in Nine Steps"), [0; 0]);
    assert_eq!(found("assessment", "The frog gets out of the well in nine steps"), [0; 0]);
}

#[test]
fn steps_of_stairs_and_of_other_texts_are_none_of_the_lesson() {
    for text in [
        "Go back to step 9 of the handout and check the scale.",
        "Follow Activity 11.2 of the textbook up to its step 9.",
        "Climb at walking speed. One stands at step 25.",
        "Each stair is 16 cm high, so step 25 is at 4 m.",
        "Do step 9 of the procedure in Activity 4",
        "Do the worksheet up to step 9.",
        "Use step 9 on page 4.",
        "See worksheet, step 9.",
        "In the app, tap step 9.",
        "The card has nine steps; read step 9 of it.",
        "Look at step 9 in the manual.",
        "Hop to the ninth step of the staircase.",
        "In fifth grade they come back to it (Grade 5 unit, step 9).",
        "The web version of this lesson has a step 9 with an app.",
        "In last week's lesson we stopped at step 9.",
        "Follow steps 1 to 9 on the worksheet for the first cut",
        "Read the protocol on the handout: steps 1 to 9 are done in a real lab.",
        "Watch the trainer video; pause it after step 9 and copy the movement.",
        "Each partner reads the card and follows its ten steps; initial step 10 when you see cells.",
        "Follow the poster's nine steps above the sink, and take special care with step 9.",
        "Read the whole method sheet; steps 1 to 8 on the sheet are for today.",
        "Open the online tutorial and work to the end of step 9.",
        "Draw a pyramid of numbers with the steps 10, 8, 4 and 2.",
        "Draw the pyramid of biomass with the steps 500, 40, 3 and 0.2 kg.",
        "A random walker of 20 steps seldom gets past step 10.",
        "Open the virtual dissection and go as far as step 9, where the heart appears.",
    ] {
        assert_eq!(references(text), [0; 0], "{text}");
    }
    for text in [
        "Copy the value of step 9 on the handout.",
        "Write the result of step 9 in your book",
        "Read the handout. Then go to step 9.",
        "Read the card and go back to step 9.",
        "This lesson of nine steps ends with step 9.",
        "Use the Rf value that you calculated in step 9.",
    ] {
        assert_eq!(references(text), [9], "{text}");
    }
}
