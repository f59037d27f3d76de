//! What an act changes of what is kept the same, though it is named by neither: one more mass hung on a bob whose mass is
//! kept, a string taken in, another cell put in line, an acid let down for some of the cases.

use std::ops::Range;

use super::levels::Levels;
use super::{names, tells_what_is_kept};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, Actor, lists};
use crate::assistant::facts::quantities::Quantity;
use crate::assistant::facts::units::Dimension;
use crate::assistant::facts::words::Token;

/// Things of one class that more of changes something else.
struct More {
    /// What of it is kept.
    kept: List,
    /// What must be named too; anything where it is empty.
    of: List,
    /// What there is more of.
    things: List,
}

static MORE: [More; 3] = [
    More {
        kept: list!("mass weight load heavy heaviness laden"),
        of: list!(
            "bob cart trolley car truck lorry wagon ball glider plane aeroplane helicopter parachute boat raft block rider \
             pendulum marble rocket vehicle sled sledge kite puck bucket bag carrier hanger holder hammer lander toy hull"
        ),
        things: list!(
            "mass weight washer clip paperclip coin penny nut bolt disc load lump magnet slotted gram pebble brick stone cube bead"
        ),
    },
    More {
        kept: list!("cell battery voltage supply volt v push current power emf"),
        of: list!("cell battery voltage supply volt v electrical electric current power emf"),
        things: list!("cell battery"),
    },
    More {
        kept: list!("slope angle steepness gradient tilt incline inclination steep height"),
        of: list!("ramp track board plank slope runway chute hill incline gutter steepness angle gradient tilt"),
        things: list!("book block brick crate box plank wedge chock dictionary pack tin jar"),
    },
];

const ADDS: &[&str] = &[
    "hang", "add", "put", "tape", "clip", "attach", "stick", "load", "place", "fix", "tie", "slot", "slip", "lay",
    "screw", "connect", "join", "wire", "insert", "plug", "include", "bring", "slide", "stack", "push", "tuck",
    "wedge", "hook", "pile", "fit", "give", "thread", "drop", "set", "remove", "take",
];
/// What is made longer or shorter by taking it in or letting it out.
static LINES: List = list!("string thread cord pendulum wire rope yarn line chain elastic ribbon tether");
/// What is made longer or shorter by the scissors too.
static CUT: List = list!(
    "string thread cord pendulum wire rope yarn line wing tail fin blade straw strip leg stem tube stick ruler rod"
);

/// What hangs beside the thing whose mass is kept, and pulls it.
static PULLS: List = list!("hanger carrier hook string thread pulley");
/// Words that end a place.
const LINKS: &str = "on onto to in into from with for by and so that until at of too as well before after";

/// What of it acts would change.
pub(super) struct Keeps {
    /// The cases that it is to be the same for.
    levels: Levels,
    more: Vec<&'static More>,
    long: bool,
    strong: bool,
    far: bool,
    high: bool,
    pressed: bool,
    measured: bool,
}

impl Keeps {
    pub fn read(lesson: &Lesson, controlled: &Text) -> Self {
        let acts = Acts { lesson, controlled, step: controlled };
        Self {
            levels: Levels::read(lesson),
            more: MORE.iter().filter(|more| acts.keeps(more)).collect(),
            long: acts.keeps_length(),
            strong: acts.keeps_strength(),
            far: FACTORS.iter().any(|(_, names)| acts.keeps_one(*names)),
            high: acts.keeps_height(),
            pressed: acts.keeps_one(list!("pressure")),
            measured: controlled.quantities().len() == 1,
        }
    }

    fn nothing(&self) -> bool {
        let Self { long, strong, far, high, pressed, measured, .. } = *self;
        self.more.is_empty() && !(long || strong || far || high || pressed || measured)
    }
}

