//! Words: a text cut into tokens that keep their place, and the form in which words are compared.

use std::borrow::Cow;
use std::ops::Range;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// What stands there, in lower case.
    pub word: String,
    /// The form in which it is compared.
    pub lemma: String,
    /// What it is.
    pub kind: Kind,
    /// The number of its sentence, from zero.
    pub sentence: usize,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Letters, with apostrophes inside.
    Word,
    /// Digits with their separators, or a fraction sign, and what they amount to.
    Number(f64),
    /// Any other single character that is no white space.
    Sign,
}

impl Token {
    /// Whether it is this word (lower case) or sign.
    pub fn is(&self, word: &str) -> bool {
        self.word == word
    }

    /// Whether it is one of these words or signs.
    pub fn is_one_of(&self, words: &[&str]) -> bool {
        words.contains(&self.word.as_str())
    }

    /// Whether it is a word of letters.
    pub fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }
}

/// A sentence of more tokens is none that anybody reads: it is taken for several, since matchers look through a whole
/// sentence for each of its words.
const LONGEST_SENTENCE: usize = 250;

/// Cuts a text into tokens, at most `most` of them.
pub fn tokens(text: &str, most: usize) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut sentence, mut begin) = (0, 0);
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        if tokens.len() == most {
            break;
        }
        if first.is_whitespace() {
            if first == '\n' {
                (sentence, begin) = (sentence + 1, tokens.len());
            }
            continue;
        }
        let mut end = start + first.len_utf8();
        let kind = if first.is_alphabetic() {
            while let Some((at, next)) = rest.peek().copied() {
                let apostrophe = matches!(next, '\'' | '’')
                    && text[at + next.len_utf8()..].chars().next().is_some_and(char::is_alphabetic);
                if !next.is_alphabetic() && !apostrophe {
                    break;
                }
                end = at + next.len_utf8();
                rest.next();
            }
            Kind::Word
        } else if first.is_ascii_digit() {
            end = start + number_length(&text[start..]);
            while rest.next_if(|(at, _)| *at < end).is_some() {}
            text[start..end].replace(',', "").parse().map_or(Kind::Sign, Kind::Number)
        } else {
            fraction(first).map_or(Kind::Sign, Kind::Number)
        };
        let word = lower(&text[start..end]);
        let ends = kind == Kind::Sign && ends_a_sentence(first, &text[end..], tokens.last());
        let lemma = if kind == Kind::Word { lemma(&word) } else { word.clone() };
        tokens.push(Token { bytes: start..end, lemma, word, kind, sentence });
        if ends || tokens.len() - begin >= LONGEST_SENTENCE {
            (sentence, begin) = (sentence + 1, tokens.len());
        }
    }
    tokens
}

/// A word in lower case, with plain apostrophes.
fn lower(word: &str) -> String {
    if word.is_ascii() { word.to_ascii_lowercase() } else { word.to_lowercase().replace('’', "'") }
}

/// How many bytes at the beginning of `text` are one number: `1,000`, `2.5`, `20`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let mut length = digits(0);
    if length <= 3 {
        while bytes.get(length) == Some(&b',') && digits(length + 1) == 3 {
            length += 4;
        }
    }
    match digits(length + 1) {
        decimals if decimals > 0 && bytes.get(length) == Some(&b'.') => length + 1 + decimals,
        _ => length,
    }
}

fn fraction(sign: char) -> Option<f64> {
    Some(match sign {
        '½' => 0.5,
        '¼' => 0.25,
        '¾' => 0.75,
        '⅓' => 1.0 / 3.0,
        '⅔' => 2.0 / 3.0,
        '⅛' => 0.125,
        _ => return None,
    })
}

/// Abbreviations whose point ends no sentence.
const ABBREVIATIONS: [&str; 22] = [
    "approx", "ca", "cf", "dr", "e", "eg", "etc", "fig", "ft", "g", "hr", "hrs", "i", "ie", "in", "min", "mins", "mr",
    "ms", "no", "oz", "vs",
];

fn ends_a_sentence(sign: char, rest: &str, before: Option<&Token>) -> bool {
    match sign {
        '!' | '?' | ';' => true,
        '.' => {
            let next = rest.trim_start().chars().next();
            let abbreviated = before.is_some_and(|token| token.is_one_of(&ABBREVIATIONS));
            // After an abbreviation only a capital begins a sentence.
            rest.starts_with(char::is_whitespace) && (!abbreviated || next.is_some_and(char::is_uppercase))
        }
        _ => false,
    }
}

