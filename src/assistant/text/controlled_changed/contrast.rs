//! Cases that a sentence sets against each other by what is to be the same: "the paper cup halfway, the foam cup to the
//! brim", "one jar in the fridge and one by the radiator", "group A in compost and group B in sand".

use std::ops::Range;

use super::kept::Kept;
use super::names;
use super::qualities::{QUALITIES, Quality};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, Actor, lists};

/// Verbs of giving a case its own.
const DEALS: &[&str] = &[
    "pour",
    "fill",
    "put",
    "place",
    "plant",
    "use",
    "take",
    "leave",
    "set",
    "stand",
    "give",
    "wrap",
    "mould",
    "mold",
    "make",
    "run",
    "drop",
    "hang",
    "keep",
    "add",
    "shape",
    "roll",
    "stir",
    "sow",
    "store",
    "cover",
    "paint",
    "let",
    "half-fill",
    "push",
    "move",
    "test",
    "drop",
    "form",
    "water",
    "lay",
];

const ORDER: &str = "first second third fourth fifth last next other others left right";

/// The qualities in which no two cases may differ where this is kept the same.
pub(super) fn qualities(controlled: &Text, independent: Option<&Text>) -> Vec<&'static Quality> {
    let free = |quality: &&Quality| {
        names(controlled, quality.nouns)
            && independent.is_none_or(|text| {
                !names(text, quality.nouns) && !quality.values.iter().any(|words| names(text, *words))
            })
            // "Cold water from the tap" tells itself what it is.
            && !quality.values.iter().any(|words| names(controlled, *words))
    };
    let of_kind =
        names(controlled, list!("kind type sort brand same variety material make")) || controlled.tokens.len() <= 5;
    let is_thing = |quality: &&Quality| {
        ["soil", "liquid", "surface", "ball", "water", "cup"].iter().any(|noun| quality.nouns.has(noun))
    };
    let amount = names(
        controlled,
        list!("amount volume number mass temperature size height length depth level position weight age many much"),
    );
    QUALITIES.iter().filter(free).filter(|quality| !is_thing(quality) || of_kind && !amount).collect()
}

/// Where a step sets cases against each other by it.
pub(super) fn changed(
    lesson: &Lesson,
    (kept, qualities): (&Kept, &[&Quality]),
    controlled: &Text,
    step: &Text,
) -> Option<usize> {
    let mut all = qualities.iter().filter_map(|quality| {
        step.sentences()
            .into_iter()
            .find(|sentence| sets_apart(kept, quality, controlled, step, sentence))
            .map(|at| at.start)
    });
    let anew = || several(lesson, controlled, step).or_else(|| this_time(lesson, kept, step));
    all.next().or_else(anew).or_else(|| settings(lesson, controlled, step)).or_else(|| bigger(kept, step))
}

fn acts(step: &Text, sentence: &Range<usize>) -> bool {
    sentence.clone().any(|at| {
        phrases::verb(step.word(at), DEALS).is_some()
            && matches!(phrases::actor(step, at), Some(Actor::Reader | Actor::Pupils))
            && !phrases::is_denied(step, at)
            && !phrases::is_supposed(step, at)
    })
}

fn sets_apart(kept: &Kept, quality: &Quality, controlled: &Text, step: &Text, sentence: &Range<usize>) -> bool {
    let has = |words: List| sentence.clone().any(|at| words.has(step.word(at)));
    if has(list!(
        "same equal both predict record measure label imagine or later tomorrow back again until half-time mix"
    )) || phrases::is_question(step, sentence.start)
        || sentence.clone().any(|at| phrases::is_denial(step.word(at)))
        || !acts(step, sentence)
    {
        return false;
    }
    let own = kept.is_in(step, sentence.clone());
    if !own && !quality.alone && !kept.things.is_empty() {
        return false;
    }
    let room = (0..controlled.tokens.len()).any(|at| lists!("room air surroundings surrounding", controlled.word(at)));
    if room && quality.values.first().is_some_and(|words| words.has("hot")) {
        return false;
    }
    let mut seen: Vec<(usize, Case)> = Vec::new();
    let mut then = false;
    for piece in pieces(step, sentence) {
        let value = |at: &usize| {
            let word = step.word(*at);
            let age = !quality.nouns.has("age") || step.has_at(at + 1, &["-", "old"]);
            quality.values.iter().position(|words| words.has(word)).filter(|_| age).map(|value| (value, *at))
        };
        let mut values = piece.clone().filter_map(|at| value(&at));
        let Some((value, at)) = values.next() else { continue };
        if values.any(|(other, _)| other != value) {
            continue;
        }
        let case = Case::read(step, &piece, at);
        then |= lists!("then next", step.word(piece.start));
        if seen.iter().any(|(known, other)| *known != value && other.differs(&case)) {
            return true;
        }
        seen.push((value, case));
    }
    // "Run the car over carpet, then over tile"
    let first = seen.first().map(|(value, _)| *value);
    quality.nouns.has("surface") && then && seen.iter().any(|(value, _)| Some(*value) != first)
}

