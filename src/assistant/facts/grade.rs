//! Reads school years as comparable ranges of grades: "Grade 5", "fifth graders", "Year 7", "K-2", "ages 9-12".
//!
//! Grades are American; 0 is kindergarten. British Year 7 is Grade 6 and Australian Year 7 is Grade 7, so a year is
//! read as a range of both grades.

use std::ops::Range;

use regex::Captures;

use super::fact::{MAX_FACTS, Reading};
use super::number;
use super::pattern::{Pattern, captures, compiled, matches};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grades {
    /// Lowest grade; 0 is kindergarten.
    pub low: i64,
    pub high: i64,
}

const ONE: &str = r"(?:1[0-3]|[1-9]|K|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
const NTH: &str = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|1[0-2]th|1st|2nd|3rd|[4-9]th)";

static NAME: Pattern = Pattern::new(|| {
    let to = r"\s?(?:-|–|to|and|&|or|through|/)\s?";
    compiled(&format!(
        r"\b(?: (?:grades?|gr\.)[-\s] (?P<grade> {ONE} )(?:{to}(?P<grade_to> {ONE} ))?\b
            | (?P<nth> {NTH} )(?:{to}(?P<nth_to> {NTH} ))?[-\s]+grade(?:rs?)?\b
            | years?[-\s] (?P<year> {ONE} )(?:{to}(?P<year_to> {ONE} ))?\b
            | (?P<kinder> kindergart(?:en(?:ers?)?|ners?) )\b
            | (?:ages?|aged)\s (?P<age> \d{{1,2}} )(?:{to}(?P<age_to> \d{{1,2}} ))?\b
            | (?P<old> \d{{1,2}} )(?:{to}(?P<old_to> \d{{1,2}} ))?[-\s]years?[-\s]olds?\b )"
    ))
});
/// Pattern of a grade field that starts with a bare grade, without a word such as "Grade": "5", "K-2".
static BARE: Pattern = Pattern::new(|| {
    compiled(
        r"^\s*(?P<grade> 1[0-3]|[1-9]|K )(?:\s?(?:-|–|to|and|&|/|,)\s?(?P<grade_to> 1[0-3]|[1-9] ))?(?:st|nd|rd|th)?\s*(?:$|[,;(+])",
    )
});

/// Pattern of a range without an upper end: "Grade 5 and up".
static UPWARD: Pattern = Pattern::new(|| compiled(r"\b(?:and|or)\s(?:up|above|older|higher)\b | \d\s?\+"));
const HIGHEST: i64 = 13;

pub fn read(text: &str) -> Vec<Reading<Grades>> {
    captures(&NAME, text).filter_map(|captures| reading(text, &captures)).take(MAX_FACTS).collect()
}

/// Returns the range of all grades in `text`, the value of a grade field: a number, a range, or names of school years.
/// Returns `None` if the field names no grade.
pub fn of_field(text: &str) -> Option<Grades> {
    let bare = || BARE.as_ref()?.captures(text).and_then(|captures| reading(text, &captures));
    let named = read(text).into_iter().chain(bare()).map(|(_, _, grades)| grades);
    let all = named.reduce(|one, other| Grades { low: one.low.min(other.low), high: one.high.max(other.high) })?;
    Some(if matches(&UPWARD, text) { Grades { high: HIGHEST, ..all } } else { all })
}

fn reading(text: &str, captures: &Captures) -> Option<Reading<Grades>> {
    let whole = captures.get(0)?;
    let range = |name: &str| {
        let low = captures.name(name)?;
        let high = captures.name(&format!("{name}_to"));
        Some((
            low.range(),
            school_year(low.as_str())?,
            high.map_or_else(|| school_year(low.as_str()), |h| school_year(h.as_str()))?,
        ))
    };
    // Converts ages to grades: children are five or six years old in kindergarten.
    let (number, low, high): (Range<usize>, i64, i64) =
        if let Some((at, low, high)) = range("grade").or_else(|| range("nth")) {
            (at, low, high)
        } else if let Some((at, low, high)) = range("year") {
            (at, low - 1, high)
        } else if let Some(kinder) = captures.name("kinder") {
            (kinder.range(), 0, 0)
        } else {
            let (at, low, high) = range("age").or_else(|| range("old"))?;
            (at, low - 6, high - 5)
        };
    // Excludes ages beyond school, such as "80 years old", and descending ranges.
    (low <= high && high <= HIGHEST && text.is_char_boundary(whole.end())).then_some((
        whole.range(),
        number,
        Grades { low, high },
    ))
}

/// Returns the number of a school year or age: 7 for `7`, `seven` and `7th`; 0 for `K`.
fn school_year(written: &str) -> Option<i64> {
    if written.eq_ignore_ascii_case("k") { Some(0) } else { number::whole(written) }
}
