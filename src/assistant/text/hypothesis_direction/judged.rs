//! What is said to have come true and goes the other way than predicted, and what is said to be refuted and goes just so.

use std::ops::Range;

use super::entities::Entity;
use super::figures::Figures;
use super::marks::Mark;
use super::orders::{Order, Side, orders};
use super::parts::same;
use super::ranked::tells_of_other_events;
use crate::assistant::facts::directions::without_reason;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::Dimension;
use crate::assistant::facts::verdicts::{Verdict, verdict};

/// What a hypothesis foretells.
struct Foretold {
    orders: Vec<Order>,
    /// Whether it says how much, or up to where.
    bounded: bool,
    /// Whether it foretells that nothing changes.
    same: bool,
    /// Whether it is of what is let go.
    lets_go: bool,
}

/// Whether these tokens are of what is let go, and not of what is kept.
fn lets_go(text: &Text, range: Range<usize>) -> bool {
    range.clone().any(|at| {
        let word = text.word(at);
        lists!("left remaining remain remained remains drip dripped drips leak leaked drained drain lost lose loses losing loss missing wasted", word)
            || word == "through" && (at.saturating_sub(4)..at).any(|t| lists!("let lets came come went ran", text.word(t)))
    })
}

impl Foretold {
    fn read(hypothesis: &Text) -> Self {
        let word = |at: usize| hypothesis.word(at);
        let all = 0..hypothesis.tokens.len();
        let mut bounded = false;
        for at in all.clone() {
            bounded |= lists!(
                "near between twice double doubles doubling half least until beyond certain optimum four three times",
                word(at)
            ) || word(at) == "up" && word(at + 1) == "to"
                || word(at) == "above" && word(at + 1) == "that";
        }
        let told = hypothesis.sentences().into_iter().map(|sentence| without_reason(hypothesis, sentence));
        let told: Vec<Range<usize>> = told.collect();
        let orders: Vec<Order> = told.iter().flat_map(|said| orders(hypothesis, said)).collect();
        let same = matches!(&told[..], [said] if orders.is_empty() && is_same(hypothesis, said));
        Self { orders, bounded, same, lets_go: lets_go(hypothesis, all) }
    }

    /// Whether a sentence tells what was foretold, or the other way.
    fn agrees(&self, text: &Text, sentence: &Range<usize>) -> Option<bool> {
        let figures = Figures::read(text, sentence);
        if self.same {
            return figures.are_same();
        }
        let mut told = orders(text, sentence);
        if self.lets_go != lets_go(text, sentence.clone()) {
            told.retain(|order| order.effect.dimension != Dimension::Amount);
        }
        let mut all = Vec::new();
        for known in &self.orders {
            all.extend(told.iter().filter_map(|order| agrees(known, order).or_else(|| figures.at_level(known, order))));
            all.extend(figures.agree(known));
        }
        // "The smallest number in the most acidic dish and the largest in the neutral one": both ends must be read.
        if all.len() < 2 && has_both_ends(text, sentence) {
            return None;
        }
        // What tells both of those that are compared counts for more than what tells one.
        let most = all.iter().map(|told| told.1).max()?;
        let all: Vec<bool> = all.into_iter().filter(|told| told.1 == most).map(|told| told.0).collect();
        let first = all.first().copied()?;
        all.iter().all(|other| *other == first).then_some(first)
    }
}