/// What one piece of a sentence says of which case it is.
struct Case {
    label: Option<String>,
    one: bool,
    /// Nouns with what stands before them.
    named: Vec<(String, String)>,
}

impl Case {
    fn read(step: &Text, piece: &Range<usize>, value: usize) -> Self {
        let letter = |at: usize| {
            let written = step.tokens.get(at).map_or("", |token| step.slice(&token.bytes));
            matches!(written, "A" | "B" | "C" | "D") && !lists!("° º", step.word(at.wrapping_sub(1)))
                || at > piece.start && matches!(written, "1" | "2" | "3" | "4")
        };
        let label = piece.clone().filter(|at| *at != value).find(|at| letter(*at) || lists!(ORDER, step.word(*at)));
        let one = piece.clone().any(|at| {
            step.word(at) == "one"
                && (lists!("in by on at with under near into of", step.word(at + 1))
                    || at == piece.start
                    || step.word(at + 1).len() > 2)
        });
        let mut named = Vec::new();
        for mut group in phrases::groups(step, piece.clone()) {
            group.words.retain(|word| word != step.lemma(value));
            for pair in group.words.windows(2) {
                if let [before, noun] = pair {
                    named.push((before.clone(), noun.clone()));
                }
            }
        }
        Self { label: label.map(|at| step.word(at).to_owned()), one, named }
    }

    fn differs(&self, other: &Self) -> bool {
        match (&self.label, &other.label) {
            (Some(one), Some(other)) => one != other,
            (Some(_), None) | (None, Some(_)) => self.one || other.one,
            (None, None) => {
                self.one && other.one
                    || self
                        .named
                        .iter()
                        .any(|(one, noun)| other.named.iter().any(|(two, same)| noun == same && one != two))
            }
        }
    }
}

fn pieces(step: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    super::parted(sentence, 2, |at| lists!(", ; : and while but whereas . –", step.word(at)))
}

/// "Test three brands of paper towel", where the brand is to be the same.
fn several(lesson: &Lesson, controlled: &Text, step: &Text) -> Option<usize> {
    const ASPECTS: &str = "brand kind type variety sort colour size shape";
    let aspect = (0..controlled.tokens.len().min(4)).find(|at| lists!(ASPECTS, controlled.lemma(*at)))?;
    let named = controlled.lemma(aspect);
    let things = phrases::content_words(controlled, 0..controlled.tokens.len());
    let alike =
        |word: &str| word == named || lists!("kind type sort variety", word) && lists!("kind type sort variety", named);
    if lesson
        .text(Role::Independent)
        .is_some_and(|text| text.tokens.iter().any(|token| alike(&token.lemma) || things.contains(&token.lemma)))
    {
        return None;
    }
    (1..step.tokens.len()).find(|at| {
        let counted = lists!("two three four five six several various different many", step.word(at - 1));
        let end = phrases::clause_end(step, *at);
        let of = step.word(at + 1) == "of"
            && (at + 2..end.min(at + 6))
                .any(|t| step.lemma(t) != named && things.iter().any(|thing| thing == step.lemma(t)));
        let tried = (phrases::clause_start(step, *at)..*at).any(|t| {
            phrases::verb(step.word(t), &["test", "try", "use", "take", "plant", "drop", "pour", "choose"]).is_some()
                && matches!(phrases::actor(step, t), Some(Actor::Reader | Actor::Pupils))
                && !phrases::is_denied(step, t)
        });
        counted
            && alike(step.lemma(*at))
            && step.word(*at).ends_with('s')
            && of
            && tried
            && !phrases::is_question(step, *at)
    })
}

