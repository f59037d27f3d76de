//! Two sentences that say the same, but for one word turned into its opposite, or denied.
//!
//! Sentences are the same where most of what they say is; such a pair may still both be true, so it is a hint. Where
//! every word is the same it counts.

mod alike;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::amounts::place;
use super::{Match, conflict};
use crate::assistant::facts::kept::Found;
use crate::assistant::facts::lesson::{Lesson, Role, Text, shortened};
use crate::assistant::facts::lists::{List, Table, list};
use crate::assistant::facts::phrases::{self, lists};

/// Words, and their opposites.
const OPPOSITES: &[(&str, &str)] = &[
    ("clockwise", "anticlockwise"),
    ("clockwise", "counterclockwise"),
    ("left", "right"),
    ("top", "bottom"),
    ("above", "below"),
    ("inside", "outside"),
    ("north", "south"),
    ("east", "west"),
    ("positive", "negative"),
    ("open", "closed"),
    ("uphill", "downhill"),
    ("upstream", "downstream"),
    ("horizontal", "vertical"),
    ("horizontally", "vertically"),
    ("opaque", "transparent"),
    ("soluble", "insoluble"),
    ("exothermic", "endothermic"),
    ("reversible", "irreversible"),
    ("vertebrate", "invertebrate"),
    ("magnetic", "nonmagnetic"),
    ("living", "dead"),
    ("native", "invasive"),
    ("predator", "prey"),
    ("acidic", "alkaline"),
    ("convex", "concave"),
    ("parallel", "series"),
    ("renewable", "nonrenewable"),
    ("sunny", "shady"),
    ("float", "sink"),
    ("floats", "sinks"),
    ("attract", "repel"),
    ("attracts", "repels"),
    ("expand", "contract"),
    ("expands", "contracts"),
];

/// Words of sentences that state nothing.
static OPEN: List = list!("? whether if would could might may suppose imagine wrong misconception unless");
/// Words of sentences that say the same without them.
static SAYING_NOTHING: List = list!("not never cannot doe did do don say so because");

/// Of so many sentences each is laid beside each other.
const MAX_SENTENCES: usize = 300;

/// A sentence that states something.
struct Statement<'l, 'c> {
    text: &'l Text<'c>,
    range: Range<usize>,
    /// What it says, sorted, without what denies it.
    words: Vec<&'l str>,
    /// What the clause says that is denied, sorted; empty where none is.
    denied: Vec<&'l str>,
}

/// What is kept of a statement: enough to tell that it is not like most others.
#[derive(Debug, Clone)]
struct Outline {
    range: Range<usize>,
    /// For each of its words one of 64 numbers.
    words: Box<[u8]>,
    /// For each of its denied words one of 64 numbers.
    denied: Box<[u8]>,
    /// Which of the numbers its words have.
    mask: u64,
    /// Which words of [`OPPOSITES`] stand in it: first words, then their opposites.
    sides: [u64; 2],
}

/// A statement of which the words are read when they matter.
struct Said<'l, 'c> {
    text: &'l Text<'c>,
    outline: Arc<Outline>,
}

impl<'l, 'c> Said<'l, 'c> {
    fn read(&self) -> Option<Statement<'l, 'c>> {
        statement(self.text, self.outline.range.clone())
    }

    fn denies(&self) -> bool {
        !self.outline.denied.is_empty()
    }

    /// How many of these words it can say at most.
    fn may_share(&self, words: &[u8]) -> usize {
        words.iter().filter(|number| self.outline.mask & (1 << **number) != 0).count()
    }
}

impl Statement<'_, '_> {
    /// How many of these words it says.
    fn shared(&self, words: &[&str]) -> usize {
        words.iter().filter(|word| self.words.binary_search(word).is_ok()).count()
    }