/// The sentence of a text that cannot stand beside what it says of the prediction.
pub(super) fn denial(hypothesis: &Text, text: &Text) -> Option<Range<usize>> {
    let all = joined(text);
    let told: Vec<Option<Verdict>> = all.iter().map(|sentence| verdict(text, sentence)).collect();
    // Most texts say nothing of the prediction: the hypothesis is read for those that do.
    let mut known = told.iter().flatten();
    let first = known.next().copied()?;
    let foretold = Foretold::read(hypothesis);
    if foretold.orders.is_empty() && !foretold.same || is_made_up(text) {
        return None;
    }
    let parted = (0..text.tokens.len()).any(|at| {
        lists!("half part one", text.word(at)) && lists!("first second other one", text.word(at.wrapping_sub(1)))
    });
    let whole = (!parted && known.all(|other| *other == first)).then_some(first);
    all.iter().zip(&told).find_map(|(sentence, told)| {
        let verdict = told.or(whole)?;
        if verdict == Verdict::Open || told.is_none() && is_supposed(text, sentence) {
            return None;
        }
        let holds = verdict == Verdict::Holds;
        // "If the weight rose, then our claim was correct" has not told yet what it did.
        if text.word(sentence.start) == "if" || tells_of_other_events(hypothesis, text, sentence) {
            return None;
        }
        let agrees = foretold.agrees(text, &judged_part(text, sentence, verdict))?;
        let judged = holds || !foretold.bounded && foretold.orders.len() < 2;
        (judged && agrees != holds).then(|| sentence.clone())
    })
}

/// The part of a sentence that its verdict is about: "they part, so we were wrong, but these do attract" grants what comes last.
fn judged_part(text: &Text, sentence: &Range<usize>, judged: Verdict) -> Range<usize> {
    let granted = |at: &usize| {
        lists!("but although though however yet", text.word(*at))
            && judged == Verdict::Fails
            && verdict(text, &(sentence.start..*at)) == Some(Verdict::Fails)
    };
    sentence.start..sentence.clone().find(granted).unwrap_or(sentence.end)
}

/// Whether a sentence tells who has most and who has least.
fn has_both_ends(text: &Text, sentence: &Range<usize>) -> bool {
    let has = |one: fn(&str) -> bool| sentence.clone().any(|at| one(text.word(at)));
    has(|word| lists!("smallest least fewest lowest shortest slowest coldest lightest weakest", word))
        && has(|word| lists!("largest biggest highest greatest longest fastest warmest heaviest strongest", word))
}

/// The sentences of a text, where what a semicolon divides is one.
fn joined(text: &Text) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for sentence in text.sentences() {
        match all.last_mut().filter(|last| text.word(last.end - 1) == ";") {
            Some(last) => last.end = sentence.end,
            None => all.push(sentence),
        }
    }
    all
}

/// "Makes no difference", "does not change", "the same amount", "hardly differs", "just as much".
fn is_same(text: &Text, said: &Range<usize>) -> bool {
    let word = |at: usize| text.word(at);
    !said.clone().any(|at| word(at) == ";")
        && said.clone().any(|at| {
            let denied = |t: usize| lists!("no not never hardly", word(t)) || word(t).ends_with("n't");
            let near = (at.saturating_sub(3)..at).any(denied);
            near && lists!(
                "difference influence effect differ differs change changes affect affects matter depend depends",
                word(at)
            ) || word(at) == "same"
                && lists!("the about", word(at.wrapping_sub(1)))
                && !lists!("with for from on at of under in", word(at.wrapping_sub(2)))
                || word(at) == "just" && word(at + 1) == "as" && (at + 2..at + 6).any(|t| word(t) == "as")
        })
}

/// Whether a text is of a report that pupils are to find fault with, or of what somebody else says.
fn is_made_up(text: &Text) -> bool {
    (0..text.tokens.len()).any(|at| {
        lists!("invented imaginary fictitious fictional misconception made-up", text.word(at))
            || text.has_at(at, &["made", "-", "up"])
            || lists!("wrong amiss", text.word(at)) && text.word(at + 1) == "with"
            || text.word(at) == "mistake" && lists!("in the", text.word(at + 1))
            || lists!("mark spot find correct fix", text.word(at))
                && text.word(at + 1) == "the"
                && lists!("mistake mistakes error", text.word(at + 2))
    })
}

