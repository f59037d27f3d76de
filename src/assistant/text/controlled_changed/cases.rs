//! What a step gives to each case in another measure, place or setting, though it is to be the same for all.

use std::ops::Range;

use super::fixed::Fixed;
use super::named::Named;
use super::{acted, anew, by_case, contrast, counted, parallel, settled, shares, tells_what_is_kept};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::numbers::small_number;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::quantities::Quantity;
use crate::assistant::facts::units::Dimension;
use crate::assistant::facts::words::Kind;

/// Where a step changes what is kept the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) at: usize,
    /// Whether it is told plainly enough to count.
    pub(super) sure: bool,
}

/// Where the one step of a lesson changes the one thing that is kept the same.
pub(super) fn changed(lesson: &Lesson) -> Option<Change> {
    let (controlled, (_, step)) = (lesson.controlled().next()?, lesson.steps().next()?);
    let fixed = Fixed::of(lesson);
    let fixed = fixed.first()?;
    // Parts of a sum may differ.
    if fixed.kept.as_ref().is_some_and(|kept| kept.total) {
        return None;
    }
    let (named, kept) = (fixed.named.as_ref(), fixed.kept.as_ref());
    let told = || {
        let of_kept = || {
            let kept = kept?;
            by_case::changed(kept, step)
                .or_else(|| contrast::changed(lesson, (kept, &fixed.qualities), controlled, step))
        };
        named
            .and_then(|named| super::changed_at(named, step))
            .or_else(|| reset(lesson, controlled, step))
            .or_else(of_kept)
            .or_else(|| counted::changed(fixed.count.as_ref()?, step))
            .or_else(|| acted::changed(lesson, &fixed.keeps, controlled, step))
    };
    // Levels and new things are as often those of another variable.
    let likely = || {
        let of_it = |at: &usize| !is_of_what_is_changed(lesson, controlled, step, *at);
        named
            .and_then(|named| shared_out(lesson, named, controlled, step))
            .or_else(|| shares::dealt_out(kept?, step))
            .filter(of_it)
            .or_else(|| settled::changed(lesson, kept?, controlled, step))
            .or_else(|| parallel::changed(lesson, kept?, controlled, step))
            .or_else(|| anew::changed(fixed.one.as_ref()?, step))
    };
    let restored = |at: &usize| is_restored(controlled, step, *at);
    let sure = told().filter(|at| !restored(at)).map(|at| Change { at, sure: true });
    sure.or_else(|| likely().filter(|at| !restored(at)).map(|at| Change { at, sure: false }))
}

/// "A sachet of yeast in every bottle and the sugar in two: one spoon in the second": levels are of the noun that stands
/// nearer, where the lesson changes how much there is of that.
fn is_of_what_is_changed(lesson: &Lesson, controlled: &Text, step: &Text, at: usize) -> bool {
    let Some(changed) = lesson.text(Role::Independent).filter(|text| {
        !text.numerals().is_empty() || super::names(text, list!("amount mass volume number much many quantity"))
    }) else {
        return false;
    };
    let names = |text: &Text, at: usize| text.tokens.iter().any(|token| token.lemma == step.lemma(at));
    let thing = |at: usize| step.word(at).len() > 2 && !phrases::is_empty(step.word(at)) && !shares::is_unit(step, at);
    let sentence = step.sentence(at);
    let last = |of: &Text, but: &Text| sentence.clone().rfind(|at| thing(*at) && names(of, *at) && !names(but, *at));
    last(changed, controlled).is_some_and(|own| {
        let told = (own..sentence.end).filter(|at| lists!(ORDINALS, step.word(*at))).count();
        last(controlled, changed).is_none_or(|kept| kept < own) && told > 1
    })
}

/// "Put two more books under it until it is 20 cm high", where that is what is kept.
fn is_restored(controlled: &Text, step: &Text, at: usize) -> bool {
    let sentence = step.sentence(at);
    sentence.clone().any(|at| lists!("until till", step.word(at))) && tells_what_is_kept(controlled, step, &sentence)
}

