//! Reads references to steps by number: "repeat step 3", "steps 2 to 5", "the ninth step".

use super::fact::{MAX_FACTS, Reading};
use super::number::{self, CARDINAL, ORDINAL};
use super::pattern::{Pattern, captures, compiled, matches};

/// Matches every text in lower case that may refer to a step.
pub static WORDS: Pattern = Pattern::new(|| compiled("(?-i) step"));

static REFERENCE: Pattern = Pattern::new(|| {
    compiled(&format!(
        r"\b(?: steps \s+ (?P<list> {CARDINAL} (?: \s* (?:,|-|–|&|\bto\b|\band\b|\bor\b|\bthrough\b)+ \s* (?:and\s+)? {CARDINAL} ){{0,20}} )
            | step \s+ (?:number\s+|no\.?\s*|\#\s*)? (?P<one> {CARDINAL} )
            | the \s+ (?P<nth> {ORDINAL} ) \s+ step\b )"
    ))
});
static NUMBER: Pattern = Pattern::new(|| compiled(CARDINAL));

/// Matches the text after the number in "step 20 cm back" or "step 2.5", where the number does not name a step.
static MEASURE: Pattern = Pattern::new(|| {
    compiled(
        r"^(?: [.,]?\d | \s?(?:°|%|[-–]\s?\d) | \s?(?:[cmk]?m|[mk]?g|[mc]?l|ft)\b | \s?in\s(?:high|long|wide|deep|back|away)\b
            | \s(?:times|points|cent\w*|met\w+|feet|foot|inch\w*|seconds?|minutes?|hours?|days?|at\sa\stime)\b )",
    )
});
/// Matches the text after a reference to a step of something else, such as "step 9 of the handout".
static OF_ANOTHER: Pattern = Pattern::new(|| {
    compiled(r"^\s(?:of|on|from)\s(?:the|your|our|this|that|an?|its?|each|page|activity|lab|lesson|experiment|part)\b")
});
/// Matches the text after a reference to a step of the lesson itself: "step 9 of this lesson". Overrides `OF_ANOTHER`.
static OWN: Pattern = Pattern::new(|| {
    compiled(
        r"^\sof\s(?:the|this|our|your)\s(?:\w+\s)?(?:lesson|procedure|method|investigation|experiment|instructions|plan)\b",
    )
});
/// Matches the text before a reference to a step of something else: "in Activity 2, step 9", "the handout's step 9".
static ANOTHER: Pattern = Pattern::new(|| {
    compiled(
        r"(?: \b(?:activity|lesson|lab|experiment|part|page|chapter|unit|worksheet|handout|video|app|card)s?(?:\s[\w.]+)?[,:]?\s | ['’]s\s | \b(?:an?|each|every|its|their|another|last|next|(?:in|of)\sthe)\s )$",
    )
});

/// Matches a text about other steps, such as "9 steps of the stairs". References in such a text are ignored.
static SERIES: Pattern = Pattern::new(|| {
    compiled(&format!(
        r"\b(?: (?:its|the|of|['’]s)\s {CARDINAL} \s steps | stairs? | staircase | handout | tutorial | textbook | poster | video | worksheet\sasks )\b"
    ))
});

/// Returns the numbers of the steps that a text refers to, from 1: 3 for "repeat step 3".
pub fn read(text: &str) -> Vec<Reading<i64>> {
    let mut readings = Vec::new();
    if matches(&SERIES, text) {
        return readings;
    }
    for captures in captures(&REFERENCE, text) {
        if readings.len() >= MAX_FACTS {
            break;
        }
        let Some(whole) = captures.get(0) else { continue };
        let (before, after) = (&text[..whole.start()], &text[whole.end()..]);
        if matches(&OF_ANOTHER, after) && !matches(&OWN, after) {
            // In "Step 3, step 5 and step 9 of the card", all steps belong to something else, so the whole text is
            // skipped.
            return Vec::new();
        }
        if matches(&ANOTHER, before) || matches(&MEASURE, after) {
            continue;
        }
        if let Some(one) = captures.name("one").or(captures.name("nth")) {
            readings.extend(number::whole(one.as_str()).map(|value| (whole.range(), one.range(), value)));
        }
        if let (Some(list), Some(number)) = (captures.name("list"), &*NUMBER) {
            readings.extend(number.find_iter(list.as_str()).filter_map(|found| {
                let bytes = list.start() + found.start()..list.start() + found.end();
                Some((whole.range(), bytes, number::whole(found.as_str())?))
            }));
        }
    }
    readings
}
