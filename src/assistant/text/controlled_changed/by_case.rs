//! What a step changes from case to case: "5 cm closer for each new filter", "another clip for every longer wing".

use std::ops::Range;

use super::kept::Kept;
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
        let by_case = has(list!(CASED))
            || sentence.clone().any(|at| step.has_at(at, &["as", "the"]) && has(list!("gets becomes")));
        let by_case = by_case || sentence.clone().any(|at| is_set_apart(step, at));
        let beside = sentence.clone().filter(|at| step.has_at(*at, &["for", "the"])).count();
        let swapped = kept.property.is_empty() && beside > 0;
        let by_case = by_case || swapped || beside > 1 && kept.property == "amount";
        if !kept.untouched && !by_case
            || has(list!(SPARED))
            || phrases::is_question(step, sentence.start)
            || has(list!("until")) && !has(list!("than"))
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
            let pole = poles::pole(step.word(at + 2));
            step.word(at + 1) == "the" && pole.is_some_and(|pole| matches!(pole.form, Form::More | Form::Most))
        }
        "than" => lists!("on for with in at from over", step.word(at + 1)),
        _ => false,
    }
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
            "begin", "wrap", "roll",
        ];
        self.sentence.clone().any(|at| self.verb(at, &verbs))
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
        let measured = self.has(list!("measure record note watch observe read count compare notice"));
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
                || self.verb(at, &["go", "step", "move", "walk"]) && self.word(at + 1) == "up")
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
        let each = self.has(list!("each every whenever new next"))
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
mod tests {
    use super::super::tests::count;

    #[test]
    fn what_is_changed_from_case_to_case_is_found() {
        for (controlled, step, independent) in [
            (
                "Temperature of the room",
                "Between runs turn the heater up so that the room is warmer each time.",
                "Mass of the bob",
            ),
            ("Same ball throughout", "For the next drop pick a bigger ball than the last one.", "Height of drop"),
            ("Length of string stays at 40 cm", "Lengthen the string by 10 cm before each new bob.", "Mass of the bob"),
            ("Volume of acid", "Each time, pour 5 ml more acid in than you did before.", "Size of the marble chips"),
            (
                "Distance of the lamp from the pondweed",
                "Slide the lamp 5 cm closer for each new filter.",
                "Colour of the filter",
            ),
            (
                "Number of paper clips on the helicopter (one)",
                "Put another clip on for every longer wing.",
                "Length of the wings",
            ),
            (
                "The light the plants get is identical",
                "Stand the radish by the window, the cress under the table and the bean in the cupboard.",
                "Kind of seed",
            ),
            (
                "Release height: 1 m above the tray",
                "Drop the small marble from 50 cm, the medium one from 1 m and the large one from 1.5 m.",
                "Size of the marble",
            ),
            (
                "We keep the amount of sugar the same",
                "The bottle at 20 °C gets one teaspoon of sugar, that at 30 °C two, and that at 40 °C three.",
                "Temperature of the water",
            ),
            ("Equal pushes", "Push the car a little harder on each new surface.", "Surface"),
            (
                "Time in the oven is constant",
                "Leave each next tray in for five minutes longer.",
                "Amount of baking powder",
            ),
            (
                "Voltage of the supply, fixed at 3 V",
                "Turn the supply up by one volt for each new length of wire.",
                "Length of the wire",
            ),
            (
                "Depth at which seeds are planted",
                "Plant the seeds a centimetre deeper in every new pot.",
                "Kind of fertiliser",
            ),
            ("Cup size", "As the water gets hotter, switch to a larger cup.", "Temperature of the water"),
            (
                "Mass of the trolley",
                "Load one more 100 g mass on the trolley whenever the angle is raised.",
                "Angle of the track",
            ),
            (
                "temperature of all the solutions (room temperature)",
                "Repeat for the other four dilutions, but warm the thiosulfate a little more before each new run.",
                "concentration of the thiosulfate",
            ),
            ("size of the paper towel", "Cut a larger piece from each new brand.", "brand of paper towel"),
            ("starting temperature", "Start with warmer water for the second food.", "type of food"),
            ("size of the egg", "Choose a smaller egg for the saltiest water.", "salt content"),
            ("starting speed of the car", "Push the car harder on the carpet than on the wood.", "surface"),
            (
                "enzyme concentration",
                "Double the concentration of the enzyme for the last two buffers.",
                "pH of the buffer",
            ),
            (
                "pH of the buffer",
                "Use the pH 4 buffer at 10 °C, the pH 7 buffer at 30 °C and the pH 9 buffer at 50 °C.",
                "Temperature",
            ),
        ] {
            assert_eq!(count(independent, controlled, step), 1, "{controlled} / {step}");
        }
    }

