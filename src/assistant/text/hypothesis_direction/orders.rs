//! Orders: which of two comes out ahead, and in what: "hot water dissolves it faster than cold", "the closer the lamp, the
//! more bubbles", "with the lid on it boiled later".

use std::ops::Range;

use super::entities::Entity;
use super::marks::{Mark, placed};
use super::parts::same;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::poles::{self, Dimension, Form};
use crate::assistant::facts::verdicts::is_of_belief;

/// One that comes out ahead, or stays behind.
#[derive(Debug, Clone, Default)]
pub(super) struct Side {
    pub entity: Entity,
    /// What goes one way there: "the closer the lamp".
    pub marks: Vec<Mark>,
    /// Whether it is told by what it does without.
    pub without: bool,
    /// The numbers with which it is named.
    pub levels: Vec<f64>,
}

/// Who has more, or less, of something.
#[derive(Debug, Clone)]
pub(super) struct Order {
    pub effect: Mark,
    pub who: Side,
    pub than: Side,
}

impl Side {
    pub fn read(text: &Text, range: Range<usize>) -> Self {
        let lacks = |at: &usize| lists!("without no not un", text.word(*at)) || text.word(*at).ends_with("n't");
        let without = range.clone().any(|at| lacks(&at));
        let marks = if without { Vec::new() } else { marks_of(text, range.clone()) };
        let within = |at: usize| range.contains(&at);
        let levels = text.numerals().iter().filter(|numeral| within(numeral.tokens.start) && !numeral.in_words);
        let levels = levels.map(|numeral| numeral.low).collect();
        let mut entity = Entity::read(text, range, &[]);
        entity.words.retain(|word| !lists(OF_BELIEF, word) && !word.starts_with(|c: char| c.is_ascii_digit()));
        Self { entity, marks, without, levels }
    }

    fn is_empty(&self) -> bool {
        self.entity.is_empty() && self.marks.is_empty() && self.levels.is_empty()
    }
}

/// What goes one way in these tokens, without "a ball dropped from higher up", which is none that goes down.
fn marks_of(text: &Text, range: Range<usize>) -> Vec<Mark> {
    let moved = |at: usize| {
        ["drop", "fall", "lower", "lose"].iter().any(|verb| phrases::is_form_of(text.word(at), verb))
            && lists!("from in into on onto through by", text.word(at + 1))
    };
    placed(text, range).into_iter().filter(|(at, _)| !moved(*at)).map(|(_, mark)| mark).collect()
}

/// Stems of what is said of predictions and reports, and of nothing that is compared.
const OF_BELIEF: &str = "hypothesis predict prediction expect expectat guess forecast suppos confirm support data pupil student learner \
    class conclus and or had took gav made becam got show found find state write report explain measur mean averag value minut second degre other";

/// The orders that a sentence tells, and those that it gives as a reason where it tells no other.
pub(super) fn orders(text: &Text, sentence: &Range<usize>) -> Vec<Order> {
    let reason = |at: &usize| {
        lists!("because since", text.word(*at)) || text.word(*at) == "," && lists!("as for", text.word(at + 1))
    };
    let sentence = &without_cue(text, sentence);
    let ends = sentence.clone().skip(1).find(reason).unwrap_or(sentence.end);
    let read = |range: Range<usize>| -> Vec<Order> {
        pieces(text, &range).iter().filter_map(|piece| order(text, piece)).collect()
    };
    let told = read(sentence.start..ends);
    if told.is_empty() {
        read((ends + 1 + usize::from(text.word(ends) == ",")).min(sentence.end)..sentence.end)
    } else {
        told
    }
}

/// A sentence without "as we had expected," and "against our guess," with which it begins.
fn without_cue(text: &Text, sentence: &Range<usize>) -> Range<usize> {
    let comma = (sentence.start..sentence.end.min(sentence.start + 14)).find(|at| text.word(*at) == ",");
    let is_cue = |comma: &usize| {
        let told = sentence.start..*comma;
        told.clone().any(|at| is_of_belief(text, at)) && !compares(text, told)
    };
    comma.filter(is_cue).map_or(sentence.start, |at| at + 1)..sentence.end
}

