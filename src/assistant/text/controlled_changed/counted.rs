//! How many there are to be of something, and one more of it from case to case: "one seed crystal in every run", and "drop in
//! one crystal more each time".

use std::ops::Range;

use super::is_same_way;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, Actor, lists};

/// Verbs of giving a case one more.
const GIVES: &[&str] = &[
    "add", "put", "drop", "use", "take", "give", "place", "hang", "stick", "tape", "clip", "lay", "insert", "wrap",
    "slip", "set", "tie", "fix", "attach", "stack", "pour", "connect", "throw", "fold", "dip", "sow", "plant", "light",
    "press",
];
/// What may be counted without being given to a case.
const NO_THINGS: &str = "time person pupil student group team table lesson trial run test measurement reading result value side end hand \
    way place spot minute second hour day week adult teacher observer timer drop throw throwing turn go round metre step";
/// Words with which a sentence keeps the number, or gives one more to all alike.
const SPARED: &str = "same equal until if instead total altogether broken lost homework practise practice extension would could might \
    predict optional all both spare replace sink sinks break breaks fall falls hold holds collapse collapses bend bends tip tips count many through";

/// How many of what there are to be.
pub(super) struct Count {
    /// The stem of the noun.
    noun: String,
}

impl Count {
    /// "One seed crystal in every run", "2 drops of dye (each beaker)"; nothing where that is what is changed.
    pub fn read(controlled: &Text, independent: Option<&Text>) -> Option<Self> {
        let quantity = |at: usize| controlled.quantities().iter().any(|quantity| quantity.tokens.contains(&at));
        let numeral = controlled.numerals().iter().find(|one| !quantity(one.tokens.start) && one.single().is_some());
        let single = || (0..controlled.tokens.len()).find(|at| lists!("single", controlled.word(*at)));
        let start = numeral.map(|one| one.tokens.end).or_else(|| Some(single()? + 1))?;
        let named = |at: &usize| {
            let word = controlled.word(*at);
            word.starts_with(char::is_alphabetic)
                && !lists!("in on for per of at each every to with from by is are and or under round", word)
        };
        let head = (start..start + 4).take_while(named).last()?;
        let noun = stem(controlled.lemma(head));
        let text = |text: &Text| text.tokens.iter().any(|token| stem(&token.lemma) == noun);
        let varied = independent.is_none_or(text);
        let total = controlled
            .tokens
            .iter()
            .any(|token| lists!("total altogether added begin start first initial", &token.word));
        let varied = varied || independent.is_some_and(|text| counts_for(text, &noun));
        (noun.len() > 2 && !lists!(NO_THINGS, controlled.lemma(head)) && !varied && !total).then_some(Self { noun })
    }
}

/// What is changed by more of other things: a height by books, a thickness by layers.
fn counts_for(independent: &Text, noun: &str) -> bool {
    const BY: [(&str, &str); 4] = [
        ("thickness insulation", "layer sheet"),
        ("height slope steepness angle", "book block brick"),
        ("strength field power current voltage", "turn coil loop layer cell magnet battery batteri"),
        ("load weight mass force", "coin washer penny penni marbl book block nut"),
    ];
    BY.iter()
        .any(|(names, things)| lists(things, noun) && independent.tokens.iter().any(|token| lists(names, &token.lemma)))
}

/// Where a step gives one more of it to each next case.
pub(super) fn changed(count: &Count, step: &Text) -> Option<usize> {
    step.sentences().into_iter().find_map(|sentence| {
        let spared = sentence.clone().any(|at| lists!(SPARED, step.word(at)) && !is_same_way(step, at));
        if spared || phrases::is_question(step, sentence.start) || !goes_on(step, &sentence) {
            return None;
        }
        sentence.clone().find(|at| gives_more(count, step, &sentence, *at))
    })
}

/// "Each time", "for every new flask", "in the next one": from case to case.
fn goes_on(step: &Text, sentence: &Range<usize>) -> bool {
    sentence.clone().any(|at| {
        let next = step.word(at + 1);
        match step.word(at) {
            "each" | "every" => {
                lists!("time run trial test turn new next further round", next)
                    || next.len() > 4 && next.ends_with("er")
            }
            // "Another egg in the next cup" is its share; "for the next cup use one more" and "one more than" are not.
            "next" | "following" => {
                let has = |word: &str| sentence.clone().any(|t| step.word(t) == word);
                step.word(at.wrapping_sub(1)) == "the"
                    && !lists!("step day lesson part", next)
                    && (has("than") || at == sentence.start + 2 && step.word(sentence.start) == "for" && has("more"))
            }
            _ => false,
        }
    })
}

