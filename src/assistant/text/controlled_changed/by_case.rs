//! What a step changes from case to case: "5 cm closer for each new filter", "another clip for every longer wing".

use std::ops::Range;

use super::is_same_way;
use super::kept::Kept;
use super::named::is_comparative;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::poles::{self, Form};

/// Words that tell that something is done for one case after the other.
const CASED: &str = "each every whenever next previous second third last new following those between";

/// Words of a sentence that keeps something the same, or tries something else.
const SPARED: &str = "same back equal equally identical constant practise practice homework instead extension if suppose \
    question prediction predict again evaporates weigh";

/// Where a step changes it.
pub(super) fn changed(kept: &Kept, step: &Text) -> Option<usize> {
    step.sentences().into_iter().find_map(|sentence| {
        let has = |words: List| sentence.clone().any(|at| words.has(step.word(at)));
        // "One end of every tray" is that of all.
        let cased = |at: usize| lists!(CASED, step.word(at)) && step.word(at.wrapping_sub(1)) != "of";
        let by_case = sentence.clone().any(cased)
            || sentence.clone().any(|at| step.has_at(at, &["as", "the"]) && has(list!("gets becomes")));
        let by_case = by_case || sentence.clone().any(|at| is_set_apart(step, at));
        let beside = sentence.clone().filter(|at| step.has_at(*at, &["for", "the"])).count();
        let swapped = kept.property.is_empty() && beside > 0;
        let by_case = by_case || swapped || beside > 1;
        if !kept.untouched && !by_case
            || sentence.clone().any(|at| lists!(SPARED, step.word(at)) && !is_same_way(step, at))
            || phrases::is_question(step, sentence.start)
            || has(list!("until")) && !has(list!("than")) && !sentence.clone().any(|at| is_compared_by_case(step, at))
        {
            return None;
        }
        let said = Sentence { kept, step, sentence: &sentence };
        sentence.clone().find(|at| !phrases::is_denied(step, *at) && said.changes(*at, by_case))
    })
}

/// Whether one case is set against the others here: "for the saltiest water", "harder on the carpet than on the wood".
fn is_set_apart(step: &Text, at: usize) -> bool {
    match step.word(at) {
        "for" | "with" | "at" | "in" | "on" => {
            let compared =
                |at: usize| poles::pole(step.word(at)).is_some_and(|pole| matches!(pole.form, Form::More | Form::Most));
            // "So that the ramp is steeper for the felt"
            let steeper = step.word(at) == "for" && compared(at.wrapping_sub(1));
            step.word(at + 1) == "the" && (steeper || compared(at + 2))
        }
        "than" => lists!("on for with in at from over", step.word(at + 1)),
        _ => false,
    }
}

/// "Until it is 5 °C warmer at each new distance" goes on from case to case.
fn is_compared_by_case(step: &Text, at: usize) -> bool {
    let compared = poles::pole(step.word(at)).is_some_and(|pole| pole.form == Form::More);
    let next = if lists!("at for with in", step.word(at + 1)) { at + 2 } else { at + 1 };
    let times = step.word(next + 1) == "time" || next > at + 1 && lists!("new next", step.word(next + 1));
    compared && lists!("each every", step.word(next)) && times
}

struct Sentence<'a> {
    kept: &'a Kept,
    step: &'a Text<'a>,
    sentence: &'a Range<usize>,
}