/// Where a step does so.
pub(super) fn changed(lesson: &Lesson, keeps: &Keeps, controlled: &Text, step: &Text) -> Option<usize> {
    if keeps.nothing() {
        return None;
    }
    let Keeps { ref levels, ref more, long, strong, far, high, pressed, .. } = *keeps;
    let acts = Acts { lesson, controlled, step };
    step.sentences().into_iter().find_map(|sentence| {
        // "In the tubes at 37 and 60 it overflows; there, let the peroxide down"
        let before = sentence.start.checked_sub(1).filter(|_| lists!("there here", step.word(sentence.start)));
        let before = before.map(|last| step.sentence(last));
        let are_told = |repeated: bool, but: Option<usize>| {
            levels.are_told(step, &sentence, repeated, but)
                || before.as_ref().is_some_and(|before| levels.are_told(step, before, repeated, None))
        };
        // "Let the string out a little, so that it still measures 60 cm", where that is what is kept.
        if tells_what_is_kept(controlled, step, &sentence) {
            return None;
        }
        let told = are_told(true, None);
        let some = told && are_told(false, None);
        let more_of = |at: usize| more.iter().find_map(|more| acts.adds(more, &sentence, at));
        let done = |at: usize| {
            acts.orders(at)
                && (told && more_of(at).is_some_and(|extra| are_told(true, Some(extra)))
                    || told && long && acts.takes_in(at)
                    || some && long && acts.cuts(&sentence, at)
                    || some && strong && acts.dilutes(at)
                    || told && pressed && acts.pumps(at)
                    || some && acts.measures_anew(&sentence, at)
                    || high && acts.drops_from_places(&sentence, at))
        };
        let times = || sentence.clone().find(|at| far && acts.multiplies(&sentence, *at, told));
        sentence.clone().find(|at| done(*at)).or_else(times)
    })
}

/// Words for how many times, and for what there is of it.
const FACTORS: [(&str, List); 6] = [
    ("far distance", list!("distance far metre apart away")),
    ("high height", list!("height high")),
    ("long length", list!("length long")),
    ("deep depth", list!("depth deep")),
    ("heavy mass weight", list!("mass weight heavy")),
    ("hard strong force", list!("force push pull strength concentration")),
];

struct Acts<'a> {
    lesson: &'a Lesson<'a>,
    controlled: &'a Text<'a>,
    step: &'a Text<'a>,
}

