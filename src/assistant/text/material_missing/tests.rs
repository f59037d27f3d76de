//! What a step uses without its being listed, and what only seems so.

use super::*;

fn found(title: &str, materials: Value, steps: &[&str]) -> Vec<String> {
    let steps: Vec<Value> = steps.iter().map(|text| json!({ "text": text })).collect();
    let content = json!({ "title": title, "materials": materials, "steps": steps });
    let found = find(&Lesson::of(content.as_object().expect("an object")));
    found.into_iter().map(|found| found.finding.reason).collect()
}

#[test]
fn what_a_step_uses_and_the_list_does_not_have_is_missing() {
    let materials = json!([{ "name": "Jar", "quantity": 2 }, { "name": "Seeds", "quantity": 20 }]);
    for (step, missing) in [
        ("Read the thermometer in each jar.", "thermometer"),
        ("Start the stopwatch and wait.", "stopwatch"),
        ("Sweep a bar magnet slowly over the seeds.", "bar magnet"),
        ("Hold the hair dryer an arm's length away and blow on both.", "hair dryer"),
        ("Let one drop of iodine creep in from the edge.", "iodine"),
        ("Pour 20 mL of vinegar into the jar.", "vinegar"),
        ("Stretch a balloon over the neck.", "balloon"),
        ("Pass the mixture through a coffee filter set in the neck.", "coffee filter"),
        ("Look at a seed with the hand lens.", "hand lens"),
        ("Weigh the seeds on the digital balance.", "digital balance"),
        ("Pick up one with the tweezers.", "tweezer"),
        ("Fill a test-tube to the brim.", "test tube"),
        ("Weigh the jar on the balance.", "balance"),
        ("Move the compass along the leaf.", "compass"),
        ("Half-fill it with hydrogencarbonate indicator.", "hydrogencarbonate indicator"),
        ("Cover the jar with cling film.", "cling film"),
        ("Push the seeds through a kitchen sieve.", "sieve"),
        ("Put a drop of iodine on the slide.", "iodine"),
        ("Drop a pinch of wood ash in the first jar.", "wood ash"),
        ("Add 10 g of gelatin powder and stir.", "gelatin"),
        ("Push a cork into the neck.", "cork"),
        ("Filter the mixture through filter paper.", "filter paper"),
        ("Lay the empty soda can on its side.", "soda can"),
        ("Aim the infrared thermometer at the jar.", "infrared thermometer"),
        ("Drop in an effervescent tablet.", "effervescent tablet"),
        ("Put a drop of iodine at one edge and draw it across with a towel.", "iodine"),
        ("Three drops of methyl orange; jar on the sheet.", "methyl orange"),
        ("Put 25 cm³ of it in the flask.", "flask"),
        ("Rinse them in the flask until no more colour comes off.", "flask"),
        ("Put it in the rack and do not shake.", "rack"),
        ("Stir it with the rod.", "rod"),
        ("Fill the other flask with it.", "flask"),
        ("Charge it up and flip the switch.", "switch"),
        ("Add 10 cm³ of acid and swirl.", "acid"),
        ("Connect the lead to the leaf.", "lead"),
    ] {
        let found = found("Seeds", materials.clone(), &[step]);
        assert_eq!(found.len(), 1, "{step} {found:?}");
        assert!(found.iter().all(|reason| reason.contains(&format!("\"{missing}\""))), "{found:?}");
    }
}

#[test]
fn other_names_on_the_list_serve() {
    for (name, step) in [
        ("Temperature probe", "Read the thermometer."),
        ("Chloride solutions of Li and Na", "Stir in the lithium chloride."),
        ("Digital scales", "Weigh it on the electronic balance."),
        ("Plastic cups", "Fill the beaker."),
        ("Timer", "Start the stopwatch."),
        ("U-tube", "Clamp the U-tube."),
        ("Rubber tubing", "Push on the rubber tubing."),
        ("Ethanol", "Wipe the bench with ethanol and cap the bottle."),
        ("Buzzer with 9 V battery", "Take out the battery."),
        ("Magnifiers", "Use the hand lens."),
        ("Circuit kit", "Read the ammeter."),
        ("Lugol's solution", "Add a drop of iodine."),
        ("Hand lens", "Use a hand lens."),
        ("Conical flask", "Put it in the flask."),
        ("Hot plate", "Put it on the hotplate."),
        ("Erlenmeyer flasks", "Swirl the flask."),
        ("Measuring jug", "Fill the jug."),
        ("Flowerpot filled with sand", "Set up the leaf in the flowerpot."),
    ] {
        assert_eq!(found("A", json!([{ "name": name }, { "name": "Leaf" }]), &[step]), [""; 0], "{step}");
    }
}

