//! Acts that a rule forbids in whatever words, and a step that does just that: the same verb or one of its kind, on the
//! same thing, in the same place or with the same means.
//!
//! A rule with a condition, an exception or an amount says too little to be held against a step.

mod way_round;

use std::ops::Range;

use super::deeds::order;
use super::names::is_a;
use super::other_deeds::is_ordered;
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, Group, lists};

/// Verbs that do one thing to another.
const ALIKE: [&[&str]; 28] = [
    &["press", "push", "squash", "squeeze", "crush"],
    &["touch", "feel", "stroke", "poke", "prod", "pat", "handle"],
    &["pick", "lift", "grab"],
    &["lean", "bend", "crane", "hang"],
    &["lean", "reach"],
    &["swing", "whirl", "twirl", "spin"],
    &["hit", "strike", "knock", "hammer", "bang"],
    &["tug", "pull", "yank", "jerk", "drag"],
    &["twist", "turn", "rotate"],
    &["shake", "jiggle"],
    &["share", "lend", "swap", "pass"],
    &["mix", "combine", "blend"],
    &["heat", "warm"],
    &["throw", "toss", "hurl", "fling", "lob"],
    &["cut", "slice", "chop", "snip", "trim"],
    &["fold", "flex", "bend"],
    &["stack", "pile"],
    &["connect", "join", "link", "attach", "wire"],
    &["send", "aim", "point", "shine", "direct", "flash"],
    &["stare", "look", "gaze", "peer"],
    &["force", "jam"],
    &["scrape", "scratch"],
    &["rub", "scrub", "wipe"],
    &["put", "place", "set", "lay"],
    &["insert", "stick"],
    &["add", "pour", "put", "tip"],
    &["block", "cover"],
    &["refill", "top"],
];

/// Verbs that say too little to be compared.
const VAGUE: &str = "be have do go use need try make get let work come take keep see forget worry hurry start begin allow want \
    happen know think say tell ask wait hesitate assume expect exceed rush panic skip miss miss be is are been more fall enter \
    open eat drink taste run wear remove leave stop";

/// Words before the verb of a denied clause.
const LEADING: &str =
    "ever be been to even also allowed permitted supposed meant may must should is are can will shall you anyone";

/// Words of a rule that holds in some cases only.
const SCOPED: &str =
    "unless except apart until till if when while whenever whilst once after before during without otherwise optional";
/// Words of a clause that forbids only a manner or a part.
const BOUNDED: &str = "only just necessarily first yet more less too alone unsupervised hard quickly fast suddenly again directly \
    straight all both one many longer enough also even same past beyond above below over tight tightly fully";

/// Words that name no thing of their own.
const GENERAL: &str = "anything something thing class classroom lab room lesson student pupil child friend time way other others \
    purpose reason fun moment circumstance account point part area place side experiment activity";

const BODY: &str = "finger thumb hand palm fingertip fist";
const FACE: &str = "face eye nose mouth nostril";

/// An act that is forbidden.
struct Norm<'l, 'c> {
    text: &'l Text<'c>,
    at: usize,
    verbs: Vec<&'static [&'static str]>,
    stem: String,
    /// Any of these is what it is done to.
    objects: Vec<Group>,
    /// Of each preposition one of these.
    places: Vec<Group>,
    /// What "it" stands for.
    named: Vec<String>,
    /// Whether the things do it themselves: "the electrodes must not touch".
    mutual: bool,
}

/// The rule and its token, the step and its index and token.
pub(super) type Broken<'l, 'c> = (&'l Text<'c>, usize, usize, &'l Text<'c>, usize);

/// The rules about acts, each with the first step that does what it forbids.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Broken<'l, 'c>> {
    let mut found = Vec::new();
    for norm in lesson.safety().flat_map(norms) {
        let broken = lesson.steps().find_map(|(index, step)| {
            let at = (0..step.tokens.len()).find(|at| norm.is_broken(step, *at))?;
            Some((norm.text, norm.at, index, step, at))
        });
        found.extend(broken);
    }
    for rule in lesson.safety() {
        let broken = lesson.steps().find_map(|(index, step)| {
            let (at, done) = unchecked(rule, step)?;
            Some((rule, at, index, step, done))
        });
        found.extend(broken);
    }
    found
}

