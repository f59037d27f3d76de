//! What is said of a prediction, and what was found.

use super::super::tests::found;

#[test]
fn what_is_said_to_have_come_true_and_goes_the_other_way_is_found() {
    let mut missed = Vec::new();
    for (hypothesis, other) in [
        (
            "A kettle with a lid boils sooner.",
            "As we had supposed, the kettle with the lid boiled three minutes after the other.",
        ),
        (
            "Seeds kept in the cellar will sprout later than seeds kept in the kitchen.",
            "It bears out what the children supposed: the cellar seeds showed roots four days before the kitchen seeds.",
        ),
        (
            "The rougher the lane, the shorter the distance the toy rolls.",
            "Our guess came true: on the rough lane the toy rolled farther.",
        ),
        (
            "The nearer the lamp, the more bubbles.",
            "Hypothesis verified, since the count fell from 34 to 11 when the lamp was moved from 40 cm to 10 cm.",
        ),
        (
            "The thicker the wire, the smaller its resistance.",
            "The values came out as claimed in the hypothesis: 8 Ω for the 0.6 mm wire and 2 Ω for the 0.3 mm wire.",
        ),
        ("Tablet A neutralises more acid than tablet B.", "A used up 18 ml and B 27 ml, which proved us right."),
        (
            "Music has no influence on how many words are remembered.",
            "The silent group recalled 16 words and the music group only 8, so we keep our hypothesis.",
        ),
        (
            "Damp bread will grow less mould than dry bread.",
            "We counted 37 squares on the damp slice, 2 on the dry one. So we had the right idea.",
        ),
    ] {
        if found(hypothesis, other).0 != 1 {
            missed.push(other);
        }
    }
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn what_is_said_to_be_refuted_and_goes_as_predicted_is_found() {
    let mut missed = Vec::new();
    for (hypothesis, other) in [
        (
            "Seedlings under green foil will grow less than seedlings under clear foil.",
            "The hypothesis had to be rejected, since the mean was 3 cm under green foil and 5 cm under clear foil.",
        ),
        (
            "An electromagnet with more turns picks up more pins.",
            "20 turns, 6 pins; 40 turns, 13 pins; 60 turns, 19 pins. So the hypothesis was disproved.",
        ),
        (
            "A wet cloth in the wind dries more quickly than a wet cloth in still air.",
            "Against our expectation, the cloth in the wind was dry first.",
        ),
        (
            "The dear paper soaks up just as much water as the cheap one.",
            "Cheap 31 ml, dear 31 ml. The assumption is refuted.",
        ),
        (
            "Folded paper carries more coins than flat paper.",
            "It was 3 coins on average for flat sheets, 41 for folded ones. So our prediction was wrong.",
        ),
    ] {
        if found(hypothesis, other).0 != 1 {
            missed.push(other);
        }
    }
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn what_fits_its_verdict_or_has_none_is_passed_over() {
    let mut wrong = Vec::new();
    for (hypothesis, other) in [
        (
            "Seedlings under green foil will grow less than seedlings under clear foil.",
            "The hypothesis had to be rejected, since the mean was 5 cm under green foil and 3 cm under clear foil.",
        ),
        (
            "Clay holds more water than sand.",
            "Our expectation was met: 82 ml dripped out of the sand, but only 25 ml out of the clay.",
        ),
        (
            "The longer the pendulum, the longer one swing lasts.",
            "The prediction was right, since the 100 cm pendulum made only 30 swings and the 25 cm one 60.",
        ),
        (
            "The smaller the current, the fewer nails the electromagnet holds.",
            "The results agree with the hypothesis: raising the current from 0.5 A to 1.5 A brought the number up from 4 to 11.",
        ),
        (
            "The mass of the bob makes no difference to the period.",
            "Our hypothesis was confirmed: the period was 1.42 s for 50 g and 1.42 s for 200 g.",
        ),
        (
            "The stack of magnets will pick up more clips than the single one.",
            "Here is a made-up note: 'My hypothesis was confirmed, as the single one lifted more clips.' What is wrong with it?",
        ),
        (
            "Walking with a rucksack raises the pulse by at least 20 beats more than without.",
            "It rose more with the rucksack, by 12 beats, so it was not confirmed.",
        ),
        (
            "More sugar makes more gas, and warmer water makes more gas.",
            "The first half of the hypothesis was supported. The second half was not: at 65 °C there was less gas than at 35 °C.",
        ),
        (
            "Salt lowers the freezing point.",
            "Was the hypothesis confirmed, or did the salty tubes freeze at a higher temperature?",
        ),
        (
            "Two rubbed balloons will attract each other.",
            "They push each other away, so our prediction was wrong, but one rubbed and one unrubbed do attract.",
        ),
        (
            "Folded paper carries more coins than flat paper.",
            "Our prediction was wrong, although wet folded paper carried more coins than flat paper.",
        ),
        ("A steel ball lands before a wooden ball.", "The hypothesis was refuted: both landed in the same frame."),
    ] {
        if found(hypothesis, other) != (0, 0) {
            wrong.push(other);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}

#[test]
fn what_owns_up_to_a_wrong_guess_or_is_held_beside_the_prediction_is_let_be() {
    for (hypothesis, other) in [
        (
            "The mixture with as much acid as soda will fizz most.",
            "The 1:2 mixture foamed highest, so the guess of most children was wrong.",
        ),
        (
            "The card at the bus stop will collect the most particles and the card in the library the fewest.",
            "Compare with the hypothesis: the library was indeed the cleanest, but the sandpit beat the bus stop.",
        ),
    ] {
        assert_eq!(found(hypothesis, other).0, 0, "{other}");
    }
}
