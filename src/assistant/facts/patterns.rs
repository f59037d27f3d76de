//! Patterns: regular expressions, with classes no larger than English texts need.

use std::sync::OnceLock;

use regex::{Regex, RegexSet};

/// A pattern with classes of the letters, digits and spaces that English texts have.
///
/// All that there are would make it many times as large, and slow to compile.
fn plain(pattern: &str) -> String {
    pattern
        .replace(r"\w", "[0-9A-Za-z_]")
        .replace(r"\d", "[0-9]")
        .replace(r"\s", r"[\t-\r\x20\u00A0]")
        .replace(r"\b", r"(?-u:\b)")
}

/// Compiles a pattern of this code, each of which its tests run. It must not turn Unicode off.
pub fn compiled(pattern: &str) -> Option<Regex> {
    let compiled = Regex::new(&plain(pattern));
    debug_assert!(compiled.is_ok(), "{compiled:?}");
    compiled.ok()
}

/// Patterns of which a text has few: one look at it tells which, and only those are compiled by themselves.
#[derive(Debug)]
pub struct Patterns {
    any: Option<RegexSet>,
    each: Vec<(String, OnceLock<Option<Regex>>)>,
}

impl Patterns {
    /// Patterns of this code as [`compiled`] takes them.
    pub fn of(patterns: impl IntoIterator<Item = String>) -> Self {
        let patterns: Vec<String> = patterns.into_iter().collect();
        let any = RegexSet::new(patterns.iter().map(|pattern| plain(pattern)));
        debug_assert!(any.is_ok(), "{any:?}");
        let each = patterns.into_iter().map(|pattern| (pattern, OnceLock::new())).collect();
        Self { any: any.ok(), each }
    }

    /// Those that a text has, by their places among all, in order.
    pub fn found_in<'p>(&'p self, text: &str) -> impl Iterator<Item = (usize, &'p Regex)> {
        // Most texts have none, and that is told faster than which.
        let found = self.any.as_ref().filter(|any| any.is_match(text)).map(|any| any.matches(text));
        found.into_iter().flatten().filter_map(|place| {
            let (pattern, regex) = self.each.get(place)?;
            Some((place, regex.get_or_init(|| compiled(pattern)).as_ref()?))
        })
    }
}