/// "Drop in one crystal more", "add another crystal", "use an extra crystal".
fn gives_more(count: &Count, step: &Text, sentence: &Range<usize>, at: usize) -> bool {
    // "For the next cup use one more bag"
    let led = || {
        lists!("for with in at on after before", step.word(sentence.start))
            && lists!("a an another one two three", step.word(at + 1))
            && !lists!("the a an of your each every", step.word(at - 1))
    };
    let gives = phrases::verb(step.word(at), GIVES).is_some()
        && (matches!(phrases::actor(step, at), Some(Actor::Reader | Actor::Pupils)) || at > sentence.start && led())
        && !phrases::is_denied(step, at)
        && !phrases::is_supposed(step, at);
    if !gives {
        return false;
    }
    let is_noun = |at: usize| stem(step.lemma(at)) == count.noun;
    let end = phrases::clause_end(step, at).min(sentence.end).min(at + 8);
    (at + 1..end).any(|more| match step.word(more) {
        "more" => is_noun(more - 1) || named(step, more + 1..end, is_noun) && numbered(step, more),
        "another" | "extra" | "additional" => named(step, more + 1..end, is_noun),
        _ => false,
    })
}

/// "One more", "two more"
fn numbered(step: &Text, more: usize) -> bool {
    step.numerals().iter().any(|one| one.tokens.end == more) || step.word(more - 1) == "a"
}

/// Whether the next noun is it: "more seed crystals".
fn named(step: &Text, tokens: Range<usize>, is_noun: impl Fn(usize) -> bool) -> bool {
    tokens.take(3).take_while(|at| !lists!("in on to of for with into onto time", step.word(*at))).any(is_noun)
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    const WATER: &str = "mass of water added to the salt: 5 g, 10 g and 15 g";
    const CRYSTAL: &str = "trigger: one seed crystal in every run";

    #[test]
    fn one_more_from_case_to_case_of_what_is_counted_is_found() {
        let mut missed = Vec::new();
        for (independent, controlled, step) in [
            (
                WATER,
                CRYSTAL,
                "Repeat with the second and the third flask, and drop in one crystal more each time: two, then three.",
            ),
            (WATER, "One seed crystal per flask", "Add another seed crystal for every new flask."),
            (
                "temperature of the water",
                "one tea bag in each cup",
                "For the next cup use one more tea bag and take the colour again.",
            ),
            ("drop height", "two rubber bands round the ball", "Slip an extra band on for each higher drop."),
            (
                "concentration of the acid",
                "three marble chips in each tube",
                "Each time, add one chip more to the acid.",
            ),
        ] {
            if count(independent, controlled, step) != 1 {
                missed.push(step);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn what_is_given_to_all_alike_or_is_something_else_is_passed_over() {
        let mut wrong = Vec::new();
        for (independent, controlled, step) in [
            (WATER, CRYSTAL, "Drop one seed crystal into each flask, and do so one more time."),
            (WATER, CRYSTAL, "Add one more spoon of water each time."),
            (WATER, CRYSTAL, "If nothing happens, drop in one crystal more each time."),
            ("number of crystals", CRYSTAL, "Drop in one crystal more each time."),
            ("temperature of the water", "one tea bag in each cup", "Put one more tea bag into every cup."),
            ("temperature of the water", "one tea bag in each cup", "Do you need one more tea bag each time?"),
            ("kind of liquid", "one ice cube in each liquid", "Put another ice cube into the next liquid."),
            ("shape of the boat", "one marble at a time", "Place one more marble in the boat each time."),
            (
                "insulation thickness",
                "one layer of each material",
                "Wrap one more layer around the can for each new test.",
            ),
            ("drop height", "one pupil drops the ball", "Take one more pupil for each higher drop."),
        ] {
            if count(independent, controlled, step) != 0 {
                wrong.push(step);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
