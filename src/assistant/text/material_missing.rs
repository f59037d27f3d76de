//! Apparatus, chemicals and organisms that a step uses and the list of materials does not have.
//!
//! A list that lacks several is one that was not meant to be complete, and is let be.

mod alone;
mod crafted;
mod cues;
mod listed;
mod sure;

use std::ops::Range;
use std::sync::LazyLock;

use serde_json::{Value, json};

use self::crafted::{is_a_child, is_crafted, is_drawn, is_planned, is_provided, is_stuff};
use self::cues::{COLLECTIVE, FOLLOWING, HANDLING, HOLDING, NOT_HERE, NOT_USED, SPOKEN_OF, USING};
use self::listed::Word;
use super::{Match, amounts, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::apparatus::{self, Item};
use crate::assistant::facts::bare_names;
use crate::assistant::facts::household;
use crate::assistant::facts::kept::Found;
use crate::assistant::facts::laboratory;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{Table, lists};
use crate::assistant::facts::nouns::{self, ARTICLES};
use crate::assistant::facts::numbers::small_number;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::phrases::is_pupil;
use crate::assistant::facts::words::Kind;
use crate::assistant::quotes::quoted;
use crate::domain::path::FieldPath;

const NAME: &str = "material_missing";

/// A list that lacks more than this was not meant to be complete.
const MOST: usize = 2;

/// Everything found.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let words: Vec<Found<Word>> = listed::texts(lesson).map(|text| text.kept(listed::words)).collect();
    let words = || words.iter().flat_map(|words| words.iter());
    let listed: Vec<&str> = words().map(|word| word.text.as_str()).collect();
    let serving: Vec<&Word> = words().filter(|word| word.serves).collect();
    if lesson.materials().len() < 2 || listed.iter().any(|word| COLLECTIVE.contains(word)) {
        return Vec::new();
    }
    // Short words are whole ones: the tea light is no part of the teacher.
    let serves =
        |begin: &str, word: &Word| word.text == begin || !word.whole && begin.len() > 3 && word.text.starts_with(begin);
    let served = |item: &Item| {
        serving.iter().any(|word| {
            // A baseball is a ball, and a shoebox holds what a box does.
            let ends = |name: &&str| item.bare && word.text.len() > name.len() + 2 && word.text.ends_with(*name);
            item.names.contains(&word.text.as_str())
                || item.names.iter().any(ends)
                || item.served_by.iter().any(|begin| serves(begin, word))
        })
    };
    let steps: Vec<Step> = lesson.steps().map(|(_, text)| Step::of(text)).collect();
    let plans = lesson.texts_of(|role| matches!(role, Role::Title | Role::Objective(_)));
    let plans: Vec<Step> = plans.map(Step::of).collect();
    let loose = sure::is_loose(lesson, &listed);
    let outdoors = sure::is_outdoors(lesson);
    let missing: Vec<Match> = uses(&steps, &plans)
        .into_iter()
        .filter(|found| !served(found.item) && !listed::names(lesson, found.name))
        .filter_map(|found| {
            let missing = missing(lesson, found.step, found.at, found.name)?;
            let grown = outdoors && sure::is_natural(found.name);
            let topped = found.name == "funnel" && crafted::is_funnel_cut(lesson);
            let held = !found.item.counted && sure::is_in_a_listed(found.step, found.at, &listed);
            let sure = !topped && !held && found.sure && !loose && !grown && !sure::is_a_part(found.name, &listed);
            Some(missing.sure_if(sure))
        })
        .collect();
    if missing.len() > MOST { Vec::new() } else { missing }
}

/// A text in which things may be named.
struct Step<'l, 'c> {
    text: &'l Text<'c>,
}

impl<'l, 'c> Step<'l, 'c> {
    fn of(text: &'l Text<'c>) -> Self {
        Self { text }
    }

    /// The token after a name that begins at a token.
    fn named(&self, at: usize, name: &str) -> Option<usize> {
        let mut here = at;
        for word in name.split([' ', '-']) {
            if here > at && self.text.word(here) == "-" {
                here += 1;
            }
            if self.text.tokens.get(here)?.lemma != word && self.text.word(here) != word {
                return None;
            }
            here += 1;
        }
        Some(here)
    }
}

/// Where a thing is used.
struct Use<'l, 'c> {
    item: &'static Item,
    step: &'l Text<'c>,
    at: usize,
    name: &'static str,
    sure: bool,
}

/// The names of the things by their first words.
static NAMES: LazyLock<Table<&'static str, Vec<(&'static Item, &'static str)>>> = LazyLock::new(|| {
    let mut names: Table<_, Vec<_>> = Table::default();
    for item in apparatus::ITEMS.iter().chain(household::ITEMS).chain(laboratory::ITEMS).chain(bare_names::ITEMS) {
        for name in item.names {
            names.entry(name.split([' ', '-']).next().unwrap_or(name)).or_default().push((item, *name));
        }
    }
    names
});

