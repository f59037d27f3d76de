//! Patterns: regular expressions, with classes no larger than English texts need.

use regex::Regex;

/// Compiles a pattern of this code, each of which its tests run. It must not turn Unicode off.
///
/// All letters, digits and spaces that there are would make it many times as large, and slow to compile.
pub fn compiled(pattern: &str) -> Option<Regex> {
    let plain = pattern
        .replace(r"\w", "[0-9A-Za-z_]")
        .replace(r"\d", "[0-9]")
        .replace(r"\s", r"[\t-\r\x20\u00A0]")
        .replace(r"\b", r"(?-u:\b)");
    let compiled = Regex::new(&plain);
    debug_assert!(compiled.is_ok(), "{compiled:?}");
    compiled.ok()
}
