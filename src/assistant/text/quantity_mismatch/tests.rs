//! Amounts that cannot both hold, and amounts that can.

use super::*;
use serde_json::{Value, json};

fn found(content: &Value) -> Vec<String> {
    find(&Lesson::of(content.as_object().expect("an object"))).into_iter().map(|found| found.finding.reason).collect()
}

fn constant(constant: &str, steps: &[&str]) -> Vec<String> {
    let steps: Vec<Value> = steps.iter().map(|text| json!({ "text": text })).collect();
    found(&json!({ "variables": { "controlled": [constant] }, "steps": steps }))
}

#[test]
fn a_constant_that_a_step_does_not_keep_is_found() {
    for (constant_, step) in [
        ("100 mL of water in every bottle", "Pour 150 mL of warm water into each bottle."),
        ("Volume of water: 100 mL", "Measure 80 mL of water into the cup."),
        ("water (100 mL)", "Now add 0.25 L of water to it."),
        ("Lamp 15 cm from the tube", "Set the lamp 0.25 m from the first tube."),
        ("Mass of sugar: 10 g", "Weigh 15 g of sugar into the bag."),
        ("Release angle (10°)", "Draw the bob aside to an angle of 20° and release it."),
        ("Drop height: 50 cm", "Drop the ball from 1 m."),
        ("Stirring time: 30 s", "Add it and stir for 45 seconds."),
        ("Water temperature: 40 °C", "Fill it with water at 50 °C."),
        ("5 drops of dye in each", "Squeeze 8 drops of dye into the cup."),
        (
            "25 cm³ of 1.0 mol/dm³ hydrochloric acid in each run",
            "Measure 40 cm³ of the hydrochloric acid into the cup.",
        ),
        ("five drops of iodine on each leaf", "Let eight drops of iodine fall on each leaf."),
        ("half a cup of sand in every tray", "Pour a quarter of a cup of sand into each tray."),
        ("Fertiliser: 2 g per pot", "Sprinkle 5 g of fertiliser in each pot."),
        ("Each student rests for 2 minutes between the runs", "Rest for 5 minutes between the runs."),
        ("Length of each straw: 12 cm", "Cut each straw to 15 cm and fix the loops."),
        ("Current held at 0.5 A", "Adjust the rheostat until the current is 0.8 A."),
        ("a quarter teaspoon of yeast per tube", "Put half a teaspoon of yeast in each tube."),
        ("Bulb rated 60 W", "Screw in the 100 W bulb and close the box."),
        ("amount of baking soda: 1 tsp", "Tip two teaspoons of baking soda into it."),
        ("Volume of milk used (200 ml)", "Into every beaker go 250 ml of milk."),
        ("We drop from 2 m each time", "Tape two metre sticks to the wall and let it drop from 1.5 m."),
        ("Voltage of the supply: 6 V", "Set the power pack to 12 V."),
        ("Every cup holds 200 mL of water", "Fill each cup with 150 mL of water."),
        ("Length of string - 40 cm", "Tie the bob to 60 cm of string."),
        ("soaking time of ten minutes", "Let the potato pieces soak for fifteen minutes."),
        ("Each plant gets 30 mL of water a day", "Water each plant with 50 mL of water."),
        ("Volume of solution: 30 cm³ in every tube", "Pour 20 cm³ of the appropriate solution into each one."),
        ("Hydrochloric acid: 5 ml in each run", "Add 10 ml of the acid and start timing."),
        ("incubation temperature: 37 °C", "Put the plates in the incubator at 25 °C."),
        ("Ramp set at 20 cm", "Prop the ramp up to a height of 30 cm."),
        ("Shaken for 30 seconds each", "Shake each jar for one minute."),
        ("Number of drops: 5", "Let 8 drops fall on the coin."),
        ("2 teaspoons of salt per jar", "Put 3 teaspoons of salt in each jar."),
        ("10 mL of acid in every trial", "Measure 20 mL of acid in the cylinder, pour it into the flask and start."),
        ("5 mL of peroxide in each tube", "Take one tube at a time, add 10 mL of peroxide with the cylinder."),
        ("50 mL of water in each jar", "Pour 100 mL of water into the first jar and screw the lid on."),
        ("20 g of soil per pot", "Weigh 40 g of soil and tip it into the pot."),
        ("100 ml of water poured on each soil", "Pour 80 ml of water slowly over the soil in each funnel."),
        ("Incubation at 25 °C", "Turn the plates over and incubate them at 37 °C until our next lesson."),
    ] {
        assert_eq!(constant(constant_, &[step]).len(), 1, "{constant_} | {step}");
    }
}

