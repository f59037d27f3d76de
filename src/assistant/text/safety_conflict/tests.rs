//! Steps that break a rule, and steps that respect it.

use super::*;
use serde_json::json;

pub(super) fn count(safety: &str, steps: &[&str]) -> usize {
    let steps: Vec<_> = steps.iter().chain(&["Record what you see."]).map(|text| json!({ "text": text })).collect();
    let content = json!({"steps": steps, "safety": [safety]});
    find(&Lesson::of(content.as_object().expect("an object"))).len()
}

#[test]
fn a_step_that_breaks_a_safety_rule_is_found() {
    for (safety, steps) in [
        ("Do not taste anything in the lab.", &["Taste the solution and describe it."][..]),
        ("Nothing from the tray is tasted, by anyone.", &["Everybody picks a leaf and nibbles it."]),
        ("Never pipet by mouth; use the rubber bulb.", &["Draw up 5.0 mL of vinegar by mouth with the pipet."]),
        ("No mouth pipetting.", &["Pipet 5 mL of vinegar by mouth into the flask."]),
        ("Nothing that has been used in this investigation may be tasted.", &["Dip in a spoon and taste a drop."]),
        ("Nothing on the bench is to be eaten or drunk.", &["Drink some of it."]),
        (
            "Vinegar is measured and poured by the teacher only, never by pupils.",
            &["Each group measures out 50 ml of vinegar for itself and pours it over the last chalk."],
        ),
        ("No eating or drinking.", &["Each pupil sips a little of the salt water."]),
        ("Never smell the liquids directly.", &["Sniff the liquids in each cup."]),
        ("Goggles stay on the whole time.", &["Take off your goggles to read the scale."]),
        ("Wear goggles at all times.", &["Remove your goggles and look closely at the scale."]),
        ("Only the teacher lights the burner.", &["Each pupil lights the burner with a match."]),
        ("No open flames in the room.", &["Light the candle and place it in the tray."]),
        ("Never look directly at the sun.", &["Look at the sun and note its color."]),
        (
            "At no time may anyone look along the laser beam.",
            &["Put your eye at the slide, sighting straight along the beam."],
        ),
        ("No climbing on furniture.", &["Stand on a chair and drop the ball."]),
        ("Do not pour anything down the sink.", &["Pour the leftover solution down the sink."]),
        ("Once a bag is taped it stays closed for good.", &["Tape the bag.", "Unzip the bag for a moment."]),
        ("Never open a dish after it has been taped.", &["Tape the dish.", "Open the dish and look."]),
        ("Do not touch the hot plate.", &["Touch the hot plate to feel the heat."]),
        ("Never shake the bottle.", &["Shake the bottle hard for a minute."]),
        ("Do not run in the classroom.", &["Run to the front and fetch a beaker."]),
        ("Never leave the burner unattended.", &["Leave the burner unattended while you draw."]),
        ("Never point the laser at anyone.", &["Point the laser at your partner."]),
        ("Do not mix bleach and vinegar.", &["Mix the bleach with the vinegar."]),
        ("Grown-ups pour the warm water.", &["Pour the warm water into the jar."]),
        ("Only the teacher uses the knife.", &["Each pupil cuts the celery with the knife."]),
        (
            "Ethanol burns, so there are no flames in the room while it is out.",
            &["Leave the Bunsen burning under the ethanol."],
        ),
        (
            "Magnesium is ignited by the teacher alone, behind the screen.",
            &["Hold the magnesium in tongs, light it in your burner flame."],
        ),
        (
            "Pellets are touched only with tweezers, never with bare skin.",
            &["Pull the pellet apart with your bare fingers."],
        ),
        ("Keep fingers out of the fan.", &["Stop the fan blades with your finger."]),
        ("Waste oil goes in the jug and never down the drain.", &["Pour the oil down the drain."]),
        ("Nobody is to enter the water.", &["Wade into the water with the net."]),
        ("Stay on the bank; do not go into the stream.", &["Step into the stream and turn over a stone."]),
        ("Never put your fingers near the moving gear.", &["Put your finger on the moving gear to slow it."]),
        ("Do NOT open the sealed bags.", &["After a week open the sealed bags."]),
        ("Matches are struck by the teacher only.", &["Strike a match and hold it to the paper."]),
        ("All heating is done by the teacher.", &["Heat the test tube over the burner."]),
        ("Only adults may use the hot glue gun.", &["Children glue the sticks with the hot glue gun."]),
        (
            "A strip having sodium hydroxide on it must on no account be brought near the face.",
            &["Put NaOH on the second strip. Hold it directly under the nostrils and take a deep breath in."],
        ),
        (
            "Crystal violet is toxic: no solution containing it may enter the sink.",
            &["Cuvettes and beaker are emptied into the sink."],
        ),
        (
            "Every flame in the room must be out before the ethanol is handed round, and stays out until it has been collected in.",
            &["Keep the Bunsen burning gently beneath the beaker so that the ethanol bubbles."],
        ),
        (
            "Nobody is to smell the flasks; asthmatics sit by the window.",
            &["Set the five flasks in a row.", "Sniff the fifth one to recognise the gas."],
        ),
        ("Do not pick the flowers.", &["Pick two flowers of each colour."]),
        ("No tasting.", &["The solution is tasted and described."]),
        ("Never pipette by mouth.", &["Suck up 10 mL of the acid with your mouth."]),
        ("The balloon must not be inflated by mouth.", &["Blow up the balloon by mouth."]),
        ("No open flame is allowed within reach of the alcohol.", &["Light a candle next to the alcohol."]),
        ("No naked flames of any kind today.", &["Bring a burning splint to the mouth of the tube."]),
        ("Only the teacher makes fire.", &["Strike a match, set your wick alight."]),
        ("No lichen may be removed from any stone.", &["Scrape a typical lichen off each stone into the envelope."]),
        ("No plant is to be uprooted in the reserve.", &["Dig up one plant of each kind."]),
        ("Never put your face over the bag or sniff what is inside.", &["Put your nose right over the bag."]),
        ("Never sniff what is inside.", &["Unzip the bag and take a deep sniff."]),
        (
            "Never drink or taste any water in this activity, even if it looks clear.",
            &["Each teammate takes a small sip of the filtered water."],
        ),
        (
            "Plates that have been in the incubator stay taped shut and are never opened by students.",
            &["Open each plate and pick up one colony with the loop."],
        ),
    ] {
        assert_eq!(count(safety, steps), 1, "{safety}");
    }
}

