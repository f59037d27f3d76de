//! Noun phrases: what a number or a quantity counts, as a head noun and its modifiers.
//!
//! There is no grammar here: a phrase is a run of words between words that cannot belong to one.

use std::ops::Range;

use super::lists::{List, list, lists};
use super::words::{Token, lemma};

/// So many words of a phrase are read.
const MAX_WORDS: usize = 5;

/// A noun with what stands before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    /// The noun, singular: `washer`.
    pub head: String,
    /// The words before it that tell it from others of its kind, singular: `steel`.
    pub modifiers: Vec<String>,
    /// All its tokens, without articles.
    pub tokens: Range<usize>,
}

/// Words that end a noun phrase, or cannot begin one.
static ENDS: List = list!(
    "four five six seven eight nine ten eleven twelve twenty thirty fifty hundred a about above across \
         add after again against all along also although always an and any apart are around as at away back \
         be because been before begin behind below beneath beside between beyond both but by can carefully \
         could deep did do does down during each either else even evenly ever every exactly first for from \
         gently go goes had has have he her here high his how i if in inside instead into is it its just last \
         later less long make makes may might more most must my near need needs neither never next no nor not \
         now of off on once one only onto or other our out outside over per please put quickly rather record \
         remain repeat round shall she should since slowly so some still such tall than that the their \
         them then there they thick this those three through throughout till time times to together too \
         toward towards two under underneath unless until up upon us use using very via wait was we were what \
         when whenever where whether which while who whose why wide will with within without would yet you \
         your he's made taken take used let these apiece altogether halfway midway upright sideways upside \
         indoors outdoors",
);

/// Verbs that follow a noun and so end its phrase, and yet tell what a text is about.
static VERBS: List = list!(
    "stir fall falls drip drips trickle trickles soak soaks settle settles flow flows hold holds contain contains get \
         gets receive receives lasts weighs stays sits lies hangs floats sinks melts dissolves evaporates becomes \
         freezes boils rises reacts reaches loses gains starts begins keeps travels germinates \
         sprouts",
);

/// Words before a noun that tell nothing of its kind.
static NEUTRAL: List = list!(
    "same fresh whole single identical new clean full equal separate different similar own such dry \
         individual total complete empty good further extra steady healthy live living plain ordinary \
         standard normal tap kind type brand level little tiny nice full-sized spare constant given chosen \
         correct measured appropriate relevant respective corresponding prepared required necessary \
         matching prescribed",
);

/// Articles and the like before a noun phrase.
pub const ARTICLES: &[&str] =
    &["the", "a", "an", "your", "our", "their", "its", "his", "her", "this", "these", "those", "that", "my"];

/// What a material is called: the noun phrase before the first comma or bracket of its name.
pub fn material(name: &super::lesson::Text) -> Option<Phrase> {
    name.material().cloned()
}

pub(super) fn read_material(name: &super::lesson::Text) -> Option<Phrase> {
    // "250 cm³ beaker", "2-litre bottle"
    let size = super::numbers::numeral(&name.tokens, 0).map_or(0, |numeral| {
        let end = numeral.tokens.end;
        let hyphen = usize::from(name.word(end) == "-");
        super::quantities::unit_at(name.text, &name.tokens, end + hyphen).map_or(end, |(_, end)| end)
    });
    // "A.C. voltmeter", "d.c. supply"
    let letter = |at: usize| name.word(at).len() == 1 && name.tokens.get(at).is_some_and(Token::is_word);
    let mut size = size;
    while letter(size) && name.word(size + 1) == "." {
        size += 2;
    }
    let begins = |token: &Token| token.is_word() && (!ENDS.has(&token.word) || token.is("can"));
    let start = name.tokens.iter().skip(size).position(begins)? + size;
    let of = name.tokens.get(start + 1).is_some_and(|token| token.is("of"));
    // "Plastic bottles cut in half": what was done to them is no part of the name.
    let done = |at: &usize| {
        name.tokens
            .get(*at)
            .is_some_and(|token| token.is_one_of(&["cut", "split", "made", "filled", "joined", "painted"]))
            && name.tokens.get(at + 1).is_some_and(|token| token.is_one_of(&["in", "into", "with", "to", "by", "off"]))
    };
    let stop = (start + 1..name.tokens.len()).find(done).unwrap_or(name.tokens.len());
    phrase(name.tokens.get(..stop)?, if of { start + 1 } else { start }, false)
}

