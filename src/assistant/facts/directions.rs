//! Directions: what a clause says goes up or down, and what of two clauses is the cause and what the effect.
//!
//! "The hotter the water, the faster the sugar dissolves", "more turns will lift more clips", "if it is steeper, the
//! car rolls farther". Where it is unsure it gives nothing.

mod relations;

use std::ops::Range;

pub use relations::{Relation, relation, without_reason};

use super::lesson::Text;
use super::lists::{List, list};
use super::phrases::{self, lists};
use super::poles::{self, Dimension, Form, Pole};
use super::words::{Token, lemma};

/// What a clause says goes one way, and the other words that it says.
#[derive(Debug, Clone, Default)]
pub struct Clause {
    /// What goes one way, in order.
    pub poles: Vec<Pole>,
    /// Its other words that say something, as they are compared.
    pub words: Vec<String>,
}

/// Words that are said of anything: they tell no subject from another.
static COMMON: List = list!(
    "go goes went gone going get gets got getting become becomes became becoming stay stays stayed staying remain \
    remains remained keep keeps kept turned end ends ended up down out off show shows showed shown have has had \
    do does did make makes made take takes took taken give gives gave given cause causes caused lead leads led \
    mean means meant think reckon believe expect expects expected predict predicts predicted prediction predictions hypothesis \
    hypothesize hypothesized result results agree agrees agreed confirm confirms confirmed support supports supported still \
    reach reaches reached come comes came coming use uses used using than two time times way much many when \
    while whose that if then let lets its because since would should could might just exactly need needs say says said see \
    found find actually even always yes because due about able amount number and or but count counts reading readings value values figure figures level size rate speed degree one ones",
);
/// Verbs that go up or down.
static GOING: List = list!("go goes went gone going come comes came coming move moves moved shoot shoots shot");
/// Verbs of coming nearer.
static APPROACHING: List = list!("approach approaches approached approaching");
/// Verbs that go up in tempo.
static SPEEDING: List = list!("speed speeds sped speeding");
/// Verbs of how long something goes on.
static LASTING: List = list!("take takes took taken last lasts lasted lasting");
/// Verbs before an adjective.
static TURNING: List = list!("become becomes became get gets got turn turns turned grow grows grew be looks look");
/// Verbs that move something up or down.
static MOVING: List =
    list!("move moves moved moving push pushes pushed bring brings brought pull pulls pulled drive drives drove");

/// Reads what these tokens say.
pub fn clause(text: &Text, range: Range<usize>) -> Clause {
    let mut read = Reader { text, end: range.end, clause: Clause::default(), last_verb: None, denied: None };
    let mut at = range.start;
    while at < range.end.min(text.tokens.len()) {
        at = read.token(at).max(at + 1);
    }
    let mut clause = read.clause;
    measured(&mut clause);
    clause
}

/// Whether these tokens may say that something goes one way: cheaper than reading them.
pub fn may_tell(text: &Text, mut range: Range<usize>) -> bool {
    range.any(|at| {
        let word = text.word(at);
        let listed = poles::pole(word).is_some() || quantifier(word).is_some();
        listed
            || word.ends_with("er")
            || matches!(word, "towards" | "toward" | "away" | "up" | "down" | "last" | "addition" | "adding")
            || word.starts_with("approach")
    })
}

/// A bare "higher" beside "temperature" is said of warmth, "longer" beside "time" of tempo.
fn measured(clause: &mut Clause) {
    let Some((dimension, up)) = clause.words.iter().find_map(|word| poles::measure(word)) else { return };
    let bare = |pole: &Pole| match pole.dimension {
        Dimension::Amount => true,
        Dimension::Length => matches!(dimension, Dimension::Tempo | Dimension::Distance),
        _ => false,
    };
    for pole in clause.poles.iter_mut().filter(|pole| bare(pole)) {
        *pole = Pole { dimension, up: pole.up == up, form: pole.form };
    }
}

