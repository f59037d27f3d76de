//! Compiles the regular expressions of facts. Their character classes contain only what English texts need.

use std::sync::LazyLock;

use regex::Regex;

/// Compiles a case-insensitive pattern. White space in the pattern is ignored. Returns `None` if the pattern is
/// invalid; tests check that all patterns of this program are valid.
///
/// `\w`, `\d` and `\b` know only ASCII characters. `\s` also knows the no-break space. Unicode classes would need many
/// times the memory.
pub fn compiled(pattern: &str) -> Option<Regex> {
    let plain = pattern
        .replace(r"\w", "[0-9A-Za-z_]")
        .replace(r"\d", "[0-9]")
        .replace(r"\s", r"[\t-\r\x20\u00A0]")
        .replace(r"\b", r"(?-u:\b)");
    let compiled = Regex::new(&format!("(?ix){plain}"));
    debug_assert!(compiled.is_ok(), "{compiled:?}");
    compiled.ok()
}

/// Words of which a text must contain at least one before a pattern is tried on the text, because looking for words is
/// faster.
pub struct Words(Option<Regex>);

impl Words {
    /// Compiles the search for these words. Their first letters may be capitals.
    pub fn new(words: &[&str]) -> Self {
        let parts = words.iter().filter_map(|word| word.split_at_checked(1));
        let words = parts.map(|(first, rest)| format!("(?i:{}){}", regex::escape(first), regex::escape(rest)));
        Self(Regex::new(&words.collect::<Vec<_>>().join("|")).ok())
    }

    /// Returns the pattern, compiled at its first use, if the text may contain one of the words.
    pub fn guard<'p>(&self, text: &str, pattern: &'p LazyLock<Option<Regex>>) -> Option<&'p Regex> {
        if self.may_be_in(text) { pattern.as_ref() } else { None }
    }

    /// Returns false only if the text contains none of the words. A text without lower-case letters may contain them
    /// in capitals, so the result is true.
    pub fn may_be_in(&self, text: &str) -> bool {
        self.0.as_ref().is_none_or(|words| words.is_match(text)) || !text.bytes().any(|byte| byte.is_ascii_lowercase())
    }
}