/// The tokens at which the name of a thing may begin.
fn beginnings(text: &Text) -> Vec<usize> {
    let begins = |at: &usize| NAMES.contains_key(text.lemma(*at)) || NAMES.contains_key(text.word(*at));
    (0..text.tokens.len()).filter(begins).collect()
}

/// For each thing the first step that surely uses it, or else the first that may, unless the lesson makes it or is about it.
fn uses<'l, 'c>(steps: &[Step<'l, 'c>], plans: &[Step]) -> Vec<Use<'l, 'c>> {
    let mut found: Vec<Use> = Vec::new();
    let mut made: Vec<&'static str> = Vec::new();
    for step in steps {
        let mut covered = 0;
        for at in step.text.kept(beginnings).iter().copied() {
            let lemma = step.text.lemma(at);
            let beginning = |word: &str| NAMES.get(word).into_iter().flatten();
            let word = step.text.word(at);
            let names = beginning(lemma).chain(beginning(if word == lemma { "" } else { word }));
            let Some((item, name, end)) = names
                .filter_map(|(item, name)| Some((*item, *name, step.named(at, name)?)))
                .max_by_key(|(_, name, _)| name.len())
                .filter(|(_, _, end)| *end > covered)
            else {
                continue;
            };
            // "Infrared thermometer" names no other one, "universal indicator paper" goes on.
            covered = end;
            // "Cut a slit in the box … look through the spectroscope"
            let instrument = || name.ends_with("scope") && !matches!(name, "microscope" | "telescope");
            let crafted = |text: &Text| is_crafted(text).then_some(()).into_iter().collect();
            if instrument() && steps.iter().any(|step| !step.text.kept(crafted).is_empty()) {
                continue;
            }
            let named = |plan: &Step, at: usize| plan.named(at, name).is_some() && is_planned(plan.text, at);
            let planned = |plan: &Step| plan.text.kept(beginnings).iter().any(|at| named(plan, *at));
            if is_provided(step.text, at) || plans.iter().any(planned) || item.bare && alone::is_another(step.text, at)
            {
                made.extend(item.names);
            }
            // "The flask" after the conical one.
            let same = |known: &str| item.bare && alone::ends_with(known, name);
            let named = |known: &Use| {
                known.name != name && (same(known.name) || known.item.bare && alone::ends_with(name, known.name))
            };
            if made.iter().any(|made| same(made)) || found.iter().any(named) {
                continue;
            }
            let known = found.iter().position(|known| known.name == name || item.names.contains(&known.name));
            let settled = known.and_then(|known| found.get(known)).is_some_and(|known| known.sure);
            if settled || made.contains(&name) || !is_used(step.text, name, at..end, item.counted) {
                continue;
            }
            let sure = sure::is_needed(step.text, name, &(at..end));
            let new = Use { item, step: step.text, at, name, sure };
            match known.and_then(|known| found.get_mut(known)) {
                Some(known) if sure => *known = new,
                Some(_) => {}
                None => found.push(new),
            }
        }
    }
    found
}

