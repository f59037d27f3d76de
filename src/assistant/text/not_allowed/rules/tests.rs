//! What rules ban, and what only sounds like a ban.

use super::super::find;
use super::super::tests::count;
use crate::assistant::facts::lesson::Lesson;
use serde_json::json;

#[test]
fn a_ban_is_read_however_it_is_put() {
    for (rule, material, step) in [
        ("Electric heating only, and no gas appliance may be set out.", "Bunsen burner", ""),
        ("Organic solvents must not be brought into the room.", "Acetone", ""),
        ("Plastic is fine; anything made of glass is banned from this activity.", "Glass stirring rod", ""),
        ("Glue is not permitted in this challenge, whether cold or hot.", "Hot-melt glue sticks", ""),
        (
            "In this workshop no bottled dye or food colouring is used.",
            "",
            "Put in four drops from the food colouring bottle.",
        ),
        ("The room is peanut-free and anything with peanuts stays outside.", "Peanuts in the shell", ""),
        ("Cotton is not allowed in any filter.", "", "Add a layer of cotton balls to the better filter."),
        ("Electrical appliances are not permitted at this station.", "", "Pulp them with the electric hand blender."),
        ("Electrical devices are not permitted.", "Hair dryer", ""),
        ("Plastic may not be used in any boat.", "", "Wrap the boat in cling film."),
        ("We keep this room free of glass.", "Glass beaker, 250 ml", ""),
        ("Waterproof pens are banned from this activity.", "", "Put a dot on it with the black permanent marker."),
        ("Glue of any kind is not permitted in this build.", "", "Fix the corners with hot glue."),
        ("No plastic of any sort is to be taken into the wood.", "", "Close the neck with a cable tie and go."),
        ("Freshly heated water has no place in our room.", "", "Pour from the kettle into the second bowl."),
        ("Because of eczema in the class, latex is ruled out.", "Latex gloves", ""),
        ("Balloons are off limits in this school because of allergies.", "", "Blow up a balloon."),
        ("Our insurance does not cover knives, so there are none here.", "Kitchen knife", ""),
        ("Since the accident the head has prohibited the use of candles.", "Candle", ""),
        ("Nails, screws and other metal fixings are not allowed.", "", "Join the planks with a screw."),
        ("Dairy products cannot be used because one pupil has an allergy.", "Whole milk", ""),
        ("Candles may no longer be used in the hall.", "", "Light the candle."),
        ("Students may not bring mobile phones to the field.", "", "Take a picture with your mobile phone."),
        ("A bridge that has any metal in it is disqualified.", "", "Strengthen the deck with two steel wires."),
        ("Alcohol has no place in a school building.", "Ethanol", ""),
    ] {
        assert_eq!(count(rule, material, step), 1, "{rule}");
    }
}

#[test]
fn a_ban_of_one_place_use_or_person_is_none() {
    for (rule, material, step) in [
        ("No candles unless the teacher is present.", "Candle", ""),
        ("Metal spoons must not be used in the microwave.", "Metal spoon", ""),
        ("Strong acids are not allowed.", "Citric acid, dilute", ""),
        ("No peanuts.", "Packing peanuts, starch", ""),
        ("No knives.", "Palette knife", ""),
        ("Hooking up cells with no switch is not allowed in our lab.", "Switch", ""),
        ("Disposable gloves must not be reused.", "Disposable gloves", ""),
        ("Vinegar is not permitted to touch the metal parts.", "Vinegar", ""),
        ("Beakers may not be brought to the front.", "Beaker", ""),
        ("Ethanol is not to be used near flames.", "Ethanol", ""),
        ("Salt must not be used in place of sugar.", "Salt", ""),
        ("Glue guns are not to be used by anyone under twelve.", "Glue gun", ""),
        ("Eggs are not to be used.", "Egg timer", ""),
        ("Why is lead banned in this school?", "Lead weight", ""),
        ("Electrical appliances are not permitted.", "", "Squash it with a fork, not with a blender."),
        ("Gravel is not allowed in any filter.", "Gravel", "Spread gravel under the bottle to hold it upright."),
        ("Glas ist hier verboten.", "Glas", ""),
    ] {
        assert_eq!(count(rule, material, step), 0, "{rule}");
    }
}

#[test]
fn what_a_step_bans_for_all_that_is_made_is_held_against_the_others() {
    for (rule, step, expected) in [
        ("Join the parts with tape only. Glue is not permitted in any part of the bridge.", "Glue the deck.", 1),
        ("No glue is allowed anywhere in the bridge.", "Glue the deck.", 1),
        ("Tape is forbidden in any part of the tower.", "Tape the four corners.", 1),
        ("Staples are not allowed in any design.", "Staple the wings together.", 1),
        ("Glue is not allowed in any first version.", "Glue the deck.", 0),
        ("In this round, tape is not allowed anywhere.", "Tape the corners.", 0),
        ("Glue is not allowed in any part of the bridge.", "Glue the table of results into your notebook.", 0),
        ("Glue is not allowed yet.", "Glue the deck.", 0),
    ] {
        let content = json!({"steps": [{"text": rule}, {"text": step}]});
        assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), expected, "{rule} {step}");
    }
}

#[test]
fn a_ban_on_pupils_on_joining_or_on_a_kind_bans_no_more() {
    for (rule, material, step, expected) in [
        ("Knives are not used by children.", "Kitchen knife", "The teacher cuts the celery.", 0),
        ("Scalpels may not be used by the pupils.", "Scalpel", "", 0),
        ("Knives are not used by children.", "", "Cut the celery with the knife.", 1),
        ("Knives are not used.", "Kitchen knife", "", 1),
        ("Acid and base never go into the same cylinder.", "", "Measure the acid into the calorimeter.", 0),
        ("Bleach and vinegar are never used together.", "Bleach", "", 0),
        ("Bleach may not be used in this room.", "Bleach", "", 1),
        ("Only sterilised pellets are used.", "Pellets", "Glue the bones on the card.", 0),
        ("Only clean beakers may be used.", "Beakers", "Tape the label to the stand.", 0),
        ("Only paper and string may be used.", "Paper", "Glue the ends of the paper together.", 1),
    ] {
        assert_eq!(count(rule, material, step), expected, "{rule} {step}");
    }
}
