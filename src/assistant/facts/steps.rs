//! Facts: what the texts of a document say in a form that rules can count with.
//!
//! Pure functions of the content. Patterns read English; a text in another language yields no facts, never wrong ones.

use std::cell::LazyCell;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::patterns::compiled as pattern;
use super::{numbers, words};
use crate::domain::content::{self, Content};
use crate::domain::path::FieldPath;

/// A text that refers to a step by its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReference {
    /// Where the text stands.
    pub path: FieldPath,
    /// The words that refer, verbatim.
    pub quote: String,
    /// The number of the step, as people count: the first is 1.
    pub number: i64,
    /// The bytes of the text that hold the number.
    pub digits: std::ops::Range<usize>,
    /// The number as the text writes it.
    pub written: String,
}

/// A number in digits or as a word, the longer words first.
const NUMERAL: &str = r"(?: \d{1,4} | (?: (?:twenty|thirty)(?:[-\s](?:one|two|three|four|five|six|seven|eight|nine))?
    | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen | eleven | twelve
    | one | two | three | four | five | six | seven | eight | nine | ten )\b )";

/// One number after "step", a list of them after "steps", or an ordinal before "step": after "step 1, 10 drops" the 10
/// is another matter.
static REFERENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?ix)\b (?: steps:?\s{{1,4}} (?:number\s{{1,4}} | no\.?\s{{0,4}} | \#\s{{0,4}})?
              ( {NUMERAL} (?: \s{{0,4}} (?:,|-|–|to|and|or|through|until|&){{1,2}} \s{{0,4}} (?:and\s{{1,4}})? {NUMERAL} ){{0,20}} )
            | step\s{{1,4}} (?:number\s{{1,4}} | no\.?\s{{0,4}} | \#\s{{0,4}})? ( {NUMERAL} )
            | (?:the|our|your)\s{{1,4}} ( first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh
                | twelfth | \d{{1,3}}(?:st|nd|rd|th) ) \s{{1,4}} (?:and\s(?:final|last)\s{{1,4}})? step\b )"
    ))
});
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(&format!("(?ix){NUMERAL}")));

/// How many steps there are: "all nine steps", "the last of the eight steps", "the seven steps below".
static COUNTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let kind = r"(?:(?:short|easy|simple|numbered|written|practical)\s)?";
    pattern(&format!(
        r"(?ix)\b(?: (?:all(?:\sof)? | (?:each|any|none|every\sone|the\slast)\sof)\s (?:(?:the|our|these|its|your)\s)? ({NUMERAL}) \s{kind}steps\b
            | the\s ({NUMERAL}) \s{kind}steps\s (?:above|below|given|listed|set\sout|that\sfollow) \b )"
    ))
});
/// How many steps a title promises: "A shiny penny in six steps".
static PROMISED: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(&format!(r"(?ix)\bin\s ({NUMERAL}) \s(?:(?:short|easy|simple|quick)\s)?steps\s*\z")));
/// After steps that are counted: they are of something else.
static OF_SOMETHING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r"(?i)^\s(?:of|in|on|up|to|along|from|at|down|for|forwards?|back|towards?|across|apart|high)\b")
});

