//! References to steps by their number: "repeat step 3", "steps 2 to 5", "the ninth step".

use std::sync::LazyLock;

use regex::Regex;

use super::Reading;
use super::number::{self, CARDINAL, ORDINAL};
use super::pattern::{compiled, mentions};

/// One number after "step", a list of them after "steps", or an ordinal before "step".
static REFERENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(&format!(
        r"\b(?: steps \s+ (?P<list> {CARDINAL} (?: \s* (?:,|-|–|&|\bto\b|\band\b|\bor\b|\bthrough\b)+ \s* (?:and\s+)? {CARDINAL} ){{0,20}} )
            | step \s+ (?:number\s+|no\.?\s*|\#\s*)? (?P<one> {CARDINAL} )
            | the \s+ (?P<nth> {ORDINAL} ) \s+ step\b )"
    ))
});
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(CARDINAL));

/// Text after a number that measures or counts something: "step 20 cm back", "step 2.5".
static MEASURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"^(?: [.,]?\d | \s?(?:°|%|[-–]\s?\d) | \s?(?:[cmk]?m|[mk]?g|[mc]?l|ft)\b | \s?in\s(?:high|long|wide|deep|back|away)\b
            | \s(?:times|points|cent\w*|met\w+|feet|foot|inch\w*|seconds?|minutes?|hours?|days?|at\sa\stime)\b )",
    )
});
/// Text after a step of another document or of a staircase: "step 9 of the handout".
static OF_ANOTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(r"^\s(?:of|on|from)\s(?:the|your|our|this|that|an?|its?|each|page|activity|lab|lesson|experiment|part)\b")
});
/// A step of the lesson itself after all.
static OWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"^\sof\s(?:the|this|our|your)\s(?:\w+\s)?(?:lesson|procedure|method|investigation|experiment|instructions|plan)\b",
    )
});
/// Text before a step of another document: "in Activity 2, step 9", "the handout's step 9".
static ANOTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?: \b(?:activity|lesson|lab|experiment|part|page|chapter|unit|worksheet|handout|video|app|card)s?(?:\s[\w.]+)?[,:]?\s | ['’]s\s | \b(?:an?|each|every|its|their|another|last|next|(?:in|of)\sthe)\s )$",
    )
});

/// Text about the steps of something else, counted or named.
static SERIES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(&format!(
        r"\b(?: (?:its|the|of|['’]s)\s {CARDINAL} \s steps | stairs? | staircase | handout | tutorial | textbook | poster | video | worksheet\sasks )\b"
    ))
});

/// The numbers of the steps that a text refers to, as people count: the first is 1.
pub fn read(text: &str) -> Vec<Reading<i64>> {
    let mut readings = Vec::new();
    let (Some(reference), true) = (&*REFERENCE, mentions(text, &["step"])) else { return readings };
    let is = |pattern: &LazyLock<Option<Regex>>, text: &str| pattern.as_ref().is_some_and(|p| p.is_match(text));
    if is(&SERIES, text) {
        return readings;
    }
    for captures in reference.captures_iter(text) {
        let Some(whole) = captures.get(0) else { continue };
        let (before, after) = (&text[..whole.start()], &text[whole.end()..]);
        if is(&OF_ANOTHER, after) && !is(&OWN, after) {
            // "Step 3, step 5 and step 9 of the card": then all steps of the text are of something else.
            return Vec::new();
        }
        if is(&ANOTHER, before) || is(&MEASURE, after) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<i64> {
        read(text).into_iter().map(|(_, _, step)| step).collect()
    }

    #[test]
    fn a_step_is_referred_to_by_its_number() {
        for (text, expected) in [
            ("See step 9.", vec![9]),
            ("Repeat Steps 2, 3 and 11; then step no. 4", vec![2, 3, 11, 4]),
            ("steps 2–5 again, as in step #7", vec![2, 5, 7]),
            ("Say what the ninth step has shown; see step nine.", vec![9, 9]),
            ("Repeat steps seven to twelve", vec![7, 12]),
            ("Write the result of step 9 in your book", vec![9]),
            ("After step 1, 10 drops are added", vec![1]),
            ("Repeat step 3 of the procedure", vec![3]),
            ("REPEAT STEP 12", vec![12]),
        ] {
            assert_eq!(steps(text), expected, "{text}");
        }
    }

    #[test]
    fn measures_and_steps_of_other_texts_are_no_references() {
        for text in [
            "Step 20 cm back",
            "a step 20cm high",
            "Step 3 metres away",
            "step 2.5 m",
            "a stepped 3",
            "12 steps",
            "step 100 times",
            "Follow step 9 of the handout",
            "In Activity 4, step 9",
            "Take steps two at a time",
            "the worksheet's step 9",
            "The card has its ten steps; initial step 10",
            "do step 12 on page 3",
            "in a step 3",
            "in the steps 10, 8 and 4",
            "Say step 3, step 5 and step 9 of the card",
            "step by step",
        ] {
            assert_eq!(steps(text), [0; 0], "{text}");
        }
    }
}