/// What properties are counted or measured in.
const UNITS_OF: [(&str, &[Dimension]); 8] = [
    ("temperature", &[Dimension::Temperature]),
    ("height length distance depth position", &[Dimension::Length]),
    ("mass weight", &[Dimension::Mass]),
    ("volume", &[Dimension::Volume, Dimension::Spoons]),
    ("amount", &[Dimension::Volume, Dimension::Spoons, Dimension::Mass, Dimension::Drops]),
    ("time", &[Dimension::Time]),
    ("angle slope tilt", &[Dimension::Angle]),
    ("concentration strength", &[Dimension::Concentration, Dimension::Share]),
];

/// Words that set one case against the others.
const CASES: &str = "each every next second third last other others largest smallest following before previous";
const ORDINALS: &str = "first second third fourth fifth sixth seventh eighth ninth tenth";

/// Things that stand for whatever is tried.
const ANYTHING: &str = "liquid solution substance material sample object fluid powder item solid mixture";

/// Vessels and places that are told apart by a number or a letter.
const NUMBERED: &str = "pot cup beaker tube jar bottle plant group tray bag container glass bowl station set box tank trial \
    run dish plate car ramp coil strip plot bed tin flask bucket";

/// Places by what they are like.
const PLACES: [(&str, &str); 6] = [
    ("bright", "windowsill sill window sun sunshine sunlight lamp greenhouse balcony"),
    ("dark", "cupboard closet drawer box shade locker basement cellar"),
    ("cold", "fridge refrigerator freezer icebox cooler snow"),
    ("warm", "radiator heater oven incubator stove"),
    ("outside", "outside outdoors yard playground garden"),
    ("inside", "corridor hallway hall classroom desk bench shelf table"),
];

/// Where a step gives each case its own: "50 mL into A, 100 mL into B", "pot 1 on the windowsill, pot 2 in the
/// cupboard", "one teaspoon more in each than in the one before", "the fan to high for the last wheel".
pub fn shared_out(lesson: &Lesson, named: &Named, controlled: &Text, step: &Text) -> Option<usize> {
    let independent = lesson.text(Role::Independent);
    let asked = |sentence: &Range<usize>| {
        phrases::is_question(step, sentence.start)
            || lists!("discuss explain compare describe", step.word(sentence.start))
            || sentence.clone().any(|at| phrases::is_denial(step.word(at)) || lists!("or if", step.word(at)))
    };
    let plain: Vec<Range<usize>> = step.sentences().into_iter().filter(|sentence| !asked(sentence)).collect();
    let turned = || plain.iter().find(|sentence| is_set_anew(controlled, step, sentence)).map(|at| at.start);
    let measured = || {
        let property = named.property.as_deref()?;
        let (_, dimensions) = UNITS_OF.iter().find(|(of, _)| lists(of, property))?;
        let all = step.quantities();
        let varied = independent.is_some_and(|text| {
            (0..text.tokens.len()).any(|at| text.lemma(at) == property)
                || text.quantities().iter().any(|q| dimensions.contains(&q.dimension()))
        });
        plain.iter().find(|sentence| levels(named, property, dimensions, all, varied, step, sentence)).map(|s| s.start)
    };
    measured().or_else(turned).or_else(|| is_placed_apart(named, independent, step, &plain))
}

