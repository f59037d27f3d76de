//! Variables that are kept at an amount without being named: "2 g of yeast in each bottle" keeps the mass of the yeast,
//! "the ball is always dropped from 1 m" its height, "the lamp stands 20 cm from the beaker" its distance.

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::quantities::Quantity;
use crate::assistant::facts::units::Dimension;

/// What a name measures, before what it is said of.
const AMOUNTS: &str = "amount mass volume quantity weight dose";
/// In what stuff comes where nobody weighs it.
const MEASURES: &str = "spoon spoons spoonful spoonfuls teaspoon teaspoons tablespoon tablespoons drop drops cup cups pinch packet packets scoop scoops";

/// Whether what is changed is kept at a quantity.
pub(super) fn same(changed: &Text, kept: &Text) -> bool {
    let odd = |at: usize| {
        lists!(
            "start starting first initial within or per between except other before after not least most sowing planting once day",
            kept.word(at)
        )
    };
    if (0..kept.tokens.len()).any(odd) {
        return false;
    }
    is_stuff(changed, kept) || is_length(changed, kept)
}

/// "Amount of baking soda", and "1 spoon of baking soda each time".
fn is_stuff(changed: &Text, kept: &Text) -> bool {
    let Some((of, stuff)) = amount_of(changed) else { return false };
    let spooned = kept
        .numerals()
        .first()
        .filter(|numeral| numeral.tokens.start == 0 && lists!(MEASURES, kept.word(numeral.tokens.end)) && of != "mass");
    let weighed = || {
        kept.quantities().first().filter(|quantity| {
            quantity.tokens.start == 0 && matches!(quantity.dimension(), Dimension::Mass | Dimension::Volume)
        })
    };
    let Some(end) =
        spooned.map(|numeral| numeral.tokens.end + 1).or_else(|| weighed().map(|quantity| quantity.tokens.end))
    else {
        return false;
    };
    kept.word(end) == "of" && names(kept, end + 1) == stuff
}

/// The aspect and the stuff: "amount of baking soda".
fn amount_of(text: &Text) -> Option<(String, Vec<String>)> {
    let at = if text.word(0) == "the" { 1 } else { 0 };
    let how = text.has_at(0, &["how", "much"]);
    let named = lists!(AMOUNTS, text.word(at)) && text.word(at + 1) == "of";
    let stuff = if how || named { names(text, at + 2) } else { Vec::new() };
    (!stuff.is_empty()).then(|| (text.word(at).to_owned(), stuff))
}

/// The stems of the nouns from there up to where it is, or what is done with it.
fn names(text: &Text, from: usize) -> Vec<String> {
    let ends = |at: &usize| {
        !text.tokens.get(*at).is_some_and(|token| token.is_word())
            || phrases::begins_condition(text.word(*at))
            || lists!(
                "in on at to into for with each every per is are was goes go added used given poured put placed always throughout from that which you we and",
                text.word(*at)
            )
    };
    let end = (from..text.tokens.len()).find(ends).unwrap_or(text.tokens.len());
    (from..end).map(|at| text.word(at)).filter(|word| !phrases::is_empty(word)).map(stem).collect()
}

