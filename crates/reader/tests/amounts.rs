//! Amounts in the names of materials.

use fieldbook_reader::amount::{number, split};
use serde_json::{Value, json};

fn parts(text: &str) -> Value {
    match split(text) {
        Some(found) => match found.unit {
            Some(unit) => json!([found.quantity, unit, found.name]),
            None => json!([found.quantity, found.name]),
        },
        None => json!(text),
    }
}

#[test]
fn amount_becomes_a_number_only_if_printing_the_number_gives_the_same_text() {
    for text in ["0", "20", "1.5", "0.25", "-3"] {
        assert_eq!(number(text).map(|number| number.to_string()).as_deref(), Some(text));
    }
    for text in ["1,000", "1.000", "10.0", "0.50", "0,5", "007", "1e3", "½", "1/2", "", "x", "١٢"] {
        assert_eq!(number(text), None, "{text}");
    }
}

#[test]
fn amount_and_unit_before_a_name_are_separated_from_the_name() {
    assert_eq!(parts("300 ml of water"), json!([300, "ml", "water"]));
    assert_eq!(parts("5 cm³ of oil"), json!([5, "cm³", "oil"]));
    assert_eq!(parts("25 cm3 dilute acid"), json!([25, "cm3", "dilute acid"]));
    assert_eq!(parts("2 dm³ water"), json!([2, "dm³", "water"]));
    assert_eq!(parts("10 µl sample"), json!([10, "µl", "sample"]));
    assert_eq!(parts("8 oz vinegar"), json!([8, "oz", "vinegar"]));
    assert_eq!(parts("2 ft string"), json!([2, "ft", "string"]));
    assert_eq!(parts("5g salt"), json!([5, "g", "salt"]));
    assert_eq!(parts("4 cups of flour"), json!([4, "cups", "flour"]));
    assert_eq!(parts("1 roll of tape"), json!([1, "roll", "tape"]));
    assert_eq!(parts("2 tsp water"), json!([2, "tsp", "water"]));
    assert_eq!(parts("2 EL Öl"), json!([2, "EL", "Öl"]));
    assert_eq!(parts("1 Packung Watte"), json!([1, "Packung", "Watte"]));
    assert_eq!(parts("20 ml d’eau"), json!([20, "ml", "eau"]));
    assert_eq!(parts("200 ml boiling water"), json!([200, "ml", "boiling water"]));
    assert_eq!(parts("50 ml spring water"), json!([50, "ml", "spring water"]));
    assert_eq!(parts("2 cucharadas de vinagre"), json!([2, "cucharadas", "vinagre"]));
}

#[test]
fn ambiguous_amount_stays_a_text() {
    assert_eq!(parts("1,000 g salt"), json!(["1,000", "g", "salt"]));
    assert_eq!(parts("1.000 ml Wasser"), json!(["1.000", "ml", "Wasser"]));
    assert_eq!(parts("0,5 l Wasser"), json!(["0,5", "l", "Wasser"]));
    assert_eq!(parts("10.0 cm3 acid"), json!(["10.0", "cm3", "acid"]));
    assert_eq!(parts("0.50 g zinc"), json!(["0.50", "g", "zinc"]));
    assert_eq!(parts("½ cup of cocoa"), json!(["½", "cup", "cocoa"]));
    assert_eq!(parts("1 1/2 cups flour"), json!(["1 1/2", "cups", "flour"]));
    assert_eq!(parts("2-3 drops of oil"), json!(["2-3", "drops", "oil"]));
    assert_eq!(parts("about 20 g sand"), json!(["about 20", "g", "sand"]));
}