fn norms<'l, 'c>(text: &'l Text<'c>) -> Vec<Norm<'l, 'c>> {
    let mut found = Vec::new();
    for sentence in text.sentences() {
        let scoped = sentence.clone().any(|t| lists!(SCOPED, text.word(t)));
        if scoped || phrases::is_question(text, sentence.start) {
            continue;
        }
        found.extend(way_round::norm(text, &sentence));
        for at in sentence.clone() {
            found.extend(denied(text, &sentence, at));
        }
    }
    found
}

/// The rules that forbid an act, each with another that asks for it: "never pour it down the sink", "pour it down the sink".
pub(super) fn ruled_out<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<(&'l Text<'c>, usize, &'l Text<'c>, usize)> {
    let scoped = |rule: &Text, at: usize| rule.sentence(at).any(|t| lists!(SCOPED, rule.word(t)));
    let rival = |norm: Norm<'l, 'c>| {
        let told = !norm.objects.is_empty() && !norm.places.is_empty();
        let asked = |rule: &Text, at: usize| {
            stem(rule.word(at)) == norm.stem
                && norm.is_broken(rule, at)
                && !scoped(rule, at)
                && !are_apart(norm.text, norm.at, rule, at)
        };
        let mut others = lesson.safety().filter(|rule| told && rule.path != norm.text.path);
        others.find_map(|rule| {
            let at = (0..rule.tokens.len()).find(|at| asked(rule, *at))?;
            Some((norm.text, norm.at, rule, at))
        })
    };
    lesson.safety().flat_map(norms).filter_map(rival).collect()
}

/// The verb that a denial is said of, and whether it is said of what is done to something.
fn verb_of(text: &Text, denial: usize, end: usize) -> Option<(usize, bool)> {
    let word = text.word(denial);
    let gerund =
        |range: Range<usize>| range.into_iter().find(|t| text.word(*t).len() > 4 && text.word(*t).ends_with("ing"));
    match word {
        "never" | "not" | "cannot" | "nobody" => {}
        _ if word.ends_with("n't") => {}
        "no" if text.word(denial + 1) == "one" => {}
        "no" if lists!("time point circumstances account stage", text.word(denial + 1)) => {
            let verb = (denial + 2..end).find(|t| !rows(text.word(*t)).is_empty())?;
            return Some((verb, text.word(verb - 1) == "be"));
        }
        "no" => return gerund(denial + 1..end.min(denial + 3)).map(|verb| (verb, false)),
        "avoid" | "resist" => return gerund(denial + 1..end.min(denial + 2)).map(|verb| (verb, false)),
        "refrain" => return gerund(denial + 2..end.min(denial + 3)).map(|verb| (verb, false)),
        _ => return None,
    }
    let first = if word == "no" { denial + 2 } else { denial + 1 };
    let verb = (first..end.min(first + 5)).find(|t| !lists(LEADING, text.word(*t)))?;
    let is = (denial.saturating_sub(1)..verb).any(|t| lists!("is are be been", text.word(t)));
    let participle = text.word(verb).ends_with("ed")
        || text.word(verb).ends_with("en")
        || lists!("put cut hung swung", text.word(verb));
    Some((verb, is && participle))
}

/// The rows of verbs that a word is a form of.
pub(super) fn rows(word: &str) -> Vec<&'static [&'static str]> {
    ALIKE.iter().copied().filter(|row| phrases::verb(word, row).is_some()).collect()
}

