//! Sentences of two texts that say the same word for word, but for what turns one of them round.
//!
//! "The spring obeys the law" and "our spring does not obey the law", "the shadow becomes shorter until noon" and
//! "explain why the shadow becomes longer until noon". Every other word must be the same: a word more may be the
//! circumstance under which both are true.

use std::ops::Range;

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::{self, Dimension, Form};

/// What a part of a sentence says.
#[derive(Debug, Clone)]
pub struct Said {
    /// Its tokens.
    pub range: Range<usize>,
    /// The stems of its words, sorted; in place of what goes one way only what it measures.
    words: Vec<String>,
    /// What goes one way, in order.
    ways: Vec<Way>,
    /// Whether it is denied.
    denied: bool,
    /// Whether it says how things are, or must be, and not only what is done at one moment.
    pub lasting: bool,
    /// The words of both sides of "than".
    sides: Option<[Vec<String>; 2]>,
}

/// A word that goes one of two ways.
#[derive(Debug, Clone, PartialEq)]
struct Way {
    of: Of,
    up: bool,
    /// Whether it only tells one thing from another: "the small cube".
    attributive: bool,
}

/// What a word goes one way of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Of {
    Pole(Dimension, Form),
    Opposites(usize),
}

/// Words of sentences that may not hold.
static OPEN: List = list!(
    "whether if would could might may suppose imagine wrong incorrect incorrectly misconception misconceptions unless false true mistake mistakes \
    mistaken who someone somebody nobody believe believes believed think thinks thought claim claims claimed argue argues fix improve correct \
    zero instead no-one or different differ differs compare sometimes predict predicts prediction surprise surprising surprised suggest example \" “ ” « opposite contrary reject rejects rejected \
    disprove refute refuted some others several few many most certain examples",
);
/// Words of what holds for a while.
static FOR_A_WHILE: List =
    list!("first until yet still anymore again later once before earlier originally initially now");
/// Who may say what is not so.
static SOMEBODY: List = list!("a one another some any");
/// Words that tell no sentence from another.
static EMPTY: List = list!(
    "a an the this that these those our your their his her its my it they them we you i he she is are was were be been being am will shall \
    do does did doing done has have had having of to in on at for by and must should can could need needs also then even just indeed really \
    actually both all every each always one ones there here so very end ended up get gets got become becomes became becoming turn turns turned \
    correctly therefore thus",
);
/// Verbs of telling, before what is told.
static TELLING: List = list!(
    "explain explains explained know knows show shows shown say says state states stated write writes tell tells learn learns learned understand \
    understands conclude concludes concluded check checks describe describes prove proves demonstrate see sees find finds found note notes \
    realise realises realize realizes recognise recognize report reports answer discover discovers confirm confirms remember mention mentions \
    justify justifies infer record recall evidence conclusion fact reason reasons ensure sure observe",
);
/// Verbs of picking some out of many.
static PICKING: List =
    list!("name names list lists give gives identify identifies find finds choose chooses collect collects sort sorts");
/// Words before which no noun is told more closely.
static AFTER: List = list!(
    "from than when while after before until because with without over under into onto through across along during near toward towards as if \
    since where which or but out off up down above below inside outside between within against per like",
);
/// What makes of a denial none, or a part of one.
static PARTLY: List = list!(
    "only always all every just necessarily quite very too enough as so exactly more less fewer longer much many completely entirely both"
);

/// What is told in a text that may be laid beside what another tells.
pub fn said(text: &Text) -> Vec<Said> {
    let mut found = Vec::new();
    for sentence in text.sentences() {
        let asks = text.word(sentence.end.saturating_sub(1)) == "?";
        if sentence.len() < 3 || asks || sentence.clone().any(|at| OPEN.has(text.word(at)) || is_somebody(text, at)) {
            continue;
        }
        for part in parts(text, &sentence) {
            found.extend(read(text, told(text, &part)));
        }
    }
    found
}

/// "A pupil says": nobody knows whether that is so.
fn is_somebody(text: &Text, at: usize) -> bool {
    SOMEBODY.has(text.word(at))
        && lists!("pupil student child group team pair friend boy girl classmate learner member", text.word(at + 1))
}

