//! The minutes that the steps take from the lesson. Steps that run in parallel or outside the lesson take none.

use fieldbook::assistant::facts::step_minutes::*;
use proptest::prelude::*;

fn plan(steps: &[(&str, f64)]) -> Plan {
    Plan::of(steps.iter().map(|(text, minutes)| Step { text, minutes: Some(*minutes) }))
}

#[test]
fn minutes_of_parallel_steps_and_of_steps_outside_the_lesson_are_not_added() {
    for text in [
        "Meanwhile, label the tubes",
        "Leave it overnight",
        "Stir what has been soaking, and leave it. Look at it after a day",
        "While it cools, draw it",
        "After three days, count",
        "Homework: plot the curve",
        "The next day, look again",
        "If time remains, repeat it",
        "Day 2: measure again",
        "Twice a week for three weeks look through the plastic",
        "Before class, fill the trays",
        "Extension: try salt",
        "Optional: use the spare sheet",
        "As homework, plot the curve",
        "If you finish early, lay out one skeleton",
        "Before lunch, fill the trays",
        "After recess: look again",
        "Plot it, and try it once if time allows.",
        "Once it has been stirred, leave it overnight",
        "It has now lain in salt: look again the next day",
    ] {
        assert_eq!(plan(&[(text, 10.0)]).lesson_minutes(), 0.0, "{text}");
    }
    for text in [
        "Heat the water",
        "Discuss at the board",
        "Measure the length",
        "Rule a row for each day",
        "Plot the data of the class",
        "Talk about food that went bad at home",
        "Collect the homework",
        "Compare it with a static extension measurement",
        "After mixing, wait for the foam",
        "After that, wash up",
        "After the lamp is off, read both thermometers",
        "Discuss: why did it float?",
        "Wait and watch: the water climbs",
        "Look at the milk that has been standing for a day.",
        "Ask why the bread has now lain there for two weeks",
        "Now that it has stood for two days, filter it",
    ] {
        assert_eq!(plan(&[(text, 10.0)]).lesson_minutes(), 10.0, "{text}");
    }
    let steps = plan(&[("Sow", 5.0), ("Draw the leaves for six weeks", 20.0)]);
    assert_eq!((steps.lesson_steps(), steps.steps_beside()), (vec![0], vec![1]));
    let untimed = Plan::of([Step { text: "Tidy up", minutes: None }].into_iter());
    assert_eq!((untimed.lesson_steps(), untimed.steps_beside()), (vec![], vec![]));
    let two = [("First class period: plan it", 50.0), ("Second class period: test it", 50.0)];
    assert_eq!((plan(&two).lesson_minutes(), plan(&two[1..]).lesson_minutes()), (100.0, 0.0));
    assert_eq!(plan(&[1.6, 2.7, 2.7].map(|minutes| ("", minutes))).lesson_minutes(), 7.0);
}

#[test]
fn step_minutes_scaled_to_a_total_are_positive_integers_with_that_sum() {
    let fitted = |minutes: &[f64], total| {
        let steps: Vec<_> = minutes.iter().map(|minutes| ("", *minutes)).collect();
        plan(&steps).fitted_to(total).map(|fitted| fitted.into_iter().flatten().collect::<Vec<_>>())
    };
    assert_eq!(fitted(&[10.0, 20.0, 30.0], 30), Some(vec![5.0, 10.0, 15.0]));
    assert_eq!(fitted(&[1.0, 1.0, 58.0], 10), Some(vec![1.0, 1.0, 8.0]));
    assert_eq!(fitted(&[5.0, 10.0, 12.0, 6.0, 7.0, 5.0], 30), Some(vec![3.0, 7.0, 8.0, 4.0, 5.0, 3.0]));
    assert_eq!(fitted(&[1.0, 1.0, 1.0], 2), None);
}

proptest! {
    #[test]
    fn longer_steps_keep_at_least_as_many_minutes_as_shorter_ones_and_equal_steps_differ_by_at_most_one(
        minutes in prop::collection::vec(1_u32..600, 1..12),
        spare in 0_i64..600,
    ) {
        let steps: Vec<_> = minutes.iter().map(|minutes| ("", f64::from(*minutes) / 10.0)).collect();
        let total = minutes.len() as i64 + spare;
        let fitted: Vec<f64> = plan(&steps).fitted_to(total).expect("enough").into_iter().flatten().collect();
        prop_assert_eq!(fitted.iter().sum::<f64>(), total as f64);
        for (one, new_one) in minutes.iter().zip(&fitted) {
            prop_assert!(*new_one >= 1.0 && new_one.fract() == 0.0);
            for (other, new_other) in minutes.iter().zip(&fitted) {
                prop_assert!(one != other || (new_one - new_other).abs() <= 1.0);
                prop_assert!(one <= other || new_one >= new_other);
            }
        }
    }
}
