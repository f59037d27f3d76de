//! What is settled case by case, and what stays the same for all.

use super::super::tests::count;

#[test]
fn what_is_settled_case_by_case_is_found() {
    let mut missed = Vec::new();
    for (independent, controlled, step) in [
        (
            "Amount of sugar",
            "Warmth of the water: 35 °C for all four",
            "Top up the two bottles with the least sugar from the 20 °C jug, and the two sweetest from the 45 °C jug.",
        ),
        (
            "Colour of the pouch",
            "Angle of the lamp: straight above all through",
            "Swing the lamp down to 60° for the grey pouch, and nearly flat, 30°, for the white.",
        ),
        (
            "Size of the cube",
            "Temperature of the vinegar bath (room temperature)",
            "Cut a second cube, 2 cm on a side, and chill the vinegar with ice before it goes in; for the third, 3 cm, warm the vinegar with tap water to 45 °C.",
        ),
        (
            "Amount of citric acid",
            "Every bomb is tested whole, as a single unbroken ball",
            "Ahead of this run the bomb is crushed to crumbs with the rolling pin.",
        ),
        (
            "Paper plane design",
            "The thrower – a single pupil does the launching from start to end",
            "Ahmed's rule so that nobody sulks: swap launchers with every plane.",
        ),
        (
            "Number of diagonal braces",
            "Type of paper: photocopy, 80 gsm",
            "Build towers with one, two and three diagonal braces: photocopy paper for the first, sugar paper for the second and cereal card for the third.",
        ),
        (
            "Amount of fertiliser",
            "Spot: all four pots live on the north sill from the first day to the last",
            "When week two begins, carry C and D across to the shelf over the radiator and let them finish the trial there, while A and B stay put.",
        ),
        (
            "Mass of the load",
            "Height of the ramp: 20 cm",
            "Use the ramp at 20 cm for the first load and the ramp at 35 cm for the second.",
        ),
        (
            "Design of the wing",
            "Same thrower for all the flights",
            "Rotate throwers between the throws, each of you in turn.",
        ),
        (
            "Temperature of the water",
            "The tablets are whole",
            "Crush the tablet for the second tube before you drop it in.",
        ),
    ] {
        if count(independent, controlled, step) != 1 {
            missed.push(step);
        }
    }
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn what_stays_the_same_for_all_or_is_changed_on_purpose_is_not() {
    for (independent, controlled, step) in [
        (
            "Water temperature",
            "Water temperature of the room",
            "Fill the first cup from the 20 °C jug, and the second from the 45 °C jug.",
        ),
        (
            "Amount of sugar",
            "Temperature of the water: 35 °C",
            "Heat the water from 20 °C to 35 °C for the first cup and the second.",
        ),
        (
            "Amount of sugar",
            "Temperature of the water",
            "Read the thermometer in the first cup, 20 °C, and in the second, 21 °C.",
        ),
        (
            "Colour of the pouch",
            "Angle of the lamp",
            "Swing the lamp to 60° for the grey pouch and to 60° for the white.",
        ),
        ("Kind of paper", "Type of glue", "Use photocopy paper for the first and sugar paper for the second."),
        ("Where the pot stands", "Spot of the saucer", "Carry C and D to the radiator, while A and B stay put."),
        (
            "Amount of fertiliser",
            "Spot: the north sill",
            "Carry two of the pots to the scale, while the others stay on the sill.",
        ),
        (
            "Amount of fertiliser",
            "Spot: the north sill",
            "Carry all four pots to the sink, water them and carry them back.",
        ),
        ("Whole or crushed tablet", "Same whole tablets", "For the second tube crush the tablet."),
        ("Design of the wing", "Same thrower", "Take the time for every plane, as the thrower stays."),
        ("Size of the cube", "Temperature of the vinegar", "For the second cube warm your hands and chill the drinks."),
        (
            "Number of braces",
            "Type of paper",
            "Use one sheet of paper for the first, two sheets of paper for the second.",
        ),
    ] {
        assert_eq!(count(independent, controlled, step), 0, "{step}");
    }
}