/// After a number: it is a step of another text, or of a staircase. Results are written *on* handouts, so of these
/// only "of" makes a step theirs.
static OF_ANOTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)^(?:\s[a-z]+){0,2}? \s (?:
              (?:of|on|in)\s(?:it|them)\b | of\s (?:[\w’'-]+\s){0,4}? (?:hand-?outs? | (?:work|help|task|lab|info|instruction|data)?[-\s]?sheets? | book(?:let)? | guide
                | leaflet | card | poster | slides? | presentation | packet | website | app | stair\w* | ladder | flight | bleachers | dance )\b
            | on\s the\s (?:work)?sheet\s (?:asks|says|tells|is|has|shows|gives)\b
            | (?:of|on|in|from|at)\s (?:[\w’'-]+\s){0,4}? (?:text-?\s?book | (?:dichotomous\s|identification\s)?key | pathway | cascade | cycle | manual | instructions | recipe | video | stair\w*
                | (?:page | pp?\. | chapter | activity | experiment | lab | worksheet | investigation | exercise | practical | protocol
                    | unit | lesson | card | part | section | procedure)\s (?:\d | [A-Z]\b) )
            | (?:of|in|from)\s (?:the|our|your)\s (?:last|previous|earlier|other|first|second|next)\s (?:lesson|class|session|period|practical|experiment
                | investigation|activity|lab|unit|worksheet|sheet|project|task|method|procedure|part|one|week|time|term|year|course|version|recipe|plan)\b
            | (?:of|in|from)\s (?:yesterday|last\sweek|last\slesson) | on\s(?:the|your|a)\s(?:instruction|method|task|recipe|help|kit)[-\s]?(?:card|sheet)s? )",
    )
});
/// Before a step, in its clause: the other text that it belongs to.
static ANOTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)\b(?: text-?\s?book | glycolysis | krebs | calvin | (?:dichotomous|identification)\skey | manual | recipe | video | (?:activity | experiment | lab | worksheet | investigation | exercise
                | practical | protocol | chapter | unit | lesson | page | pp?\.)\s\d
            | (?:hand-?out | (?:work)?sheet | booklet | leaflet | guide | card | poster | app | kit | book | package | bible | law)(?:['’]s)?\s
                (?:(?:up\sto|to|until|through|till)\s)?(?:its\s)?(?:the\s)?$ | in\s(?:the|your|our)\sapp\b | (?:worksheet|handout|sheet|card|booklet),\s(?:at\s)?$ | its\s$ | their\s$
            | (?:a|an|another|no|any|extra|optional|old|former)\s$ | (?:grade|year|class)\s\d{1,2}\s\w+,?\s$ | (?:unit|module|course|version|edition),\s$
            | (?:web|online|long|short|original|old|printed|other|previous|full|simple)\s(?:version|edition|plan|instructions)\b
            | (?:last|next|previous)\s(?:week|lesson|year|time|term|month|class|session)\b | other\s(?:class|section|lesson|course)\b )",
    )
});
/// At the end of what stands before a step in its sentence: something that is played or read through, and has steps itself.
static PLAYED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)\b(?:open|watch|play|start|run|load|launch|read|follow|study|log\sin\sto)\b (?:\s[\w’'-]+){1,5}? \s (?:
              (?:video|film|clip|animation|tutorial|simulation|app|game|program(?:me)?|virtual\s[a-z]+)\b [^.!?]*
            | (?:[a-z]+\s)? (?:protocol|handout|(?:work)?sheet|poster|chart|card|guide|manual|recipe)\b [^.!?]*? [:;] [^.!?]* ) $",
    )
});
/// After steps that are followed or told of: the paper that they stand on.
static ON_PAPER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^\son\s(?:the|your|our|this)\s(?:[a-z-]+\s)?(?:hand-?out|(?:work)?sheet|card|poster|chart|screen|board)s?\b",
    )
});
static FOLLOWED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r"(?i)(?:\b(?:follow|do|complete|read|finish|through|out)\s(?:all\s|only\s)?|(?:^|[.:;!?]\s))$")
});
/// How many steps something else has: "the poster's six steps", "a walk of 20 steps".
static SERIES: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(&format!(r"(?ix)(?:\b(?:its|of|in)|[’']s)\s ({NUMERAL}) \s(?:[a-z]+\s)?steps\b")));
/// The lesson itself.
static OWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:lesson|method|procedure|experiment|investigation|instructions|practical|plan|protocol)\b")
});
/// A text about steps for feet.
static STAIRS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:stairs?|staircases?|stairway|stairwell|ladder|rungs?|escalator|climbers?|bleachers|dance|dancers?|strides?|paces?|hopscotch|walking speed|stepper)\b",
    )
});
/// A text that lets people walk, in which a step may be one of theirs: not so "the pulse from step 9".
static WALKS: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"(?i)(?:^|[.!?]\s+)(?:climb|walk)\b"));
static NAMED: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)\b(?:from|in|of|see|repeat|to|for|as\sin)\s$|\($"));

/// Whether the step named at these bytes of a text is none of the lesson's.
fn is_elsewhere(text: &str, whole: &std::ops::Range<usize>) -> bool {
    let is = |regex: &LazyLock<Option<Regex>>, text: &str| regex.as_ref().is_some_and(|regex| regex.is_match(text));
    let (before, after) = (text.get(..whole.start).unwrap_or_default(), text.get(whole.end..).unwrap_or_default());
    let clause = before.rsplit([';', ':', '!', '?', '\n', '(']).next().unwrap_or_default();
    let clause = clause.rsplit(". ").next().unwrap_or_default();
    is(&PLAYED, before)
        || is(&ON_PAPER, after) && is(&FOLLOWED, before)
        || is(&OF_ANOTHER, after)
        || is(&ANOTHER, clause)
        || is(&STAIRS, text)
        || is(&WALKS, text) && !is(&NAMED, before)
}

/// Whether what follows steps that were counted gives them to something else: "all nine steps of the staircase".
fn is_of_something(rest: &str) -> bool {
    let of = OF_SOMETHING.as_ref().is_some_and(|of| of.is_match(rest));
    let next: String = rest.split_inclusive(' ').take(5).collect();
    of && OWN.as_ref().is_none_or(|own| !own.is_match(&next))
}

/// The most steps that something else has of which a text tells before it names one.
fn steps_of_another(before: &str) -> i64 {
    let (Some(series), Some(own)) = (SERIES.as_ref(), OWN.as_ref()) else { return 0 };
    let counts = series.captures_iter(before).filter_map(|captures| numeral(captures.get(1)?.as_str()));
    if own.is_match(before) { 0 } else { counts.max().unwrap_or(0) }
}

/// A number in digits or words.
fn numeral(written: &str) -> Option<i64> {
    let read = || numbers::numeral(&words::tokens(written, 4), 0)?.whole();
    written.parse().ok().or_else(read)
}

/// What makes the number after "step" a measure and no reference: "a step 20 cm high", "step 2.5".
static MEASURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)^(?: [.,]?\d | \s*[-–]?\s* (?: °|% | (?: [ckm]?m | [km]?g | [mc]?l | inch | ft | foot | feet
            | (?:centi|milli|kilo)?met(?:er|re) | degree | volt | sec | second | min | minute | hour)\b
            | at\ a\ time\b | by\ (?:one|two|three)\b
            | in\ (?:high|low|long|wide|deep|tall|back|forward|away)\b ) )",
    )
});