/// "Drop height of the ball", and "the ball is always dropped from 1 m".
fn is_length(changed: &Text, kept: &Text) -> bool {
    let is_length = |quantity: &&Quantity| quantity.dimension() == Dimension::Length;
    let [quantity] = kept.quantities() else { return false };
    if !is_length(&quantity) {
        return false;
    }
    let (before, after) = (quantity.tokens.start.wrapping_sub(1), quantity.tokens.end);
    let says = |words: &str| (0..changed.tokens.len()).any(|at| lists(words, changed.word(at)));
    let shared = || {
        let said = |text: &Text| -> Vec<String> {
            let end = (0..text.tokens.len()).find(|at| lists!("( : ,", text.word(*at))).unwrap_or(text.tokens.len());
            phrases::content_words(text, 0..end).iter().map(|word| stem(word)).collect()
        };
        let (mine, theirs) = (said(changed), said(kept));
        mine.iter().filter(|word| theirs.contains(word)).count()
    };
    let dropped = |at: usize| lists!("dropped drop falls fall released let launched", kept.word(at));
    let falls = lists!("from at", kept.word(before)) && (0..before.min(kept.tokens.len())).any(dropped);
    if falls {
        // "Dropped at 30 cm from the wall" is no height.
        let aside = kept.word(before) == "at" || (after..kept.tokens.len()).any(|at| kept.word(at) == "from");
        return !aside && says("height high") && (says("drop dropped falls fall release released") || shared() > 0);
    }
    let apart = kept.word(after) == "from" || kept.has_at(after, &["away", "from"]) || kept.word(after) == "apart";
    if apart {
        let from = (0..changed.tokens.len()).find(|at| changed.word(*at) == "from");
        let end = from.map_or_else(Vec::new, |from| names(changed, from + 1));
        // "Distance of the effort from the pivot" is not how far the load is from it.
        let of = (0..from.unwrap_or(0)).find(|at| changed.word(*at) == "of");
        let thing = of.map_or_else(Vec::new, |of| names(changed, of + 1));
        let named = |noun: &String| (0..kept.tokens.len()).any(|at| stem(kept.word(at)) == *noun);
        return says("distance far") && shared() > 0 && end.iter().chain(&thing).all(named);
    }
    let measures = match kept.word(after) {
        "long" => "length long",
        "wide" => "width diameter wide",
        "high" | "tall" => "height high tall",
        "deep" => "depth deep",
        "thick" => "thickness thick",
        _ => return false,
    };
    let thing = measured(changed, measures);
    !thing.is_empty() && thing == names(kept, 0)
}

/// The stems of what is so long, or wide: "length of the string", "string length", "how long the string is".
fn measured(text: &Text, measures: &str) -> Vec<String> {
    let Some(at) = (0..text.tokens.len()).find(|at| lists(measures, text.word(*at))) else { return Vec::new() };
    let opens = at == 0 || lists!("the how", text.word(at - 1));
    if opens {
        return names(text, if text.word(at + 1) == "of" { at + 2 } else { at + 1 });
    }
    let all = names(text, 0);
    let own = stem(text.word(at));
    all.into_iter().take_while(|noun| *noun != own).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::roles;

    #[test]
    fn a_variable_that_is_kept_at_a_quantity_is_found() {
        for (independent, controlled) in [
            ("Amount of baking soda", "1 spoon of baking soda each time"),
            ("Mass of yeast (1 g, 2 g, 3 g)", "2 g of yeast in each bottle"),
            ("How much salt is added", "5 g of salt"),
            ("Drop height of the ball", "The ball is always dropped from 1 m"),
            ("Distance from the lamp", "Lamp 20 cm from the beaker in every trial"),
            ("Length of the string", "The string is always 40 cm long"),
            ("Depth of the water", "Water 5 cm deep"),
            ("String length", "String 40 cm long"),
        ] {
            assert_eq!(roles(independent, controlled), 1, "{independent} / {controlled}");
        }
    }

    #[test]
    fn another_thing_that_is_kept_at_a_quantity_is_another_variable() {
        for (independent, controlled) in [
            ("Amount of baking soda", "50 mL of vinegar each time"),
            ("Mass of yeast", "2 g of sugar in each bottle"),
            ("Type of salt", "5 g of salt"),
            ("Concentration of the salt solution", "20 mL of salt solution"),
            ("Drop height of the ball", "The sand is always 5 cm deep"),
            ("Distance from the lamp", "Seedlings 2 cm apart"),
            ("Length of the string", "The bob is always released 10 cm from the middle"),
            ("Height of the ramp", "The car rolls over a floor 3 m long"),
            ("Amount of salt water", "200 g of water"),
            ("Amount of water each day", "50 mL of water at sowing"),
            ("Length of the wings of the paper helicopter", "Body of the paper helicopter 8 cm long"),
            ("Wing length of the helicopter", "Helicopter 8 cm long"),
            ("Depth of water in the tray", "Tray 6 cm deep"),
            ("Width of the bridge", "Gap under the bridge 20 cm wide"),
            ("Length of the string", "Piece of string tied to the cup 3 cm long"),
            ("Distance of the lamp from the pondweed", "Lamp 30 cm from the wall"),
            ("Distance of the effort from the pivot", "Load 10 cm from the pivot"),
            ("Drop height of the ball", "Ball dropped at 30 cm from the wall"),
            ("Height of fall of the ball", "Ball falls at 20 cm from the edge"),
        ] {
            assert_eq!(roles(independent, controlled), 0, "{independent} / {controlled}");
        }
    }
}