fn denied<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, denial: usize) -> Option<Norm<'l, 'c>> {
    if !phrases::is_denial(text.word(denial)) {
        return None;
    }
    let end = phrases::clause_end(text, denial);
    let (at, passive) = verb_of(text, denial, end)?;
    let word = text.word(at);
    let some = (phrases::clause_start(text, denial)..end)
        .any(|t| phrases::is_pupil(text.word(t)) && lists!("with who under whose allergic", text.word(t + 1)));
    let bounded = (denial + 1..end).any(|t| {
        // "Nobody leans over the pond" names the place, "not over 60 °C" a bound.
        let placed = text.word(t) == "over" && lists!("the a an any your", text.word(t + 1));
        lists!(BOUNDED, text.word(t)) && !placed
            || text.word(t).starts_with(|c: char| c.is_ascii_digit())
            || text.word(t).ends_with("ly")
            // "Never fire it at each other" leaves where else it may go.
            || lists!("at toward towards", text.word(t)) && text.has_at(t + 1, &["each", "other"])
    });
    if word.len() < 3 || lists!(VAGUE, word) || !text.tokens.get(at)?.is_word() || bounded || some {
        return None;
    }
    let mut groups = phrases::groups(text, at + 1..end);
    for group in &mut groups {
        group.words.retain(|word| !lists("each other bare another together", word));
    }
    groups.retain(|group| !group.words.is_empty() && !group.words.iter().all(|word| lists!(GENERAL, word)));
    let (mut objects, places): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| group.preposition.is_empty());
    let pronoun = (at + 1..end).any(|t| lists!("it them these those", text.word(t)));
    let mut named = Vec::new();
    let mut mutual = false;
    if pronoun && objects.is_empty() {
        let before = sentence.start.checked_sub(1).map_or(sentence.start, |last| text.sentence(last).start);
        named = phrases::content_words(text, before..denial);
        named.retain(|word| word.len() > 2 && !lists(GENERAL, word));
    } else if objects.is_empty() && (passive || places.is_empty() || text.find(&["each", "other"]).is_some()) {
        let start = phrases::clause_start(text, denial);
        let from = if lists!("no", text.word(denial)) { denial + 2 } else { start };
        let until = if from > denial { at } else { denial };
        let mut subjects = phrases::groups(text, from..until);
        for group in &mut subjects {
            group.words.retain(|word| !lists("should shall may must can all at", word) && !lists(GENERAL, word));
        }
        subjects.retain(|group| group.preposition.is_empty() && !group.words.is_empty());
        subjects.retain(|group| !group.words.iter().any(|word| phrases::is_pupil(word)));
        mutual = !passive;
        objects = subjects;
    }
    if objects.is_empty() && named.is_empty() && places.is_empty() || objects.iter().any(|group| group.words.len() > 4)
    {
        return None;
    }
    let verbs = rows(word);
    // With a place alone the verb must say something: "never lean on the rails".
    Some(Norm { text, at, stem: stem(word), verbs, objects, places, named, mutual })
}

impl Norm<'_, '_> {
    fn is_verb(&self, word: &str) -> bool {
        self.verbs.iter().any(|row| phrases::verb(word, row).is_some())
            || self.verbs.is_empty() && word.len() > 2 && word.get(..2) == self.stem.get(..2) && stem(word) == self.stem
    }

