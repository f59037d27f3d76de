//! Figures: numbers that tell who comes out ahead: "3.1 cm under green foil and 5.4 cm under clear foil", "20 turns, 6 pins;
//! 40 turns, 13 pins", "the count fell from 34 to 11 when the lamp was moved from 40 cm to 10 cm".

use std::ops::Range;

use super::judged::{effects, which};
use super::marks::Mark;
use super::orders::{Order, Side};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::poles::{self, Dimension, Form};
use crate::assistant::facts::units;

/// A number, and what it measures or counts.
#[derive(Debug, Clone)]
struct Figure {
    tokens: Range<usize>,
    number: f64,
    written: f64,
    dimension: Option<units::Dimension>,
    noun: String,
    /// Whether it is said at, with or from which.
    level: bool,
    after: bool,
}

/// The figures of a sentence.
pub(super) struct Figures<'t, 'c> {
    text: &'t Text<'c>,
    sentence: Range<usize>,
    all: Vec<Figure>,
}

/// Stems of what goes away, so that more of it is less of what stays.
const GOES: &str = "left remain los lost loss drip leak drain fall fell drop cool miss wast differenc gap less fewer short slow \
    smaller lower reduct reduc decreas minus abov below down scal total altogether sum rat ratio per_cent";

impl<'t, 'c> Figures<'t, 'c> {
    pub fn read(text: &'t Text<'c>, sentence: &Range<usize>) -> Self {
        let within = |start: usize| sentence.contains(&start);
        let numerals = text.numerals().iter().filter(|numeral| within(numeral.tokens.start));
        let read = |numeral: &crate::assistant::facts::numbers::Numeral| {
            let start = numeral.tokens.start;
            let before = text.word(start.wrapping_sub(1));
            let quantity = text.quantities().iter().find(|quantity| quantity.tokens.start == start);
            if numeral.in_words && quantity.is_none() {
                return None;
            }
            let dimension = quantity.map(|quantity| quantity.dimension());
            // The time after which all were read, and "five of the six"
            if dimension == Some(units::Dimension::Time) && lists!("within in every per for by", before) {
                return None;
            }
            let end = quantity.map_or(numeral.tokens.end, |quantity| quantity.tokens.end);
            let named = |word: &str| {
                word.starts_with(char::is_alphabetic)
                    && !phrases::is_empty(word)
                    && !lists!("and but for in on under with at to of from by only", word)
            };
            let noun = Some(end).filter(|at| named(text.word(*at))).map(|at| stem(text.lemma(at))).unwrap_or_default();
            let level = lists!("at with from of for", before)
                || quantity.is_some_and(|_| text.word(start.wrapping_sub(1)) == "the");
            let figure = |number: f64, written: f64, tokens| Figure {
                tokens,
                number,
                written,
                dimension,
                noun: noun.clone(),
                after: before == "after",
                level,
            };
            let (low, high) = quantity.map_or((numeral.low, numeral.high), |quantity| (quantity.low, quantity.high));
            // "From 4 to 11" is read as a range.
            Some(match low < high {
                true => vec![figure(low, numeral.low, start..start + 1), figure(high, numeral.high, end - 1..end)],
                false => vec![figure(low, numeral.low, start..end)],
            })
        };
        Self { text, sentence: sentence.clone(), all: numerals.filter_map(read).flatten().collect() }
    }

    /// Whether all figures of one kind are about the same; nothing where they are near each other, or none.
    pub fn are_same(&self) -> Option<bool> {
        if self.sentence.clone().any(|at| lists!("by within", self.text.word(at))) {
            return None;
        }
        // What was changed differs anyhow: "1.42 s for 50 g and 1.42 s for 200 g".
        let spread = |one: &Figure| {
            let values: Vec<f64> =
                self.all.iter().filter(|other| one.is_like(other)).map(|other| other.number).collect();
            let (low, high) =
                values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
            (values.len() > 1).then_some((high - low) / high.abs())
        };
        let spreads: Vec<f64> = self.all.iter().filter_map(spread).collect();
        let least = spreads.iter().copied().reduce(f64::min)?;
        match least {
            least if least <= 0.04 => Some(true),
            least if least >= 0.25 && spreads.len() == self.all.len() => Some(false),
            _ => None,
        }
    }

    /// Whether the figures go as the order has it, or the other way; nothing where they do not tell.
    pub fn agree(&self, known: &Order) -> Option<(bool, usize)> {
        // What was read after a time is told by it only where the time is what is measured.
        let after = |figure: &Figure| figure.after && figure.dimension == Some(units::Dimension::Time);
        if self.all.iter().any(after) && known.effect.dimension != Dimension::Tempo {
            let all = self.all.iter().filter(|figure| !after(figure)).cloned().collect();
            return Figures { text: self.text, sentence: self.sentence.clone(), all }.agree(known);
        }
        if self.all.len() < 2 || self.turns() && self.courses().is_empty() {
            return None;
        }
        let told = if self.courses().is_empty() {
            self.in_rows(known).or_else(|| self.beside_names(known))
        } else {
            self.in_courses(known)
        };
        told.map(|same| (same, 2))
    }

