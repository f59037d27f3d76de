//! Steps that change what is kept the same, and steps that do not.

use super::*;
use serde_json::json;

const HEIGHTS: &str = "drop height (20 cm, 40 cm, 60 cm, 80 cm)";
const LAMP: &str = "Distance of the lamp (10 cm, 20 cm, 30 cm and 40 cm)";
const BLADES: &str = "Number of blades (2, 3 or 4)";
const FABRIC: &str = "fabric: cotton, linen or polyester";
const PEROXIDE: &str = "Hydrogen peroxide concentration (0.5, 1.0, 1.5, 2.0 and 3.0 %)";

pub(super) fn count(independent: &str, controlled: &str, step: &str) -> usize {
    let content =
        json!({"variables": {"independent": independent, "controlled": [controlled]}, "steps": [{ "text": step }]});
    find(&Lesson::of(content.as_object().expect("an object"))).len()
}

#[test]
fn a_step_that_changes_what_is_kept_the_same_is_found() {
    for (independent, controlled, step) in [
        (
            "drop height",
            "one and the same tennis ball for the whole experiment",
            "Carry on, taking a different ball from the bin every time you go up.",
        ),
        (
            "ground cover",
            "The slope of the trays",
            "Tip the mulch tray up on two blocks so that it is steeper than the other trays.",
        ),
        (
            "lamp height",
            "Panel lying flat on the bench",
            "Raise the lamp, prop the panel up by ten degrees and read again, another ten degrees for each.",
        ),
        ("amount of salt", "temperature of the water", "Use warmer water each time."),
        ("type of car", "height of the ramp", "Raise the ramp for each trial."),
        ("ball type", "same person drops the ball", "Take turns dropping the ball."),
        ("fertilizer", "Same brand of soil", "Use a different brand of soil for each pot."),
        (
            "metal of the block",
            "The heater runs from 12 V with each block",
            "Move it to the copper block, turning the power pack down to 9 V, and afterwards to the steel one at 6 V.",
        ),
        ("cases", "Height of fall, 2.0 m", "With each case you add go up by another 20 cm."),
        (
            "canopy area",
            "height of the drop",
            "Walk up to the fifth stair for the middle canopy, and to the seventh for the largest.",
        ),
        (
            "temperature of the water",
            "amount of sugar, the same in all bottles",
            "Sugar: one teaspoon for A, and then one teaspoon more in each bottle than in the one before.",
        ),
        ("light", "volume of water", "Pour 50 mL of water into A, 100 mL into the B cup and 150 mL into the C cup."),
        ("height of the ramp", "mass of the car", "Add one more washer to the car before each new ramp height."),
        ("string", "mass of the bob", "For the longer strings use a heavier bob."),
        (
            "fertilizer amount",
            "amount of water each plant gets",
            "Give pot A 10 mL of water, pot B 20 mL and pot C 30 mL.",
        ),
        ("type of soil", "light", "Set pot 1 on the windowsill and pot 2 in the cupboard."),
        ("surface", "starting height on the ramp", "Release the car a little higher for each surface."),
        (
            "ball material",
            "the same drop height",
            "Drop the rubber ball from 1 m, the tennis ball from 1.5 m and the golf ball from 2 m.",
        ),
        ("blades", "wind speed (fan on low)", "Turn the fan to high for the last wheel."),
        ("mass", "release point", "Move the release point 5 cm back after every trial."),
        ("seed type", "depth of planting", "Plant the beans 2 cm deep, the peas 4 cm deep."),
        ("surface", "same car", "Swap the car after each run."),
        (
            "Distance from the lamp",
            "One and the same sprig for the entire experiment",
            "Take out the plant and cut a fresh sprig for this distance.",
        ),
        (
            "Mass of the marble",
            "Height from which the marble is let go",
            "Switch to the 20 g marble and lift the top end by two more books.",
        ),
        (
            "Fan on or fan off",
            "The amount of water the sponge begins with (30 mL each)",
            "Soak each sponge with 30 mL of water; then give the fan sponge an extra 15 mL.",
        ),
        ("load", "same spring", "Use a new spring for the next load."),
        ("light", "amount of water", "Pour twice as much water on the plant in the sun."),
        ("surface", "the same toy car", "Switch to another car for the second surface."),
        ("ball type", "same person drops the ball", "A different student drops the ball each time."),
    ] {
        assert_eq!(count(independent, controlled, step), 1, "{controlled} / {step}");
    }
}