struct Reader<'t, 'c> {
    text: &'t Text<'c>,
    end: usize,
    clause: Clause,
    /// Where the last verb of change stood, and its place among the poles.
    last_verb: Option<(usize, usize)>,
    /// The token that denies what follows.
    denied: Option<usize>,
}

impl Reader<'_, '_> {
    /// Reads a token; gives the next one.
    fn token(&mut self, at: usize) -> usize {
        let word = self.text.word(at);
        if matches!(word, "not" | "never" | "no" | "neither" | "nor" | "cannot") || word.ends_with("n't") {
            self.denied = Some(at);
            return at + 1;
        }
        // "Did not go as far" went less far.
        if matches!(word, "as" | "so")
            && self.denied.is_some_and(|denied| at - denied <= 4)
            && at + 1 < self.end
            && let Some(pole) = poles::pole(self.text.word(at + 1)).filter(|pole| pole.form == Form::Plain)
        {
            self.denied = None;
            self.push(at, Pole { up: !pole.up, form: Form::More, ..pole });
            return at + 2;
        }
        if let Some((up, form)) = quantifier(word) {
            return self.quantified(at, up, form);
        }
        if let Some(next) = self.phrase(at, word) {
            return next;
        }
        if let Some(pole) = poles::pole(word)
            && let Some(pole) = self.confirmed(at, pole)
        {
            self.push(at, pole);
            if pole.form == Form::Plain {
                self.clause.words.push(word.to_owned());
            }
            return at + 1;
        }
        if let Some(stem) = self.unknown_comparative(at, word) {
            self.push(at, Pole { dimension: Dimension::Amount, up: true, form: Form::More });
            self.clause.words.push(stem);
            return at + 1;
        }
        self.word(at);
        at + 1
    }

    fn push(&mut self, at: usize, mut pole: Pole) {
        if self.denied.is_some_and(|denied| at - denied <= 4) {
            let two_sided = matches!(
                pole.dimension,
                Dimension::Buoyancy | Dimension::Attraction | Dimension::Conduction | Dimension::Survival
            );
            if !two_sided {
                return;
            }
            pole.up = !pole.up;
        }
        if pole.form == Form::Verb {
            self.last_verb = Some((at, self.clause.poles.len()));
        } else if matches!(pole.form, Form::More | Form::Most)
            && let Some((verb, place)) = self.last_verb.take()
            && at - verb <= 3
            && place + 1 == self.clause.poles.len()
        {
            // What "grows taller" or "falls more slowly" says, the comparative says.
            self.clause.poles.truncate(place);
        }
        self.clause.poles.push(pole);
    }

    /// "more", and what it is said of: an adjective, the verb before, or a noun.
    fn quantified(&mut self, at: usize, up: bool, form: Form) -> usize {
        let word = self.text.word(at);
        let repeated = self.text.word(at + 1) == "and" && self.text.word(at + 2) == word;
        let next = if repeated { at + 3 } else { at + 1 };
        let following = if next < self.end { self.text.word(next) } else { "" };
        if let Some(pole) = poles::pole(following).filter(|pole| pole.form == Form::Plain && following != "light") {
            self.push(at, Pole { up: pole.up == up, form, ..pole });
            return next + 1;
        }
        if let Some((verb, place)) = self.last_verb
            && at - verb <= 4
            && let Some(pole) = self.clause.poles.get_mut(place)
            && (pole.dimension == Dimension::Amount || !names_a_thing(following))
        {
            *pole = Pole { up: pole.up == up, form, ..*pole };
            return next;
        }
        self.push(at, Pole { dimension: Dimension::Amount, up, form });
        next
    }

