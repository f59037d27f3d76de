//! Mentions: the amounts of a text, each with the noun it counts and the words that say how far it holds.

use std::ops::Range;

use super::beside::{self, Side, attribute, clause, per};
use super::lesson::Text;
use super::lists::{List, list, lists};
use super::nouns::{self, ATTRIBUTES, Phrase};
use super::numbers::{Numeral, bytes_of};
use super::quantities::unit_at;
use super::repeated::repeated;
use super::units::Dimension;
use super::words::Token;

/// An amount in a text.
#[derive(Debug, Clone)]
pub struct Mention {
    /// What it measures; `None` where it counts things.
    pub dimension: Option<Dimension>,
    /// The least it can be, in the base unit.
    pub low: f64,
    /// The most it can be, in the base unit.
    pub high: f64,
    /// The number as it is written.
    pub numeral: Numeral,
    /// The tokens of the number and its unit.
    pub tokens: Range<usize>,
    /// The tokens around it up to the next comma or the like.
    pub clause: Range<usize>,
    /// What it is so much of.
    pub noun: Option<Phrase>,
    /// What of it is measured: `height`, `length`.
    pub attribute: Option<&'static str>,
    /// Of what each has so much: `cup`.
    pub per: Option<String>,
    /// How many of them there are, where it is told: three in "each of the three cups".
    pub per_count: Option<f64>,
    /// Whether it is "the six", "all six", "our six": what was named before.
    pub definite: bool,
    /// Whether it is "all six".
    pub all: bool,
    /// Whether it is "every 30 s".
    pub every: bool,
    /// Whether it is a bound ("at least"), a part ("two of the six") or an addition ("another two").
    pub partial: bool,
    /// Whether it is "about 50".
    pub about: bool,
    /// Whether it is in cups, inches or the like, which are so much in other units only roughly.
    pub rough: bool,
    /// The stems of the content words of its clause.
    pub topics: Vec<String>,
}

/// Words up to three tokens before an amount that make it a bound or a part.
static PARTIAL_BEFORE: List = list!(
    "least most more less fewer than under over above below within maximum minimum max limit another additional extra \
         further other remaining next last first final half by second up only any either exceed if \
         instead not beyond nearly almost until till reach reaches rest say example",
);
const PARTIAL_AFTER: &[&str] = &[
    "more",
    "less",
    "fewer",
    "extra",
    "other",
    "others",
    "spare",
    "spares",
    "or",
    "of",
    "times",
    "at",
    "additional",
    "further",
    "different",
    "kinds",
    "types",
];
/// Nouns that people count without meaning things of the investigation.
static UNCOUNTED: List = list!(
    "student pupil child learner kid group team pair class person partner member table friend volunteer \
         step question sentence point mark reason thing way word paragraph side time page idea example column \
         row grade minute hour day week second month year lesson session period finger hand eye part number \
         job role fact answer line label picture drawing decimal place figure quarter third half piece colour \
         letter axis corner position difference similarity scientist girl boy station site bar percent degree \
         unit level set shape type kind clue foursome adult teacher direction condition material graph curve \
         value digit data crew monitor one claim variable feature property factor meter metre mile dimension \
         use source chart star planet term go goe try attempt shot",
);
/// Words right before a number that make it a name.
static NAMED: List = list!(
    "step steps trial trials figure fig page number no grade year group class part section row station \
         site table chapter unit week day lesson level round tube cup question room lab experiment test run \
         type stage ks key cpac criterion sample team x × ÷ / * = + − - # factor",
);
/// What has one form for one and for many.
const UNCHANGED: &str = "daphnia fish shrimp sheep drosophila artemia goldfish";
/// What a volume stands before without being its content.
static VESSELS: List = list!(
    "beaker cylinder flask bottle jar jug syringe pipette burette mark line graduation container tube canister tin \
         mug thermos pan saucepan kettle dish basket drum barrel crucible keg carton bucket bowl tub pot can bag basin tank level measure pitcher box point cup vial scale division",
);

