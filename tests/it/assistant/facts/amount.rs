//! Amounts in a text: a number, its unit, and the words after it, as in "250 mL of distilled water".

use fieldbook::assistant::facts::amount::*;
use serde_json::json;

#[test]
fn amount_in_a_sentence_is_read_as_number_unit_and_name() {
    for (text, number, unit, name) in [
        ("Pour 250 mL of distilled water into it", 250.0, "ml", "distilled water into it"),
        ("Set two wooden blocks apart.", 2.0, "", "wooden blocks apart"),
        ("Add 1/2 cup sugar", 0.5, "cup", "sugar"),
        ("3 sheets of paper, folded", 3.0, "sheet", "paper"),
    ] {
        let found: Vec<_> = read(text).into_iter().map(|(_, _, amount)| amount).collect();
        assert_eq!(found, [Amount { number, unit: unit.to_owned(), name: name.to_owned() }], "{text}");
    }
}

#[test]
fn numbers_with_other_meanings_are_not_read_as_amounts() {
    for text in ["pages 3-4", "at 9:30 sharp", "12", "version 2.5"] {
        assert_eq!(super::read_all(read, text), [], "{text}");
    }
}

#[test]
fn sentence_that_gives_an_amount_for_several_groups_or_people_is_recognized() {
    for sentence in [
        "Squeeze six lemons for the whole class",
        "Put out six lemons for two groups",
        "For both groups, squeeze six lemons",
        "Six lemons are enough for everyone",
        "Squeeze six lemons for 12 pupils",
        "Six lemons are shared between the tables",
        "The class needs six lemons",
        "Squeeze six lemons for the other table",
        "Six lemons altogether",
    ] {
        assert!(says_for_whom(sentence), "{sentence}");
    }
    for sentence in [
        "Squeeze six lemons into the dish",
        "Boil six lemons for two minutes",
        "Boil six lemons for 90 s, for 10 minutes more",
        "Take six lemons for the dish",
        "Give each pair six lemons",
        "In pairs, take six lemons",
        "Take six lemons, all of them ripe, and cut off both ends",
        "Six lemons per group are enough",
        "Pour 60 mL of vinegar on it for a week",
    ] {
        assert!(!says_for_whom(sentence), "{sentence}");
    }
}

#[test]
fn amount_in_a_text_is_matched_to_the_material_with_the_same_name_and_unit() {
    let named = |text: &str, name: &str, unit: &str| {
        let thing = json!({ "name": name, "quantity": 1, "unit": unit });
        let things = ListedThings::read(&[thing]);
        read(text).iter().any(|(_, _, amount)| things.named_by(amount).is_some())
    };
    for (text, name, unit) in [
        ("Set two wooden blocks on it", "Wooden block", ""),
        ("Squeeze 3 lemons.", "lemons", ""),
        ("Add 20 mL of vinegar to it", "vinegar", "millilitres"),
    ] {
        assert!(named(text, name, unit), "{text}");
    }
    for (text, name, unit) in [
        ("3 lemon slices", "lemons", ""),
        ("two spoons of water", "spoon", ""),
        ("20 mL of vinegar", "vinegar", "l"),
        ("4 teacups", "cups", ""),
    ] {
        assert!(!named(text, name, unit), "{text}");
    }
}