    /// Poles of two words: "go up", "slow down".
    fn phrase(&mut self, at: usize, word: &str) -> Option<usize> {
        let near = |wanted: &[&str]| (at + 1..self.end.min(at + 3)).find(|t| wanted.contains(&self.text.word(*t)));
        let verb = |dimension, up| Pole { dimension, up, form: Form::Verb };
        let moves = GOING.has(word);
        if moves && let Some(found) = near(&["up", "down"]) {
            self.push(at, verb(Dimension::Amount, self.text.word(found) == "up"));
            return Some(found + 1);
        }
        // "Has moved the freezing temperature up"
        if MOVING.has(word) {
            let far = (at + 2..self.end.min(at + 6)).find(|t| matches!(self.text.word(*t), "up" | "down"));
            let named = |t: usize| poles::measure(&lemma(self.text.word(t))).is_some();
            if let Some(found) = far.filter(|found| named(found - 1)) {
                let noun = lemma(self.text.word(found - 1));
                self.clause.words.push(noun);
                self.push(at, verb(Dimension::Amount, self.text.word(found) == "up"));
                return Some(found + 1);
            }
        }
        // "As the lamp approached", "each addition of salt"
        if APPROACHING.has(word) {
            self.push(at, verb(Dimension::Distance, false));
            return Some(at + 1);
        }
        if lists!("addition adding", word) {
            self.push(at, Pole { dimension: Dimension::Amount, up: true, form: Form::More });
            return Some(at + 1);
        }
        if SPEEDING.has(word) && near(&["up"]).is_some() {
            self.push(at, verb(Dimension::Tempo, true));
            return Some(at + 2);
        }
        // "Moves towards the light" comes nearer, "bends away from the normal" goes further.
        if matches!(word, "towards" | "toward") || word == "away" && self.text.word(at + 1) == "from" {
            self.push(at, verb(Dimension::Distance, word == "away"));
            return Some(at + 1);
        }
        // "Germinates first", but not "the first seed".
        let ends = !self.text.tokens.get(at + 1).is_some_and(Token::is_word);
        if matches!(word, "first" | "last") && ends && !lists("at the this", self.text.word(at.wrapping_sub(1))) {
            self.push(at, Pole { dimension: Dimension::Tempo, up: word == "first", form: Form::Most });
            return Some(at + 1);
        }
        if word == "slow" && self.text.word(at + 1) == "down" {
            self.push(at, verb(Dimension::Tempo, false));
            return Some(at + 2);
        }
        None
    }

    /// The pole that a word is here, where it may be a noun or a verb instead.
    fn confirmed(&self, at: usize, pole: Pole) -> Option<Pole> {
        let (word, before, after) =
            (self.text.word(at), self.text.word(at.wrapping_sub(1)), self.text.word(at.saturating_add(1)));
        let orders =
            lists!("will would to can should they it you we i and both let makes made make also soon must", before);
        match pole.form {
            Form::Plain if matches!(word, "warm" | "cool" | "dim" | "dry" | "narrow") => {
                let acts = orders && !matches!(before, "and" | "both" | "make" | "made" | "makes")
                    || matches!(after, "down" | "up" | "off") && word != "dry";
                Some(if acts { Pole { form: Form::Verb, ..pole } } else { pole })
            }
            Form::Plain if matches!(word, "light" | "fine" | "basic" | "full" | "empty" | "hard" | "gentle") => None,
            // "drops of juice", "a rise", "the fall", "a heat lamp" are things.
            Form::Verb
                if lists!("drop drops fall falls rise rises increase decrease gain heat decline float", word) =>
            {
                let thing = after == "of"
                    || lists!(
                        "a an the each every more fewer less no any of in another first this its per drop",
                        before,
                    )
                    || quantifier(before).is_some()
                    || word == "heat" && !orders
                    || poles::pole(before).is_some_and(|pole| matches!(pole.form, Form::More | Form::Most))
                    || self.text.tokens.get(at.wrapping_sub(1)).is_some_and(|token| !token.is_word() && !token.is(","));
                (!thing).then_some(pole)
            }
            // "longer than five minutes" and "no longer" compare nothing that matters here.
            Form::More if word == "longer" && before == "no" => None,
            // What goes on for longer is slower to end.
            Form::More if pole.dimension == Dimension::Length && before == "for" => {
                Some(Pole { dimension: Dimension::Tempo, up: !pole.up, form: pole.form })
            }
            _ => Some(pole),
        }
    }