/// The parts of a sentence each of which says something, with those that are joined by "and" also alone.
fn parts(text: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let ends = |at: usize| {
        lists!("; : ( ) – — because", text.word(at))
            || text.word(at) == ","
                && lists!("and but while whereas so because since as which where or", text.word(at + 1))
    };
    let mut found = Vec::new();
    let mut start = sentence.start;
    for at in sentence.clone().chain([sentence.end]) {
        if at < sentence.end && !ends(at) {
            continue;
        }
        let part = start..at;
        let joins: Vec<usize> = part.clone().filter(|at| text.word(*at) == "and").collect();
        if let (Some(first), Some(last)) = (joins.first(), joins.last()) {
            found.push(part.start..*first);
            found.push(last + 1..part.end);
        }
        found.push(part);
        start = at + 1;
    }
    found
}

/// Without the verb of telling: "students explain why …".
fn told(text: &Text, part: &Range<usize>) -> Range<usize> {
    let opens = |at: &usize| {
        lists!("that why", text.word(*at))
            && (at.saturating_sub(3).max(part.start)..*at).any(|t| TELLING.has(text.word(t)))
    };
    let start = part.clone().rfind(opens).map_or(part.start, |at| at + 1);
    let joined = |at: usize| lists!(", and but while whereas so since as that why", text.word(at));
    (start..part.end).find(|at| !joined(*at)).unwrap_or(start)..part.end
}

fn read(text: &Text, range: Range<usize>) -> Option<Said> {
    if lists!("when while where after which who", text.word(range.start))
        && !range.clone().any(|at| text.word(at) == ",")
    {
        return None;
    }
    if is_of_one_case(text, &range) {
        return None;
    }
    let mut said =
        Said { range: range.clone(), words: Vec::new(), ways: Vec::new(), denied: false, lasting: false, sides: None };
    let than = range.clone().find(|at| text.word(*at) == "than");
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    let mut skip = None;
    for at in range {
        let word = text.word(at);
        said.lasting |= lists!("must should always needs ought", word);
        if FOR_A_WHILE.has(word) {
            return None;
        }
        if skip == Some(at) {
            continue;
        }
        if lists!("not never cannot no nor neither", word) || word.ends_with("n't") {
            // "Need not be" is allowed.
            if PARTLY.has(text.word(at + 1)) || said.denied || matches!(text.word(at.wrapping_sub(1)), "need" | "or") {
                return None;
            }
            said.denied = true;
            continue;
        }
        let Some(token) = text.tokens.get(at) else { continue };
        if EMPTY.has(word) || !word.starts_with(char::is_alphanumeric) || at == than.unwrap_or(usize::MAX) {
            continue;
        }
        if let Some((way, last)) = way(text, at, than.is_some()) {
            skip = Some(last);
            said.words.push(format!("{:?}", way.of));
            said.ways.push(way);
            continue;
        }
        let stem = stem(&token.lemma);
        if than.is_some_and(|than| at > than) { &mut behind } else { &mut before }.push(stem.clone());
        said.words.push(stem);
    }
    said.sides = than.map(|_| [before, behind]);
    said.words.sort();
    said.words.dedup();
    (said.words.len() >= 3).then_some(said)
}

/// What does not say that it is so: "name two solids that do not dissolve", "describe how friction can be increased",
/// "describe when the muscle becomes shorter".
fn is_of_one_case(text: &Text, part: &Range<usize>) -> bool {
    let picks = (part.start..part.end.min(part.start + 3)).any(|at| PICKING.has(text.word(at)));
    part.clone().any(|at| match text.word(at) {
        "how" => true,
        "when" => at > part.start && TELLING.has(text.word(at - 1)),
        "that" | "which" | "who" => picks,
        _ => false,
    })
}

/// The way that the word here goes, and the last token that says so. In a comparison only what compares counts.
fn way(text: &Text, at: usize, compares: bool) -> Option<(Way, usize)> {
    let word = text.word(at);
    let follows = |at: usize| {
        let is_noun = |word: &str| !EMPTY.has(word) && !AFTER.has(word) && !word.ends_with("ly");
        text.tokens.get(at + 1).is_some_and(|next| next.is_word() && is_noun(&next.word))
    };
    if lists!("more less", word)
        && let Some(pole) = poles::pole(text.word(at + 1)).filter(|pole| pole.form == Form::Plain)
    {
        let of = Of::Pole(pole.dimension, Form::More);
        return Some((Way { of, up: pole.up == (word == "more"), attributive: false }, at + 1));
    }
    if lists!("more less fewer", word) {
        let of = Of::Pole(Dimension::Amount, Form::More);
        return Some((Way { of, up: word == "more", attributive: false }, at));
    }
    if let Some((place, up)) = super::opposite(word) {
        return (!compares)
            .then(|| (Way { of: Of::Opposites(place), up, attributive: follows(at) && !moves(word) }, at));
    }
    let pole = poles::pole(word).filter(|pole| !compares || matches!(pole.form, Form::More))?;
    let of = Of::Pole(pole.dimension, pole.form);
    Some((Way { of, up: pole.up, attributive: pole.form != Form::Verb && follows(at) }, at))
}