#[test]
fn amounts_that_can_both_hold_are_not_found() {
    for (constant_, steps) in [
        ("200 mL of water in each cup", &["Top up the cup with 20 mL of water after an hour."][..]),
        ("200 mL of water", &["Rinse with 50 mL of water."]),
        ("500 mL of water in each trial", &["Do it once more. By now you have used 1,500 mL of water."]),
        ("One 1.5 V cell", &["Your teacher shows a circuit with a 9 V battery and a buzzer."]),
        ("height of the drop, 5 m", &["Trial drop from the stage, 1 m. Improve; then drop it from the window."]),
        ("distance of 5 cm from hole to screen", &["Set the lamp 50 cm from the hole."]),
        ("Glycerol at 21 °C", &["What does 1 °C do to glycerol?"]),
        ("Marble: glass, 16 mm", &["Drop the steel ball from 50 cm and then your glass marble from 50 cm."]),
        ("Alum: 20 g dissolved per 100 mL", &["Weigh 50 g of alum into the beaker."]),
        ("100 mL of water per cup", &["Measure out 400 mL of water.", "Share it among four cups."]),
        (
            "300 mL of hot water per jar",
            &["Measure out 900 mL of hot water and pour an equal share into each of the jars."],
        ),
        (
            "300 mL of hot water per jar",
            &["The teacher measures out 900 mL of hot water with the jug and shares it out."],
        ),
        ("3 drops of dye", &["Add one drop of dye, stir, and add two more drops of dye."]),
        ("12 cm straws", &["Cut a 20 cm straw to 12 cm."]),
        ("200 mL of water", &["Fill the cup with 200 mL of water.", "Rinse it with 50 mL of water."]),
        ("1 litre of water in the tank", &["Fill the tank with 1 litre from a 2 litre bottle."]),
        ("half a cup of sand", &["Add 1/2 cup of sand to it."]),
        ("0.50 kg of sand", &["Weigh 500 g of sand."]),
        ("50 mL of water", &["Fill the 250 mL beaker.", "Pour in water to the 250 mL mark."]),
        ("50 mL of water", &["Add 20 mL of salt water."]),
        ("50 mL of water", &["Pour 25 mL of water in, then another 25 mL of water."]),
        ("50 mL of water", &["Add 5 mL of vinegar."]),
        ("50 mL of water", &["Use at least 30 mL of water to rinse."]),
        ("Stirring time: 30 s", &["Wait 2 minutes before you read the scale."]),
        ("Pulse at 60 bpm", &["Set the metronome to 1 Hz."]),
        ("Lamp 15 cm from the tube", &["Cut a piece of tube 5 cm long."]),
        ("10 g of salt", &["Add 10 g of salt to the cup.", "Sprinkle 2 g of salt on the ice."]),
        ("Half a cup (125 mL) of water to start with", &["Pour 125 mL of water into the dish."]),
        ("1 cup of water", &["Pour 250 mL of water into the beaker."]),
        ("50 mL of acid per run", &["Collect 150 mL of acid for the three runs."]),
        ("100 mL of water in each beaker", &["Boil 200 mL of water.", "Fill the beakers to the line."]),
        ("100 mL of water", &["Add 10 mL of acid so that there are 110 mL of water and acid in all."]),
        ("5 mL of peroxide in each tube", &["Pour 20 mL of peroxide into the beaker, enough for four tubes."]),
        ("10 mL of acid in every trial", &["Measure 30 mL of acid.", "Use a third of it for the first trial."]),
        ("50 mL of water in each jar", &["Pour 200 mL of water into the jug and from there into the jars."]),
        ("20 g of soil per pot", &["Weigh 60 g of soil and tip it onto the newspaper. Fill each pot."]),
        ("100 mL of water", &["Last week's lesson began with 150 mL of water."]),
        ("100 ml", &["Gießen Sie 50 ml Wasser ein."]),
    ] {
        assert_eq!(constant(constant_, steps), [""; 0], "{constant_} | {steps:?}");
    }
    let varied = json!({ "variables": { "independent": "Temperature of the water: 10, 25, 40 °C", "controlled": ["Water temperature at the start 20 °C"] },
        "steps": [{ "text": "Fill it with water at 40 °C." }] });
    assert_eq!(found(&varied), [""; 0]);
}