impl Sentence<'_> {
    fn word(&self, at: usize) -> &str {
        self.step.word(at)
    }

    fn changes(&self, at: usize, by_case: bool) -> bool {
        if self.kept.untouched && self.is_put_on(at) {
            return true;
        }
        by_case
            && (self.is_compared(at)
                || self.is_more(at)
                || self.is_changed(at)
                || self.is_turned(at)
                || self.is_climbed(at)
                || self.is_scaled(at)
                || self.gets_more(at))
    }

    fn has(&self, words: List) -> bool {
        self.sentence.clone().any(|at| words.has(self.word(at)))
    }

    fn verb(&self, at: usize, verbs: &[&str]) -> bool {
        // "Between runs turn the heater up"
        let orders = || lists!("the a an your up in one another", self.word(at + 1)) && !self.word(at).ends_with("ed");
        phrases::verb(self.word(at), verbs).is_some() && (phrases::actor(self.step, at).is_some() || orders())
    }

    /// Whether somebody does something to things here, and does not only look.
    fn acts(&self) -> bool {
        let verbs = [
            "turn", "use", "pick", "slide", "move", "push", "pull", "plant", "leave", "set", "fill", "take", "switch",
            "make", "put", "place", "choose", "stand", "mist", "repeat", "drop", "release", "heat", "raise", "tie",
            "fit", "swap", "change", "hold", "stir", "throw", "let", "bury", "cut", "bring", "shift", "give", "start",
            "begin", "wrap", "roll", "add", "pour", "tip", "top", "mix", "warm", "tilt", "lift", "blow", "go",
            "stretch", "mount", "fix",
        ];
        self.sentence.clone().any(|at| self.verb(at, &verbs) || self.measures_out(at))
    }

    /// "Measure 50 mL of warmer water" takes it.
    fn measures_out(&self, at: usize) -> bool {
        let number = |t: usize| self.word(t).starts_with(|c: char| c.is_ascii_digit());
        self.word(at) == "measure" && (number(at + 1) || number(at + 2))
    }

    /// "Slide the lamp 5 cm closer", "a bigger ball than the last one", "so that the room is warmer".
    fn is_compared(&self, at: usize) -> bool {
        if !self.kept.compares(self.word(at)) || !self.acts() {
            return false;
        }
        let before = self.word(at.wrapping_sub(1));
        let listed = lists!("the", before) || lists!("gets get becomes become was were feels how than", before);
        let seen =
            lists!("is are", before) && !self.sentence.clone().any(|t| lists!("so until", self.word(t)) && t < at);
        let measured = self.sentence.clone().any(|t| {
            lists!("measure record note watch observe read count compare notice", self.word(t)) && !self.measures_out(t)
        });
        if listed || seen || measured {
            return false;
        }
        let after = self.word(at + 1);
        let adverbial = after.is_empty()
            || !after.starts_with(char::is_alphabetic)
            || lists!("than for each every in on at to before after and when whenever so still", after);
        let clause = phrases::clause_start(self.step, at)..at;
        if !adverbial {
            let piece = self.kept.property == "size" && lists!("piece sample one strip square sheet", after);
            let start = |thing: &String| lists!("start begin initial", thing);
            let liquid = self.kept.property == "temperature"
                && lists!("water liquid solution", after)
                && self.kept.things.iter().all(start);
            return ((at + 1..at + 3).any(|t| self.kept.is_thing(self.step, t)) || piece || liquid)
                && !matches!(self.kept.property, "time" | "distance");
        }
        let deed = match self.kept.property {
            "time" => self.has(list!("leave soak wait boil bake stir keep")),
            "height" => self.has(list!("drop release let start stairs fill")),
            "speed" => self.has(list!("push pull throw stir blow roll")),
            _ => false,
        };
        // A thing itself is no longer each time: only what is measured of it.
        let whole = !matches!(self.kept.property, "" | "size");
        whole
            && (deed
                || self.kept.is_in(self.step, clause)
                || self.kept.property == "temperature" && self.has(list!("than")))
            || self.kept.things.is_empty() && whole && self.has(list!("than"))
            || self.kept.property == "humidity"
    }

    /// "Giving the blades more pitch each time", "with more force for every new surface".
    fn is_more(&self, at: usize) -> bool {
        let measure = |t: usize| self.kept.is_measure(self.word(t));
        let own = measure(at + 1) || self.kept.is_thing(self.step, at + 1) && measure(at + 2);
        let from = phrases::clause_start(self.step, at).max(at.saturating_sub(5));
        let given = (from..at)
            .any(|t| lists!("give gives giving use using with set setting choose apply applying at", self.word(t)));
        let seen = self.has(list!("measure record note watch observe read count compare notice needs takes"));
        lists!("more less greater smaller bigger larger higher lower extra", self.word(at))
            && own
            && given
            && !seen
            && !matches!(self.kept.property, "" | "time" | "amount" | "size")
            && (self.kept.things.is_empty() || self.kept.is_in(self.step, self.sentence.clone()))
    }

    /// "Lengthen the string by 10 cm", "tilt the torch a bit more".
    fn is_changed(&self, at: usize) -> bool {
        let end = phrases::clause_end(self.step, at);
        let sets = self.verb(at, &["tilt", "tip", "lengthen", "shorten"]);
        // "But warm the thiosulfate a little more", where the temperature of all solutions is kept.
        let general = self.kept.things.iter().all(|thing| lists!("solution liquid substanc sampl mixtur water", thing));
        let ordered = phrases::actor(self.step, at).is_some()
            || self.word(at.wrapping_sub(1)) == "but" && lists!("the your it", self.word(at + 1));
        self.kept.is_changed_by(self.word(at))
            && ordered
            && (general || (at + 1..end.min(at + 5)).any(|t| self.kept.is_thing(self.step, t)))
            && (sets && (at + 1..end).any(|t| lists!("by more further bit little", self.word(t)))
                || (at + 1..end).any(|t| lists!("more further warmer hotter colder higher lower", self.word(t)))
                || self.word(at + 1) == "the" && (at + 1..end).any(|t| lists!("by", self.word(t))))
    }

    /// "Double the concentration of the enzyme for the last two buffers".
    fn is_scaled(&self, at: usize) -> bool {
        let end = phrases::clause_end(self.step, at);
        let scales = ["double", "halve", "triple", "treble", "quadruple"];
        phrases::verb(self.word(at), &scales).is_some()
            && phrases::actor(self.step, at).is_some()
            && (at + 1..end.min(at + 4)).any(|t| self.kept.is_measure(self.step.lemma(t)))
            && (self.kept.things.is_empty() || self.kept.is_in(self.step, at + 1..end))
    }

    /// "Turn the heater up", "turn the supply up by one volt".
    fn is_turned(&self, at: usize) -> bool {
        let devices = match self.kept.property {
            "temperature" => "heater heating radiator thermostat oven bath hotplate plate",
            "voltage" => "supply pack power dial voltage knob",
            "brightness" => "lamp dimmer light",
            "speed" => "fan dial motor blower",
            _ => return false,
        };
        let end = phrases::clause_end(self.step, at);
        self.verb(at, &["turn"])
            && (at + 1..end.min(at + 6)).any(|t| lists!("up down", self.word(t)))
            && (at + 1..end).any(|t| lists(devices, self.word(t)))
    }

    /// "Go up one rung of the ladder for every new ball", "climb two stairs higher for those drops".
    fn is_climbed(&self, at: usize) -> bool {
        let end = phrases::clause_end(self.step, at);
        self.kept.property == "height"
            && (self.verb(at, &["climb"])
                || self.verb(at, &["go", "step", "move", "walk"])
                    && (at + 1..end.min(at + 6)).any(|t| lists!("up higher", self.word(t))))
            && (at + 1..end).any(|t| lists!("rung rungs stair stairs step steps shelf floor higher", self.word(t)))
            && (at + 1..self.sentence.end).any(|t| {
                lists!("for before after with on", self.word(t))
                    && lists!("each every those the", self.word(t + 1))
                    && lists!("each every those next", self.word(t + if self.word(t + 1) == "the" { 2 } else { 1 }))
                    || self.word(t) == "another"
            })
    }

    /// "Put another clip on", "pour 5 ml more acid in", "load one more 100 g mass on the trolley".
    fn gets_more(&self, at: usize) -> bool {
        let verbs = [
            "put", "add", "pour", "load", "give", "drop", "tip", "attach", "hang", "take", "remove", "stack", "lay",
            "sprinkle", "tape", "clip", "connect",
        ];
        let stuff = self.kept.property.is_empty()
            && (at + 1..at + 8).any(|t| lists!("more less", self.word(t)) && self.kept.is_thing(self.step, t + 1));
        let cells = self.kept.property == "voltage"
            && (at + 1..at + 5)
                .any(|t| lists!("more another", self.word(t)) && lists!("battery cell", self.step.lemma(t + 1)));
        if !matches!(self.kept.property, "amount" | "mass") && !stuff && !cells
            || !self.verb(at, &verbs)
            || self.kept.total
        {
            return false;
        }
        let end = self.sentence.end;
        let ahead = || at + 1..end.min(at + 24);
        let Some(more) = ahead().find(|t| lists!("more another extra additional", self.word(*t))) else { return false };
        // "Into every cup" gives it to all alike.
        let alike = |t: usize| {
            lists!("each every", self.word(t))
                && lists!("in into to on onto", self.word(t - 1))
                && !lists!("new next further", self.word(t + 1))
                && !is_comparative(self.word(t + 1))
                && !self.has(list!("than"))
        };
        let each = (at + 1..end).any(|t| lists!("each every", self.word(t)) && !alike(t))
            || lists!("each every", self.word(self.sentence.start))
            || self.has(list!("whenever new next"))
            || (more..end).any(|t| self.step.has_at(t, &["for", "the"]));
        let spared = (at + 1..more).any(|t| lists!("both all everyone them dry each every", self.word(t)));
        let named = match self.kept.property {
            "" | "voltage" => true,
            "amount" => (at + 1..end.min(more + 5)).any(|t| self.kept.is_thing(self.step, t)),
            _ => (more..end).any(|t| {
                lists!("on onto to into in", self.word(t))
                    && (t..end.min(t + 4)).any(|t| self.kept.is_thing(self.step, t))
            }),
        };
        each && named && !spared
    }

    /// "Lay one slotted mass on the cart", where nothing is to be added to it.
    fn is_put_on(&self, at: usize) -> bool {
        let end = phrases::clause_end(self.step, at);
        let on = (at + 1..end).find(|t| lists!("on onto to into in", self.word(*t)));
        let lays = self.verb(at, &["add", "lay", "put", "place", "load", "drop", "stir", "pour", "attach", "tape"]);
        let put = on
            .is_some_and(|on| on > at + 1 && (on + 1..end.min(on + 4)).any(|t| self.kept.is_thing(self.step, t)))
            || on.is_some_and(|on| self.kept.is_in(self.step, on..end) && self.has(list!("jar cup beaker bottle")));
        let off = self.verb(at, &["take", "remove", "peel", "strip"])
            && (at + 1..end.min(at + 6)).any(|t| lists!("off layer from", self.word(t)))
            && (at + 1..end).any(|t| self.kept.is_thing(self.step, t));
        let own = (at + 1..on.unwrap_or(end)).any(|t| self.kept.is_thing(self.step, t));
        lays && put && !own || off
    }
}

#[cfg(test)]
mod tests;