/// Plurals that follow no rule, sorted, with their singulars.
const IRREGULAR: [(&str, &str); 32] = [
    ("algae", "alga"),
    ("axes", "axis"),
    ("bacteria", "bacterium"),
    ("buses", "bus"),
    ("children", "child"),
    ("crises", "crisis"),
    ("dice", "die"),
    ("feet", "foot"),
    ("fungi", "fungus"),
    ("gases", "gas"),
    ("geese", "goose"),
    ("glasses", "glass"),
    ("halves", "half"),
    ("hypotheses", "hypothesis"),
    ("knives", "knife"),
    ("larvae", "larva"),
    ("leaves", "leaf"),
    ("lenses", "lens"),
    ("lice", "louse"),
    ("lives", "life"),
    ("loaves", "loaf"),
    ("matches", "match"),
    ("men", "man"),
    ("mice", "mouse"),
    ("pence", "penny"),
    ("people", "person"),
    ("pupae", "pupa"),
    ("series", "series"),
    ("shelves", "shelf"),
    ("teeth", "tooth"),
    ("women", "woman"),
    ("woodlice", "woodlouse"),
];

/// The form in which nouns are compared: lower case and singular.
pub fn singular(word: &str) -> Cow<'_, str> {
    // What ends otherwise is no plural.
    if !word.ends_with(['s', 'a', 'e', 'i', 'n', 'h', 't']) {
        return word.into();
    }
    let irregular = IRREGULAR.binary_search_by_key(&word, |(plural, _)| plural).ok();
    if let Some((_, singular)) = irregular.and_then(|at| IRREGULAR.get(at)) {
        return (*singular).into();
    }
    if !word.ends_with('s') {
        return word.into();
    }
    let stem = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() >= 2);
    if let Some(stem) = stem("ies").filter(|stem| stem.len() > 2) {
        return format!("{stem}y").into();
    }
    for ending in ["sses", "shes", "ches", "xes", "zes", "oes"] {
        if stem(ending).is_some() {
            return word[..word.len() - 2].into();
        }
    }
    match stem("s") {
        Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i', '\'']) => stem.into(),
        _ => word.into(),
    }
}

/// Spellings of one word that differ, as one.
pub fn spelled_alike(word: &str) -> &str {
    match word {
        "meter" => "metre",
        "liter" => "litre",
        "color" => "colour",
        "colored" => "coloured",
        "vapor" => "vapour",
        "mold" => "mould",
        "gray" => "grey",
        "aluminum" => "aluminium",
        "sulfur" => "sulphur",
        "fiber" => "fibre",
        "center" => "centre",
        other => other,
    }
}

/// The form in which content words are compared: singular, in one spelling.
pub fn lemma(word: &str) -> String {
    match singular(word) {
        Cow::Borrowed(singular) => spelled_alike(singular).to_owned(),
        Cow::Owned(singular) => spelled_alike(&singular).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        tokens(text, 100).into_iter().map(|token| token.word).collect()
    }

    #[test]
    fn a_text_is_cut_into_words_numbers_and_signs() {
        assert_eq!(cut("Pour 1,250.5mL in; don't"), ["pour", "1,250.5", "ml", "in", ";", "don't"]);
        assert_eq!(cut("2-3 cm, 20°C ½"), ["2", "-", "3", "cm", ",", "20", "°", "c", "½"]);
        let numbers: Vec<_> = tokens("1,000 1,50 3.", 9).into_iter().map(|token| token.kind).collect();
        assert_eq!(numbers[..1], [Kind::Number(1000.0)]);
        assert_eq!(tokens("a b c d", 2).len(), 2);
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        let sentences = |text: &str| tokens(text, 100).last().map(|token| token.sentence);
        assert_eq!(sentences("Wait 5 min. then stir"), Some(0));
        assert_eq!(sentences("Wait 5 min. Then stir"), Some(1));
        assert_eq!(sentences("Use 2.5 g e.g. salt"), Some(0));
        assert_eq!(sentences("One. Two! Three"), Some(2));
    }

    #[test]
    fn nouns_are_compared_in_the_singular_and_in_one_spelling() {
        for (word, form) in [
            ("beakers", "beaker"),
            ("leaves", "leaf"),
            ("batteries", "battery"),
            ("glass", "glass"),
            ("boxes", "box"),
            ("potatoes", "potato"),
            ("cactus", "cactus"),
            ("meters", "metre"),
            ("dishes", "dish"),
            ("masses", "mass"),
            ("gas", "gas"),
        ] {
            assert_eq!(lemma(word), form);
        }
    }
}
