//! What is to be the same for all, and is settled case by case: "60° for the grey pouch, 30° for the white", "carry C and D
//! to the radiator while A and B stay", "photocopy paper for the first, sugar paper for the second".

use std::ops::Range;

use super::is_same_way;
use super::kept::Kept;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::numbers::Numeral;
use crate::assistant::facts::phrases::{self, Actor, lists};
use crate::assistant::facts::units::Dimension;

/// Words for a quality, and what it is measured in.
const MEASURED: [(&str, Dimension); 12] = [
    ("temperature warmth heat hotness", Dimension::Temperature),
    ("angle tilt slope steepness incline gradient inclination", Dimension::Angle),
    ("height length distance depth gap width", Dimension::Length),
    ("mass weight load", Dimension::Mass),
    ("volume amount quantity", Dimension::Volume),
    ("time duration", Dimension::Time),
    ("concentration strength", Dimension::Concentration),
    ("amount mass quantity", Dimension::Mass),
    ("concentration strength", Dimension::Share),
    ("amount quantity", Dimension::Drops),
    ("position place spot", Dimension::Length),
    ("amount quantity", Dimension::Spoons),
];

const ORDINALS: &str = "first second third fourth fifth last next other others rest remaining former latter";
const COLOURS: &str = "black white red blue green yellow silver orange brown pink purple grey gray";
const PLACES: &str =
    "place position location spot sill windowsill shelf bench site corner window room table side where station";

/// States, and the verbs that end them.
static STATES: [(List, &[&str]); 7] = [
    (
        list!("whole intact unbroken uncut solid unpeeled uncrushed entire"),
        &[
            "crush", "break", "cut", "chop", "grind", "split", "crumble", "halve", "snap", "slice", "grate", "mash",
            "peel", "powder",
        ],
    ),
    (list!("sealed closed shut covered lidded corked"), &["open", "uncover", "unseal", "uncork", "unscrew"]),
    (list!("still undisturbed unstirred untouched standing"), &["shake", "stir", "swirl", "agitate", "jiggle"]),
    (list!("dry"), &["wet", "soak", "moisten", "dampen", "spray", "mist", "drench", "dip"]),
    (list!("flat level horizontal"), &["tilt", "prop", "tip", "raise"]),
    (list!("unheated"), &["heat", "warm", "boil"]),
    (list!("empty unloaded"), &["load", "fill"]),
];

const HEATS: &[&str] = &["heat", "warm", "reheat", "boil"];
const COOLS: &[&str] = &["chill", "cool", "ice", "refrigerate", "freeze"];
const MOVES: &[&str] =
    &["carry", "move", "shift", "take", "bring", "relocate", "transfer", "put", "place", "set", "stand"];

/// Where a step does so.
pub(super) fn changed(lesson: &Lesson, kept: &Kept, controlled: &Text, step: &Text) -> Option<usize> {
    let has = |text: &Text, words: List| (0..text.tokens.len()).any(|at| words.has(text.word(at)));
    // What is kept within limits, or anew for each, may differ.
    if has(controlled, list!("starting initial within per own between range")) {
        return None;
    }
    let case = Case { lesson, kept, controlled, step };
    if case.warms() {
        return Some(0);
    }
    step.sentences().into_iter().find_map(|sentence| {
        let spoilt = phrases::is_question(step, sentence.start)
            || sentence.clone().any(|at| {
                lists!("or if same equal again back predict imagine until", step.word(at)) && !is_same_way(step, at)
            });
        // What is read after it is measured out spoils nothing.
        let last = step.quantities().iter().map(|one| one.tokens.end).filter(|end| sentence.contains(end)).max();
        let read = |at: usize| lists!("record measure read", step.word(at)) && last.is_none_or(|last| at < last);
        let spoilt = spoilt || sentence.clone().any(read);
        let changes = !spoilt
            && (case.measures(&sentence)
                || case.names(&sentence)
                || case.ends_state(&sentence)
                || case.moves_some(&sentence)
                || case.swaps_people(&sentence));
        changes.then_some(sentence.start)
    })
}

