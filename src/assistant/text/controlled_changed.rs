//! What is kept the same, and is changed by a step all the same: "same ball", and a different ball each time.

mod acted;
mod anew;
mod by_case;
mod cases;
mod contrast;
mod counted;
mod fixed;
mod kept;
mod levels;
mod named;
mod parallel;
mod qualities;
mod settled;
mod shares;
mod unequal;

use std::ops::Range;

use super::{Match, conflict};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};
use cases::Change;
use named::{Named, is_comparative};

/// Words that say that something is done anew.
const REPEATS: &str = "each every time trial run then next again afterwards another turn";
const CHANGES: &[&str] = &[
    "change", "vary", "alter", "raise", "lower", "increase", "decrease", "reduce", "double", "halve", "swap", "switch",
    "replace", "rotate", "adjust", "turn",
];

/// What a comparative says of: the word, and the properties that it changes.
static COMPARATIVES: [(List, List); 12] = [
    (list!("warmer hotter colder cooler"), list!("temperature water")),
    (list!("higher lower up"), list!("height")),
    (list!("steeper flatter shallower"), list!("slope angle steepness incline tilt flat")),
    (list!("bigger larger smaller"), list!("size amount")),
    (list!("longer shorter"), list!("length time")),
    (list!("heavier lighter"), list!("mass weight load")),
    (list!("closer nearer farther further"), list!("distance")),
    (list!("thicker thinner"), list!("thickness diameter")),
    (list!("brighter dimmer"), list!("brightness light")),
    (list!("stronger weaker"), list!("concentration strength")),
    (list!("deeper shallower"), list!("depth")),
    (list!("faster slower harder softer"), list!("speed force push")),
];

/// "Switch the lamp on and read it every minute" changes nothing.
fn is_switched(step: &Text, at: usize) -> bool {
    step.word(at).starts_with("switch")
        && (at + 1..at + 5).any(|t| lists!("on off", step.word(t)) && !lists!("each every the a", step.word(t + 1)))
}

/// What steps change of what is kept the same.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found = Vec::new();
    // Whether a step changes what is kept the same, only the variables have a say in.
    let variables: Vec<&Text> = lesson.texts_of(|role| matches!(role, Role::Independent | Role::Dependent)).collect();
    for controlled in lesson.controlled().filter(|text| !is_added_singly(text)) {
        let changed = |step: &Text| {
            let texts = variables.iter().copied().chain([controlled, step]).map(Text::alone).collect();
            let at = Lesson::kept(texts, 0, |lesson| cases::changed(lesson).into_iter().collect()).first().copied();
            at.filter(|change| !hands::is_extra(step, change.at))
        };
        let all = lesson.steps().filter_map(|(index, step)| Some((index, step, changed(step)?)));
        // Of several, one that is told plainly.
        let Some((index, step, Change { at, sure })) = all.min_by_key(|(_, _, change)| !change.sure) else { continue };
        if is_at_its_place(controlled, step, at)
            || is_set_up(controlled, step, at)
            || is_a_share(controlled, step, at)
            || is_all_anew(step, at)
        {
            continue;
        }
        let reason = format!(
            "\"{}\" is to stay the same, but step {} changes it: \"{}\".",
            controlled.text,
            index + 1,
            step.words(&step.sentence(at))
        );
        let new = conflict("controlled_changed", controlled.quote_all(), step.quote_sentence(at), reason);
        let way_out = format!("Keep it the same in step {}, or take it out of the controlled variables.", index + 1);
        found.push(new.suggesting(way_out).sure_if(sure));
    }
    found
}

/// "One coin at a time" is how a load is added.
fn is_added_singly(controlled: &Text) -> bool {
    controlled.find(&["at", "a", "time"]).is_some()
}