impl Acts<'_> {
    fn independent_names(&self, words: List) -> bool {
        self.lesson.text(Role::Independent).is_some_and(|text| names(text, words))
    }

    fn keeps_one(&self, words: List) -> bool {
        names(self.controlled, words) && !self.independent_names(words)
    }

    fn keeps(&self, more: &More) -> bool {
        self.keeps_one(more.kept) && names(self.controlled, more.of) && !self.independent_names(more.things)
    }

    fn keeps_length(&self) -> bool {
        let measured = || {
            self.controlled.quantities().iter().any(|quantity| quantity.dimension() == Dimension::Length)
                || names(self.controlled, list!("inch centimetre centimeter"))
        };
        let varied = list!("length long short size area");
        names(self.controlled, CUT)
            && (names(self.controlled, list!("length long size")) || measured())
            && !self.independent_names(varied)
    }

    fn keeps_strength(&self) -> bool {
        self.keeps_one(list!("concentration strength concentrated strong dilution dilute"))
    }

    fn keeps_height(&self) -> bool {
        names(self.controlled, list!("height high"))
            && !self.independent_names(list!("height high place position"))
            && names(self.controlled, list!("drop release fall launch start height"))
    }

    fn word(&self, at: usize) -> &str {
        self.step.word(at)
    }

    /// Whether a text of the variables names what a word of the step names.
    fn knows(&self, at: usize) -> bool {
        names_at(self.controlled, self.step, at)
            || self.lesson.text(Role::Independent).is_some_and(|text| names_at(text, self.step, at))
    }

    /// The places that "on", "to" and the like lead to, as the range of tokens of each.
    fn places(&self, tokens: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let end = tokens.end;
        tokens.filter(|t| lists!("on onto to in into from", self.word(*t))).map(move |t| {
            let is_over =
                |at: &usize| !self.step.tokens.get(*at).is_some_and(Token::is_word) || lists!(LINKS, self.word(*at));
            t + 1..(t + 1..end.min(t + 6)).find(is_over).unwrap_or(end.min(t + 6))
        })
    }

    fn orders(&self, at: usize) -> bool {
        // "For forty loops clip the other cell in"
        let led = || {
            lists!("for at with in on after before", self.word(self.step.sentence(at).start))
                && lists!("the a an another one two", self.word(at + 1))
                && !lists!("the a an of your each this that", self.word(at.wrapping_sub(1)))
        };
        (matches!(phrases::actor(self.step, at), Some(Actor::Reader | Actor::Pupils)) || led())
            && !phrases::is_denied(self.step, at)
            && !phrases::is_supposed(self.step, at)
    }

    /// "Hang one more mass on the loop", "put another battery in line", "slip a third book under the board".
    /// Gives the word for "more".
    fn adds(&self, more: &More, sentence: &Range<usize>, at: usize) -> Option<usize> {
        let verb = phrases::verb(self.word(at), ADDS)?;
        let end = phrases::clause_end(self.step, at);
        let extra = (at + 1..end.min(at + 8))
            .find(|t| lists!("more another extra additional further other third fourth fifth second", self.word(*t)))?;
        let thing = (extra + 1..end.min(extra + 5))
            .take_while(|t| !lists("in on under to into onto with for from at", self.word(*t)))
            .find(|t| more.things.has(self.step.lemma(*t)))?;
        let has = |words: List| sentence.clone().any(|t| words.has(self.word(t)));
        // What takes the place of another is no more of it.
        let plainly = lists!("more extra additional further", self.word(extra)) || verb == "add";
        let joined = has(list!("too also well series line under beneath underneath top together"))
            || (thing + 1..end).any(|t| {
                lists!("on onto to", self.word(t))
                    && (t + 1..end.min(t + 4)).any(|t| names_at(self.controlled, self.step, t))
            });
        let under = !more.kept.has("slope") || has(list!("under beneath underneath"));
        let taken = matches!(verb, "remove" | "take") && !lists("off away", self.word(at + 1));
        let weighed = has(list!("scale balance pan weigh until measure new stop stops both"))
            || sentence.clone().any(|t| self.word(t) == "as" && lists!("in before", self.word(t + 1)));
        let beside = self.places(thing + 1..end).any(|mut place| {
            place.clone().any(|t| PULLS.has(self.step.lemma(t)))
                && !place.any(|t| names_at(self.controlled, self.step, t))
        });
        ((plainly || joined) && under && !taken && !weighed && !beside).then_some(extra)
    }

    /// "Take in the string by 10 cm", "let the thread out a little further".
    fn takes_in(&self, at: usize) -> bool {
        let Some(verb) = phrases::verb(
            self.word(at),
            &["take", "let", "pay", "wind", "draw", "pull", "roll", "reel", "shorten", "lengthen", "haul"],
        ) else {
            return false;
        };
        let end = phrases::clause_end(self.step, at).min(at + 8);
        let Some(line) = (at + 1..end).find(|t| LINES.has(self.step.lemma(*t))) else { return false };
        let moved = matches!(verb, "shorten" | "lengthen")
            || (at + 1..line + 2).any(|t| lists!("in out up", self.word(t)) && t != line);
        let by = (line + 1..phrases::clause_end(self.step, at)).any(|t| {
            lists!("by", self.word(t))
                || lists!("little bit further more", self.word(t))
                || self.step.has_at(t, &["at", "a", "time"])
        });
        let measured = self.step.quantities().iter().any(|quantity| (at..end + 2).contains(&quantity.tokens.start));
        let same = names_at(self.controlled, self.step, line) || names(self.controlled, list!("pendulum string"));
        moved && same && (by || measured && lists!("another", self.word(at + 1)))
    }

    /// "Snip half an inch off both wings", "cut 5 cm off the string".
    fn cuts(&self, sentence: &Range<usize>, at: usize) -> bool {
        if phrases::verb(self.word(at), &["cut", "snip", "trim", "clip", "saw", "shave", "chop"]).is_none() {
            return false;
        }
        let end = phrases::clause_end(self.step, at).min(at + 12);
        let Some(off) = (at + 1..end).find(|t| lists!("off from", self.word(*t))) else { return false };
        // "Trim 1 cm off each stem" is done to all alike.
        if at == sentence.start && (at + 1..end).any(|t| lists!("each every", self.word(t))) {
            return false;
        }
        let measured = (at + 1..off)
            .any(|t| lists!("inch inches cm mm centimetre centimetres bit little half piece", self.word(t)));
        measured && (off + 1..end).any(|t| CUT.has(self.step.lemma(t)) && names_at(self.controlled, self.step, t))
    }

    /// "Let the peroxide down with its own volume of water", "water the acid down", "dilute it".
    fn dilutes(&self, at: usize) -> bool {
        let end = phrases::clause_end(self.step, at);
        let ahead = || at + 1..end.min(at + 7);
        let down = || ahead().any(|t| self.word(t) == "down" && names_at(self.controlled, self.step, t - 1));
        let does = match phrases::verb(self.word(at), &["dilute", "weaken", "strengthen", "thin", "water", "let"]) {
            Some("water" | "let" | "thin") => down(),
            Some(_) => true,
            None => false,
        };
        does && ahead().any(|t| names_at(self.controlled, self.step, t))
    }

    /// "Pump up half a bar more for every new filling"
    fn pumps(&self, at: usize) -> bool {
        let end = phrases::clause_end(self.step, at);
        phrases::verb(self.word(at), &["pump", "inflate", "press", "blow", "squeeze", "raise", "increase", "push"])
            .is_some()
            && (at + 1..end).any(|t| lists!("more harder higher further extra", self.word(t)))
    }

    /// "For the wire, use only two metres of it", where all lines are four metres long.
    fn measures_anew(&self, sentence: &Range<usize>, at: usize) -> bool {
        let [kept] = self.controlled.quantities() else { return false };
        let varied = self
            .lesson
            .text(Role::Independent)
            .is_some_and(|text| text.quantities().iter().any(|quantity| quantity.dimension() == kept.dimension()));
        let verbs = [
            "use", "take", "drop", "release", "pour", "add", "give", "let", "put", "leave", "wait", "stir", "heat",
            "soak", "run",
        ];
        let end = phrases::clause_end(self.step, at);
        let Some(verb) = phrases::verb(self.word(at), &verbs) else { return false };
        let timed = kept.dimension() == Dimension::Time;
        let same_verb = || self.controlled.tokens.iter().any(|token| phrases::is_form_of(&token.word, verb));
        let about = |said: &Quantity| {
            let rest = said.tokens.end;
            let named = |t: usize| !said.tokens.contains(&t) && names_at(self.controlled, self.step, t);
            let of_it = self.word(rest) == "of" && matches!(self.word(rest + 1), "it" | "them");
            let in_parts =
                (rest..sentence.end).any(|t| self.word(t) == "before" || self.step.has_at(t, &["at", "a", "time"]));
            !in_parts && if timed { same_verb() } else { of_it || sentence.clone().any(named) }
        };
        !varied
            && self.step.quantities().iter().any(|quantity| {
                let start = quantity.tokens.start;
                (at + 1..end).contains(&start)
                    && quantity.dimension() == kept.dimension()
                    && !quantity.agrees_with(kept)
                    && quantity.low == quantity.high
                    && lists!("only just", self.word(start.wrapping_sub(1)))
                    && about(quantity)
            })
    }

    /// "Walk apart till you are three times as far off as before", "from twice the height for the last".
    fn multiplies(&self, sentence: &Range<usize>, at: usize, told: bool) -> bool {
        let times = lists!("twice double half triple treble", self.word(at))
            || self.word(at) == "times" && !lists("the many all", self.word(at.wrapping_sub(1)));
        let noun = if lists!("as the", self.word(at + 1)) { at + 2 } else { return false };
        let kept = FACTORS.iter().any(|(words, names)| lists(words, self.word(noun)) && self.keeps_one(*names));
        let before = || {
            (noun + 1..sentence.end).any(|t| {
                lists!("as than", self.word(t))
                    && (t + 1..sentence.end.min(t + 4))
                        .any(|t| lists!("before last first earlier previous", self.word(t)))
            })
        };
        let acts = [
            "walk", "move", "stand", "step", "put", "let", "drop", "release", "start", "use", "hold", "hang", "push",
            "pull", "raise", "set", "place", "go", "throw", "cut", "tie", "bury", "sow", "plant", "take",
        ];
        let ordered = (sentence.start..at).any(|t| phrases::verb(self.word(t), &acts).is_some() && self.orders(t));
        let observed = (sentence.start..at)
            .any(|t| lists!("is was goes flies rolls travels how that if when should", self.word(t)));
        // "Put twice the mass on the hanger" leaves the trolley as it is.
        let beside = || {
            self.places(noun + 1..sentence.end).any(|mut place| {
                lists!("the a your", self.word(place.start))
                    && !place.any(|t| self.knows(t) || lists!("next last first second third other", self.word(t)))
            })
        };
        times && kept && ordered && (told || before()) && (!observed || before()) && !beside()
    }

    /// "Let the small one go from the window sill, the large one from the balcony".
    fn drops_from_places(&self, sentence: &Range<usize>, at: usize) -> bool {
        if phrases::verb(self.word(at), &["drop", "release", "let", "launch", "throw", "start", "roll", "send"])
            .is_none()
        {
            return false;
        }
        let spared =
            sentence.clone().any(|t| lists!("or same both then again practise practice back each", self.word(t)));
        // "One metre from the shelf" tells how far away it is.
        let measured = |t: usize| {
            self.step.quantities().iter().any(|said| said.tokens.end == t)
                || lists!("metre metres meter meters cm feet away far", self.word(t - 1))
        };
        let from = |t: &usize| self.word(*t) == "from" && !measured(*t);
        let (first, last) = ((at + 1..sentence.end).find(from), (at + 1..sentence.end).rev().find(from));
        let (Some(first), Some(last)) = (first, last) else { return false };
        let meanwhile = (first..last)
            .any(|t| lists!("while you partner", self.word(t)) || self.word(t) == "your" && self.word(t - 1) != "from");
        let mut places: Vec<&str> = Vec::new();
        for from in (first..=last).filter(from) {
            let place = (from + 1..sentence.end.min(from + 7)).take_while(|t| !lists(", and ; .", self.word(*t))).find_map(|t| {
                let lemma = self.step.lemma(t);
                lists!(
                    "sill windowsill table desk chair stool bench step stair balcony ladder floor landing shelf roof shoulder \
                     knee waist head window gallery platform bridge hip chest rung",
                    lemma
                )
                .then_some(lemma)
            });
            places.extend(place);
        }
        places.dedup();
        !spared && !meanwhile && places.len() > 1
    }
}

/// Whether a word of a step names what a text names too.
fn names_at(of: &Text, step: &Text, at: usize) -> bool {
    let lemma = step.lemma(at);
    lemma.len() > 2
        && !phrases::is_empty(lemma)
        && !lists("for the from", lemma)
        && of.tokens.iter().any(|token| token.lemma == lemma)
}

#[cfg(test)]
mod tests;