#[test]
fn notes_strengths_and_expectations_are_laid_beside_the_steps() {
    let notes = json!({ "materials": [{ "name": "Extraction buffer", "notes": "allow 10 mL for each bag" }],
        "steps": [{ "text": "Pour 15 mL (1 tablespoon) of buffer into each bag." }] });
    assert_eq!(found(&notes).len(), 1);
    let bath = |notes: &str, step: &str| {
        let content = json!({ "materials": [{ "name": "Water bath", "notes": notes }], "steps": [{ "text": step }] });
        found(&content).len()
    };
    assert_eq!(bath("set to 35 °C before the lesson", "Stand the bottles in the water bath at 50 °C."), 1);
    assert_eq!(bath("preheated to 40 °C", "Set the water bath to 60 °C and wait."), 1);
    assert_eq!(bath("set to 35 °C before the lesson", "Stand the bottles in the water bath at 35 °C."), 0);
    assert_eq!(bath("set to 35 °C", "Wait at the water bath until the milk is heated to 30 °C."), 0);
    assert_eq!(bath("goes up to 90 °C", "Set the water bath to 60 °C."), 0);
    let strength = json!({ "materials": [{ "name": "Hydrochloric acid, 1 M" }], "steps": [{ "text": "Add 20 mL of 2 M hydrochloric acid." }] });
    assert_eq!(found(&strength).len(), 1);
    let told = json!({ "hypothesis": "The 20 g of salt will melt the ice.", "steps": [{ "text": "Sprinkle 35 g of salt on it." }] });
    assert_eq!(found(&told).len(), 1);
    let kept = json!({ "hypothesis": "A 5 g sugar cube will dissolve faster in warm water.", "variables": { "controlled": ["One 3 g sugar cube in each beaker"] } });
    assert_eq!(found(&kept).len(), 1);
    let invented = json!({ "assessment": "Sam used 20 g of salt. What happened?", "steps": [{ "text": "Sprinkle 35 g of salt on it." }] });
    assert_eq!(found(&invented), [""; 0]);
    let before = json!({ "steps": [{ "text": "Measure 100 mL of water." }, { "text": "Heat the 150 mL of water." }] });
    assert_eq!(found(&before).len(), 1);
}

#[test]
fn each_side_can_give_way() {
    let content =
        json!({ "variables": { "controlled": ["100 mL of water"] }, "steps": [{ "text": "Pour 80 mL of water." }] });
    let found = find(&Lesson::of(content.as_object().expect("an object")));
    let edits: Vec<String> = found[0].mends.iter().map(|mend| format!("{:?}", mend.edit)).collect();
    assert_eq!(edits, [r#"Splice { range: 0..6, text: "80 mL" }"#, r#"Splice { range: 5..10, text: "100 mL" }"#]);
}

#[test]
fn what_fast_groups_may_do_is_an_extra() {
    for (step, expected) in [
        ("Fast groups may also try a starting angle of 20 degrees.", 0),
        ("If there is time left, try a starting angle of 20 degrees.", 0),
        ("Try a starting angle of 20 degrees.", 1),
    ] {
        assert_eq!(constant("starting angle of 10 degrees", &[step]).len(), expected, "{step}");
    }
}

#[test]
fn a_rate_is_held_against_rates_only() {
    for (constant_, step) in [
        ("5 g detergent per litre", "Dissolve 2.5 g of the detergent in each, i.e. 5 g per litre."),
        ("20 g of salt per L", "Weigh 10 g of salt into half a litre of water."),
        ("3 g of wire per metre", "Hang 12 g of wire on the hook."),
    ] {
        assert_eq!(constant(constant_, &[step]), [""; 0], "{constant_} | {step}");
    }
    for (constant_, step) in [
        ("5 g detergent per litre", "Dissolve 8 g detergent per L in the bowls."),
        ("20 g of salt per cup", "Weigh 30 g of salt into each cup."),
    ] {
        assert_eq!(constant(constant_, &[step]).len(), 1, "{constant_} | {step}");
    }
}