    fn outline(&self) -> Outline {
        let number =
            |word: &&str| (word.bytes().fold(7u32, |sum, byte| sum.wrapping_mul(31) ^ u32::from(byte)) % 61) as u8;
        let words: Box<[u8]> = self.words.iter().map(number).collect();
        let mut sides = [0; 2];
        for of in self.range.clone().filter_map(|at| SIDES.get(self.text.word(at))) {
            sides = [sides[0] | of[0], sides[1] | of[1]];
        }
        Outline {
            range: self.range.clone(),
            mask: words.iter().fold(0, |mask, number| mask | 1 << *number),
            words,
            denied: self.denied.iter().map(number).collect(),
            sides,
        }
    }
}

const _: () = assert!(OPPOSITES.len() <= 64);

/// As which words of [`OPPOSITES`] a word stands there: first words, then their opposites.
static SIDES: LazyLock<Table<&str, [u64; 2]>> = LazyLock::new(|| {
    let mut sides: Table<&str, [u64; 2]> = Table::default();
    for (place, (one, other)) in OPPOSITES.iter().enumerate() {
        sides.entry(one).or_default()[0] |= 1 << place;
        sides.entry(other).or_default()[1] |= 1 << place;
    }
    sides
});

/// The pair of opposites that a word is of, and whether it is the first of them.
fn opposite(word: &str) -> Option<(usize, bool)> {
    OPPOSITES
        .iter()
        .enumerate()
        .find_map(|(place, (one, other))| (*one == word || *other == word).then_some((place, *one == word)))
}

/// What is said, and by what.
type Told<'s> = (Role, &'s alike::Said);

/// Sentences that say the same word for word, but for what turns one of them round.
fn surely(lesson: &Lesson, kind: &str, turns: impl Fn(Told, Told) -> bool, why: &str) -> Vec<Match> {
    let told_by: Vec<(&Text, Found<alike::Said>)> =
        lesson.texts_of(states).map(|text| (text, text.kept(alike::said))).collect();
    let mut all: Vec<(&Text, Cow<alike::Said>)> = Vec::new();
    for (text, told) in &told_by {
        let term = match text.role {
            Role::Definition(index) => lesson.text(Role::Term(index)),
            _ => None,
        };
        for said in told.iter() {
            all.extend(term.map(|term| (*text, Cow::Owned(said.clone().of(term)))));
            all.push((text, Cow::Borrowed(said)));
        }
    }
    all.sort_by(|(_, one), (_, other)| one.words().cmp(other.words()));
    let mut found: Vec<Match> = Vec::new();
    for same in all.chunk_by(|(_, one), (_, other)| one.words() == other.words()) {
        for (place, (text, one)) in same.iter().enumerate() {
            for (other_text, other) in same.iter().skip(place + 1) {
                let (here, there) = ((text.role, one.as_ref()), (other_text.role, other.as_ref()));
                if may_clash(text.role, other_text.role) && turns(here, there) {
                    let mut new = told(kind, (*text, &one.range), (*other_text, &other.range), why);
                    new.finding.reason = new.finding.reason.replacen(" may not agree", " do not agree", 1);
                    if !found.iter().any(|known| known.finding.same_places(&new.finding)) {
                        found.push(new);
                    }
                }
            }
        }
    }
    found
}

/// Whether what a text says in one of these roles must hold for one in the other: from step to step things change,
/// words are defined against each other, and one objective after the other is of each of two cases.
fn may_clash(one: Role, other: Role) -> bool {
    one.kind() != other.kind() || matches!(one, Role::Safety(_)) && one != other
}

