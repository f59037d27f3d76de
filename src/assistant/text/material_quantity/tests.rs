//! Steps that need more than is listed, and steps that do not.

use super::*;
use serde_json::{Value, json};

fn found(content: &Value) -> Vec<String> {
    find(&Lesson::of(content.as_object().expect("an object"))).into_iter().map(|found| found.finding.reason).collect()
}

fn needed(name: &str, quantity: Value, unit: Option<&str>, step: &str) -> Vec<String> {
    let mut material = json!({ "name": name, "quantity": quantity });
    if let Some(unit) = unit {
        material["unit"] = json!(unit);
    }
    found(
        &json!({ "groupSize": 4, "materials": [material, { "name": "Jar", "quantity": 4 }], "steps": [{ "text": step }] }),
    )
}

#[test]
fn steps_that_need_more_than_is_listed_are_found() {
    for (name, quantity, unit, step) in [
        ("Beaker, 250 mL", json!(2), None, "Fill the third beaker with ice."),
        ("Plastic cups", json!(4), None, "Label five cups."),
        (
            "Aluminium pan",
            json!(2),
            None,
            "Line up the pans. Cotton in the first, feathers in the second, sponge in the third.",
        ),
        ("Hand lens", json!(2), None, "Each pupil takes a hand lens."),
        ("Stomach cup", json!(3), None, "Four birds feed at once, each into a stomach cup of its own."),
        ("Salt", json!(20), Some("g"), "Weigh 30 g of salt."),
        ("Mud dough", json!(1), Some("cup"), "Each of the three children presses half a cup of dough into the nest."),
        ("Magnesium ribbon", json!(15), Some("cm"), "Take the whole ribbon, 25 cm of it, and coil it."),
        ("Sand", json!(100), Some("g"), "Tip 40 g of sand into each of the three trays."),
        ("Vinegar", json!(150), Some("mL"), "Pour 50 mL of vinegar into each jar."),
        ("Goldenrod paper", json!(2), Some("sheets"), "Hang up three sheets of goldenrod paper."),
        ("Yeast", json!("2 sachets"), None, "Empty one sachet of yeast into each of the three bottles."),
        (
            "Salt cup",
            json!(3),
            None,
            "Leave one salt cup plain. To the second add salt, and to the fourth add two spoons.",
        ),
        ("Beaker", json!(2), None, "Show the first beaker to the teacher, then fill the third beaker."),
        ("Magnet", json!(3), None, "Stack four of the magnets on the nail."),
        ("Vinegar", json!(100), Some("mL"), "Pour 60 mL of vinegar into A and 60 mL of vinegar into B."),
        ("String", json!(1), Some("m"), "Cut a 1.5 m length of string."),
        ("Balloon", json!(2), None, "Stretch a balloon over the neck of each of the three bottles."),
        ("Coffee filter", json!(2), None, "Put a coffee filter into the neck of every one of the three."),
        ("Dropper", json!(1), None, "Use a separate dropper for each of the three liquids."),
        ("Cup", json!(2), None, "Pour each of the three liquids into its own cup."),
        ("Glass slide", json!(2), None, "Each student prepares a slide."),
        ("Sugar cube", json!(8), None, "Put four cubes into each of the three jars."),
        ("Beaker", json!(3), None, "Cut the cubes. Pour acid into each of the four beakers."),
        ("Test tube", json!(4), None, "Label five test tubes with the number of pieces."),
        (
            "Tray",
            json!(2),
            None,
            "Mayflies go in the first tray, shrimps in the second and the rest in the third tray.",
        ),
        ("Straw", json!(4), None, "Join six straws to make a hexagon."),
        ("Bean", json!(6), None, "Plant two beans in each jar."),
        ("Potato cylinder", json!(4), None, "Place a potato cylinder in each of the five tubes."),
        ("Test tube", json!(3), None, "Put a strip of each of the five metals into a separate test tube."),
        ("Stopwatch", json!(1), None, "Two of you time the fall, each with a stopwatch."),
        ("Plastic bottles cut in half", json!(2), None, "Fill the third bottle with cotton wool."),
        ("Plastic syringe, 20 mL", json!(2), None, "With the third syringe do the same for the acid."),
        (
            "Slotted masses, 100 g",
            json!(4),
            None,
            "Put the slotted masses on one after another until all six hang there.",
        ),
    ] {
        assert_eq!(needed(name, quantity, unit, step).len(), 1, "{name} | {step}");
    }
}