/// "Put another egg in the next cup" gives it what each has.
fn is_a_share(controlled: &Text, step: &Text, at: usize) -> bool {
    let next = |t: usize| {
        lists!("in into on onto to", step.word(t))
            && step.word(t + 1) == "the"
            && lists!("next following", step.word(t + 2))
    };
    let another = step.sentence(at).any(|t| step.word(t) == "another" && (t + 1..t + 5).any(next));
    let same = controlled.tokens.iter().any(|token| lists!("same identical", &token.word));
    another && !same
}

/// "Make a second round with another predator", "do the pair of trials again with a different person": all of it is done once more, and
/// within each time nothing changes. Who throws "for the second run" does so within it.
fn is_all_anew(step: &Text, at: usize) -> bool {
    let sentence = step.sentence(at);
    let more = |t: usize| {
        lists!("a another one", step.word(t))
            && (t + 1..t + 3).any(|t| lists!("round run series set pass comparison", step.word(t)))
            && (step.word(t) == "another" || lists!("second third further new whole complete full", step.word(t + 1)))
            && !lists!("for in on after before during of to from", step.word(t.wrapping_sub(1)))
    };
    let whole = |t: usize| {
        lists!("all both everything whole pair comparison series set experiment investigation", step.word(t))
            && !(t.saturating_sub(2)..t).any(|t| lists!("for in on after before during from with", step.word(t)))
    };
    let again = sentence.clone().any(|t| step.word(t) == "again" || phrases::is_form_of(step.word(t), "repeat"));
    let Some(other) = sentence.clone().find(|t| {
        step.word(*t) == "with"
            && (step.word(t + 1) == "another"
                || lists!("a the", step.word(t + 1)) && lists!("different second third", step.word(t + 2)))
    }) else {
        return false;
    };
    (sentence.start..other).any(more) || again && (sentence.start..other).any(whole)
}

/// "Position in the sun", and "put it in the sun".
fn is_at_its_place(controlled: &Text, step: &Text, at: usize) -> bool {
    let Some(start) = controlled.tokens.len().checked_sub(3) else { return false };
    let place = [start, start + 1, start + 2].map(|at| controlled.word(at));
    lists!("in on under at near by beside", place[0])
        && matches!(place[1], "the" | "a")
        && step.sentence(at).any(|t| step.has_at(t, &place))
}

/// "Hang four washers on the left, 10 cm from the middle", where that is what is kept: the very number and measure.
fn is_set_up(controlled: &Text, step: &Text, at: usize) -> bool {
    let sentence = step.sentence(at);
    let told = || step.numerals().iter().filter(|numeral| sentence.contains(&numeral.tokens.start));
    let kept = controlled.numerals();
    let anew = |t: usize| lists!(REPEATS, step.word(t)) || lists!("different other more twice double", step.word(t));
    kept.len() > 1
        && tells_what_is_kept(controlled, step, &sentence)
        && kept.iter().all(|kept| told().any(|told| told.low == kept.low))
        && told().all(|told| kept.iter().any(|kept| kept.low == told.low))
        && !sentence.clone().any(anew)
}

/// Where a step changes it.
fn changed_at(named: &Named, step: &Text) -> Option<usize> {
    step.sentences().into_iter().find_map(|sentence| {
        let fails =
            |at: usize| lists!("breaks break bursts burst fails fail tears lost wilts dies flat dead", step.word(at));
        let replaced = sentence.clone().any(|t| step.word(t) == "if") && sentence.clone().any(fails);
        if replaced || phrases::is_question(step, sentence.start) {
            return None;
        }
        // "Raise one end of every tray" sets all of them up.
        let each = sentence.clone().any(|t| lists!("each every", step.word(t)) && step.word(t.wrapping_sub(1)) != "of");
        let said = |at| Said {
            named,
            step,
            sentence: &sentence,
            clause: phrases::clause_start(step, at)..phrases::clause_end(step, at),
            each,
        };
        sentence.clone().find(|at| may_change(step, *at) && said(*at).changes(*at))
    })
}

/// The pieces of a sentence between the tokens that part it, those with so many tokens at least.
fn parted(sentence: &Range<usize>, least: usize, parts: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    for at in sentence.clone().filter(|at| parts(*at)) {
        found.push(start..at);
        start = at + 1;
    }
    found.push(start..sentence.end);
    found.retain(|piece| piece.len() >= least);
    found
}