/// Every amount of a text in order.
pub fn mentions(text: &Text<'_>) -> Vec<Mention> {
    let read =
        |text: &Text| text.amounts().iter().filter(|mention| !mention.is_capacity(&text.tokens)).cloned().collect();
    text.kept(read).to_vec()
}

/// The sizes of a text: the amounts that belong to the name of a thing, as in "the 250 mL beaker", "a 9 V battery".
pub fn sizes(text: &Text<'_>) -> Vec<Mention> {
    let is_size = |mention: &&Mention| {
        mention.dimension.is_some() && mention.noun.as_ref().is_some_and(|noun| noun.tokens.start == mention.tokens.end)
    };
    text.amounts().iter().filter(is_size).cloned().collect()
}

/// Reads every amount, those that tell the size of a vessel too: [`Text::amounts`] has them.
pub(super) fn amounts(text: &Text<'_>) -> Vec<Mention> {
    let tokens = text.tokens.as_slice();
    let mut found: Vec<Mention> = Vec::new();
    for numeral in text.numerals().iter().cloned() {
        let (start, end) = (numeral.tokens.start, numeral.tokens.end);
        let before = start.checked_sub(1).and_then(|before| tokens.get(before));
        // "(1 tablespoon)" after an amount says it once more.
        let again = before.is_some_and(|token| token.is_one_of(&["(", "="]))
            && found.last().is_some_and(|last| last.tokens.end + 1 == start);
        let multiplied = tokens.get(end).is_some_and(|token| token.is_one_of(&["x", "×", "*", "/", "+", "="]));
        // "Run 20 mL into the flask" names no run.
        let measured = || unit_at(text.text, tokens, end).is_some();
        if again || multiplied || is_named(tokens, &numeral) && !measured() {
            continue;
        }
        let hyphen = tokens.get(end).is_some_and(|token| token.is_one_of(&["-", "–"]));
        // "Two metre sticks" are no length.
        let sticks =
            tokens.get(end + 1).is_some_and(|token| token.is_one_of(&["stick", "sticks", "rule", "rules", "rulers"]));
        let amount = unit_at(text.text, tokens, end + usize::from(hyphen)).filter(|_| !sticks || hyphen);
        found.extend(match amount {
            Some((unit, end)) => {
                let (low, high) = (unit.to_base(numeral.low), unit.to_base(numeral.high));
                let beside = |side: Side| side.noun(text.text, tokens, start, end, None);
                let noun = beside(Side::Right).or_else(|| beside(Side::Left));
                // Four cups of water are so much water; four cups are four cups.
                let vessels = (noun.is_none() || beside::is_named(tokens, start, end))
                    && end.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|t| t.is_one_of(&["cup", "cups"]));
                if vessels {
                    counted(text.text, tokens, numeral)
                } else {
                    let amounts = (low.min(high), low.max(high));
                    let mut found = mention(tokens, numeral, Some(unit.dimension), amounts, start..end, noun);
                    found.rough = end.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(is_rough);
                    Some(found)
                }
            }
            None if hyphen || numeral.low < 1.0 => None,
            None => counted(text.text, tokens, numeral),
        });
    }
    found
}

/// Whether a unit is one of the kitchen or of the older systems: a cup is 240 mL for some and 250 mL for others.
fn is_rough(unit: &Token) -> bool {
    const ROUGH: [&str; 18] = [
        "cup",
        "teaspoon",
        "tablespoon",
        "tsp",
        "tbsp",
        "pint",
        "quart",
        "gallon",
        "oz",
        "ounce",
        "inch",
        "in",
        "″",
        "foot",
        "ft",
        "yard",
        "pound",
        "lb",
    ];
    let name = super::words::lemma(&unit.word);
    ROUGH.contains(&name.as_str()) || unit.is("lbs")
}