/// Names of one thing.
const SAME: &[&[&str]] = &[
    &["worm", "earthworm"],
    &["bulb", "lamp", "lightbulb"],
    &["battery", "cell"],
    &["cylinder", "graduate"],
    &["stopwatch", "timer", "stopclock"],
    &["tub", "container"],
    &["petri", "dish"],
    &["acid", "hcl"],
    &["trial", "run", "repeat", "launch", "throw"],
    &["turn", "coil", "winding", "loop"],
    &["weight", "mass", "load"],
    &["marble", "ball"],
    &["bicarbonate", "hydrogencarbonate", "bicarb"],
    &["thread", "string"],
    &["lead", "wire"],
    &["jar", "pot"],
    &["soap", "detergent"],
    &["reading", "measurement"],
    &["slater", "woodlouse", "isopod", "woodlice"],
    &["grub", "larva", "mealworm"],
    &["round", "trial"],
    &["repeat", "repetition"],
];

/// Whether both nouns (singular) can name one thing.
pub fn same_noun(one: &str, other: &str) -> bool {
    one == other || SAME.iter().any(|names| names.contains(&one) && names.contains(&other))
}

/// Whether a word cannot belong to a noun phrase.
pub fn ends_a_phrase(token: &Token) -> bool {
    VERBS.has(&token.word) || is_empty(token)
}

fn is_empty(token: &Token) -> bool {
    const NOUNS: [&str; 9] =
        ["supply", "family", "jelly", "assembly", "butterfly", "dragonfly", "belly", "mayfly", "anomaly"];
    let adverb = token.word.len() > 4 && token.word.ends_with("ly") && !token.is_one_of(&NOUNS);
    !token.is_word() || ENDS.has(&token.word) || adverb
}

/// Whether a word is written in the plural.
pub fn is_plural(word: &str) -> bool {
    super::words::singular(word) != word
}

/// The noun phrase that begins at a token, after `of` and articles. Of a `plural` one the head is its last plural.
pub fn phrase(tokens: &[Token], at: usize, plural: bool) -> Option<Phrase> {
    let mut start = at;
    while tokens.get(start).is_some_and(|token| token.is("of") || token.is_one_of(ARTICLES)) && start < at + 3 {
        start += 1;
    }
    let mut end = start;
    while let Some(token) = tokens.get(end).filter(|_| end < start + 2 * MAX_WORDS) {
        let hyphen = token.is("-") && end > start && tokens.get(end + 1).is_some_and(Token::is_word);
        // "A metal can with lid" is no verb.
        let can = token.is("can")
            && (end > start || at == 0)
            && tokens.get(end + 1).is_none_or(|next| !next.is_word() || next.is_one_of(&["with", "of"]));
        if !hyphen && !can && ends_a_phrase(token) {
            break;
        }
        end += 1;
    }
    // "copper(II) sulfate"
    let numbered = |at: usize| {
        tokens.get(at).is_some_and(|token| token.is("("))
            && tokens.get(at + 2).is_some_and(|token| token.is(")"))
            && tokens.get(at + 1).is_some_and(|token| token.is_one_of(&["i", "ii", "iii", "iv", "v", "vi", "vii"]))
    };
    if end > start && numbered(end) {
        let rest = phrase(tokens, end + 3, plural)?;
        let before = tokens.get(start..end)?.iter().map(|token| token.lemma.clone());
        let modifiers = before.chain(rest.modifiers).collect();
        return Some(Phrase { head: rest.head, modifiers, tokens: start..rest.tokens.end });
    }
    let words = tokens.get(start..end)?;
    let last_plural = words.iter().rposition(|token| is_plural(&token.word)).filter(|_| plural);
    let participle = |token: &Token| {
        token.word.len() > 4 && token.word.ends_with("ed") && !token.word.ends_with("eed")
            || token.is_one_of(&["hung", "held", "kept", "drawn", "given", "ground", "spread", "laid", "left"])
    };
    let last = match last_plural {
        Some(last) => last,
        None => words.iter().rposition(|token| token.is_word() && !participle(token))?,
    };
    let mut head = words.get(last)?.lemma.clone();
    let modifier = |token: &&Token| token.is_word() && !NEUTRAL.has(&token.word);
    let modifiers = words.iter().take(last).filter(modifier).map(|token| token.lemma.clone());
    let mut modifiers: Vec<String> = modifiers.collect();
    // A solution of copper sulfate is asked for as copper sulfate.
    if matches!(head.as_str(), "solution" | "powder" | "granule" | "crystal" | "liquid")
        && let Some(substance) = modifiers.pop()
    {
        head = substance;
    }
    Some(Phrase { head, modifiers, tokens: start..start + last + 1 })
}