    fn is_broken(&self, step: &Text, at: usize) -> bool {
        if !self.is_verb(step.word(at)) || is_asked(step, at) || is_ordered(self.text, self.at, step, at) {
            return false;
        }
        // "Throw away the used sand"
        if step.word(at + 1) == "away" && !self.text.sentence(self.at).any(|t| self.text.word(t) == "away") {
            return false;
        }
        let let_do = self.mutual && is_let(step, at);
        if !let_do && (self.mutual || order(step, at).is_none()) {
            return false;
        }
        let sentence = step.sentence(at);
        let has = |words: List| sentence.clone().any(|t| words.has(step.word(t)));
        let by_teacher = sentence.clone().any(|t| phrases::is_teacher(step, t));
        if by_teacher
            || has(list!("photo picture video drawing diagram imagine pretend instead glove gloves tongs tweezers"))
        {
            return false;
        }
        let end = phrases::clause_end(step, at);
        // "Pick a spot and count mushrooms" picks none.
        let next = |t: &usize| lists!("and then", step.word(*t)) && *t > at + 1 && hands::is_deed(step, t + 1);
        let end = (at + 1..end).find(next).unwrap_or(end);
        let said = phrases::groups(step, at + 1..end);
        let manner =
            |group: &Group| group.words.iter().all(|word| lists!("straight hard firmly gently back right", word));
        // "Tip the 30 g of water over the pellets"
        let measured = |group: &Group| {
            let unit = group.tokens.start.checked_sub(2).map_or("", |at| step.word(at));
            let rest =
                lists!("g kg mg ml l litre litres liter cup cups drop drops spoonful bit little some half", unit);
            group.preposition == "of" && rest
        };
        let direct = || said.iter().filter(|group| (group.preposition.is_empty() || measured(group)) && !manner(group));
        // "Never stand on chairs", and "stand the plant on the chair"
        let still =
            phrases::verb(step.word(at), &["stand", "sit", "lean", "kneel", "walk", "jump", "balance"]).is_some();
        if still && self.objects.is_empty() && direct().next().is_some() {
            return false;
        }
        let bare = direct().next().is_none() && !self.places.is_empty();
        let pronoun = (at + 1..end).any(|t| lists!("it them one", step.word(t))) || bare;
        let whole = if pronoun { phrases::content_words(step, 0..step.tokens.len()) } else { Vec::new() };
        let head_in = |group: &Group, word: &str| same(word, group.head());
        // "Never heat a stoppered tube" lets an open one be heated: what was done to it must be told.
        let told =
            |word: &str| (0..step.tokens.len()).any(|t| same(word, step.lemma(t)) || stem(word) == stem(step.lemma(t)));
        let covers = |wanted: &Group| {
            let modified = |said: &[String]| {
                wanted
                    .words
                    .iter()
                    .rev()
                    .skip(1)
                    .all(|word| said.iter().any(|said| same(word, said)) || is_verb_like(word) && told(word))
            };
            let direct = direct().any(|group| head_in(group, wanted.head()) && modified(&group.words));
            direct || pronoun && whole.iter().any(|word| same(wanted.head(), word)) && modified(&whole)
        };
        if let_do {
            let start = phrases::clause_start(step, at);
            let before = phrases::content_words(step, start..at);
            return self
                .objects
                .iter()
                .any(|wanted| wanted.words.iter().all(|word| before.iter().any(|said| same(word, said))));
        }
        let object = match (self.objects.is_empty(), self.named.is_empty()) {
            (false, _) => self.objects.iter().any(covers),
            (true, false) => self.named.iter().any(|word| {
                direct().any(|group| group.head() == word) || bare && whole.iter().any(|said| said == word)
            }),
            (true, true) => true,
        };
        let placed = |wanted: &Group| {
            said.iter().any(|group| {
                // Who looks at a barrel from the side looks into none.
                let beside = lists!("into inside down", &wanted.preposition) && group.preposition == "at";
                // The mouth of a tube is no mouth.
                let part = lists!(FACE, group.head()) && step.word(group.tokens.end) == "of";
                !part
                    && (!beside || lists!(FACE, wanted.head()))
                    && !group.preposition.is_empty()
                    && related(&wanted.preposition, &group.preposition)
                    && group.words.iter().any(|word| same(wanted.head(), word))
                    && wanted.words.iter().rev().skip(1).all(|word| group.words.iter().any(|said| same(word, said)))
            })
        };
        let places = self
            .places
            .iter()
            .all(|wanted| self.places.iter().filter(|other| other.preposition == wanted.preposition).any(placed));
        object && places
    }
}

/// Whether two prepositions say one thing of a place.
fn related(one: &str, other: &str) -> bool {
    const PLACES: [&str; 5] =
        ["in into inside down", "on onto over across", "to toward towards at into near in", "with by", "from off out"];
    one == other || PLACES.iter().any(|row| lists(row, one) && lists(row, other))
}

/// Whether a word is a participle before a noun, which need not be said again.
fn is_verb_like(word: &str) -> bool {
    word.len() > 4 && (word.ends_with("ed") || word.ends_with("ing"))
}

/// Whether two nouns name one thing in what a rule and a step say.
pub(super) fn same(rule: &str, step: &str) -> bool {
    rule == step
        || is_a(step, rule)
        || lists!(BODY, rule) && lists!(BODY, step)
        || lists!(FACE, rule) && lists!(FACE, step)
        || rule.len() > 4 && step.len() > 4 && stem(rule) == stem(step)
}