#[test]
fn what_is_changed_on_purpose_or_not_at_all_is_passed_over() {
    for (independent, controlled, step) in [
        ("height of the ramp", "same ramp", "Raise the ramp for each trial."),
        ("drop height", "same ball", "Use a different height each time."),
        ("water temperature", "amount of water", "Use warmer water each time."),
        ("type of ball", "drop height", "Drop a different ball each time."),
        ("surface", "same car", "Do not use a different car each time."),
        ("surface", "same car", "Change the surface under the car each time."),
        ("soap", "volume of water", "Put 100 mL of water into the cup and 20 mL of oil into the cup."),
        ("soap", "volume of water", "Put 100 mL of water into each cup."),
        ("type of seed", "temperature", "Put dish A in the cupboard and dish B on the windowsill."),
        ("type of bread", "light", "Put all slices on the windowsill."),
        ("type of bread", "light", "Put the slices on the windowsill. After a day put the jar in the cupboard."),
        ("salt amount", "water volume", "Add 5 g of salt to A and 10 g to B, each with 100 mL of water."),
        ("fabric", "water amount", "Use a new piece of fabric each time."),
        ("surface", "starting point", "Move the car back to the starting point after every trial."),
        ("liquid", "size of the ice cube", "The ice cube gets smaller each minute."),
        ("time in water", "mass of the sponge", "Weigh the first after 1 minute and the second after 2 minutes."),
        ("mass", "height of the drop", "Walk up to the fifth stair and drop it."),
        ("mass", "Supply at 12 V", "Turn the power pack up to 12 V for each block."),
        ("mass", "length of the string", "Tie a heavier bob to the string each time."),
        ("surface", "same person pushes", "Take turns writing down the numbers."),
        ("temperature", "same seeds", "Take new seeds for each dish."),
        ("temperature", "same tea bag", "Use a new tea bag for each cup."),
        ("temperature", "same water", "Use fresh water for the next trial."),
        ("distance", "same lamp", "Use a fresh sprig for this distance."),
        (
            "height of the ramp",
            "starting height on the ramp",
            "Lift the end of the ramp by two more books for each run.",
        ),
        ("light", "amount of water", "Give each plant an extra 10 mL of water on Friday."),
        ("amount of water", "amount of soil", "Give pot B an extra 10 mL of water."),
        ("light", "number of seeds", "Add 20 mL more water to the dry pot."),
        ("mass", "height of the drop", "Put two more books on the shelf under the poster."),
        ("Licht", "gleiche Temperatur", "Nimm jedes Mal wärmeres Wasser."),
    ] {
        assert_eq!(count(independent, controlled, step), 0, "{controlled} / {step}");
    }
}

