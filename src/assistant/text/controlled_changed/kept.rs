//! What is kept the same, as words for its change are compared with it: a property, and the things it is of.

use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};

/// A property: its names, the comparatives of it, and the verbs that change it.
struct Property {
    name: &'static str,
    nouns: List,
    comparatives: List,
    verbs: &'static [&'static str],
}

static PROPERTIES: [Property; 14] = [
    Property {
        name: "temperature",
        nouns: list!("temperature warm warmth hot cold heat"),
        comparatives: list!("warmer hotter colder cooler"),
        verbs: &["heat", "warm", "cool", "chill"],
    },
    Property {
        name: "height",
        nouns: list!("height high level"),
        comparatives: list!("higher lower"),
        verbs: &["raise", "lower"],
    },
    Property {
        name: "slope",
        nouns: list!("slope angle steepness tilt incline gradient steep pitch"),
        comparatives: list!("steeper flatter shallower higher"),
        verbs: &["raise", "lower", "tilt", "tip", "lift"],
    },
    Property {
        name: "length",
        nouns: list!("length long"),
        comparatives: list!("longer shorter"),
        verbs: &["lengthen", "shorten"],
    },
    Property {
        name: "mass",
        nouns: list!("mass weight load heavy"),
        comparatives: list!("heavier lighter"),
        verbs: &[],
    },
    Property {
        name: "distance",
        nouns: list!("distance far position"),
        comparatives: list!("closer nearer farther further"),
        verbs: &[],
    },
    Property {
        name: "thickness",
        nouns: list!("thickness diameter thick"),
        comparatives: list!("thicker thinner"),
        verbs: &[],
    },
    Property {
        name: "concentration",
        nouns: list!("concentration strength"),
        comparatives: list!("stronger weaker concentrated dilute"),
        verbs: &[],
    },
    Property { name: "depth", nouns: list!("depth deep"), comparatives: list!("deeper shallower"), verbs: &[] },
    Property {
        name: "speed",
        nouns: list!("speed force push pull effort"),
        comparatives: list!("faster slower harder softer"),
        verbs: &[],
    },
    Property {
        name: "brightness",
        nouns: list!("brightness intensity"),
        comparatives: list!("brighter dimmer"),
        verbs: &[],
    },
    Property {
        name: "humidity",
        nouns: list!("humidity moisture dampness"),
        comparatives: list!("damper drier wetter"),
        verbs: &[],
    },
    Property {
        name: "voltage",
        nouns: list!("voltage power current"),
        comparatives: list!("higher lower"),
        verbs: &[],
    },
    Property { name: "time", nouns: list!("time duration"), comparatives: list!("longer shorter"), verbs: &[] },
];

const AMOUNTS: &str = "amount volume number quantity many much spoonful teaspoon sachet cupful";
const UNITS: &str = "spoonful teaspoon tablespoon sachet cup cupful scoop pinch packet block book brick";
const SIZES: &str =
    "bigger larger smaller wider narrower thicker thinner longer shorter heavier lighter stronger weaker";
const NOISE: &str = "same constant keep whole entire complete full throughout trial every each stay fixed identical equal equally \
    nothing get receive all from used use run go pair student given let kind type brand sort material make colour size shape left leave";

/// What is kept the same.
pub(super) struct Kept {
    /// What of it, as the table names it; "amount" for how much or how many there is, "size" for its size.
    pub property: &'static str,
    /// The stems of its things.
    pub things: Vec<String>,
    /// Whether nothing is to be added to it or taken off it.
    pub untouched: bool,
    /// The units that it is given in.
    pub units: Vec<String>,
    /// Whether the sum of several things is kept.
    pub total: bool,
}