/// What goes one way in these tokens, whatever is without something there.
fn all_marks(text: &Text, range: Range<usize>) -> Vec<(usize, Mark)> {
    match range.clone().find(|at| text.word(*at) == "without") {
        Some(at) => {
            let mut all = placed(text, range.start..at);
            all.extend(placed(text, (at + 2).min(range.end)..range.end));
            all
        }
        None => placed(text, range),
    }
}

/// Whether these tokens say that something goes one way.
fn compares(text: &Text, range: Range<usize>) -> bool {
    all_marks(text, range).iter().any(|(_, mark)| !mark.plain)
}

/// The pieces of a sentence that tell one thing each.
fn pieces(text: &Text, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = range.start;
    for at in range.clone() {
        let word = text.word(at);
        // "(40 °C)" belongs to what it stands behind.
        let short = word == "(" && (at..at + 7).any(|t| text.word(t) == ")")
            || word == ")" && (at.saturating_sub(6)..at).any(|t| text.word(t) == "(");
        let sign = lists!("; : ( ) . ! ? – — \" “ ” ‘ ’", word) && !short;
        let quote = word == "'" && at > start;
        let turns = lists!("while whereas", word)
            || word == "but" && !introduces(text, start, range)
            || word == "that"
                && lists!(
                    "say says said state states find finds found show shows showed shown conclude concludes report reports write writes wrote \
                note notes mean means is was confirm confirms confirmed learn see sees prediction hypothesis idea guess right , saw argue",
                    text.word(at.wrapping_sub(1))
                );
        let repeated = word == "and" && text.word(at.wrapping_sub(1)) == text.word(at + 1);
        let joins = lists!("and ,", word) && !repeated && !introduces(text, start, range) && {
            let next = (at + 1..range.end).find(|t| lists!("; : and , . than", text.word(*t))).unwrap_or(range.end);
            compares(text, start..at)
                && (compares(text, at + 1..next) || (at + 1..next).any(|t| phrases::is_denial(text.word(t))))
        };
        if sign || quote || turns || joins {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..range.end);
    found.retain(|piece| piece.len() > 2);
    found
}

/// Whether a condition, or the first of two that go together, begins here: what follows the comma belongs to it.
fn introduces(text: &Text, start: usize, range: &Range<usize>) -> bool {
    let more = |at: usize| {
        lists!("more less fewer", text.word(at))
            || poles::pole(text.word(at)).is_some_and(|pole| pole.form == Form::More)
    };
    (start..range.end.min(start + 2)).any(|at| {
        lists!("if when whenever once as with without", text.word(at)) || text.word(at) == "the" && more(at + 1)
    })
}

/// Where a piece names what it compares with, and where that begins.
fn comparison(text: &Text, piece: &Range<usize>) -> Option<(usize, usize)> {
    let prefers = |at: usize| {
        ["prefer", "choose"].iter().any(|verb| phrases::is_form_of(text.word(at), verb)) || text.word(at) == "chose"
    };
    piece.clone().skip(1).find_map(|at| match text.word(at) {
        "than" => Some((at, at + 1)),
        "compared" => Some((at, at + 2)),
        "as" if (at.saturating_sub(5)..at)
            .any(|t| lists!("twice times half", text.word(t)) && text.word(t + 1) == "as")
            && text.word(at - 1) != "twice"
            && !lists!("times half", text.word(at - 1)) =>
        {
            Some((at, at + 1))
        }
        "to" | "over" if (piece.start..at).any(prefers) => Some((at, at + 1)),
        _ => None,
    })
}

/// What a piece says: the effect, for whom, and compared with whom.
fn order(text: &Text, piece: &Range<usize>) -> Option<Order> {
    let than = comparison(text, piece);
    let front = piece.start..than.map_or(piece.end, |(at, _)| at);
    let back = than.map(|(_, next)| next..close(text, next, piece.end));
    let behind = back.clone().map(|back| Side::read(text, back)).unwrap_or_default();
    if let Some((cause, effect)) = halves(text, &front)
        && let Some((_, effect)) = last_mark(text, &effect)
    {
        // "If the water is warm instead of cold"
        let instead = cause.clone().find(|at| text.word(*at) == "instead" || text.has_at(*at, &["rather", "than"]));
        let than = instead.map_or(behind, |at| Side::read(text, at + 2..cause.end));
        let who = Side::read(text, cause.start..instead.unwrap_or(cause.end));
        return Some(Order { effect, who, than }.told());
    }
    if let Some(order) = in_time(text, piece) {
        return Some(order);
    }
    let prefers = than.is_some_and(|(at, _)| text.word(at) != "than" && text.word(at) != "compared");
    let (at, effect) = match last_mark(text, &front) {
        Some(found) if !prefers => found,
        _ if prefers => (front.start + 1, counted()),
        _ => return None,
    };
    let said = last_of(text, &front, at);
    let who = match &back {
        Some(back) if !prefers => ahead(text, &front, at..said, back.start),
        _ if prefers => said + 1..front.end,
        _ => front.clone(),
    };
    let mut who = Side::read(text, who);
    who.marks.retain(|mark| !same(mark, &effect));
    if than.is_none() {
        // "The fullest bottle gave the highest note": what is said first is the cause.
        who.marks = marks_of(text, front.start..at);
        who.entity = Side::read(text, front.start..at).entity;
        if who.entity.is_empty() {
            who.entity = Side::read(text, said + 1..front.end).entity;
        }
    }
    (!who.is_empty()).then_some(Order { effect, who, than: behind }.told())
}

impl Order {
    /// Without what is said of both, and without the names of who is ahead where there is more of something.
    fn told(mut self) -> Self {
        let both = |mark: &Mark| self.than.marks.iter().any(|other| same(mark, other) && mark.up == other.up);
        self.who.marks.retain(|mark| !both(mark));
        self.effect.of.retain(|noun| !self.who.entity.words.contains(noun));
        self
    }
}

fn counted() -> Mark {
    Mark::going(Dimension::Amount, true)
}

fn last_mark(text: &Text, range: &Range<usize>) -> Option<(usize, Mark)> {
    let all: Vec<_> = all_marks(text, range.clone()).into_iter().filter(|(_, mark)| !mark.plain).collect();
    // "The fewer bubbles rise": what compares tells more than what moves.
    let moves = |at: usize| {
        poles::pole(text.word(at)).is_some_and(|pole| pole.form == Form::Verb)
            && !(at + 1..at + 3).any(|t| lists!("more most less least", text.word(t)))
    };
    all.iter().rev().find(|(at, _)| !moves(*at)).or(all.last()).cloned()
}

/// The last token of the words at which a mark stands: "quickly" of "more quickly".
fn last_of(text: &Text, range: &Range<usize>, at: usize) -> usize {
    let goes_on = |t: &usize| poles::pole(text.word(*t)).is_some_and(|pole| pole.form == Form::Plain);
    if lists!("more less most least", text.word(at)) && goes_on(&(at + 1)) && at + 1 < range.end { at + 1 } else { at }
}

/// The tokens of who is ahead, where the one behind is told from here on.
fn ahead(text: &Text, front: &Range<usize>, mark: Range<usize>, back: usize) -> Range<usize> {
    let (at, said) = (mark.start, mark.end);
    // Without the verb: "in the wind dries"
    let named = |from: usize| {
        let end = (from + 1..at).find(|t| is_verb(text, *t)).unwrap_or(at);
        let verb = end == at && end > from + 2 && !lists!("the a an in on at with of from", text.word(end - 2));
        from..end - usize::from(verb)
    };
    let led = |word: &str| {
        lists!("in on at with from to of under for through by into near without inside when if after during", word)
    };
    let first = text.word(back);
    if led(first) {
        // "Faster in hot water than in cold": what stands behind the same word, or one of its kind.
        let same = |t: &usize| text.word(*t) == first || first == "without" && text.word(*t) == "with";
        let other = |t: &usize| led(text.word(*t));
        let found = front
            .clone()
            .rev()
            .find(same)
            .or_else(|| (said..front.end).find(other))
            .or_else(|| front.clone().rev().find(other));
        if let Some(found) = found {
            return if found < at { named(found) } else { found..front.end };
        }
    }
    if is_attribute(text, front, said) {
        return front.clone();
    }
    let start = (front.start..said).rev().find(|t| text.word(*t) == ",").map_or(front.start, |t| t + 1);
    named(start)
}

/// Whether the mark stands before the noun with which the piece begins: "more ants will come to the sugar".
fn is_attribute(text: &Text, front: &Range<usize>, said: usize) -> bool {
    said <= front.start + 1 && !is_verb(text, said + 1)
}

fn is_verb(text: &Text, at: usize) -> bool {
    lists!(
        "will would is was are were has had have does did do can could should gave gives took takes made makes became got stayed \
        came comes went goes let lets needs needed lost loses held holds",
        text.word(at)
    )
}

/// Where what is compared with ends.
fn close(text: &Text, from: usize, end: usize) -> usize {
    (from..end).find(|at| lists!(", ; . ! ? ( )", text.word(*at))).unwrap_or(end)
}

/// "Boiled two minutes after the other", "showed roots three days before the drawer beans".
fn in_time(text: &Text, piece: &Range<usize>) -> Option<Order> {
    let timed = |at: usize| lists!("second minute hour day week month", text.lemma(at));
    let at = piece.clone().skip(2).find(|at| {
        lists!("before after", text.word(*at))
            && (timed(at - 1) || lists!("long soon right shortly well", text.word(at - 1)))
    })?;
    let effect = Mark::going(Dimension::Tempo, text.word(at) == "before");
    let (who, than) = (Side::read(text, piece.start..at - 1), Side::read(text, at + 1..piece.end));
    (at + 1 < piece.end && !who.is_empty()).then_some(Order { effect, who, than })
}

/// The tokens of the cause and of the effect, where a piece tells one from the other.
fn halves(text: &Text, piece: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let more = |at: usize| {
        lists!("more less fewer greater", text.word(at))
            || poles::pole(text.word(at)).is_some_and(|pole| pole.form == Form::More)
    };
    let comma = |from: usize| (from..piece.end).find(|t| lists!(", then", text.word(*t)));
    let mut paired = piece.clone().filter(|at| text.word(*at) == "the" && more(at + 1));
    if let (Some(first), Some(second)) = (paired.next(), paired.next()) {
        return Some((first..second, second..piece.end));
    }
    let said = |at: usize| (at + 1..at + 6).any(|t| is_of_belief(text, t));
    let condition = |at: &usize| match text.word(*at) {
        "if" | "when" | "whenever" | "once" => true,
        "as" => !said(*at) && !lists!("well long far soon much many", text.word(at + 1)),
        "with" | "without" => {
            *at == piece.start || more(at + 1) || lists!("increasing rising each every", text.word(at + 1))
        }
        _ => false,
    };
    let at = piece.clone().find(condition)?;
    if at <= piece.start + 1 || text.word(at - 1) == "," {
        let modal = || (at + 2..piece.end).find(|t| lists!("will would should", text.word(*t)));
        let end = comma(at + 1).or_else(modal)?;
        return Some((at..end, end + 1..piece.end));
    }
    // "The count fell when the lamp was moved away"
    Some((at..comma(at + 1).unwrap_or(piece.end), piece.start..at))
}