/// Whether a sentence gives the cases different measures.
fn levels(
    named: &Named,
    property: &str,
    dimensions: &[Dimension],
    all: &[Quantity],
    varied: bool,
    step: &Text,
    sentence: &Range<usize>,
) -> bool {
    let has = |words: List| sentence.clone().any(|at| words.has(step.word(at)));
    // "Walk up to the fifth stair for the middle one, and to the seventh for the largest"
    let stair = |at: usize| lists!("stair step rung shelf floor storey", step.lemma(at));
    let led = |at: &usize| {
        lists!(ORDINALS, step.word(*at))
            && step.word(at.wrapping_sub(1)) == "the"
            && lists!("to on onto from at", step.word(at.wrapping_sub(2)))
    };
    let climbs = property == "height"
        && has(list!("up climb"))
        && sentence.clone().filter(led).any(|at| stair(at + 1))
        && sentence.clone().filter(led).count() >= 2;
    if climbs {
        return true;
    }
    let own: Vec<&Quantity> = all
        .iter()
        .filter(|quantity| sentence.contains(&quantity.tokens.start) && dimensions.contains(&quantity.dimension()))
        .collect();
    if own.is_empty() {
        return false;
    }
    let about = named.is_in(step, sentence.clone());
    let rises = lists!("height slope angle tilt", property);
    let more = own.iter().any(|quantity| {
        let compared = has(list!("each every"))
            && (has(list!("than")) && has(list!("before last previous")) || has(list!("add another go")));
        let risen = lists!("more less higher lower further", step.word(quantity.tokens.end))
            || step.word(quantity.tokens.start.wrapping_sub(1)) == "another"
                && has(list!("up down higher lower"))
                && rises;
        compared && risen && (about || rises && has(list!("up higher lower drop")))
    });
    if more {
        return true;
    }
    let general = named.things.is_empty() || named.things.iter().any(|thing| lists!(ANYTHING, thing));
    let told = has(list!("reading record note measure photo picture read"));
    // "10 mL of water for pot A, 20 mL for pot B": it is the amount of that, whatever else has amounts.
    let of_it = |quantity: &&Quantity| {
        let end = quantity.tokens.end;
        step.word(end) == "of" && named.is_in(step, end..(end + 4).min(sentence.end))
    };
    let certain =
        own.iter().any(of_it) && own.iter().all(|quantity| step.word(quantity.tokens.end) != "of" || of_it(quantity));
    if varied && !certain || told || !(about || general || named.is_used(step, sentence.clone())) {
        return false;
    }
    let parts = parts(step, sentence, &own);
    parts.iter().enumerate().any(|(index, one)| {
        parts.iter().skip(index + 1).any(|other| {
            let differ = (one.value - other.value).abs() > 0.01 * one.value.abs().max(other.value.abs());
            differ && one.is_other_case(other)
        })
    })
}

/// What one part of a sentence says of one case.
struct Part {
    value: f64,
    /// The way in which it is measured: "deep", "apart".
    way: Option<String>,
    label: Option<String>,
    /// Nouns with what stands before them.
    nouns: Vec<(String, String)>,
}

impl Part {
    /// Whether both speak of different cases: the first and the second, pots A and B, the rubber and the tennis ball.
    fn is_other_case(&self, other: &Self) -> bool {
        // "3 cm deep and 2 cm apart" are two measures of one case.
        if self.way.is_some() && other.way.is_some() && self.way != other.way {
            return false;
        }
        match (&self.label, &other.label) {
            (Some(one), Some(other)) => one != other,
            (None, None) => {
                self.nouns.iter().any(|(one, noun)| other.nouns.iter().any(|(two, same)| noun == same && one != two))
            }
            _ => false,
        }
    }
}

