//! What is predicted to go up or down with what is changed, and values that are said to agree and go the other way:
//! "from 20 cm the crater was 5.8 cm wide, from 80 cm it was 3.1 cm".

use std::ops::Range;

use super::courses;
use super::marks::{Mark, marks};
use super::parts::same;
use crate::assistant::facts::directions::without_reason;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::numbers::Numeral;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::poles::{self, Dimension, Form};
use crate::assistant::facts::quantities::Quantity;
use crate::assistant::facts::stances::{Stance, stance};
use crate::assistant::facts::units;

/// What a hypothesis pairs, and the stems of its words.
pub(super) struct Valued {
    pub(super) pairs: Vec<(Mark, Mark)>,
    words: Vec<String>,
}

/// A number with what it measures or counts, and whether it is said from, at or with what it was measured.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) at: usize,
    pub(super) number: f64,
    pub(super) dimension: Option<units::Dimension>,
    pub(super) nouns: Vec<String>,
    pub(super) level: bool,
}

/// Words with which a sentence is of a change or of a part, and its numbers no values of one and the other.
const OTHER: &str = "difference between total altogether mean average sum per_cent rose fell dropped lost gained increased decreased \
    would could might should if again cooled warmed cools by down less loss left remained remaining above below";

/// Whether a sentence has numbers enough for two values at two levels.
pub(super) fn may_tell(text: &Text, sentence: &Range<usize>) -> bool {
    let numbers = || sentence.clone().filter(|at| text.word(*at).starts_with(|c: char| c.is_ascii_digit()));
    let ends = || most(text, sentence).len() == 2;
    let compares = || sentence.clone().any(|at| text.word(at) == "than") || ends();
    let without = || sentence.clone().any(|at| lists!("without no", text.word(at))) && ends();
    numbers().nth(3).is_some() || numbers().nth(1).is_some() && compares() || numbers().next().is_some() && without()
}

/// Where a sentence says that something is at one end, and at which: "the most", "the shortest".
pub(super) fn most(text: &Text, sentence: &Range<usize>) -> Vec<(usize, bool)> {
    let end = |at: usize| match text.word(at) {
        _ if text.word(at.wrapping_sub(1)) == "at" => None,
        "most" => Some(true),
        "least" | "fewest" => Some(false),
        word => poles::pole(word).filter(|pole| pole.form == Form::Most).map(|pole| pole.up),
    };
    sentence.clone().filter_map(|at| Some((at, end(at)?))).collect()
}