#[test]
fn a_change_told_in_other_words_is_found() {
    let mut missed = Vec::new();
    for (independent, controlled, step) in [
        // Another name for the thing
        (
            HEIGHTS,
            "the same 16 mm marble for every drop",
            "We repeat this from 40 cm, taking a heavier ball each time, and fill in our table.",
        ),
        (HEIGHTS, "the same marble", "Take a bigger ball each time."),
        ("surface", "the same trolley", "Use another car for each surface."),
        ("distance of the lamp", "one and the same sprig", "Cut another shoot for every distance."),
        ("angle of the ramp", "one toy car", "With each new angle send a heavier truck down."),
        // A comparative after "so that"
        (
            LAMP,
            "Temperature of the water around the pondweed",
            "Add hot water from the kettle so that the water is 5 °C warmer at each new distance.",
        ),
        (LAMP, "Temperature of the water", "Top it up from the kettle so the water is warmer each time."),
        (LAMP, "Temperature of the water", "Pour in hot water until the water is 5 °C warmer at each new distance."),
        ("length of the wing", "height of the drop", "Go one stair higher for each longer wing."),
        (
            "colour of the card",
            "distance of the lamp",
            "Move the stand so that the lamp is 5 cm closer for each new card.",
        ),
        // More of what is kept
        (
            BLADES,
            "Blade pitch of 20°",
            "Mount the three-blade set at 30° and then the four-blade set at 40°, giving the blades more pitch each time, and read the voltage in the same way.",
        ),
        (BLADES, "Blade pitch of 20°", "Mount the three-blade set at 30° and then the four-blade set at 40°."),
        (BLADES, "Pitch of the blades", "Set the blades with more pitch for each new set."),
        ("surface", "force of the push on the car", "Push the car with more force on each new surface."),
        ("kind of soil", "slope of the tray", "Give the tray a greater slope each time."),
        // A state
        (
            FABRIC,
            "dampness of the cloth: always bone dry",
            "Spray the second strip of each fabric damp and the third soaking wet before you fold them, and take the angles.",
        ),
        (FABRIC, "all strips are dry", "Wet the second strip of the fabric before you fold it."),
        (FABRIC, "dampness of the strips: they are dry", "Mist the third fabric with the spray bottle."),
        ("kind of glue", "the paper stays dry", "Soak the paper for the second test."),
        ("strength of the acid", "the tablets are whole", "Crush the tablet for the second tube."),
    ] {
        if count(independent, controlled, step) != 1 {
            missed.push(step);
        }
    }
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn what_only_sounds_like_a_change_is_passed_over() {
    let mut wrong = Vec::new();
    for (independent, controlled, step) in [
        // Parts of one thing, other deeds, other stuffs
        (
            "number of strokes of rosin: 0, 5, 10 and 20",
            "cord and dowel",
            "Lay the cord over the fixed dowel, hang 200 g from one end and hook the forcemeter to the other.",
        ),
        ("mass", "ruler and clamp", "Hold the bare clamp in one hand and tap the ruler with the other."),
        (
            "kind of flour: cake, plain or bread",
            "kneading time, 5 minutes",
            "Knead for five minutes and let the dough rest for ten minutes more; meanwhile, draw up a table.",
        ),
        ("kind of flour", "stirring time, 2 minutes", "Stir for two minutes, then let it stand for twenty minutes."),
        ("kind of flour", "baking time: 12 min", "Heat the oven for 20 min and bake the rolls for 12 min."),
        (
            PEROXIDE,
            "2 cm³ of yeast suspension in every run",
            "From the 3.0 % stock and distilled water make 20 cm³ of each lower concentration in its own beaker and put 10 cm³ of the stock into the fifth.",
        ),
        (
            PEROXIDE,
            "5 mL of acid",
            "Put 20 mL of water into the first cylinder and 10 mL of the stock into the second.",
        ),
        (
            "training",
            "height of the step, 25 cm",
            "One member of the group steps up and down while another keeps time, a third watches the step and the fourth writes.",
        ),
        ("training", "height of the stair", "The first climbs up and down the stair, and the second counts."),
        // Other things
        (HEIGHTS, "the same marble", "Take a bigger tray each time."),
        ("size of the ball", "the same marble", "Take a bigger ball each time."),
        (HEIGHTS, "the same marble", "Do not take a heavier ball each time."),
        (HEIGHTS, "the same marble", "Would you take a heavier ball each time?"),
        (HEIGHTS, "the same marble", "Take a longer ruler each time."),
        (LAMP, "Temperature of the water", "Add water until it is at the mark each time."),
        (LAMP, "Temperature of the water", "Note whether the water is warmer at each new distance."),
        (
            "temperature of the water",
            "Temperature of the water in the bath",
            "Add hot water so that the water is 5 °C warmer each time.",
        ),
        (LAMP, "Temperature of the water", "Add hot water if the water is colder at the next distance."),
        (
            BLADES,
            "Blade pitch of 20°",
            "Mount the three-blade set at 20° and then the four-blade set at 20°, and read the voltage in the same way.",
        ),
        (BLADES, "Blade pitch of 20°", "Notice that the blades give more voltage each time."),
        ("pitch of the blades", "Blade pitch", "Set the blades with more pitch for each new set."),
        ("surface", "force of the push on the car", "Notice that the car needs more force on each new surface."),
        (FABRIC, "all strips are dry", "Spray the table and wipe it before the second strip."),
        (FABRIC, "dampness of the cloth: always damp", "Spray the second strip of each fabric damp."),
        ("dampness of the fabric", "the cloth is dry at the start", "Spray the second strip of the fabric damp."),
        (FABRIC, "all strips are dry", "If the second strip of the fabric is creased, spray it."),
    ] {
        if count(independent, controlled, step) != 0 {
            wrong.push(step);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}

#[test]
fn what_is_all_done_anew_with_another_is_kept_within_each_time() {
    for (controlled, step, expected) in [
        ("same predator", "Make a second round with another predator and take the sums.", 0),
        ("same reader", "Make a second run with another reader and calculate the mean of the differences.", 0),
        ("same person", "Do the pair of trials again with a different person, then with the third.", 0),
        ("same animal", "Carry out a second series with another animal, Max.", 0),
        ("25 cm from the lamp", "Switch the lamp on and read both thermometers every three minutes.", 0),
        ("same predator", "For the second colour, take another predator.", 1),
        ("same ball", "Use a different ball each time.", 1),
    ] {
        assert_eq!(count("background colour", controlled, step), expected, "{step}");
    }
}

#[test]
fn an_extra_stays_out_of_what_is_compared() {
    for (controlled, step, expected) in [
        ("a whole tablet", "Extra: crush the last tablet and repeat the 20 °C trial, this time with stirring.", 0),
        ("temperature of the water", "For fun: use warmer water each time.", 0),
        ("same ball", "Clear up. Bonus for fast groups: use a different ball each time.", 0),
        ("temperature of the water", "Use warmer water each time. Extra: draw a graph.", 1),
        ("same ball", "Fast groups may also use a different ball each time.", 0),
        ("same ball", "If you have time, use a different ball each time.", 0),
        ("same ball", "Those who are done early can use a different ball each time.", 0),
        ("same ball", "Start early and use a different ball each time.", 1),
        ("same ball", "Extra care: use a different ball each time.", 1),
    ] {
        assert_eq!(count("background colour", controlled, step), expected, "{step}");
    }
}

#[test]
fn setting_up_what_is_kept_changes_nothing() {
    for (step, expected) in [
        ("Hang four washers on the left, 10 cm from the middle. They stay there the whole time.", 0),
        ("On the left, four washers hang 10 cm away.", 0),
        ("Hang four more washers on the left, 10 cm from the middle, for each distance.", 1),
    ] {
        assert_eq!(
            count("distance of the right-hand weight", "four washers on the left at 10 cm", step),
            expected,
            "{step}"
        );
    }
}

#[test]
fn levels_are_of_the_nearer_noun_where_that_is_changed() {
    for (step, expected) in [
        ("Put a sachet of yeast in every bottle and the sugar in two: one spoon in the second, two in the third.", 0),
        ("With the yeast in, add sugar: one spoon to the second, two to the third bottle.", 0),
        ("Add the sugar and then the yeast: one sachet in the second, two in the third.", 1),
        ("Tip half a sachet of yeast into the first bottle and two into the second.", 1),
    ] {
        assert_eq!(count("spoons of sugar (0, 1, 2)", "amount of yeast (one sachet each)", step), expected, "{step}");
    }
}

#[test]
fn what_often_is_another_variable_is_a_hint() {
    let sure = |controlled: &str, steps: &[&str]| -> Vec<(String, bool)> {
        let steps: Vec<_> = steps.iter().map(|text| json!({ "text": text })).collect();
        let content =
            json!({"variables": {"independent": "type of sugar", "controlled": [controlled]}, "steps": steps});
        let found = find(&Lesson::of(content.as_object().expect("an object")));
        found.into_iter().map(|found| (found.finding.evidence[1].field_path.clone(), found.sure)).collect()
    };
    let yeast = "amount of yeast (one sachet each)";
    let dealt = "Tip half a sachet of yeast into the first bottle and two into the second.";
    assert_eq!(sure(yeast, &[dealt]), [("steps.0.text".to_owned(), false)]);
    assert_eq!(sure("temperature of the water", &["Use warmer water each time."]), [("steps.0.text".to_owned(), true)]);
    // What is told plainly comes first, wherever it stands.
    let water = "amount of water (50 mL each)";
    let dealt = "Pour 50 mL of water into the first bottle and 100 mL into the second.";
    assert_eq!(sure(water, &[dealt]), [("steps.0.text".to_owned(), false)]);
    let both = sure(water, &[dealt, "Add a little more water to each bottle every time."]);
    assert_eq!(both, [("steps.1.text".to_owned(), true)]);
}

#[test]
fn one_end_of_every_tray_is_set_up_once() {
    let height = "Height of the raised end: 10 cm";
    assert_eq!(count("slope", height, "Raise one end of every tray on a block."), 0);
    assert_eq!(count("soil", height, "Raise the end of the tray for each soil."), 1);
}