fn is_used(step: &Text, name: &str, whole: Range<usize>, counted: bool) -> bool {
    let (at, end) = (whole.start, whole.end);
    let sentence = step.sentence(at);
    let Some(words) = step.tokens.get(sentence.clone()) else { return false };
    if words.iter().any(|token| NOT_USED.has(token.word.as_str()))
        || words.last().is_some_and(|token| token.is("?"))
        || (sentence.start..at).any(|at| step.word(at) == "whether")
        || is_drawn(words, at - sentence.start)
        || name == "bead" && words.iter().any(|token| token.is_one_of(&["glue", "run", "melt", "sealant", "silicone"]))
    {
        return false;
    }
    if other_lessons::is_told(step, at) || other_lessons::is_for_all(step, end) {
        return false;
    }
    let around = |from: usize, to: usize| (from..to).map(|at| step.word(at)).collect::<Vec<_>>();
    // "Blow across it, as with a bottle."
    if around(at.saturating_sub(4), at).windows(2).any(|words| words == ["as", "with"]) {
        return false;
    }
    if around(at.saturating_sub(3), at).contains(&"or") || around(end, end + 3).contains(&"or") || step.word(end) == "-"
    {
        return false;
    }
    let ends = |at: &usize| matches!(step.word(*at), "," | ";" | ":" | "(" | ")" | "–" | "—" | "but" | "then");
    let start = (sentence.start..at).rfind(ends).unwrap_or(sentence.start);
    // "Put it in the rack and do not shake."
    let goes_on = |at: &usize| ends(at) || lists!("and until till so while", step.word(*at));
    let stop = (end..sentence.end).find(goes_on).unwrap_or(sentence.end);
    // "Draw it across with the corner of a towel" is no drawing.
    let pulled = |at: usize| {
        step.word(at) == "draw"
            && (at + 1..at + 5).any(|at| lists!("across through up along off out back into under", step.word(at)))
    };
    // One flips a coin without using it, and a switch to use it.
    let tossed = |at: usize| lists!("flip toss", step.word(at)) && !lists!("coin penny", name);
    // "Throw it away", "sweep up the glass"; one holds a dryer an arm's length away.
    let cleared = (start..stop).any(|at| {
        lists!("away up", step.word(at))
            && (start..at).any(|at| lists!("throw put clear tidy take sweep give", step.word(at)))
    });
    if cleared
        || (start..stop)
            .any(|at| NOT_HERE.has(step.word(at)) && !tossed(at) && !pulled(at) && !sure::is_measured(step, at))
    {
        return false;
    }
    if is_a_child(step, name, end, words) {
        return false;
    }
    // "Plants use sugar" tells what is so.
    let first = words.first().filter(|token| nouns::is_plural(&token.word) && !is_pupil(&token.word));
    if first.is_some() && words.get(1).is_some_and(|token| USING.has(token.word.as_str())) {
        return false;
    }
    // To balance is also done without a balance.
    if matches!(name, "balance" | "scale") {
        let weighed = words
            .iter()
            .any(|token| token.is_one_of(&["weigh", "mass", "weight", "masses", "gram", "grams", "g", "tare"]));
        let on = at
            .checked_sub(2)
            .is_some_and(|before| matches!(step.word(before), "on" | "onto" | "using" | "with" | "use"));
        if !weighed || !on {
            return false;
        }
    }
    let holds = || step.tokens.get(end.wrapping_sub(1)).is_some_and(|token| HOLDING.has(token.lemma.as_str()));
    if counted && step.word(end) == "of" && !holds() {
        return false;
    }
    // The top of a bottle serves as a funnel, and one child is the battery.
    let equals = |word: &&str| matches!(*word, "as" | "is" | "are" | "be" | "becomes" | "represents" | "called");
    if around(at.saturating_sub(2).max(sentence.start), at).iter().any(equals) && !is_passive(step, at) {
        return false;
    }
    // "The thermometer bulb" is another thing, or part of one.
    let alone = step.tokens.get(end).is_none_or(|next| nouns::ends_a_phrase(next) || next.is_one_of(FOLLOWING));
    let cue = |at: usize| {
        step.tokens.get(at).is_some_and(|token| {
            token.is_one_of(ARTICLES)
                || token.is_one_of(&["each", "every", "one", "both", "all", "with", "using", "use", "of"])
                || matches!(token.kind, Kind::Number(_))
                || small_number(&token.word).is_some()
                || token.is_one_of(&["other", "last", "first", "next"])
                    && at
                        .checked_sub(1)
                        .and_then(|at| step.tokens.get(at))
                        .is_some_and(|token| token.is_one_of(ARTICLES))
        })
    };
    // Another noun right before makes it another thing: "an egg beaker", "a rain stick".
    let joined = at.checked_sub(1).is_some_and(|before| step.word(before) == "-") || sure::is_aside(step, name, at);
    let spoken_of =
        SPOKEN_OF.has(name) && !words.iter().any(|token| USING.has(token.word.as_str()) || HANDLING.has(&token.word));
    if spoken_of {
        return false;
    }
    // The article belongs to the thing where only words of one phrase stand between them.
    let inside = |at: &usize| step.tokens.get(*at).is_some_and(|token| !nouns::ends_a_phrase(token) || token.is("-"));
    let begin = (at.saturating_sub(4).max(sentence.start)..at).rev().find(|at| cue(*at) || !inside(at));
    let introduced = if counted && !is_stuff(name) {
        begin.is_some_and(cue) || sure::is_in_a_row(step, at)
    } else {
        words.iter().any(|token| USING.has(token.word.as_str()))
    };
    alone && !joined && introduced
}

/// Whether the thing before a token is done something to: "is dropped".
fn is_passive(step: &Text, at: usize) -> bool {
    (at.saturating_sub(2)..at).any(|at| step.word(at).ends_with("ed"))
}

fn missing(lesson: &Lesson, step: &Text, at: usize, name: &str) -> Option<Match> {
    let materials = lesson.field("materials")?;
    let path = FieldPath::root().child("materials");
    let reason = format!("{} uses \"{name}\", which is not on the list of materials.", amounts::place(step));
    let found = conflict(NAME, step.quote_sentence(at), quoted(&path, materials), reason)
        .suggesting(format!("Add \"{name}\" to the materials."));
    let mut list = materials.as_array()?.clone();
    list.push(json!({ "name": name }));
    Some(found.mended_by(Mend { path, edit: Edit::Replace(Value::Array(list)) }))
}

#[cfg(test)]
mod tests;