/// The word after the number, and its ending: "Each step 10 points" counts points.
static NEXT_WORD: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"(?i)^\s+(?:more\s+)?([a-z]+s)\b"));

/// Words in s that may follow a step's number without being counted by it.
const NO_PLURALS: [&str; 44] = [
    "onwards",
    "afterwards",
    "backwards",
    "perhaps",
    "plus",
    "always",
    "as",
    "asks",
    "comes",
    "describes",
    "does",
    "ends",
    "explains",
    "follows",
    "gives",
    "groups",
    "learners",
    "partners",
    "pupils",
    "students",
    "goes",
    "happens",
    "has",
    "involves",
    "is",
    "its",
    "makes",
    "means",
    "measures",
    "needs",
    "produces",
    "records",
    "repeats",
    "requires",
    "results",
    "says",
    "shows",
    "starts",
    "takes",
    "tells",
    "this",
    "unless",
    "uses",
    "was",
];

/// Whether the number before `rest` counts or measures something.
fn is_a_measure(rest: &str, named: bool) -> bool {
    // "The beaker in step 8 foams"
    let counted = || {
        if named {
            return None;
        }
        let word = NEXT_WORD.as_ref()?.captures(rest)?.get(1)?.as_str().to_lowercase();
        Some(!NO_PLURALS.contains(&word.as_str()))
    };
    MEASURE.as_ref().is_some_and(|measure| measure.is_match(rest)) || counted().unwrap_or(false)
}

