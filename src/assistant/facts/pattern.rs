//! Compiles the regular expressions of facts. Their character classes contain only what English texts need.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A pattern that is compiled when it is first needed.
pub type Pattern = LazyLock<Option<Regex>>;

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

pub fn matches(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Returns the matches of a pattern, with their groups.
pub fn captures<'t>(pattern: &Pattern, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
    pattern.iter().flat_map(move |pattern| pattern.captures_iter(text))
}
