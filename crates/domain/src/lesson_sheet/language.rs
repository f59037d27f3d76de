//! The language of a lesson, and the direction in which it is read.

use strum::{IntoStaticStr, VariantArray};
use whatlang::{Lang, Script};

use crate::text::beginning;

/// Maximum number of bytes of a text that are examined to guess its language.
const LOOKED_AT: usize = 4000;

/// Languages that are read from right to left, even if the tag names another script.
const RIGHT_TO_LEFT: [&str; 11] = ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ps", "syr", "ur", "yi"];
/// Scripts that are read from right to left, as in the tag `pa-Arab`.
const SCRIPTS_TO_LEFT: [&str; 5] = ["arab", "hebr", "nkoo", "syrc", "thaa"];

/// The direction of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Direction {
    /// From left to right.
    Ltr,
    /// From right to left.
    Rtl,
}

impl Direction {
    /// Returns the direction of a text that is embedded in a text of this direction. It is the other direction only if
    /// all letters of the embedded text have that direction.
    pub fn of(self, text: &str) -> Self {
        match self.other() {
            other if other.is_in(text) && !self.is_in(text) => other,
            _ => self,
        }
    }

    /// Returns the other direction.
    pub const fn other(self) -> Self {
        match self {
            Self::Ltr => Self::Rtl,
            Self::Rtl => Self::Ltr,
        }
    }

    /// Returns whether a text has letters of this direction.
    pub fn is_in(self, text: &str) -> bool {
        text.chars().any(|letter| letter.is_alphabetic() && is_to_left(letter) == (self == Self::Rtl))
    }
}

/// The language of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language {
    /// Its tag (BCP 47), such as `de`.
    pub tag: String,
    /// In which direction the lesson is read.
    pub direction: Direction,
}

impl Language {
    /// Returns the language that a lesson states, or else the one that its text seems to have, or English if that is
    /// unclear.
    pub fn of(stated: Option<&str>, text: &str) -> Self {
        let stated = stated.map(str::trim).filter(|tag| is_tag(tag));
        let tag = stated.map_or_else(|| guess(beginning(text, LOOKED_AT)).to_owned(), str::to_owned);
        Self { direction: direction(&tag), tag }
    }

    /// Returns the first part of the tag in lower case: `pt` for `pt-BR`.
    pub(super) fn primary(&self) -> String {
        self.tag.split('-').next().unwrap_or_default().to_ascii_lowercase()
    }
}

fn is_tag(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let is_language = parts
        .next()
        .is_some_and(|part| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_language && tag.len() <= 35 && parts.all(is_part)
}

fn direction(tag: &str) -> Direction {
    let tag = tag.to_ascii_lowercase();
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    let script = parts.find(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_to_left = match script {
        Some(script) => SCRIPTS_TO_LEFT.contains(&script),
        None => RIGHT_TO_LEFT.contains(&language),
    };
    if is_to_left { Direction::Rtl } else { Direction::Ltr }
}

/// Returns whether a character belongs to a script that is read from right to left.
pub(super) fn is_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

fn guess(text: &str) -> &'static str {
    let Some(found) = whatlang::detect(text) else { return "en" };
    // Many languages use the Latin script, so an unreliable guess among them is treated as unclear.
    if !found.is_reliable() && found.script() == Script::Latin {
        return "en";
    }
    match found.lang() {
        Lang::Ara => "ar",
        Lang::Ben => "bn",
        Lang::Cat => "ca",
        Lang::Ces => "cs",
        Lang::Cmn => "zh",
        Lang::Dan => "da",
        Lang::Deu => "de",
        Lang::Ell => "el",
        Lang::Fin => "fi",
        Lang::Fra => "fr",
        Lang::Heb => "he",
        Lang::Hin => "hi",
        Lang::Hrv => "hr",
        Lang::Hun => "hu",
        Lang::Ind => "id",
        Lang::Ita => "it",
        Lang::Jpn => "ja",
        Lang::Kor => "ko",
        Lang::Nld => "nl",
        Lang::Nob => "nb",
        Lang::Pes => "fa",
        Lang::Pol => "pl",
        Lang::Por => "pt",
        Lang::Ron => "ro",
        Lang::Rus => "ru",
        Lang::Slk => "sk",
        Lang::Spa => "es",
        Lang::Swe => "sv",
        Lang::Tha => "th",
        Lang::Tur => "tr",
        Lang::Ukr => "uk",
        Lang::Urd => "ur",
        Lang::Vie => "vi",
        Lang::Yid => "yi",
        _ => "en",
    }
}
