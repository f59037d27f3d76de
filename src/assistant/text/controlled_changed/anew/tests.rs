//! Sentences in which what is kept the same is another for the next case, and sentences in which it is not.

use super::super::tests::count;

#[test]
fn what_is_another_for_the_next_case_is_found() {
    for (independent, controlled, step) in [
        (
            "Surface (wood, felt)",
            "the toy car (the red one throughout)",
            "When you go over to the next surface, take another car from the box.",
        ),
        (
            "fan setting",
            "one and the same privet shoot",
            "Before each new setting, pull it out and fit a shoot of another plant.",
        ),
        (
            "Mass of the trolley",
            "Height of the ramp: two books",
            "After every run slip a third, then a fourth book under the ramp.",
        ),
        (
            "Covering",
            "Steepness: plank propped on a crate",
            "Push one more crate under the high end before you start on the next covering.",
        ),
        (
            "Drop height",
            "The same 20 g glass marble for every height",
            "Go on with 50, 75 and 100 cm. Take the next heavier steel ball each time you go up.",
        ),
        (
            "Length of the string",
            "The bob",
            "Change the bob along with the string: wood on the short one, lead on the long one.",
        ),
        ("Drop height", "Ball: always the same tennis ball", "From the second height on, use the golf ball."),
        ("Voltage", "one wire, kept the same the whole time", "At each new voltage, clip in a thinner wire."),
        ("Exercise", "The same pupil is tested throughout", "Let a new pupil step up for every kind of exercise."),
        (
            "Type of soil: sand or clay",
            "every pot gets 100 mL of water",
            "Water the sand with 100 mL, but give the clay double that.",
        ),
        (
            "Colour of the filter: red, blue",
            "Distance between lamp and plant",
            "For red put the lamp at 10 cm, for blue at 20 cm.",
        ),
    ] {
        assert_eq!(count(independent, controlled, step), 1, "{controlled} / {step}");
    }
}

#[test]
fn what_stays_or_is_meant_to_change_is_passed_over() {
    for (independent, controlled, step) in [
        (
            "Surface (wood, felt)",
            "the toy car (the red one throughout)",
            "When you go over to the next surface, take the car with you.",
        ),
        (
            "number of shakes",
            "Same kind of chalk",
            "With new chalk and fresh water, do 100 shakes, then 200 shakes with the third.",
        ),
        ("Mass of the ball", "Same drop for every height", "Take the next heavier steel ball each time."),
        (
            "Mass of the trolley",
            "Height of the ramp: two books",
            "After every run put a third, then a fourth mass on the trolley.",
        ),
        ("Length of the string", "The bob", "Change the string and hang the bob on it again."),
        ("Ball", "Drop height", "Use the tennis ball first, then the golf ball."),
        ("Voltage", "one wire, kept the same the whole time", "At each new voltage, read the ammeter."),
        ("Surface", "The sled", "If the sled breaks, take another sled for the next run."),
        ("Kind of sugar", "The same cup", "Take a fresh cup for each sugar."),
        (
            "Distance of the lamp: 10, 20 cm",
            "Brightness of the lamp",
            "For red put the lamp at 10 cm, for blue at 20 cm.",
        ),
        (
            "Type of soil: sand or clay",
            "every pot gets 100 mL of water",
            "Give the sand 100 mL, and give the clay 100 mL too.",
        ),
        ("Ramp angle", "Start line", "As the ramp gets steeper, the car goes farther."),
        ("Metal", "depth of the strips, 3 cm", "Push them in 3 cm deep and 2 cm apart."),
        ("Brand", "The tester", "Each group sends a different tester."),
    ] {
        assert_eq!(count(independent, controlled, step), 0, "{controlled} / {step}");
    }
}
