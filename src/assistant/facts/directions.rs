//! Directions: what a clause says goes up or down, and what of two clauses is the cause and what the effect.
//!
//! "The hotter the water, the faster the sugar dissolves", "more turns will lift more clips", "if it is steeper, the
//! car rolls farther". Where it is unsure it gives nothing.

use std::ops::Range;

use super::lesson::Text;
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

/// A cause that goes one way, and the effect of it that goes one way.
#[derive(Debug)]
pub struct Relation {
    /// What is changed.
    pub cause: Clause,
    /// What comes of it.
    pub effect: Clause,
}

/// Words that are said of anything: they tell no subject from another.
const COMMON: &str = "go goes went gone going get gets got getting become becomes became becoming stay stays stayed staying remain \
    remains remained keep keeps kept turned end ends ended up down out off show shows showed shown have has had \
    do does did make makes made take takes took taken give gives gave given cause causes caused lead leads led \
    mean means meant think reckon believe expect expects expected predict predicts predicted prediction predictions hypothesis \
    hypothesize hypothesized result results agree agrees agreed confirm confirms confirmed support supports supported still \
    reach reaches reached come comes came coming use uses used using than two time times way much many when \
    while whose that if then let lets its because since would should could might just exactly need needs say says said see \
    found find actually even always yes because due about able amount number level size rate speed degree one ones";

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
        listed || word.ends_with("er") || matches!(word, "towards" | "toward" | "away" | "up" | "down" | "last")
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
        let moves = lists("go goes went gone going come comes came coming move moves moved shoot shoots shot", word);
        if moves && let Some(found) = near(&["up", "down"]) {
            self.push(at, verb(Dimension::Amount, self.text.word(found) == "up"));
            return Some(found + 1);
        }
        if lists("speed speeds sped speeding", word) && near(&["up"]).is_some() {
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
            lists("will would to can should they it you we i and both let makes made make also soon must", before);
        match pole.form {
            Form::Plain if matches!(word, "warm" | "cool" | "dim" | "dry" | "narrow") => {
                let acts = orders && !matches!(before, "and" | "both" | "make" | "made" | "makes")
                    || matches!(after, "down" | "up" | "off") && word != "dry";
                Some(if acts { Pole { form: Form::Verb, ..pole } } else { pole })
            }
            Form::Plain if matches!(word, "light" | "fine" | "basic" | "full" | "empty" | "hard" | "gentle") => None,
            // "drops of juice", "a rise", "the fall", "a heat lamp" are things.
            Form::Verb if lists("drop drops fall falls rise rises increase decrease gain heat decline float", word) => {
                let thing = after == "of"
                    || lists(
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
        let fits = lists("become becomes became get gets got turn turns turned grow grows grew be looks look", before)
            || after == "than"
            || before == "the" && after == "the";
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
        if poles::measure(&noun).is_some() && word != "second" {
            self.clause.words.push(noun);
        } else if lists("take takes took taken last lasts lasted lasting", word) {
            self.clause.words.push("duration".to_owned());
        } else if !phrases::is_empty(word) && !lists(COMMON, word) && word.len() > 1 && !phrases::begins_condition(word)
        {
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

/// What these tokens of one sentence say of cause and effect.
pub fn relation(text: &Text, range: Range<usize>) -> Option<Relation> {
    if let Some(relation) = of_two(text, &range) {
        return Some(relation);
    }
    let (cause, effect) = parts(text, &range)?;
    let (mut cause, mut effect) = (clause(text, cause), clause(text, effect));
    effect.poles.retain(|pole| pole.form != Form::Plain);
    if cause.poles.iter().any(|pole| pole.form != Form::Plain) {
        cause.poles.retain(|pole| pole.form != Form::Plain);
    }
    effect.words.retain(|word| !cause.words.contains(word) || poles::measure(word).is_some());
    (!cause.poles.is_empty() && !effect.poles.is_empty()).then_some(Relation { cause, effect })
}

/// A sentence without what it gives as the reason.
pub fn without_reason(text: &Text, range: Range<usize>) -> Range<usize> {
    let begins = |at: &usize| {
        let after_comma = text.word(at.wrapping_sub(1)) == ",";
        matches!(text.word(*at), "because" | "due" | "owing")
            || after_comma && matches!(text.word(*at), "as" | "since" | "for")
    };
    match (range.start + 1..range.end).find(begins) {
        // "As predicted, …" after a comma gives no reason.
        Some(at) if !(text.word(at) == "as" && is_of_prediction(text, at + 1..(at + 5).min(range.end))) => {
            range.start..at
        }
        _ => range,
    }
}

fn is_of_prediction(text: &Text, mut range: Range<usize>) -> bool {
    range.any(|at| {
        lists("predicted expected hypothesized hypothesised thought guessed foreseen forecast said", text.word(at))
    })
}

fn is_comparative(text: &Text, at: usize) -> bool {
    let word = text.word(at);
    quantifier(word).is_some_and(|(_, form)| form == Form::More)
        || poles::pole(word).is_some_and(|pole| pole.form == Form::More)
}

const CAUSING: &str = "will would should makes make made gives give gave causes cause caused leads lead led means meant produces produce \
    produced increases increase increased decreases decrease decreased raises raise raised lowers lowered reduces reduced \
    speeds slows slowed helps helped lets results resulted has have had gets get got takes took";

/// The tokens of the cause and of the effect.
fn parts(text: &Text, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let closes = |at: &usize| matches!(text.word(*at), "," | ";" | "(" | "." | "!" | "?" | ":" | "–" | "—");
    let close = |from: usize| (from..range.end).find(closes).unwrap_or(range.end);
    // "The hotter the water, the faster …", "it goes faster the hotter the water".
    let paired =
        |at: &usize| text.word(*at) == "the" && is_comparative(text, at + 1) && !text.has_at(at + 2, &["of", "the"]);
    let mut pairs = range.clone().filter(paired);
    match (pairs.next(), pairs.next()) {
        (Some(first), Some(second)) => return Some((first..second, second..close(second))),
        (Some(only), None) if only > range.start + 2 && text.word(only - 1) != "," => {
            let said = clause(text, range.start..only);
            if said.poles.iter().any(|pole| pole.form != Form::Plain) {
                return Some((only..close(only), range.start..only));
            }
        }
        _ => {}
    }
    introduced(text, range, &close).or_else(|| split_at_the_verb(text, range, &close))
}

/// "If it is steeper, it rolls farther", "it rolls farther when it is steeper".
fn introduced(
    text: &Text,
    range: &Range<usize>,
    close: &dyn Fn(usize) -> usize,
) -> Option<(Range<usize>, Range<usize>)> {
    let introduces = |at: &usize| match text.word(*at) {
        "if" | "when" | "whenever" | "once" => true,
        "as" => {
            !lists("well long far soon much many", text.word(at + 1))
                && !is_of_prediction(text, at + 1..(at + 5).min(range.end))
        }
        "with" => {
            is_comparative(text, at + 1)
                || lists("each every increasing rising extra", text.word(at + 1))
                || is_comparative(text, at + 2)
        }
        _ => false,
    };
    let at = range.clone().filter(introduces).find(|at| !clause(text, at + 1..close(at + 1)).poles.is_empty())?;
    let opens =
        at == range.start || matches!(text.word(at - 1), "," | ":" | "that" | "\"" | "'" | "“" | "‘" | "why" | "and");
    if !opens {
        // The effect stands before: from the last colon, or all of it.
        // "With more turns it lifts fewer clips" may also stand after its subject.
        if clause(text, range.start..at).poles.iter().all(|pole| pole.form == Form::Plain) {
            let moves = |t: &usize| clause(text, *t..*t + 1).poles.iter().any(|pole| pole.form != Form::Plain);
            let next = (at + 4..range.end).find(moves)?;
            return Some((at + 1..next, next..range.end));
        }
        let from = (range.start..at).rev().find(|t| matches!(text.word(*t), ":" | ";")).map_or(range.start, |t| t + 1);
        return Some((at + 1..close(at + 1), from..at));
    }
    let ends = |t: &usize| matches!(text.word(*t), "," | "then");
    let comma = (at + 1..range.end).find(ends);
    let modal = (at + 1..range.end).find(|t| lists("will would should", text.word(*t)));
    match (comma, modal) {
        (Some(comma), _) if modal.is_none_or(|modal| comma < modal) => Some((at + 1..comma, comma + 1..range.end)),
        (_, Some(modal)) if modal > at + 4 => Some((at + 1..modal - 2, modal - 2..range.end)),
        _ => None,
    }
}

/// "More turns will lift more clips", "warmer water dissolves sugar faster".
fn split_at_the_verb(
    text: &Text,
    range: &Range<usize>,
    close: &dyn Fn(usize) -> usize,
) -> Option<(Range<usize>, Range<usize>)> {
    let said = |range: Range<usize>| clause(text, range).poles;
    let start = (range.start..range.end).find(|at| text.word(*at) == ":").map_or(range.start, |at| at + 1);
    let start = (start..range.end)
        .find(|at| matches!(text.word(*at), "that" | "why" | "how") && *at < start + 12)
        .map_or(start, |at| at + 1);
    let parts = |at: usize| lists(", and while whereas but", text.word(at));
    let piece = |at: usize| (start..at).rev().find(|t| parts(*t)).map_or(start, |t| t + 1);
    let acts =
        |at: &usize| lists(CAUSING, text.word(*at)) || said(*at..*at + 1).iter().any(|pole| pole.form == Form::Verb);
    let mut verbs = (start + 1..range.end).filter(acts);
    if let Some(verb) = verbs.find(|verb| !said(piece(*verb)..*verb).is_empty()) {
        return Some((piece(verb)..verb, verb..range.end));
    }
    let compares = |at: &usize| said(*at..*at + 1).iter().any(|pole| matches!(pole.form, Form::More | Form::Most));
    let begins = |at: &usize| *at < piece(*at) + 3;
    let first = (start..range.end).filter(begins).find(compares)?;
    (first + 2 < close(first)).then(|| (first..first + 2, first + 2..range.end))
}

/// "On hot nights crickets chirp more than on cold nights": the cause is the one of the two that stands first.
fn of_two(text: &Text, range: &Range<usize>) -> Option<Relation> {
    let than = range.clone().find(|at| text.word(*at) == "than")?;
    let (mut one, other) = (clause(text, range.start..than), clause(text, than + 1..range.end));
    let against = |pole: &Pole| {
        let turned = |other: &Pole| other.dimension == pole.dimension && other.up != pole.up;
        matches!(pole.form, Form::Plain | Form::More) && other.poles.iter().any(turned)
    };
    let place = one.poles.iter().position(against)?;
    let cause = Clause { poles: vec![one.poles.remove(place)], words: one.words.clone() };
    one.poles.retain(|pole| pole.form != Form::Plain);
    (!one.poles.is_empty()).then_some(Relation { cause, effect: one })
}
