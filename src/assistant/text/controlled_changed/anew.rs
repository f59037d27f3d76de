//! What is to be one and the same, and is another for the next case: "fit a shoot of another plant before each new setting",
//! "from the second height on, use the golf ball", "push one more crate under the high end".

mod named;

use std::ops::Range;

pub(super) use named::Named;

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::numbers;
use crate::assistant::facts::phrases::{self, Actor, lists};
use crate::assistant::facts::quantities::Quantity;

/// Verbs of taking one.
const TAKES: &[&str] = &[
    "take", "use", "fit", "clip", "pick", "choose", "let", "step", "switch", "swap", "put", "pull", "grab", "fetch",
    "make", "change", "try", "bring", "replace", "hang", "set", "attach", "insert", "connect", "give", "roll", "cut",
    "mould", "shape", "plant", "send", "pass", "borrow", "push",
];
/// Verbs of doing something else.
const DOES: &[&str] = &[
    "pour", "add", "warm", "heat", "slip", "water", "sow", "drop", "move", "slide", "raise", "leave", "wind", "carry",
];
/// A new one of what is used up is no other one.
const USED_UP: &str = "water air soil sand salt sugar yeast vinegar milk oil soap juice paper tape foil ice food bread solution acid liquid powder \
    tablet straw sample filter seed leaf cube egg potato match swab pipette tip cloth strip sheet towel bag dish plate cup tube slide battery";
/// A sentence with one of these keeps it after all, or only supposes.
const SPARED: &str = "same identical equal back again if suppose imagine predict extension homework instead unless broken breaks bursts burst lost \
    fails die dies practise practice would could might question spare damaged groups";

/// Where a step takes another.
pub(super) fn changed(named: &Named, step: &Text) -> Option<usize> {
    step.kept(orders).iter().find_map(|sentence| {
        let spared = sentence.clone().any(|at| lists!(SPARED, step.word(at)));
        let case = Case { named, step, sentence };
        let found = !spared && (case.is_another() || case.is_other_named() || case.is_raised()) || case.differs();
        found.then_some(sentence.start)
    })
}

/// The sentences that tell somebody to do something, and deny nothing.
fn orders(step: &Text) -> Vec<Range<usize>> {
    let orders = |sentence: &Range<usize>| {
        let is = |at: usize| {
            (phrases::verb(step.word(at), TAKES).is_some() || phrases::verb(step.word(at), DOES).is_some())
                && (matches!(phrases::actor(step, at), Some(Actor::Reader | Actor::Pupils))
                    || is_order(step, sentence, at))
                && !phrases::is_supposed(step, at)
        };
        let denies = |at: usize| matches!(step.word(at), "not" | "never" | "no") || step.word(at).ends_with("n't");
        // "If the bulb is dead, use another"
        let failed = |at: usize| lists!("flat dead broken breaks fails bursts", step.word(at));
        let replaced = step.word(sentence.start) == "if" && sentence.clone().any(failed);
        !replaced
            && !phrases::is_question(step, sentence.start)
            && !sentence.clone().any(denies)
            && sentence.clone().any(is)
    };
    step.sentences().into_iter().filter(orders).collect()
}

/// An order after what stands at the head of its sentence: "at each new voltage, clip in a thinner wire".
fn is_order(step: &Text, sentence: &Range<usize>, at: usize) -> bool {
    let start = sentence.start;
    let before = if at > start { step.word(at - 1) } else { "" };
    let led = lists!("after before for at with from between on", step.word(start))
        && (2..=5).contains(&(at - start))
        && !lists!("the a an each every new next this that to of you we", before)
        && !(start..at).any(|t| step.word(t) == ",");
    led || at == start || matches!(before, "," | "and" | ":" | "–" | "—")
}

struct Case<'a> {
    named: &'a Named,
    step: &'a Text<'a>,
    sentence: &'a Range<usize>,
}