/// Whether a sentence tells the very amount that is kept.
fn tells_what_is_kept(controlled: &Text, step: &Text, sentence: &Range<usize>) -> bool {
    step.quantities().iter().filter(|told| sentence.contains(&told.tokens.start)).any(|told| {
        controlled.quantities().iter().any(|kept| told.dimension() == kept.dimension() && told.agrees_with(kept))
    })
}

/// "In the same way": what is done alike, and not what is kept.
fn is_same_way(text: &Text, at: usize) -> bool {
    text.word(at) == "same" && lists!("way manner procedure method", text.word(at + 1))
}

/// Whether a text names one of these words.
fn names(text: &Text, words: List) -> bool {
    text.tokens.iter().any(|token| words.has(&token.word) || words.has(&token.lemma))
}

/// Whether a token may tell of a change: most are signs, numbers and small words, which tell of none.
fn may_change(step: &Text, at: usize) -> bool {
    let word = step.tokens.get(at).filter(|token| token.is_word()).map(|token| token.word.as_str());
    // "Washing-up liquid" goes nowhere up.
    if step.word(at.wrapping_sub(1)) == "-" {
        return false;
    }
    word.is_some_and(|word| {
        !lists!("the a an of in on at to for with and or is are it its by from into your you each every this that them they", word)
    })
}

/// What one sentence of a step says of what is kept the same.
struct Said<'a> {
    named: &'a Named,
    step: &'a Text<'a>,
    sentence: &'a Range<usize>,
    clause: Range<usize>,
    each: bool,
}

