//! What a sentence deals out to one case after the other, each its own: "one spoonful in the first, two in the second".

use std::ops::Range;

use super::kept::Kept;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};

/// Words that go by degrees, with the properties that they are degrees of.
const DEGREES: [(&str, &[&str]); 4] = [
    ("speed brightness voltage temperature amount", &["low lowest", "medium middle", "high full highest maximum"]),
    (
        "speed",
        &[
            "gently gentle lightly softly slowly slow",
            "briskly firmly",
            "hard vigorously vigorous fast quickly rapidly",
        ],
    ),
    (
        "temperature",
        &["iced icy cold cool chilled ice-cold fridge", "lukewarm tepid half", "hot kettle boiling", "warm"],
    ),
    ("size", &["small little", "middle medium", "big large", "huge"]),
];

/// Words that only measure: what is measured stands behind them.
const UNITS: &str = "spoonful teaspoon tablespoon spoon tsp tbsp cup cupful drop ml cl l litre g gram kg cm m mm metre inch degree minute \
    min hour second week day scoop pinch sachet pack packet book block brick rung stair step shelf part measure % volt v squirt";

const LABELS: &str = "first second third fourth fifth last next other another small smallest middle medium large largest big biggest \
    left right tall short thick thin light heavy long red blue green yellow white black cold warm hot";

/// Where a step deals it out in different measures.
pub(super) fn dealt_out(kept: &Kept, step: &Text) -> Option<usize> {
    step.sentences().into_iter().find_map(|sentence| {
        let has = |words: List| sentence.clone().any(|at| words.has(step.word(at)));
        let spared = has(list!("same equal or if record measure note reading read until count"))
            || phrases::is_question(step, sentence.start);
        let sums = kept.total
            || has(list!("total overall"))
            || step.find(&["top", "up"]).is_some()
            || step.find(&["up", "to"]).is_some_and(|at| !step.has_at(at.wrapping_sub(2), &["so", "on"]));
        if spared || sums || sentence.clone().any(|at| phrases::is_denial(step.word(at))) {
            return None;
        }
        (measured(kept, step, &sentence) || by_degree(kept, step, &sentence)).then_some(sentence.start)
    })
}

/// The pieces of a sentence between signs and "and".
fn pieces(step: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    // "Half and half" is one thing.
    let one = |at: usize| step.word(at) == "and" && step.word(at.wrapping_sub(1)) == step.word(at + 1);
    super::parted(sentence, 2, |at| lists!(", ; : and while but . –", step.word(at)) && !one(at))
}

/// What tells the case of a piece from others, beside the word at one token.
fn label(step: &Text, piece: &Range<usize>, but: Option<usize>) -> Option<String> {
    let letter = |at: usize| {
        let written = step.tokens.get(at).map_or("", |token| step.slice(&token.bytes));
        matches!(written, "A" | "B" | "C" | "D" | "E") && !lists("° º", step.word(at.wrapping_sub(1)))
    };
    // "For the truck", "at 30 °C"
    let told = |at: usize| {
        step.has_at(at, &["for", "the"]) && step.word(at + 2).starts_with(char::is_alphabetic)
            || step.word(at) == "at" && step.word(at + 1).starts_with(|c: char| c.is_ascii_digit())
    };
    let listed =
        |at: usize| lists!(LABELS, step.word(at)) && !lists("time minute minutes second seconds", step.word(at + 1));
    let plain =
        piece.clone().find(|at| Some(*at) != but && (letter(*at) || listed(*at))).map(|at| step.word(at).to_owned());
    plain.or_else(|| {
        let at = piece.clone().find(|at| told(*at))?;
        Some(step.word(if step.word(at) == "at" { at + 1 } else { at + 2 }).to_owned())
    })
}