#[test]
fn what_is_not_used_by_the_group_is_not_missing() {
    let materials = json!([{ "name": "Jar" }, { "name": "Leaf" }]);
    for step in [
        "Press it as you would a balloon.",
        "It swells like a balloon.",
        "Do not use a thermometer here.",
        "The teacher's thermometer is read out. I hold the thermometer.",
        "Why would a thermometer help?",
        "Watch the video of the candle.",
        "Put on your goggles and take a pencil, a ruler and a cloth.",
        "Use a spoon or a spatula.",
        "Sit the top in the bottom part as a funnel.",
        "Look at the balloon animals.",
        "Make a balloon from the bag, then blow up the balloon.",
        "Legen Sie das thermometer hin.",
        "Write a funnel of questions.",
        "Read the article on how bees use sugar.",
        "Weigh the ash.",
        "Cut a slit in the jar. Look through the spectroscope.",
        "A bucket of rain may fall on the roof.",
        "Clean the desks with a sponge.",
        "Flip a coin to see who begins.",
        "Draw an egg and a caterpillar.",
        "A hen lays an egg nearly every day.",
        "The snail has a shell that grows along.",
        "Let the ruler balance on your finger.",
        "The dropper holds the ruler and lets go.",
        "Use the scale on the jar.",
        "Rinse it under the tap, fan the air towards you and smell.",
        "One timer, one reader, one scribe.",
        "One dropper, one catcher.",
        "The timer says go and the reader calls out.",
        "Plants use the sugar they make.",
        "Put the waste in the bucket.",
        "Wait for the bell of the oven timer at the front.",
        "Blow across the jar, as with a bottle.",
        "Press the leaf into a ball and push the ball in.",
        "Lead it over the edge, switch places and rack your brains.",
        "Amino acid is in the leaf. Add the acid to your list of words.",
        "Revise the symbols for cell, wire and switch.",
        "Last year's class tried the same game with a chopstick.",
        "",
    ] {
        assert_eq!(found("Jars", materials.clone(), &[step]), [""; 0], "{step}");
    }
    assert_eq!(found("A thermometer of our own", materials, &["Mark the thermometer."]), [""; 0]);
    assert_eq!(found("No list", json!([]), &["Read the thermometer."]), [""; 0]);
    let short = json!([{ "name": "Jar" }, { "name": "Leaf" }]);
    let many = "Read the thermometer. Stretch the balloon. Start the stopwatch.";
    assert_eq!(found("A short list", short, &[many]), [""; 0]);
}

#[test]
fn the_mend_adds_it_to_the_list() {
    let content =
        json!({ "materials": [{ "name": "Jar" }, { "name": "Leaf" }], "steps": [{ "text": "Read the thermometer." }] });
    let found = find(&Lesson::of(content.as_object().expect("an object")));
    let Edit::Replace(list) = &found[0].mends[0].edit else { panic!("a replacement") };
    assert_eq!(list[2], json!({ "name": "thermometer" }));
}

#[test]
fn a_funnel_may_be_the_top_of_a_bottle() {
    let sure = |first: &str| {
        let content = json!({
            "materials": [{ "name": "bottle" }, { "name": "gravel" }],
            "steps": [{ "text": first }, { "text": "Take the funnel out of your way and pour in the gravel." }]
        });
        let found = find(&Lesson::of(content.as_object().expect("an object")));
        found.into_iter().map(|found| found.sure).collect::<Vec<_>>()
    };
    assert_eq!(sure("Turn the neck of the bottle upside down and sit it in the bottle."), [false]);
    assert_eq!(sure("Stand the bottle on the table."), [true]);
}
