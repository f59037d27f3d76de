//! Things in several places at once, and one after the other.

use super::super::material_quantity;
use super::*;
use serde_json::json;

fn found(name: &str, quantity: u32, step: &str) -> usize {
    let materials = json!([{ "name": name, "quantity": quantity }, { "name": "Cup", "quantity": 3 }]);
    let content = json!({ "groupSize": 4, "materials": materials, "steps": [{ "text": step }] });
    material_quantity::find(&Lesson::of(content.as_object().expect("an object"))).len()
}

#[test]
fn things_in_more_places_than_there_are_of_them_are_found() {
    for (name, quantity, step) in [
        ("Thermometer", 2, "Slide a thermometer into every one of the four bottles."),
        ("Thermometer", 2, "Put a thermometer in each cup and start."),
        (
            "Thermometer",
            2,
            "Slide a thermometer through the hole of each of the four lids; the thermometers stay there throughout.",
        ),
        ("Hand lens", 2, "Each of you needs a hand lens."),
        ("Thermometer", 2, "Each cup gets its own thermometer."),
        ("Lamp", 1, "Shine a lamp on each cup simultaneously."),
        ("Thermometer", 1, "Put one thermometer into each oven, set both ovens side by side."),
        ("Magnet", 2, "Hand one magnet to every member of the group."),
        ("Hand lens", 2, "Everybody needs a hand lens of their own."),
        ("Test tube", 1, "Keep each mixture in a test tube of its own, all six side by side."),
    ] {
        assert_eq!(found(name, quantity, step), 1, "{name} | {step}");
    }
}

#[test]
fn what_goes_from_place_to_place_is_enough() {
    for (name, quantity, step) in [
        ("Thermometer", 1, "Put the thermometer in each cup in turn."),
        ("Thermometer", 1, "Read the temperature of each cup with a thermometer."),
        ("Thermometer", 2, "Take two cups and put a thermometer in each cup."),
        ("Teaspoon", 1, "Sugar comes next: one level teaspoon for every cup."),
        ("Measuring cylinder", 1, "Drop one cylinder of potato in each cup, all within a minute."),
        ("Magnet", 2, "Put a magnet on each of the five objects and watch."),
        ("Magnet", 2, "Hand one magnet to each pair."),
        ("Bulb", 2, "Add another bulb in series with the first."),
        ("Egg", 1, "Lay the egg in water. One of you reads, one writes and one watches."),
        ("Egg", 3, "Lay one egg in vinegar, one in syrup and one in water."),
        ("Balloon", 1, "Add another group's balloon to yours."),
        ("Coin", 2, "Each of you tosses one coin for each of ten traits."),
        ("Coin", 2, "Have a second child: flip one coin for each of the eight traits again."),
    ] {
        assert_eq!(found(name, quantity, step), 0, "{name} | {step}");
    }
}

#[test]
fn of_halves_fewer_are_needed() {
    for (quantity, step, expected) in [
        (2, "Each pupil prepares one half lemon.", 0),
        (2, "Every pupil takes a quarter lemon.", 0),
        (2, "Lay half a lemon in each of the four dishes.", 0),
        (2, "Lay a quarter of a lemon in each of the four dishes.", 0),
        (2, "Each pupil prepares one lemon.", 1),
        (2, "Lay a lemon in each of the four dishes.", 1),
    ] {
        assert_eq!(found("Lemons", quantity, step), expected, "{step}");
    }
}
