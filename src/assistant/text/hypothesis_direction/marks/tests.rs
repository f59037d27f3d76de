//! What goes one way in a hypothesis, and in what is said to agree with it.

use super::super::tests::found;

const PULSE: &str = "If we jump for a longer time, then our pulse rate will be higher right after we stop.";
const CHALK: &str = "Chalk soaked in water will lose more mass in the freezer than dry chalk.";

#[test]
fn what_is_done_for_longer_and_what_is_lost_turn_round_with_what_they_are_paired_with() {
    let mut missed = Vec::new();
    for (hypothesis, other) in [
        (
            PULSE,
            "Students write that their data supported the hypothesis because the longer they jumped, the lower their pulse rate was right after stopping.",
        ),
        (PULSE, "As predicted, the longer we jumped, the lower the pulse rate."),
        (PULSE, "Our prediction was right: the pulse rate got lower the longer we jumped."),
        (
            "The longer you stir, the more sugar dissolves.",
            "As predicted, the longer we stirred, the less sugar dissolved.",
        ),
        (
            "If the nail is rubbed for longer, it will pick up more clips.",
            "It was as predicted: the longer we rubbed the nail, the fewer clips it picked up.",
        ),
        (
            "The longer a pupil runs, the higher the heart rate.",
            "The results confirm the hypothesis: the longer they ran, the lower the heart rate.",
        ),
        (CHALK, "Our prediction was confirmed: the dry chalk lost more grains than the soaked chalk."),
        (CHALK, "As predicted, the dry piece lost more mass than the soaked one."),
        (CHALK, "The hypothesis held: the soaked chalk lost less mass than the dry chalk."),
        ("Sand will lose more water than clay.", "As we expected, the clay lost more water than the sand."),
        (
            "The peeled apple will lose more mass than the unpeeled apple.",
            "Our prediction was right: the unpeeled apple lost more of its mass than the peeled apple.",
        ),
    ] {
        if found(hypothesis, other).0 != 1 {
            missed.push(other);
        }
    }
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn what_is_paired_as_predicted_is_passed_over() {
    let mut wrong = Vec::new();
    for (hypothesis, other) in [
        (PULSE, "As predicted, the longer they jumped, the higher their pulse rate was right after stopping."),
        (PULSE, "As predicted, the pulse rate was lower the less we jumped."),
        (PULSE, "Was the pulse rate lower the longer they jumped?"),
        (PULSE, "As predicted, the longer we rested, the lower the pulse rate."),
        (
            "The shorter the straw is, the higher its note will be.",
            "Results agree with the hypothesis if the note climbs each time a piece is snipped away.",
        ),
        (PULSE, "As predicted, the longer they jumped, the fewer breaths they could hold."),
        (CHALK, "Our prediction was confirmed: the soaked chalk lost more grains than the dry chalk."),
        (CHALK, "As predicted, the dry chalk kept more grains than the soaked chalk."),
        (CHALK, "As predicted, the dry chalk had more mass left than the soaked chalk."),
        (CHALK, "As predicted, the dry chalk lost less mass than the soaked chalk."),
        (CHALK, "Another class writes that the dry chalk lost more mass than the soaked chalk."),
    ] {
        if found(hypothesis, other) != (0, 0) {
            wrong.push(other);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}