/// Sentences of which one has a word, and the other its opposite.
pub fn antonyms(lesson: &Lesson) -> Vec<Match> {
    let turned = |(_, one): Told, (_, other): Told| one.is_turned_in(other);
    let mut found = surely(lesson, "antonym_swap", turned, "one turns round what the other says");
    let statements = statements(lesson);
    let said = statements.iter().fold([0; 2], |[one, other], said| {
        let [first, second] = said.outline.sides;
        [one | first, other | second]
    });
    for (place, (word, opposite)) in OPPOSITES.iter().enumerate() {
        let has = |sides: u64| sides & (1 << place) != 0;
        if !said.map(has).iter().all(|has| *has) {
            continue;
        }
        let only = |side: usize| -> Vec<&Said> {
            let sides = |said: &&Said| {
                let both = said.outline.sides.map(has);
                both == if side == 0 { [true, false] } else { [false, true] }
            };
            statements.iter().filter(sides).collect()
        };
        for one in only(0) {
            for other in only(1) {
                // The two words themselves differ.
                let least = one.outline.words.len().min(other.outline.words.len()).saturating_sub(1);
                let enough = |shared: usize| shared >= 2 && shared * 10 >= least * 6;
                let same_place = one.text.path == other.text.path;
                if same_place || one.denies() != other.denies() || !enough(one.may_share(&other.outline.words)) {
                    continue;
                }
                let (Some(one), Some(other)) = (one.read(), other.read()) else { continue };
                if enough(one.shared(&other.words)) {
                    found.push(hint(
                        "antonym_swap",
                        &one,
                        &other,
                        &format!("\"{word}\" and \"{opposite}\" cannot both hold"),
                    ));
                }
            }
        }
    }
    found
}

/// Sentences of which one denies what the other says.
pub fn negations(lesson: &Lesson) -> Vec<Match> {
    let statements = statements(lesson);
    let (denying, saying): (Vec<&Said>, Vec<&Said>) = statements.iter().partition(|one| one.denies());
    // What is predicted may not come true, and what is done in a step is over after it.
    let holds = |(role, said): Told| match role {
        Role::Hypothesis => false,
        Role::Step(_) => said.lasting,
        _ => true,
    };
    let denied = |one: Told, other: Told| holds(one) && holds(other) && one.1.is_denied_by(other.1);
    let mut found = surely(lesson, "negation", denied, "one says it and the other denies it");
    for one in denying {
        let enough = |shared: usize| shared >= 3 && shared * 10 >= one.outline.denied.len() * 7;
        for other in &saying {
            let of_words = matches!((one.text.role, other.text.role), (Role::Definition(_), Role::Definition(_)));
            if !enough(other.may_share(&one.outline.denied)) || of_words || one.text.path == other.text.path {
                continue;
            }
            let (Some(one), Some(other)) = (one.read(), other.read()) else { continue };
            if enough(other.shared(&one.denied)) {
                found.push(hint("negation", &other, &one, "one says it and the other denies it"));
            }
        }
    }
    found
}

fn hint(kind: &str, one: &Statement, other: &Statement, why: &str) -> Match {
    told(kind, (one.text, &one.range), (other.text, &other.range), why).as_hint()
}

fn told(kind: &str, one: (&Text, &Range<usize>), other: (&Text, &Range<usize>), why: &str) -> Match {
    let (here, there) = (place(one.0), place(other.0));
    let (said, denied) = (one.0.words(one.1), other.0.words(other.1));
    let reason =
        format!("\"{}\" in {here} and \"{}\" in {there} may not agree: {why}.", shortened(said), shortened(denied));
    conflict(kind, one.0.quote(one.1), other.0.quote(other.1), reason)
        .suggesting("If both speak of the same thing, turn one of them round.")
}

/// What the lesson states: no questions, no orders to let something be, nothing supposed.
fn statements<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Said<'l, 'c>> {
    let outlines = |text: &Text| {
        let outline = |range| Some(Arc::new(statement(text, range)?.outline()));
        text.sentences().into_iter().filter_map(outline).collect()
    };
    let stating = lesson.texts_of(states);
    let all =
        stating.flat_map(|text| text.kept(outlines).to_vec().into_iter().map(move |outline| Said { text, outline }));
    all.take(MAX_SENTENCES).collect()
}