/// The parts of a sentence with one quantity, or one bare number after such a quantity.
fn parts(step: &Text, sentence: &Range<usize>, own: &[&Quantity]) -> Vec<Part> {
    let part = |piece: Range<usize>| {
        let mut inside = own.iter().filter(|quantity| piece.contains(&quantity.tokens.start));
        let (value, numbers) = match (inside.next(), inside.next()) {
            (Some(only), None) => (only.low, only.tokens.clone()),
            (None, None) => {
                let known = own.iter().find(|quantity| quantity.tokens.start < piece.start)?;
                (known.unit.to_base(bare_number(step, piece.clone())?), 0..0)
            }
            _ => return None,
        };
        // "The 50 g ball" and "the 100 g ball" are told apart by another number.
        let is_number = |at: &usize| matches!(step.tokens.get(*at).map(|token| &token.kind), Some(Kind::Number(_)));
        let other = || piece.clone().find(|at| !numbers.is_empty() && !numbers.contains(at) && is_number(at));
        let label = label(step, piece.clone()).or_else(|| other().map(|at| step.word(at).to_owned()));
        // "Five minutes" and "ten minutes" are no two things.
        let unit = |word: &String| {
            lists!("cm m mm g kg ml l s h min second minute hour day week degree", word) || small_number(word).is_some()
        };
        let nouns = phrases::groups(step, piece).into_iter().flat_map(|mut group| {
            group.words.retain(|word| !unit(word));
            let pairs: Vec<_> =
                group.words.windows(2).filter_map(|pair| Some((pair.first()?.clone(), pair.last()?.clone()))).collect();
            pairs
        });
        let deep = lists!("deep apart", step.word(numbers.end)).then(|| step.word(numbers.start).to_owned());
        let ways = "deep apart long wide high thick tall away across down";
        let way =
            Some(step.word(numbers.end)).filter(|word| !numbers.is_empty() && lists(ways, word)).map(str::to_owned);
        Some(Part { value, way, label: label.or(deep), nouns: nouns.collect() })
    };
    pieces(step, sentence).into_iter().filter_map(part).collect()
}

/// The pieces of a sentence between signs and "and".
fn pieces(step: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    super::parted(sentence, 1, |at| lists!(", ; and while but : . –", step.word(at)))
}

/// What tells a case from others: its place in the order, its letter or its number.
fn label(step: &Text, mut piece: Range<usize>) -> Option<String> {
    piece.find_map(|at| {
        let word = step.word(at);
        let previous = step.word(at.wrapping_sub(1));
        if lists!(ORDINALS, word) || lists!("last other next left right", word) {
            return Some(word.to_owned());
        }
        let written = step.tokens.get(at).map_or("", |token| step.slice(&token.bytes));
        let is_letter = matches!(written, "A" | "B" | "C" | "D" | "E" | "F") && at > 0 && previous != "°";
        let after_number =
            step.tokens.get(at.wrapping_sub(1)).is_some_and(|token| matches!(token.kind, Kind::Number(_)));
        if is_letter && !after_number {
            return Some(word.to_owned());
        }
        let is_number = step.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Number(_)));
        (is_number && lists!(NUMBERED, previous)).then(|| word.to_owned())
    })
}

/// The number of a piece that has no unit and counts no thing.
fn bare_number(step: &Text, piece: Range<usize>) -> Option<f64> {
    let mut numbers = piece.clone().filter_map(|at| match step.tokens.get(at)?.kind {
        Kind::Number(value) if !lists(NUMBERED, step.word(at.wrapping_sub(1))) => {
            let ends = at + 1 >= piece.end || lists!("in into for to on", step.word(at + 1));
            ends.then_some(value)
        }
        _ => None,
    });
    let only = numbers.next()?;
    numbers.next().is_none().then_some(only)
}

/// Whether what is set to "low" is turned to "high" for one of the cases.
fn is_set_anew(controlled: &Text, step: &Text, sentence: &Range<usize>) -> bool {
    const SETTINGS: &str = "low medium high full half maximum minimum slow fast lowest highest";
    let set = |text: &Text, range: Range<usize>| {
        range.into_iter().find(|at| {
            lists!(SETTINGS, text.word(*at))
                && lists!("on at to", text.word(at.wrapping_sub(1)))
                && !lists("of", text.word(at + 1))
        })
    };
    let Some(kept) = set(controlled, 0..controlled.tokens.len()) else { return false };
    let Some(anew) = set(step, sentence.clone()) else { return false };
    let device = phrases::content_words(controlled, 0..kept.saturating_sub(1));
    let turned = (sentence.start..anew).any(|at| {
        phrases::verb(step.word(at), &["turn", "set", "switch", "put", "change", "raise", "lower"]).is_some()
            && phrases::actor(step, at).is_some()
    });
    let same_device = phrases::content_words(step, sentence.start..anew).iter().any(|word| device.contains(word));
    let by_case = sentence.clone().any(|at| lists!(CASES, step.word(at)))
        || (anew..sentence.end).any(|at| step.has_at(at, &["for", "the"]));
    controlled.word(kept) != step.word(anew) && turned && same_device && by_case
}