/// How much a piece gives, and the tokens behind the number.
fn given(step: &Text, piece: &Range<usize>) -> Option<(f64, usize)> {
    let half = piece.clone().find(|at| step.word(*at) == "half" && step.word(at + 1) != "and");
    let once = piece.clone().find(|at| lists!("once twice", step.word(*at)));
    if let Some(at) = half {
        return Some((0.5, at + 1));
    }
    if let Some(at) = once {
        return Some((if step.word(at) == "once" { 1.0 } else { 2.0 }, at + 1));
    }
    let case = |at: usize| {
        let of_case = lists!(
            "pot cup beaker tube jar bottle plant group bag trial run dish ball station",
            step.word(at.wrapping_sub(1)),
        );
        let warm = |at: usize| lists!("° ℃ degrees", step.word(at));
        step.word(at.wrapping_sub(1)) == "at" || of_case || warm(at)
    };
    let mut all = step.numerals().iter().filter(|numeral| {
        let (start, end) = (numeral.tokens.start, numeral.tokens.end);
        // "The middle one" is no number.
        let pronoun = step.word(start) == "one"
            && (!lists("a an of", step.word(start + 1))
                && !is_unit(step, end)
                && start > piece.start
                && lists!(
                    "the a small middle large short long each other another last that big",
                    step.word(start - 1)
                ));
        piece.contains(&start)
            && !pronoun
            && !case(start)
            && !lists("° ℃", step.word(end))
            // "5 g/l" is no volume.
            && step.word(end + 1) != "/"
            && numeral.single().is_some()
            && !lists(LABELS, step.word(start))
    });
    let only = all.next()?;
    let whole = all.next().is_none();
    whole.then_some((only.low, only.tokens.end))
}

pub(super) fn is_unit(step: &Text, at: usize) -> bool {
    lists!(UNITS, step.lemma(at)) || lists!(UNITS, step.word(at))
}