    /// "The bottle with 18 cm gave the highest note, the one with 2 cm the lowest": whether the level is on the side foretold.
    pub fn at_level(&self, known: &Order, told: &Order) -> Option<(bool, usize)> {
        let [cause] = &known.who.marks[..] else { return None };
        let most = |at: usize| {
            lists!("most least fewest first last", self.text.word(at))
                || poles::pole(self.text.word(at)).is_some_and(|pole| pole.form == Form::Most)
        };
        // "The dough with 5 g rose to 80 ml" is no end of anything.
        if self.courses().is_empty() && !self.sentence.clone().any(most) {
            return None;
        }
        if let [(one, last)] = self.courses()[..] {
            let rises = (last.number > one.number) == one.rises(cause)?;
            return Some((effects(&known.effect, &told.effect)? == (rises == cause.up), 1));
        }
        let level = told.who.levels.first()?;
        let figure = self.all.iter().find(|figure| figure.written == *level)?;
        let mut others =
            self.all.iter().filter(|other| other.is_like(figure) && other.number != figure.number).peekable();
        let above = others.peek()?.number < figure.number;
        if others.any(|other| (other.number < figure.number) != above) {
            return None;
        }
        let more = (above == figure.rises(cause)?) == cause.up;
        Some(((effects(&known.effect, &told.effect)?) == more, 1))
    }

    fn turns(&self) -> bool {
        let goes = |at: usize| {
            lists!("by", self.text.word(at))
                || lists(GOES, &stem(self.text.lemma(at)))
                || lists(GOES, self.text.word(at))
        };
        self.sentence.clone().any(goes)
    }

    /// "From 40 cm to 10 cm": where each begins and ends.
    fn courses(&self) -> Vec<(&Figure, &Figure)> {
        let from = |figure: &Figure| {
            self.text.word(figure.tokens.start.wrapping_sub(1)) == "from"
                || (figure.tokens.start.saturating_sub(3)..figure.tokens.start).any(|at| self.text.word(at) == "from")
        };
        self.all
            .array_windows()
            .filter(|[one, other]| {
                let between = one.tokens.end..other.tokens.start;
                from(one)
                    && other.tokens.start - one.tokens.end <= 5
                    && between.clone().any(|at| self.text.word(at) == "to")
                    && !between.clone().any(|at| lists!("and ; ,", self.text.word(at)))
            })
            .map(|[one, other]| (one, other))
            .collect()
    }

    fn in_courses(&self, known: &Order) -> Option<bool> {
        match self.courses()[..] {
            [(one, last), (next, end)] => rows(known, &[[one, next], [last, end]]),
            [(one, last)] => {
                let way = (last.number > one.number) == last.rises(&known.effect)?;
                let rest = Side::read(self.text, self.sentence.start..one.tokens.start);
                let after = Side::read(self.text, last.tokens.end..self.sentence.end);
                let caused = |side: &Side| {
                    let mark = || {
                        known.who.marks.iter().find_map(|mark| side.marks.iter().find_map(|other| effects(mark, other)))
                    };
                    mark().or_else(|| which(known, side))
                };
                let same = caused(&after).or_else(|| caused(&rest))?;
                Some((way == known.effect.up) == same)
            }
            _ => None,
        }
    }

    /// "20 turns, 6 pins; 40 turns, 13 pins"
    fn in_rows(&self, known: &Order) -> Option<bool> {
        let (pairs, []) = self.all.as_chunks::<2>() else { return None };
        let pairs: Vec<[&Figure; 2]> = pairs.iter().map(|[one, other]| [one, other]).collect();
        // "From 20 cm it was 5.8 cm wide": which is the level is told by the word before it.
        let apart = pairs.first().is_some_and(|[one, other]| !one.is_like(other) || one.level != other.level);
        (pairs.len() > 1 && apart).then(|| rows(known, &pairs)).flatten()
    }

    /// "3.1 cm under green foil and 5.4 cm under clear foil", "cheap 31 ml, dear 24 ml"
    fn beside_names(&self, known: &Order) -> Option<bool> {
        let [one, other] = &self.all[..] else { return None };
        if !one.is_like(other) || one.number == other.number {
            return None;
        }
        let rises = other.rises(&known.effect)?;
        let signs = |range: &Range<usize>| {
            range
                .clone()
                .filter(|at| lists!(", ; . and while but whereas : against", self.text.word(*at)))
                .collect::<Vec<_>>()
        };
        let begin = |figure: &Figure| {
            signs(&(self.sentence.start..figure.tokens.start)).last().map_or(self.sentence.start, |at| at + 1)
        };
        let end = |figure: &Figure| {
            signs(&(figure.tokens.end..self.sentence.end)).first().copied().unwrap_or(self.sentence.end)
        };
        let before = [begin(one)..one.tokens.start, begin(other).max(one.tokens.end)..other.tokens.start];
        let after = [one.tokens.end..end(one).min(other.tokens.start), other.tokens.end..end(other)];
        let told = |[first, second]: [Range<usize>; 2]| {
            let named = |range: Range<usize>| which(known, &Side::read(self.text, range));
            let (first, second) = (named(first), named(second));
            let ahead = match (first, second) {
                (Some(one), Some(other)) if one == other => return None,
                (one, other) => one.or(other.map(|other| !other))?,
            };
            let more = (one.number > other.number) == rises;
            Some((more == known.effect.up) == ahead)
        };
        told(before).or_else(|| told(after))
    }
}