/// So many references are looked at; a text with more is no lesson.
const MAX_REFERENCES: usize = 1000;
/// Quotes hold at most this many characters.
const MAX_QUOTE: usize = 200;

/// Every reference to a step, in reading order.
pub fn step_references(content: &Content) -> Vec<StepReference> {
    let (Some(reference), Some(number)) = (&*REFERENCE, &*NUMBER) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    // Far beyond the last step lie those of stairs and motors, where any text speaks of them.
    let stairs = LazyCell::new(|| {
        let mut found = false;
        content::for_each_leaf(content, &mut |_, leaf| {
            found |= leaf.as_str().is_some_and(|text| STAIRS.as_ref().is_some_and(|stairs| stairs.is_match(text)));
        });
        found
    });
    let last = content.get("steps").and_then(Value::as_array).map_or(0, Vec::len) as i64;
    content::for_each_leaf(content, &mut |path, leaf| {
        let Value::String(text) = leaf else { return };
        if !text.contains("tep") && !text.contains("TEP") {
            return;
        }
        let title = path.to_string() == "title";
        // "The rock cycle in six steps" tells of another thing.
        let other = ["ycle", "ethod", "rocess", "istory"].iter().any(|thing| text.contains(thing));
        let counted = COUNTED.iter().chain(PROMISED.iter().filter(|_| title && !other));
        for captures in counted.filter_map(|counted| counted.captures(text)) {
            let (Some(whole), Some(number)) = (captures.get(0), captures.get(1).or(captures.get(2))) else { continue };
            let other = is_elsewhere(text, &whole.range()) || is_of_something(&text[whole.end()..]) || *stairs;
            let count = numeral(number.as_str()).filter(|count| !other && *count > last && *count <= 2 * last + 2);
            found.extend(count.map(|count| StepReference {
                path: path.clone(),
                quote: whole.as_str().to_owned(),
                number: count,
                digits: number.range(),
                written: number.as_str().to_owned(),
            }));
        }
        for captures in reference.captures_iter(text).take(MAX_REFERENCES) {
            if found.len() >= MAX_REFERENCES {
                return;
            }
            let (Some(whole), ordinal) = (captures.get(0), captures.get(3)) else { continue };
            let Some(numbers) = captures.get(1).or(captures.get(2)).or(ordinal) else { continue };
            if is_elsewhere(text, &whole.range()) {
                continue;
            }
            if let Some(value) = ordinal.and_then(|ordinal| numbers::ordinal(&words::tokens(ordinal.as_str(), 2), 0)) {
                found.push(StepReference {
                    path: path.clone(),
                    quote: whole.as_str().to_owned(),
                    number: value.0,
                    digits: numbers.range(),
                    written: numbers.as_str().to_owned(),
                });
                continue;
            }
            let before = &text[..whole.start()];
            let mut listed: Vec<_> = number.find_iter(numbers.as_str()).collect();
            // Of "steps 9 and 20 cm of string" only the last number is no step.
            let named = NAMED.as_ref().is_some_and(|named| named.is_match(before));
            if is_a_measure(&text[numbers.end()..], named) {
                listed.pop();
            }
            let listed: Vec<_> =
                listed.into_iter().filter_map(|digits| Some((digits, numeral(digits.as_str())?))).collect();
            // "A pyramid with the steps 10, 8, 4 and 2"
            if before.ends_with("the ") && listed.len() > 2 && listed.is_sorted_by(|(_, one), (_, next)| one > next) {
                continue;
            }
            let others = LazyCell::new(|| steps_of_another(before));
            for (digits, value) in listed {
                if value > 2 * last + 10 && *stairs || value > last && value <= *others {
                    continue;
                }
                let start = numbers.start() + digits.start();
                found.push(StepReference {
                    path: path.clone(),
                    quote: whole.as_str().chars().take(MAX_QUOTE).collect(),
                    number: value,
                    digits: start..start + digits.len(),
                    written: digits.as_str().to_owned(),
                });
            }
        }
    });
    found
}

#[cfg(test)]
mod tests;