#[test]
fn number_of_items_is_read_as_an_amount_without_a_unit() {
    assert_eq!(parts("3 cups"), json!([3, "cups"]));
    assert_eq!(parts("6 Gläser"), json!([6, "Gläser"]));
    assert_eq!(parts("4 zip bags"), json!([4, "zip bags"]));
    assert_eq!(parts("2 × 50 cm³ measuring cylinders"), json!([2, "50 cm³ measuring cylinders"]));
    assert_eq!(parts("3 × spoon"), json!([3, "spoon"]));
    assert_eq!(parts("2 x cups"), json!([2, "cups"]));
    assert_eq!(parts("stirring rods x 3"), json!([3, "stirring rods"]));
    assert_eq!(parts("sugar cubes (6)"), json!([6, "sugar cubes"]));
    assert_eq!(parts("250 ml flask x 2"), json!([2, "250 ml flask"]));
    assert_eq!(parts("2 x 1.5 V cells"), json!([2, "1.5 V cells"]));
}

#[test]
fn size_that_describes_an_item_stays_in_its_name() {
    let whole = [
        "12 V lamp",
        "100 N spring balance",
        "1.5 V cells",
        "60 W bulb",
        "2M NaOH",
        "0.5 mol/dm³ acid",
        "250 cm³ beaker",
        "250 ml Becherglas",
        "4 V batteries",
        "30 cm ruler",
        "9 x 13 in. pan",
        "5 °C water",
        "3 pH strips",
        "500 Ω resistor",
        "60 watt bulb",
        "12 volt lamp",
        "30 second timer",
        "2 molar acid",
        "8.5 x 11 paper",
        "3 x 5 cards",
        "20 cm x 20 cm foil",
        "250 ml bécher gradué",
    ];
    for text in whole {
        assert_eq!(parts(text), json!(text));
    }
}

#[test]
fn abbreviation_before_a_noun_is_not_a_unit() {
    assert_eq!(parts("6 AA batteries"), json!([6, "AA batteries"]));
    assert_eq!(parts("2 LED lamps"), json!([2, "LED lamps"]));
    assert_eq!(parts("cork borer (8 mm)"), json!("cork borer (8 mm)"));
}

#[test]
fn petri_dishes_are_counted_as_items_and_not_as_a_unit() {
    assert_eq!(parts("3 boîtes de Petri"), json!([3, "boîtes de Petri"]));
    assert_eq!(parts("2 boîtes de pétri stériles"), json!([2, "boîtes de pétri stériles"]));
    assert_eq!(parts("2 cajas de Petri"), json!([2, "cajas de Petri"]));
    assert_eq!(parts("2 verres de montre"), json!([2, "verres de montre"]));
    assert_eq!(parts("1 tube à essai"), json!([1, "tube à essai"]));
    assert_eq!(parts("1 set of scales"), json!([1, "set of scales"]));
    assert_eq!(parts("2 bouteilles de Coca"), json!([2, "bouteilles", "Coca"]));
    assert_eq!(parts("1 boîte de crayons"), json!([1, "boîte", "crayons"]));
}

#[test]
fn material_counted_in_pairs_has_the_unit_pairs_in_five_languages() {
    for (text, unit, name) in [
        ("goggles (2 pairs)", "pairs", "goggles"),
        ("2 pairs of goggles", "pairs", "goggles"),
        ("Schutzbrillen (2 Paar)", "Paar", "Schutzbrillen"),
        ("lunettes (2 paires)", "paires", "lunettes"),
        ("gafas (2 pares)", "pares", "gafas"),
        ("نظارات (2 أزواج)", "أزواج", "نظارات"),
    ] {
        assert_eq!(parts(text), json!([2, unit, name]));
    }
}

#[test]
fn amount_and_unit_after_a_name_are_separated_from_the_name() {
    assert_eq!(parts("Salt - 50 g"), json!([50, "g", "Salt"]));
    assert_eq!(parts("Milk, 200 ml"), json!([200, "ml", "Milk"]));
    assert_eq!(parts("2M NaOH, 50 ml"), json!([50, "ml", "2M NaOH"]));
    assert_eq!(parts("copper wire (2 m)"), json!([2, "m", "copper wire"]));
    assert_eq!(parts("Gas syringe (100 cm³)"), json!("Gas syringe (100 cm³)"));
}
