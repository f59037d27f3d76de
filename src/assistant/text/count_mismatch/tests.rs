//! Numbers that cannot both hold, and numbers that can.

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
fn a_number_that_a_step_does_not_keep_is_found() {
    for (constant_, step) in [
        ("six steel washers as the bob, every time", "Thread nine washers on the string."),
        ("20 radish seeds in each dish", "Set out 25 radish seeds on the paper."),
        ("Number of turns: 40", "Wind fifty turns on the nail."),
        ("5 worms per trial", "Lay six earthworms on the line."),
        ("Three trials at each height", "Do five trials and take the mean."),
        ("eight woodlice in the chamber for every run", "Through the hole tip in a dozen woodlice."),
        ("5 pieces of dry pasta per bridge", "Take 8 pieces of pasta for the bridge."),
        ("one tea bag per cup", "Put two tea bags in each cup."),
        ("3 trials per surface", "Pull the block across every surface five times."),
        ("number of quadrats at each site: 10", "Throw the quadrat twelve times at each site."),
        ("five rolls at each height", "Roll it three times from each height and write down every distance."),
        ("two tea bags per cup", "Put one tea bag in each cup."),
        ("one paper clip on each helicopter", "Slide two paper clips onto the stem of each one."),
        ("each trial repeated three times", "Repeat each trial five times."),
        ("the same number of stirs, 20", "Stir it 30 times."),
        ("Number of repeats at each height = 3", "Do five repeats at each height."),
        ("Layers of felt: 2", "Wrap three layers of felt around it."),
        ("Ten swings are timed in every trial", "Time twenty swings."),
        ("Each trial repeated three times", "Release the car; repeat five times for every height."),
        ("Number of coils (20) on each nail", "Wind the wire round the nail 30 times."),
        ("Number of sheets in every tower stays at 10", "Stack 15 sheets for each tower."),
        ("Toothpicks at the start: 40 of each colour", "Scatter sixty green and sixty red toothpicks."),
        ("Launches (five at each angle)", "Launch three times at each angle; mark every bounce."),
        ("two layers of paper", "Wrap the jar in four layers of paper."),
        ("Eight Daphnia in all", "Choose twelve Daphnia from the jar, four for each concentration."),
        ("Three trials for each boat shape", "Test each boat shape five times."),
        ("Three kick samples at each site", "Repeat until you have five kick samples from this site."),
        ("4 marbles in each boat", "Lay 8 marbles in the boat and push it off."),
    ] {
        assert_eq!(constant(constant_, &[step]).len(), 1, "{constant_} | {step}");
    }
}

#[test]
fn numbers_that_can_both_hold_are_not_found() {
    for (constant_, steps) in [
        ("12 moths per sheet", &["Lay out 24 moths on the two sheets."][..]),
        ("60 dice at the start", &["After how many throws are 30 dice left?"]),
        ("Two nails in each tube", &["Clean eight nails with emery paper and put two in each tube."]),
        ("six worms", &["Take two of the six worms."]),
        ("two 1.5 V batteries", &["Optional: use three batteries and see whether it is stronger."]),
        ("six worms", &["Pick up one worm at a time."]),
        ("50 turns of wire", &["Wind 25 turns of wire, then go back over them with 25 more turns."]),
        ("20 stirs", &["Stir it 10 times, then 10 more times."]),
        ("one tea bag per cup", &["Take two tea bags out of the box."]),
        ("ten worms", &["Put five worms on the left and five worms on the right."]),
        ("12 white moths", &["Lay out 15 newsprint moths."]),
        ("200 mL of water in all four cans", &["Wrap three cans and leave the fourth bare."]),
        ("two observation tubes", &["Wrap the lower ends of all three tubes in pieces of stocking."]),
        ("six worms", &["Look at the third worm."]),
        ("three trials", &["Work in four groups."]),
        ("six worms", &["Add another two worms."]),
        ("six leaves", &["Draw two leaves in your book."]),
        ("six leaves", &["Last year's class took nine leaves."]),
        ("six worms", &["Collect twelve worms."]),
        ("3 seeds to a pot", &["Soak twelve seeds overnight and share them out."]),
        ("Number of coils (20) on each nail", &["Wind the wire round the tube 10 times, then 10 times more."]),
        ("50 swings", &["Count 10 swings until you can do it without a slip."]),
        ("20 seeds in each dish", &["Sow 3 seeds in each spare dish."]),
        ("12 leaves in each bag", &["Tell them that an oak has 200,000 leaves."]),
        ("Three trials", &["Average the three trials. Two rolls of tape lie ready."]),
        ("number of drops of dye: 5", &["Drop the ruler 10 times."]),
        ("number of drops per person: 5", &["Drop the ruler 10 times, 5 drops for each of you."]),
        ("2 seeds in each cup", &["Lay 8 seeds on the paper towel.", "Push two into every cup."]),
        ("number of turns of the coil (600)", &["Repeat with two, three and four turns per second."]),
        ("number of turns of wire on the rotor (50)", &["Ours made three turns in a second."]),
        ("three rolls from each mark", &["Stir it five times and mark the ramp."]),
        ("two samples per site", &["Go on until you have six samples from the three sites."]),
        ("zwei Nadeln", &["Nehmen Sie drei Nadeln."]),
    ] {
        assert_eq!(constant(constant_, steps), [""; 0], "{constant_} | {steps:?}");
    }
    let levels = json!({ "variables": { "independent": "Number of magnets: 1, 2 or 3", "controlled": ["2 magnets at the start"] },
        "steps": [{ "text": "Hold three magnets to it." }] });
    assert_eq!(found(&levels), [""; 0]);
}