impl Said<'_> {
    fn changes(&self, at: usize) -> bool {
        if phrases::is_denied(self.step, at) || phrases::is_supposed(self.step, at) {
            return false;
        }
        // Another observer in each group changes nothing within it.
        if self.named.by_person
            && self.each
            && self.sentence_has(list!("group groups team teams pair pairs table tables"))
        {
            return false;
        }
        if self.is_another(at) {
            return true;
        }
        if self.named.by_person && (self.each || self.sentence_has(list!("turns trial trials throw drop run after"))) {
            return self.is_another_person(at);
        }
        self.is_swapped(at)
            || self.is_added_to(at)
            || self.is_moved(at)
            || self.is_raised(at)
            || self.is_propped(at)
            || self.is_favoured(at)
    }

    fn word(&self, at: usize) -> &str {
        self.step.word(at)
    }

    fn sentence_has(&self, words: List) -> bool {
        self.sentence.clone().any(|t| words.has(self.word(t)))
    }

    /// "For this distance", "for the next one", "with each load".
    fn begins_case(&self, at: usize) -> bool {
        lists!("for with before after at", self.word(at))
            && (lists!("this that each every", self.word(at + 1))
                || self.word(at + 1) == "the"
                    && lists!("next second third fourth last other following", self.word(at + 2)))
            && !lists("purpose reason time way step part activity is was", self.word(at + 2))
    }

    fn is_last(&self, at: usize) -> bool {
        self.named.things.last().is_some_and(|last| last == self.step.lemma(at))
    }

    /// "A different ball each time", "a bulb of another brand with each battery".
    fn is_another(&self, at: usize) -> bool {
        let word = self.word(at);
        let property = self.named.property.as_deref();
        let plain = lists!("different another", word);
        let compared = || COMPARATIVES.iter().any(|(words, _)| words.has(word)) && self.is_last(at + 1);
        let new = || lists!("new fresh other", word) && self.named.single;
        let fresh = !plain && property.is_none() && self.named.same && (new() || compared());
        if !(plain || fresh) {
            return false;
        }
        // "Cut a fresh sprig for this distance", "take another ball for the next height"
        let cased = self.each || (at + 1..self.clause.end).any(|t| self.begins_case(t));
        if !cased || lists!("the no same of", self.word(at.wrapping_sub(1))) && word != "another" {
            return false;
        }
        let own = |t: usize| self.is_last(t) || property.is_some_and(|property| property == self.step.lemma(t));
        let near = (at + 1..(at + 4).min(self.clause.end))
            .take_while(|t| !lists("of and or from to in each every this that", self.word(*t)));
        let Some(head) = near.into_iter().find(|t| own(*t)) else { return false };
        !lists("and or", self.word(head + 1))
            && (property.is_none()
                || property == Some(self.step.lemma(head)) && self.named.is_in(self.step, self.sentence.clone()))
    }

    /// "Take turns dropping", "swap throwers".
    fn is_another_person(&self, at: usize) -> bool {
        let (word, named) = (self.word(at), self.named);
        let turns = word == "turns" && phrases::is_form_of(self.word(at.wrapping_sub(1)), "take")
            || lists!("different new", word)
                && lists!("person student pupil member child partner learner", self.word(at + 1))
            || word == "someone" && self.word(at + 1) == "else";
        let rest = || at + 1..self.clause.end;
        let own_deed = rest()
            .any(|t| named.things.iter().any(|thing| thing.len() > 3 && phrases::is_form_of(self.word(t), thing)));
        let swap = phrases::verb(word, &["swap", "switch", "rotate", "change"]).is_some()
            && !is_switched(self.step, at)
            && rest().any(|t| {
                named.things.iter().any(|thing| thing == self.step.lemma(t))
                    || lists!("jobs roles throwers droppers timers", self.word(t))
            });
        let deed = rest().any(|t| {
            lists!(
                "dropping throwing timing rolling releasing pushing kicking launching reading bouncing shooting",
                self.word(t),
            )
        });
        turns && (deed || own_deed) || swap && self.each
    }

    /// "Swap the ball after each throw", "change to another spring for the next load". What is used up is only renewed.
    fn is_swapped(&self, at: usize) -> bool {
        !self.named.things.iter().any(|thing| named::is_used_up(thing))
            && phrases::verb(self.word(at), &["swap", "switch", "change", "replace", "exchange"]).is_some()
            && !is_switched(self.step, at)
            && self.named.property.as_deref().is_none_or(|property| lists!("type kind brand material", property))
            && phrases::actor(self.step, at).is_some()
            && self.named.things.len() <= 2
            && (self.sentence_has(list!("each every next")) || (at + 1..self.clause.end).any(|t| self.begins_case(t)))
            && (at + 1..(at + 4).min(self.clause.end))
                .find(|t| !phrases::is_empty(self.word(*t)) && !lists("to for", self.word(*t)))
                .is_some_and(|t| self.is_last(t) && !lists("' s", self.word(t + 1)))
    }

    /// "Add one more washer to the car before each …", "another paper clip each time", "a little more water every day".
    fn is_added_to(&self, at: usize) -> bool {
        let Some(property) = self.named.property.as_deref() else { return false };
        let adds = phrases::verb(
            self.word(at),
            &["add", "attach", "hang", "put", "remove", "clip", "tape", "stick", "place", "use", "give", "pour"],
        );
        let kept =
            || self.sentence_has(list!("back line mark level same equal refill again evaporate evaporated until"));
        if adds.is_none() || !self.each || kept() || phrases::actor(self.step, at).is_none() {
            return false;
        }
        let raised = lists!("height slope angle steepness tilt", property)
            && (adds == Some("add") || lists!("another more", self.word(at + 1)))
            && (at + 1..(at + 4).min(self.clause.end))
                .any(|t| lists!("book block brick books blocks bricks", self.word(t)))
            && (at + 1..self.clause.end).any(|t| {
                lists!("under beneath underneath", self.word(t)) && (t..self.clause.end).any(|t| self.is_last(t))
            });
        if raised {
            return true;
        }
        let more = (at + 1..(at + 5).min(self.clause.end))
            .find(|t| lists!("another more extra additional fewer less", self.word(*t)));
        let Some(more) = more else { return false };
        let counted = lists!("number amount volume", property)
            && (more + 1..(more + 4).min(self.clause.end)).any(|t| self.is_last(t));
        let laden = lists!("mass weight", property)
            && (more + 1..self.clause.end).any(|t| lists!("to on onto in inside into", self.word(t)))
            && (more + 1..self.clause.end).any(|t| self.is_last(t));
        counted || laden
    }

    /// "Move the release point back after every trial".
    fn is_moved(&self, at: usize) -> bool {
        let point = |word: &str| lists!("point position place mark spot location line", word);
        let last = self.named.things.last().map_or("", String::as_str);
        phrases::verb(self.word(at), &["move", "shift", "slide", "change"]).is_some()
            && self.each
            && phrases::actor(self.step, at).is_some()
            && (point(last) || self.named.property.as_deref() == Some("position"))
            && (at + 1..(at + 5).min(self.clause.end))
                .take_while(|t| !lists("to from onto", self.word(*t)))
                .any(|t| point(self.word(t)) || self.is_last(t))
            && !self.sentence_has(list!("same back to")) | self.sentence_has(list!("cm m mm inch inches metre"))
    }

    /// "Raise the ramp for each trial", "use warmer water each time".
    fn is_raised(&self, at: usize) -> bool {
        let (word, clause) = (self.word(at), &self.clause);
        let Some(property) = self.named.property.as_deref() else { return false };
        let about = || clause.clone().any(|t| self.is_last(t));
        let next = || self.sentence_has(list!("next second third last"));
        let by_case = || {
            (self.sentence.start..self.sentence.end)
                .any(|t| self.step.has_at(t, &["for", "the"]) && is_comparative(self.word(t + 2)))
        };
        let verb = phrases::verb(word, CHANGES).filter(|_| !is_switched(self.step, at));
        if verb.is_some() && self.each && about() && phrases::actor(self.step, at).is_some() {
            let directly = (at + 1..clause.end).any(|t| self.step.lemma(t) == property);
            let implied = matches!((verb, property), (Some("raise" | "lower"), "height" | "slope" | "angle"));
            return directly || implied && (at + 1..(at + 4).min(clause.end)).any(|t| self.is_last(t));
        }
        // "Heat the water some more before each new solute"
        let heats = phrases::verb(word, &["heat", "warm", "cool", "chill", "reheat"]).is_some();
        if heats && property == "temperature" {
            return about()
                && (self.each || next())
                && (at + 1..clause.end).any(|t| lists!("more further", self.word(t)));
        }
        let more = matches!(self.word(at.wrapping_sub(1)), "more" | "less");
        let compared = COMPARATIVES.iter().any(|(words, of)| of.has(property) && words.has(word) && word != "up")
            || more && lists!("concentrated dilute salty sour acidic", word) && property == "concentration";
        let observed =
            || lists!("gets get becomes become was were feels goes grows be how", self.word(at.wrapping_sub(1)));
        if compared && !observed() {
            let state = lists!("is are", self.word(at.wrapping_sub(1)));
            let than = clause.clone().any(|t| self.word(t) == "than");
            let tipped = || {
                self.sentence
                    .clone()
                    .any(|t| phrases::verb(self.word(t), &["tip", "prop", "tilt", "raise", "make", "set"]).is_some())
            };
            let in_sentence = || self.sentence.clone().any(|t| self.is_last(t));
            let cased = self.each || by_case() || next() && lists!("temperature concentration mass speed", property);
            if cased && !state && (about() || self.named.is_used(self.step, self.sentence.clone()))
                || than && lists!("slope height angle", property) && in_sentence() && tipped()
            {
                return true;
            }
        }
        phrases::verb(word, &["prop", "tilt", "tip"]).is_some()
            && lists!("slope angle tilt", property)
            && about()
            && (at + 1..clause.end).any(|t| lists!("degrees steeper more", self.word(t)))
            && self.sentence_has(list!(REPEATS))
    }
}

#[cfg(test)]
mod tests;