#[test]
fn vessels_that_get_names_hold_nothing_yet() {
    let cola = |step: &str| needed("Cola", json!(300), Some("mL"), step).len();
    for step in [
        "Label four cups cola, vinegar, milk and water.",
        "Now name the two cups cola and water.",
        "Label one cup milk and two cups cola.",
        "Set out two cups labelled cola and milk.",
    ] {
        assert_eq!(cola(step), 0, "{step}");
    }
    for step in ["Label four cups of cola.", "Pour in two cups cola.", "Label a bowl and add two cups cola."] {
        assert_eq!(cola(step), 1, "{step}");
    }
}

#[test]
fn of_what_is_taken_in_part_only_the_part_needs_more() {
    let droppers = |step: &str| needed("Dropper", json!(7), None, step).len();
    for step in [
        "Fill six of the twelve wells with juice. Add five drops of a substance to each well with its own dropper.",
        "Fill six of your twelve wells. Put a separate dropper in each well.",
    ] {
        assert_eq!(droppers(step), 0, "{step}");
    }
    for step in [
        "Fill eight of the twelve wells with juice. Add a drop of a substance to each well with its own dropper.",
        "Fill the twelve wells with juice. Add a drop of a substance to each well with its own dropper.",
    ] {
        assert_eq!(droppers(step), 1, "{step}");
    }
}

#[test]
fn what_is_listed_is_enough() {
    for (name, quantity, unit, step) in [
        ("Beaker, 250 mL", json!(3), None, "Fill the third beaker."),
        ("Dropper", json!(3), None, "Five drops of lemon, of milk and of soda, each with its own dropper."),
        ("Plastic cup", json!(1), None, "Pour one cup of water in the sun and a second cupful in the shade."),
        ("Straw", json!(2), None, "Cut the straws. Lay out the four straws."),
        ("Spoon", json!(1), None, "Use a spoon for each of the four powders."),
        ("Balloon", json!(3), None, "Stretch a balloon over the neck of each of the three bottles."),
        ("Paper", json!(1), Some("sheet"), "Fold the sheet into four sheets of a booklet."),
        ("Measuring cup", json!(1), None, "Add a second cup of water."),
        ("Mud dough", json!(2), Some("cups"), "Each of the three children presses half a cup of dough into the nest."),
        ("Sand", json!(100), Some("g"), "Tip 40 g of sand on the tray of the whole class."),
        ("Straw", json!(1), None, "Cut it into four straws."),
        ("Hand lens", json!("1 per child"), None, "Each pupil takes a hand lens."),
        ("Hand lens", json!(2), None, "Each pupil takes a hand lens in turn."),
        ("Paper flowers", json!(6), None, "A real bee may visit 100 flowers on a trip!"),
        ("Vinegar", json!(200), Some("mL"), "Pour 50 mL of vinegar into each jar."),
        ("Vinegar", json!(0.2), Some("L"), "Pour 150 mL of vinegar into the jar."),
        ("Cups", json!(4), None, "Label the cups A to D."),
        ("Cups", json!("some"), None, "Label the cups A to F."),
        ("Ball", json!(1), None, "Drop the ball a third time."),
        ("Pennies", json!(20), None, "Count 20 pennies. The record is 45 pennies!"),
        ("Straws", json!(6), None, "Cut each straw in two. Now you have twelve straws."),
        ("Beakers", json!(2), None, "Empty both beakers and fill them a third time."),
        ("Litmus paper", json!(1), Some("roll"), "Dip a strip of litmus paper into each of the eight tubes."),
        ("Paper", json!(2), Some("sheets"), "Hang up two sheets of paper."),
        ("Dishes", json!(3), None, "Put dish 1 on the sill, dish 2 in a box and dish 3 in the fridge."),
        ("Cups", json!(3), None, "Leave the first cup plain. Add salt to the second and to the third."),
        ("Cups", json!(4), None, "Label the cups 0, 5, 10 and 20."),
        ("Beaker", json!(2), None, "Get a third beaker from your teacher."),
        ("Balloon", json!(1), None, "Hold the other group's balloon beside yours so that two balloons hang."),
        ("Books", json!(3), None, "In last week's lesson we used five books."),
        ("Seeds", json!(8), None, "Take two jars and sow four seeds in each jar."),
        ("Sugar", json!(20), Some("g"), "Stir 15 g of sugar in, or 15 g of sugar in hot water."),
        ("Switch", json!(1), None, "Close the switch with one, two and three bulbs in the circuit."),
        ("Measuring cup", json!(1), None, "Mix in no water, half a cup, one cup and three cups."),
        ("Becher", json!(1), None, "Nehmen Sie drei Becher."),
        ("Bean", json!(8), None, "Plant two beans in each jar."),
        ("Marble", json!(6), None, "Drop two marbles in each jar and listen."),
        ("Bean", json!(4), None, "Fill two jars. Plant two beans in each jar."),
        ("Straw", json!(2), None, "Cut the straws to make six straws."),
        ("Measuring cylinder", json!(1), None, "Fill a measuring cylinder for each of the five tubes."),
        ("Stopwatch", json!(1), None, "Two of you run, each with a bib."),
        (
            "Tablespoon",
            json!(1),
            None,
            "Stir one tablespoon of salt into the second jar, two into the third and three into the fourth.",
        ),
        ("Ball of string", json!(1), None, "Tape the three strings side by side on paper."),
        ("Tap water", json!(50), Some("mL"), "Add 150 mL of boiled water, then the oil."),
        ("Alum", json!(60), Some("g"), "In each of the 250 mL beakers dissolve 30 g of alum."),
        (
            "Teaspoon",
            json!(1),
            None,
            "Put no sugar in the first bottle, one teaspoon in the second and two in the third.",
        ),
        ("Paper funnel", json!(1), None, "Funnel one teaspoon of soda into the first, two into the second."),
    ] {
        assert_eq!(needed(name, quantity, unit, step), [""; 0], "{name} | {step}");
    }
}