/// Whether the sentence of this place, the one before it or the one after says that it was as predicted.
pub(super) fn is_held_to_agree(text: &Text, all: &[Range<usize>], place: usize) -> bool {
    let Some(sentence) = all.get(place) else { return false };
    // One that has values of its own may agree because of them.
    let cue = |at: Option<usize>| {
        at.and_then(|at| all.get(at)).is_some_and(|cue| {
            stance(text, cue, false) == Stance::Agrees
                && marks(text, cue.clone()).is_empty()
                && !cue.clone().any(|at| text.word(at).starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    stance(text, sentence, false) == Stance::Agrees
        || (cue(place.checked_sub(1)) || cue(Some(place + 1))) && stance(text, sentence, true) == Stance::Agrees
}

impl Valued {
    pub fn read(hypothesis: &Text) -> Self {
        let words = (0..hypothesis.tokens.len()).map(|at| stem(hypothesis.lemma(at))).collect();
        let mut pairs = Vec::new();
        for sentence in hypothesis.sentences() {
            let said = without_reason(hypothesis, sentence);
            let than = said.clone().find(|at| hypothesis.word(*at) == "than").unwrap_or(said.end);
            let mut known: Vec<Mark> = Vec::new();
            // "The fewer bubbles rise": what is said first tells the way.
            for mark in marks(hypothesis, said.start..than) {
                if !known.iter().any(|other| same(other, &mark)) {
                    known.push(mark);
                }
            }
            for (place, one) in known.iter().enumerate() {
                pairs.extend(known.iter().skip(place + 1).map(|other| (one.clone(), other.clone())));
            }
        }
        Self { pairs, words }
    }

    /// Whether the values at two or more levels go the other way than predicted.
    pub fn is_turned_round(&self, text: &Text, sentence: &Range<usize>) -> bool {
        if self.pairs.is_empty() {
            return false;
        }
        let values = self.values(text, sentence);
        if let Some(rows) = courses::rows(text, sentence, &values) {
            return self.are_turned(text, sentence, &rows);
        }
        if self.is_turned_at_ends(text, sentence, &values) {
            return true;
        }
        if sentence.clone().any(|at| lists!(OTHER, text.word(at))) {
            return false;
        }
        if let Some(than) = sentence.clone().find(|at| text.word(*at) == "than") {
            return self.is_turned_at(text, sentence, than, &values);
        }
        let (rows, []) = values.as_chunks::<2>() else { return false };
        self.are_turned(text, sentence, rows)
    }

    /// Whether rows of two values each go the other way.
    fn are_turned(&self, text: &Text, sentence: &Range<usize>, rows: &[[Value; 2]]) -> bool {
        let ([first, .., last], true) = (rows, rows.len() <= 6) else { return false };
        let orders: Vec<Option<bool>> = rows.array_windows().map(|[one, other]| Self::order(one, other)).collect();
        let Some(Some(together)) = orders.first().copied() else { return false };
        let tied = sentence.clone().any(|at| self.names(text, at));
        tied && orders.iter().all(|order| *order == Some(together)) && self.denies(first, last, together)
    }

    /// "The nail with 40 coils picked up fewer clips than the one with 10."
    fn is_turned_at(&self, text: &Text, sentence: &Range<usize>, than: usize, values: &[Value]) -> bool {
        let [one, other] = values else { return false };
        if one.at > than || other.at < than || !one.level || !other.level || !one.is_like(other) {
            return false;
        }
        let marks = marks(text, sentence.start..than);
        let mut said = marks.iter().filter(|mark| !mark.plain);
        let (Some(mark), None) = (said.next(), said.next()) else { return false };
        self.is_denied(one, other, mark)
    }

    /// Whether what is predicted cannot go with there being more, or less, of something at the first level than at the other.
    pub(super) fn is_denied(&self, one: &Value, other: &Value, mark: &Mark) -> bool {
        let verdict = |cause: &Mark, effect: &Mark| {
            let rises = one.rises_with(cause).filter(|_| one.number != other.number && same(effect, mark))?;
            Some((cause.up == effect.up) != (((one.number > other.number) == rises) == mark.up))
        };
        let verdicts = self.pairs.iter().filter_map(|(one, other)| verdict(one, other).or_else(|| verdict(other, one)));
        let verdicts: Vec<bool> = verdicts.collect();
        !verdicts.is_empty() && verdicts.iter().all(|turned| *turned)
    }

    /// Whether a word of the sentence is one of the hypothesis that says something.
    fn names(&self, text: &Text, at: usize) -> bool {
        let word = text.word(at);
        let written = text.tokens.get(at).map_or("", |token| text.slice(&token.bytes));
        let short =
            written.len() > 1 && written.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit());
        (word.len() > 3 || short && word.starts_with(char::is_alphabetic))
            && !lists!("that with will when then than from they their this more less most", word)
            && self.words.contains(&stem(text.lemma(at)))
    }

    /// The numbers of a sentence in order, without the time after which all were read.
    fn values(&self, text: &Text, sentence: &Range<usize>) -> Vec<Value> {
        let timed = self.pairs.iter().any(|(one, other)| {
            matches!(one.dimension, Dimension::Tempo) || matches!(other.dimension, Dimension::Tempo)
        });
        let read = |numeral: &Numeral| {
            let start = numeral.tokens.start;
            let before = text.word(start.wrapping_sub(1));
            let quantity = text.quantities().iter().find(|quantity| quantity.tokens.start == start);
            let dimension = quantity.map(Quantity::dimension);
            if dimension == Some(units::Dimension::Time) && !timed && lists!("after within in for every per", before) {
                return None;
            }
            let named = |at: &usize| {
                let word = text.word(*at);
                word.starts_with(char::is_alphabetic) && !phrases::is_empty(word)
            };
            // "ET50" is a name.
            let glued = |at: usize| text.tokens.get(at).map(|token| token.bytes.clone()).unwrap_or_default();
            if start > 0 && glued(start - 1).end == glued(start).start && before.starts_with(char::is_alphabetic) {
                return None;
            }
            let end = quantity.map_or(numeral.tokens.end, |quantity| quantity.tokens.end);
            let end = if text.word(end) == "of" { end + 1 } else { end };
            Some(Value {
                at: start,
                number: quantity.map_or(numeral.low, |quantity| quantity.low),
                dimension,
                nouns: (end..end + 2).take_while(named).map(|at| stem(text.lemma(at))).collect(),
                level: lists!("from at with of for under on using", before),
            })
        };
        let within = |numeral: &&Numeral| sentence.contains(&numeral.tokens.start) && !numeral.in_words;
        text.numerals().iter().filter(within).filter_map(read).collect()
    }

    /// Whether both numbers of two rows go together; nothing where they do not measure the same.
    fn order(one: &[Value; 2], other: &[Value; 2]) -> Option<bool> {
        let [cause, effect] = one;
        let [next_cause, next_effect] = other;
        let moved = |one: &Value, other: &Value| one.is_like(other) && one.number != other.number;
        let apart = cause.dimension != effect.dimension || cause.dimension.is_none() && !cause.is_like(effect);
        // "From 20 cm it was 5.8 cm wide": which is the level is told by the word before it.
        let told = cause.level && next_cause.level && !effect.level && !next_effect.level;
        ((apart || told) && moved(cause, next_cause) && moved(effect, next_effect))
            .then_some((cause.number < next_cause.number) == (effect.number < next_effect.number))
    }

    /// Whether the hypothesis pairs what these measure, and the other way.
    fn denies(&self, first: &[Value; 2], last: &[Value; 2], together: bool) -> bool {
        let rises = |mark: &Mark, place: usize| {
            let both = [first.get(place)?, last.get(place)?];
            both.into_iter().find_map(|value| value.rises_with(mark))
        };
        let verdicts = self.pairs.iter().filter_map(|(one, other)| {
            let straight = rises(one, 0).zip(rises(other, 1));
            let (first, second) = straight.or_else(|| rises(one, 1).zip(rises(other, 0)))?;
            Some(((one.up == first) == (other.up == second)) != together)
        });
        let verdicts: Vec<bool> = verdicts.collect();
        !verdicts.is_empty() && verdicts.iter().all(|denied| *denied)
    }
}

impl Value {
    /// Whether both measure or count one thing: "12 clips", and "only 5".
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let named =
            self.nouns.is_empty() || other.nouns.is_empty() || self.nouns.iter().any(|noun| other.nouns.contains(noun));
        self.dimension == other.dimension && (self.dimension.is_some() || named)
    }

    /// Whether more of it is more of what a mark measures; nothing where it measures something else.
    fn rises_with(&self, mark: &Mark) -> Option<bool> {
        let of = |list: &str| mark.of.iter().any(|noun| lists(list, noun));
        let is_of =
            |mark: &Mark| mark.dimension == Dimension::Amount && self.nouns.iter().any(|noun| mark.of.contains(noun));
        let lengthy = matches!(
            mark.dimension,
            Dimension::Length | Dimension::Distance | Dimension::Width | Dimension::Depth | Dimension::Thickness
        );
        let fits = match self.dimension {
            Some(units::Dimension::Length) => {
                lengthy || mark.dimension == Dimension::Amount && of("height high width length distanc depth diamet")
            }
            Some(units::Dimension::Temperature) => mark.dimension == Dimension::Warmth,
            // "8 g of sugar" is more of it than 2 g.
            Some(units::Dimension::Mass | units::Dimension::Spoons) if is_of(mark) => true,
            Some(units::Dimension::Volume) if is_of(mark) => true,
            Some(units::Dimension::Mass) => mark.dimension == Dimension::Weight,
            Some(units::Dimension::Concentration | units::Dimension::Share) => mark.dimension == Dimension::Strength,
            Some(units::Dimension::Time) => return (mark.dimension == Dimension::Tempo).then_some(false),
            Some(units::Dimension::Volume) => mark.dimension == Dimension::Amount && of("volum water gas air juic"),
            Some(units::Dimension::Current) => mark.dimension == Dimension::Amount && of("current"),
            Some(units::Dimension::Voltage) => mark.dimension == Dimension::Amount && of("voltag"),
            Some(units::Dimension::Resistance) => mark.dimension == Dimension::Amount && of("resist"),
            Some(units::Dimension::Pressure) => mark.dimension == Dimension::Amount && of("pressur"),
            Some(units::Dimension::Force) => mark.dimension == Dimension::Amount && of("force friction pull"),
            Some(_) => false,
            None => {
                // Turns are of wire.
                let turns = |noun: &String| lists!("turn coil loop winding", noun) && of("wir turn coil loop winding");
                let counts = |noun: &String| mark.of.contains(noun) || turns(noun);
                mark.dimension == Dimension::Amount && self.nouns.iter().any(counts)
            }
        };
        fits.then_some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    #[test]
    fn values_that_are_said_to_agree_and_go_the_other_way_are_found() {
        let mut missed = Vec::new();
        for (hypothesis, other) in [
            (
                "A marble dropped from a greater height will leave a wider crater.",
                "Compare: from 20 cm the crater was 5.8 cm wide, from 80 cm it was 3.1 cm. Our prediction has come true.",
            ),
            (
                "The more turns of wire, the more paper clips the nail will lift.",
                "As predicted, 10 turns lifted 14 clips and 40 turns lifted 3 clips.",
            ),
            (
                "The more turns of wire, the more paper clips the nail will lift.",
                "Our hypothesis was confirmed: with 10 turns the nail lifted 14 clips, with 20 turns it lifted 9 clips and with 40 turns only 3 clips.",
            ),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "The prediction held. At 20 °C the tablet needed 35 s, at 60 °C it needed 90 s.",
            ),
            (
                "If the water is hotter, the tablet will dissolve faster.",
                "The tablet was gone in 35 s at 20 °C and in 90 s at 60 °C, so the hypothesis was confirmed.",
            ),
            (
                "The farther the lamp is from the pondweed, the fewer bubbles rise.",
                "As we expected, at 10 cm the pondweed gave 8 bubbles, at 40 cm 31 bubbles.",
            ),
            (
                "The more coils there are on the nail, the more paper clips it picks up.",
                "Our prediction was right: the nail with 40 coils picked up fewer clips than the one with 10.",
            ),
            (
                "With more turns of wire the nail will lift more paper clips.",
                "Our hypothesis was borne out: the nail with 10 turns held the most clips and the one with 40 turns the fewest.",
            ),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "As predicted, the tablet dissolved fastest at 20 °C and slowest at 60 °C.",
            ),
        ] {
            if found(hypothesis, other).0 != 1 {
                missed.push(other);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn values_that_go_as_predicted_or_are_of_something_else_are_passed_over() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                "A marble dropped from a greater height will leave a wider crater.",
                "From 20 cm the crater was 3.1 cm wide, from 80 cm it was 5.8 cm. Our prediction has come true.",
            ),
            (
                "A marble dropped from a greater height will leave a wider crater.",
                "From 20 cm the crater was 5.8 cm wide, from 80 cm it was 3.1 cm. Was our prediction right?",
            ),
            (
                "A marble dropped from a greater height will leave a wider crater.",
                "From 20 cm the crater was 5.8 cm wide, from 80 cm it was 3.1 cm. Our prediction was wrong.",
            ),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "The prediction held. At 20 °C the tablet needed 90 s, at 60 °C it needed 35 s.",
            ),
            (
                "The farther the lamp is from the pondweed, the fewer bubbles rise.",
                "As we expected, at 10 cm the pondweed gave 31 bubbles, at 40 cm 8 bubbles.",
            ),
            (
                "The more turns of wire, the more paper clips the nail will lift.",
                "As predicted, the nail works. 10 turns of wire are 14 cm long, 20 turns are 9 cm long on a thin nail.",
            ),
            (
                "The more coils there are on the nail, the more paper clips it picks up.",
                "Our prediction was right: the nail with 10 coils picked up fewer clips than the one with 40.",
            ),
            (
                "The more coils there are on the nail, the more paper clips it picks up.",
                "Our prediction was right: the nail with 40 coils got heavier and took fewer minutes than the one with 10.",
            ),
            (
                "The more turns of wire, the more paper clips the nail will lift.",
                "The hypothesis was confirmed. Sort 14 clips into 10 boxes and 3 clips into 40 boxes.",
            ),
            (
                "The thicker the wool, the warmer the water will be.",
                "As predicted, with 1 cm the water cooled by 20 °C and with 3 cm it cooled by 8 °C.",
            ),
            (
                "The heavier the load, the deeper the boat sits in the water.",
                "As predicted, with 50 g the rim stood 6 cm above the water and with 150 g it stood 3 cm above the water.",
            ),
            (
                "With more turns of wire the nail will lift more paper clips.",
                "Our hypothesis was borne out: the nail with 40 turns held the most clips and the one with 10 turns the fewest.",
            ),
            (
                "With more turns of wire the nail will lift more paper clips.",
                "Our hypothesis was borne out: the nail with 40 turns held the fewest misses and the one with 10 turns the most.",
            ),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "As predicted, the tablet dissolved fastest at 60 °C and slowest at 20 °C.",
            ),
            (
                "The wider the dish, the more water evaporates.",
                "As predicted, in the 5 cm dish 40 mL were left and in the 15 cm dish 12 mL were left.",
            ),
        ] {
            if found(hypothesis, other) != (0, 0) {
                wrong.push(other);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