/// Whether a sentence that says nothing of the prediction tells no more than what may be.
fn is_supposed(text: &Text, sentence: &Range<usize>) -> bool {
    let open =
        |at: usize| lists!("would could might may if whether should predict suppose imagine unless", text.word(at));
    text.word(sentence.end.saturating_sub(1)) == "?" || sentence.clone().any(open)
}

/// Whether two orders say the same, or the other way, and how much of it; nothing where they are of different things.
fn agrees(known: &Order, told: &Order) -> Option<(bool, usize)> {
    let straight = || {
        let (same, much) = sides(known, told)?;
        Some((effects(&known.effect, &told.effect)? == same, much))
    };
    // "The closer, the more" is "the more, the closer".
    let swapped = || {
        let cause = known.who.marks.iter().find_map(|mark| effects(mark, &told.effect))?;
        let effect = told.who.marks.iter().find_map(|mark| effects(&known.effect, mark))?;
        Some((cause == effect, 1))
    };
    straight().or_else(swapped)
}

/// Whether there is more or less, and of what is not told.
fn is_bare(mark: &Mark) -> bool {
    mark.dimension == Dimension::Amount && mark.of.is_empty()
}

/// Whether both marks go the same way, where they are of one thing.
pub(super) fn effects(one: &Mark, other: &Mark) -> Option<bool> {
    let amounts = one.dimension == other.dimension && (is_bare(one) || is_bare(other));
    let alike = same(one, other) || amounts;
    alike.then_some(one.up == other.up)
}

/// Whether the one that is ahead is the one foretold, and how many of both are told.
fn sides(known: &Order, told: &Order) -> Option<(bool, usize)> {
    // "The more sugar", and "the flask without sugar"
    let lacks = |side: &Side| {
        let named = |mark: &&Mark| {
            mark.dimension == Dimension::Amount && mark.of.iter().any(|noun| side.entity.words.contains(noun))
        };
        known.who.marks.iter().find(named).filter(|_| side.without && !is_bare(&told.effect)).map(|mark| !mark.up)
    };
    let marks =
        |side: &Side| known.who.marks.iter().find_map(|mark| side.marks.iter().find_map(|other| effects(mark, other)));
    let ahead = which(known, &told.who).or_else(|| marks(&told.who)).or_else(|| lacks(&told.who));
    let behind = which(known, &told.than).or_else(|| marks(&told.than)).map(|same| !same);
    match (ahead, behind) {
        (Some(one), Some(other)) => (one == other).then_some((one, 2)),
        (one, other) => Some((one.or(other)?, 1)),
    }
}

/// Whether a side is the one that is foretold to be ahead; nothing where it may be both.
pub(super) fn which(known: &Order, side: &Side) -> Option<bool> {
    let (who, than) = (&known.who.entity, &known.than.entity);
    let mine: Entity = who.without(than).told_apart();
    let theirs: Entity = than.without(who).told_apart();
    // "The smaller the current, the fewer nails" is of no one thing.
    if than.is_empty() && known.who.marks.iter().any(|mark| !mark.plain) {
        return None;
    }
    let flipped = side.without != known.who.without;
    if known.than.without || known.than.entity.is_empty() {
        let meets = side.entity.meets(&mine);
        let against = side.entity.is_opposite_of(&mine);
        return (meets != against).then_some(meets != flipped);
    }
    let is_mine = side.entity.meets(&mine) || side.entity.is_opposite_of(&theirs);
    let is_theirs = side.entity.meets(&theirs) || side.entity.is_opposite_of(&mine);
    match (is_mine, is_theirs) {
        (true, true) => {
            let (own, others) = (mine.against(&theirs), theirs.against(&mine));
            let same = side.entity.meets(&own) || side.entity.is_opposite_of(&others);
            let swapped = side.entity.meets(&others) || side.entity.is_opposite_of(&own);
            (same != swapped).then_some(same)
        }
        (false, false) => None,
        (mine, _) => Some(mine != (flipped && side.without)),
    }
}

#[cfg(test)]
mod tests;
