//! What one turn of phrase gives to several cases, to each its own measure: "30 mL to the pots in the cupboard, but 60 mL to
//! those on the shelf", "the water for 10 minutes and the oil for 20 minutes".
//!
//! The cases must be told apart in the same way: by a word before the same noun, by an ordinal, by what is changed on
//! purpose. Two vessels that a step fills for two ends are no cases.

use std::ops::Range;

use super::kept::Kept;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::quantities::Quantity;
use crate::assistant::facts::units::Dimension;

/// What properties are measured in.
const MEASURED: [(&str, &[Dimension]); 8] = [
    ("temperature", &[Dimension::Temperature]),
    ("height length distance thickness depth", &[Dimension::Length]),
    ("slope", &[Dimension::Angle]),
    ("mass", &[Dimension::Mass]),
    ("concentration", &[Dimension::Concentration, Dimension::Share]),
    ("voltage", &[Dimension::Voltage]),
    ("time", &[Dimension::Time]),
    ("amount", &[Dimension::Volume, Dimension::Spoons, Dimension::Mass, Dimension::Drops]),
];

/// Words of a sentence that gives the same to all, adds up, supposes or only reads.
static SPARED: List = list!(
    "same equal equally identical or if total overall until till up record measure note reading read practise practice \
     instead predict homework every both half"
);
/// What tells a case in a row of cases.
static LABELS: List = list!(
    "first second third fourth fifth last next other another small smallest middle medium large largest big biggest left right \
     tall short shortest longest thick thin light heavy lightest heaviest long red blue green yellow white black cold warm hot \
     dark bright upper lower wide narrow old young dry wet a b c d e"
);
/// Words that stand for a case that was named.
static STANDING: List = list!("one ones those that rest others");
/// Vessels and tools, which are used side by side for different ends.
static VESSELS: List = list!(
    "beaker tube cup jar bottle dish bowl flask cylinder pan pot kettle tray bucket basin tub glass jug syringe funnel spoon \
     thermometer table bench sink lid bag box"
);
/// Words of a name that tell that its cases are of several kinds.
static KINDS: List = list!("type kind sort brand material make variety species colour shape design");
/// What may stand between a measure and the case that gets it, or before the measure of a case.
static BEHIND: List = list!("to into in for on onto from with at under round around over through of");
static BEFORE: List = list!("for from at with to by");

/// What one piece of a sentence gives to one case.
struct Share {
    value: f64,
    /// The preposition that leads to the case, before or behind the measure.
    link: String,
    behind: bool,
    /// Whether it goes on without a verb: "60 mL to those", "the oil for 20 minutes".
    goes_on: bool,
    /// The words of the case.
    case: Vec<String>,
}

/// A variable is named in so many words at most, and a sentence gives so many measures; what is more is not worth the look.
const LONGEST: usize = 80;
const MOST: usize = 12;

/// Where a step gives the cases different measures of what is kept.
pub(super) fn changed(lesson: &Lesson, kept: &Kept, controlled: &Text, step: &Text) -> Option<usize> {
    let independent = lesson.text(Role::Independent).filter(|text| text.tokens.len() <= LONGEST)?;
    let levels: Vec<String> =
        independent.tokens.iter().filter(|token| token.is_word()).map(|token| stem(&token.lemma)).collect();
    // "15 s counts" keeps no time.
    let own = controlled.quantities().iter().map(Quantity::dimension).filter(|one| *one != Dimension::Time);
    let own: Vec<Dimension> = own.collect();
    let known = MEASURED.iter().find(|(of, _)| lists(of, kept.property)).map(|(_, all)| *all);
    let dimensions = known.unwrap_or(&own);
    if is_varied(independent, dimensions, kept.property) {
        return None;
    }
    step.sentences().into_iter().find_map(|sentence| {
        let spared = sentence.clone().any(|at| SPARED.has(step.word(at)) || phrases::is_denial(step.word(at)));
        if spared || phrases::is_question(step, sentence.start) {
            return None;
        }
        let shares = shares(kept, dimensions, step, &sentence);
        let differ = |one: &Share, other: &Share| {
            (one.value - other.value).abs() > 0.01 * one.value.abs().max(other.value.abs())
                && (one.behind, &one.link) == (other.behind, &other.link)
                && are_cases((independent, &levels), kept, one, other)
        };
        let found =
            shares.iter().enumerate().any(|(at, one)| shares.iter().skip(at + 1).any(|other| differ(one, other)));
        found.then_some(sentence.start)
    })
}

