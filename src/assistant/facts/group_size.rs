//! Statements of how many pupils work together: "groups of four", "work in pairs", "in teams of 3 to 4".

use std::sync::LazyLock;

use regex::Regex;

use super::Reading;
use super::number::{self, CARDINAL};
use super::pattern::{compiled, mentions};

/// The sizes that a statement allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupSize {
    /// The smallest.
    pub low: i64,
    /// The largest.
    pub high: i64,
}

/// Groups with their number of members, and pairs that work.
static SIZE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(&format!(
        r"\b(?: (?:sit|get|work(?:ing)?)\s(?:\w+\s)?(?:in|into)\s (?P<fold> twos | threes | fours | fives | sixes )\b
            | (?:work(?:s|ing|ed)?|get|sit|stand|form|make|build|divide[ds]?|split|put|go|in|into|as|each|per|every|your|our|their)\s
                (?:(?:\w+\s){{0,2}}(?:in|into)\s)?(?:your\s|small\s|their\s|our\s)?
                (?: groups?|teams?|crews? )\sof\s (?P<low> {CARDINAL} )(?:\s?(?:-|–|to|or)\s?(?P<high> {CARDINAL} ))?\b
            | work(?:s|ing|ed)?\s(?:together\s)?(?:in|as)\s(?:a\s)?(?P<pair> pairs? )\b )"
    ))
});
/// Words after a size that show that it counts something other than pupils, or belongs to another activity.
static OTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"^(?: [.,/]\d | \s(?:thousand|hundred|million|or\smore|to|for\s(?:this|the)\s(?:step|part|discussion)) \b | \s?%)",
    )
});

/// Matches texts that mention both pairs and groups, because the class regroups.
static PAIRS: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(r"\bpairs?\b"));

/// The sizes of the groups that a text speaks of.
pub fn read(text: &str) -> Vec<Reading<GroupSize>> {
    let (Some(size), true) = (&*SIZE, mentions(text, &["group", "team", "crew", "pair", "in t", "in f", "in s"]))
    else {
        return Vec::new();
    };
    let readings = size.captures_iter(text).filter_map(|captures| {
        let whole = captures.get(0)?;
        if OTHER.as_ref().is_some_and(|other| other.is_match(&text[whole.end()..])) {
            return None;
        }
        // "Pairs" and "threes" hold no number that a fix could replace.
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
        if PAIRS.as_ref().is_some_and(|pairs| pairs.is_match(text)) {
            return None;
        }
        // More than 12 is a whole class, or a count of things rather than pupils.
        (1 <= low && low <= high && high <= 12).then_some((whole.range(), written.range(), GroupSize { low, high }))
    });
    readings.collect()
}