impl Case<'_> {
    fn word(&self, at: usize) -> &str {
        if at < self.sentence.end { self.step.word(at) } else { "" }
    }

    fn has(&self, words: List) -> bool {
        self.sentence.clone().any(|at| words.has(self.word(at)))
    }

    /// The word that tells a case where what is changed on purpose names no levels: "the sand", "the cheap one", "for red".
    fn case_at(&self, piece: &Range<usize>) -> Option<String> {
        if self.named.levels {
            return None;
        }
        piece.clone().find_map(|at| {
            let next = self.word(at + 1);
            let stem = stem(self.step.lemma(at + 1));
            let told = self.word(at) == "the" || self.word(at) == "for" && next != "the";
            let number = self.step.numerals().iter().any(|one| one.tokens.start == at + 1);
            let name = told
                && !number
                && piece.contains(&(at + 1))
                && next.starts_with(char::is_alphabetic)
                && next.len() > 2
                && !phrases::is_empty(next)
                && !self.named.heads.contains(&stem)
                && !lists("water lamp ruler lid end top bottom scale line other same rest whole middle surface edge left right start first last next", next);
            name.then_some(stem)
        })
    }

    /// Whether the sentence goes from case to case.
    fn by_case(&self) -> bool {
        self.sentence.clone().any(|at| {
            let (word, next) = (self.word(at), self.word(at + 1));
            match word {
                "each" | "every" => !lists("of group team pair table one member", next),
                "next" => self.word(at.wrapping_sub(1)) == "the" && !lists("step lesson day to", next),
                "other" if self.is_other_part(at) => false,
                "second" | "third" | "other" => {
                    lists!("the a from", self.word(at.wrapping_sub(1))) && !lists("hand", next)
                }
                "when" | "once" | "as" => {
                    lists!("you we", next)
                        && lists!("go move change switch come get turn", self.word(at + 2))
                        && (at + 3..at + 6).any(|t| matches!(self.word(t), "to" | "next"))
                }
                "along" => next == "with",
                "with" | "for" => {
                    next == "the"
                        && lists!(
                            "next second third last short long small large big other thick thin heavy light",
                            self.word(at + 2)
                        )
                }
                _ => false,
            }
        })
    }

    /// Whether "the other" is of one thing and no case: "hang it from one end and hook the meter to the other".
    fn is_other_part(&self, at: usize) -> bool {
        const PARTS: &str =
            "end side half hand arm pan edge tip face pole way direction part person partner pupil member two";
        let one = |t: usize| matches!(self.word(t), "one" | "the" | "this" | "its") && lists!(PARTS, self.word(t + 1));
        lists!(PARTS, self.step.lemma(at + 1)) || (self.sentence.start..at).any(one)
    }

    /// "Take another car from the box", "a shoot of another plant", "clip in a thinner wire", "change the bob along with it"
    fn is_another(&self) -> bool {
        if !self.named.one || !self.by_case() {
            return false;
        }
        self.sentence.clone().any(|at| {
            let word = self.word(at);
            let compared = word.len() > 4 && word.ends_with("er") && lists!("a an the next", self.word(at.wrapping_sub(1))) && lists!(
                "thinner thicker bigger larger smaller longer shorter heavier lighter wider narrower stronger weaker harder softer older younger",
                word
            );
            let new = !self.named.kind && matches!(word, "new" | "fresh");
            if matches!(word, "another" | "different") || new || compared {
                let head = (at + 1..at + 4).take_while(|t| !lists(", ; and or for to in on with from", self.word(*t))).find(|t| self.named.is_head(self.step, *t));
                // "A shoot of another plant"
                let of = (at.saturating_sub(4).max(self.sentence.start)..at)
                    .find(|t| self.named.is_head(self.step, *t))
                    .filter(|_| self.word(at.wrapping_sub(1)) == "of" && !new);
                let used = head.is_some_and(|head| (head..head + 3).any(|t| lists!(USED_UP, self.step.lemma(t))));
                let alike = || {
                    (at + 1..at + 3)
                        .take_while(|t| !lists(", ; and or for to in on with from", self.word(*t)))
                        .any(|t| self.named.is_alike(self.step, t))
                };
                return head.is_some() && (compared || !used) || of.is_some() || !new && alike();
            }
            // "Change the bob along with the string"
            let swaps = phrases::verb(word, &["change", "swap", "switch", "replace", "exchange"]).is_some()
                && !super::is_switched(self.step, at);
            swaps
                && lists!("the your", self.word(at + 1))
                && (at + 2..at + 4).any(|t| self.named.is_head(self.step, t) && !lists("'s of", self.word(t + 1)))
                && !self.word(at + 2).ends_with("'s")
        })
    }

    /// "From the second height on, use the golf ball", where it is always the tennis ball.
    fn is_other_named(&self) -> bool {
        let Some((modifier, head)) = &self.named.modifier else { return false };
        if !self.named.one
            || !self.by_case()
            || !self.sentence.clone().any(|at| phrases::verb(self.word(at), TAKES).is_some())
        {
            return false;
        }
        self.sentence.clone().skip(1).any(|at| {
            let other = self.step.lemma(at.wrapping_sub(1));
            self.step.lemma(at) == head
                && lists!("the a an", self.word(at.wrapping_sub(2)))
                && other != modifier
                && !self.named.heads.contains(&stem(other))
                && !self.named.more.contains(&stem(other))
                && !self.named.changed.contains(&stem(other))
                && !phrases::is_empty(other)
                && numbers::small_number(other).is_none()
                && !lists("next second first third last new used whole old clean dry wet right left", other)
        })
    }

    /// "After every run slip a third book under the ramp", "push one more crate under the high end", "from farther up"
    fn is_raised(&self) -> bool {
        let next = self.has(list!("next each every"));
        let climbs = self.sentence.clone().any(|at| {
            self.word(at) == "as"
                && self.word(at + 1) == "the"
                && (at + 2..at + 6).any(|t| self.word(t).ends_with("er") && self.word(t).len() > 5)
        });
        if !next && !climbs {
            return false;
        }
        if self.named.tilt {
            let under = self.sentence.clone().any(|at| {
                let more = matches!(self.word(at), "third" | "fourth" | "another" | "extra")
                    || self.word(at) == "more" && lists!("one two a", self.word(at.wrapping_sub(1)));
                more && (at + 1..at + 5)
                    .any(|t| lists!("book block brick crate box plank tile chock wedge", self.step.lemma(t)))
            });
            if under && self.has(list!("under beneath underneath below end ramp track board plank pile")) {
                return true;
            }
        }
        // "Warm the beaker a bit more each time"
        let warms = |at: usize| {
            phrases::verb(self.word(at), &["warm", "heat", "cool", "chill"]).is_some()
                && lists!("the your it", self.word(at + 1))
                && (at + 2..at + 7).any(|t| lists!("more further hotter warmer", self.word(t)))
        };
        if next && self.named.warm && self.sentence.clone().any(warms) {
            return true;
        }
        // "As the ramp gets steeper, let the car go from farther up"
        self.named.begin
            && self.sentence.clone().any(|at| {
                self.word(at) == "from"
                    && lists!("farther further higher lower closer nearer", self.word(at + 1))
                    && (self.sentence.start..at).any(|t| {
                        phrases::verb(self.word(t), &["let", "release", "start", "drop", "launch", "send", "roll"])
                            .is_some()
                    })
            })
    }

    /// "Water the sand with 100 mL, but give the clay double that", "for red put the lamp at 10 cm, for blue at 20 cm"
    fn differs(&self) -> bool {
        if self.has(list!("if until or total altogether record measure read label mark back same")) {
            return false;
        }
        let mut cases: Vec<(String, f64)> = Vec::new();
        let mut unit = None;
        for piece in self.pieces() {
            let case = piece.clone().find_map(|at| {
                let stem = stem(self.step.lemma(at));
                (stem.len() > 2
                    && self.named.changed.contains(&stem)
                    && !self.named.heads.contains(&stem)
                    && !self.is_shared(&stem))
                .then_some(stem)
            });
            let Some(case) = case.or_else(|| self.case_at(&piece)) else { continue };
            let value = self.value(&piece, &mut unit, cases.last().map(|(_, value)| *value));
            cases.extend(value.map(|value| (case, value)));
        }
        let [(one, first), rest @ ..] = cases.as_slice() else { return false };
        if !self.named.levels && !self.contrasts(*first) {
            return false;
        }
        rest.iter().any(|(case, value)| case != one && (value - first).abs() > 0.01 * first.abs())
    }

    /// Whether a sentence sets cases against each other whose names are told nowhere else, and the first gets what is kept.
    fn contrasts(&self, first: f64) -> bool {
        let kept = self.named.measure.as_ref().is_none_or(|kept| (kept.low - first).abs() <= 0.01 * first.abs());
        let given = self.sentence.clone().filter(|at| self.word(*at) == "for").count() > 1;
        kept && (given || self.has(list!("but while whereas one")))
    }

    /// Whether every case is called by a word: "light" of "colour of the light".
    fn is_shared(&self, stem: &str) -> bool {
        let pieces = self.pieces();
        let has = |piece: &Range<usize>| {
            piece.clone().any(|at| crate::assistant::facts::nouns::stem(self.step.lemma(at)) == stem)
        };
        pieces.len() > 1 && pieces.iter().filter(|piece| has(piece)).count() > 1
    }

    /// What a piece gives its case of what is kept.
    fn value(&self, piece: &Range<usize>, unit: &mut Option<bool>, before: Option<f64>) -> Option<f64> {
        let kept = self.named.measure.as_ref();
        let mut all = self.step.quantities().iter().filter(|quantity| piece.contains(&quantity.tokens.start));
        if let Some(quantity) = all.next() {
            let fits =
                kept.map_or_else(|| self.is_a_distance(quantity), |kept| kept.dimension() == quantity.dimension());
            let varied = self.named.numeric;
            let about = kept.is_none() || self.is_about(piece);
            *unit = Some(true);
            return (fits && !varied && about && quantity.low == quantity.high).then_some(quantity.low);
        }
        let doubled = piece.clone().find_map(|at| match self.word(at) {
            "double" | "twice" => Some(2.0),
            "treble" | "triple" => Some(3.0),
            "half" => Some(0.5),
            _ => None,
        });
        if let (Some(times), Some(before)) = (doubled, before) {
            let that = piece.clone().any(|at| lists!("that much as amount", self.word(at)));
            return that.then_some(before * times);
        }
        if !self.named.counted {
            return None;
        }
        let mut numerals = self.step.numerals().iter().filter(|numeral| piece.contains(&numeral.tokens.start));
        let numeral: &numbers::Numeral = numerals.next()?;
        let end = numeral.tokens.end;
        let counts = self.named.is_head(self.step, end) || self.named.is_head(self.step, end + 1);
        let bare = unit.is_some() && lists!("in to for on into", self.word(end));
        if counts || bare {
            *unit = Some(true);
            return numeral.single();
        }
        None
    }

    fn is_a_distance(&self, quantity: &Quantity) -> bool {
        use crate::assistant::facts::units::Dimension;
        quantity.dimension() == Dimension::Length
            && self.named.heads.iter().any(|head| lists!("distanc distance gap", head))
            || quantity.dimension() == Dimension::Time
                && self.named.heads.iter().any(|head| lists!("tim time duration", head))
    }

    /// Whether what the number is of is what is kept, where it is named.
    fn is_about(&self, piece: &Range<usize>) -> bool {
        let quantity = self.step.quantities().iter().find(|quantity| piece.contains(&quantity.tokens.start));
        let Some(end) = quantity.map(|quantity| quantity.tokens.end) else { return true };
        if self.word(end) != "of" {
            return true;
        }
        (end + 1..end + 4)
            .any(|at| self.named.is_head(self.step, at) || self.named.more.contains(&stem(self.step.lemma(at))))
    }

    fn pieces(&self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut start = self.sentence.start;
        for at in self.sentence.clone() {
            if lists!(", ; and but while whereas . : – —", self.word(at)) {
                found.push(start..at);
                start = at + 1;
            }
        }
        found.push(start..self.sentence.end);
        found.retain(|piece| piece.len() > 1);
        found
    }
}

#[cfg(test)]
mod tests;