struct Case<'a> {
    lesson: &'a Lesson<'a>,
    kept: &'a Kept,
    controlled: &'a Text<'a>,
    step: &'a Text<'a>,
}

impl Case<'_> {
    fn says(&self, sentence: &Range<usize>, words: List) -> bool {
        sentence.clone().any(|at| words.has(self.step.word(at)))
    }

    fn independent_is(&self, word: &str) -> bool {
        self.independent_names(&|known| known == word)
    }

    fn independent_has(&self, words: List) -> bool {
        self.independent_names(&|known| words.has(known))
    }

    /// Whether a word of the independent variable, as it is or in its plain form, is one of these.
    fn independent_names(&self, is: &dyn Fn(&str) -> bool) -> bool {
        let named = |text: &Text| text.tokens.iter().any(|token| is(&token.word) || is(&token.lemma));
        self.lesson.text(Role::Independent).is_some_and(named)
    }

    fn orders(&self, at: usize) -> bool {
        matches!(phrases::actor(self.step, at), Some(Actor::Reader | Actor::Pupils))
            && !phrases::is_supposed(self.step, at)
            && !phrases::is_denied(self.step, at)
    }

    /// How many cases a sentence tells apart: "the grey one", "C and D", "the two sweetest".
    fn cases(&self, sentence: &Range<usize>) -> usize {
        let mut found: Vec<String> = Vec::new();
        for at in sentence.clone() {
            let (word, before) = (self.step.word(at), self.step.word(at.wrapping_sub(1)));
            let determined = lists!("the two three for of one", before);
            let superlative = word.len() > 5 && (word.ends_with("est") || matches!(before, "least" | "most"));
            if determined && (lists!(ORDINALS, word) || lists!(COLOURS, word) || superlative)
                || self.is_label(at)
                || word == "least"
            {
                found.push(word.to_owned());
            }
        }
        let counted = |one: &&Numeral| sentence.contains(&one.tokens.start) && self.is_level(one.tokens.end);
        found.extend(self.step.numerals().iter().filter(counted).map(|one| one.low.to_string()));
        found.sort();
        found.dedup();
        found.len()
    }

    /// "The three-blade set", where the number of blades is what is changed.
    fn is_level(&self, after: usize) -> bool {
        let noun = if matches!(self.step.word(after), "-" | "–") { after + 1 } else { after };
        let word = self.step.lemma(noun);
        word.len() > 2 && !phrases::is_empty(word) && noun > after && self.independent_is(word)
    }

    fn is_label(&self, at: usize) -> bool {
        let written = self.step.tokens.get(at).map_or("", |token| self.step.slice(&token.bytes));
        matches!(written, "B" | "C" | "D" | "E")
            || written == "A" && lists!("and , ; : in to for on with", self.step.word(at + 1))
    }

    /// "Swing the lamp down to 60° for the grey pouch, and nearly flat, 30°, for the white."
    fn measures(&self, sentence: &Range<usize>) -> bool {
        let words = &self.controlled.tokens;
        let own = self.controlled.quantities().first();
        let named = |dimension: Dimension| {
            own.is_some_and(|own| own.dimension() == dimension)
                || MEASURED
                    .iter()
                    .any(|(names, of)| *of == dimension && words.iter().take(4).any(|token| lists(names, &token.lemma)))
        };
        let inside = |at: usize| sentence.contains(&at);
        let mut all = self.step.quantities().iter().filter(|one| inside(one.tokens.start) && named(one.dimension()));
        let (Some(one), Some(other)) = (all.next(), all.next()) else { return false };
        let dimension = one.dimension();
        let varied = self.lesson.text(Role::Independent).is_none_or(|text| {
            text.quantities().iter().any(|quantity| quantity.dimension() == dimension)
                || MEASURED
                    .iter()
                    .any(|(names, of)| *of == dimension && text.tokens.iter().any(|token| lists(names, &token.lemma)))
        });
        if other.dimension() != dimension || one.agrees_with(other) || varied {
            return false;
        }
        let between = one.tokens.end..other.tokens.start;
        let ranged = lists!("to - – up", self.step.word(one.tokens.end))
            || self.step.word(one.tokens.start.wrapping_sub(1)) == "from" && between.len() < 3;
        let joined = between.clone().any(|at| lists!("and , ; but", self.step.word(at)));
        let other_than =
            own.is_some_and(|own| own.dimension() == dimension && !own.agrees_with(one) && !own.agrees_with(other));
        let about = self.kept.is_in(self.step, sentence.clone()) || other_than && dimension == Dimension::Temperature;
        let acts = sentence.clone().any(|at| self.orders(at));
        joined && !ranged && about && acts && between.len() > 2 && self.cases(sentence) >= 2
    }

    /// "Photocopy paper for the first, sugar paper for the second and cereal card for the third"
    fn names(&self, sentence: &Range<usize>) -> bool {
        let given = |at: usize| {
            self.step.word(at) == "for"
                && self.step.word(at + 1) == "the"
                && (lists!(ORDINALS, self.step.word(at + 2)) || self.is_label(at + 2))
        };
        let group = |at: usize| -> Vec<String> {
            let stop = |t: &usize| lists!(", ; : and or with use take of on in", self.step.word(*t));
            let from = (sentence.start..at).rev().find(stop).map_or(sentence.start, |from| from + 1);
            phrases::content_words(self.step, from..at)
        };
        let all: Vec<Vec<String>> =
            sentence.clone().filter(|at| given(*at)).map(group).filter(|group| group.len() == 2).collect();
        let kind = self
            .controlled
            .tokens
            .iter()
            .take(3)
            .any(|token| lists!("type kind brand sort make material same", &token.word));
        let thing = |group: &Vec<String>| {
            group.last().is_some_and(|head| self.kept.things.contains(&crate::assistant::facts::nouns::stem(head)))
        };
        let shared = || all.iter().flatten().any(|word| self.independent_is(word));
        kind && all.len() >= 2
            && all.first() != all.get(1)
            && all.iter().filter(|group| thing(group)).count() >= 2
            && !shared()
    }

    /// "Chill the vinegar before it goes in; for the third, warm the vinegar"
    fn warms(&self) -> bool {
        let all = 0..self.step.tokens.len();
        if self.kept.property != "temperature"
            || !self.says(&all, list!("second third next other fourth"))
            || self.independent_has(list!("temperature warm hot cold heat"))
        {
            return false;
        }
        let acts = |verbs: &[&str]| {
            all.clone().any(|at| {
                phrases::verb(self.step.word(at), verbs).is_some()
                    && lists!("the your its", self.step.word(at + 1))
                    && !phrases::is_denied(self.step, at)
                    && !phrases::is_supposed(self.step, at)
                    && self.kept.is_in(self.step, at + 1..at + 4)
            })
        };
        acts(HEATS) && acts(COOLS)
    }

    /// "Ahead of this run the bomb is crushed to crumbs", where every bomb is tested whole.
    fn ends_state(&self, sentence: &Range<usize>) -> bool {
        let case = sentence.clone().any(|at| {
            lists!("this the next second third", self.step.word(at))
                && lists!("run time trial test go round turn", self.step.word(at + 1))
        }) || self.says(sentence, list!("second third"));
        let states = STATES.iter().filter(|(states, _)| {
            self.controlled.tokens.iter().any(|token| states.has(&token.word)) && !self.independent_has(*states)
        });
        let watered = self.independent_has(list!("dampness damp wetness wet moisture moist humidity water"));
        let states = states.filter(|(states, _)| !(watered && states.has("dry")));
        case && states.into_iter().any(|(_, verbs)| {
            sentence.clone().any(|at| {
                let word = self.step.word(at);
                let passive = lists!("is are gets get be", self.step.word(at.wrapping_sub(1))) && word.ends_with("ed");
                phrases::verb(word, verbs).is_some()
                    && !phrases::verb(word, verbs).is_some_and(|verb| self.independent_is(verb))
                    && (passive && self.kept.is_in(self.step, sentence.start..at)
                        || self.orders(at) && self.kept.is_in(self.step, at + 1..sentence.end.min(at + 4))
                        || self.orders(at) && self.is_tried(at + 1..sentence.end.min(at + 7)))
            })
        })
    }

    /// Whether these tokens name the thing of which several are tried: "the second strip of each fabric".
    fn is_tried(&self, mut tokens: Range<usize>) -> bool {
        let Some(independent) = self.lesson.text(Role::Independent) else { return false };
        let sign = |at: &usize| lists!("( : , ; – —", independent.word(*at));
        let end = (0..independent.tokens.len()).find(sign).unwrap_or(independent.tokens.len());
        let things = phrases::content_words(independent, 0..end);
        let thing = |at: usize| things.iter().any(|thing| thing.len() > 3 && thing == self.step.lemma(at));
        tokens.any(|at| thing(at) && !lists!("kind type sort material", self.step.lemma(at)))
    }

    /// "Carry C and D across to the shelf over the radiator, while A and B stay put"
    fn moves_some(&self, sentence: &Range<usize>) -> bool {
        let place =
            self.controlled.tokens.iter().take(4).any(|token| lists!("place position location spot site", &token.word))
                || self.controlled.tokens.iter().any(|token| lists!("sill windowsill shelf", &token.word));
        // What is weighed or watered comes back.
        let shortly = self.says(sentence, list!("weigh weighed scale balance sink tap water photograph draw"));
        if !place
            || shortly
            || self.independent_has(list!(PLACES))
            || self.independent_has(list!("light temperature sun shade dark warm cold"))
        {
            return false;
        }
        let moved = sentence.clone().any(|at| {
            let some = |t: usize| {
                self.is_label(t)
                    || self.step.has_at(t, &["half", "of"])
                    || lists!("one two three some", self.step.word(t)) && self.step.has_at(t + 1, &["of", "the"])
            };
            phrases::verb(self.step.word(at), MOVES).is_some()
                && self.orders(at)
                && (at + 1..sentence.end.min(at + 5)).any(some)
                && (at + 2..sentence.end).any(|t| lists!("to onto into across over", self.step.word(t)))
        });
        let others = sentence.clone().any(|at| lists!("stay stays remain remains leave keep", self.step.word(at)));
        moved && others
    }

    /// "Swap launchers with every plane", where one pupil launches them all.
    fn swaps_people(&self, sentence: &Range<usize>) -> bool {
        const PEOPLE: &str = "person pupil student child partner learner member tester operator";
        static ROLES: [List; 5] = [
            list!("thrower launcher flinger flicker kicker shooter"),
            list!("dropper releaser"),
            list!("roller pusher runner puller"),
            list!("timer reader measurer observer judge recorder counter"),
            list!("pourer stirrer mixer shaker"),
        ];
        let has = |words: List| self.controlled.tokens.iter().any(|token| words.has(&token.lemma));
        let one = (has(list!(PEOPLE)) || ROLES.iter().any(|role| has(*role)))
            && self.controlled.tokens.iter().any(|token| lists!("same single one", &token.word));
        // Timers may change where the thrower stays.
        let same = |word: &str| {
            lists!(PEOPLE, word)
                || ROLES.iter().any(|role| role.has(word) && (has(*role) || !ROLES.iter().any(|role| has(*role))))
        };
        let swaps = |at: usize| {
            phrases::verb(self.step.word(at), &["swap", "switch", "rotate", "change", "alternate"]).is_some()
                && self.orders(at)
                && (at + 1..sentence.end.min(at + 3))
                    .any(|t| same(self.step.lemma(t)) && self.step.lemma(t) != self.step.word(t))
        };
        let each = self.says(sentence, list!("each every"))
            || self.says(sentence, list!("between"))
                && self.says(sentence, list!("throws trials runs drops turns goes"));
        one && each
            && !self.independent_has(list!(PEOPLE))
            && !ROLES.iter().any(|role| self.independent_has(*role))
            && sentence.clone().any(swaps)
    }
}

#[cfg(test)]
mod tests;