impl Phrase {
    /// Whether both can be about the same thing: one head, and no modifiers that tell them apart.
    pub fn fits(&self, other: &Self) -> bool {
        let known =
            |modifier: &String, of: &Self| of.head == *modifier || of.modifiers.iter().any(|m| same_noun(m, modifier));
        let all_known = |one: &Self, of: &Self| one.modifiers.iter().all(|modifier| known(modifier, of));
        same_noun(&self.head, &other.head)
            && (all_known(self, other) || all_known(other, self))
            && !self.is_another_substance_than(other)
            && !other.is_another_substance_than(self)
    }

    /// Salt water is not water.
    fn is_another_substance_than(&self, other: &Self) -> bool {
        const MAKING: [&str; 16] = [
            "salt", "salty", "sugar", "soapy", "lime", "sea", "pond", "rain", "ice", "dirty", "muddy", "vinegar",
            "baking", "coloured", "icy", "saline",
        ];
        // A baking sheet is a sheet.
        let vessel = lists!("sheet tray tin pan dish bowl mould mold bag cube lump crystal packet sachet", &self.head);
        !vessel && self.modifiers.iter().any(|word| MAKING.contains(&word.as_str()) && !other.modifiers.contains(word))
    }
}

/// Words that name what is measured of a thing.
pub const ATTRIBUTES: &[&str] = &[
    "mass",
    "weight",
    "volume",
    "amount",
    "quantity",
    "length",
    "height",
    "distance",
    "depth",
    "width",
    "thickness",
    "diameter",
    "size",
    "time",
    "duration",
    "temperature",
    "angle",
    "number",
    "concentration",
    "strength",
    "voltage",
    "current",
    "speed",
    "spacing",
    "gap",
    "separation",
    "dose",
    "load",
    "area",
    "interval",
    "period",
    "portion",
    "aliquot",
    "span",
];