/// What sets something, by words for what it sets.
static DEVICES: [(List, List); 6] = [
    (list!("air airflow wind breeze draught draft"), list!("fan blower hairdryer dryer")),
    (list!("light brightness"), list!("lamp torch dimmer")),
    (list!("temperature heat warmth"), list!("heater hotplate plate oven burner")),
    (list!("voltage current power"), list!("supply pack dial")),
    (list!("stirring speed mixing stir"), list!("stirrer mixer")),
    (list!("flow water"), list!("tap pump")),
];

/// "Setting 2 for the cotton, 3 for the polyester", where the air flow is to be the same.
fn settings(lesson: &Lesson, controlled: &Text, step: &Text) -> Option<usize> {
    let names = |text: &Text, words: List| text.tokens.iter().any(|token| words.has(&token.word));
    let (kept, devices) = DEVICES.iter().find(|(kept, devices)| names(controlled, *kept) && names(step, *devices))?;
    if lesson.text(Role::Independent).is_some_and(|text| names(text, *kept) || names(text, *devices)) {
        return None;
    }
    step.sentences().into_iter().find_map(|sentence| {
        let set =
            sentence.clone().any(|at| lists!("setting settings level speed power notch dial mark", step.word(at)));
        let mut given: Vec<(String, String)> = Vec::new();
        for at in sentence.clone() {
            let number = step.word(at).starts_with(|c: char| c.is_ascii_digit())
                || lists!("one two three four five", step.word(at));
            if number && step.has_at(at + 1, &["for", "the"]) {
                given.push((step.word(at).to_owned(), step.word(at + 3).to_owned()));
            }
        }
        let (value, case) = given.first()?;
        let differs = given.iter().any(|(other, of)| other != value && of != case);
        (set && differs && !phrases::is_question(step, sentence.start)).then_some(sentence.start)
    })
}

/// "Cut one even bigger", where all are to be of one size.
fn bigger(kept: &Kept, step: &Text) -> Option<usize> {
    if !matches!(kept.property, "size" | "length" | "mass") {
        return None;
    }
    (2..step.tokens.len()).find(|at| {
        let sized = |word: &str| lists!("big large long small short heavy wide", word);
        let compared = step.has_at(at - 1, &["even"]) && kept.compares(step.word(*at))
            || step.has_at(at - 2, &["twice", "as"]) && sized(step.word(*at))
            || step.has_at(at - 2, &["half", "as"]) && sized(step.word(*at));
        let start = step.sentence(*at).start;
        let made = (start..*at).any(|t| {
            phrases::verb(step.word(t), &["cut", "make", "choose", "take", "use", "roll", "pick"]).is_some()
                && phrases::actor(step, t) == Some(Actor::Reader)
        });
        compared
            && made
            && !phrases::is_denied(step, *at)
            && !phrases::is_question(step, *at)
            && !phrases::is_supposed(step, *at)
    })
}

/// "This time pour it into the large roasting tin", where the size of the dish is to be the same.
fn this_time(lesson: &Lesson, kept: &Kept, step: &Text) -> Option<usize> {
    const VESSELS: &str = "tin dish tray pan bowl cup beaker jar pot bucket tub tube bottle tank basin";
    let of_vessel = kept.things.iter().any(|thing| lists!(VESSELS, thing) || lists!(VESSELS, &format!("{thing}e")));
    let varied = lesson
        .text(Role::Independent)
        .is_some_and(|text| text.tokens.iter().any(|token| lists!("size big large width", &token.lemma)));
    if kept.property != "size" || !of_vessel || varied {
        return None;
    }
    step.sentences().into_iter().find_map(|sentence| {
        let anew = sentence.clone().any(|at| {
            step.has_at(at, &["this", "time"])
                || lists!("last final second third next", step.word(at))
                    && lists!("run trial test time one", step.word(at + 1))
        });
        let sized = sentence.clone().find(|at| {
            lists!("large larger big bigger wide wider small smaller tiny narrow shallow", step.word(*at))
                && (at + 1..at + 4).any(|t| lists!(VESSELS, step.lemma(t)))
        });
        let given =
            sentence.clone().any(|at| phrases::verb(step.word(at), DEALS).is_some() && !phrases::is_denied(step, at));
        (anew && given).then_some(sized).flatten()
    })
}

#[cfg(test)]
mod tests;