/// Whether two cases get different numbers of what is kept.
fn measured(kept: &Kept, step: &Text, sentence: &Range<usize>) -> bool {
    let mut first: Option<(f64, String)> = None;
    for piece in pieces(step, sentence) {
        let (Some(label), Some((value, behind))) = (label(step, &piece, None), given(step, &piece)) else { continue };
        match &first {
            None if is_kept(kept, step, sentence, &piece, behind) => first = Some((value, label)),
            // A time is of nothing that is weighed or poured.
            Some(_) if kept.property != "time" && lists!("minute min hour day week", step.lemma(behind)) => {}
            Some((known, case)) if *case != label && (known - value).abs() > 1e-6 => {
                // A number of its own is of something else.
                let own = noun(step, behind, &piece);
                if own.is_none_or(|noun| kept.things.contains(&noun)) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// The stem of what a number behind its unit is of.
fn noun(step: &Text, behind: usize, piece: &Range<usize>) -> Option<String> {
    let mut at = behind;
    while at < piece.end && (is_unit(step, at) || lists!("of a the more °", step.word(at)) || step.word(at) == "°") {
        at += 1;
    }
    let word = step.word(at);
    let ends = at >= piece.end
        || !word.starts_with(char::is_alphabetic)
        || lists!(
            "in into to for on onto from at each per before after high deep long away up down times apart under out",
            word,
        );
    (!ends).then(|| stem(step.lemma(at)))
}

/// Whether the number in a piece is of what is kept.
fn is_kept(kept: &Kept, step: &Text, sentence: &Range<usize>, piece: &Range<usize>, behind: usize) -> bool {
    if let Some(noun) = noun(step, behind, piece) {
        let more = (behind..behind + 4).any(|at| kept.is_thing(step, at));
        return matches!(kept.property, "" | "amount" | "mass" | "concentration" | "time")
            && (kept.things.contains(&noun) || more);
    }
    let behind = (behind..behind + 2).find(|at| !lists("a of", step.word(*at))).unwrap_or(behind);
    let unit = step.lemma(behind);
    let fits = match kept.property {
        "height" | "distance" | "depth" | "length" => {
            lists!("cm m mm metre inch rung stair step shelf book block brick foot", unit)
        }
        "slope" => lists!("book block brick degree", unit),
        "amount" => {
            lists!(UNITS, unit)
                && !lists("cm m mm metre degree minute hour book block brick rung stair step shelf", unit)
        }
        "mass" => lists!("g gram kg", unit),
        "time" => lists!("minute min hour second day week", unit),
        "voltage" => lists!("volt v", unit),
        "concentration" => unit == "%",
        "" => {
            lists!("ml l litre cup cupful spoonful teaspoon", unit) && kept.things.iter().any(|thing| thing == "water")
        }
        _ => false,
    };
    let named = kept.is_in(step, sentence.clone());
    let known = kept.units.iter().any(|known| known == unit);
    fits && (named
        || known
        || kept.property.is_empty()
            && sentence.clone().any(|at| lists!("pot pots plant plants seedling seedlings", step.word(at)))
        || kept.things.is_empty()
        || matches!(kept.property, "time" | "slope")
        || kept.property == "height" && sentence.clone().any(|at| lists!("drop release let", step.word(at))))
}

/// "The fan to low for the paper sail, to medium for the cloth sail", "iced water in one, warm water in the next".
fn by_degree(kept: &Kept, step: &Text, sentence: &Range<usize>) -> bool {
    let property = if kept.property.is_empty() && kept.things.iter().any(|thing| lists!("push pull stir stirr", thing))
    {
        "speed"
    } else {
        kept.property
    };
    let named = kept.is_in(step, sentence.clone());
    if property.is_empty() || !named {
        return false;
    }
    DEGREES.iter().filter(|(of, _)| lists(of, property)).any(|(_, ranks)| {
        let mut seen: Vec<(String, usize)> = Vec::new();
        for (index, piece) in pieces(step, sentence).into_iter().enumerate() {
            let place = |at: usize| ranks.iter().position(|rank| lists(rank, step.word(at)));
            // "The cold cup" is a case; "with cold water", "to low" is what it gets.
            let said = |at: &usize| {
                let before = step.word(at.wrapping_sub(1));
                // "As quickly as you can"
                let utmost = step.word(at + 1) == "as" && lists!("you they possible", step.word(at + 2));
                !lists("the a this that as", before) && !lists("as or", step.word(at + 1))
                    || lists!("kettle fridge", step.word(*at))
                    || utmost
            };
            let found = piece.clone().filter(said).find_map(|at| Some((at, place(at)?)));
            let Some((at, rank)) = found else { continue };
            let one = || piece.clone().any(|at| step.word(at) == "one").then(|| "one".to_owned());
            let label = label(step, &piece, Some(at)).or_else(one);
            let label = label.or_else(|| (property == "speed").then(|| index.to_string()));
            seen.extend(label.map(|label| (label, rank)));
        }
        seen.first().is_some_and(|(case, first)| seen.iter().any(|(label, rank)| label != case && rank != first))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn what_is_dealt_out_in_different_measures_is_found() {
        for (controlled, step, independent) in [
            (
                "Amount of water given to each pot: 50 ml a day",
                "Water the first pot with 50 ml, the second with 100 ml and the third with 150 ml.",
                "Kind of soil",
            ),
            (
                "Starting temperature of the water in all beakers",
                "Fill one beaker with iced water, the second with lukewarm water and the last with water from the kettle.",
                "Material of the wrapping",
            ),
            (
                "The slope of the ramp",
                "Prop the board on one book for the toy car, on two books for the truck and on three for the bus.",
                "Type of vehicle",
            ),
            (
                "Stirring: none of the cups is stirred",
                "Stir the cold cup gently, the warm cup briskly and the hot one as hard as you can.",
                "Temperature of the water",
            ),
            (
                "Thickness of the wire, unchanged",
                "For the second length use a thinner wire, and for the third a thinner one still.",
                "Length of the wire",
            ),
            (
                "Nothing is added to the water in any jar",
                "Drop a spoonful of salt into the second jar and two into the third.",
                "Depth of the water",
            ),
            (
                "Concentration of the sugar solution does not vary",
                "Use 5 % sugar in the first tube, 10 % in the next and 20 % in the last.",
                "Mass of yeast",
            ),
            (
                "Fan speed (low)",
                "Set the fan to low for the paper sail, to medium for the cloth sail and to high for the foil sail.",
                "Sail material",
            ),
            (
                "Humidity of each chamber",
                "Mist the first chamber once, the second twice and the third three times, so each is damper than the one before.",
                "Light",
            ),
            (
                "All plants receive the same number of hours of light",
                "Give plant A 4 hours of light a day, plant B 8 and plant C 12.",
                "Type of fertiliser",
            ),
            (
                "Amount of yeast (one sachet each)",
                "Tip half a sachet into the first bottle, a whole one into the second, and two into the third.",
                "Kind of sugar",
            ),
            (
                "Soaking time",
                "Lift the first disc out after 10 minutes, the second after 20 and the third after 30.",
                "Sugar concentration",
            ),
            (
                "Pupils run for the same length of time",
                "The first runner runs for one minute, the second for two and the third for three.",
                "Age of the runner",
            ),
        ] {
            assert_eq!(count(independent, controlled, step), 1, "{controlled} / {step}");
        }
    }

    #[test]
    fn what_is_dealt_out_alike_or_on_purpose_is_passed_over() {
        for (controlled, step, independent) in [
            (
                "Starting temperature of the cold water",
                "Run B: dry the cups, then repeat step 3 with 100 g of cold water and 100 g of hot.",
                "Mass of hot water",
            ),
            ("Amount of water given to each pot", "Give every pot more water if the soil feels dry.", "Kind of soil"),
            (
                "10 ml of liquid per dish",
                "Give 10 ml of water to the first, 5 g/l to the second, 10 g/l to the third.",
                "Salt in the water",
            ),
            ("Length of string stays at 40 cm", "Hang a heavier bob on the string each time.", "Mass of the bob"),
            (
                "Volume of acid",
                "Pour 20 ml of acid over the chips. Next time use larger chips.",
                "Size of the marble chips",
            ),
            (
                "The light the plants get is identical",
                "Turn the pots round each day so that all get the same light.",
                "Kind of seed",
            ),
            (
                "Stirring: none of the cups is stirred",
                "Before the experiment, stir the sugar into the water for each cup.",
                "Temperature of the water",
            ),
            (
                "Voltage of the supply, fixed at 3 V",
                "Read the current; it drops for each longer wire.",
                "Length of the wire",
            ),
            (
                "Depth at which seeds are planted",
                "Measure the seedlings, which are taller every day.",
                "Kind of fertiliser",
            ),
            (
                "Total volume of the solution: 20 ml",
                "Use 5 ml of stock in the first tube, 10 ml in the next and 15 ml in the last; top up to 20 ml with water.",
                "Concentration",
            ),
            (
                "Fan speed (low)",
                "Switch on the fan, first with the paper sail, then the cloth one, then the foil one.",
                "Sail material",
            ),
            (
                "The same person times every swing",
                "Swap jobs after the lesson so everyone has a turn at writing.",
                "Length of string",
            ),
            (
                "Drop height, same for each ball",
                "Drop each ball three times from 1 m. Measure how high it bounces; the rubber ball bounces higher.",
                "Type of ball",
            ),
            (
                "Angle of the torch: straight down",
                "Tilt your head so you see the screen while the torch shines.",
                "Colour of the card",
            ),
            (
                "Soaking time",
                "Prepare 0.2, 0.4 and 0.6 M solutions and soak a disc in each for 20 minutes.",
                "Sugar concentration",
            ),
            (
                "Water level",
                "Float the first boat, the second and the third, filling up any water that was spilt.",
                "Shape of the boat",
            ),
        ] {
            assert_eq!(count(independent, controlled, step), 0, "{controlled} / {step}");
        }
    }
}