    #[test]
    fn what_is_watched_or_changed_on_purpose_is_passed_over() {
        for (controlled, step, independent) in [
            (
                "Amount of water given to each pot: 50 ml a day",
                "Water the first pot with 50 ml, then the second with 50 ml and the third with 50 ml.",
                "Kind of soil",
            ),
            ("Same ball throughout", "Drop the ball from 20 cm, then from 40 cm and 60 cm.", "Height of drop"),
            ("The slope of the ramp", "Put a rougher surface on the ramp each time.", "Surface of the ramp"),
            (
                "Number of paper clips on the helicopter (one)",
                "Cut the wings 1 cm shorter for each new trial.",
                "Length of the wings",
            ),
            (
                "We keep the amount of sugar the same",
                "Stir two teaspoons of sugar into each bottle.",
                "Temperature of the water",
            ),
            (
                "Time in the oven is constant",
                "Mix 1, 2 and 3 teaspoons of baking powder into the trays and bake each for 20 minutes.",
                "Amount of baking powder",
            ),
            (
                "Thickness of the wire, unchanged",
                "Use a longer piece of the same wire each time.",
                "Length of the wire",
            ),
            (
                "Every team uses the same kind of bread",
                "Put a slice in the fridge, another on the shelf and one on the radiator.",
                "Temperature",
            ),
            (
                "The magnet is always the same one",
                "Put a thicker sheet under the magnet each time.",
                "Thickness of the sheet",
            ),
            ("pH of the buffer", "Put the tubes at 10 °C, 30 °C and 50 °C.", "Temperature"),
            (
                "size of the egg",
                "Put the egg into the saltiest water last; it floats higher than the others.",
                "salt content",
            ),
            (
                "temperature of the water",
                "The water feels warmer in the black cup than in the white one.",
                "colour of the cup",
            ),
            (
                "starting speed of the car",
                "Write down on which surface the car rolls faster than on the others.",
                "surface",
            ),
            ("enzyme concentration", "Double the volume of the sample for the last two buffers.", "pH of the buffer"),
            ("size of the paper towel", "Cut a piece of the same size from each new brand.", "brand of paper towel"),
            (
                "All plants receive the same number of hours of light",
                "Give plant A 1 drop of fertiliser, plant B 2 and plant C 3.",
                "Amount of fertiliser",
            ),
            ("The wrapping is left as it is", "Take the temperature every five minutes.", "Starting temperature"),
            ("Brand of battery", "Fit fresh batteries of the same brand for each wire.", "Length of the wire"),
            (
                "Same pot size for all seedlings",
                "Put the pots in the dark, half light and full light.",
                "Amount of light",
            ),
            (
                "Temperature of the water bath, 40 °C",
                "Let the tube warm up in the bath until it reaches 40 °C.",
                "Concentration of amylase",
            ),
            (
                "Number of seeds per dish: ten",
                "Place ten seeds in the first dish, ten in the second and ten in the third, then count how many more sprout each day.",
                "Temperature",
            ),
        ] {
            assert_eq!(count(independent, controlled, step), 0, "{controlled} / {step}");
        }
    }
}