/// Whether a number is a name ("step 3", "trial 2") or a part of a sum.
fn is_named(tokens: &[Token], numeral: &Numeral) -> bool {
    let Some(at) = numeral.tokens.start.checked_sub(1) else { return false };
    let Some(before) = tokens.get(at).filter(|token| NAMED.has(&token.word)) else { return false };
    let ahead = at.checked_sub(1).and_then(|at| tokens.get(at));
    if before.is_word() {
        // "Give each team twelve cards" has no team of that number.
        return !ahead.is_some_and(|token| token.is_one_of(&["each", "every", "per", "both", "all"]));
    }
    let word = ahead.is_some_and(|token| token.is_word() && token.word.len() > 2);
    let apart = |one: Option<&Token>, other: Option<&Token>| matches!((one, other), (Some(one), Some(other)) if one.bytes.end < other.bytes.start);
    // "Number of turns = 40", "Length of string - 40 cm"
    !(word && before.is_one_of(&["=", "-"]) && apart(ahead, Some(before)) && apart(Some(before), tokens.get(at + 1)))
}

fn counted(text: &str, tokens: &[Token], numeral: Numeral) -> Option<Mention> {
    let whole = numeral.tokens.clone();
    // In "label the cups 0, 5 and 10" the numbers are names, in "the switch with one, two and three bulbs" others of a row.
    let number = |at: usize| super::numbers::numeral(tokens, at).is_some();
    let sign = |at: &usize| tokens.get(*at).is_some_and(|token| token.is_one_of(&[",", "and", "&", "or"]));
    let in_a_list = whole.start.checked_sub(1).filter(sign).and_then(|sign| sign.checked_sub(1)).is_some_and(number);
    if let Some(verb) = repeated(tokens, &numeral) {
        let amounts = (numeral.low, numeral.high);
        return Some(mention(tokens, numeral, None, amounts, whole, Some(verb)));
    }
    // "Release the car, three goes"
    if tokens.get(whole.end).is_some_and(|token| token.is_one_of(&["goes", "tries", "attempts", "shots"])) {
        return None;
    }
    let plural = numeral.high != 1.0;
    // "Two 250 mL beakers"
    let size = super::numbers::numeral(tokens, whole.end).and_then(|size| unit_at(text, tokens, size.tokens.end));
    let begin = size.filter(|_| plural).map_or(whole.end, |(_, end)| end);
    let noun = Side::Right.noun(text, tokens, whole.start, begin, Some(plural));
    let noun = match noun {
        // "40 step-ups"
        Some(noun) if plural && noun.head == "ups" => noun,
        Some(noun) if plural && lists!(UNCHANGED, &noun.head) => noun,
        Some(noun) if plural && !nouns::is_plural(&tokens.get(noun.tokens.end.checked_sub(1)?)?.word) => return None,
        Some(noun) => noun,
        None if in_a_list => return None,
        None => Side::Left.noun("", tokens, whole.start, whole.end, Some(plural))?,
    };
    let amounts = (numeral.low, numeral.high);
    let of = noun.tokens.end;
    let pieces = noun.head == "piece" && tokens.get(of).is_some_and(|token| token.is("of"));
    if let Some(substance) = nouns::phrase(tokens, of, false).filter(|_| pieces) {
        let modifiers = noun.modifiers.into_iter().chain(substance.modifiers).chain([substance.head]).collect();
        let noun = Phrase { head: noun.head, modifiers, tokens: noun.tokens.start..substance.tokens.end };
        return Some(mention(tokens, numeral, None, amounts, whole, Some(noun)));
    }
    // "Two force meters" are things, two metres are not.
    if noun.head == "drop" && noun.tokens.end <= whole.start {
        // "Number of drops: 5"
        return Some(mention(tokens, numeral, Some(Dimension::Drops), amounts, whole, None));
    }
    let meters = noun.head == "metre" && !noun.modifiers.is_empty();
    let counted = (meters || !UNCOUNTED.has(&noun.head)) && !ATTRIBUTES.contains(&noun.head.as_str());
    counted.then(|| mention(tokens, numeral, None, amounts, whole, Some(noun)))
}

