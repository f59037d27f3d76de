//! Mentions: the amounts of a text, each with the noun it counts and the words that say how far it holds.

use std::ops::Range;
use std::sync::LazyLock;

use super::lesson::Text;
use super::nouns::{self, ATTRIBUTES, Phrase, Words};
use super::numbers::{Numeral, bytes_of};
use super::quantities::unit_at;
use super::units::Dimension;
use super::words::{Kind, Token, lemma};

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
    /// The stems of the content words of its clause.
    pub topics: Vec<String>,
}

/// Words up to three tokens before an amount that make it a bound or a part.
static PARTIAL_BEFORE: Words = LazyLock::new(|| {
    "least most more less fewer than under over within maximum minimum max limit another additional extra \
         further other remaining next last first final half by second up only every any either exceed if \
         instead not beyond nearly almost until till reach reaches rest say example"
        .split(' ')
        .collect()
});
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
static UNCOUNTED: Words = LazyLock::new(|| {
    "student pupil child learner kid group team pair class person partner member table friend volunteer \
         step question sentence point mark reason thing way word paragraph side time page idea example column \
         row grade minute hour day week second month year lesson session period finger hand eye part number \
         job role fact answer line label picture drawing decimal place figure quarter third half piece colour \
         letter axis corner position difference similarity scientist girl boy station site bar percent degree \
         unit level set shape type kind clue foursome adult teacher direction condition material graph curve \
         value digit data crew monitor one claim variable feature property factor meter metre mile dimension \
         use source chart star planet term"
        .split(' ')
        .collect()
});
/// Words right before a number that make it a name.
static NAMED: Words = LazyLock::new(|| {
    "step steps trial trials figure fig page number no grade year group class part section row station \
         site table chapter unit week day lesson level round tube cup question room lab experiment test run \
         type stage ks key cpac criterion sample team x × ÷ / * = + − - # factor"
        .split(' ')
        .collect()
});
/// What a volume stands before without being its content.
static VESSELS: Words = LazyLock::new(|| {
    "beaker cylinder flask bottle jar jug syringe pipette burette mark line graduation container tube \
         bucket bowl tub pot can bag basin tank level measure pitcher box point cup vial scale division"
        .split(' ')
        .collect()
});

/// Every amount of a text in order.
pub fn mentions(text: &Text<'_>) -> Vec<Mention> {
    let tokens = text.tokens.as_slice();
    let mut found: Vec<Mention> = Vec::new();
    for numeral in text.numerals() {
        let (start, end) = (numeral.tokens.start, numeral.tokens.end);
        let before = start.checked_sub(1).and_then(|before| tokens.get(before));
        // "(1 tablespoon)" after an amount says it once more.
        let again = before.is_some_and(|token| token.is_one_of(&["(", "="]))
            && found.last().is_some_and(|last| last.tokens.end + 1 == start);
        let multiplied = tokens.get(end).is_some_and(|token| token.is_one_of(&["x", "×", "*", "/", "+", "="]));
        if again || multiplied || before.is_some_and(|token| NAMED.contains(token.word.as_str())) {
            continue;
        }
        let hyphen = tokens.get(end).is_some_and(|token| token.is_one_of(&["-", "–"]));
        let amount = unit_at(text.text, tokens, end + usize::from(hyphen));
        found.extend(match amount {
            Some((unit, end)) => {
                let (low, high) = (unit.to_base(numeral.low), unit.to_base(numeral.high));
                let beside = |side: Side| side.noun(tokens, start, end, false);
                let noun = beside(Side::Right).or_else(|| beside(Side::Left));
                // Four cups of water are so much water; four cups are four cups.
                let vessels = noun.is_none()
                    && end.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|t| t.is_one_of(&["cup", "cups"]));
                if vessels {
                    counted(tokens, numeral)
                } else {
                    Some(mention(
                        tokens,
                        numeral,
                        Some(unit.dimension),
                        (low.min(high), low.max(high)),
                        start..end,
                        noun,
                    ))
                }
            }
            None if hyphen || numeral.low < 1.0 => None,
            None => counted(tokens, numeral),
        });
    }
    found.retain(|mention| !mention.is_capacity(tokens));
    found
}

