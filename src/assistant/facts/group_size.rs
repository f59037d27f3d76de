//! Reads how many pupils work together: "groups of four", "work in pairs", "in teams of 3 to 4".

use std::cell::LazyCell;

use super::fact::{MAX_FACTS, Reading};
use super::number::{self, CARDINAL};
use super::pattern::{Pattern, captures, compiled, matches};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupSize {
    pub low: i64,
    pub high: i64,
}

/// Matches every text in lower case that may state a group size.
pub static WORDS: Pattern = Pattern::new(|| {
    compiled(&format!(r"(?-i) (?:group|team|crew)s?\sof\s{CARDINAL} | pair | twos | threes | fours | fives | sixes"))
});

static SIZE: Pattern = Pattern::new(|| {
    compiled(&format!(
        r"\b(?: (?:sit|get|work(?:ing)?)\s(?:\w+\s)?(?:in|into)\s (?P<fold> twos | threes | fours | fives | sixes )\b
            | (?:work(?:s|ing|ed)?|get|sit|stand|form|make|build|divide[ds]?|split|put|go|in|into|as|each|per|every|your|our|their)\s
                (?:(?:\w+\s){{0,2}}(?:in|into)\s)?(?:your\s|small\s|their\s|our\s)?
                (?: groups?|teams?|crews? )\sof\s (?P<low> {CARDINAL} )(?:\s?(?:-|–|to|or)\s?(?P<high> {CARDINAL} ))?\b
            | work(?:s|ing|ed)?\s(?:together\s)?(?:in|as)\s(?:a\s)?(?P<pair> pairs? )\b )"
    ))
});
/// Matches the text after a number that is not a group size ("thousand") or applies to only one step ("for this step").
static OTHER: Pattern = Pattern::new(|| {
    compiled(
        r"^(?: [.,/]\d | \s(?:thousand|hundred|million|or\smore|to|for\s(?:this|the)\s(?:step|part|discussion)) \b | \s?%)",
    )
});

/// Matches a text that mentions pairs. If such a text gives a group size as a number, the number is ignored, because
/// the class works in groups of different sizes.
static PAIRS: Pattern = Pattern::new(|| compiled(r"\bpairs?\b"));

pub fn read(text: &str) -> Vec<Reading<GroupSize>> {
    let has_pairs = LazyCell::new(|| matches(&PAIRS, text));
    let readings = captures(&SIZE, text).filter_map(|captures| {
        let whole = captures.get(0)?;
        if matches(&OTHER, &text[whole.end()..]) {
            return None;
        }
        // "Pairs" and "threes" contain no number that a fix could replace, so the range of the number is empty.
        let word = captures.name("pair").or(captures.name("fold"));
        if let Some(word) = word {
            let sizes = [("p", 2), ("tw", 2), ("th", 3), ("fo", 4), ("fi", 5), ("s", 6)];
            let lower = word.as_str().to_lowercase();
            let (_, size) = sizes.into_iter().find(|(start, _)| lower.starts_with(start))?;
            return Some((whole.range(), word.start()..word.start(), GroupSize { low: size, high: size }));
        }
        let written = captures.name("low")?;
        let low = number::whole(written.as_str())?;
        let high = captures.name("high").and_then(|high| number::whole(high.as_str())).unwrap_or(low);
        // A size above 12 is probably a whole class, or a count of things rather than pupils.
        let is_size = 1 <= low && low <= high && high <= 12 && !*has_pairs;
        is_size.then_some((whole.range(), written.range(), GroupSize { low, high }))
    });
    readings.take(MAX_FACTS).collect()
}