fn mention(
    tokens: &[Token],
    numeral: Numeral,
    dimension: Option<Dimension>,
    (low, high): (f64, f64),
    whole: Range<usize>,
    noun: Option<Phrase>,
) -> Mention {
    let mut clause = clause(tokens, &whole);
    if let Some(noun) = noun.as_ref().filter(|noun| noun.tokens.start > clause.end) {
        clause.end = beside::clause(tokens, &noun.tokens).end;
    }
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let ahead = |count: usize| {
        let from = whole.start.saturating_sub(count).max(clause.start);
        tokens.get(from..whole.start).unwrap_or_default()
    };
    let after = whole.end;
    // "40 of each colour" is no part of something.
    let of_some = dimension.is_none() && word(after) == "of" && !matches!(word(after + 1), "each" | "every");
    let more_or_less =
        dimension.is_some() && (word(after) == "or" || matches!(word(after), "more" | "less" | "extra" | "further"));
    let every = ahead(1).iter().any(|token| token.is("every"));
    let from = whole.start.saturating_sub(3);
    let done = noun.as_ref().is_some_and(|noun| noun.tokens.start == after);
    // "Set up three cups" is no bound, "up to three cups" is one.
    let bound = |token: &Token| match token.word.as_str() {
        // A hypothesis often begins with what will be done.
        "if" => {
            let begun = matches!((from, word(1)), (0, "we" | "each" | "every" | "i"));
            !(begun || from == 0 && is_added(tokens, after))
        }
        "up" => tokens.get(whole.start.wrapping_sub(1)).is_some_and(|token| token.is("to")),
        // "Until you have five samples"
        "until" | "till" => !lists!("have are 've", word(whole.start.wrapping_sub(1))),
        "rest" => ahead(4).iter().any(|token| token.is("the")),
        word => PARTIAL_BEFORE.has(word),
    };
    // "Launches: five at each angle"
    let at_each = matches!(word(after), "at" | "of") && matches!(word(after + 1), "each" | "every");
    // In "most of the six plants" there are six.
    let all =
        lists!("the our your these", word(whole.start.wrapping_sub(1))) && word(whole.start.wrapping_sub(2)) == "of";
    let partial = !all && ahead(3).iter().any(bound)
        || of_some
        || more_or_less
        || (dimension.is_none() && !done && PARTIAL_AFTER.contains(&word(after)) && !at_each);
    let around = tokens.get(clause.clone()).unwrap_or_default();
    // In "into each of the four jars" the jars are not so many of each.
    let counts = |at: usize| at < whole.start && whole.start < at + 4 && word(at + 1) == "of";
    let begin = noun.as_ref().map_or(whole.end, |noun| noun.tokens.start.max(whole.end));
    let each = around.iter().position(|token| token.is_one_of(&["each", "every", "per", "apiece"]));
    let each = each.map(|at| clause.start + at).filter(|at| !counts(*at));
    let per = each.and_then(|at| per(tokens, at, begin));
    let (per, per_count) = per.unzip();
    Mention {
        attribute: attribute(tokens, &whole, noun.as_ref(), dimension),
        about: ahead(2).iter().any(|token| {
            token.is_one_of(&["about", "approximately", "approx", "roughly", "around", "~", "≈", "ca", "some"])
        }),
        all: ahead(2).iter().any(|token| token.is_one_of(&["all", "both"])),
        definite: ahead(2)
            .iter()
            .any(|token| token.is_one_of(&["the", "all", "our", "your", "these", "those", "their", "both"])),
        topics: nouns::topics(around),
        dimension,
        low,
        high,
        numeral,
        tokens: whole,
        clause,
        noun,
        per,
        per_count: per_count.flatten(),
        every,
        partial,
        rough: false,
    }
}

/// "If 20 g of salt is added": what comes after an amount tells that it will be.
fn is_added(tokens: &[Token], after: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    (after..after + 4).any(|at| {
        lists!("is are", word(at))
            && lists!("added dissolved mixed put used poured stirred given sprinkled placed", word(at + 1))
    })
}