/// The form in which words of different classes are compared: `stirring`, `stirred` and `stir` are one.
pub fn stem(word: &str) -> String {
    const IRREGULAR: [(&str, &str); 17] = [
        ("thrown", "throw"),
        ("blown", "blow"),
        ("threw", "throw"),
        ("fermentation", "ferment"),
        ("preparation", "prepar"),
        ("respiration", "respir"),
        ("observation", "observ"),
        ("exposure", "expos"),
        ("growth", "grow"),
        ("shaken", "shak"),
        ("shook", "shak"),
        ("frozen", "freez"),
        ("hung", "hang"),
        ("swung", "swing"),
        ("spun", "spin"),
        ("stood", "stand"),
        ("lit", "light"),
    ];
    if let Some((_, stem)) = IRREGULAR.iter().find(|(form, _)| *form == word) {
        return (*stem).to_owned();
    }
    let word = lemma(word);
    let cut = |ending: &str| {
        word.strip_suffix(ending).filter(|rest| rest.len() >= 3 && rest.contains(['a', 'e', 'i', 'o', 'u', 'y']))
    };
    // Acclimatisation and acclimatise
    if let Some(verb) = word.strip_suffix("ation").filter(|verb| verb.ends_with("is") || verb.ends_with("iz")) {
        return verb.to_owned();
    }
    // Incubation, incubator and incubate
    if let Some(verb) =
        ["ation", "ator"].iter().find_map(|ending| word.strip_suffix(ending)).filter(|verb| verb.len() > 4)
    {
        return format!("{verb}at");
    }
    // Reaction and react, immersion and immerse
    let acted = word.strip_suffix("ion").filter(|verb| verb.len() > 4);
    if let Some(verb) = acted.filter(|verb| ["ct", "rs", "pt"].iter().any(|ending| verb.ends_with(ending))) {
        return verb.to_owned();
    }
    let Some(rest) = cut("ing").or_else(|| cut("ed")) else {
        return word.strip_suffix('e').filter(|rest| rest.len() >= 3).map_or(word.clone(), str::to_owned);
    };
    let mut letters = rest.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(a), Some(b)) if a == b && !matches!(a, 'l' | 's' | 'e' | 'o') => {
            rest.chars().take(rest.chars().count() - 1).collect()
        }
        _ => rest.to_owned(),
    }
}

/// Words that tell nothing of what a text is about, beside those that end noun phrases.
static EMPTY: List = list!(
    "same set keep kept place start constant minute second hour day week degree trial test time group \
         student pupil child new fresh equal number run point cm mm ml metre gram litre celsius centimetre \
         mark line step position measure surface side top bottom end room bench table whole left right cm³ \
         held hold fixed stay reading min sec hrs mol kg mg",
);

/// What these tokens are about: the stems of their content words.
pub fn topics(tokens: &[Token]) -> Vec<String> {
    let content = |token: &&Token| {
        token.word.len() > 2 && !is_empty(token) && !NEUTRAL.has(&token.word) && !token.is_one_of(ATTRIBUTES)
    };
    let mut found: Vec<String> =
        tokens.iter().filter(content).filter(|token| !EMPTY.has(&token.lemma)).map(|token| stem(&token.word)).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;
    use super::*;

    fn read(text: &str, plural: bool) -> (String, String) {
        let phrase = phrase(&tokens(text, 50), 0, plural);
        phrase.map_or_else(Default::default, |phrase| (phrase.modifiers.join(" "), phrase.head))
    }

    #[test]
    fn a_phrase_is_a_head_with_modifiers() {
        for (text, plural, modifiers, head) in [
            ("of warm tap water into the cup", false, "warm", "water"),
            ("steel washers as the bob", true, "steel", "washer"),
            ("worms breathe through skin", true, "", "worm"),
            ("of the weakest acid into", false, "weakest", "acid"),
            ("water heated to", false, "", "water"),
            ("radish seeds", true, "radish", "seed"),
        ] {
            assert_eq!(read(text, plural), (modifiers.to_owned(), head.to_owned()), "{text}");
        }
        assert_eq!(phrase(&tokens("into the cup", 9), 0, false), None);
    }

    #[test]
    fn phrases_fit_unless_their_modifiers_tell_them_apart() {
        let fits = |one: &str, other: &str| {
            let read = |text: &str| phrase(&tokens(text, 9), 0, false).expect("a phrase");
            read(one).fits(&read(other))
        };
        assert!(fits("water", "hot water"));
        assert!(fits("worms", "earthworms"));
        assert!(!fits("water", "salt water"));
        assert!(!fits("white moths", "newsprint moths"));
        assert!(!fits("cups", "beakers"));
    }

    #[test]
    fn verbs_and_nouns_of_one_stem_are_one_topic() {
        for (one, other) in [("stirring", "stir"), ("stirred", "stir"), ("shaking", "shake"), ("drops", "dropped")] {
            assert_eq!(stem(one), stem(other));
        }
        assert_eq!(topics(&tokens("Set the lamp 0.25 m from the first tube", 20)), ["lamp", "tub"]);
    }
}
