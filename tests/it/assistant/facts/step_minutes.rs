//! The minutes that the steps take from the lesson. Steps that run in parallel or outside the lesson take none.

use fieldbook::assistant::facts::step_minutes::*;

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
    assert_eq!(fitted(&[1.0, 1.0, 1.0], 2), None);
    for total in 3..60 {
        let sum: f64 = fitted(&[7.0, 11.5, 45.0], total).expect("enough").iter().sum();
        assert_eq!(sum, total as f64);
    }
}
