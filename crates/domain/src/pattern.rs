//! Computes the cost of a regular expression from its text, before the expression is used.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Maximum size of a compiled pattern, in bytes.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Maximum total number of positions of all patterns in one schema or rule set, see [`positions`].
pub const MAX_POSITIONS: u64 = 20_000;

/// Returns the number of positions of a pattern. In the worst case, matching visits each position for every byte of the
/// text. A part that may be repeated up to n times (`{0,n}`) counts n times. A part that must occur m times and has no
/// maximum (`{m,}`) counts m times, but at least once.
///
/// # Errors
/// The reason why the pattern is invalid.
pub fn positions(text: &str) -> Result<u64, String> {
    let read = regex_syntax::ParserBuilder::new().nest_limit(32).build().parse(text);
    read.map(|pattern| of(&pattern)).map_err(|error| error.to_string())
}

fn of(pattern: &Hir) -> u64 {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        // Each character is looked up in the ranges of a class, so many ranges cost more.
        HirKind::Class(Class::Unicode(class)) => 1 + class.ranges().len() as u64 / 64,
        HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Repetition(repeated) => {
            let times = u64::from(repeated.max.unwrap_or(repeated.min).max(repeated.min).max(1));
            of(&repeated.sub).saturating_add(1).saturating_mul(times)
        }
        HirKind::Capture(capture) => of(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(of).fold(parts.len() as u64, u64::saturating_add)
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/pattern.rs"]
mod tests;
