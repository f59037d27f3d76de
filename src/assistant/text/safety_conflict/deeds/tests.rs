//! Deeds that bring a hazard about, and deeds that do not.

use crate::assistant::facts::lesson::Lesson;
use serde_json::json;

fn count(safety: &str, step: &str) -> usize {
    let steps = json!([{"text": "Get into your groups."}, {"text": step}, {"text": "Tell the others about it."}]);
    let content = json!({"steps": steps, "safety": [safety]});
    super::super::find(&Lesson::of(content.as_object().expect("an object"))).len()
}

#[test]
fn a_step_that_brings_about_what_a_rule_guards_against_is_found() {
    for (safety, step) in [
        ("Eye protection must be worn from start to finish.", "Take your safety glasses off, then add the acid."),
        ("Splash goggles stay on until the tray has been rinsed.", "Goggles come off at this point. Tip the yeast in."),
        ("Students shall at all times wear closed shoes.", "Shoes and socks off: wade in barefoot."),
        (
            "Gloves are compulsory whenever the dye is handled.",
            "Squeeze the dye out of the cloth with your bare hands.",
        ),
        (
            "Keep the fume cupboard sash down while the reaction is running.",
            "Raise the sash as the reaction gets going.",
        ),
        (
            "Once a plate has been taped it stays shut: under no circumstances is anyone to open it.",
            "Tape the plate. On Friday strip off the tape, take off the lid and lift a colony on to the loop.",
        ),
        ("The jars are to remain sealed.", "Unscrew the jar and poke the bread with a toothpick."),
        (
            "Never put a cap on a bottle that is fizzing.",
            "Screw the cap tightly on the bottle until the fizzing stops.",
        ),
        ("Heating a closed container must not happen here.", "Push the stopper in firmly and heat the tube."),
        (
            "Pillbugs are to be moved with the spoon; bare fingers must not touch them.",
            "Tip the pillbugs out. Pick the stragglers up between finger and thumb and set them back.",
        ),
        ("Broken glass is swept up. Hands stay off it.", "If a glass breaks, pick the pieces up with your fingers."),
        ("On this trail plants stay out of mouths.", "Everyone nibbles on a leaf of each herb."),
        ("No part of the plants goes into anybody's mouth.", "Chew one of the leaves."),
        ("The scalpel is for the teacher's hand only.", "Each student makes a shallow cut with the scalpel."),
        ("Only adults go near the kettle.", "Fill your own beaker from the kettle."),
        ("Acid is dispensed by the technician. Students do not pour it.", "Pour 20 ml of acid into your flask."),
        ("The dry ice stays in the teacher's tongs.", "Pick up a piece of the dry ice and put it in your cup."),
        ("Keep ethanol away from any flame.", "Warm the ethanol in a tube over the Bunsen flame."),
        ("Keep all flames and anything glowing away from the foam.", "Lower the glowing end into the foam."),
        ("Magnets are kept away from phones.", "Put your phone on top of the magnet."),
        ("Don't leave a burning candle unattended.", "With the candle still burning, go outside and collect leaves."),
    ] {
        assert_eq!(count(safety, step), 1, "{safety} / {step}");
    }
}

#[test]
fn a_step_that_only_sounds_like_the_hazard_is_passed_over() {
    for (safety, step) in [
        ("Goggles stay on throughout.", "Once all is put away, take off your goggles and hang them up."),
        ("Gloves are worn whenever chillies are cut.", "Rinse the rice with bare hands."),
        ("Eye protection is compulsory.", "Lift the glasses of water onto the tray."),
        ("The bags remain zipped shut.", "Open a second bag and put the dry slice in."),
        ("The lid stays on while the centrifuge is turning.", "When it has stopped, open the lid."),
        ("The lid stays on the tank.", "Take the lid off the jar after a minute."),
        ("Never open the bottle towards a face.", "Open the bottle and pour in the vinegar."),
        ("Hands must not touch the seeds.", "Use forceps to place the seeds by hand signal."),
        ("Bare hands must not touch the dry ice.", "With the tongs, drop a piece of dry ice in the water."),
        ("Fingers stay off the lens.", "Hold the slide by its edges with finger and thumb."),
        ("Do not put anything in your mouth.", "Put the cotton in the mouth of the tube."),
        ("Never taste anything.", "Taste is one of the five senses."),
        ("Hot glue is used by adults only.", "An adult helps each table to fix the arm with hot glue."),
        ("The beaker is held by the teacher only.", "Hold the thermometer in the beaker."),
        ("Keep flames away from the ethanol.", "Turn all burners off. Hand round the ethanol in the water bath."),
        ("Keep magnets away from the computers.", "Stroke the needle with the magnet."),
        ("Never leave a flame unattended.", "Leave the candle burning and write down the time."),
        ("Do not pour oil down the drain.", "Pour the water down the drain and wipe the oil out with paper."),
        ("Nothing is eaten during the building.", "Then eat the house that you built."),
        ("Die Brille bleibt auf.", "Nehmt die Brille ab."),
    ] {
        assert_eq!(count(safety, step), 0, "{safety} / {step}");
    }
}