#[test]
fn a_step_that_respects_the_scope_of_a_rule_is_passed_over() {
    for (safety, steps) in [
        ("Never open a dish after it has been taped.", &["Lift the lid of the dish an inch.", "Tape the dish."][..]),
        ("Nothing that is hot may be touched.", &["Touch the cold plate."]),
        ("Peroxide above 3 % is not for student use.", &["Pour 20 ml of peroxide into each cylinder."]),
        (
            "Wear goggles and gloves while the acid and the stain are in use.",
            &[
                "Cover each piece with two drops of stain, add a cover slip and press straight down with the thumb.",
                "Go on.",
            ],
        ),
        (
            "Vinegar is measured and poured by the teacher only.",
            &["Each group measures out 50 ml of water and pours it over the chalk."],
        ),
        ("Do not eat the lab potatoes.", &["Eat the snack that the teacher gives you."]),
        ("Do not touch the bulb.", &["Touch the leaf gently."]),
        ("Do not touch the hot plate.", &["Touch the cold plate."]),
        ("Only the teacher lights the burner.", &["The teacher lights the burner."]),
        ("Only the teacher lights the burner.", &["When the teacher has lit the burner, hold the wire in it."]),
        ("Lids stay shut except on Mondays.", &["On Mondays open the lid."]),
        ("Never heat the tube above 90 °C.", &["Heat the tube gently."]),
        ("Goggles stay on until everyone is done.", &["Clean up, then take off your goggles."]),
        ("No running.", &["Run the test again.", "Run a little water through the tap."]),
        ("Never look at the sun.", &["Look at the shadow, not at the sun."]),
        ("No tasting.", &["What does it taste like?", "Butterflies sip from the orange.", "Sketch the taste buds."]),
        ("Do not pour oil down the sink.", &["Rinse the slides in the sink."]),
        ("Smell only by wafting.", &["Smell the vinegar by wafting."]),
        ("No open flames near the ethanol.", &["Light the candle."]),
        ("Hot water is handled by the teacher.", &["Stir the sugar into the hot water."]),
        ("Only the teacher uses the knife.", &["Use a spoon to lift the bean."]),
        ("Nicht probieren.", &["Probiere die Lösung."]),
        ("Do not look at the Sun through the spectroscope.", &["Look at the lamp through the spectroscope."]),
        ("Adults carry the aquarium.", &["Carry your notebook to the aquarium."]),
        ("Pupils with allergies do not touch the cat hair.", &["Touch the cat hair and describe it."]),
        ("Never add water to acid.", &["Add the acid to the water, slowly."]),
        ("The teacher opens the jar.", &["Open the drawing of the jar on your tablet."]),
        ("Nobody is to smell the flasks.", &["Smell the flowers in the vase."]),
        ("No oil may go down the sink.", &["The beakers are emptied into the sink."]),
        ("No dye may go down the sink.", &["Rinse the beakers in the sink."]),
        ("All burners must be off before the ethanol comes out.", &["Light the burner and heat the water."]),
        ("Never bring the acid near your face.", &["Hold the mirror near your face."]),
        ("No tasting.", &["When the leaf is tasted by a snail, it curls.", "Foods that are tasted first go left."]),
        ("Do not pick the flowers.", &["Pick up the tweezers.", "Draw the flowers."]),
        ("The lid is not to be removed.", &["The label is removed from the jar."]),
        ("Standing on chairs is forbidden.", &["Stand the ruler on the chair."]),
        ("The lamp must not touch the litter.", &["Carry the litter back to the wood."]),
        ("No climbing.", &["Climb rate is worked out from the graph."]),
        ("Keep fingers out of the fan.", &["Press the switch with your finger."]),
        ("Oil goes in the jug, never down the sink.", &["Pour the water down the sink."]),
        ("Stay on the bank; do not go into the stream.", &["Hold the net in the stream from the bank."]),
        ("Only adults may use the hot glue gun.", &["Glue the pieces with a glue stick."]),
        ("Only the teacher draws water from the urn.", &["Pour 150 ml of warm water into every cup."]),
        ("Only the teacher carries the kettle.", &["Top up from the kettle."]),
        ("Do not pick the plants.", &["Remove the plant carefully from its pot."]),
        ("Do not dig up the plants.", &["Cut the leaf in half."]),
        ("Never heat a stoppered tube.", &["Heat the tube gently."]),
        ("Do not heat a cracked beaker.", &["Heat the beaker gently."]),
        ("Never pour concentrated acid.", &["Pour the acid into the flask."]),
        ("Do not open the incubated plates.", &["Open the plate and streak it with the loop."]),
        ("Never pipette by mouth.", &["Pipette 5 mL into the mouth of the tube."]),
        ("Never run with scissors or throw them.", &["Throw the ball."]),
        ("Boiling water is poured by the teacher only.", &["Pour 100 mL of water into the beaker."]),
        ("Opening it is forbidden.", &["Read the card."]),
        ("Keep fingers out of the way of the rolling car.", &["Set the car at the top of the board and let go."]),
        ("Never leave a lit burner unattended.", &["Light the burner with the striker."]),
        ("Only the teacher plugs in the power supply.", &["Switch off the power supply and let the tube cool."]),
        ("Only the teacher cuts bottles.", &["Fill the fifth bottle with plain water."]),
        ("Only the teacher handles water above 50 °C.", &["Pour 200 mL of water into each jar."]),
        ("Only the teacher pours hot water.", &["Draw 10 mL of water into the syringe and drip it over the paper."]),
        ("Do not look at the sun.", &["Look up the diameters of Sun and Moon."]),
        ("Hot water is poured by the teacher only.", &["Stand the dish on the cups, fill it with tap water to 4 cm."]),
        ("No naked flames.", &["Hold the unlit splint over the tube.", "Test the gas with damp litmus paper."]),
        ("No lichen may be removed.", &["Remove the lid and draw the lichen.", "Scrape the carrot."]),
        ("No plant is to be uprooted.", &["Remove the label from the plant pot."]),
        ("Never put your face over the bag or sniff it.", &["Hold the ruler over the bag.", "Sniff the flower."]),
        ("Only the teacher makes fire.", &["Make a fire safety poster."]),
        ("Never drink the pond water, even if it looks clear.", &["Each teammate takes a sip of juice."]),
    ] {
        assert_eq!(count(safety, steps), 0, "{safety}");
    }
}