/// Whether what is changed on purpose is measured in the same way, or made by mixing.
fn is_varied(independent: &Text, dimensions: &[Dimension], property: &str) -> bool {
    let says = |words: List| independent.tokens.iter().any(|token| words.has(&token.lemma));
    let measured = independent.quantities().iter().any(|quantity| dimensions.contains(&quantity.dimension()));
    let mixed = property == "amount"
        && says(list!("concentration strength dilution ratio ph salinity mixture share proportion"));
    let long = dimensions.contains(&Dimension::Length)
        && says(list!("height length distance thickness depth size width diameter area position place"));
    let timed = dimensions.contains(&Dimension::Time) && says(list!("time duration long age often"));
    let warm = dimensions.contains(&Dimension::Temperature) && says(list!("temperature warm hot cold heat"));
    let laden = dimensions.contains(&Dimension::Mass) && says(list!("mass weight load amount quantity much"));
    measured || mixed || long || timed || warm || laden && property == "mass"
}

/// The pieces of a sentence that give one measure each.
fn shares(kept: &Kept, dimensions: &[Dimension], step: &Text, sentence: &Range<usize>) -> Vec<Share> {
    let mut found: Vec<Share> = Vec::new();
    let about = kept.is_in(step, sentence.clone()) || kept.things.is_empty();
    for piece in pieces(step, sentence) {
        let before = (!found.is_empty()).then_some(sentence.start..piece.start);
        let Some((value, tokens)) = given(kept, dimensions, step, &piece, before, about) else { continue };
        let mut behind = tokens.end;
        // "30 mL of water to the pots": the stuff is what is kept, or it is a case of its own.
        let of = step.word(behind) == "of";
        let of_it = of && kept.is_in(step, behind + 1..piece.end.min(behind + 4));
        // "5 g of baking soda" is none of the vinegar.
        if of && !of_it && matches!(kept.property, "" | "amount") && !kept.things.is_empty() {
            continue;
        }
        if of_it {
            behind = (behind + 1..piece.end).find(|at| BEHIND.has(step.word(*at))).unwrap_or(piece.end);
        }
        let before = tokens.start.saturating_sub(1).max(piece.start);
        let goes_on = tokens.start == piece.start || lists!("the a an", step.word(piece.start));
        let share = if behind < piece.end && BEHIND.has(step.word(behind)) {
            let case = case(kept, step, behind + 1..piece.end);
            Share { value, link: step.word(behind).to_owned(), behind: true, goes_on, case }
        } else if behind >= piece.end && BEFORE.has(step.word(before)) && before > piece.start {
            let case = case(kept, step, piece.start..before);
            Share { value, link: step.word(before).to_owned(), behind: false, goes_on, case }
        } else {
            continue;
        };
        found.push(share);
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// The measure that a piece gives, where it gives one, and its tokens; a bare number has the unit of what stands before.
fn given(
    kept: &Kept,
    dimensions: &[Dimension],
    step: &Text,
    piece: &Range<usize>,
    before: Option<Range<usize>>,
    about: bool,
) -> Option<(f64, Range<usize>)> {
    // "One cup" is mostly a cup.
    let vessel = |one: &Quantity| VESSELS.has(step.lemma(one.tokens.end.saturating_sub(1)));
    let fits = |one: &&Quantity| dimensions.contains(&one.dimension()) && one.low == one.high && !vessel(one);
    let inside = |range: &Range<usize>, at: usize| range.contains(&at);
    let measured =
        |range: Range<usize>| step.quantities().iter().filter(fits).filter(move |one| inside(&range, one.tokens.start));
    let mut own = measured(piece.clone());
    if let Some(one) = own.next() {
        return (own.next().is_none() && (about || before.is_some())).then(|| (one.low, one.tokens.clone()));
    }
    let mut numbers = step.numerals().iter().filter(|one| piece.contains(&one.tokens.start) && one.single().is_some());
    let only = numbers.next().filter(|one| step.word(one.tokens.start) != "second")?;
    let end = only.tokens.end;
    if numbers.next().is_some() {
        return None;
    }
    // "Four seeds in the sandy soil and eight in the clay"
    let thing = kept.is_thing(step, end) && !VESSELS.has(step.lemma(end));
    if thing && matches!(kept.property, "amount" | "thickness") {
        return Some((only.low, only.tokens.start..end + 1));
    }
    let bare = end >= piece.end || BEHIND.has(step.word(end));
    let before = before.filter(|_| bare)?;
    let value = measured(before).next_back().map_or(only.low, |known| known.unit.to_base(only.low));
    Some((value, only.tokens.clone()))
}

/// The words of a case.
fn case(kept: &Kept, step: &Text, range: Range<usize>) -> Vec<String> {
    let said = range.filter(|at| step.tokens.get(*at).is_some_and(|token| token.is_word()));
    let own = |at: &usize| {
        let word = step.word(*at);
        (!phrases::is_empty(word) || STANDING.has(word) || LABELS.has(word) && word.len() == 1)
            && !(BEHIND.has(word) || kept.is_thing(step, *at) && !LABELS.has(word))
            && !lists!("let leave put give add pour use take drop release then", word)
    };
    said.filter(own).map(|at| step.lemma(at).to_owned()).collect()
}

/// Whether two names are of two cases.
fn are_cases((independent, levels): (&Text, &[String]), kept: &Kept, one: &Share, other: &Share) -> bool {
    let goes_on = other.goes_on;
    let (one, other) = (one.case.as_slice(), other.case.as_slice());
    if one.is_empty() || other.is_empty() || one == other || one.len().max(other.len()) > 5 {
        return false;
    }
    let shared = one.iter().any(|word| other.contains(word));
    // "The other one" stands for a case, "one strip" is none.
    let stands = |words: &[String]| {
        words.iter().enumerate().any(|(at, word)| STANDING.has(word) && (word != "one" || at + 1 == words.len()))
    };
    let label = |words: &[String]| words.iter().find(|word| LABELS.has(word)).cloned();
    let labelled = label(one).is_some() && label(other).is_some() && label(one) != label(other);
    let level = |words: &[String]| words.iter().any(|word| levels.contains(&stem(word)));
    let typed = independent.tokens.iter().take(3).any(|token| KINDS.has(&token.lemma));
    let plain = |words: &[String]| !words.iter().any(|word| VESSELS.has(word) || kept.things.contains(&stem(word)));
    shared
        || labelled
        || level(one) && level(other)
        || goes_on && (stands(one) || stands(other) || typed && plain(one) && plain(other))
}

/// The pieces of a sentence between signs, "and" and "but".
fn pieces(step: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    super::parted(sentence, 2, |at| lists!(", ; : and while but . –", step.word(at)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn what_cases_told_in_one_way_get_in_different_measures_is_found() {
        let mut missed = Vec::new();
        for (independent, controlled, step) in [
            (
                "amount of light",
                "volume of water given to each pot each day",
                "Give 30 mL of water to the pots in the cupboard, but 60 mL to those on the shelf and 90 mL to those in the window.",
            ),
            ("type of soil", "number of seeds per pot", "Plant four seeds in the sandy soil and eight in the clay."),
            ("type of liquid", "time of cooling", "Let the water cool for 10 minutes and the oil for 20 minutes."),
            (
                "insulating material",
                "thickness of the layer",
                "Wrap one layer of wool, two layers of foil and three layers of newspaper round the cans.",
            ),
            ("soil type", "fertiliser: 5 g per pot", "Give 5 g of fertiliser to the sand, 10 g to the loam."),
            (
                "acid concentration",
                "length of the magnesium ribbon",
                "Put 2 cm of ribbon into the weak acid and 4 cm into the strong one.",
            ),
            (
                "Surface: carpet, tile",
                "distance of the start line from the wall",
                "Set the start line at 50 cm for the carpet and at 80 cm for the tile.",
            ),
        ] {
            if count(independent, controlled, step) != 1 {
                missed.push(step);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn what_serves_different_ends_or_is_changed_on_purpose_is_passed_over() {
        let mut wrong = Vec::new();
        for (independent, controlled, step) in [
            ("type of tea", "volume of water", "Pour 200 mL of water into the kettle and 50 mL of water into the cup."),
            ("type of soil", "number of seeds per pot", "Plant four seeds in the sandy soil and four in the clay."),
            (
                "time of cooling",
                "volume of water",
                "Let the first cup cool for 10 minutes and the second for 20 minutes.",
            ),
            (
                "amount of baking soda",
                "amount of vinegar",
                "Pour 50 mL of vinegar in, then add 5 g of baking soda to the first and 10 g of baking soda to the second.",
            ),
            ("type of liquid", "time of cooling", "Wait for 5 minutes and stir for 2 minutes."),
            ("type of plant", "volume of water", "Give 30 mL of water to each pot and 5 mL of fertiliser to the tray."),
            ("drop height", "mass of the ball", "Drop it from 20 cm, then from 40 cm and from 60 cm."),
            (
                "kind of sugar",
                "amount of yeast",
                "Add 5 g of sugar to the first bottle and 10 g of flour to the second.",
            ),
        ] {
            if count(independent, controlled, step) != 0 {
                wrong.push(step);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