fn states(role: Role) -> bool {
    matches!(
        role,
        Role::Phenomenon
            | Role::Hypothesis
            | Role::Assessment
            | Role::Objective(_)
            | Role::Step(_)
            | Role::Definition(_)
            | Role::Other
    )
}

fn denies(word: &str) -> bool {
    matches!(word, "not" | "never" | "cannot" | "no") || word.ends_with("n't")
}

fn statement<'l, 'c>(text: &'l Text<'c>, range: Range<usize>) -> Option<Statement<'l, 'c>> {
    let open = |at: usize| OPEN.has(text.word(at));
    if range.clone().any(open) {
        return None;
    }
    let denies = |at: &usize| {
        let word = text.word(*at);
        // "No more than" denies nothing.
        let compares = || lists!("more less fewer longer later", text.word(at + 1));
        denies(word) && (!compares() || word.ends_with("n't"))
    };
    // "Do not touch" is an order, which other matchers look after.
    let orders = text.word(range.start) == "never"
        || range.clone().any(|at| text.has_at(at, &["do", "not"]) || text.word(at) == "don't");
    if orders {
        return None;
    }
    let said = |range: Range<usize>| -> Vec<&'l str> {
        let mut words: Vec<&str> = phrases::said(text, range).map(plain).collect();
        words.retain(|word| !SAYING_NOTHING.has(word) && !word.ends_with("n't"));
        words.sort_unstable();
        words.dedup();
        words
    };
    let clause = |at: usize| {
        let start = phrases::clause_start(text, at);
        let start = (start..at).rev().find(|t| text.word(*t) == "that").unwrap_or(start);
        said(start..phrases::clause_end(text, at))
    };
    let denied = range.clone().find(denies).map(clause).unwrap_or_default();
    let words = said(range.clone());
    (words.len() >= 3).then_some(Statement { text, range, words, denied })
}

/// A word without the endings of verbs.
fn plain(word: &str) -> &str {
    let cut = ["ing", "ed"].iter().find_map(|ending| word.strip_suffix(ending)).filter(|stem| stem.len() >= 3);
    cut.unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn hints(find: fn(&Lesson) -> Vec<Match>, one: &str, other: &str) -> usize {
        let content = json!({"phenomenon": one, "assessment": other});
        find(&Lesson::of(content.as_object().expect("an object"))).iter().filter(|found| !found.sure).count()
    }

    #[test]
    fn a_sentence_with_one_word_turned_round_is_hinted_at() {
        assert_eq!(
            hints(
                antonyms,
                "The Earth turns anticlockwise seen from above.",
                "Seen from above, the Earth turns clockwise."
            ),
            1
        );
        assert_eq!(
            hints(antonyms, "The lamps are in series with the cell.", "The cell and the lamps are wired in parallel."),
            1
        );
        assert_eq!(
            hints(
                antonyms,
                "The screw turns anticlockwise to open.",
                "The screw turns clockwise or anticlockwise to open."
            ),
            0
        );
        assert_eq!(
            hints(antonyms, "The red lamp is on the left.", "Your right hand holds the magnet over the sand."),
            0
        );
    }

    #[test]
    fn a_sentence_that_another_denies_is_hinted_at() {
        assert_eq!(
            hints(negations, "The orange with the peel floats.", "The orange with the whole peel does not float."),
            1
        );
        assert_eq!(hints(negations, "The peeled orange sinks.", "Does the peeled orange not sink?"), 0);
        assert_eq!(hints(negations, "Water the plants with the can.", "Do not water the plants with the can."), 0);
        assert_eq!(hints(negations, "The clay keeps its water.", "The sand does not keep much for long."), 0);
    }

    #[test]
    fn one_objective_for_each_of_two_cases_is_passed_over() {
        let objectives =
            ["Explain why the days get longer in our town.", "Explain why the days get shorter in our town."];
        let content = json!({"objectives": objectives});
        let lesson = Lesson::of(content.as_object().expect("an object"));
        assert!(antonyms(&lesson).iter().all(|found| !found.sure));
    }
}