#[test]
fn what_is_told_of_the_things_must_be_so() {
    let pellets = |hypothesis: &str| {
        found(
            &json!({ "hypothesis": hypothesis, "materials": [{ "name": "Owl pellet, sterilized", "quantity": 2 }], "steps": [{ "text": "Hand them out." }] }),
        )
    };
    assert_eq!(pellets("Of the three pellets each team opens, one is bigger.").len(), 1);
    assert_eq!(pellets("Of the two pellets each team opens, one is bigger."), [""; 0]);
    let ions = |step: &str| {
        let aim = "Tell five metal ions apart by their colour.";
        found(&json!({ "objectives": [aim], "steps": [{ "text": step }] })).len()
    };
    assert_eq!(ions("Work through all seven metal ions."), 1);
    assert_eq!(ions("Set out the seven metal ions in the rack."), 1);
    assert_eq!(ions("Work through all five metal ions.") + ions("There are seven metal ions in the rack."), 0);
    assert_eq!(pellets("Another class opened three pellets."), [""; 0]);
    let steps = |first: &str, second: &str| found(&json!({ "steps": [{ "text": first }, { "text": second }] }));
    assert_eq!(steps("Put six worms on the tray.", "Put all ten worms back.").len(), 1);
    assert_eq!(steps("One pair rolls eight struts, the other rolls four.", "Join the twelve struts."), [""; 0]);
    assert_eq!(steps("Put six worms on the tray.", "Put the two worms on the left back."), [""; 0]);
    assert_eq!(steps("Weigh the five rocks of tray A.", "Weigh the seven rocks of tray B."), [""; 0]);
    assert_eq!(steps("Weigh the five rocks of tray A.", "Weigh the seven rocks of tray A again.").len(), 1);
}

#[test]
fn what_came_of_some_is_not_how_many_there_are() {
    let told = |step: &str| {
        found(&json!({ "objectives": ["Carry out the three standard tests"], "steps": [{ "text": step }] })).len()
    };
    assert_eq!(told("The splint went out, so two tests reacted to it."), 0);
    assert_eq!(told("Only two tests failed."), 0);
    assert_eq!(told("Carry out the two tests."), 1);
    assert_eq!(told("Write up the two tests used."), 1);
    assert_eq!(constant("length of the strings (12 in.)", &["Tape four strings to the corners."]), [""; 0]);
    assert_eq!(constant("12 strings", &["Tape four strings to the corners."]).len(), 1);
}

#[test]
fn prices_are_those_of_their_things() {
    let told =
        |assessment: &str, step: &str| found(&json!({ "assessment": assessment, "steps": [{ "text": step }] })).len();
    assert_eq!(told("What remains of the 40 euros?", "Prices: paint 12 euros, carpet 22 euros."), 0);
    assert_eq!(told("Did the 30 dollars last?", "A pack of seeds costs 7 dollars."), 0);
    assert_eq!(told("What did you do with the 40 euros?", "Plan how to spend the 30 euros."), 1);
    assert_eq!(told("What remains of the budget of the 40 euros?", "Your budget is the whole 30 euros."), 1);
}

#[test]
fn some_of_all_are_not_how_many_there_are() {
    for (step, expected) in [
        ("Add two drops of dye to each of the three bottles with water.", 0),
        ("Count what is in three of the four bottles.", 0),
        ("Lay a bottle on each side; the fourth bottle goes on top.", 0),
        ("Add two drops of dye to each of the three bottles.", 1),
    ] {
        assert_eq!(constant("four bottles of the same kind", &[step]).len(), expected, "{step}");
    }
}

#[test]
fn numbers_of_objectives_and_of_results_are_hints() {
    let sure = |content: Value| -> Vec<bool> {
        find(&Lesson::of(content.as_object().expect("an object"))).into_iter().map(|found| found.sure).collect()
    };
    let steps = json!([{ "text": "Carry out the two tests." }]);
    assert_eq!(sure(json!({ "objectives": ["Carry out the three standard tests"], "steps": steps })), [false]);
    assert_eq!(sure(json!({ "hypothesis": "If we carry out three tests, we find the salt.", "steps": steps })), [true]);
    let steps = json!([{ "text": "Time twenty swings." }]);
    assert_eq!(sure(json!({ "variables": { "dependent": "time of ten swings" }, "steps": steps })), [false]);
    assert_eq!(sure(json!({ "variables": { "controlled": ["ten swings are timed"] }, "steps": steps })), [true]);
}