fn counted(tokens: &[Token], numeral: Numeral) -> Option<Mention> {
    let whole = numeral.tokens.clone();
    let plural = numeral.high != 1.0;
    let noun = Side::Right.noun(tokens, whole.start, whole.end, plural);
    let noun = match noun {
        Some(noun) if plural && !nouns::is_plural(&tokens.get(noun.tokens.end.checked_sub(1)?)?.word) => return None,
        Some(noun) => noun,
        None => Side::Left.noun(tokens, whole.start, whole.end, plural)?,
    };
    let amounts = (numeral.low, numeral.high);
    let counted = !UNCOUNTED.contains(noun.head.as_str()) && !ATTRIBUTES.contains(&noun.head.as_str());
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
        clause.end = self::clause(tokens, &noun.tokens).end;
    }
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let ahead = |count: usize| {
        let from = whole.start.saturating_sub(count).max(clause.start);
        tokens.get(from..whole.start).unwrap_or_default()
    };
    let after = whole.end;
    let of_some = dimension.is_none() && word(after) == "of";
    let more_or_less =
        dimension.is_some() && (word(after) == "or" || matches!(word(after), "more" | "less" | "extra" | "further"));
    let every = ahead(1).iter().any(|token| token.is("every"));
    let partial =
        ahead(3).iter().any(|token| PARTIAL_BEFORE.contains(token.word.as_str()) && !(token.is("every") && every))
            || of_some
            || more_or_less
            || (dimension.is_none() && PARTIAL_AFTER.contains(&word(after)));
    let around = tokens.get(clause.clone()).unwrap_or_default();
    let per = around.iter().position(|token| token.is_one_of(&["each", "every", "per", "apiece"])).and_then(|at| {
        // In "clean eight nails and put two in each tube" it is two of each tube, not eight.
        let begin = noun.as_ref().map_or(whole.end, |noun| noun.tokens.start.max(whole.end));
        let between = tokens.get(begin..clause.start + at).unwrap_or_default();
        let other = |token: &Token| {
            matches!(token.kind, Kind::Number(_)) || super::numbers::small_number(&token.word).is_some()
        };
        if between.iter().any(other) {
            return None;
        }
        let phrase = nouns::phrase(tokens, clause.start + at + 1, false)?;
        Some(phrase.head)
    });
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
        every,
        partial,
    }
}

/// The tokens around an amount between signs, and within its sentence.
fn clause(tokens: &[Token], whole: &Range<usize>) -> Range<usize> {
    let sentence = tokens.get(whole.start).map_or(0, |token| token.sentence);
    let ends =
        |token: &&Token| token.sentence != sentence || token.is_one_of(&[",", ";", ":", "(", ")", "–", "—", "•"]);
    let before = tokens.get(..whole.start).unwrap_or_default();
    let start = before.iter().rposition(|token| ends(&token)).map_or(0, |at| at + 1);
    let behind = tokens.get(whole.end..).unwrap_or_default();
    let end = behind.iter().position(|token| ends(&token)).map_or(tokens.len(), |at| whole.end + at);
    start..end
}