impl Mention {
    /// "The 250 mL beaker", "to the 250 mL mark".
    fn is_capacity(&self, tokens: &[Token]) -> bool {
        let word = tokens.get(self.tokens.end).map_or("", |token| token.word.as_str());
        let before = |back: usize| self.tokens.start.checked_sub(back).and_then(|at| tokens.get(at));
        let is = |token: Option<&Token>, words: &[&str]| token.is_some_and(|token| token.is_one_of(words));
        // "Cups that hold 300 mL"
        let held = || {
            is(before(1), &["hold", "holds", "holding"]) && is(before(2), &["that", "which"])
                || is(before(1), &["of"]) && is(before(2), &["capacity"])
                || is(before(1), &["of"]) && before(2).is_some_and(|vessel| VESSELS.has(&vessel.lemma))
        };
        let vessel =
            || self.noun.as_ref().is_some_and(|noun| VESSELS.has(&noun.head) && noun.tokens.start >= self.tokens.end);
        self.dimension.is_some() && word != "of" && (vessel() || held())
    }

    /// Whether both can be the same amount.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let rough = self.rough != other.rough && self.dimension.is_some();
        self.agrees_with_amount(other.low, other.high, other.about || rough)
    }

    /// Whether it can be this amount.
    pub fn agrees_with_amount(&self, low: f64, high: f64, about: bool) -> bool {
        let share = if self.about || about { 0.15 } else { 0.01 };
        let slack = share * self.high.abs().max(high.abs());
        self.low <= high + slack && low <= self.high + slack
    }

    /// Whether it is a whole number of times the other, two or more.
    pub fn is_multiple_of(&self, other: &Self) -> bool {
        if other.low <= 0.0 {
            return false;
        }
        let ratio = self.low / other.low;
        ratio > 1.5 && ratio < 61.0 && (ratio - ratio.round()).abs() < 0.01
    }

    /// Whether both measure the same dimension, at the same rate or at none, or both count.
    pub fn comparable(&self, other: &Self) -> bool {
        self.dimension == other.dimension && beside::rate(self) == beside::rate(other)
    }

    /// Whether they are of each of different things.
    pub fn per_differs(&self, other: &Self) -> bool {
        match (&self.per, &other.per) {
            // "Onto the stem of each one"
            (Some(one), Some(of)) if one == "one" || of == "one" || nouns::same_noun(one, of) => false,
            (Some(_), Some(_)) => beside::rate(self).is_none() || beside::rate(self) != beside::rate(other),
            _ => false,
        }
    }

    /// How many topics both clauses share.
    pub fn shared(&self, other: &[String]) -> usize {
        self.topics.iter().filter(|topic| other.contains(topic)).count()
    }

    /// The number and its unit, and where they stand.
    pub fn words<'c>(&self, text: &Text<'c>) -> (&'c str, Range<usize>) {
        let bytes = bytes_of(&text.tokens, &self.tokens);
        (text.slice(&bytes), bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lesson::{Lesson, Role};
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Vec<String> {
        let content = json!({ "steps": [{ "text": text }] });
        let lesson = Lesson::of(content.as_object().expect("an object"));
        let step = lesson.text(Role::Step(0)).expect("a step");
        let told = |mention: Mention| {
            let noun = mention.noun.map_or("-".to_owned(), |noun| {
                noun.modifiers.iter().chain([&noun.head]).cloned().collect::<Vec<_>>().join(" ")
            });
            let mut told = format!("{} {noun}", mention.low);
            for (holds, word) in [(mention.partial, "partial"), (mention.definite, "definite")] {
                if holds {
                    told = format!("{told} {word}");
                }
            }
            mention.per.map_or(told.clone(), |per| format!("{told} per {per}"))
        };
        mentions(step).into_iter().map(told).collect()
    }

    #[test]
    fn an_amount_has_its_noun_on_either_side() {
        for (text, found) in [
            ("Pour 50 mL of warm tap water into each cup", "50 warm water per cup"),
            ("Volume of water: 50 mL in each cup", "50 water per cup"),
            ("Water (50 mL)", "50 water"),
            ("Water temperature: 20 °C", "20 water"),
            ("Number of turns: 40", "40 turn"),
            ("Lay out six earthworms.", "6 earthworm"),
            ("Take two of the six worms", "6 worm definite"),
            ("Add another 5 g of salt", "5 salt partial"),
            ("Use the 250 mL beaker", ""),
            ("Work in four groups, see step 3", ""),
            ("Add 15 mL (1 tablespoon) of oil", "15 oil"),
        ] {
            assert_eq!(read(text).join(","), found, "{text}");
        }
    }
}