/// Where a step puts the cases into places of different kinds, though light, warmth or place is to be the same.
fn is_placed_apart(
    named: &Named,
    independent: Option<&Text>,
    step: &Text,
    sentences: &[Range<usize>],
) -> Option<usize> {
    const KEPT: &str = "light sunlight location place position spot temperature brightness sun warmth windowsill";
    let kept = named.property.iter().chain(&named.things).any(|word| lists!(KEPT, word));
    let warmth = named.property.as_deref() == Some("temperature");
    let changed = if warmth {
        "temperature warm cold heat cool fridge hot"
    } else {
        "light sunlight dark darkness shade sun sunny location place position spot where temperature warm cold \
        heat cool fridge window brightness"
    };
    let varied = independent.is_none_or(|text| (0..text.tokens.len()).any(|at| lists(changed, text.word(at))));
    if !kept || varied {
        return None;
    }
    let mut found: Vec<(&str, String, usize)> = Vec::new();
    for sentence in sentences {
        let sequence = sentence
            .clone()
            .any(|at| lists!("then after later next day overnight all both everything them back", step.word(at)));
        if sequence {
            continue;
        }
        for piece in pieces(step, sentence) {
            let groups = phrases::groups(step, piece.clone());
            let place = groups
                .iter()
                .filter(|group| lists!("in on under beneath by near inside below beside", &group.preposition));
            let fits = |kind: &str| !warmth || !matches!(kind, "bright" | "dark");
            let kind = place.clone().find_map(|group| {
                let word = group
                    .words
                    .iter()
                    .find_map(|word| PLACES.iter().find(|(_, places)| lists(places, word)).map(|(kind, _)| *kind))?;
                Some(if lists!("under beneath below", &group.preposition) && word != "bright" { "dark" } else { word })
            });
            let object = groups.iter().find(|group| group.preposition.is_empty());
            let object = label(step, piece.clone()).or_else(|| Some(object?.words.join(" ")));
            if let (Some(kind), Some(object)) = (kind.filter(|kind| fits(kind)), object) {
                found.push((kind, object, sentence.start));
            }
        }
    }
    let (kind, object, _) = found.first()?;
    found.iter().find(|(other, thing, _)| other != kind && thing != object).map(|(_, _, at)| *at)
}

/// Where a step turns to another value what is kept at one: "12 V for each block", and "turning it down to 9 V".
pub fn reset(lesson: &Lesson, controlled: &Text, step: &Text) -> Option<usize> {
    let settable = |of: Dimension| matches!(of, Dimension::Voltage | Dimension::Current | Dimension::Angle);
    let kept = controlled.quantities().iter().find(|quantity| settable(quantity.dimension()))?;
    let same = |of: &Text| of.quantities().iter().any(|other| other.dimension() == kept.dimension());
    let measured = [Role::Independent, Role::Dependent];
    if measured.into_iter().filter_map(|role| lesson.text(role)).any(same) {
        return None;
    }
    step.quantities().iter().find_map(|quantity| {
        let at = quantity.tokens.start;
        let sentence = step.sentence(at);
        let turned = (sentence.start..at).any(|t| {
            let sets = ["turn", "change", "raise", "lower", "increase", "reduce", "adjust"];
            phrases::verb(step.word(t), &sets).is_some() && at - t <= 7 && !phrases::is_denied(step, t)
        });
        let cases = sentence.clone().any(|t| lists!(CASES, step.word(t)) || lists!("then afterwards", step.word(t)));
        (quantity.dimension() == kept.dimension()
            && step.word(at.wrapping_sub(1)) == "to"
            && !quantity.agrees_with(kept)
            && turned
            && cases)
            .then_some(at)
    })
}