#[test]
fn who_may_do_it_and_what_stays_shut_are_hints() {
    let sure = |safety: &[&str], step: &str| {
        let content = json!({"steps": [{"text": step}, {"text": "Record what you see."}], "safety": safety});
        let found = find(&Lesson::of(content.as_object().expect("an object")));
        found.into_iter().map(|found| found.sure).collect::<Vec<_>>()
    };
    let scalpel = "The scalpel is for the teacher's hand only.";
    assert_eq!(sure(&[scalpel], "Cut the leaf with the scalpel."), [false]);
    assert_eq!(sure(&["Never close the bottle tightly."], "Screw the cap tightly onto the bottle."), [false]);
    assert_eq!(sure(&["Children do not touch the hot glue gun."], "Use the hot glue gun to join the sticks."), [false]);
    assert_eq!(sure(&["Only the teacher lights the burner."], "Each pupil lights the burner with a match."), [true]);
    // A plain finding about a step takes the place of a hint.
    assert_eq!(sure(&[scalpel, "No tasting."], "Cut the leaf with the scalpel and taste it."), [true]);
}

#[test]
fn what_is_nearly_done_or_done_beside_it_breaks_nothing() {
    for (safety, step, expected) in [
        ("Never boil the acid.", "Heat the acid until it is almost boiling, then put the flame out.", 0),
        ("Never boil the acid.", "Boil the acid for a minute.", 1),
        ("Nothing is tasted.", "Taste-free evaluation: describe sheen and colour.", 0),
        ("Do not look into the UV lamp.", "Count the colonies and look at them under the UV lamp.", 0),
        ("Do not look into the UV lamp.", "Look into the UV lamp.", 1),
    ] {
        assert_eq!(count(safety, &[step]), expected, "{safety} {step}");
    }
}
