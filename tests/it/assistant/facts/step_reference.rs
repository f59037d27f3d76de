//! References to steps by their number: "repeat step 3", "steps 2 to 5", "the ninth step".

use fieldbook::assistant::facts::step_reference::*;

fn steps(text: &str) -> Vec<i64> {
    read(text).into_iter().map(|(_, _, step)| step).collect()
}

#[test]
fn reference_to_a_step_by_its_number_is_read() {
    for (text, expected) in [
        ("See step 9.", vec![9]),
        ("Repeat Steps 2, 3 and 11; then step no. 4", vec![2, 3, 11, 4]),
        ("steps 2–5 again, as in step #7", vec![2, 5, 7]),
        ("Say what the ninth step has shown; see step nine.", vec![9, 9]),
        ("Repeat steps seven to twelve", vec![7, 12]),
        ("Write the result of step 9 in your book", vec![9]),
        ("After step 1, 10 drops are added", vec![1]),
        ("Repeat step 3 of the procedure", vec![3]),
        ("REPEAT STEP 12", vec![12]),
    ] {
        assert_eq!(steps(text), expected, "{text}");
    }
}

#[test]
fn text_that_only_looks_like_a_step_reference_is_not_read_as_a_reference() {
    for text in [
        "Step 20 cm back",
        "a step 20cm high",
        "Step 3 metres away",
        "step 2.5 m",
        "a stepped 3",
        "12 steps",
        "step 100 times",
        "Follow step 9 of the handout",
        "In Activity 4, step 9",
        "Take steps two at a time",
        "the worksheet's step 9",
        "The card has its ten steps; initial step 10",
        "do step 12 on page 3",
        "in a step 3",
        "in the steps 10, 8 and 4",
        "Say step 3, step 5 and step 9 of the card",
        "step by step",
    ] {
        assert_eq!(steps(text), [0; 0], "{text}");
    }
}