/// On which side of an amount its noun stands.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn noun(self, tokens: &[Token], start: usize, end: usize, plural: bool) -> Option<Phrase> {
        match self {
            Side::Right => {
                // "15 mL (1 tablespoon) of buffer"
                let bracket = tokens.get(end).is_some_and(|token| token.is("("));
                let closed = tokens.iter().enumerate().skip(end).take(8).find(|(_, token)| bracket && token.is(")"));
                let behind =
                    closed.map(|(at, _)| at + 1).filter(|at| tokens.get(*at).is_some_and(|token| token.is("of")));
                let phrase = nouns::phrase(tokens, behind.unwrap_or(end), plural)?;
                // What stands in the next sentence is not counted.
                let sentence = |at: usize| tokens.get(at).map(|token| token.sentence);
                (sentence(phrase.tokens.start) == sentence(start)).then_some(phrase)
            }
            Side::Left => {
                let joint = start.checked_sub(1)?;
                let skip = usize::from(tokens.get(joint)?.is_one_of(&["about", "is"]));
                let joint = joint.checked_sub(skip)?;
                if skip == 0 && !tokens.get(joint)?.is_one_of(&[":", "(", "=", ","]) {
                    return None;
                }
                let joint = joint + usize::from(skip == 1 && !tokens.get(joint)?.is_one_of(&[":", "(", "=", ","]));
                let whole = clause(tokens, &(joint..joint));
                let before = tokens.get(..joint)?;
                let measured = |at: usize| {
                    let token = at.checked_sub(1).and_then(|at| tokens.get(at));
                    token.is_some_and(|token| ATTRIBUTES.contains(&lemma(&token.word).as_str()))
                };
                let of = before
                    .iter()
                    .enumerate()
                    .skip(whole.start)
                    .find(|(at, token)| token.is("of") && measured(*at))
                    .map(|(at, _)| at);
                let phrase = nouns::phrase(before, of.unwrap_or(whole.start), plural)?;
                attribute_of(&phrase).map_or(Some(phrase.clone()), |_| {
                    // The "water temperature" is one of water.
                    let (head, modifiers) = phrase.modifiers.split_last()?;
                    Some(Phrase { head: head.clone(), modifiers: modifiers.to_vec(), tokens: phrase.tokens.clone() })
                })
            }
        }
    }
}

fn attribute_of(phrase: &Phrase) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|known| **known == phrase.head).copied()
}

/// What of a thing is measured, from the words around the amount.
fn attribute(
    tokens: &[Token],
    whole: &Range<usize>,
    noun: Option<&Phrase>,
    dimension: Option<Dimension>,
) -> Option<&'static str> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let sentence = tokens.get(whole.start)?.sentence;
    let before: Vec<&Token> =
        tokens.get(whole.start.saturating_sub(8)..whole.start)?.iter().filter(|t| t.sentence == sentence).collect();
    let close =
        before.iter().rev().take(3).find_map(|token| ATTRIBUTES.iter().find(|known| **known == lemma(&token.word)));
    let named = close.or_else(|| {
        before.iter().rev().find_map(|token| ATTRIBUTES.iter().find(|known| **known == lemma(&token.word)))
    });
    let dropped = || {
        before.iter().any(|token| {
            token.is_one_of(&["drop", "release", "dropped", "released", "fall", "drops", "falls", "dropping"])
        })
    };
    let after = if dimension == Some(Dimension::Length) {
        match word(whole.end) {
            "above" | "high" | "tall" | "up" => Some("height"),
            "from" | "away" | "apart" | "between" => Some("distance"),
            "long" => Some("length"),
            "deep" => Some("depth"),
            "thick" => Some("thickness"),
            "wide" => Some("width"),
            _ if word(whole.start.wrapping_sub(1)) == "from" && dropped() => Some("height"),
            _ => None,
        }
    } else {
        None
    };
    let named = after.or(named.copied()).or_else(|| noun.and_then(attribute_of))?;
    Some(match named {
        "weight" => "mass",
        "gap" | "spacing" | "separation" => "distance",
        "duration" | "period" => "time",
        "diameter" => "width",
        "quantity" | "dose" | "portion" => "amount",
        other => other,
    })
}

impl Mention {
    /// "The 250 mL beaker", "to the 250 mL mark".
    fn is_capacity(&self, tokens: &[Token]) -> bool {
        let word = tokens.get(self.tokens.end).map_or("", |token| token.word.as_str());
        self.dimension.is_some()
            && word != "of"
            && self
                .noun
                .as_ref()
                .is_some_and(|noun| VESSELS.contains(noun.head.as_str()) && noun.tokens.start >= self.tokens.end)
    }

    /// Whether both can be the same amount.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.agrees_with_amount(other.low, other.high, other.about)
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

    /// Whether both measure the same dimension, or both count.
    pub fn comparable(&self, other: &Self) -> bool {
        self.dimension == other.dimension
    }

    /// Whether they are of each of different things.
    pub fn per_differs(&self, other: &Self) -> bool {
        match (&self.per, &other.per) {
            (Some(one), Some(other)) => !nouns::same_noun(one, other),
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