fn moves(word: &str) -> bool {
    lists!("float floats sink sinks attract attracts repel repels expand expands contract contracts", word)
}

impl Said {
    /// The stems of its words, sorted.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// What it says, with the words of the term that it defines in place of "it".
    #[must_use]
    pub fn of(mut self, term: &Text) -> Self {
        self.words.extend(term.tokens.iter().filter(|token| token.is_word()).map(|token| stem(&token.lemma)));
        self.words.sort();
        self.words.dedup();
        self
    }

    /// Whether one denies what the other says.
    pub fn is_denied_by(&self, other: &Self) -> bool {
        self.denied != other.denied && self.words == other.words && self.ways == other.ways && self.same_order(other)
    }

    /// Whether both say the same of one thing, and the other way.
    pub fn is_turned_in(&self, other: &Self) -> bool {
        if self.words != other.words || self.denied != other.denied || self.ways.len() != other.ways.len() {
            return false;
        }
        if let (Some([one, than]), Some([other_one, other_than])) = (&self.sides, &other.sides) {
            return self.compares_otherwise(other, [one, than], [other_one, other_than]);
        }
        let pairs = || self.ways.iter().zip(&other.ways);
        if pairs().any(|(one, two)| one.of != two.of) || self.sides.is_some() != other.sides.is_some() {
            return false;
        }
        let turned: Vec<&Way> = pairs().filter(|(one, two)| one.up != two.up).map(|(one, _)| one).collect();
        match (turned.as_slice(), self.ways.as_slice()) {
            ([way], _) => !way.attributive,
            // "Low for a tall one and high for a short one"
            ([one, two], [a, b, c, d]) => one.of == two.of && a.of == c.of && b.of == d.of && a.of != b.of,
            _ => false,
        }
    }

    /// "The black can was warmer than the white one", and the white one warmer than the black.
    fn compares_otherwise(&self, other: &Self, mine: [&[String]; 2], theirs: [&[String]; 2]) -> bool {
        let ([way], [told]) = (self.ways.as_slice(), other.ways.as_slice()) else { return false };
        let own = |[one, than]: [&[String]; 2], turned: bool| -> Vec<String> {
            let (one, than) = if turned { (than, one) } else { (one, than) };
            one.iter().filter(|word| !than.contains(word)).cloned().collect()
        };
        let (my_own, my_than) = (own(mine, false), own(mine, true));
        let (their_own, their_than) = (own(theirs, false), own(theirs, true));
        if my_than.is_empty() || their_than.is_empty() {
            return false;
        }
        let within = |few: &[String], all: &[String]| few.iter().all(|word| all.contains(word));
        if within(&my_than, &their_own) && within(&their_than, &my_own) {
            return way.up == told.up;
        }
        my_than == their_than && !my_own.is_empty() && way.up != told.up
    }

