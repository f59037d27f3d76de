//! Reads codes of standards and names of curricula that belong to certain school years: "NGSS 5-PS1-2", "SC.4.P.10.1",
//! "Key Stage 3".

use super::fact::{MAX_FACTS, Reading};
use super::grade::Grades;
use super::number;
use super::pattern::{Pattern, captures, compiled};

static CODE: Pattern = Pattern::new(|| {
    compiled(
        r"\b(?: (?P<low> K|[1-8] )-(?P<high> [2-8] )-(?:LS|PS|ESS|ETS)\d
            | (?P<ngss> MS|HS|K|[1-8] )[-.](?:LS|PS|ESS|ETS)\d
            | SC\.(?P<florida> K|[1-8]|912 )\.[A-Z]\.\d
            | CCSS\.(?:ELA-LITERACY|MATH)\.(?:CONTENT\.)?(?:[A-Z]+\.)?(?P<core> K|[1-8] )\.
            | (?:key\sstage|(?-i:KS))\s?(?P<stage> [1-5] )\b
            | (?P<gcse> (?-i:GCSE) )\b
            | (?P<alevel> A[-\s]levels? )\b )",
    )
});

/// Returns the grade ranges of the standards that a text names: grade 5 for "5-PS1-2".
pub fn read(text: &str) -> Vec<Reading<Grades>> {
    let has_capital = text.bytes().any(|byte| byte.is_ascii_uppercase());
    let readings = captures(&CODE, text).filter(|_| has_capital).filter_map(|captures| {
        let whole = captures.get(0)?;
        let (at, (low, high)) = if let (Some(low), Some(high)) = (captures.name("low"), captures.name("high")) {
            (low, (grade(low.as_str())?.0, grade(high.as_str())?.1))
        } else if let Some(name) = ["ngss", "florida", "core"].into_iter().find_map(|name| captures.name(name)) {
            (name, grade(name.as_str())?)
        } else if let Some(stage) = captures.name("stage") {
            // Key stages cover Years 1-2, 3-6, 7-9, 10-11 (9-11 in many schools) and 12-13. Each year is read as two
            // grades: the same number, and one less.
            let stages = [(0, 2), (2, 6), (6, 9), (8, 11), (11, 13)];
            (stage, *stages.get(usize::try_from(number::whole(stage.as_str())? - 1).ok()?)?)
        } else if let Some(gcse) = captures.name("gcse") {
            (gcse, (8, 11))
        } else {
            (captures.name("alevel")?, (11, 13))
        };
        Some((whole.range(), at.range(), Grades { low, high }))
    });
    readings.take(MAX_FACTS).collect()
}

fn grade(written: &str) -> Option<(i64, i64)> {
    match written {
        "MS" | "ms" => Some((6, 8)),
        "HS" | "hs" | "912" => Some((9, 12)),
        "K" | "k" => Some((0, 0)),
        number => number::whole(number).map(|grade| (grade, grade)),
    }
}