/// Whether what the verb at a token says is part of a question or of a report: "discuss what people eat".
pub(super) fn is_asked(step: &Text, at: usize) -> bool {
    hands::is_reported(step, at)
        || (phrases::clause_start(step, at)..at).any(|t| lists!("what why how whether which who", step.word(t)))
}

/// "Let the two electrodes touch"
fn is_let(step: &Text, at: usize) -> bool {
    let start = phrases::clause_start(step, at);
    (at.saturating_sub(7).max(start)..at)
        .any(|t| phrases::verb(step.word(t), &["let", "make", "allow"]).is_some() && order(step, t).is_some())
}

/// Where a step does before or without the teacher what is to wait until the teacher has checked.
fn unchecked(rule: &Text, step: &Text) -> Option<(usize, usize)> {
    let starts = [
        "switch", "turn", "plug", "light", "start", "connect", "open", "begin", "pour", "heat", "power", "touch",
        "close",
    ];
    let at = (0..step.tokens.len()).find(|t| {
        lists!("before without", step.word(*t))
            && (t + 1..t + 6).any(|n| {
                phrases::is_teacher(step, n) && step.word(n) != "i"
                    || lists!("teacher's checked inspected", step.word(n))
            })
    })?;
    let sentence = step.sentence(at);
    let done = sentence.clone().find(|t| {
        phrases::verb(step.word(*t), &starts).is_some()
            && !step.word(*t).ends_with('s')
            && !phrases::is_denied(step, *t)
    })?;
    if sentence.clone().any(|t| lists!("if show ask call wait", step.word(t))) {
        return None;
    }
    let words = phrases::content_words(step, sentence);
    let until = (0..rule.tokens.len()).find(|t| {
        lists!("until till before", rule.word(*t))
            && (t + 1..t + 8).any(|n| phrases::is_teacher(rule, n))
            && (t + 1..t + 12)
                .any(|n| phrases::verb(rule.word(n), &["check", "see", "look", "inspect", "approve", "say"]).is_some())
    })?;
    let start = rule.sentence(until).start;
    let things = phrases::content_words(rule, start..until);
    things
        .iter()
        .any(|thing| {
            thing.len() > 2 && !lists(GENERAL, thing) && words.contains(thing) && !starts.contains(&thing.as_str())
        })
        .then_some((until, done))
}

/// Words that tell things of one name apart.
const APART: [(&str, &str); 10] = [
    ("closed sealed stoppered shut corked capped", "open opened unsealed unstoppered uncovered"),
    ("hot boiling warm", "cold cool cooled iced lukewarm tap"),
    ("metal steel", "wooden plastic wood cardboard paper"),
    ("sharp pointed", "blunt rounded"),
    ("broken cracked chipped", "whole intact"),
    ("glass", "plastic"),
    ("raw", "cooked"),
    ("concentrated", "dilute diluted"),
    ("lit burning", "unlit led"),
    ("wet damp", "dry"),
];

/// Whether a rule speaks of a thing that a step has of another kind: "hot water" and "cold water".
pub(super) fn are_apart(rule: &Text, rule_at: usize, step: &Text, at: usize) -> bool {
    let (rule_said, step_said) = (rule.sentence(rule_at), step.sentence(at));
    let of = |text: &Text, range: &Range<usize>, words: &str| -> Vec<String> {
        range.clone().filter(|t| lists(words, text.word(*t))).map(|t| text.lemma(t + 1).to_owned()).collect()
    };
    APART.iter().any(|(ones, others)| {
        [(ones, others), (others, ones)].iter().any(|(of_rule, of_step)| {
            let mine = of(rule, &rule_said, of_rule);
            let theirs = of(step, &step_said, of_step);
            mine.iter().any(|noun| theirs.contains(noun))
                && of(step, &step_said, of_rule).is_empty()
                && of(rule, &rule_said, of_step).is_empty()
        })
    })
}

#[cfg(test)]
mod tests;