impl Kept {
    /// Reads it; nothing where it is what is changed on purpose.
    pub fn read(lesson: &Lesson, text: &Text) -> Option<Self> {
        let all = text.tokens.len();
        let end = (0..all).find(|at| *at > 0 && lists!("( : , ; – —", text.word(*at))).unwrap_or(all);
        let property = property(text, end).or_else(|| property(text, all)).unwrap_or("");
        let things = things(text, end, property);
        let has = |words: List| (0..all).any(|at| words.has(text.word(at)));
        let mut units: Vec<String> =
            text.tokens.iter().map(|token| token.lemma.clone()).filter(|word| lists!(UNITS, word)).collect();
        units.sort();
        units.dedup();
        let kept = Self {
            property,
            things,
            units,
            untouched: has(list!("nothing")) && has(list!("added taken")) || text.find(&["as", "it", "is"]).is_some(),
            total: has(list!("total overall altogether")),
        };
        if kept.things.is_empty() && kept.property.is_empty() || kept.things.len() > 6 {
            return None;
        }
        let Some(independent) = lesson.text(Role::Independent) else { return Some(kept) };
        let until = independent.tokens.len();
        let theirs = self::property(independent, until).unwrap_or("");
        let near =
            |one: &str, other: &str| one == other || matches!((one, other), ("height", "slope") | ("slope", "height"));
        let shares = things_of(independent).iter().any(|thing| kept.things.contains(thing));
        let varied = !theirs.is_empty() && near(theirs, kept.property) && (theirs != "amount" || shares)
            || kept.property.is_empty() && shares;
        (kept.untouched || !varied).then_some(kept)
    }

    /// Whether these tokens name one of its things.
    pub fn is_in(&self, text: &Text, mut tokens: std::ops::Range<usize>) -> bool {
        tokens.any(|at| self.is_thing(text, at))
    }

    pub fn is_thing(&self, text: &Text, at: usize) -> bool {
        let lemma = text.lemma(at);
        // Its stem begins as a word does.
        let begins = |thing: &String| thing.as_bytes().first() == lemma.as_bytes().first();
        !lemma.is_empty() && self.things.iter().any(begins) && self.things.contains(&stem(lemma))
    }

    /// Whether a word compares what is kept: "warmer" of a temperature.
    pub fn compares(&self, word: &str) -> bool {
        PROPERTIES.iter().any(|known| known.name == self.property && known.comparatives.has(word))
            || matches!(self.property, "" | "size") && lists!(SIZES, word)
    }

    /// Whether a word names what of it is kept.
    pub fn is_measure(&self, word: &str) -> bool {
        PROPERTIES.iter().any(|known| known.name == self.property && known.nouns.has(word))
            || self.property == "amount" && lists!(AMOUNTS, word)
    }

    /// Whether a word is a verb that changes what is kept.
    pub fn is_changed_by(&self, word: &str) -> bool {
        PROPERTIES.iter().any(|known| known.name == self.property && phrases::verb(word, known.verbs).is_some())
    }
}

fn property(text: &Text, end: usize) -> Option<&'static str> {
    (0..end).find_map(|at| {
        let word = text.word(at);
        // "The same one all the time", "each time"
        let often = word == "time" && lists!("the each every of all", text.word(at.wrapping_sub(1)));
        if text.has_at(at, &["length", "of", "time"]) {
            return Some("time");
        }
        // "Each stick spends equally long in its tube"
        let lasts = |t: usize| lists!("spend stay soak sit remain wait boil steep last stand", text.lemma(t));
        if word == "long" && (0..end).any(lasts) {
            return Some("time");
        }
        if lists!(AMOUNTS, text.lemma(at)) {
            return Some("amount");
        }
        if word == "size" || word == "area" {
            return Some("size");
        }
        let known = PROPERTIES.iter().find(|known| known.nouns.has(text.lemma(at)));
        known.filter(|_| !often).map(|known| known.name)
    })
}

fn things(text: &Text, end: usize, property: &str) -> Vec<String> {
    // A unit is no thing: "2 cm³ of yeast".
    let measured = |at: usize| text.quantities().iter().any(|quantity| quantity.tokens.contains(&at));
    let words = (0..end).filter(|at| !measured(*at)).flat_map(|at| phrases::content_words(text, at..at + 1));
    let named = |word: &String| {
        !lists(NOISE, word)
            && !lists(AMOUNTS, word)
            && !PROPERTIES.iter().any(|known| known.name == property && known.nouns.has(word) && word != "push")
    };
    let mut things: Vec<String> = words.filter(named).map(|word| stem(&word)).collect();
    things.sort();
    things.dedup();
    things
}

fn things_of(text: &Text) -> Vec<String> {
    let end = (0..text.tokens.len()).find(|at| lists!("( : , ; – —", text.word(*at))).unwrap_or(text.tokens.len());
    things(text, end, property(text, end).unwrap_or(""))
}
