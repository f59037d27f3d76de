//! Regular expressions of this code, with classes no larger than English texts need.

use regex::Regex;

/// Compiles a pattern, ignoring case and white space in the pattern. The tests of each fact run its patterns.
///
/// `\w`, `\d`, `\s` and `\b` mean the characters of English texts: the full Unicode classes would take many times the memory.
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

/// Whether a text contains one of these words in lower case or capitalised: a cheap check before a pattern runs.
pub fn mentions(text: &str, words: &[&str]) -> bool {
    // The first letter is omitted, so its case does not matter; a text in capitals always passes.
    words.iter().any(|word| word.get(1..).is_some_and(|rest| text.contains(rest)))
        || !text.bytes().any(|byte| byte.is_ascii_lowercase())
}
