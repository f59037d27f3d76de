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

pub fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Compiles a search for words in any case, to be used with [`if_mentioned`].
pub fn any_of(words: &[&str]) -> Option<Regex> {
    // Skips the first letter, so its case does not matter.
    let rests = words.iter().filter_map(|word| word.get(1..)).collect::<Vec<_>>().join("|");
    Regex::new(&rests).ok()
}

/// Returns the pattern if a text may contain one of the words of [`any_of`]. Looking for words is faster than matching,
/// and avoids compiling patterns that no text needs.
pub fn if_mentioned<'p>(
    text: &str,
    words: &LazyLock<Option<Regex>>,
    pattern: &'p LazyLock<Option<Regex>>,
) -> Option<&'p Regex> {
    // A text without lower-case letters always passes.
    let is_mentioned = matches(words, text) || !text.bytes().any(|byte| byte.is_ascii_lowercase());
    if is_mentioned { pattern.as_ref() } else { None }
}