    /// Whether nothing that is compared stands on another side.
    fn same_order(&self, other: &Self) -> bool {
        match (&self.sides, &other.sides) {
            (None, None) => true,
            (Some([one, than]), Some([other_one, other_than])) => one == other_one && than == other_than,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{antonyms, negations};
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn sure(one: (&str, &str), other: &str) -> usize {
        let content = match one.0 {
            "objectives" => json!({"objectives": [one.1], "assessment": other}),
            "steps" => json!({"steps": [{"text": one.1}], "assessment": other}),
            "definition" => {
                json!({"vocabulary": [{"term": "natural frequency", "definition": one.1}], "assessment": other})
            }
            field => json!({field: one.1, "assessment": other}),
        };
        let lesson = Lesson::of(content.as_object().expect("an object"));
        antonyms(&lesson).iter().chain(&negations(&lesson)).filter(|found| found.sure).count()
    }

    #[test]
    fn what_another_text_denies_or_turns_round_word_for_word_is_found() {
        let mut missed = Vec::new();
        for (field, one, other) in [
            (
                "objectives",
                "Show that the spring obeys Hooke's law over the whole range tested.",
                "Students hand in a conclusion: our spring does not obey Hooke's law over the whole range tested.",
            ),
            (
                "steps",
                "The pencil line must be above the surface of the water.",
                "The teacher checks every group before the run: the paper hangs straight, and the pencil line must not be above the surface of the water.",
            ),
            (
                "phenomenon",
                "A compass needle points to the north even in a closed room.",
                "Explain why a compass needle does not point to the north in a closed room.",
            ),
            (
                "objectives",
                "Sound cannot travel through a vacuum.",
                "Pupils write that sound can travel through a vacuum.",
            ),
            ("phenomenon", "Oil does not mix with water.", "Students explain why oil mixes with water."),
            (
                "objectives",
                "Know that the Moon gives off no light of its own.",
                "Pupils tell that the Moon gives off light of its own.",
            ),
            (
                "definition",
                "how often it swings by itself; it is high for a tall building and low for a short one",
                "The natural frequency is low for a tall building and high for a short one.",
            ),
            (
                "hypothesis",
                "The shadow of the stick becomes shorter from 9 a.m. to noon because the Sun climbs higher.",
                "Students explain why the shadow of the stick becomes longer from 9 a.m. to noon and give reasons.",
            ),
            (
                "objectives",
                "Learners know that pendulums on long strings swing more slowly than pendulums on short ones.",
                "Pendulums on long strings swing more quickly than pendulums on short ones.",
            ),
            (
                "phenomenon",
                "The water in the black can was warmer than the water in the shiny one.",
                "Explain why the water in the shiny can ended up warmer than the water in the black one.",
            ),
            (
                "steps",
                "Turn the tap clockwise to close it.",
                "Explain why the tap is turned anticlockwise to close it.",
            ),
            ("objectives", "Students know that like poles repel each other.", "Like poles attract each other."),
            ("phenomenon", "Ice floats on water.", "Pupils explain why ice sinks in water."),
        ] {
            if sure((field, one), other) != 1 {
                missed.push(other);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn what_is_of_another_thing_time_or_circumstance_is_passed_over() {
        let mut wrong = Vec::new();
        for (field, one, other) in [
            (
                "phenomenon",
                "The orange with the peel floats.",
                "Explain why the orange without the peel does not float.",
            ),
            ("steps", "The egg sinks in tap water.", "Explain why the egg does not sink in salt water."),
            ("steps", "The lamp does not light.", "Explain why the lamp lights."),
            ("steps", "Time ten swings.", "Ten swings are timed and not one."),
            (
                "hypothesis",
                "The egg will float in salt water.",
                "Students whose egg does not float in salt water add more.",
            ),
            ("phenomenon", "At first the dye does not spread in the water.", "The dye spreads in the water."),
            ("objectives", "Like poles repel each other.", "Unlike poles attract each other."),
            ("objectives", "Warm air is less dense than cold air.", "Cold air is denser than warm air."),
            (
                "objectives",
                "The frequency is low for a tall building and high for a short one.",
                "The frequency is high for a short building and low for a tall one.",
            ),
            (
                "objectives",
                "The shadow becomes shorter from 9 a.m. to noon.",
                "The shadow becomes longer from noon to 3 p.m.",
            ),
            ("objectives", "The small cube melts in the water.", "The large cube melts in the water."),
            ("objectives", "Metals do not always sink in water.", "Metals sink in water."),
            ("objectives", "Heavy things sink in water.", "A pupil says that heavy things do not sink in water."),
            (
                "objectives",
                "Heavy things sink in water.",
                "Correct the statement that heavy things do not sink in water.",
            ),
            ("objectives", "Name two solids that dissolve in water.", "Name two solids that do not dissolve in water."),
            ("objectives", "Some solids conduct electricity.", "Explain why some solids do not conduct electricity."),
            ("objectives", "Show how to make the sound of it higher.", "Show how to make the sound of it lower."),
            ("objectives", "Describe when the arm muscle gets shorter.", "Describe when the arm muscle gets longer."),
        ] {
            if sure((field, one), other) != 0 {
                wrong.push(other);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