/// Whether rows of two figures each go together as foretold.
fn rows(known: &Order, rows: &[[&Figure; 2]]) -> Option<bool> {
    let alike = |place: usize| {
        rows.array_windows().all(|[one, other]| {
            one.get(place)
                .zip(other.get(place))
                .is_some_and(|(one, other)| one.is_like(other) && one.number != other.number)
        })
    };
    let [first, ..] = rows else { return None };
    if !alike(0) || !alike(1) {
        return None;
    }
    let order =
        |[one, other]: &[[&Figure; 2]; 2]| (one[0].number < other[0].number) == (one[1].number < other[1].number);
    let orders: Vec<bool> = rows.array_windows().map(order).collect();
    let together = *orders.first()?;
    if orders.iter().any(|other| *other != together) {
        return None;
    }
    let [one, other] = first;
    let [cause] = &known.who.marks[..] else { return None };
    let straight = || Some((one.measures(cause)?, other.measures(&known.effect)?));
    let swapped = || Some((other.measures(cause)?, one.measures(&known.effect)?));
    let (first, second) =
        if other.level && !one.level { swapped().or_else(straight) } else { straight().or_else(swapped) }?;
    Some(((cause.up == first) == (known.effect.up == second)) == together)
}

impl Figure {
    fn is_like(&self, other: &Self) -> bool {
        let named = self.noun == other.noun || self.noun.is_empty() || other.noun.is_empty();
        self.dimension == other.dimension && (self.dimension.is_some() || named)
    }

    /// The same, where it does not count something else: "14 clips", but not "in 10 boxes", where there are more turns.
    fn measures(&self, mark: &Mark) -> Option<bool> {
        let counted = self.dimension.is_none() && !self.noun.is_empty() && mark.dimension == Dimension::Amount;
        let turns = lists!("turn coil loop winding", &self.noun)
            && mark.of.iter().any(|noun| lists!("turn coil loop winding wir", noun));
        let known = mark.of.is_empty() || mark.of.contains(&self.noun) || turns;
        self.rises(mark).filter(|_| !counted || known)
    }

    /// Whether more of it is more of what a mark measures; nothing where it measures something else.
    fn rises(&self, mark: &Mark) -> Option<bool> {
        use units::Dimension as Unit;
        let of = |list: &str| mark.of.iter().any(|noun| lists(list, noun));
        let amount = mark.dimension == Dimension::Amount;
        let lasts = of("tim period duration");
        let fits = match self.dimension {
            None if mark.dimension == Dimension::Tempo && lists!("beat breath rotat turn", &self.noun) => {
                return Some(true);
            }
            Some(Unit::Time) if mark.dimension == Dimension::Tempo => return Some(false),
            Some(Unit::Time) => lasts || mark.dimension == Dimension::Length,
            _ if lasts || mark.dimension == Dimension::Tempo && self.dimension != Some(Unit::Speed) => false,
            Some(Unit::Length) => {
                matches!(
                    mark.dimension,
                    Dimension::Length
                        | Dimension::Distance
                        | Dimension::Width
                        | Dimension::Depth
                        | Dimension::Thickness
                ) || amount
                    && (mark.of.is_empty()
                        || of("high height length width distanc depth diamet thicknes size gap water spread"))
            }
            Some(Unit::Temperature) => mark.dimension == Dimension::Warmth || amount && of("temperatur"),
            Some(Unit::Mass) => matches!(mark.dimension, Dimension::Weight | Dimension::Amount),
            Some(Unit::Volume) => amount,
            Some(Unit::Force) => matches!(mark.dimension, Dimension::Strength | Dimension::Weight) || amount,
            Some(Unit::Concentration | Unit::Share) => amount || mark.dimension == Dimension::Strength,
            Some(Unit::Current) => amount && of("current"),
            Some(Unit::Voltage) => amount && of("voltag"),
            Some(Unit::Resistance) => amount && of("resist resistanc"),
            Some(Unit::Pressure) => amount && of("pressur"),
            Some(Unit::Frequency) => amount && of("pitch frequenc not ton"),
            Some(Unit::Speed) => mark.dimension == Dimension::Tempo,
            Some(Unit::Angle) => mark.dimension == Dimension::Steepness,
            Some(Unit::Drops | Unit::Spoons) => amount,
            Some(_) => false,
            // What is counted, or given marks for
            None => !matches!(
                mark.dimension,
                Dimension::Warmth | Dimension::Weight | Dimension::Length | Dimension::Distance | Dimension::Thickness
            ),
        };
        fits.then_some(true)
    }
}