#[test]
fn one_that_all_is_done_with_is_enough() {
    for (name, step, expected) in [
        ("Syringes", "Put 1 mL of dye into each of nine test tubes with one syringe reserved for it.", 0),
        ("Droppers", "Using one dropper, put a drop on each of the nine slides.", 0),
        ("Marbles", "Fill each of nine test tubes with one marble.", 1),
        ("Stoppers", "Close each of the nine tubes with one stopper.", 1),
    ] {
        assert_eq!(needed(name, json!(4), None, step).len(), expected, "{step}");
    }
}

#[test]
fn the_mend_raises_the_number() {
    let content =
        json!({ "materials": [{ "name": "Cup", "quantity": 2 }], "steps": [{ "text": "Fill the third cup." }] });
    let found = find(&Lesson::of(content.as_object().expect("an object")));
    assert_eq!(found[0].mends[0].edit, crate::assistant::edit::Edit::Replace(json!(3)));
}

#[test]
fn what_is_kept_at_more_than_there_is_cannot_be() {
    let kept = |kept: &str| {
        let wire = json!({ "name": "Insulated copper wire, ends stripped", "quantity": 150, "unit": "cm" });
        let jars = json!({ "name": "Jar", "quantity": 4 });
        found(&json!({ "variables": { "controlled": [kept] }, "materials": [wire, jars], "steps": [{ "text": "Begin." }] })).len()
    };
    assert_eq!(kept("200 cm of insulated wire"), 1);
    assert_eq!(kept("150 cm of insulated wire"), 0);
    assert_eq!(kept("100 cm of insulated wire on each of two nails"), 0);
    assert_eq!(kept("height of the insulated wire 200 cm above the floor"), 0);
}

#[test]
fn of_what_each_gets_one_of_no_more_is_needed() {
    let cola = |step: &str| {
        let materials = [json!({"name": "cola", "quantity": 100, "unit": "ml"}), json!({"name": "cup", "quantity": 3})];
        let content = json!({ "materials": materials, "steps": [{ "text": step }] });
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    };
    assert_eq!(cola("Put an egg in each cup and pour on 100 ml of cola, milk or tap water."), 0);
    assert_eq!(cola("Put an egg in each cup and pour 100 ml of cola into each cup."), 1);
    assert_eq!(cola("Compare: other drinks have about 4 g of sugar per 150 ml of cola."), 0);
    assert_eq!(cola("Pour 150 ml of cola into the cup."), 1);
}
