//! What the cues find, and what only sounds like them.

use super::super::tests::count;

#[test]
fn a_step_that_holds_a_cue_against_a_rule_is_found() {
    let mut wrong = Vec::new();
    for (safety, step) in [
        ("Nobody leaves the hot plate without someone watching it.", "Let the hot plate run and go to the library."),
        ("Magnets must be kept at least a metre from phones.", "Lay your phone on top of the magnet."),
        ("Keep the water well clear of the electrics.", "Set the bowl of water on top of the power pack."),
        (
            "Salt burns a snail's skin; it has to be kept well away from the animals and their board.",
            "Shake a thin line of salt round the outside of the board.",
        ),
        ("Tongs are the one and only way to move dry ice.", "Take the dry ice between thumb and forefinger."),
        ("Gloves on for silver nitrate, please.", "Rub a drop of silver nitrate into your skin."),
        ("All animals go back to where they were found.", "Put the woodlice in a tub and take them home."),
        ("Chairs are for sitting on.", "Climb on your chair and let the parachute go."),
        (
            "Syringes may not be squirted at people.",
            "Fire a jet of water from the syringe at your partner and time it.",
        ),
        (
            "The centrifuge may only be opened once it stands still.",
            "While the rotor is still turning, lift the lid of the centrifuge.",
        ),
        (
            "Electrodes stay in the beaker; nobody lifts one from a live cell.",
            "Leave the supply going and hoist both rods clear by their wires.",
        ),
        ("Wash your hands before you eat.", "Straight from the pond we sit down and have our sandwiches."),
        (
            "Acid always goes into the water and never the other way round.",
            "Slowly pour the 180 mL of distilled water onto the acid while stirring.",
        ),
        ("Sockets and plugs are handled with dry hands only.", "With your hands still dripping, plug in the charger."),
        ("Everybody remains three metres from the tile.", "Come up to the tile and lean over the screen."),
        ("Stay behind the rope.", "Duck under the rope and pick up the rocket."),
        ("No one enters the river.", "One of the group then wades out up to the waist."),
        ("Both feet stay on the floor.", "Stand on the chair and hold the track above your head."),
        ("The mouth of a tube must not point at anybody.", "Tilt the tube towards your partner and heat it."),
        ("Pipettes and mouths never meet.", "Empty the pipette. Put your lips on the top end and blow gently."),
        ("Nothing is cut in the hand.", "Hold the ovary in your palm and draw the scalpel through it."),
        ("Bromine water never leaves the fume cupboard.", "At your own bench, add bromine water to both tubes."),
        ("Never look at the Sun.", "Look at the Sun briefly through the open tube."),
        ("Vapours are smelled by wafting only.", "Put your nose right over the flask and take a deep breath."),
        ("Never short a battery.", "Join both terminals of the battery with a wire."),
        ("Windows stay open throughout.", "Close all the windows and start the reaction."),
        ("Everyone uses a straw of their own.", "Pass the straw round your group and blow in turn."),
        ("Never stir with a thermometer.", "Stir the ice with the thermometer."),
        ("No metal in the microwave.", "Put the foil boat in the microwave for a minute."),
        ("The cylinder is never filled more than half full.", "Fill the cylinder to the brim."),
        ("The mouth of a tube must not point at anybody.", "The tube is pointed at your neighbour and heated."),
        (
            "There must be no flame in the room with the ether.",
            "Set a tealight under the tripod and let the ether evaporate.",
        ),
    ] {
        if count(safety, &["Get ready.", step]) != 1 {
            wrong.push(step);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}

#[test]
fn what_only_sounds_like_a_cue_is_passed_over() {
    let mut wrong = Vec::new();
    for (safety, step) in [
        ("Wait ten minutes before you unscrew a lamp.", "Switch the lamp off straight away. Then wait and unscrew it."),
        ("Never leave the hot plate unattended.", "Turn the hot plate off and go to lunch."),
        ("Never leave the hot plate unattended.", "One stays at the hot plate, the others go outside."),
        ("Keep magnets away from phones.", "Lay the phone on the desk, far from the magnet."),
        ("Keep magnets away from phones.", "Film the magnet with the phone on the table."),
        ("Move dry ice with tongs.", "Hold the tongs in your hand and take the dry ice."),
        ("Move dry ice with tongs.", "Write the time between two pellets by hand."),
        ("Wear gloves for the dye.", "Hold the bottle of dye in one hand and the cup in the other."),
        ("All animals go back to where they were found.", "Take the sheet home and draw the animal."),
        ("Never throw balls at people.", "Throw the ball into the net."),
        ("Copper sulfate goes into the waste jar, never into the sink.", "Wash your hands in the sink."),
        ("Copper sulfate goes into the waste jar, never into the sink.", "Rinse the beaker in the sink."),
        ("Return the woodlice to the wood where you found them.", "Take your worksheet home."),
        ("Cover any cuts with a plaster.", "Leave the bag open so that it can dry."),
        ("Never leave the solar oven unattended.", "Go outside and set up the solar oven."),
        ("Pupils must not pick up broken glass.", "Pick up the glass slide by its edges."),
        ("Do not fill the cylinder above the mark.", "Fill the cylinder right up to the mark."),
        ("Chairs are for sitting on.", "Stand the torch on a chair."),
        ("Wash your hands before lunch.", "Take the apple directly from the fridge and weigh it."),
        (
            "Use a test-tube holder when heating test tubes.",
            "Hold the test tube between thumb and finger and flick it.",
        ),
        ("Nobody stands under the bridge.", "Stand the weights under the bridge."),
        ("Nobody lifts the electrodes while the current flows.", "Switch off and lift the electrodes out."),
        ("Mop oil spills with a paper towel.", "Lift each nail with the hand lens over it. Put oil on it by hand."),
        ("Use tongs for the nails.", "Lift each nail and describe it with the hand lens."),
        ("Wash your hands before you eat.", "Wash your hands, then eat your sandwiches straight away."),
        ("No flames near the ether.", "Light the candle and watch it."),
        ("The jars stay sealed.", "Leave the window open."),
        ("Only teachers stand at the retort.", "Sit down on your chairs."),
        ("Acid always goes into the water.", "Put the water in the beaker and slowly pour the acid into it."),
        ("Plugs are handled with dry hands only.", "Dry your wet hands, then plug in the charger."),
        ("Everybody remains three metres from the tile.", "Go back to the line and lean over your notebook."),
        ("Stay behind the rope.", "When the all-clear is given, walk past the rope and measure the distance."),
        ("No one enters the river.", "Stand the bucket beside the river and go in pairs."),
        ("Nobody goes into the water deeper than the knees.", "Stand in it and hold the meter at waist height."),
        ("Both feet stay on the floor.", "Stand the bottle on the table."),
        ("The mouth of a tube must not point at anybody.", "Tilt the tube towards the wall and heat it."),
        ("Cut away from your fingers.", "Cut the straw to the length of your thumb."),
        ("Never look at the Sun.", "Look up the diameters of the Sun and the Moon."),
        ("No running in the lab.", "Run the test three times."),
        ("Windows stay open throughout.", "Close the lid of the jar."),
        ("Everyone uses a straw of their own.", "Pass the results round your group."),
        ("Never stir with a thermometer.", "Stir with the rod, then put the thermometer in."),
        ("No metal in the microwave.", "Take the foil off and set the bowl aside."),
        ("The cylinder is never filled more than half full.", "Fill the cylinder to a third."),
    ] {
        if count(safety, &["Get ready.", step]) != 0 {
            wrong.push(step);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}