    /// "pinker", "sweeter": of an adjective that is in no list, where only a comparative can stand.
    fn unknown_comparative(&self, at: usize, word: &str) -> Option<String> {
        let stem = word.strip_suffix("er").filter(|stem| stem.len() >= 3 && stem.is_ascii())?;
        let before = self.text.word(at.wrapping_sub(1));
        let after = self.text.word(at + 1);
        let fits = TURNING.has(before) || after == "than" || before == "the" && after == "the";
        let twice = |stem: &str| stem.as_bytes().iter().rev().take(2).is_sorted_by(|a, b| a == b);
        let plain = match stem.strip_suffix('i') {
            Some(stem) => format!("{stem}y"),
            None if twice(stem) => stem.get(..stem.len() - 1)?.to_owned(),
            None => stem.to_owned(),
        };
        fits.then(|| self::stem(&plain))
    }

    fn word(&mut self, at: usize) {
        let Some(token) = self.text.tokens.get(at).filter(|token| token.is_word()) else { return };
        let word = token.word.as_str();
        // "With salt" is one thing and "without salt" another, where a text tells them apart.
        if word == "without" || word == "with" && self.text.tokens.iter().any(|token| token.is("without")) {
            self.clause.words.push(word.to_owned());
            return;
        }
        let noun = lemma(word);
        // "More bubbles per 2 minutes", or "in a minute", take no longer.
        let before = at.checked_sub(1).and_then(|before| self.text.tokens.get(before));
        if matches!(noun.as_str(), "minute" | "second")
            && (before.is_some_and(|token| !token.is_word() || token.is("per"))
                || matches!(self.text.word(at.wrapping_sub(1)), "a" | "one" | "each")
                    && self.text.word(at.wrapping_sub(2)) == "in")
        {
            return;
        }
        if poles::measure(&noun).is_some() && word != "second" {
            self.clause.words.push(noun);
        } else if LASTING.has(word) {
            self.clause.words.push("duration".to_owned());
        } else if !phrases::is_empty(word) && !COMMON.has(word) && word.len() > 1 && !phrases::begins_condition(word) {
            self.clause.words.push(stem(word));
        }
    }
}

/// Whether a word may be the noun of which there is more.
fn names_a_thing(word: &str) -> bool {
    let is_word = word.chars().next().is_some_and(char::is_alphabetic);
    is_word
        && !phrases::is_empty(word)
        && !phrases::begins_condition(word)
        && !lists("in on at to than of for from with and or by", word)
}

fn quantifier(word: &str) -> Option<(bool, Form)> {
    Some(match word {
        "more" | "greater" => (true, Form::More),
        "most" | "greatest" => (true, Form::Most),
        "less" | "fewer" => (false, Form::More),
        "least" | "fewest" => (false, Form::Most),
        _ => return None,
    })
}

/// A word without the endings that verbs and nouns take.
fn stem(word: &str) -> String {
    let word = lemma(word.strip_suffix("'s").unwrap_or(word));
    let cut = ["ing", "ed", "e"].iter().find_map(|ending| word.strip_suffix(ending)).filter(|stem| stem.len() >= 3);
    let cut = cut.unwrap_or(&word);
    let mut last = cut.chars().rev();
    match (last.next(), last.next()) {
        (Some(one), Some(other)) if one == other && cut.len() < word.len() && cut.len() > 3 => {
            cut.strip_suffix(one).unwrap_or(cut).to_owned()
        }
        _ => cut.to_owned(),
    }
}
